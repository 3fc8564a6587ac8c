use std::path::Path;

use crate::home::Home;
use crate::window::Window;

/// Enough files that their reading can be watched.
const FILES: usize = 120;

pub fn write_records(folder: &Path, files: usize) {
    std::fs::create_dir_all(folder).unwrap();
    for number in 1..=files {
        let text = format!(
            "# ADR-{number:04} Pump station {number}\n\nStatus: accepted\n\n## Decision\n\nPump station {number} is inspected every {number} days by the water board.\n"
        );
        std::fs::write(folder.join(format!("adr-{number:04}.md")), text).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_added_with_progress_and_can_be_asked() {
    let home = Home::new();
    let folder = home.path("records");
    write_records(&folder, FILES);
    let home = home.answering_dialogs(&[&folder]);
    let window = Window::open_without_mouse(&home).await;
    window.press("Add a folder").await;
    window.go("Library").await;
    window.finds("[role=progressbar], progress").await;
    window.sees("Last indexed").await;
    window.sees("Pump station 1").await;
    window.go("Ask").await;
    window.ask("How often is pump station 17 inspected?").await;
    window.sees("every 17 days").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_is_cancelled_changes_nothing() {
    let home = Home::with_sample_library().await.answering_dialogs(&[Path::new("")]);
    let window = Window::open(&home).await;
    window.go("Library").await;
    window.press("Add a folder").await;
    window.press("Folders").await;
    assert!(!window.text().await.contains("records"), "no folder was added");
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_guesses_and_notes_are_told_apart() {
    let window = Window::open(&Home::with_sample_library().await).await;
    window.go("Library").await;
    window.sees("Problems 1").await;
    window.press("Problems").await;
    window.sees("Record and approval record disagree").await;
    window.sees("adr/0031").await;
    window.press("Guesses").await;
    window.sees("Nothing was guessed").await;
    window.press("Notes").await;
    window.sees("Language taken from the text").await;
    let told = "English, by the words of the text.";
    assert!(!window.text().await.contains(told), "many notes of one kind are folded");
    window.press_at("//summary[contains(., 'Language taken from the text')]").await;
    window.sees(told).await;
}
