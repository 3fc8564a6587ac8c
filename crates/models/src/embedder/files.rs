//! The editions of the model: their files, that they are there and are the ones this build was made for, and how vectors are made.

use std::fs;
use std::path::Path;

use plumbline_core::domain::CosineScale;
use sha2::{Digest, Sha256};

use super::{EmbedderError, MAX_TOKENS};

/// A file of the model and the hash that it must have.
#[derive(Debug, Clone, Copy)]
pub struct ModelFile {
    pub name: &'static str,
    pub sha256: &'static str,
}

/// How the vector of a text is made of its tokens' states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The mean of all of them.
    Mean,
    /// The first token's, which stands for the whole.
    First,
}

impl Pooling {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::First => "first",
        }
    }
}

/// An edition of the built-in embedder: its files, and how its vectors are made.
#[derive(Debug)]
pub struct Edition {
    /// Counted from 1.
    pub number: u8,
    /// The folder that it lies in, below a folder of models.
    pub folder: &'static str,
    pub(super) weights: ModelFile,
    pub(super) tokenizer: ModelFile,
    pub(super) config: ModelFile,
    pub(super) pooling: Pooling,
    pub(super) scale: CosineScale,
}

/// Six layers, after all-MiniLM-L6-v2.
pub static FIRST: Edition = Edition {
    number: 1,
    folder: "embed-en-nl",
    weights: ModelFile {
        name: "model.safetensors",
        sha256: "9474b4715e2ee2e72a3c9869783c173ed724de86de737ccb007025e9e0c23fc7",
    },
    tokenizer: ModelFile {
        name: "tokenizer.json",
        sha256: "1646b40ea063ec95f150c4551d787a8751471dab12bb57879273637b7dcaba50",
    },
    config: ModelFile {
        name: "config.json",
        sha256: "31a7795f0c86a1d2dace210b0ee7ab29cfb64d0b2fedb395f5272a16a54400fe",
    },
    pooling: Pooling::Mean,
    scale: CosineScale::PLAIN,
};

/// Twelve layers, after bge-small-en-v1.5.
pub static SECOND: Edition = Edition {
    number: 2,
    folder: "embed-en-nl-2",
    weights: ModelFile {
        name: "model.safetensors",
        sha256: "ade84fd9169f165a28a461ec5170a84fb26d564ca39ad0daba50d6fbcb0688b7",
    },
    tokenizer: ModelFile {
        name: "tokenizer.json",
        sha256: "a4638ff2cd2257dd1ddc58a920abd47e7dd22b038251fce20def47ae790dc082",
    },
    config: ModelFile {
        name: "config.json",
        sha256: "16b1865f218bb62b60d6d66c2677698d84e5b1cf238b8da0c2dd60e586b7ee3f",
    },
    pooling: Pooling::First,
    // By the same questions to two libraries, Cranfield and Dutch pages: docs/evaluation.md.
    scale: CosineScale::stretched(2.1, -1.0),
};

impl Edition {
    pub(super) fn files(&self) -> [ModelFile; 3] {
        [self.weights, self.tokenizer, self.config]
    }

    /// Names what decides the vectors; vectors with different fingerprints must not be compared.
    pub fn fingerprint(&self) -> String {
        let decisive = format!(
            "weights={}\ntokenizer={}\npooling={}\nnormalisation=l2\nmax_tokens={MAX_TOKENS}\n",
            self.weights.sha256,
            self.tokenizer.sha256,
            self.pooling.as_str()
        );
        hexadecimal(&Sha256::digest(decisive)[..8])
    }
}

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

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
