//! A Tauri window with one line of text and nothing behind it: what the real window is measured beside.

fn main() -> tauri::Result<()> {
    tauri::Builder::default().run(tauri::generate_context!("examples/bare-window/tauri.conf.json"))
}
