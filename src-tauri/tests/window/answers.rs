use crate::hands::CONTROL;
use crate::home::Home;
use crate::window::Window;

const TLS: &str = "Which version of TLS do we require?";

#[tokio::test(flavor = "multi_thread")]
async fn the_first_run_offers_the_sample_library_and_answers_from_it() {
    let window = Window::open_without_mouse(&Home::new()).await;
    window.sees("Answers that hang straight").await;
    window.open_sample_library().await;
    window.ask(TLS).await;
    window.sees("TLS 1.3").await;
    window.finds("article .citation").await;
    window.sees("Confidence:").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_citation_opens_its_passage_with_the_supporting_words_marked() {
    let window = Window::open_without_mouse(&Home::with_sample_library().await).await;
    window.ask(TLS).await;
    window.press_on("article .citation").await;
    window.finds("aside mark").await;
    let marked = window
        .session
        .run("return [...document.querySelectorAll('aside mark')].map((m) => m.textContent).join(' ')")
        .await;
    assert!(
        marked.as_str().unwrap().contains("TLS"),
        "the words that support the answer are marked: {marked}"
    );
    window.sees("Open the file").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_documents_cannot_support_is_refused_with_ways_on() {
    let window = Window::open(&Home::with_sample_library().await).await;
    window.ask("What does ADR-9999 decide?").await;
    window.sees("No such record").await;
    assert_eq!(window.count("article .citation").await, 0, "a refusal cites nothing");
    window.press_on("[aria-label='Ways on'] button").await;
    window.until("a suggestion is asked", async || window.count("article[aria-busy]").await == 2).await;
    window.settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_exported_with_its_sources() {
    let home = Home::with_sample_library().await;
    let file = home.path("answer.md");
    let home = home.answering_dialogs(&[&file]);
    let window = Window::open_without_mouse(&home).await;
    window.ask(TLS).await;
    window.session.chord(CONTROL, 'e').await;
    window.sees("Saved as").await;
    let text = std::fs::read_to_string(file).unwrap();
    assert!(
        text.contains(TLS) && text.contains("[^1-1]:"),
        "the question and its footnotes are there:\n{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn feedback_and_questions_move_the_metrics() {
    let window = Window::open_without_mouse(&Home::with_sample_library().await).await;
    window.go("Metrics").await;
    let questions = async || {
        let script = "return [...document.querySelectorAll('dl div')].find((d) => d.innerText.startsWith('Questions'))?.querySelector('dd').innerText";
        window.session.run(script).await.as_str().unwrap_or_default().to_owned()
    };
    window.until("nothing is counted yet", async || questions().await == "0").await;
    window.go("Ask").await;
    window.ask(TLS).await;
    window.press("This helped").await;
    window.go("Metrics").await;
    window.until("the question is counted", async || questions().await == "1").await;
    window.sees("Helped").await;
}
