use std::collections::VecDeque;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::{Arc, Mutex};

use plumbline_core::domain::Language;
use plumbline_core::engine::Engine;
use plumbline_core::error::AskError;
use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_core::response::{Action, AnswerEvent, AskResponse};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

use crate::answer_text::{self, plain};
use crate::arguments::{ChatArguments, Global};
use crate::commands::ask::doing;
use crate::{Outcome, wiring};

const HELP: &str = "\
Type a question, or the number of a choice.
  /show N   the whole passage behind note [N]
  /withheld sentences that were written and withheld, and why
  /stop     stops the answer that is being written (Ctrl-C does, too)
  /new      begins a new conversation
  /help     this
  /quit     ends
";

/// A conversation on the terminal.
pub fn run(global: &Global, arguments: &ChatArguments) -> anyhow::Result<Outcome> {
    let workspace = Arc::new(wiring::workspace_with(global, &arguments.vocabulary.files)?);
    let _logs = wiring::logs(&workspace);
    let runtime = wiring::runtime()?;
    let language = workspace.settings().general.language;
    runtime.spawn(wiring::follow_team_libraries(Arc::clone(&workspace), CancellationToken::new()));
    let talked = runtime.block_on(async {
        let opened = wiring::engine(&workspace).await?;
        for remark in &opened.remarks {
            eprintln!("plumbline: {}", remark.text(language));
        }
        let mut chat = Chat {
            global,
            language,
            model: arguments.model.clone(),
            engine: &opened.engine,
            lines: lines_of_standard_input(),
            typed_ahead: VecDeque::new(),
            history: Vec::new(),
            last: None,
        };
        chat.talk().await
    });
    workspace.keep_counters()?;
    talked?;
    // A thread may still wait for a line that never comes.
    runtime.shutdown_background();
    Ok(Outcome::Done)
}

struct Chat<'c> {
    global: &'c Global,
    language: Language,
    model: Option<String>,
    engine: &'c Engine,
    lines: UnboundedReceiver<String>,
    typed_ahead: VecDeque<String>,
    history: Vec<ChatMessage>,
    last: Option<AskResponse>,
}

impl Chat<'_> {
    async fn talk(&mut self) -> anyhow::Result<()> {
        let prompted = std::io::stdin().is_terminal();
        if prompted && !self.global.quiet {
            eprint!("{HELP}");
        }
        loop {
            if prompted {
                eprint!("\n> ");
            }
            let line = match self.typed_ahead.pop_front() {
                Some(line) => line,
                None => match self.lines.recv().await {
                    Some(line) => line,
                    None => return Ok(()),
                },
            };
            match line.trim() {
                "" | "/stop" => {}
                "/quit" | "/exit" => return Ok(()),
                "/help" => print!("{HELP}"),
                "/new" => {
                    self.history.clear();
                    self.last = None;
                    println!("A new conversation.");
                }
                "/withheld" => self.show_withheld(),
                command if command.starts_with("/show") => self.show(command),
                command if command.starts_with('/') => {
                    println!("There is no {command}; /help names what there is.")
                }
                question => {
                    let request = self.request(question);
                    self.ask(request).await;
                }
            }
            std::io::stdout().flush()?;
        }
    }

    /// A number chooses what the last answer offered; everything else is a question.
    fn request(&self, typed: &str) -> AskRequest {
        let chosen = typed.parse::<usize>().ok().and_then(|number| {
            let offered = answer_text::choosable(self.last.as_ref()?);
            offered.into_iter().nth(number.checked_sub(1)?)
        });
        let asked = match chosen {
            Some(chosen) => {
                AskRequest { choice: chosen.choice, ..wiring::question(self.global, &chosen.query) }
            }
            None => wiring::question(self.global, typed),
        };
        AskRequest { chat_history: self.history.clone(), model: self.model.clone(), ..asked }
    }

    async fn ask(&mut self, request: AskRequest) {
        let query = request.query.clone();
        let stop = CancellationToken::new();
        let screen = Screen::new(self.global.quiet);
        let events = |event: AnswerEvent| screen.show(event);
        let asking = self.engine.ask(request, &stop, &events);
        tokio::pin!(asking);
        let answered = loop {
            tokio::select! {
                answered = &mut asking => break answered,
                typed = self.lines.recv(), if !stop.is_cancelled() => match typed.as_deref().map(str::trim) {
                    Some("/stop") => stop.cancel(),
                    // The next question may be typed, or piped in, while this one is being answered.
                    Some(line) => self.typed_ahead.push_back(line.to_owned()),
                    None => break asking.await,
                },
                _ = tokio::signal::ctrl_c() => stop.cancel(),
            }
        };
        match answered {
            Ok(response) => {
                screen.finish(&response);
                self.remember(&query, &response);
                self.last = Some(response);
            }
            Err(AskError::Stopped) => println!("\nStopped; what was written so far is no answer."),
            Err(problem) => println!("\n{}", problem.text(self.language)),
        }
    }

    fn remember(&mut self, query: &str, response: &AskResponse) {
        self.history.push(ChatMessage::user(query));
        self.history.push(ChatMessage::assistant(response.told()));
    }

    fn show(&self, command: &str) {
        let number = command.trim_start_matches("/show").trim().trim_matches(['[', ']']).parse::<usize>();
        let citations = self.last.iter().flat_map(|response| &response.citations);
        match number.ok().and_then(|number| citations.clone().find(|citation| citation.number == number)) {
            Some(citation) => print!("{}", answer_text::passage(citation)),
            None => println!("The last answer has {} notes; /show 1 shows the first.", citations.count()),
        }
    }

    fn show_withheld(&self) {
        let withheld = self.last.iter().flat_map(|response| &response.withheld);
        if withheld.clone().next().is_none() {
            println!("Nothing was withheld from the last answer.");
        }
        for sentence in withheld {
            let detail = sentence.detail.as_deref().map_or_else(String::new, |detail| format!(" ({detail})"));
            println!("  {}{}: {}", sentence.label.as_str(), plain(&detail), plain(&sentence.text));
        }
    }
}

/// What is on the terminal of an answer while it comes.
struct Screen {
    quiet: bool,
    written: Mutex<String>,
}

impl Screen {
    fn new(quiet: bool) -> Self {
        Self { quiet: quiet || !std::io::stderr().is_terminal(), written: Mutex::default() }
    }

    fn show(&self, event: AnswerEvent) {
        let Ok(mut written) = self.written.lock() else { return };
        match event {
            AnswerEvent::Stage { stage, report: None } if !self.quiet && written.is_empty() => {
                eprint!("\r\x1b[K{}", doing(stage));
            }
            AnswerEvent::Delta { text } => {
                if !self.quiet && written.is_empty() {
                    eprint!("\r\x1b[K");
                }
                print!("{}", plain(&text));
                // What is checked is shown at once.
                let _ = std::io::stdout().flush();
                written.push_str(&text);
            }
            AnswerEvent::Replaced { .. } if !written.is_empty() => {
                println!("\n(What stands above is withdrawn.)");
                written.clear();
            }
            _ => {}
        }
    }

    fn finish(&self, response: &AskResponse) {
        let Ok(written) = self.written.lock() else { return };
        if !self.quiet && written.is_empty() {
            eprint!("\r\x1b[K");
        }
        let stands = response.action == Action::Cite && written.trim() == response.answer.trim();
        if stands && !written.is_empty() {
            print!("\n{}", answer_text::around(response));
        } else {
            if !written.is_empty() {
                println!("\n(What stands above is withdrawn.)");
            }
            print!("{}", answer_text::whole(response));
        }
    }
}

/// Lines as they are typed, so that an answer can be stopped while it comes.
fn lines_of_standard_input() -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
