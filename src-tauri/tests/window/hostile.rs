use std::io::ErrorKind;
use std::net::TcpListener;

use plumbline_testkit::ollama_server::{OllamaServer, World};

use crate::home::Home;
use crate::window::Window;

/// Everything that a page could run, fetch or be torn apart by. `{address}` is somebody else's server.
const ATTACK: &str = "<script>globalThis.attacked = true</script> <img src=\"http://{address}/a.png\" onerror=\"globalThis.attacked = true\"> \
    <svg onload=\"globalThis.attacked = true\"></svg> ![a picture](http://{address}/b.png) [a link](javascript:globalThis.attacked=true) \
    <style>body { display: none }</style> \u{202E}txet desrever\u{202C}";

/// What overflows its window or its own box, by tag.
const OVERFLOW: &str = "const wide = (e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'visible';
    return [document.documentElement, ...document.querySelectorAll('main, article, article p, aside, aside p, li, td')]
      .filter((e) => e.clientWidth > 0 && wide(e)).map((e) => e.tagName)";

async fn assert_harmless(window: &Window, place: &str) {
    let attacked = window.session.run("return globalThis.attacked === true").await;
    assert_eq!(attacked, false, "something ran in {place}");
    let overflow = window.session.run(OVERFLOW).await;
    assert_eq!(overflow.as_array().map(Vec::len), Some(0), "the layout of {place} breaks: {overflow}");
    let hidden = window.session.run("return getComputedStyle(document.body).display").await;
    assert_ne!(hidden, "none", "a style of a document holds in {place}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_hostile_document_or_model_runs_is_fetched_or_breaks_the_layout() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let attack = ATTACK.replace("{address}", &elsewhere.local_addr().unwrap().to_string());
    let endless = "endless".repeat(600);
    let home = Home::new();
    let folder = home.path("records");
    std::fs::create_dir_all(&folder).unwrap();
    let record = format!(
        "# ADR-0001 Close the valve {attack}\n\nStatus: accepted\n\n## Decision\n\nThe valve of the pumping station is closed by hand {attack} {endless}.\n"
    );
    std::fs::write(folder.join("adr-0001.md"), record).unwrap();
    let reply = format!("The valve of the pumping station is closed by hand [1]. {attack} {endless}");
    let server =
        OllamaServer::with(World::default().writing(move |_| plumbline_testkit::model::reply(&reply))).await;
    let home = home
        .answering_dialogs(&[&folder])
        .with("OLLAMA_BASE_URL", server.address())
        .with("CHAT_MODEL", "llama3.2");
    let window = Window::open(&home).await;
    window.press("Add a folder").await;
    window.go("Library").await;
    window.sees("Last indexed").await;
    assert_harmless(&window, "the library").await;
    window.go("Ask").await;
    window.ask("How is the valve of the pumping station closed?").await;
    window.sees("closed by hand").await;
    assert_harmless(&window, "an answer").await;
    window.press_on("article .citation").await;
    window.finds("aside mark").await;
    assert_harmless(&window, "a source").await;
    let fetched = elsewhere.accept().map(|_| ()).map_err(|problem| problem.kind());
    assert_eq!(fetched, Err(ErrorKind::WouldBlock), "nothing is fetched from elsewhere");
}
