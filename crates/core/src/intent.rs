//! What a question asks for: the meaning of a term, a list, a field of a record, a record, or what the documents say.
//!
//! Everything that depends on a language stands in `assets/languages/<code>/intent.toml`; the code here only knows in
//! which order to ask. A follow-up is completed from the conversation first. Then: greeting, field of one record,
//! record, list, meaning, fragment, and whatever is left is a question to the documents.

mod facts;
mod folded;
mod follow_up;
mod list;
mod pack;
mod question;
mod reference;
mod terminology;

use std::collections::BTreeSet;

pub use list::ListQuery;
pub use reference::{Reference, references};

use self::pack::Pack;
use self::question::Question;
use self::reference::distinct;
use self::terminology::Terminology;
use crate::domain::{Kind, Language};
use crate::numbers::numbers;
use crate::ports::FactField;
use crate::request::ChatMessage;
use crate::text::{WordList, detect_or, fold};

/// Where a question goes.
#[derive(Debug, Clone, PartialEq)]
pub enum IntentKind {
    /// To the vocabulary.
    Terminology {
        /// The term, in lowercase.
        term: String,
    },
    /// To the catalogue, for a list.
    List(ListQuery),
    /// To the catalogue, for a field of one record.
    Fact {
        /// The record.
        reference: Reference,
        /// The field.
        field: FactField,
    },
    /// To the documents it names.
    Entity {
        /// Every document it names, once.
        references: Vec<Reference>,
    },
    /// To the documents.
    Semantic,
    /// A greeting or thanks.
    Greeting,
    /// It can be read in several ways.
    Unclear {
        /// The readings, likeliest first.
        readings: Vec<Reading>,
    },
}

/// One way to read an unclear question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Look the term up in the vocabulary.
    Define {
        /// The term, in lowercase.
        term: String,
    },
    /// Search the documents.
    SearchDocuments,
    /// Open a document.
    Document {
        /// Which one.
        reference: Reference,
    },
}

/// What sort of question it is, for the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QueryClass {
    /// Asks for facts in the documents.
    Factual,
    /// Asks how to do something.
    Procedural,
    /// Follows up on what was said before.
    Clarification,
    /// Is social.
    Greeting,
}

impl QueryClass {
    /// The name in logs and responses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Factual => "factual",
            Self::Procedural => "procedural",
            Self::Clarification => "clarification",
            Self::Greeting => "greeting",
        }
    }
}

/// What a question asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Intent {
    /// Where it goes.
    pub kind: IntentKind,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
    /// What sort of question it is.
    pub class: QueryClass,
    /// The language it is asked in.
    pub language: Language,
    /// The question, completed from the conversation where it is a follow-up, and as typed where it is not.
    pub query: String,
    /// Whether it was completed.
    pub resolved_follow_up: bool,
    /// Every document it names, once.
    pub references: Vec<Reference>,
    /// The kinds of document it names.
    pub named_kinds: Vec<Kind>,
    /// A term that may be looked up as well, where a question looks like one for a meaning but asks the documents.
    pub vocabulary_offer: Option<String>,
}

/// A policy that a question names by its subject, as in "the data retention policy". Whether there is one is for the
/// catalogue to say.
pub fn policy_named(query: &str, language: Language) -> Option<Reference> {
    let question = Question::read_complete(query, language);
    facts::policy_in(&question, Pack::by_preference(language)).map(|(_, reference)| reference)
}

/// The term whose meaning a question asks for: IR3's exclusions and those beyond them first, then IR3's patterns and
/// their counterparts in other languages.
pub fn is_terminology_query(query: &str) -> Option<String> {
    let text = fold(query);
    let packs = Pack::by_preference(detect_or(&text, Language::default()));
    match terminology::terminology(&text, packs) {
        Terminology::Term(term) => Some(term),
        Terminology::Offer(_) | Terminology::None => None,
    }
}

/// Decides what a question asks for; `expected` is its language where its words do not tell.
pub fn classify(query: &str, history: &[ChatMessage], expected: Language) -> Intent {
    let language = detect_or(query, expected);
    let asked = Question::read(query, language).words();
    if Pack::all().any(|pack| pack.is_greeting(&asked)) {
        return Intent {
            kind: IntentKind::Greeting,
            confidence: numbers().intent.explicit,
            class: QueryClass::Greeting,
            language,
            query: query.to_owned(),
            resolved_follow_up: false,
            references: Vec::new(),
            named_kinds: Vec::new(),
            vocabulary_offer: None,
        };
    }
    let resolved = follow_up::resolve(query, history, language);
    let resolved_follow_up = resolved.is_some();
    let (query, references) = match resolved {
        Some(resolved) => (resolved.query, resolved.references),
        None => (query.to_owned(), distinct(references(query))),
    };
    let question = Question::read_complete(&query, language);
    let named_kinds = named_kinds(question.text());
    let asked = Asked { question: &question, references: &references, named_kinds: &named_kinds, language };
    let (kind, confidence, vocabulary_offer) = asked.route(!history.is_empty());
    let references = match &kind {
        IntentKind::Fact { reference, .. } => vec![reference.clone()],
        _ => references.clone(),
    };
    let class = if resolved_follow_up {
        QueryClass::Clarification
    } else if Pack::all().any(|pack| pack.procedural.is_match(question.text())) {
        QueryClass::Procedural
    } else {
        QueryClass::Factual
    };
    Intent {
        kind,
        confidence,
        class,
        language,
        resolved_follow_up,
        named_kinds,
        vocabulary_offer,
        references,
        query,
    }
}

struct Asked<'q> {
    question: &'q Question<'q>,
    references: &'q [Reference],
    named_kinds: &'q [Kind],
    language: Language,
}

impl Asked<'_> {
    fn route(&self, in_conversation: bool) -> (IntentKind, f32, Option<String>) {
        let packs = Pack::by_preference(self.language);
        if let Some((reference, field)) = facts::fact(self.question, packs.clone(), self.references) {
            return (IntentKind::Fact { reference, field }, numbers().intent.catalogue, None);
        }
        if !self.references.is_empty() {
            return (
                IntentKind::Entity { references: self.references.to_vec() },
                numbers().intent.explicit,
                None,
            );
        }
        if let Some(query) = list::list(self.question, packs.clone()) {
            return (IntentKind::List(query), numbers().intent.catalogue, None);
        }
        let offer = match terminology::terminology(self.question.text(), packs) {
            Terminology::Term(term) => {
                return (IntentKind::Terminology { term }, numbers().intent.explicit, None);
            }
            Terminology::Offer(term) => term,
            Terminology::None => None,
        };
        match self.fragment() {
            Some(_) if in_conversation => (IntentKind::Semantic, numbers().intent.fragment_in_context, offer),
            // "Security principles" asks the principles; "policy" alone asks nothing yet.
            Some(readings) if self.named_kinds.is_empty() || self.question.parts().len() == 1 => {
                (IntentKind::Unclear { readings }, numbers().intent.fragment, offer)
            }
            Some(_) => (IntentKind::Semantic, numbers().intent.fragment_in_context, offer),
            None => (IntentKind::Semantic, numbers().intent.question, offer),
        }
    }

    /// What a few words without a verb can mean.
    fn fragment(&self) -> Option<Vec<Reading>> {
        let parts = self.question.parts();
        let words = self.question.words();
        let asks = |word: &str| {
            Pack::all().any(|pack| {
                pack.verbs.iter().any(|verb| verb == word)
                    || WordList::of(pack.language).question.contains(word)
            })
        };
        if !(1..=numbers().intent.fragment_words).contains(&parts.len()) || words.split(' ').any(asks) {
            return None;
        }
        if let [part] = parts[..]
            && let Some(mut documents) = numbered(part)
        {
            documents.push(Reading::SearchDocuments);
            return Some(documents);
        }
        let term = terminology::term(self.question.text());
        let define = (!term.is_empty()).then_some(Reading::Define { term });
        Some(define.into_iter().chain([Reading::SearchDocuments]).collect())
    }
}

/// The documents that a bare number may mean.
fn numbered(part: &str) -> Option<Vec<Reading>> {
    let digits = part.trim_start_matches('#');
    let (digits, kinds): (_, &[Kind]) = match digits.strip_suffix('d') {
        Some(digits) => (digits, &[Kind::Dar]),
        None => (digits, &[Kind::Adr, Kind::Principle]),
    };
    let plain = (1..=numbers().intent.number_digits).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain)?;
    let document = |kind: &Kind| Reading::Document { reference: Reference::numbered(*kind, number, part) };
    Some(kinds.iter().map(document).collect())
}

/// The kinds that a text names besides the documents it refers to.
fn named_kinds(text: &str) -> Vec<Kind> {
    let mut rest = text.to_owned();
    for (range, _) in references(text).into_iter().rev() {
        rest.replace_range(range, "");
    }
    Pack::all().flat_map(|pack| pack.kinds_in(&rest)).collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests;
