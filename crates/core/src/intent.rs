//! What a question asks for: the meaning of a term, a list, a field of a record, a record, or what the documents say.
//!
//! Everything that depends on a language stands in `assets/languages/<code>/intent.toml`; the code here only knows in
//! which order to ask. A follow-up is completed from the conversation first. Then: the assistant itself, a draft, field of one
//! record, what records say of one another, record, list, meaning, fragment, and whatever is left is a question to the documents.

mod about;
mod dated;
mod described;
mod draft;
mod fact_wording;
mod facts;
mod folded;
mod follow_up;
mod form;
mod graph;
mod headings;
mod identifier;
mod learned;
mod list;
mod parts;
mod period;
mod prepared;
mod quantity;
mod question;
mod reference;
mod terminology;
mod terms;
mod wish;

use std::collections::BTreeSet;

pub use crate::domain::Reference;
pub use facts::FactQuery;
pub use form::Form;
pub use graph::GraphQuery;
pub use list::{ListIfKnown, ListOrder, ListQuery, ListShape};
pub use parts::parts;
pub use quantity::Quantity;
pub use question::Question;
pub use reference::{bare_number, references, references_in_documents};
pub(crate) use terminology::term;
pub use terminology::term_readings;
pub use wish::{Shape, Wish};

use self::prepared::Prepared;
use self::terminology::Terminology;
use crate::domain::{About, Kind, Language};
use crate::language::Pack;
use crate::numbers::numbers;
use crate::text::{detect_or, fold};

/// Where a question goes.
#[derive(Debug, Clone, PartialEq)]
pub enum IntentKind {
    /// To the vocabulary.
    Terminology {
        /// The term, in lowercase.
        term: String,
    },
    /// To the vocabulary, for all terms about something.
    Terms {
        /// The topic, as typed.
        topic: String,
    },
    /// To the catalogue, for a list.
    List(ListQuery),
    /// To the catalogue, for fields of records.
    Fact(FactQuery),
    /// To the graph of what records say of one another.
    Graph(GraphQuery),
    /// For a draft of a record.
    Draft {
        /// What it is to be about.
        topic: String,
    },
    /// To the documents it names.
    Entity {
        /// Every document it names, once.
        references: Vec<Reference>,
    },
    /// To the documents.
    Semantic,
    /// To the assistant itself: it is answered from what that knows of itself and its library.
    About {
        /// What is asked, each once.
        what: Vec<About>,
    },
    /// It can be read in several ways.
    Unclear {
        /// The interpretations, likeliest first.
        interpretations: Vec<Interpretation>,
    },
}

/// One way to read an unclear question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interpretation {
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
    /// The question.
    pub question: Question,
    /// Where it goes.
    pub kind: IntentKind,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
    /// What sort of question it is.
    pub class: QueryClass,
    /// A term that may be looked up as well, where a question looks like one for a meaning but asks the documents.
    pub vocabulary_offer: Option<String>,
    /// Fields that it asks for, if what else it says is the name of a record: the catalogue knows.
    pub fact_if_named: Option<FactQuery>,
    /// The field that it asks for of a record that it names by no number, told by nothing but how it is worded.
    pub fact_if_worded: Option<FactQuery>,
    /// The list that it asks for, if what it calls the documents is the name of a folder: the catalogue knows.
    pub list_if_folder: Option<ListQuery>,
    /// The list that it asks for, if the catalogue knows the words that were not understood.
    pub list_if_known: Option<ListIfKnown>,
    /// The list that it asks for, told by nothing but how it is worded.
    pub list_if_worded: Option<ListIfKnown>,
    /// The term that it asks for, if the vocabulary knows what is left without the words that only ask.
    pub term_if_known: Option<String>,
    /// Two terms that the question sets against each other.
    pub compared: Option<[String; 2]>,
}

impl Intent {
    /// The documents it is about: those that the question names, or those whose fields it asks for.
    pub fn references(&self) -> &[Reference] {
        match &self.kind {
            IntentKind::Fact(query) => &query.references,
            _ => &self.question.references,
        }
    }

    /// The name of where it goes, in metrics and the audit record.
    pub const fn name(&self) -> &'static str {
        match self.kind {
            IntentKind::Terminology { .. } => "terminology",
            IntentKind::Terms { .. } => "terms",
            IntentKind::List(_) => "list",
            IntentKind::Fact(_) => "fact",
            IntentKind::Graph(_) => "graph",
            IntentKind::Draft { .. } => "draft",
            IntentKind::Entity { .. } => "entity",
            IntentKind::Semantic => "semantic",
            IntentKind::About { .. } => "about",
            IntentKind::Unclear { .. } => "unclear",
        }
    }
}

/// A policy that a question names by its subject, as in "the data retention policy". Whether there is one is for the
/// catalogue to say.
pub fn policy_named(question: &Question) -> Option<Reference> {
    facts::policy_in(&question.prepared, Pack::by_preference(question.language))
        .map(|(_, reference)| reference)
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

/// Decides what a question asks for; in a conversation, a few words can be placed.
pub fn classify(mut question: Question, in_conversation: bool) -> Intent {
    if let Some(asked) = question.about.take() {
        let what = asked.what;
        if !question.language_is_known {
            question.language = asked.language;
        }
        let social = what.iter().all(|what| matches!(what, About::Greeting | About::Thanks));
        return Intent {
            question,
            kind: IntentKind::About { what },
            confidence: numbers().intent.explicit,
            class: if social { QueryClass::Greeting } else { QueryClass::Factual },
            vocabulary_offer: None,
            fact_if_named: None,
            fact_if_worded: None,
            list_if_folder: None,
            list_if_known: None,
            list_if_worded: None,
            term_if_known: None,
            compared: None,
        };
    }
    let prepared = &question.prepared;
    let (kind, confidence, vocabulary_offer) = route(&question, in_conversation);
    let packs = Pack::by_preference(question.language);
    let fact_if_named = match kind {
        IntentKind::Fact(_) | IntentKind::List(_) | IntentKind::Graph(_) | IntentKind::Draft { .. } => None,
        _ => facts::fact_if_named(prepared, packs, &question.references),
    };
    let fact_if_worded = match kind {
        IntentKind::Semantic | IntentKind::Unclear { .. } => fact_wording::fact_if_worded(&question),
        _ => None,
    };
    let list_if_folder = match kind {
        IntentKind::Semantic | IntentKind::Unclear { .. } | IntentKind::Terminology { .. } => {
            list::list_if_folder(prepared, Pack::by_preference(question.language))
        }
        _ => None,
    };
    let list_if_known = match kind {
        IntentKind::Semantic | IntentKind::Unclear { .. } => {
            list::list_if_known(prepared, Pack::by_preference(question.language))
        }
        _ => None,
    };
    let list_if_worded = match kind {
        IntentKind::Semantic | IntentKind::Unclear { .. }
            if question.form.list >= numbers().intent.list_likely =>
        {
            list::list_if_worded(prepared, question.language.pack())
        }
        _ => None,
    };
    let term_if_known = match kind {
        IntentKind::Semantic | IntentKind::Unclear { .. } | IntentKind::Terminology { .. }
            if !in_conversation =>
        {
            terms::term_if_known(prepared)
        }
        _ => None,
    };
    let class = if question.completed {
        QueryClass::Clarification
    } else if Pack::all().any(|pack| pack.intent.procedural.is_match(prepared.text())) {
        QueryClass::Procedural
    } else {
        QueryClass::Factual
    };
    let compared = match kind {
        IntentKind::Semantic | IntentKind::Unclear { .. } => {
            terminology::compared(prepared.text(), Pack::by_preference(question.language))
        }
        _ => None,
    };
    Intent {
        kind,
        confidence,
        class,
        vocabulary_offer,
        fact_if_named,
        fact_if_worded,
        list_if_folder,
        list_if_known,
        list_if_worded,
        term_if_known,
        compared,
        question,
    }
}

/// The order in which the ways to read a question are tried.
fn route(question: &Question, in_conversation: bool) -> (IntentKind, f32, Option<String>) {
    let packs = Pack::by_preference(question.language);
    let references = &question.references;
    if let Some(topic) = draft::draft(&question.prepared, packs.clone()) {
        return (IntentKind::Draft { topic }, numbers().intent.explicit, None);
    }
    if let Some(topic) = terms::listed(&question.prepared, packs.clone()) {
        return (IntentKind::Terms { topic }, numbers().intent.catalogue, None);
    }
    if let Some(query) = list::list_of_range(&question.prepared, packs.clone()) {
        return (IntentKind::List(query), numbers().intent.catalogue, None);
    }
    if let Some(query) = facts::fact(&question.prepared, packs.clone(), references) {
        return (IntentKind::Fact(query), numbers().intent.catalogue, None);
    }
    let related = graph::graph(&question.prepared, packs.clone(), references);
    if let Some(query) = related.or_else(|| graph::worded(question)) {
        return (IntentKind::Graph(query), numbers().intent.catalogue, None);
    }
    if !references.is_empty()
        && let Some(query) = fact_wording::fact_if_worded(question)
    {
        return (IntentKind::Fact(query), numbers().intent.catalogue, None);
    }
    if !references.is_empty() {
        return (IntentKind::Entity { references: references.clone() }, numbers().intent.explicit, None);
    }
    if let Some(query) = list::list(&question.prepared, packs.clone()) {
        return (IntentKind::List(query), numbers().intent.catalogue, None);
    }
    let offer = match terminology::terminology(question.prepared.text(), packs) {
        Terminology::Term(term) => {
            return (IntentKind::Terminology { term }, numbers().intent.explicit, None);
        }
        Terminology::Offer(term) => term,
        Terminology::None => None,
    };
    match fragment(&question.prepared) {
        Some(_) if in_conversation => (IntentKind::Semantic, numbers().intent.fragment_in_context, offer),
        // "Security principles" asks the principles; "policy" alone asks nothing yet.
        Some(interpretations) if question.kinds.is_empty() || question.prepared.parts().len() == 1 => {
            (IntentKind::Unclear { interpretations }, numbers().intent.fragment, offer)
        }
        Some(_) => (IntentKind::Semantic, numbers().intent.fragment_in_context, offer),
        None => (IntentKind::Semantic, numbers().intent.question, offer),
    }
}

/// What a few words without a verb can mean.
fn fragment(prepared: &Prepared) -> Option<Vec<Interpretation>> {
    let parts = prepared.parts();
    let words = prepared.words();
    let asks = |word: &str| {
        Pack::all().any(|pack| {
            pack.intent.verbs.iter().any(|verb| verb == word) || pack.words.question.contains(word)
        })
    };
    if !(1..=numbers().intent.fragment_words).contains(&parts.len()) || words.split(' ').any(asks) {
        return None;
    }
    if let [part] = parts[..]
        && let Some(mut documents) = numbered(part)
    {
        documents.push(Interpretation::SearchDocuments);
        return Some(documents);
    }
    let term = terminology::term(prepared.text());
    let define = (!term.is_empty()).then_some(Interpretation::Define { term });
    Some(define.into_iter().chain([Interpretation::SearchDocuments]).collect())
}

/// The documents that a bare number may mean.
fn numbered(part: &str) -> Option<Vec<Interpretation>> {
    let digits = part.trim_start_matches('#');
    let (digits, kinds): (_, &[Kind]) = match digits.strip_suffix('d') {
        Some(digits) => (digits, &[Kind::Dar]),
        None => (digits, &[Kind::Adr, Kind::Principle]),
    };
    let plain = (1..=numbers().intent.number_digits).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain)?;
    let document =
        |kind: &Kind| Interpretation::Document { reference: Reference::numbered(*kind, number, part) };
    Some(kinds.iter().map(document).collect())
}

/// The kinds that a text names besides the documents it refers to.
pub(crate) fn named_kinds(text: &str) -> Vec<Kind> {
    let mut rest = text.to_owned();
    for (range, _) in references(text).into_iter().rev() {
        rest.replace_range(range, "");
    }
    Pack::all().flat_map(|pack| pack.intent.kinds_in(&rest)).collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests;
