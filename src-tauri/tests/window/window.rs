use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::hands::{CONTROL, ENTER, Hands, choose};
use crate::home::Home;
use crate::screen::{Driver, Screen};
use crate::session::{Element, Session};

/// However busy the machine is, what a user waits for is there by then.
pub const PATIENCE: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_millis(50);

/// The program: the one built with these tests, or another that `PLUMBLINE_PROGRAM` names, such as a packaged one.
pub fn program() -> String {
    std::env::var("PLUMBLINE_PROGRAM").unwrap_or_else(|_| BUILT.to_owned())
}

/// The program that was built with these tests.
pub const BUILT: &str = env!("CARGO_BIN_EXE_plumbline-desktop");

/// The program's window.
pub struct Window {
    pub session: Session,
    hands: Hands,
    process: Pid,
    _driver: Driver,
    screen: Screen,
    home: Home,
}

impl Window {
    /// Starts the program in this home, and waits until its page is there.
    pub async fn open(home: &Home) -> Self {
        Self::open_program(&program(), home).await
    }

    /// The same, to be worked with the keyboard alone.
    pub async fn open_without_mouse(home: &Home) -> Self {
        Self { hands: Hands::Keyboard, ..Self::open(home).await }
    }

    /// The same with another program.
    pub async fn open_program(program: &str, home: &Home) -> Self {
        let screen = Screen::new();
        let driver = Driver::start(&screen, home.environment());
        let workspace = home.workspace().to_string_lossy().into_owned();
        let session = begin(&driver, program, &workspace).await;
        let process = process_of(program, &workspace).expect("the program runs while its window is open");
        let window =
            Self { session, hands: Hands::Mouse, process, _driver: driver, screen, home: home.clone() };
        window.finds("main").await;
        window
    }

    /// Waits until the text stands in the window.
    pub async fn sees(&self, text: &str) {
        self.until(&format!("{text:?} is seen"), async || self.text().await.contains(text)).await;
    }

    /// Waits until something fits the CSS selector.
    pub async fn finds(&self, selector: &str) -> Element<'_> {
        self.until(&format!("there is `{selector}`"), async || self.count(selector).await > 0).await;
        self.session.find(selector).await.unwrap()
    }

    /// Presses what fits the CSS selector as soon as it can be pressed.
    pub async fn press_on(&self, selector: &str) {
        self.until(&format!("`{selector}` can be pressed"), async || {
            let Ok(found) = self.session.find(selector).await else { return false };
            self.hands.press(&self.session, &found).await
        })
        .await;
    }

    /// Presses what the XPath leads to as soon as it can be pressed.
    pub async fn press_at(&self, path: &str) {
        self.until(&format!("`{path}` can be pressed"), async || {
            let Ok(found) = self.session.find_by_path(path).await else { return false };
            self.hands.press(&self.session, &found).await
        })
        .await;
    }

    /// Chooses from the list with this label.
    pub async fn choose(&self, label: &str, option: &str) {
        let path = format!("//label[.={}]/following-sibling::select", quoted(label));
        self.until(&format!("{option} can be chosen"), async || {
            let Ok(list) = self.session.find_by_path(&path).await else { return false };
            choose(&self.session, &list, option).await
        })
        .await;
    }

    /// Presses the button, tab or link of this name as soon as it can be pressed.
    pub async fn press(&self, name: &str) {
        let name = quoted(name);
        let path = format!(
            "//*[self::button or self::a or self::summary or @role='option' or @role='tab']\
             [not(@disabled)][normalize-space(.)={name} or @aria-label={name} or @title={name} \
             or (@role='tab' and starts-with(normalize-space(.), {name}))]"
        );
        self.press_at(&path).await;
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
            self.session
                .run("return document.title")
                .await
                .as_str()
                .is_some_and(|title| title.starts_with(view))
                && !self.text().await.contains("Loading…")
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
        match self.hands {
            Hands::Mouse => field.keys(&format!("{question}{ENTER}")).await.unwrap(),
            Hands::Keyboard => {
                self.until("the question has the focus", async || {
                    self.session.chord(CONTROL, 'l').await;
                    self.count("[data-focus=question]:focus").await == 1
                })
                .await;
                self.session.keys(question).await;
                // A busy machine hands the last key over before the page has taken in the others.
                self.until("the question is typed", async || {
                    let typed = "return document.querySelector('[data-focus=question]').value";
                    self.session.run(typed).await.as_str() == Some(question)
                })
                .await;
                self.session.keys(&ENTER.to_string()).await;
            }
        }
        self.until("the question stands in the conversation", async || {
            self.count("article[aria-busy]").await > before
        })
        .await;
    }

    /// Waits until no answer is being written.
    pub async fn settled(&self) {
        self.until("the answer is complete", async || self.count("article[aria-busy=true]").await == 0).await;
    }

    /// All that can be read in the window.
    pub async fn text(&self) -> String {
        self.session.run("return document.body.innerText").await.as_str().unwrap_or_default().to_owned()
    }

    /// How many things fit the CSS selector.
    pub async fn count(&self, selector: &str) -> usize {
        let count = self.session.run(&format!("return document.querySelectorAll({selector:?}).length")).await;
        count.as_u64().and_then(|count| count.try_into().ok()).unwrap_or_default()
    }

    /// Waits until something holds; where it never does, the test fails with what the window shows.
    pub async fn until(&self, what: &str, mut holds: impl AsyncFnMut() -> bool) {
        let started = Instant::now();
        while !holds().await {
            if started.elapsed() > PATIENCE {
                panic!("it never came about that {what}; {}\n{}", self.evidence().await, self.text().await);
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Starts the program once more beside this one, as a user does who does not see that it runs; gives how it ends.
    pub async fn started_again(&self) -> ExitStatus {
        let mut second = Command::new(program())
            .arg("--workspace")
            .arg(self.home.workspace())
            .env("DISPLAY", &self.screen.display)
            .env_remove("WAYLAND_DISPLAY")
            .envs(self.home.environment().iter().map(|(name, value)| (name, value)))
            .spawn()
            .unwrap();
        let started = Instant::now();
        loop {
            if let Some(status) = second.try_wait().unwrap() {
                return status;
            }
            if started.elapsed() > PATIENCE {
                second.kill().unwrap();
                panic!("the second program did not end");
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Ends the program as the system does at the end of a session, and waits until it has ended.
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

    /// A picture of the window, as PNG.
    pub async fn picture(&self) -> Vec<u8> {
        BASE64_STANDARD.decode(self.session.picture().await.unwrap()).unwrap()
    }

    /// Where a picture of the window was put.
    async fn evidence(&self) -> String {
        let thread = std::thread::current().name().unwrap_or("window").replace("::", "-");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{thread}.png"));
        std::fs::write(&path, self.picture().await).unwrap();
        format!("see {}", path.display())
    }
}

async fn begin(driver: &Driver, program: &str, workspace: &str) -> Session {
    let started = Instant::now();
    loop {
        match Session::begin(&driver.address, program, &["--workspace", workspace]).await {
            Ok(session) => return session,
            Err(problem) if started.elapsed() > PATIENCE => panic!("the window did not open: {problem}"),
            // The driver itself takes a moment to listen.
            Err(_) => tokio::time::sleep(GLANCE).await,
        }
    }
}

/// The program that was started with this workspace; its file reader has another command line.
fn process_of(program: &str, workspace: &str) -> Option<Pid> {
    std::fs::read_dir("/proc").unwrap().flatten().find_map(|entry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let command = std::fs::read_to_string(entry.path().join("cmdline")).ok()?;
        let mut words = command.split('\0');
        let is_program = words.next()? == program;
        (is_program && words.any(|word| word == workspace)).then(|| Pid::from_raw(pid)).flatten()
    })
}

/// A program that has ended and whose parent has not looked yet does not run.
pub fn is_running(process: Pid) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    test_kill_process(process).is_ok() && !state.is_ok_and(|stat| stat.contains(") Z "))
}

/// A text for XPath, which knows no escapes.
fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}
