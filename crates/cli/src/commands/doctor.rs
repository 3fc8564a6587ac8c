use plumbline_core::domain::Language;
use plumbline_workspace::doctor::{CheckUp, Health};

use crate::answer_text::plain;
use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Looks at every part and says how it is, and what to do where it is not well.
pub fn run(global: &Global) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let found = wiring::runtime()?.block_on(workspace.check_up());
    if global.json {
        println!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        print(&found, workspace.settings().general.language);
    }
    if !found.is_well() {
        anyhow::bail!("something is broken; each line marked ✗ says what to do");
    }
    Ok(Outcome::Done)
}

fn print(found: &CheckUp, language: Language) {
    for finding in &found.findings {
        let mark = match finding.health {
            Health::Well => "✓",
            Health::Off => "–",
            Health::Remark => "!",
            Health::Broken => "✗",
        };
        println!("{mark} {:<11}{}", finding.part, plain(&finding.text.text(language)));
        if let Some(fix) = &finding.fix {
            println!("             → {}", plain(&fix.text(language)));
        }
    }
}
