use super::*;

#[test]
fn an_error_is_told_in_the_readers_language_with_its_values() {
    let late = AskError::LlmTimeout { model: "llama3.2".to_owned(), seconds: 30 };
    assert_eq!(late.to_string(), "the model `llama3.2` did not answer within 30 s");
    assert_eq!(late.report().message, late.to_string(), "a report is in English until somebody asks");
    let dutch = late.report().in_language(Language::NL);
    assert_eq!(dutch.message, "het model `llama3.2` antwoordde niet binnen 30 s");
    assert_eq!(dutch.in_language(Language::EN), late.report(), "it can be read in any language again");
    assert_eq!(AskError::Stopped.text(Language::NL), "gestopt");
}

#[test]
fn every_value_of_an_error_has_its_place_in_the_text() {
    let text = |name: &str| format!("<{name}>");
    let errors = [
        AskError::EmptyQuestion,
        AskError::QuestionTooLong { chars: 9001, limit: 2000 },
        AskError::TextTooLong { chars: 9001, limit: 2000 },
        AskError::LlmConnection { address: text("address"), detail: text("detail").into() },
        AskError::LlmRefused { address: text("address"), detail: text("detail").into() },
        AskError::LlmBroken { model: text("model"), detail: text("detail").into() },
        AskError::LlmTimeout { model: text("model"), seconds: 30 },
        AskError::ModelNotAllowed { model: text("model"), allowed: vec![text("a"), text("b")] },
        AskError::ModelUnavailable { model: text("model") },
        AskError::Context { detail: text("detail").into() },
        AskError::TokenBudgetExceeded { model: text("model"), needed: 4100, available: 4000 },
        AskError::Stopped,
    ];
    for error in errors {
        for language in [Language::EN, Language::NL] {
            let told = error.text(language);
            assert!(!told.contains('{'), "a place was left open: {told}");
            assert!(error.values().values().all(|value| told.contains(value)), "{told}");
        }
    }
}

#[test]
fn what_an_earlier_version_kept_is_shown_as_it_was_written() {
    let kept = r#"{ "code": "llm_timeout", "message": "the model `llama3.2` did not answer within 30 s" }"#;
    let report: ErrorReport = serde_json::from_str(kept).unwrap();
    let message = report.message.clone();
    assert_eq!(report.in_language(Language::NL).message, message, "its values are not known any more");
}

#[test]
fn the_user_is_told_what_went_wrong_and_nothing_else() {
    let refused = ModelError::Refused {
        address: "https://models.example".to_owned(),
        detail: "the token is not accepted".into(),
    };
    let refused = AskError::of_model(refused, "llama3.2");
    assert_eq!(refused.code(), ErrorCode::LlmRefused);
    let told = refused.to_string();
    assert!(told.contains("the token is not accepted"), "{told}");
    assert!(!told.contains("ollama serve"), "it runs: starting it changes nothing");

    let broken = AskError::of_model(ModelError::Broken("the last line was cut".into()), "llama3.2");
    assert_eq!(broken.code(), ErrorCode::LlmBroken);
    let told = broken.to_string();
    assert!(told.contains("llama3.2") && told.contains("the last line was cut"), "{told}");
    assert!(!told.contains("library"), "the library has no part in it: {told}");
}

#[test]
fn a_detail_with_a_code_is_told_in_the_readers_language_too() {
    let detail = Detail::of(
        Message::OllamaServer,
        [("status", "500".into()), ("message", "model runner has stopped".into())],
    );
    let error = AskError::LlmConnection { address: "http://localhost:11434".to_owned(), detail };
    assert!(error.to_string().contains("it answered with status 500: model runner has stopped."), "{error}");
    let told = error.text(Language::NL);
    assert!(told.contains("het antwoordde met status 500: “model runner has stopped”."), "{told}");
    let kept = serde_json::to_string(&error.report()).unwrap();
    let kept: ErrorReport = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept.in_language(Language::NL).message, told, "also when it was kept in between");

    let locked = PortError::Failed { service: "catalogue", detail: "database is locked".into() };
    let error = AskError::Port(locked);
    assert_eq!(error.to_string(), "catalogue failed: database is locked");
    assert_eq!(error.text(Language::NL), "de catalogus mislukte: database is locked");
}
