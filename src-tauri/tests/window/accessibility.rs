use serde_json::{Value, json};

use crate::home::Home;
use crate::views::{SCENES, light, show};
use crate::window::Window;

const RUN: &str = "const done = arguments[arguments.length - 1];
    axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
      .then((found) => done(found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))))
      .catch((problem) => done([String(problem)]));";

/// What breaks a rule of WCAG 2.2 AA.
async fn violations(window: &Window) -> Value {
    let axe = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe)
        .expect("the UI's packages must be installed: `cargo xtask setup` does it");
    window.session.run(&axe).await;
    window.session.run_until_done(RUN, &[]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_view_breaks_a_rule_of_wcag_in_light_or_dark() {
    let window = Window::open(&Home::with_sample_library().await).await;
    let mut broken = Vec::new();
    for theme in ["light", "dark"] {
        light(&window, theme).await;
        for scene in SCENES {
            show(&window, scene).await;
            let found = violations(&window).await;
            if found != json!([]) {
                broken.push(format!("{scene} in the {theme}: {found:#}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_run_breaks_no_rule() {
    let window = Window::open(&Home::new()).await;
    window.sees("Answers that hang straight").await;
    assert_eq!(violations(&window).await, json!([]));
}
