use plumbline_core::answer::Shown;
use plumbline_core::domain::Language;
use plumbline_testkit::paraphrase::Turn;
use plumbline_testkit::prng::Prng;

use crate::checker::{bare, run, shown_texts, violations};
use crate::outcomes::record;

const TURNS: u64 = 500;

#[test]
fn honest_over_500_turns() {
    let (mut said, mut kept, mut well_cited) = (0, 0, 0);
    let mut by_language = [(0, 0); 2];
    let mut wrong: Vec<String> = Vec::new();
    for seed in 0..TURNS {
        let turn = Turn::generate(&mut Prng::new(10_000 + seed));
        let chunks = turn.world.chunks();
        let (shown, outcome) = run(&chunks, "What was decided?", &turn.reply);
        record(&format!("honest {seed}"), &shown, &outcome, None);
        let texts = shown_texts(&shown);
        for unit in &texts {
            wrong.extend(
                violations(unit, &outcome.cited, &chunks)
                    .into_iter()
                    .map(|wrong| format!("seed {seed}: {wrong} in {unit:?}")),
            );
        }
        for statement in &turn.statements {
            let unit = texts.iter().find(|unit| bare(unit).contains(&bare(&statement.text)));
            let language = chunks[statement.alias - 1].language;
            let tally = &mut by_language[usize::from(language == Language::NL)];
            said += 1;
            tally.0 += 1;
            if let Some(unit) = unit {
                kept += 1;
                tally.1 += 1;
                let number =
                    outcome.cited.iter().position(|alias| *alias == statement.alias).map(|at| at + 1);
                well_cited += usize::from(number.is_some_and(|number| unit.contains(&format!("[{number}]"))));
            } else {
                let withheld = shown.iter().find_map(|shown| match shown {
                    Shown::Withheld(withheld) if bare(&withheld.text).contains(&bare(&statement.text)) => {
                        Some(withheld)
                    }
                    _ => None,
                });
                println!(
                    "    lost, seed {seed}: {} — {:?}",
                    statement.text,
                    withheld.map(|withheld| (withheld.label, withheld.detail.clone()))
                );
            }
        }
    }
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!(
        "honest over {TURNS} turns: {kept} of {said} true statements kept ({:.2} %), {:.2} % with their own passage",
        percent(kept, said),
        percent(well_cited, kept)
    );
    println!(
        "  English {:.2} % of {}, Dutch {:.2} % of {}",
        percent(by_language[0].1, by_language[0].0),
        by_language[0].0,
        percent(by_language[1].1, by_language[1].0),
        by_language[1].0
    );
    assert!(wrong.is_empty(), "the checker must agree with the truth:\n{}", wrong.join("\n"));
    assert!(kept * 100 >= said * 98, "only {kept} of {said} true statements survived");
}
