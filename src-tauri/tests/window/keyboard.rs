use crate::hands::{CONTROL, ENTER, ESCAPE, TAB};
use crate::home::Home;
use crate::window::Window;

#[tokio::test(flavor = "multi_thread")]
async fn shortcuts_lead_to_the_question_the_views_and_every_command() {
    let window = Window::open(&Home::with_sample_library().await).await;
    window.session.chord(CONTROL, 'l').await;
    window.until("the question has the focus", async || focused(&window).await == "Your question").await;
    window.session.keys("Which version of TLS do we require?").await;
    window.session.key(ENTER).await;
    window.finds("article .citation").await;
    window.settled().await;
    focus(&window, "Source 1").await;
    window.session.key(ENTER).await;
    window.finds("aside mark").await;
    window.session.key(ESCAPE).await;
    window.until("the source is closed", async || window.count("aside mark").await == 0).await;

    window.session.chord(CONTROL, '2').await;
    window.sees("The documents that answers may rest on").await;
    window.session.chord(CONTROL, 'k').await;
    window.finds("dialog [role=combobox]").await;
    window.session.keys("Metrics").await;
    window.session.key(ENTER).await;
    window.sees("Since this workspace began").await;
}

/// Presses Tab until what begins with this name has the focus.
async fn focus(window: &Window, name: &str) {
    for _ in 0..80 {
        if focused(window).await.starts_with(name) {
            return;
        }
        window.session.key(TAB).await;
    }
    panic!("Tab never reaches {name:?}");
}

/// The name of what has the focus.
async fn focused(window: &Window) -> String {
    let script = "const e = document.activeElement; return (e.getAttribute('aria-label') ?? e.labels?.[0]?.innerText ?? e.innerText ?? '').trim()";
    window.session.run(script).await.as_str().unwrap_or_default().to_owned()
}
