use serde::{Deserialize, Serialize};

/// Whom to ask, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RouteTarget {
    /// The topic, or `system` where the admin is asked.
    pub tag: String,
    /// The owner's id.
    pub owner_user_id: Option<String>,
    /// The owner's name, or the admin's.
    pub owner_name: Option<String>,
    /// The owner's address, or the admin's.
    pub owner_email: Option<String>,
    /// Why, in the user's language.
    pub reason: String,
    /// Whether nobody owns the topic and the admin is asked instead.
    pub fallback: bool,
}
