//! The model's files: that they are there, and that they are the ones this build was made for.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::EmbedderError;

/// A file of the model and the hash that it must have.
#[derive(Debug, Clone, Copy)]
pub struct ModelFile {
    pub name: &'static str,
    pub sha256: &'static str,
}

pub const WEIGHTS: ModelFile = ModelFile {
    name: "model.safetensors",
    sha256: "9474b4715e2ee2e72a3c9869783c173ed724de86de737ccb007025e9e0c23fc7",
};
pub const TOKENIZER: ModelFile = ModelFile {
    name: "tokenizer.json",
    sha256: "1646b40ea063ec95f150c4551d787a8751471dab12bb57879273637b7dcaba50",
};
pub const CONFIG: ModelFile = ModelFile {
    name: "config.json",
    sha256: "31a7795f0c86a1d2dace210b0ee7ab29cfb64d0b2fedb395f5272a16a54400fe",
};

impl ModelFile {
    /// Looks whether the file is there, without reading it.
    pub fn must_exist_in(self, folder: &Path) -> Result<(), EmbedderError> {
        if folder.join(self.name).is_file() {
            return Ok(());
        }
        Err(EmbedderError::Missing { file: self.name, folder: folder.to_owned() })
    }

    /// Reads the file and holds it against its hash.
    pub fn read_from(self, folder: &Path) -> Result<Vec<u8>, EmbedderError> {
        let path = folder.join(self.name);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(source) => return Err(EmbedderError::Unreadable { path, source }),
        };
        let found = hexadecimal(&Sha256::digest(&bytes));
        if found == self.sha256 {
            return Ok(bytes);
        }
        Err(EmbedderError::Altered { path, expected: self.sha256, found })
    }
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
