use std::path::{Path, PathBuf};

use serde_json::json;

use crate::home::Home;
use crate::team::{follow, publish};
use crate::views::{SCENES, light, show};
use crate::window::Window;

/// Where the pictures go; `cargo xtask screenshots` sets it.
const FOLDER: &str = "PLUMBLINE_SCREENSHOTS";

/// Ends what moves, puts a short name in place of where this checkout lies, and waits until all of that is drawn.
const PREPARE: &str = "const done = arguments[arguments.length - 1];
    document.getAnimations().forEach((animation) => animation.finish());
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (text.data.includes(arguments[0])) text.data = text.data.replaceAll(arguments[0], '~/plumbline');
    }
    requestAnimationFrame(() => requestAnimationFrame(() => done(null)));";

async fn take(window: &Window, folder: &Path, name: &str) {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    window.session.run_until_done(PREPARE, &[json!(checkout)]).await;
    std::fs::write(folder.join(format!("{name}.png")), window.picture().await).unwrap();
}

/// Keeps pictures of what the window shows now, in the light and in the dark, where pictures are asked for.
pub async fn keep(window: &Window, name: &str) {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    let chosen = window.session.run("return document.documentElement.dataset.theme ?? 'system'").await;
    for theme in ["dark", "light"] {
        window.session.run(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
        take(window, &folder, &format!("{name}-{theme}")).await;
    }
    window.session.run(&format!("document.documentElement.dataset.theme = {chosen}")).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it makes pictures: `cargo xtask screenshots` runs it"]
async fn of_every_view() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("`cargo xtask screenshots` says where to"));
    std::fs::create_dir_all(&folder).unwrap();
    let home = Home::new();
    let window = Window::open(&home).await;
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
    let address = home.path("team");
    publish(&window, &address).await;
    let reader = Window::open(&Home::new()).await;
    follow(&reader, &address).await;
    for theme in ["light", "dark"] {
        light(&reader, theme).await;
        reader.go("Library").await;
        reader.press("Publish").await;
        take(&reader, &folder, &format!("publish-{theme}")).await;
        reader.press_at("//dialog//footer//button[1]").await;
        reader.press("Team").await;
        take(&reader, &folder, &format!("team-{theme}")).await;
    }
}
