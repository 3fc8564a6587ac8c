use crate::window::Window;

/// Everything worth looking at with the sample library, by name.
pub const SCENES: [&str; 11] = [
    "answer",
    "definition",
    "picker",
    "refusal",
    "list",
    "library",
    "vocabulary",
    "memory",
    "metrics",
    "evaluation",
    "settings",
];

/// Brings a scene about.
pub async fn show(window: &Window, scene: &str) {
    let question = match scene {
        "answer" => "Which version of TLS do we require?",
        "definition" => "What is CIMXML?",
        "picker" => "What is CIM?",
        "refusal" => "What does ADR-9999 decide?",
        "list" => "List all principles about security",
        "memory" => return window.go("Curated memory").await,
        view => {
            let mut name = view.to_owned();
            name[..1].make_ascii_uppercase();
            return window.go(&name).await;
        }
    };
    window.press("New conversation").await;
    window.ask(question).await;
    if scene == "answer" {
        window.press_on("article .citation").await;
        window.finds("aside mark").await;
    }
}

/// Puts the window in the light or the dark.
pub async fn light(window: &Window, theme: &str) {
    window.go("Settings").await;
    window.press_on(&format!("input[name=theme][value={theme}]")).await;
    window.finds(&format!("html[data-theme={theme}]")).await;
}
