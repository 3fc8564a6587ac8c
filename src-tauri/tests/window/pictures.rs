use std::path::PathBuf;

use crate::home::Home;
use crate::views::{SCENES, light, show};
use crate::window::Window;

/// Where the pictures go; `cargo xtask screenshots` sets it.
const FOLDER: &str = "PLUMBLINE_SCREENSHOTS";

async fn take(window: &Window, folder: &std::path::Path, name: &str) {
    // Something moves for a moment after every change of view; a picture of it would never be the same twice.
    window.session.run("document.getAnimations().forEach((animation) => animation.finish())").await;
    std::fs::write(folder.join(format!("{name}.png")), window.picture().await).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it makes pictures: `cargo xtask screenshots` runs it"]
async fn of_every_view() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("`cargo xtask screenshots` says where to"));
    std::fs::create_dir_all(&folder).unwrap();
    let window = Window::open(&Home::new()).await;
    window.sees("Answers that hang straight").await;
    take(&window, &folder, "first-run").await;
    window.open_sample_library().await;
    for theme in ["light", "dark"] {
        light(&window, theme).await;
        for scene in SCENES {
            show(&window, scene).await;
            take(&window, &folder, &format!("{scene}-{theme}")).await;
        }
    }
}
