//! The built-in embedder: English and Dutch, no server, the model's files from a folder.

mod files;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use plumbline_core::detail::Detail;
use plumbline_core::domain::{CosineScale, EmbedderFamily};
use plumbline_core::messages::Message;
use plumbline_core::ports::{Embedder, PortError};
use rayon::prelude::*;
use safetensors::SafeTensors;
use thiserror::Error;
use tokenizers::{Tokenizer, TruncationParams};

pub(crate) use files::hexadecimal;
pub use files::{Edition, FIRST, SECOND};
use files::{ModelFile, Pooling};
use plumbline_bert::{Bert, BertError, Instructions, Sequence};

/// Longer texts are cut after this many tokens, special ones included, as the model was trained.
const MAX_TOKENS: usize = 256;
const DIMENSIONS: usize = 384;
/// Texts are worked through in groups of about this size, some 256 tokens, each on one core: enough that reading the weights
/// costs little, and small enough that the intermediate numbers stay in the core's own cache.
const GROUP_BYTES: usize = 1_200;
/// So many texts of a long batch are embedded between two points at which the batch can be dropped or another text taken.
const PIECE_TEXTS: usize = 64;

/// Why a text could not be embedded.
#[derive(Debug, Error)]
pub enum EmbedderError {
    Missing { file: &'static str, folder: PathBuf },
    Unreadable { path: PathBuf, source: io::Error },
    Altered { path: PathBuf, expected: &'static str, found: String },
    Malformed { file: &'static str, detail: String },
    Tokens { detail: String },
    Encoding(#[from] BertError),
}

impl EmbedderError {
    /// What is wrong and what to do, as it is told in any language; what a system or a parser said stays as it is.
    pub fn detail(&self) -> Detail {
        let shown = |path: &Path| Detail::from(path.display().to_string());
        let said = |problem: &dyn fmt::Display| ("detail", Detail::from(problem.to_string()));
        match self {
            Self::Missing { file, folder } => Detail::of(
                Message::ModelEmbedderMissing,
                [("file", (*file).into()), ("folder", shown(folder))],
            ),
            Self::Unreadable { path, source } => {
                Detail::of(Message::ModelEmbedderUnreadable, [("path", shown(path)), said(source)])
            }
            Self::Altered { path, expected, found } => Detail::of(
                Message::ModelEmbedderAltered,
                [("path", shown(path)), ("expected", (*expected).into()), ("found", found.as_str().into())],
            ),
            Self::Malformed { file, detail } => {
                Detail::of(Message::ModelEmbedderMalformed, [("file", (*file).into()), said(detail)])
            }
            Self::Tokens { detail } => Detail::of(Message::ModelEmbedderTokens, [said(detail)]),
            Self::Encoding(problem) => Detail::of(Message::ModelEmbedderEncoding, [said(problem)]),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for EmbedderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// The built-in embedder. Cheap to open and to clone; the weights are read at the first text.
#[derive(Clone)]
pub struct BuiltInEmbedder {
    shared: Arc<Shared>,
}

struct Shared {
    edition: &'static Edition,
    fingerprint: String,
    folder: PathBuf,
    instructions: Instructions,
    model: OnceLock<Model>,
    loading: Mutex<()>,
}

struct Model {
    pooling: Pooling,
    tokenizer: Tokenizer,
    bert: Bert,
}

impl BuiltInEmbedder {
    /// Finds the files of an edition in `folder`; nothing large is read yet.
    pub fn open(edition: &'static Edition, folder: &Path) -> Result<Self, EmbedderError> {
        Self::open_with(edition, folder, Instructions::best())
    }

    /// Like [`Self::open`], with a set of vector instructions other than the fastest; for tests and benches.
    pub fn open_with(
        edition: &'static Edition,
        folder: &Path,
        instructions: Instructions,
    ) -> Result<Self, EmbedderError> {
        for file in edition.files() {
            file.must_exist_in(folder)?;
        }
        let shared = Shared {
            edition,
            fingerprint: edition.fingerprint(),
            folder: folder.to_owned(),
            instructions,
            model: OnceLock::new(),
            loading: Mutex::new(()),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Names what decides the vectors; vectors with different fingerprints must not be compared.
    pub fn fingerprint(&self) -> &str {
        &self.shared.fingerprint
    }

    /// Which edition it is.
    pub fn edition(&self) -> &'static Edition {
        self.shared.edition
    }

    /// The length of every vector.
    pub fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    /// One vector a text, in order, L2-normalised. A batch uses all cores; a few short texts use the calling thread only, so
    /// that they need not wait for a batch to give up its cores.
    pub fn embed_blocking(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedderError> {
        let model = self.shared.model()?;
        let groups = groups(texts);
        let vectors: Vec<Vec<Vec<f32>>> = if groups.len() < 2 {
            groups.into_iter().map(|group| model.embed(group)).collect::<Result<_, _>>()?
        } else {
            groups.into_par_iter().map(|group| model.embed(group)).collect::<Result<_, _>>()?
        };
        Ok(vectors.into_iter().flatten().collect())
    }
}

impl fmt::Debug for BuiltInEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BuiltInEmbedder").field("folder", &self.shared.folder).finish_non_exhaustive()
    }
}

#[async_trait]
impl Embedder for BuiltInEmbedder {
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, PortError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for piece in texts.chunks(PIECE_TEXTS) {
            let (embedder, piece) = (self.clone(), piece.to_vec());
            let embedded = tokio::task::spawn_blocking(move || embedder.embed_blocking(&piece))
                .await
                .map_err(|stopped| failed(stopped.to_string()))?
                .map_err(|error| failed(error.detail()))?;
            vectors.extend(embedded);
        }
        Ok(vectors)
    }

    async fn prepare(&self) -> Result<(), PortError> {
        if self.shared.model.get().is_some() {
            return Ok(());
        }
        let embedder = self.clone();
        tokio::task::spawn_blocking(move || embedder.shared.model().map(|_| ()))
            .await
            .map_err(|stopped| failed(stopped.to_string()))?
            .map_err(|error| failed(error.detail()))
    }

    fn family(&self) -> EmbedderFamily {
        EmbedderFamily::Local
    }

    fn scale(&self) -> CosineScale {
        self.shared.edition.scale
    }
}

fn failed(detail: impl Into<Detail>) -> PortError {
    PortError::Failed { service: "embedding", detail: detail.into() }
}

impl Shared {
    /// The model, read at the first call. A failure is not kept: once the files are restored, the next call works.
    fn model(&self) -> Result<&Model, EmbedderError> {
        if let Some(model) = self.model.get() {
            return Ok(model);
        }
        let _one_at_a_time = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = self.model.get() {
            return Ok(model);
        }
        let model = Model::read(self.edition, &self.folder, self.instructions)?;
        Ok(self.model.get_or_init(|| model))
    }
}

impl Model {
    fn read(edition: &Edition, folder: &Path, instructions: Instructions) -> Result<Self, EmbedderError> {
        let malformed =
            |file: ModelFile, detail: String| EmbedderError::Malformed { file: file.name, detail };
        let mut tokenizer = Tokenizer::from_bytes(edition.tokenizer.read_from(folder)?)
            .map_err(|error| malformed(edition.tokenizer, error.to_string()))?;
        let truncation = TruncationParams { max_length: MAX_TOKENS, ..TruncationParams::default() };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(|error| malformed(edition.tokenizer, error.to_string()))?
            .with_padding(None);
        let config = serde_json::from_slice(&edition.config.read_from(folder)?)
            .map_err(|error| malformed(edition.config, error.to_string()))?;
        let weights = edition.weights.read_from(folder)?;
        let tensors = SafeTensors::deserialize(&weights)
            .map_err(|error| malformed(edition.weights, error.to_string()))?;
        let bert = Bert::load(&tensors, "", config, instructions)
            .map_err(|error| malformed(edition.weights, error.to_string()))?;
        Ok(Self { pooling: edition.pooling, tokenizer, bert })
    }

    fn embed(&self, group: &[String]) -> Result<Vec<Vec<f32>>, EmbedderError> {
        let encodings = group
            .iter()
            .map(|text| self.tokenizer.encode_fast(text.as_str(), true))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| EmbedderError::Tokens { detail: error.to_string() })?;
        let sequences: Vec<Sequence<'_>> = encodings
            .iter()
            .map(|encoding| Sequence { tokens: encoding.get_ids(), segments: encoding.get_type_ids() })
            .collect();
        let states = match self.pooling {
            Pooling::Mean => self.bert.encode(&sequences)?,
            Pooling::First => self.bert.encode_first(&sequences)?,
        };
        Ok(states.sequences().map(sum_of_length_one).collect())
    }
}

/// Cuts a batch into runs of texts that together have about [`GROUP_BYTES`].
fn groups(texts: &[String]) -> Vec<&[String]> {
    // A text counts for no more than a group: what is longer is cut by the tokenizer.
    let size = |text: &String| text.len().min(GROUP_BYTES);
    let mut gathered = 0;
    texts
        .chunk_by(|text, next| {
            gathered += size(text);
            let together = gathered + size(next) <= GROUP_BYTES;
            if !together {
                gathered = 0;
            }
            together
        })
        .collect()
}

/// The sum of these states, scaled to length one: the direction of their mean.
fn sum_of_length_one<'a>(states: impl Iterator<Item = &'a [f32]>) -> Vec<f32> {
    let mut sum = vec![0.0; DIMENSIONS];
    for state in states {
        for (sum, number) in sum.iter_mut().zip(state) {
            *sum += number;
        }
    }
    let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt();
    // The least length keeps a sum of zeros from becoming no number.
    sum.iter_mut().for_each(|number| *number /= length.max(f32::MIN_POSITIVE));
    sum
}
