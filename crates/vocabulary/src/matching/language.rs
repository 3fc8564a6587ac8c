use std::cmp::Ordering;

use plumbline_core::domain::Language;
use plumbline_core::ports::TextIn;
use plumbline_core::response::ConceptNote;

/// How near a literal's language is to the one asked for; nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LanguageRank {
    /// The language itself.
    Same,
    /// The language of a region or script.
    Region,
    /// No language tag.
    Untagged,
    /// Another language that the product speaks.
    Spoken,
    /// Any other language.
    Other,
}

/// How near a language tag is to the language asked for.
pub fn language_rank(tag: Option<&str>, asked: Language) -> LanguageRank {
    match tag {
        None | Some("") => LanguageRank::Untagged,
        Some(tag) if tag.eq_ignore_ascii_case(asked.code()) => LanguageRank::Same,
        Some(tag) => match Language::from_code(tag) {
            Some(language) if language == asked => LanguageRank::Region,
            Some(_) => LanguageRank::Spoken,
            None => LanguageRank::Other,
        },
    }
}

/// A language tag as BCP 47 writes it: `en-GB`, `zh-Hans-CN`. Servers and parsers differ in letter case.
pub fn canonical_tag(tag: &str) -> String {
    let mut parts = Vec::new();
    for (at, part) in tag.split('-').enumerate() {
        let lower = part.to_ascii_lowercase();
        let after_singleton = parts.last().is_some_and(|before: &String| before.len() == 1);
        parts.push(match lower.len() {
            2 if at > 0 && !after_singleton => lower.to_ascii_uppercase(),
            4 if at > 0 && !after_singleton => {
                let (first, rest) = lower.split_at_checked(1).unwrap_or((&lower, ""));
                first.to_ascii_uppercase() + rest
            }
            _ => lower,
        });
    }
    parts.join("-")
}

/// The texts in the best language there is: the one asked for, its regions, untagged, and then one other language.
/// Several in that language all come, in the order given.
pub fn best_texts(texts: &[TextIn], asked: Language) -> Vec<TextIn> {
    let key = |text: &TextIn| order(text.language.as_deref(), asked);
    let Some(best) = texts.iter().map(key).min() else { return Vec::new() };
    let mut kept: Vec<TextIn> = Vec::new();
    for text in texts.iter().filter(|text| key(text) == best) {
        if !kept.contains(text) {
            kept.push(text.clone());
        }
    }
    kept
}

/// The preferred label to show: the best of the preferred ones; without any, the best alternative one. Hidden labels are
/// never shown.
pub fn preferred_label(preferred: &[TextIn], alternative: &[TextIn], asked: Language) -> Option<TextIn> {
    let first = |labels: &[TextIn]| {
        let by_order = |one: &&TextIn, other: &&TextIn| compare(one, other, asked);
        labels.iter().min_by(by_order).cloned()
    };
    first(preferred).or_else(|| first(alternative))
}

/// The alternative labels to show beside the preferred one: those in the language asked for, or in the preferred
/// label's where that is another.
pub fn alternative_labels(alternative: &[TextIn], shown: Option<&TextIn>, asked: Language) -> Vec<String> {
    let shown_language = shown.and_then(|label| label.language.as_deref());
    let fits = |label: &TextIn| {
        let tag = label.language.as_deref();
        language_rank(tag, asked) <= LanguageRank::Untagged || tag == shown_language
    };
    let mut labels: Vec<&TextIn> = alternative.iter().filter(|label| fits(label)).collect();
    labels.sort_by(|one, other| compare(one, other, asked));
    let mut texts: Vec<String> = Vec::new();
    for label in labels {
        if shown.is_none_or(|shown| shown.text != label.text) && !texts.contains(&label.text) {
            texts.push(label.text.clone());
        }
    }
    texts
}

/// The notes in the best language there is for each kind, in the order given.
pub fn best_notes(notes: &[ConceptNote], asked: Language) -> Vec<ConceptNote> {
    let key = |note: &ConceptNote| order(note.language.as_deref(), asked);
    let best_of_kind = |kind: &str| notes.iter().filter(|note| note.kind == kind).map(key).min();
    let mut kept: Vec<ConceptNote> = Vec::new();
    for note in notes {
        if Some(key(note)) == best_of_kind(&note.kind) && !kept.contains(note) {
            kept.push(note.clone());
        }
    }
    kept
}

/// Regions of one language are alike; languages other than the one asked for are not.
fn order(tag: Option<&str>, asked: Language) -> (LanguageRank, String) {
    let rank = language_rank(tag, asked);
    let tag = if rank >= LanguageRank::Spoken {
        tag.unwrap_or_default().to_ascii_lowercase()
    } else {
        String::new()
    };
    (rank, tag)
}

fn compare(one: &TextIn, other: &TextIn, asked: Language) -> Ordering {
    let key = |label: &TextIn| (order(label.language.as_deref(), asked), label.language.clone());
    key(one).cmp(&key(other)).then_with(|| one.text.cmp(&other.text))
}
