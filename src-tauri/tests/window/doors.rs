//! Check my text, the model server and Plumbline's own model, by keys alone and in both languages.

use plumbline_testkit::ollama_server::{OllamaServer, World};
use serde_json::json;

use crate::hands::{CONTROL, ENTER, TAB};
use crate::home::Home;
use crate::pictures::keep;
use crate::window::Window;

const DOWN: char = '\u{E015}';

struct Words {
    language: &'static str,
    check: &'static str,
    pick: &'static str,
    draft: &'static str,
    verdicts: [&'static str; 3],
    told: &'static str,
    export: &'static str,
    settings: &'static str,
    kind: &'static str,
    another: &'static str,
    address: &'static str,
    examine: &'static str,
    answers: &'static str,
    own_model: &'static str,
    program: &'static str,
    missing: &'static str,
    extracts: &'static str,
}

const ENGLISH: Words = Words {
    language: "en",
    check: "Check my text",
    pick: "Open a file",
    draft: "**Backups** are encrypted with separate keys. Data in transit is not encrypted. Certificates are made of cheese.",
    verdicts: ["Supported", "Contradicted", "Not supported"],
    told: "are encrypted with separate keys",
    export: "Export",
    settings: "Settings",
    kind: "Kind of server",
    another: "Another",
    address: "Address",
    examine: "Test everything",
    answers: "llama.cpp answers at",
    own_model: "Use a model that Plumbline runs",
    program: "The program llama-server",
    missing: "there is no file /nowhere/llama-server",
    extracts: "no language model",
};

const DUTCH: Words = Words {
    language: "nl",
    check: "Mijn tekst toetsen",
    pick: "Bestand openen",
    draft: "**Back-ups** worden versleuteld met aparte sleutels. Gegevens onderweg worden niet versleuteld. Certificaten zijn van kaas gemaakt.",
    verdicts: ["Onderbouwd", "Tegengesproken", "Niet onderbouwd"],
    told: "worden versleuteld met aparte sleutels",
    export: "Exporteren",
    settings: "Instellingen",
    kind: "Soort server",
    another: "Een andere",
    address: "Adres",
    examine: "Alles testen",
    answers: "llama.cpp antwoordt op",
    own_model: "Een model gebruiken dat Plumbline zelf draait",
    program: "Het programma llama-server",
    missing: "het bestand /nowhere/llama-server bestaat niet",
    extracts: "geen taalmodel",
};

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_checked_read_and_exported_without_a_mouse() {
    for words in [ENGLISH, DUTCH] {
        let named = |scene: &str| format!("{scene}-{}", words.language);
        let home = Home::with_sample_library().await.with("PLUMBLINE_GENERAL_LANGUAGE", words.language);
        let (picture, exported) = (home.path("picture.png"), home.path("checked.md"));
        std::fs::write(&picture, b"\x89PNG\r\n\x1a\n").unwrap();
        let window = Window::open_without_mouse(&home.answering_dialogs(&[&picture, &exported])).await;
        window.go(words.check).await;
        keep(&window, &named("check-empty")).await;
        window.press(words.pick).await;
        window.sees("picture.png").await;
        keep(&window, &named("check-refused")).await;
        window.press_on("main textarea").await;
        window.session.keys(words.draft).await;
        window.session.chord(CONTROL, ENTER).await;
        window.until("all statements are told", async || window.count("main ol button").await == 3).await;
        let badges = "return [...document.querySelectorAll('main ol button > :first-child')].map((it) => it.textContent)";
        assert_eq!(window.session.run(badges).await, json!(words.verdicts));
        assert!(!window.text().await.contains("picture.png"), "what was refused is past");
        window.press_on("main ol button").await;
        window.finds("main section[aria-live]").await;
        assert!(!window.text().await.contains("**"), "passages and statements are shown without their marks");
        keep(&window, &named("check")).await;
        for (place, scene) in [(2, "check-contradicted"), (3, "check-unsupported")] {
            window.session.key(DOWN).await;
            window
                .until("the arrow leads to the next statement", async || {
                    window.count(&format!("main ol li:nth-child({place}) button[aria-current=true]")).await
                        == 1
                })
                .await;
            keep(&window, &named(scene)).await;
        }
        window.press(words.export).await;
        window.until("it is written", async || exported.is_file()).await;
        let text = std::fs::read_to_string(&exported).unwrap();
        assert!(text.contains(words.told), "{text}");
        window.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_and_a_model_of_our_own_are_set_up_without_a_mouse() {
    let server = OllamaServer::with(World::default().of_llama_cpp()).await;
    for words in [ENGLISH, DUTCH] {
        let named = |scene: &str| format!("{scene}-{}", words.language);
        let home = Home::new().with("PLUMBLINE_GENERAL_LANGUAGE", words.language);
        let window = Window::open_without_mouse(&home).await;
        window.go(words.settings).await;
        window.choose(words.kind, words.another).await;
        window.until("it is chosen", async || window.text().await.contains("/v1")).await;
        window.write(words.address, "http://127.0.0.1:9/v1").await;
        window.press(words.examine).await;
        window.sees("llama-server -m").await;
        keep(&window, &named("server-absent")).await;
        window.write(words.address, &format!("{}/v1", server.address())).await;
        window.press(words.examine).await;
        window.sees(words.answers).await;
        keep(&window, &named("server")).await;

        window.press_at(&format!("//label[.='{}']/preceding-sibling::input", words.own_model)).await;
        window.write(words.program, "/nowhere/llama-server").await;
        window.sees(words.missing).await;
        window.sees(words.extracts).await;
        keep(&window, &named("own-model")).await;
        window.close().await;
    }
}

impl Window {
    /// Writes into the field of this label, in place of what stands there, and leaves it.
    async fn write(&self, label: &str, text: &str) {
        let path = format!("//label[.='{label}']/following-sibling::input");
        self.until(&format!("{label} can be reached"), async || {
            let Ok(field) = self.session.find_by_path(&path).await else { return false };
            crate::hands::go_to(&self.session, &field).await
        })
        .await;
        self.session.chord(CONTROL, 'a').await;
        self.session.keys(text).await;
        self.session.key(TAB).await;
    }
}
