use std::collections::BTreeMap;

use plumbline_testkit::liar::{Lie, Turn};
use plumbline_testkit::prng::Prng;

use crate::checker::{bare, run, shown_texts, violations};
use crate::outcomes::record;

const TURNS: u64 = 500;

/// These can be looked up word for word, so not one may pass.
const NEVER: [Lie; 5] = [Lie::Number, Lie::Date, Lie::Id, Lie::Quote, Lie::Link];

#[derive(Default)]
struct Tally {
    told: usize,
    shown: usize,
    examples: Vec<String>,
}

#[test]
fn liar_over_500_turns() {
    let mut by_lie: BTreeMap<Option<Lie>, Tally> = BTreeMap::new();
    let (mut invented_citations, mut markers) = (0, 0);
    let mut fabricated: Vec<String> = Vec::new();
    for seed in 0..TURNS {
        let turn = Turn::generate(&mut Prng::new(seed));
        let chunks = turn.world.chunks();
        let (shown, outcome) = run(&chunks, "What was decided?", &turn.reply);
        record(&format!("liar {seed}"), &shown, &outcome, None);
        let answer = bare(&outcome.answer);
        for unit in shown_texts(&shown) {
            markers += unit.matches('[').count();
            for wrong in violations(unit, &outcome.cited, &chunks) {
                invented_citations += usize::from(wrong.contains("citation"));
                fabricated.push(format!("seed {seed}: {wrong} in {unit:?}"));
            }
        }
        for told in &turn.told {
            let tally = by_lie.entry(told.lie).or_default();
            tally.told += 1;
            if answer.contains(bare(&told.text).trim_end_matches('.')) {
                tally.shown += 1;
                tally.examples.push(format!("seed {seed}: {}", told.text));
            }
        }
    }

    println!(
        "liar over {TURNS} turns: {markers} citations shown, {invented_citations} invented; {} fabrications found by the checker",
        fabricated.len()
    );
    for (lie, tally) in &by_lie {
        let name = lie.map_or_else(|| "true".to_owned(), |lie| format!("{lie:?}"));
        println!(
            "  {name:<14} told {:>4}, shown {:>4} ({:.1} %)",
            tally.told,
            tally.shown,
            100.0 * tally.shown as f64 / tally.told as f64
        );
        if lie.is_some() {
            tally.examples.iter().take(12).for_each(|example| println!("      {example}"));
        }
    }
    assert_eq!(invented_citations, 0, "every [n] is a minted passage");
    assert!(
        fabricated.is_empty(),
        "nothing may be shown that the cited passage does not hold:\n{}",
        fabricated.join("\n")
    );
    for lie in NEVER {
        assert_eq!(by_lie[&Some(lie)].shown, 0, "{lie:?}: a lie that can be looked up was shown");
    }
    let others = by_lie.iter().filter(|(lie, _)| lie.is_some_and(|lie| !NEVER.contains(&lie)));
    let (told, shown) =
        others.fold((0, 0), |(told, shown), (_, tally)| (told + tally.told, shown + tally.shown));
    println!("  other lies shown: {shown} of {told} ({:.2} %)", 100.0 * shown as f64 / told as f64);
    assert!(shown * 100 <= told, "more than 1 % of the other lies were shown: {shown} of {told}");
    let truth = &by_lie[&None];
    assert!(
        truth.shown * 100 >= truth.told * 95,
        "truth among lies is lost: {} of {}",
        truth.shown,
        truth.told
    );
}
