use async_trait::async_trait;
use jiff::civil::Date;

use super::{PortError, Scope};
use crate::domain::Opposition;

/// Statements in force that oppose each other.
#[async_trait]
pub trait Contradictions: Send + Sync {
    /// Those among what a user may see that nobody has marked.
    async fn open(&self, scope: &Scope, today: Date) -> Result<Vec<Opposition>, PortError>;
}
