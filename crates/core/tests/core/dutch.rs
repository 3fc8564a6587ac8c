//! What a Dutch reader gets of fixed texts and of wrong settings: Dutch.

use std::path::PathBuf;

use plumbline_core::domain::Language;
use plumbline_core::messages::{Message, Messages};
use plumbline_core::settings::{Origin, Owners, Settings, SettingsError, Sources, Thresholds};
use plumbline_testkit::dutch::{assert_dutch, english_words};

/// Names, texts that are made of nothing but what is filled in, and words that the two languages share.
const SAME: [&str; 6] =
    ["detail.about", "doctor.token", "error.port", "kind.document", "kind.vocabulary", "list.heading"];

#[test]
fn no_fixed_text_is_left_in_english() {
    for message in Message::ALL {
        for n in ["1", "2"] {
            let text = |language| Messages::of(language).text(*message, &[("n", n)]);
            let (english, dutch) = (text(Language::EN), text(Language::NL));
            assert!(english != dutch || SAME.contains(&message.key()), "{}: {dutch}", message.key());
            let named = dutch.replace(['{', '}'], "`");
            assert!(english_words(&named).is_empty(), "{}: {dutch}", message.key());
        }
    }
}

fn from_file(text: &str) -> SettingsError {
    let user_file = Some((PathBuf::from("/home/a/settings.toml"), text.to_owned()));
    Settings::resolve(Sources { user_file, ..Sources::default() }).unwrap_err()
}

fn from_flag(key: &str, value: &str) -> SettingsError {
    let flags = vec![(key.to_owned(), value.to_owned())];
    Settings::resolve(Sources { flags, ..Sources::default() }).unwrap_err()
}

#[test]
fn a_wrong_setting_is_told_in_dutch_with_its_place_and_what_is_allowed() {
    let thresholds = |text| Thresholds::parse("mine.yaml", text).unwrap_err();
    let owners = |text| Owners::parse("o.toml", text).unwrap_err();
    for (problem, words) in [
        (from_file("[retrieval]\nmin_similarity = 1.5"), "een getal van 0 tot en met 1"),
        (from_file("[retrieval]\ntotal_chunks = \"five\""), "een geheel getal van 1 tot en met 100"),
        (from_file("[general]\nprivacy = 3"), "true of false"),
        (from_file("[general]\nlanguage = \"fr\""), "\"en\" of \"nl\""),
        (from_file("[models]\nollama_url = \"here\""), "een adres dat begint met http:// of https://"),
        (from_file("[models.allow]\nphi4 = true"), "een tabel van modellen zoals"),
        (from_flag("retrieval.abstain_at", "61"), "de optie retrieval.abstain_at: "),
        (from_flag("curated.pinned_accept", "0.6"), "minstens curated.pinned_border, en dat is 0.7"),
        (from_flag("breaker.timeout", "4"), "bedoelt u `breaker.timeout_seconds`?"),
        (thresholds("collections:\n  ADR:\n    mean: 0.45\n"), "een sectie `ADR`, en moet zijn: secties"),
        (thresholds("collections: 4\n"), "een sectie met namen en waarden"),
        (thresholds("cross_language:\n  floor: 0.7\n"), "lager dan ceiling, en dat is 0.65"),
        (thresholds("4\n"), "mine.yaml, regel 1: het moet bestaan uit secties"),
        (owners("[admin]\nname = \"A\"\nemail = \"nobody\""), "een e-mailadres"),
    ] {
        let told = problem.detail().text(Language::NL);
        assert!(told.contains(words), "{told}");
        assert_dutch(&told);
    }
    let syntax = from_file("[general]\nprivacy = true\nlanguage = nl\n").detail().text(Language::NL);
    assert!(
        syntax.starts_with("/home/a/settings.toml, regel 3: "),
        "the parser's own words follow: {syntax}"
    );
    assert_dutch(&Origin::Variable("OLLAMA_BASE_URL".to_owned()).detail().text(Language::NL));
}
