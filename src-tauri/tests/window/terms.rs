use crate::home::Home;
use crate::window::Window;

#[tokio::test(flavor = "multi_thread")]
async fn an_ambiguous_term_asks_back_and_a_choice_gives_the_definition() {
    let window = Window::open_without_mouse(&Home::with_sample_library().await).await;
    window.ask("What is CIM?").await;
    let options = window.count("article ul button").await;
    assert!(options >= 2, "every meaning is offered, not {options}");
    window.press_on("article ul button").await;
    window.finds("article blockquote").await;
    window.settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_term_is_not_made_up_and_a_near_one_is_offered() {
    let window = Window::open_without_mouse(&Home::with_sample_library().await).await;
    window.ask("What is CIMXNL?").await;
    window.sees("Term not found").await;
    let near = "//*[@aria-label='Ways on']//button[contains(., 'CIMXML')]";
    window.press_at(near).await;
    window.finds("article blockquote").await;
    window.sees("Common Information Model").await;
}
