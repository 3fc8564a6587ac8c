//! The golden set: questions over the sample library with what a right answer to each must hold.
//!
//! The set is `data/evaluation/golden_queries.jsonl`, one JSON object a line. [`GoldenSet::parse`] reads it
//! strictly, and [`validate::validate`] checks it against the library that it asks about.

mod file;
pub mod library;
mod parse;
mod query;
pub mod validate;

use std::collections::BTreeMap;

use sha1::{Digest, Sha1};

pub use file::{GoldenFile, GoldenFileError};
pub use parse::GoldenError;
pub use query::{Category, Expected, Fact, GoldenQuery, Language, Quote, Reason, Role, Route, Turn};

/// How many questions each category must hold at the least.
pub const CATEGORY_MINIMA: [(Category, usize); 12] = [
    (Category::TerminologyHit, 5),
    (Category::TerminologyMiss, 3),
    (Category::TerminologyAmbiguous, 2),
    (Category::TerminologyTimeout, 2),
    (Category::NonTerminologyDefine, 3),
    (Category::NonTerminologyList, 3),
    (Category::AdrRetrieval, 5),
    (Category::PrincipleRetrieval, 3),
    (Category::PolicyRetrieval, 3),
    (Category::EntityNotFound, 3),
    (Category::SemanticSearch, 5),
    (Category::CrossCollection, 3),
];

/// The golden set, in the order of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldenSet {
    /// The questions.
    pub queries: Vec<GoldenQuery>,
}

impl GoldenSet {
    /// Reads the set from its lines; empty lines are skipped.
    ///
    /// # Errors
    ///
    /// The first line that is no JSON object, or the first field that is missing, unknown or of a wrong shape;
    /// an id that is used twice and an empty question count as wrong.
    pub fn parse(text: &str) -> Result<Self, GoldenError> {
        parse::lines(text).map(|queries| Self { queries })
    }

    /// Number of questions by category and language.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut by_category: BTreeMap<Category, Count> = BTreeMap::new();
        let mut total = Count::default();
        for query in &self.queries {
            by_category.entry(query.category).or_default().add(query.language);
            total.add(query.language);
        }
        Counts { by_category, total }
    }
}

/// Number of questions by category and language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Categories that occur.
    pub by_category: BTreeMap<Category, Count>,
    /// All questions.
    pub total: Count,
}

impl Counts {
    /// Number of questions in a category, in both languages.
    #[must_use]
    pub fn category(&self, category: Category) -> usize {
        self.by_category.get(&category).map_or(0, Count::all)
    }
}

/// Number of questions by language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Questions in English.
    pub english: usize,
    /// Questions in Dutch.
    pub dutch: usize,
}

impl Count {
    /// Questions in both languages.
    #[must_use]
    pub fn all(&self) -> usize {
        self.english + self.dutch
    }

    fn add(&mut self, language: Language) {
        match language {
            Language::En => self.english += 1,
            Language::Nl => self.dutch += 1,
        }
    }
}

/// The hash under which git keeps a file with this text, so that a report names exactly the set it was made with.
#[must_use]
pub fn blob_hash(text: &str) -> String {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", text.len()));
    hash.update(text);
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::blob_hash;

    #[test]
    fn the_hash_is_that_of_git() {
        // What `git hash-object` gives for these three files.
        assert_eq!(blob_hash(""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(blob_hash("hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(blob_hash("één\n"), "d51fbb49ca91ca65875d8ad0edcd44dbacfb1c9d");
    }
}
