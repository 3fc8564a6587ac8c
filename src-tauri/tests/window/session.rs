//! As much of the WebDriver protocol as a user's hands and eyes need. The kept client for it would bring second versions of
//! packages that LanceDB builds on, and have all of that compiled twice.

use serde_json::{Value, json};

/// What the protocol calls a reference to an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Why the driver refused, in its own words.
type Refused = String;

/// A window under the driver's hands.
pub struct Session {
    http: reqwest::Client,
    address: String,
}

/// Something in the page.
pub struct Element<'s> {
    session: &'s Session,
    reference: String,
}

impl Session {
    /// Has the driver start a program.
    pub async fn begin(driver: &str, program: &str, arguments: &[&str]) -> Result<Self, Refused> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut session = Self { http: reqwest::Client::new(), address: driver.to_owned() };
        let options = json!({ "binary": program, "args": arguments });
        let wanted = json!({ "capabilities": { "alwaysMatch": { "webkitgtk:browserOptions": options } } });
        let begun = session.post("/session", wanted).await?;
        session.address = format!("{driver}/session/{}", text(&begun["sessionId"]));
        Ok(session)
    }

    /// The first element that fits a CSS selector.
    pub async fn find(&self, selector: &str) -> Result<Element<'_>, Refused> {
        self.locate("css selector", selector).await
    }

    /// The first element that an XPath leads to.
    pub async fn find_by_path(&self, path: &str) -> Result<Element<'_>, Refused> {
        self.locate("xpath", path).await
    }

    async fn locate(&self, using: &str, value: &str) -> Result<Element<'_>, Refused> {
        let found = self.post("/element", json!({ "using": using, "value": value })).await?;
        Ok(Element { session: self, reference: text(&found[ELEMENT]) })
    }

    /// Types into whatever has the focus.
    pub async fn keys(&self, keys: &str) {
        let focused = self.get("/element/active").await.unwrap();
        Element { session: self, reference: text(&focused[ELEMENT]) }.keys(keys).await.unwrap();
    }

    /// Presses a key, whatever has the focus.
    pub async fn key(&self, key: char) {
        self.strokes(&[("keyDown", key), ("keyUp", key)]).await;
    }

    /// Presses a key while another is held.
    pub async fn chord(&self, held: char, key: char) {
        self.strokes(&[("keyDown", held), ("keyDown", key), ("keyUp", key), ("keyUp", held)]).await;
    }

    async fn strokes(&self, strokes: &[(&str, char)]) {
        let strokes: Vec<_> =
            strokes.iter().map(|(kind, key)| json!({ "type": kind, "value": key })).collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.post("/actions", json!({ "actions": [keyboard] })).await.unwrap();
    }

    /// What a script returns.
    pub async fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": [] })).await.unwrap()
    }

    /// What a script returns that looks at an element, its first argument.
    pub async fn ask(&self, element: &Element<'_>, script: &str) -> Result<Value, Refused> {
        let element = json!({ ELEMENT: element.reference });
        self.post("/execute/sync", json!({ "script": script, "args": [element] })).await
    }

    /// What a script hands to the function that is its last argument.
    pub async fn run_until_done(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("/execute/async", json!({ "script": script, "args": arguments })).await.unwrap()
    }

    /// What the window looks like, as PNG in base64.
    pub async fn picture(&self) -> Result<String, Refused> {
        self.get("/screenshot").await.map(|picture| text(&picture))
    }

    async fn get(&self, path: &str) -> Result<Value, Refused> {
        value(self.http.get(format!("{}{path}", self.address))).await
    }

    async fn post(&self, path: &str, body: Value) -> Result<Value, Refused> {
        value(self.http.post(format!("{}{path}", self.address)).body(body.to_string())).await
    }
}

impl Element<'_> {
    pub async fn click(&self) -> Result<(), Refused> {
        self.act("click", json!({})).await
    }

    pub async fn keys(&self, keys: &str) -> Result<(), Refused> {
        self.act("value", json!({ "text": keys })).await
    }

    async fn act(&self, what: &str, how: Value) -> Result<(), Refused> {
        self.session.post(&format!("/element/{}/{what}", self.reference), how).await.map(|_| ())
    }
}

async fn value(request: reqwest::RequestBuilder) -> Result<Value, Refused> {
    let refused = |problem: reqwest::Error| problem.to_string();
    let response = request.send().await.map_err(refused)?;
    let status = response.status();
    let body = response.bytes().await.map_err(refused)?;
    let mut body: Value = serde_json::from_slice(&body).map_err(|problem| problem.to_string())?;
    match status.is_success() {
        true => Ok(body["value"].take()),
        false => Err(body["value"].to_string()),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
