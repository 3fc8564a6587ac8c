use super::*;

fn refused() -> Detail {
    let detail = Detail::from(Message::OllamaConnectionRefused);
    Detail::of(Message::OllamaAt, [("address", "http://localhost:11434".into()), ("detail", detail)])
}

#[test]
fn a_detail_is_told_in_the_readers_language_and_in_english_to_logs() {
    assert_eq!(refused().to_string(), "the model server at http://localhost:11434: connection refused");
    assert_eq!(
        refused().text(Language::NL),
        "de modelserver op http://localhost:11434: verbinding geweigerd"
    );
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
            assert_eq!(told(&values, language).get("detail"), Some(&detail.text(language)), "{values:?}");
        }
    }
}

#[test]
fn a_code_that_is_not_known_any_more_leaves_the_words() {
    let mut values = BTreeMap::new();
    refused().keep("detail", &mut values);
    values.insert("detail.code".to_owned(), "ollama.gone".to_owned());
    let kept = told(&values, Language::NL).remove("detail");
    assert_eq!(kept.as_deref(), Some("the model server at http://localhost:11434: connection refused"));
    assert!(told(&BTreeMap::new(), Language::NL).is_empty());
}

#[test]
fn a_detail_in_a_file_comes_back_and_the_words_of_an_older_file_are_read() {
    let several = Detail::all(vec![Detail::at_line("a.md", 3, refused()), Detail::run("plumbline index")]);
    for detail in [refused(), "disk full".into(), several] {
        let written = serde_json::to_string(&KeptDetail(detail.clone())).unwrap();
        assert_eq!(serde_json::from_str::<KeptDetail>(&written).unwrap().0, detail, "{written}");
        assert_eq!(
            serde_json::to_value(&detail).unwrap(),
            detail.text(Language::EN),
            "programs read English"
        );
    }
    let older: KeptDetail = serde_json::from_str("\"no text on page 2\"").unwrap();
    assert_eq!(older.0.text(Language::NL), "no text on page 2");
}
