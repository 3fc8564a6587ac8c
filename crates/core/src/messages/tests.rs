use std::collections::BTreeSet;

use super::*;

#[test]
fn every_language_fills_in_the_same() {
    let known: BTreeSet<&str> = Message::ALL.iter().map(|message| message.key()).collect();
    assert_eq!(known.len(), Message::ALL.len(), "two messages with one key");
    let (english, dutch) = (Messages::of(Language::EN), Messages::of(Language::NL));
    for message in Message::ALL {
        assert_eq!(
            english.entries[message].placeholders(),
            dutch.entries[message].placeholders(),
            "{}",
            message.key()
        );
    }
}

#[test]
fn one_and_many_are_worded_apart() {
    let english = Messages::of(Language::EN);
    let withheld = |n: &str| english.text(Message::TransparencyWithheld, &[("n", n)]);
    assert!(withheld("1").starts_with("1 sentence withheld"), "{}", withheld("1"));
    assert!(withheld("3").starts_with("3 sentences withheld"), "{}", withheld("3"));
    let dutch = Messages::of(Language::NL);
    assert_eq!(dutch.text(Message::KindAdr, &[("n", "1")]), "1 architectuurbesluit");
    assert_eq!(dutch.text(Message::KindAdr, &[("n", "0")]), "0 architectuurbesluiten");
}

#[test]
fn suggestions_read_as_the_seed_words_them() {
    let english = Messages::of(Language::EN);
    let values = [("reference", "ADR-0012"), ("title", "CIM Standard")];
    assert_eq!(english.text(Message::SuggestDidYouMean, &values), "Did you mean ADR-0012 (CIM Standard)?");
    assert_eq!(
        english.text(Message::SuggestSearchDocuments, &[("term", "CIMXML")]),
        "Search the documents for CIMXML"
    );
    assert_eq!(
        english.text(Message::SuggestLookUp, &[("term", "CIMXML")]),
        "Look up CIMXML in the vocabulary"
    );
}

#[test]
fn braces_in_a_value_are_not_filled_again() {
    let english = Messages::of(Language::EN);
    let values = [("reference", "{title}"), ("title", "a {reference} {")];
    assert_eq!(english.text(Message::SuggestDidYouMean, &values), "Did you mean {title} (a {reference} {)?");
}

#[test]
fn lists_and_numbers_are_written_as_the_language_does() {
    let (english, dutch) = (Messages::of(Language::EN), Messages::of(Language::NL));
    assert_eq!(english.all_of(&["a", "b", "c"]), "a, b and c");
    assert_eq!(dutch.any_of(&["a", "b"]), "a of b");
    assert_eq!(english.all_of::<&str>(&[]), "");
    assert_eq!((english.number(0.32, 2), dutch.number(0.32, 2)), ("0.32".to_owned(), "0,32".to_owned()));
    assert_eq!(english.number(0.399, 2), "0.39", "0.40 would seem to have passed");
    assert_eq!(english.number(f64::from(0.29_f32), 2), "0.29");
    assert_eq!(english.number(38.0, 0), "38");
}
