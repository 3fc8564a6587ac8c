use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};

use crate::home::Home;
use crate::screen::{Driver, Screen};

/// However busy the machine is, what a user waits for is there by then.
const PATIENCE: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_millis(50);

/// The program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_plumbline-desktop");

/// The program's window.
pub struct Window {
    pub client: Client,
    process: Pid,
    _driver: Driver,
    _screen: Screen,
}

impl Window {
    /// Starts the program in this home, and waits until its page is there.
    pub async fn open(home: &Home) -> Self {
        Self::open_program(Path::new(PROGRAM), home).await
    }

    /// The same with another program.
    pub async fn open_program(program: &Path, home: &Home) -> Self {
        let screen = Screen::new();
        let driver = Driver::start(&screen, home.environment());
        let workspace = home.workspace();
        let client = connect(&driver, program, &workspace).await;
        let process = process_of(program, &workspace).expect("the program runs while its window is open");
        let window = Self { client, process, _driver: driver, _screen: screen };
        window.finds("main").await;
        window
    }

    /// Waits until the text stands in the window.
    pub async fn sees(&self, text: &str) {
        self.until(&format!("{text:?} is seen"), async || self.text().await.contains(text)).await;
    }

    /// Waits until the text is gone.
    pub async fn no_longer_sees(&self, text: &str) {
        self.until(&format!("{text:?} is gone"), async || !self.text().await.contains(text)).await;
    }

    /// Waits until something fits the CSS selector.
    pub async fn finds(&self, selector: &str) -> Element {
        self.until(&format!("there is `{selector}`"), async || self.count(selector).await > 0).await;
        self.client.find(Locator::Css(selector)).await.unwrap()
    }

    /// Presses the button, tab or link of this name as soon as it can be pressed.
    pub async fn press(&self, name: &str) {
        let name = quoted(name);
        let path = format!(
            "//*[self::button or self::a or self::summary or @role='option' or @role='tab' or @role='menuitem']\
             [not(@disabled)][normalize-space(.)={name} or @aria-label={name} or @title={name}]"
        );
        self.until(&format!("{name} can be pressed"), async || {
            let Ok(found) = self.client.find(Locator::XPath(&path)).await else { return false };
            found.click().await.is_ok()
        })
        .await;
    }

    /// Opens the sample library on the first run, and waits until it can be asked.
    pub async fn open_sample_library(&self) {
        self.press("Try the sample library").await;
        self.finds("[data-focus=question]").await;
        self.go("Library").await;
        self.sees("Last indexed").await;
        self.go("Ask").await;
    }

    /// Goes to a view and waits until it is there.
    pub async fn go(&self, view: &str) {
        self.press(view).await;
        self.until(&format!("{view} is open"), async || {
            self.client.title().await.unwrap().starts_with(view) && !self.text().await.contains("Loading…")
        })
        .await;
    }

    /// Asks a question and waits until its answer is complete.
    pub async fn ask(&self, question: &str) {
        self.begin_to_ask(question).await;
        self.settled().await;
    }

    /// Asks a question and does not wait.
    pub async fn begin_to_ask(&self, question: &str) {
        let before = self.count("article[aria-busy]").await;
        let field = self.finds("[data-focus=question]").await;
        field.send_keys(question).await.unwrap();
        self.keys("\u{E007}").await;
        self.until("the question stands in the conversation", async || {
            self.count("article[aria-busy]").await > before
        })
        .await;
    }

    /// Waits until no answer is being written.
    pub async fn settled(&self) {
        self.until("the answer is complete", async || self.count("article[aria-busy=true]").await == 0).await;
    }

    /// Types into whatever has the focus.
    pub async fn keys(&self, keys: &str) {
        self.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    /// Presses a key while others are held.
    pub async fn chord(&self, held: &[char], key: char) {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for &value in held {
            actions = actions.then(KeyAction::Down { value });
        }
        actions = actions.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        for &value in held {
            actions = actions.then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    /// All that can be read in the window.
    pub async fn text(&self) -> String {
        let text = self.run("return document.body.innerText", vec![]).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// How many things fit the CSS selector.
    pub async fn count(&self, selector: &str) -> usize {
        self.client.find_all(Locator::Css(selector)).await.unwrap().len()
    }

    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap()
    }

    /// Waits until something holds; where it never does, the test fails with what the window shows.
    pub async fn until(&self, what: &str, mut holds: impl AsyncFnMut() -> bool) {
        let started = Instant::now();
        while !holds().await {
            if started.elapsed() > PATIENCE {
                panic!("it never came about that {what}; {}\n{}", self.picture().await, self.text().await);
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Closes the window as the system does at the end of a session, and waits until the program has ended.
    pub async fn close(self) {
        self.end(Signal::TERM).await;
    }

    /// Ends the program without a warning.
    pub async fn kill(self) {
        self.end(Signal::KILL).await;
    }

    async fn end(self, signal: Signal) {
        kill_process(self.process, signal).unwrap();
        let started = Instant::now();
        while is_running(self.process) {
            assert!(started.elapsed() < PATIENCE, "the program did not end");
            tokio::time::sleep(GLANCE).await;
        }
    }

    pub fn process_id(&self) -> i32 {
        self.process.as_raw_nonzero().get()
    }

    /// Where a picture of the window was put.
    async fn picture(&self) -> String {
        let Ok(picture) = self.client.screenshot().await else {
            return "no picture could be taken".to_owned();
        };
        let thread = std::thread::current().name().unwrap_or("window").replace("::", "-");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{thread}.png"));
        std::fs::write(&path, picture).unwrap();
        format!("see {}", path.display())
    }
}

async fn connect(driver: &Driver, program: &Path, workspace: &Path) -> Client {
    let options = json!({ "binary": program, "args": ["--workspace", workspace] });
    let capabilities = Capabilities::from_iter([("webkitgtk:browserOptions".to_owned(), options)]);
    let started = Instant::now();
    loop {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        match builder.capabilities(capabilities.clone()).connect(&driver.address).await {
            Ok(client) => return client,
            // The driver itself takes a moment to listen.
            Err(problem) if started.elapsed() > PATIENCE => panic!("the window did not open: {problem}"),
            Err(_) => tokio::time::sleep(GLANCE).await,
        }
    }
}

/// The program that was started with this workspace; its file reader has another command line.
fn process_of(program: &Path, workspace: &Path) -> Option<Pid> {
    let (program, workspace) = (program.to_string_lossy(), workspace.to_string_lossy());
    std::fs::read_dir("/proc").unwrap().flatten().find_map(|entry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let command = std::fs::read_to_string(entry.path().join("cmdline")).ok()?;
        let mut words = command.split('\0');
        let is_program = words.next()? == program;
        (is_program && words.any(|word| word == workspace)).then(|| Pid::from_raw(pid)).flatten()
    })
}

/// A program that has ended and whose parent has not looked yet does not run.
fn is_running(process: Pid) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    test_kill_process(process).is_ok() && !state.is_ok_and(|stat| stat.contains(") Z "))
}

/// A text for XPath, which knows no escapes.
fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}
