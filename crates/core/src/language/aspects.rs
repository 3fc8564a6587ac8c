//! The parts of a record that questions ask for: `aspects.toml`.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    aspect: Vec<AspectSource>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AspectSource {
    name: String,
    words: Vec<String>,
    sections: Vec<String>,
    wished: Vec<String>,
}

/// How a language asks for a part of a record, and what the part is headed by.
pub(crate) struct AspectWords {
    /// The name that the aspect has in every language.
    pub name: String,
    pub stems: Vec<String>,
    pub written: Vec<String>,
    /// Beginnings of headings.
    pub sections: Vec<String>,
    /// Beginnings of headings that readers wish for and that no document has, or not in this sense.
    pub wished: Vec<String>,
}

impl Source {
    pub fn read(self, stem: impl Fn(&str) -> String) -> Vec<AspectWords> {
        let words = |aspect: AspectSource| AspectWords {
            stems: aspect.words.iter().map(|word| stem(word)).collect(),
            name: aspect.name,
            written: aspect.words,
            sections: aspect.sections,
            wished: aspect.wished,
        };
        self.aspect.into_iter().map(words).collect()
    }
}
