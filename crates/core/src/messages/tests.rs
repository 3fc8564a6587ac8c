use std::collections::BTreeSet;

use super::*;

fn catalogue(language: Language) -> Messages {
    let (_, source) = SOURCES.into_iter().find(|(known, _)| *known == language).unwrap();
    Messages::parse(language, source).unwrap_or_else(|error| panic!("{}: {error}", language.code()))
}

fn texts(entry: &Entry) -> Vec<&str> {
    match entry {
        Entry::Text(text) => vec![text],
        Entry::Counted { one, other } => vec![one, other],
    }
}

#[test]
fn both_catalogues_hold_every_message_with_the_same_placeholders() {
    let (english, dutch) = (catalogue(Language::En), catalogue(Language::Nl));
    let known: BTreeSet<&str> = Message::ALL.iter().map(|message| message.key()).collect();
    assert_eq!(known.len(), Message::ALL.len(), "two messages with one key");
    for catalogue in [&english, &dutch] {
        let held: BTreeSet<&str> = catalogue.entries.keys().map(String::as_str).collect();
        assert_eq!(held, known, "{}", catalogue.language.code());
    }
    for key in known {
        let names = |entry: &Entry| -> BTreeSet<String> {
            let texts = texts(entry);
            texts.iter().flat_map(|text| placeholders(text)).map(str::to_owned).collect()
        };
        assert_eq!(names(&english.entries[key]), names(&dutch.entries[key]), "{key}");
        for entry in [&english.entries[key], &dutch.entries[key]] {
            assert!(texts(entry).iter().all(|text| !text.trim().is_empty()), "{key} is empty");
        }
    }
}

#[test]
fn one_and_many_are_worded_apart() {
    let english = Messages::of(Language::En);
    let withheld = |n: &str| english.text(Message::TransparencyWithheld, &[("n", n)]);
    assert!(withheld("1").starts_with("1 sentence withheld"), "{}", withheld("1"));
    assert!(withheld("3").starts_with("3 sentences withheld"), "{}", withheld("3"));
    let dutch = Messages::of(Language::Nl);
    assert_eq!(dutch.text(Message::KindAdr, &[("n", "1")]), "1 architectuurbesluit");
    assert_eq!(dutch.text(Message::KindAdr, &[("n", "0")]), "0 architectuurbesluiten");
}

#[test]
fn suggestions_read_as_the_seed_words_them() {
    let english = Messages::of(Language::En);
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
    let english = Messages::of(Language::En);
    let values = [("reference", "{title}"), ("title", "a {reference} {")];
    assert_eq!(english.text(Message::SuggestDidYouMean, &values), "Did you mean {title} (a {reference} {)?");
}

#[test]
fn lists_and_numbers_are_written_as_the_language_does() {
    let (english, dutch) = (Messages::of(Language::En), Messages::of(Language::Nl));
    assert_eq!(english.all_of(&["a", "b", "c"]), "a, b and c");
    assert_eq!(dutch.any_of(&["a", "b"]), "a of b");
    assert_eq!(english.all_of::<&str>(&[]), "");
    assert_eq!((english.number(0.32, 2), dutch.number(0.32, 2)), ("0.32".to_owned(), "0,32".to_owned()));
    assert_eq!(english.number(0.399, 2), "0.39", "0.40 would seem to have passed");
    assert_eq!(english.number(f64::from(0.29_f32), 2), "0.29");
    assert_eq!(english.number(38.0, 0), "38");
}
