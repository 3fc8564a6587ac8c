use std::path::Path;

use crate::home::Home;
use crate::library::write_records;
use crate::window::Window;

/// Fills in the address of the dialog that is open, and presses its button.
async fn submit(window: &Window, address: &Path, button: &str) {
    let field = window.finds("dialog input[type=text]").await;
    window.session.ask(&field, "arguments[0].select(); return null").await.unwrap();
    field.keys(&address.display().to_string()).await.unwrap();
    window.press_at(&format!("//dialog//footer//button[normalize-space(.)='{button}']")).await;
}

/// Publishes the library of a window.
pub async fn publish(window: &Window, address: &Path) {
    window.go("Library").await;
    window.press("Publish").await;
    submit(window, address, "Publish").await;
    window.sees("Generation 1 is published").await;
}

/// Follows what is published at an address.
pub async fn follow(window: &Window, address: &Path) {
    window.press("Add a team library").await;
    submit(window, address, "Add").await;
    window.sees("Generation 1 is in force").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_is_published_and_followed_in_another_window() {
    let publisher = Home::new();
    let (folder, address) = (publisher.path("records"), publisher.path("team"));
    write_records(&folder, 6);
    let publisher = publisher.answering_dialogs(&[&folder]);
    let window = Window::open(&publisher).await;
    window.press("Add a folder").await;
    window.go("Library").await;
    window.sees("Last indexed").await;
    publish(&window, &address).await;
    window.press("Team").await;
    window.sees("Published from here").await;
    window.close().await;

    let other = Window::open(&Home::new()).await;
    other.press("Add a team library").await;
    submit(&other, &publisher.path("nowhere"), "Add").await;
    other.sees("cannot be reached").await;
    submit(&other, &address, "Add").await;
    other.sees("Generation 1 is in force").await;
    other.go("Library").await;
    other.press("Team").await;
    other.sees("Generation 1, published").await;
    other.go("Ask").await;
    other.ask("How often is pump station 5 inspected?").await;
    other.sees("every 5 days").await;
    other.sees("From the team library at").await;
}
