//! The reader: a cross-encoder of our own that says of a question whether a passage answers it, and of a statement whether it follows
//! from a passage or is contradicted there. English, Dutch and across them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use plumbline_core::detail::Detail;
use plumbline_core::ports::{PassageReading, PortError, Reader};
use sha2::{Digest, Sha256};

use crate::embedder::hexadecimal;
use crate::pair_model::{CONFIG, PairModel, PairModelError, TOKENIZER, WEIGHTS};

/// Answers; follows, is not said, is contradicted.
const OUTPUTS: usize = 4;
/// So much of the weights' end tells one training from another: every number of it changes.
const TELLING_BYTES: u64 = 64 * 1024;

/// The reader of a folder. Cheap to open and to clone; the weights are read at the first text.
#[derive(Clone)]
pub struct FolderReader {
    shared: Arc<Shared>,
}

struct Shared {
    folder: PathBuf,
    model: OnceLock<PairModel>,
    loading: Mutex<()>,
}

impl FolderReader {
    /// Finds the model's files; nothing large is read yet.
    pub fn open(folder: &Path) -> Result<Self, PairModelError> {
        for file in [WEIGHTS, TOKENIZER, CONFIG] {
            let path = folder.join(file);
            std::fs::metadata(&path).map_err(|source| PairModelError::File { path, source })?;
        }
        let shared = Shared { folder: folder.to_owned(), model: OnceLock::new(), loading: Mutex::new(()) };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Names the weights by their end, without reading all of them: what two readers said must not be mixed.
    pub fn fingerprint(&self) -> io::Result<String> {
        let mut file = File::open(self.shared.folder.join(WEIGHTS))?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TELLING_BYTES)))?;
        let mut end = length.to_le_bytes().to_vec();
        file.read_to_end(&mut end)?;
        Ok(hexadecimal(&Sha256::digest(&end)))
    }

    /// One reading a passage, in order.
    pub fn read_blocking(
        &self,
        text: &str,
        passages: &[String],
    ) -> Result<Vec<PassageReading>, PairModelError> {
        let outputs = self.shared.model()?.outputs(text, passages)?;
        Ok(outputs.iter().map(|outputs| reading(outputs)).collect())
    }
}

impl Shared {
    fn model(&self) -> Result<&PairModel, PairModelError> {
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = self.model.get() {
            return Ok(model);
        }
        let model = PairModel::open(&self.folder, &[OUTPUTS])?;
        Ok(self.model.get_or_init(|| model))
    }
}

fn reading(outputs: &[f32]) -> PassageReading {
    let [answers, of_statement @ ..] = outputs else { return PassageReading::default() };
    let highest = of_statement.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = of_statement.iter().map(|output| (output - highest).exp()).collect();
    let share = |at: usize| weights.get(at).copied().unwrap_or_default() / weights.iter().sum::<f32>();
    PassageReading { answers: *answers, follows: share(0), contradicts: share(2) }
}

#[async_trait]
impl Reader for FolderReader {
    async fn read(&self, text: &str, passages: &[String]) -> Result<Vec<PassageReading>, PortError> {
        let failed = |detail: Detail| PortError::Failed { service: "reader", detail };
        let (reader, text, passages) = (self.clone(), text.to_owned(), passages.to_vec());
        tokio::task::spawn_blocking(move || reader.read_blocking(&text, &passages))
            .await
            .map_err(|stopped| failed(stopped.to_string().into()))?
            .map_err(|problem| failed(problem.detail()))
    }
}
