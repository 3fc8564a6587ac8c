use plumbline_contract::COMMANDS;
use serde_json::{Value, json};

use crate::home::Home;
use crate::window::Window;

/// Calls a command as the page does, and gives its error.
const CALL: &str = "const done = arguments[arguments.length - 1];
    window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1]).then(() => done(null), (error) => done(error));";

#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_contract_is_handled_and_no_other() {
    let window = Window::open(&Home::new()).await;
    for command in COMMANDS.iter().filter(|command| command.name != "delete_all_data") {
        // An argument of the wrong kind keeps it from doing anything, but only a handler says so.
        let error = window.client.execute_async(CALL, vec![json!(command.name), json!({})]).await.unwrap();
        let unknown = error.as_str().is_some_and(|error| error.contains("not found"));
        assert!(!unknown, "`{}` has no handler: {error}", command.name);
    }
    for foreign in ["no_such_command", "plugin:dialog|open", "plugin:opener|open_url", "plugin:event|emit"] {
        let error = window.client.execute_async(CALL, vec![json!(foreign), json!({})]).await.unwrap();
        assert!(error != Value::Null, "the page must not get at {foreign}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_can_load_and_run_nothing_from_elsewhere() {
    let window = Window::open(&Home::new()).await;
    let script = "const done = arguments[arguments.length - 1];
        const refused = [];
        document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
        const add = (tag, attributes) => document.head.append(Object.assign(document.createElement(tag), attributes));
        add('script', { textContent: 'window.attacked = true' });
        add('script', { src: 'https://example.org/a.js' });
        add('img', { src: 'https://example.org/a.png' });
        add('link', { rel: 'stylesheet', href: 'https://example.org/a.css' });
        add('iframe', { src: 'https://example.org/' });
        document.body.append(document.head.lastChild);
        fetch('https://example.org/').catch(() => undefined)
          .finally(() => setTimeout(() => done([window.attacked ?? false, refused.toSorted()]), 0));";
    let outcome = window.client.execute_async(script, vec![]).await.unwrap();
    let refused = outcome[1].as_array().unwrap();
    assert_eq!(outcome[0], json!(false), "a script in the page's text must not run");
    for directive in ["connect-src", "frame-src", "img-src", "script-src-elem", "style-src-elem"] {
        assert!(refused.contains(&json!(directive)), "{directive} let something through: {refused:?}");
    }
}
