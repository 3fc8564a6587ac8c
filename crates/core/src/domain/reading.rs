//! What comes of reading a text against a passage.

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
