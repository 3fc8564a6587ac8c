//! A reader without a model: it says of a text and a passage what it is told.

use std::sync::Arc;

use async_trait::async_trait;
use plumbline_core::ports::{PassageReading, PortError, Reader};

use crate::faults::Faults;

type Verdict = Box<dyn Fn(&str, &str) -> PassageReading + Send + Sync>;

/// Reads as told, from text and passage. `reader.faults.fail(true)` makes it fail.
pub struct FakeReader {
    /// What goes wrong, and how many calls there were.
    pub faults: Faults,
    verdict: Verdict,
}

impl FakeReader {
    /// Reads as told.
    pub fn saying(verdict: impl Fn(&str, &str) -> PassageReading + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { faults: Faults::default(), verdict: Box::new(verdict) })
    }
}

#[async_trait]
impl Reader for FakeReader {
    async fn read(&self, text: &str, passages: &[String]) -> Result<Vec<PassageReading>, PortError> {
        self.faults.pass("reader").await?;
        Ok(passages.iter().map(|passage| (self.verdict)(text, passage)).collect())
    }
}
