use super::*;

fn refused() -> Detail {
    let detail = Detail::from(Message::OllamaConnectionRefused);
    Detail::of(Message::OllamaAt, [("address", "http://localhost:11434".into()), ("detail", detail)])
}

#[test]
fn a_detail_is_told_in_the_readers_language_and_in_english_to_logs() {
    assert_eq!(refused().to_string(), "Ollama at http://localhost:11434: connection refused");
    assert_eq!(refused().text(Language::NL), "Ollama op http://localhost:11434: verbinding geweigerd");
}

#[test]
fn what_a_server_said_stays_as_it_is() {
    let said = "out of memory {model}";
    let detail = Detail::of(Message::OllamaServer, [("status", "500".into()), ("message", said.into())]);
    assert!(Language::all().all(|language| detail.text(language).contains(said)));
}

#[test]
fn what_was_kept_can_be_told_in_any_language() {
    for detail in [refused(), "disk full".into(), Detail::all(vec![refused(), "disk full".into()])] {
        let mut values = BTreeMap::new();
        detail.keep("detail", &mut values);
        for language in Language::all() {
            let kept = kept_text("detail", &values, language);
            assert_eq!(kept.as_deref(), Some(detail.text(language).as_str()), "{values:?}");
        }
    }
}

#[test]
fn a_code_that_is_not_known_any_more_leaves_the_words() {
    let mut values = BTreeMap::new();
    refused().keep("detail", &mut values);
    values.insert("detail.code".to_owned(), "ollama.gone".to_owned());
    let kept = kept_text("detail", &values, Language::NL);
    assert_eq!(kept.as_deref(), Some("Ollama at http://localhost:11434: connection refused"));
    assert_eq!(kept_text("detail", &BTreeMap::new(), Language::NL), None);
}
