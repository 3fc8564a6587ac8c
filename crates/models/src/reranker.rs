//! A cross-encoder from a folder of the user's: a BERT that reads question and passage together and gives one number.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use plumbline_core::detail::Detail;
use plumbline_core::ports::{PortError, Reranker};

use crate::pair_model::{PairModel, PairModelError};

/// One output, or the second of two against the first.
const OUTPUTS: [usize; 2] = [1, 2];

/// A BERT-style cross-encoder. Cheap to clone.
#[derive(Clone)]
pub struct CrossEncoder {
    model: Arc<PairModel>,
}

impl CrossEncoder {
    /// Reads the model of a folder.
    pub fn open(folder: &Path) -> Result<Self, PairModelError> {
        Ok(Self { model: Arc::new(PairModel::open(folder, &OUTPUTS)?) })
    }

    /// One score from 0 to 1 a passage, in order.
    pub fn rerank_blocking(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, PairModelError> {
        Ok(self.model.outputs(query, texts)?.iter().map(|outputs| sureness(outputs)).collect())
    }
}

fn sureness(outputs: &[f32]) -> f32 {
    let sure = match outputs {
        [no, yes] => yes - no,
        [one] => *one,
        _ => 0.0,
    };
    1.0 / (1.0 + (-sure).exp())
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
