//! Dehyphenation: words that are broken at the end of a line.

use std::collections::BTreeSet;

use super::lines::Line;

/// The words of a document, to tell `risk-⏎based` from `infor-⏎mation`.
pub(super) struct Dehyphenator {
    whole: BTreeSet<String>,
}

impl Dehyphenator {
    pub fn of(pages: &[Vec<Line>]) -> Self {
        let mut whole = BTreeSet::new();
        for line in pages.iter().flatten() {
            let mut words: Vec<&str> = line.text.split_whitespace().collect();
            if line.text.ends_with('-') {
                words.pop();
            }
            whole.extend(
                words.into_iter().map(|word| bare(word).to_lowercase()).filter(|word| !word.is_empty()),
            );
        }
        Self { whole }
    }

    /// Puts a line behind the text of the lines before it.
    pub fn join(&self, text: &mut String, next: &str) {
        if let Some(start) = text.strip_suffix('\u{ad}') {
            text.truncate(start.len());
            text.push_str(next);
            return;
        }
        let broken = text.strip_suffix(['-', '‐']).filter(|start| start.ends_with(char::is_alphabetic));
        let Some(start) = broken.filter(|_| next.starts_with(char::is_lowercase)) else {
            // "2024-⏎01" and "IEC 61850-⏎9" go on without a space too.
            if !text.ends_with('-') || text.ends_with(" -") {
                text.push(' ');
            }
            text.push_str(next);
            return;
        };
        let first = bare(start.split_whitespace().next_back().unwrap_or_default()).to_lowercase();
        let second = bare(next.split_whitespace().next().unwrap_or_default()).to_lowercase();
        // "peer-to-⏎peer" has shown already that it is a compound.
        let compound = first.contains('-')
            || self.whole.contains(&format!("{first}-{second}"))
                && !self.whole.contains(&format!("{first}{second}"));
        if !compound {
            text.truncate(start.len());
        }
        text.push_str(next);
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}
