use std::path::Path;
use std::sync::Arc;

use plumbline_core::response::StatementVerdict;
use plumbline_evaluation::grounding::{Judged, MODEL, SpokenFor, Statements, tallies};
use plumbline_workspace::Workspace;

use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Puts every sentence into the mouth of a model that answers its question over the workspace's library, and counts what is shown.
pub fn run(
    global: &Global,
    statements: &Path,
    check: bool,
    output: Option<&Path>,
) -> anyhow::Result<Outcome> {
    let set = Statements::read(statements)?;
    let mut options = wiring::patient_options(global, global.workspace.clone(), &[]);
    options.flags.push((
        "models.allow".to_owned(),
        format!("{{ \"{MODEL}\" = {{ context_window = 32768, max_response = 1024 }} }}"),
    ));
    let workspace = Workspace::open(options)?;
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let judged: Vec<Judged> = runtime.block_on(async {
        let model = SpokenFor::default();
        let engine = workspace.engine_speaking_through(Arc::new(model.clone())).await?.engine;
        let mut judged = Vec::new();
        for (done, one) in set.iter().enumerate() {
            judged.extend(model.judge(&engine, one, check, &stop).await?);
            wiring::remark(global, &format!("{} of {} documents", done + 1, set.len()));
        }
        anyhow::Ok(judged)
    })?;
    wiring::remark(global, "");
    if !wiring::wrote_report(global, output, &serde_json::to_string_pretty(&judged)?)? {
        print(&judged);
    }
    Ok(Outcome::Done)
}

fn print(judged: &[Judged]) {
    for ((unseen, language, kind), tally) in tallies(judged) {
        println!(
            "{:<7} {language:<3} {kind:<16} {:>4} of {:>4} shown, {:>5.1} %",
            if unseen { "unseen" } else { "seen" },
            tally.shown,
            tally.all,
            100.0 * tally.shown as f64 / tally.all as f64
        );
    }
    let compared: Vec<(&Judged, bool)> =
        judged.iter().filter_map(|one| Some((one, one.checked_alike()?))).collect();
    if !compared.is_empty() {
        let alike = compared.iter().filter(|(_, alike)| *alike).count();
        println!("check     {alike} of {} sentences as grounding has them", compared.len());
    }
    for (one, _) in compared.iter().filter(|(_, alike)| !alike) {
        let (kept, checked) =
            (if one.kept { "shown" } else { "withheld" }, one.checked.map(StatementVerdict::as_str));
        println!("check: {} {kept}, {}: {} ({})", one.id, checked.unwrap_or_default(), one.text, one.kind);
    }
    let missed = judged.iter().filter(|one| one.is_true() && !one.found);
    for one in missed {
        println!("not found: {} {}", one.id, one.text);
    }
}
