//! Terms that are no labels get no definition, and slips of the pen get the label that was meant as a suggestion.

use std::collections::BTreeSet;

use plumbline_core::domain::Language;
use plumbline_core::ports::{LookupOutcome, Vocabulary};
use plumbline_testkit::prng::Prng;

use crate::support::{ALL, Literals, rough, sample, sample_files};

/// As many as the window shows.
const SUGGESTIONS: usize = 3;

#[test]
fn ten_thousand_made_up_terms_get_no_definition() {
    let labels = ALL.literals.rough_labels();
    let mut rng = Prng::new(1);
    let mut asked = 0;
    while asked < 10_000 {
        let term = made_up(&mut rng);
        if labels.contains(&rough(&term)) {
            continue;
        }
        asked += 1;
        let language = *rng.pick(&[Language::EN, Language::NL]);
        assert_eq!(ALL.vocabulary.look_up(&term, language), LookupOutcome::NotFound, "{term} is no label");
    }
}

fn made_up(rng: &mut Prng) -> String {
    const SYLLABLES: [&str; 24] = [
        "net", "zu", "cim", "tro", "la", "pre", "ver", "mod", "el", "sta", "tion", "grid", "ö", "kra", "be",
        "heer", "da", "ta", "x", "ion", "ge", "pro", "file", "ing",
    ];
    let word = |rng: &mut Prng| (0..1 + rng.below(4)).map(|_| *rng.pick(&SYLLABLES)).collect::<String>();
    (0..1 + rng.below(3)).map(|_| word(rng)).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn misspelt_labels_get_no_definition_and_the_right_suggestion() {
    let of_sample = Literals::of_files(&sample_files());
    for (name, vocabulary, literals) in
        [("sample", sample(), &of_sample), ("all", &ALL.vocabulary, &ALL.literals)]
    {
        let rough_labels = literals.rough_labels();
        let labels: BTreeSet<(String, Option<String>)> = vocabulary
            .data()
            .concepts
            .iter()
            .flat_map(|concept| concept.preferred.iter().chain(&concept.alternative))
            .filter(|label| label.text.chars().count() > 2)
            .map(|label| (label.text.clone(), label.language.clone()))
            .collect();
        let labels: Vec<(String, Option<String>)> = labels.into_iter().collect();
        let mut rng = Prng::new(2);
        let (mut asked, mut suggested) = (0, 0);
        let mut missed = Vec::new();
        while asked < 1_000 {
            let (label, tag) = rng.pick(&labels);
            let term = misspelt(label, &mut rng);
            if rough_labels.contains(&rough(&term)) {
                continue;
            }
            asked += 1;
            let language = tag.as_deref().and_then(Language::from_code).unwrap_or_default();
            assert_eq!(vocabulary.look_up(&term, language), LookupOutcome::NotFound, "{term} is no label");
            let near = vocabulary.nearest_labels(&term, language, SUGGESTIONS).await;
            if near.iter().any(|near| rough(near) == rough(label)) {
                suggested += 1;
            } else {
                missed.push(format!("{term} for {label}: {near:?}"));
            }
        }
        println!("{name}: {suggested} of {asked} misspelt terms are suggested right");
        missed.iter().take(15).for_each(|miss| println!("  {miss}"));
        assert!(suggested * 100 >= asked * 90, "{suggested} of {asked}");
    }
}

/// One slip: two letters swapped, one dropped, doubled, or hit beside.
fn misspelt(label: &str, rng: &mut Prng) -> String {
    const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
    let mut letters: Vec<char> = label.chars().collect();
    let at = rng.below(letters.len() - 1);
    match rng.below(4) {
        0 => letters.swap(at, at + 1),
        1 => {
            letters.remove(at);
        }
        2 => letters.insert(at, letters[at]),
        _ => {
            let lower = letters[at].to_ascii_lowercase();
            if let Some(row) = ROWS.iter().find(|row| row.contains(lower)) {
                let keys: Vec<char> = row.chars().collect();
                let key = keys.iter().position(|key| *key == lower).unwrap();
                letters[at] = if key + 1 < keys.len() { keys[key + 1] } else { keys[key - 1] };
            }
        }
    }
    letters.into_iter().collect()
}
