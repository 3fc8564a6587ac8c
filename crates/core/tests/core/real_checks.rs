//! Replies that real small models wrote, checked as a user's own text over the passages that the model had: what grounding shows of
//! a reply is supported, and what it withholds is not. The data lies beside the repository.

use plumbline_core::answer::Shown;
use plumbline_core::domain::Chunk;
use plumbline_core::ports::Scope;
use plumbline_core::response::StatementVerdict::{Supported, SupportedElsewhere};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::rig::Rig;
use plumbline_testkit::shared_data;
use tokio_util::sync::CancellationToken;

use crate::checker::{bare, run};
use crate::real_answers::recorded;

#[derive(Default)]
struct Tally {
    shown_and_supported: usize,
    withheld_and_not: usize,
    shown_and_not: Vec<String>,
    withheld_and_supported: Vec<String>,
}

#[tokio::test]
async fn a_check_says_of_real_replies_what_grounding_says() {
    let Some(folder) = shared_data::path_or_skip("ollama/answers") else { return };
    let mut tally = Tally::default();
    for file in ["qwen2.5-coder-1.5b.jsonl", "smollm2-135m.jsonl"] {
        let content = std::fs::read_to_string(folder.join(file)).unwrap();
        for recorded in content.lines().map(recorded) {
            let chunks: Vec<&Chunk> = recorded.chunks.iter().collect();
            let (shown, _) = run(&chunks, &recorded.question, &recorded.output);
            let rig = Rig::with().library(FakeLibrary::new(recorded.chunks.clone())).build();
            for unit in &shown {
                let (text, was_shown) = match unit {
                    Shown::Text { text, .. } => (text, true),
                    Shown::Withheld(withheld) => (&withheld.text, false),
                };
                let text = bare(text);
                let (scope, stop) = (Scope::default(), CancellationToken::new());
                let checked = rig.engine.check(&text, &scope, &stop, &|_| {}).await.unwrap();
                // A marker, a heading or a question by itself states nothing that could be checked.
                let [statement] = &checked.statements[..] else { continue };
                let supported = matches!(statement.verdict, Supported | SupportedElsewhere);
                match (was_shown, supported) {
                    (true, true) => tally.shown_and_supported += 1,
                    (false, false) => tally.withheld_and_not += 1,
                    (true, false) => tally.shown_and_not.push(format!("{}: {text}", recorded.id)),
                    (false, true) => tally.withheld_and_supported.push(format!("{}: {text}", recorded.id)),
                }
            }
        }
    }
    let agree = tally.shown_and_supported + tally.withheld_and_not;
    let all = agree + tally.shown_and_not.len() + tally.withheld_and_supported.len();
    println!(
        "{agree} of {all} statements alike: {} shown and supported, {} withheld and not",
        tally.shown_and_supported, tally.withheld_and_not
    );
    for (what, which) in [
        ("shown and not supported", &tally.shown_and_not),
        ("withheld and supported", &tally.withheld_and_supported),
    ] {
        println!("{} {what}", which.len());
        which.iter().for_each(|one| println!("    {one}"));
    }
    assert!(20 * agree >= 19 * all, "{agree} of {all}");
}
