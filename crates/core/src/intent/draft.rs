//! Whether a draft of a record is asked for, and what it is to be about.

use super::prepared::Prepared;
use crate::language::Pack;
use crate::text::words;

/// The topic of the record that is to be drafted. Its pattern is the whole question.
pub(super) fn draft<'p>(question: &Prepared, packs: impl Iterator<Item = &'p Pack>) -> Option<String> {
    let text = question.text();
    for pack in packs {
        for captures in pack.intent.draft.all_captures(text) {
            let whole = captures.get(0).is_some_and(|found| found.range() == (0..text.len()));
            let topic = captures.name("topic").and_then(|found| question.typed(found.range()));
            let says_something = |topic: &String| {
                let folded = topic.to_lowercase();
                words(topic).iter().any(|word| pack.words.is_content(&word.folded))
                    && !pack.intent.graph.no_topic.is_match(&folded)
            };
            if let Some(topic) = topic.filter(|topic| whole && says_something(topic)) {
                return Some(topic);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::domain::Language;
    use crate::intent::{IntentKind, Question, classify};

    fn topic(question: &str) -> Option<String> {
        match classify(Question::read(question, Language::EN), false).kind {
            IntentKind::Draft { topic } => Some(topic),
            _ => None,
        }
    }

    #[test]
    fn a_draft_is_asked_for_in_many_ways_with_its_topic() {
        for (question, about) in [
            ("draft a record about key rotation", "key rotation"),
            ("Can you draft an ADR on caching of Weather Forecasts?", "caching of Weather Forecasts"),
            ("Please write a new decision record for retiring the VPN", "retiring the VPN"),
            ("help me write an architecture decision about event sourcing.", "event sourcing"),
            ("I need a first draft of an ADR about log retention", "log retention"),
            ("New ADR: rate limiting at the gateway", "rate limiting at the gateway"),
            ("schrijf een besluit over sleutelbeheer", "sleutelbeheer"),
            ("Kun je een concept-ADR over caching maken?", "caching"),
            ("Stel een architectuurbesluit op over het uitfaseren van de VPN", "uitfaseren van de VPN"),
            ("maak een opzet voor een besluit rond logbewaring", "logbewaring"),
        ] {
            assert_eq!(topic(question).as_deref(), Some(about), "asked by: {question}");
        }
    }

    #[test]
    fn what_only_speaks_of_writing_or_of_drafts_asks_for_none() {
        for question in [
            "Which ADRs are still a draft?",
            "Who wrote the ADR on caching?",
            "Draft ADRs about security",
            "How do I write an ADR?",
            "Where do I record a decision about a supplier?",
            "draft a record about it",
            "Welke besluiten over caching zijn nog concept?",
            "Hoe schrijf ik een besluit?",
            "Wie schreef het besluit over caching?",
        ] {
            assert_eq!(topic(question), None, "asked by: {question}");
        }
    }
}
