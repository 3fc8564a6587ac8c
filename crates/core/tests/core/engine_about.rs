//! Questions about the assistant itself: answered at once, from what it knows of itself and its library.

use plumbline_core::response::{Action, AnswerSource, AskResponse};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::model::FakeModel;
use plumbline_testkit::rig::{MODEL, Rig};

#[track_caller]
fn assert_about_itself(rig: &Rig, response: &AskResponse) {
    assert_eq!((response.action, response.source), (Action::Cite, AnswerSource::Plumbline), "{response:#?}");
    assert!(!response.refused && response.citations.is_empty() && response.confidence.is_none());
    assert_eq!(
        (rig.embedder.calls(), rig.library.lexical.calls(), rig.model.calls()),
        (0, 0, 0),
        "nothing is searched and no model is asked"
    );
}

#[tokio::test]
async fn it_says_who_it_is_and_what_can_be_asked() {
    let rig = Rig::with().model(FakeModel::honest()).build();
    let asked = rig.ask("Who are you and what can you do for me?").await;
    let response = asked.response();
    assert_about_itself(&rig, response);
    assert!(response.answer.starts_with("I am Plumbline"), "{}", response.answer);
    assert!(response.answer.contains("You can ask what was decided"), "{}", response.answer);
    assert_eq!(asked.screen(), response.answer, "what streams is what stands in the response");
    assert_eq!(rig.record().routing.destination, "plumbline");
    let dutch = rig.answer("Wie ben jij?").await;
    assert!(dutch.answer.starts_with("Ik ben Plumbline"), "in the reader's language: {}", dutch.answer);
}

#[tokio::test]
async fn it_counts_its_documents_by_kind_and_tells_of_its_terms() {
    let rig = Rig::new();
    let response = rig.answer("Which documents and terms do you have?").await;
    assert_about_itself(&rig, &response);
    let held = "The library holds 4 decision records, 1 approval record, 2 principles and 2 policies.";
    assert_eq!(
        response.answer,
        format!("{held}\n\nThe vocabulary of record holds 6 terms. Its schemes are Test vocabulary.")
    );
    let dutch = rig.answer("Hoeveel documenten heb je?").await;
    assert!(dutch.answer.contains("2 principes"), "{}", dutch.answer);

    let without = Rig::with().ports(|ports| ports.vocabulary = None).build();
    let response = without.answer("Which terms do you know?").await;
    assert!(response.answer.starts_with("There is no vocabulary"), "{}", response.answer);
    let abilities = without.answer("What can you do?").await.answer;
    assert!(!abilities.contains("vocabulary"), "what is not there is not offered: {abilities}");
}

#[tokio::test]
async fn an_empty_library_says_so() {
    let rig = Rig::with().library(FakeLibrary::new(Vec::new())).build();
    let response = rig.answer("Which documents do you have?").await;
    assert_eq!(response.source, AnswerSource::Plumbline);
    assert!(response.answer.starts_with("The library is empty"), "{}", response.answer);
}

#[tokio::test]
async fn it_names_the_model_that_words_the_answers_and_where() {
    let rig = Rig::with().model(FakeModel::honest()).build();
    let answer = rig.answer("Which model answers, and where does it run?").await.answer;
    assert!(answer.contains(MODEL) && answer.contains("http://localhost:11434"), "{answer}");
    let without = Rig::new().answer("Welk model gebruik je?").await.answer;
    assert!(without.contains("geen taalmodel"), "{without}");
    let version = rig.answer("What version are you?").await.answer;
    assert_eq!(version, format!("This is Plumbline {}.", env!("CARGO_PKG_VERSION")));
}

#[tokio::test]
async fn it_says_what_becomes_of_questions() {
    let without = Rig::new().answer("Do my questions leave this computer when I type them in here?").await;
    assert_eq!(without.source, AnswerSource::Plumbline, "{without:#?}");
    assert!(without.answer.ends_with("Nothing that you type leaves this machine."), "{}", without.answer);
    assert!(without.answer.contains("a log of the questions"), "{}", without.answer);

    let local = Rig::with().model(FakeModel::honest()).build();
    let answer = local.answer("Waar blijven mijn vragen?").await.answer;
    assert!(answer.contains("http://localhost:11434"), "{answer}");
    assert!(answer.ends_with("Niets van wat je typt verlaat deze machine."), "{answer}");

    let far = Rig::with()
        .model(FakeModel::honest())
        .settings(|settings| {
            settings.models.ollama_url = "https://models.example.org".to_owned();
            settings.general.privacy = true;
        })
        .build();
    let answer = far.answer("Is anything I type stored somewhere?").await.answer;
    assert!(answer.contains("https://models.example.org") && answer.contains("leaves out"), "{answer}");
    assert!(!answer.contains("Nothing that you type leaves"), "what leaves is not said to stay: {answer}");
}

#[tokio::test]
async fn it_says_how_far_it_can_be_relied_on() {
    let rig = Rig::new();
    let response = rig.answer("Do you ever make things up?").await;
    assert_about_itself(&rig, &response);
    assert!(response.answer.contains("names the passages"), "{}", response.answer);
}

#[tokio::test]
async fn a_greeting_says_what_can_be_asked_and_thanks_are_taken() {
    let rig = Rig::new();
    let hello = rig.answer("Hello!").await;
    assert_about_itself(&rig, &hello);
    assert!(hello.answer.starts_with("Hello!") && hello.answer.contains("You can ask"), "{}", hello.answer);
    assert!(!hello.suggestions.is_empty(), "the lists that there are, one click away");
    assert_eq!(rig.record().routing.class, "greeting");
    let thanks = rig.answer("Bedankt, dat was duidelijk!").await;
    assert_about_itself(&rig, &thanks);
    assert_eq!(thanks.answer, "Graag gedaan. Vraag gerust verder.");
    assert!(thanks.suggestions.is_empty());
}

#[tokio::test]
async fn more_of_nothing_asks_for_the_subject() {
    let rig = Rig::new();
    let response = rig.answer("Tell me more").await;
    assert_about_itself(&rig, &response);
    assert!(response.answer.contains("Name the subject"), "{}", response.answer);
}

#[tokio::test]
async fn a_response_from_before_there_were_sources_came_from_the_library() {
    let response = Rig::new().answer("List all principles").await;
    assert_eq!(response.source, AnswerSource::Library);
    let mut kept = serde_json::to_value(&response).unwrap();
    assert_eq!(kept["source"], "library");
    kept.as_object_mut().unwrap().remove("source");
    assert_eq!(serde_json::from_value::<AskResponse>(kept).unwrap(), response);
}
