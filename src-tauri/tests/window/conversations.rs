use crate::home::Home;
use crate::window::Window;

const TLS: &str = "Which version of TLS do we require?";
const TOKENS: &str = "How long are access tokens valid?";

#[tokio::test(flavor = "multi_thread")]
async fn conversations_are_found_renamed_deleted_and_brought_back() {
    let window = Window::open(&Home::with_sample_library().await).await;
    window.ask(TLS).await;
    window.press("New conversation").await;
    window.ask(TOKENS).await;
    let listed = async |title: &str| {
        let list = "return [...document.querySelectorAll('button.title > span')].map((s) => s.innerText)";
        let titles = window.session.run(list).await;
        titles.as_array().is_some_and(|titles| titles.iter().any(|found| found == title))
    };
    window.until("both stand in the list", async || listed(TLS).await && listed(TOKENS).await).await;

    let search = window.finds("[data-focus=conversations]").await;
    search.keys("tokens").await.unwrap();
    window.until("only one is found", async || !listed(TLS).await && listed(TOKENS).await).await;
    search.keys(&"\u{E003}".repeat("tokens".len())).await.unwrap();
    window.until("both are back", async || listed(TLS).await).await;

    window.press(&format!("Actions for “{TLS}”")).await;
    window.press("Rename").await;
    let name = window.finds("form input[aria-label=Rename]").await;
    name.keys(&format!("{}Transport\u{E007}", "\u{E003}".repeat(TLS.len()))).await.unwrap();
    window.until("it has its new name", async || listed("Transport").await && !listed(TLS).await).await;

    window.press("Actions for “Transport”").await;
    window.press("Delete").await;
    window.until("it is gone", async || !listed("Transport").await).await;
    window.press("Undo").await;
    window.until("it is back", async || listed("Transport").await).await;
    window.press("Transport").await;
    window.sees("TLS 1.3").await;
}
