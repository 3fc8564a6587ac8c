use super::*;
use crate::domain::Language;

fn asked(text: &str) -> Vec<String> {
    parts(&Question::read(text, Language::EN)).into_iter().map(|part| part.text).collect()
}

#[test]
fn two_questions_are_told_apart() {
    for (text, first, second) in [
        (
            "Which markdown library do we use and may we still use Dapper for queries?",
            "Which markdown library do we use",
            "may we still use Dapper for queries",
        ),
        (
            "How long are meter readings kept? And who owns the pump register?",
            "How long are meter readings kept",
            "who owns the pump register",
        ),
        (
            "what port does the gateway use + which team runs the broker",
            "what port does the gateway use",
            "which team runs the broker",
        ),
        (
            "Welke database gebruiken we standaard en hoe lang bewaren we meetgegevens?",
            "Welke database gebruiken we standaard",
            "hoe lang bewaren we meetgegevens",
        ),
        (
            "Kun je nagaan welke bibliotheek we gebruiken en of we Dapper nog mogen inzetten?",
            "Kun je nagaan welke bibliotheek we gebruiken",
            "of we Dapper nog mogen inzetten",
        ),
    ] {
        assert_eq!(asked(text), [first, second], "`{text}`");
    }
}

#[test]
fn what_belongs_together_stays_together() {
    for text in [
        "Which database did we choose and why?",
        "Which API contexts are there and which of them stays private?",
        "What did we decide on logging and metrics?",
        "Who approved ADR-12 and when was ADR-14 decided?",
        "Hoe heet het platform en wie beheert het?",
        "What is the retention period of logs?",
        "Which pumps and valves are read every minute?",
    ] {
        assert_eq!(asked(text), Vec::<String>::new(), "`{text}`");
    }
}
