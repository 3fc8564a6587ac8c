use plumbline_core::decisions::{Mark, Side};
use plumbline_core::ports::{Catalogue, Scope};
use plumbline_library::Library;
use plumbline_telemetry::SystemClock;
use plumbline_workspace::{MarkedOpposition, StatementProgress};
use serde_json::{Value, json};

use crate::answer_text::plain;
use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Shows the statements in force that oppose each other; ends with a code of its own where one of them is not marked.
pub fn run(global: &Global) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let found = wiring::runtime()?.block_on(async {
        let library = workspace.library(None).await?;
        let scope = wiring::scope(global);
        let watched = wiring::shows_progress(global);
        let told = move |progress| {
            if watched {
                show(progress);
            }
        };
        let opposed = workspace.contradictions(&library, &scope, &SystemClock, told).await?;
        if watched {
            eprint!("\r\x1b[K");
        }
        let mut shown = Vec::with_capacity(opposed.found.len());
        for one in &opposed.found {
            shown.push(Shown {
                id: one.opposition.id.clone(),
                kind: one.opposition.kind.as_str(),
                first: passage(&library, &scope, &one.opposition.first).await?,
                second: passage(&library, &scope, &one.opposition.second).await?,
                opposes: one.opposition.opposes.clone(),
                mark: one.mark,
            });
        }
        anyhow::Ok((opposed, shown))
    })?;
    let (opposed, shown) = found;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&shown.iter().map(Shown::json).collect::<Vec<_>>())?);
    } else {
        print(&shown);
        if opposed.by_words_alone {
            println!("by their words alone: the reader is off or missing; `plumbline doctor` says why");
        }
    }
    let open = |one: &MarkedOpposition| one.mark.is_none();
    Ok(if opposed.found.iter().any(open) { Outcome::Contradicted } else { Outcome::Done })
}

/// Says how far it is, on a line that is written over and over.
fn show(progress: StatementProgress) {
    let text = match progress {
        StatementProgress::Comparing { done, total } => format!("comparing statements: {done} of {total}"),
        StatementProgress::Reading { done, total } => {
            format!("reading pairs of statements: {done} of {total}")
        }
    };
    eprint!("\r\x1b[K{text}");
}

struct Shown {
    id: String,
    kind: &'static str,
    first: Passage,
    second: Passage,
    opposes: (String, String),
    mark: Option<Mark>,
}

impl Shown {
    fn json(&self) -> Value {
        json!({
            "id": self.id,
            "kind": self.kind,
            "first": self.first.json(),
            "second": self.second.json(),
            "opposes": self.opposes,
            "mark": self.mark,
        })
    }
}

struct Passage {
    document: String,
    title: String,
    path: String,
    heading: String,
    line: u32,
    sentence: String,
}

impl Passage {
    fn json(&self) -> Value {
        json!({
            "document": self.document,
            "title": self.title,
            "path": self.path,
            "heading": self.heading,
            "line": self.line,
            "sentence": self.sentence,
        })
    }
}

async fn passage(library: &Library, scope: &Scope, side: &Side) -> anyhow::Result<Passage> {
    let document = library.document(&side.document, scope).await?;
    let (title, path) = document.map_or_else(Default::default, |one| (one.title.clone(), one.path.clone()));
    Ok(Passage {
        document: side.document.to_string(),
        title,
        path,
        heading: side.sentence.heading.clone(),
        line: side.sentence.line,
        sentence: side.sentence.text.clone(),
    })
}

fn print(shown: &[Shown]) {
    for one in shown {
        let mark = one.mark.map_or_else(String::new, |mark| format!(", marked {mark:?}"));
        println!("{} ({}{mark})", one.kind, one.id);
        for (passage, words) in [(&one.first, &one.opposes.0), (&one.second, &one.opposes.1)] {
            println!("  {}:{} {}", passage.path, passage.line, plain(&passage.sentence));
            println!("    {}", plain(words));
        }
    }
    let open = shown.iter().filter(|one| one.mark.is_none()).count();
    println!(
        "{}, {open} of them not marked",
        wiring::counted(shown.len(), "contradiction", "contradictions")
    );
}
