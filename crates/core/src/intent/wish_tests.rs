use super::*;
use crate::intent::Question;

fn wish(question: &str, language: Language) -> Wish {
    Question::read(question, language).wish
}

#[test]
fn a_form_is_read_off_the_question() {
    for (question, language, shape) in [
        (
            "Summarise ADR 4 using the headings Problem, Decision and Consequences.",
            Language::EN,
            Shape::Headings(["Problem", "Decision", "Consequences"].map(str::to_owned).to_vec()),
        ),
        (
            "Vat ADR 4 samen onder de kopjes Aanleiding en Besluit",
            Language::NL,
            Shape::Headings(["Aanleiding", "Besluit"].map(str::to_owned).to_vec()),
        ),
        ("Give me the queue decision in three bullets", Language::EN, Shape::Points(3)),
        ("Geef het besluit in 4 punten", Language::NL, Shape::Points(4)),
        ("Tell me about the queue in one sentence", Language::EN, Shape::Sentences(1)),
        ("Which ADR covers caching? Just the id.", Language::EN, Shape::Identifier),
        ("Welk besluit gaat over caching? Alleen het nummer graag.", Language::NL, Shape::Identifier),
        ("pros and cons of caching", Language::EN, Shape::ForAndAgainst),
        ("de voor- en nadelen van caching", Language::NL, Shape::ForAndAgainst),
        ("Which cache do we use?", Language::EN, Shape::Free),
    ] {
        assert_eq!(wish(question, language).shape, shape, "{question}");
    }
    assert_eq!(wish("the pros and cons of option 2", Language::EN).option, Some(2));
}

#[test]
fn words_that_only_wish_are_no_subject() {
    let question = crate::intent::Question::read(
        "Please summarise our decision on changing usernames in two sentences",
        Language::EN,
    );
    assert_eq!(question.topic(), ["changing", "usernames"]);
    assert!(question.wish.whole);
}

#[test]
fn what_several_documents_are_asked_about_stays_the_subject() {
    for (query, word) in [
        ("Where do our decisions take GDPR into account?", "gdpr"),
        ("How do our OIDC decisions fit together?", "oidc"),
        ("What are the interoperability principles?", "interoperability"),
        ("Has our stance on Testcontainers shifted over the years?", "testcontainers"),
        ("Is ons standpunt over API-sleutels veranderd?", "sleutels"),
        ("Wat zeggen onze privacyprincipes en de andere besluiten over logging?", "logging"),
    ] {
        let question = Question::read(query, Language::EN);
        assert!(question.wish.several, "`{query}`");
        assert!(question.words.iter().any(|held| held == word), "`{query}`: {:?}", question.words);
    }
}

#[test]
fn what_is_told_of_records_before_something_is_wished_of_them_is_no_subject() {
    let words = |question: &str, language: Language| Question::read(question, language).words;
    let none: [&str; 0] = [];
    assert_eq!(
        words("People keep mixing up ADR 12 and principle 12. What is the difference?", Language::EN),
        none
    );
    assert_eq!(words("Iedereen heeft het over ADR 4. Vat eens samen.", Language::NL), none);
    let asked = words("Everybody uses ADR 12. What is the difference in license costs?", Language::EN);
    assert!(asked.contains(&"license".to_owned()), "what it asks stays: {asked:?}");
}
