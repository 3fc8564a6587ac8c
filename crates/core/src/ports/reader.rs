//! Reading a text against a passage.

use async_trait::async_trait;

use super::PortError;
pub use crate::domain::PassageReading;

/// Tells whether a question is answered by a passage, and whether a statement follows from it.
#[async_trait]
pub trait Reader: Send + Sync {
    /// One reading a passage, in order.
    async fn read(&self, text: &str, passages: &[String]) -> Result<Vec<PassageReading>, PortError>;
}
