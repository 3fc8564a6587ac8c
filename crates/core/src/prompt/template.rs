//! A prompt file: its system part and its user part, with values filled in.

use crate::messages::fill;

/// A prompt file: the system prompt under `# system`, the user's turn under `# user`.
pub(super) struct Template(&'static str);

const SYSTEM: &str = "# system\n";
const USER: &str = "\n# user\n";
const NAMES: (&str, &str) = ("{{", "}}");

impl Template {
    pub const fn new(source: &'static str) -> Self {
        Self(source)
    }

    pub fn system(&self, values: &[(&str, &str)]) -> String {
        fill(self.parts().0, NAMES, values)
    }

    pub fn user(&self, values: &[(&str, &str)]) -> String {
        fill(self.parts().1, NAMES, values)
    }

    fn parts(&self) -> (&'static str, &'static str) {
        let (system, user) = self.0.split_once(USER).unwrap_or((self.0, ""));
        (system.trim_start().trim_start_matches(SYSTEM).trim(), user.trim())
    }
}
