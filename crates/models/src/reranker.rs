//! A cross-encoder from a folder of the user's: a BERT that reads question and passage together and gives one number.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::ports::{PortError, Reranker};
use rayon::prelude::*;
use safetensors::SafeTensors;
use thiserror::Error;
use tokenizers::{Encoding, Tokenizer, TruncationParams, TruncationStrategy};

use plumbline_bert::{Bert, BertConfig, BertError, ClassificationHead, Instructions, Sequence};

const WEIGHTS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";
const CONFIG: &str = "config.json";
/// What the encoder's tensors are called under in a classifier's file.
const PREFIX: &str = "bert.";
/// Longer pairs are cut, the longer text first, even where the model has more positions: cost grows with the square.
const MAX_TOKENS: usize = 512;
/// So many pairs are read at a time by one core.
const GROUP: usize = 4;

/// Why a cross-encoder cannot be used. What the encoder says is the text itself, and no source behind it.
#[derive(Debug, Error)]
pub enum CrossEncoderError {
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

impl CrossEncoderError {
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
impl fmt::Display for CrossEncoderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

impl From<BertError> for CrossEncoderError {
    fn from(problem: BertError) -> Self {
        Self::Model(problem)
    }
}

/// A BERT-style cross-encoder. Cheap to clone.
#[derive(Clone)]
pub struct CrossEncoder {
    model: Arc<Model>,
}

struct Model {
    tokenizer: Tokenizer,
    bert: Bert,
    head: ClassificationHead,
}

impl CrossEncoder {
    /// Reads the model of a folder. Pickled weights are never read: they can hold programs.
    pub fn open(folder: &Path) -> Result<Self, CrossEncoderError> {
        let malformed = |file, detail: String| CrossEncoderError::Malformed { file, detail };
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
        let head = ClassificationHead::load(&tensors, PREFIX, config.hidden_size)?;
        let bert = Bert::load(&tensors, PREFIX, config, Instructions::best())?;
        Ok(Self { model: Arc::new(Model { tokenizer, bert, head }) })
    }

    /// One score from 0 to 1 a passage, in order.
    pub fn rerank_blocking(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, CrossEncoderError> {
        let scored: Vec<Vec<f32>> =
            texts.par_chunks(GROUP).map(|group| self.model.scores(query, group)).collect::<Result<_, _>>()?;
        Ok(scored.into_iter().flatten().collect())
    }
}

impl Model {
    fn scores(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, CrossEncoderError> {
        let encodings: Vec<Encoding> = texts
            .iter()
            .map(|text| self.tokenizer.encode_fast((query, text.as_str()), true))
            .collect::<Result<_, _>>()
            .map_err(|problem| CrossEncoderError::Malformed {
                file: TOKENIZER,
                detail: problem.to_string(),
            })?;
        let sequences: Vec<Sequence<'_>> = encodings
            .iter()
            .map(|encoding| Sequence { tokens: encoding.get_ids(), segments: encoding.get_type_ids() })
            .collect();
        let states = self.bert.encode(&sequences)?;
        // A sequence has at least its special tokens, and the first of them stands for the whole.
        Ok(states
            .sequences()
            .filter_map(|mut tokens| tokens.next())
            .map(|first| self.head.score(first))
            .collect())
    }
}

#[async_trait]
impl Reranker for CrossEncoder {
    async fn rerank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, PortError> {
        let failed = |detail: Detail| PortError::Failed { service: "reranker", detail };
        let (encoder, query, texts) = (self.clone(), query.to_owned(), texts.to_vec());
        tokio::task::spawn_blocking(move || encoder.rerank_blocking(&query, &texts))
            .await
            .map_err(|stopped| failed(stopped.to_string().into()))?
            .map_err(|problem| failed(problem.detail()))
    }
}

fn read(folder: &Path, file: &str) -> Result<Vec<u8>, CrossEncoderError> {
    let path = folder.join(file);
    fs::read(&path).map_err(|source| CrossEncoderError::File { path, source })
}
