//! Whether the golden set is complete, consistent, and true to the library that it asks about.

use super::library::{LibraryDocument, SampleLibrary, collapse};
use super::query::{Category, Expected, GoldenQuery, Language};
use super::{CATEGORY_MINIMA, GoldenSet};

/// Smallest number of questions.
pub const MINIMUM_QUESTIONS: usize = 100;

/// Smallest share of Dutch questions, in per cent.
pub const MINIMUM_DUTCH_PERCENT: usize = 25;

/// Longest quotation, in words.
pub const QUOTE_WORDS: usize = 25;

/// Questions that must stand in the set word for word.
pub const REQUIRED_QUESTIONS: [&str; 15] = [
    "What is CIMXML?",
    "What is FooBarBaz?",
    "What is CIM?",
    "Define __TEST_SKOSMOS_TIMEOUT__",
    "Define the TLS requirements in ADRs",
    "Define the encryption requirements in ADR-0015",
    "What is decided about TLS versions?",
    "List all principles about security",
    "List all ADRs about authentication",
    "What does ADR-0012 decide?",
    "What are the interoperability principles?",
    "What is the data retention policy?",
    "What does ADR-9999 decide?",
    "How do we ensure grid stability?",
    "Security decisions and principles",
];

/// What kind of defect was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Defect {
    /// Fewer questions than [`MINIMUM_QUESTIONS`].
    TooFewQuestions,
    /// A category below its minimum.
    CategoryBelowMinimum,
    /// Less than [`MINIMUM_DUTCH_PERCENT`] is Dutch.
    TooLittleDutch,
    /// A required question is absent.
    MissingExample,
    /// A Dutch question does not say, or says twice, in which language its evidence is.
    UntaggedDutch,
    /// A document that does not exist.
    UnknownId,
    /// A document that the asker may not see.
    HiddenDocument,
    /// Words that do not stand in the document.
    QuoteNotFound,
    /// A quotation that is empty or longer than [`QUOTE_WORDS`].
    QuoteLength,
    /// A fact that the documents do not support.
    FactNotFound,
    /// A refusal without a reason, with both kinds of reasons, or a reason without a refusal.
    ReasonMismatch,
    /// A refusal that expects documents.
    RefusalWithDocuments,
    /// An answer that expects nothing.
    NothingExpected,
    /// A conversation outside the follow-ups, or a follow-up without one.
    HistoryMismatch,
    /// A bait or near miss that does not say what is right.
    MissingWhy,
}

/// One defect of the set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The question; none when the set as a whole is meant.
    pub id: Option<String>,
    /// Kind of defect.
    pub defect: Defect,
    /// The value that is wrong.
    pub detail: String,
}

/// Checks the set against itself and against the library; an empty list means that nothing is wrong.
#[must_use]
pub fn validate(set: &GoldenSet, library: &SampleLibrary) -> Vec<Finding> {
    let mut findings = whole(set);
    for query in &set.queries {
        let mut check = Check { query, library, findings: &mut findings };
        check.language();
        check.shape();
        check.ids();
        check.quotes();
        check.fact();
    }
    findings
}

fn whole(set: &GoldenSet) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |defect, detail| findings.push(Finding { id: None, defect, detail });
    let counts = set.counts();
    let all = counts.total.all();
    if all < MINIMUM_QUESTIONS {
        add(Defect::TooFewQuestions, format!("{all} of {MINIMUM_QUESTIONS}"));
    }
    if counts.total.dutch * 100 < all * MINIMUM_DUTCH_PERCENT {
        add(Defect::TooLittleDutch, format!("{} of {all}", counts.total.dutch));
    }
    for (category, minimum) in CATEGORY_MINIMA {
        let count = counts.category(category);
        if count < minimum {
            add(Defect::CategoryBelowMinimum, format!("{category}: {count} of {minimum}"));
        }
    }
    for question in REQUIRED_QUESTIONS {
        if !set.queries.iter().any(|query| query.query == question) {
            add(Defect::MissingExample, question.to_owned());
        }
    }
    findings
}

struct Check<'a> {
    query: &'a GoldenQuery,
    library: &'a SampleLibrary,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Check<'a> {
    fn add(&mut self, defect: Defect, detail: impl Into<String>) {
        self.findings.push(Finding { id: Some(self.query.id.clone()), defect, detail: detail.into() });
    }

    fn expected(&self) -> &'a Expected {
        &self.query.expected
    }

    /// The documents that a right answer cites, as far as they exist.
    fn cited(&self) -> Vec<&'a LibraryDocument> {
        let library = self.library;
        self.expected().cited_ids().filter_map(|id| library.documents.get(id)).collect()
    }

    fn language(&mut self) {
        let tags = ["cross_language", "same_language"].map(|tag| self.query.has_tag(tag));
        if self.query.language == Language::Nl && tags[0] == tags[1] {
            self.add(Defect::UntaggedDutch, self.query.query.clone());
        }
    }

    fn shape(&mut self) {
        let expected = self.expected();
        let reasons = expected.right_reasons().count();
        let twice = expected.reason.is_some() && !expected.reasons.is_empty();
        if expected.abstain != (reasons > 0) || twice {
            self.add(Defect::ReasonMismatch, format!("{reasons} reasons"));
        }
        let documents = expected.all_ids().count() > 0;
        if expected.abstain && documents {
            self.add(Defect::RefusalWithDocuments, "");
        }
        let nothing = expected.cited_ids().count() == 0 && expected.rows.is_empty();
        if !expected.abstain && !expected.clarify && nothing {
            self.add(Defect::NothingExpected, "");
        }
        if self.query.history.is_empty() == (self.query.category == Category::FollowUp) {
            self.add(Defect::HistoryMismatch, format!("{} turns", self.query.history.len()));
        }
        let tricky = matches!(self.query.category, Category::Bait | Category::NearMiss);
        if tricky && self.query.why.as_deref().is_none_or(|why| why.trim().is_empty()) {
            self.add(Defect::MissingWhy, self.query.query.clone());
        }
    }

    fn ids(&mut self) {
        for id in self.expected().all_ids() {
            match self.library.documents.get(id) {
                None => self.add(Defect::UnknownId, id),
                Some(document) => {
                    let mut tags = document.access_tags().peekable();
                    let restricted = tags.peek().is_some();
                    if restricted && !tags.any(|tag| self.query.user_tags.iter().any(|own| own == tag)) {
                        self.add(Defect::HiddenDocument, id);
                    }
                }
            }
        }
    }

    fn quotes(&mut self) {
        let expected = self.expected();
        if let Some(text) = &expected.quote {
            self.quote(text, &self.cited());
        }
        for quote in &expected.quotes {
            let library = self.library;
            match library.documents.get(&quote.doc_id) {
                Some(document) if expected.all_ids().any(|id| id == quote.doc_id) => {
                    self.quote(&quote.text, &[document]);
                }
                _ => self.add(Defect::UnknownId, quote.doc_id.clone()),
            }
        }
    }

    fn quote(&mut self, text: &str, documents: &[&LibraryDocument]) {
        let words = text.split_whitespace().count();
        if words == 0 || words > QUOTE_WORDS {
            self.add(Defect::QuoteLength, format!("{words} words: {text}"));
        }
        let text = collapse(text);
        if !documents.iter().any(|document| document.text.contains(&text)) {
            self.add(Defect::QuoteNotFound, text);
        }
    }

    fn fact(&mut self) {
        let Some(fact) = &self.expected().fact else { return };
        if fact.values.is_empty() {
            self.add(Defect::FactNotFound, fact.field.clone());
        }
        for value in &fact.values {
            let found = match fact.field.as_str() {
                "count" => *value == self.expected().rows.len().to_string(),
                "supersedes" | "superseded_by" => {
                    if !self.library.documents.contains_key(value) {
                        self.add(Defect::UnknownId, value.clone());
                    }
                    self.cited().iter().any(|document| refers(document, &fact.field, value))
                }
                field => self.cited().iter().any(|document| {
                    document.front.get(field).is_some_and(|own| own == value)
                        || document.text.contains(&format!("| {value} |"))
                }),
            };
            if !found {
                self.add(Defect::FactNotFound, format!("{}: {value}", fact.field));
            }
        }
    }
}

/// Whether a field such as `superseded_by: ADR.21` of the document names the id `adr-0021`.
fn refers(document: &LibraryDocument, field: &str, id: &str) -> bool {
    let named = document.front.get(field).and_then(|value| value.split_once('.'));
    named.is_some_and(|(kind, number)| format!("{}-{number:0>4}", kind.to_lowercase()) == id.to_lowercase())
}
