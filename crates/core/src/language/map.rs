//! A map for the words of texts.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map for words that are looked up by the thousand; its keys are our own, so no one can make them collide.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// Multiply and rotate, eight bytes at a time.
#[derive(Default)]
pub(crate) struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
            self.write_u64(word);
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}
