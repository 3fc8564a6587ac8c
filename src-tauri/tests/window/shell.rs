use std::path::Path;

use plumbline_contract::COMMANDS;
use serde_json::json;

use crate::home::Home;
use crate::screen::Bus;
use crate::window::Window;

/// Calls commands as the page does, without waiting for them, and keeps how they fail.
const CALL: &str = "window.failures = {};
    for (const name of arguments[0]) {
      window.__TAURI_INTERNALS__.invoke(name, {}).catch((error) => { failures[name] = String(error); });
    }
    arguments[arguments.length - 1]();";

#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_contract_is_handled_and_the_page_gets_at_nothing_else() {
    let nowhere = Path::new("");
    let window = Window::open(&Home::new().answering_dialogs(&[nowhere, nowhere])).await;
    let ours: Vec<&str> =
        COMMANDS.iter().map(|command| command.name).filter(|name| *name != "delete_all_data").collect();
    let foreign = ["plugin:dialog|open", "plugin:opener|open_url", "plugin:event|emit", "no_such_command"];
    let all: Vec<&str> = ours.iter().copied().chain(foreign).collect();
    window.session.run_until_done(CALL, &[json!(all)]).await;
    let failures = async || window.session.run("return failures").await;
    for name in foreign {
        window.until(&format!("{name} is refused"), async || failures().await[name].is_string()).await;
    }
    let failures = failures().await;
    for name in ours {
        let failure = failures[name].as_str().unwrap_or_default();
        assert!(!failure.contains("not found"), "`{name}` has no handler: {failure}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_can_load_and_run_nothing_from_elsewhere() {
    let window = Window::open(&Home::new()).await;
    let script = "window.refused = [];
        document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
        const add = (tag, attributes) => document.body.append(Object.assign(document.createElement(tag), attributes));
        add('script', { textContent: 'window.attacked = true' });
        add('script', { src: 'https://example.org/a.js' });
        add('img', { src: 'https://example.org/a.png' });
        add('link', { rel: 'stylesheet', href: 'https://example.org/a.css' });
        add('iframe', { src: 'https://example.org/' });
        fetch('https://example.org/').catch(() => undefined);";
    window.session.run(script).await;
    for directive in ["connect-src", "frame-src", "img-src", "script-src-elem", "style-src-elem"] {
        let refused = format!("return refused.includes('{directive}')");
        window
            .until(&format!("{directive} refuses"), async || {
                window.session.run(&refused).await == json!(true)
            })
            .await;
    }
    let attacked = window.session.run("return window.attacked ?? false").await;
    assert_eq!(attacked, json!(false), "a script in the page's text must not run");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_ends_and_leaves_the_first_window_as_it_is() {
    let bus = Bus::start();
    let home = Home::with_sample_library().await.with("DBUS_SESSION_BUS_ADDRESS", &bus.address);
    let window = Window::open(&home).await;
    assert!(window.started_again().await.success(), "the second program ends without an error");
    window.ask("Which version of TLS do we require?").await;
    window.sees("TLS 1.3").await;
}
