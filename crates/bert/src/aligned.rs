//! Numbers in memory that start where a cache line does.

/// Bytes of a cache line, and of the widest register.
const LINE: usize = 64;

/// A slice of numbers whose registers never straddle two cache lines: reading across them takes twice as long.
#[derive(Default)]
pub struct Aligned {
    storage: Vec<f32>,
    start: usize,
    length: usize,
}

impl Aligned {
    pub fn zeros(length: usize) -> Self {
        let mut aligned = Self::default();
        aligned.reset(length);
        aligned
    }

    /// Makes it that long, all zeros.
    pub fn reset(&mut self, length: usize) {
        self.storage.clear();
        self.storage.resize(length + LINE / size_of::<f32>(), 0.0);
        // Where the address cannot be told, which is allowed, it is merely slower.
        self.start = self.storage.as_ptr().align_offset(LINE).min(LINE / size_of::<f32>());
        self.length = length;
    }

    pub fn numbers(&self) -> &[f32] {
        &self.storage[self.start..][..self.length]
    }

    pub fn numbers_mut(&mut self) -> &mut [f32] {
        &mut self.storage[self.start..][..self.length]
    }
}
