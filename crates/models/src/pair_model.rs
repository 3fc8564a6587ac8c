//! A BERT that reads two texts together and gives a few numbers, from a folder.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plumbline_bert::{Bert, BertConfig, BertError, ClassificationHead, Instructions, Sequence};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use rayon::prelude::*;
use safetensors::SafeTensors;
use thiserror::Error;
use tokenizers::{Encoding, Tokenizer, TruncationParams, TruncationStrategy};

pub(crate) const WEIGHTS: &str = "model.safetensors";
pub(crate) const TOKENIZER: &str = "tokenizer.json";
pub(crate) const CONFIG: &str = "config.json";
/// What the encoder's tensors are called under in a classifier's file.
const PREFIX: &str = "bert.";
/// Longer pairs are cut, the longer text first, even where the model has more positions: cost grows with the square.
const MAX_TOKENS: usize = 512;
/// So many pairs are read at a time by one core.
const GROUP: usize = 4;

/// Why such a model cannot be used. What the encoder says is the text itself, and no source behind it.
#[derive(Debug, Error)]
pub enum PairModelError {
    /// A file is missing or cannot be read.
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file holds something else.
    Malformed {
        /// Which one.
        file: &'static str,
        /// What is wrong with it.
        detail: String,
    },
    /// The model does not suit.
    Model(BertError),
}

impl PairModelError {
    /// What is wrong, as it is told in any language; what a system or a parser said stays as it is.
    pub fn detail(&self) -> Detail {
        match self {
            Self::File { path, source } => Detail::of(
                Message::ModelRerankerFile,
                [
                    ("path", path.display().to_string().into()),
                    ("detail", source.to_string().into()),
                    ("weights", WEIGHTS.into()),
                    ("tokenizer", TOKENIZER.into()),
                    ("config", CONFIG.into()),
                ],
            ),
            Self::Malformed { file, detail } => Detail::of(
                Message::ModelRerankerMalformed,
                [("file", (*file).into()), ("detail", detail.as_str().into())],
            ),
            Self::Model(problem) => problem.to_string().into(),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for PairModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

impl From<BertError> for PairModelError {
    fn from(problem: BertError) -> Self {
        Self::Model(problem)
    }
}

/// The model.
pub(crate) struct PairModel {
    tokenizer: Tokenizer,
    bert: Bert,
    head: ClassificationHead,
}

impl PairModel {
    /// Reads the model of a folder, which must have one of these counts of outputs. Pickled weights are never read: they can hold
    /// programs.
    pub fn open(folder: &Path, outputs: &[usize]) -> Result<Self, PairModelError> {
        let malformed = |file, detail: String| PairModelError::Malformed { file, detail };
        let config: BertConfig = serde_json::from_slice(&read(folder, CONFIG)?)
            .map_err(|problem| malformed(CONFIG, problem.to_string()))?;
        let mut tokenizer = Tokenizer::from_bytes(read(folder, TOKENIZER)?)
            .map_err(|problem| malformed(TOKENIZER, problem.to_string()))?;
        let truncation = TruncationParams {
            max_length: MAX_TOKENS.min(config.max_position_embeddings),
            strategy: TruncationStrategy::LongestFirst,
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(|problem| malformed(TOKENIZER, problem.to_string()))?
            .with_padding(None);
        let weights = read(folder, WEIGHTS)?;
        let tensors =
            SafeTensors::deserialize(&weights).map_err(|problem| malformed(WEIGHTS, problem.to_string()))?;
        let head = ClassificationHead::load(&tensors, PREFIX, config.hidden_size, outputs)?;
        let bert = Bert::load(&tensors, PREFIX, config, Instructions::best())?;
        Ok(Self { tokenizer, bert, head })
    }

    /// The outputs for the first text with each of the others, in order. A few pairs at a time go to one core.
    pub fn outputs(&self, first: &str, others: &[String]) -> Result<Vec<Vec<f32>>, PairModelError> {
        let read: Vec<Vec<Vec<f32>>> =
            others.par_chunks(GROUP).map(|group| self.group(first, group)).collect::<Result<_, _>>()?;
        Ok(read.into_iter().flatten().collect())
    }

    fn group(&self, first: &str, others: &[String]) -> Result<Vec<Vec<f32>>, PairModelError> {
        let encodings: Vec<Encoding> = others
            .iter()
            .map(|other| self.tokenizer.encode_fast((first, other.as_str()), true))
            .collect::<Result<_, _>>()
            .map_err(|problem| PairModelError::Malformed { file: TOKENIZER, detail: problem.to_string() })?;
        let sequences: Vec<Sequence<'_>> = encodings
            .iter()
            .map(|encoding| Sequence { tokens: encoding.get_ids(), segments: encoding.get_type_ids() })
            .collect();
        let states = self.bert.encode_first(&sequences)?;
        // A sequence has at least its special tokens, and the first of them stands for the whole.
        let first_tokens = states.sequences().filter_map(|mut tokens| tokens.next());
        Ok(first_tokens.map(|first| self.head.outputs(first)).collect())
    }
}

fn read(folder: &Path, file: &str) -> Result<Vec<u8>, PairModelError> {
    let path = folder.join(file);
    fs::read(&path).map_err(|source| PairModelError::File { path, source })
}
