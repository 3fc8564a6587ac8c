//! Reading a text against a passage.

use async_trait::async_trait;

use super::PortError;

/// What a reader makes of a text and a passage.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PassageReading {
    /// Of a question: the log-odds that the passage answers it.
    pub answers: f32,
    /// Of a statement: how sure it is that it follows, 0 to 1.
    pub follows: f32,
    /// Of a statement: how sure it is that the passage says otherwise, 0 to 1.
    pub contradicts: f32,
}

/// Tells whether a question is answered by a passage, and whether a statement follows from it.
#[async_trait]
pub trait Reader: Send + Sync {
    /// One reading a passage, in order.
    async fn read(&self, text: &str, passages: &[String]) -> Result<Vec<PassageReading>, PortError>;
}
