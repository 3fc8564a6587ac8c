//! Generated turns: passages of made-up records in English and Dutch, and the facts they state.

use std::sync::Arc;

use plumbline_core::domain::{Chunk, Document, Language};

use crate::documents::{adr, chunk, dutch_policy, policy};
use crate::facts::{Fact, Values};
use crate::prng::Prng;

/// A passage and what it states.
pub struct FactPassage {
    /// The passage as the model gets it.
    pub chunk: Chunk,
    /// Its facts, in the order of the text.
    pub facts: Vec<Fact>,
    /// The systems it speaks of.
    pub systems: [&'static str; 2],
}

/// The passages of one turn, numbered from 1.
pub struct World {
    /// The passages.
    pub passages: Vec<FactPassage>,
}

const SYSTEMS: [&str; 12] = [
    "Kestrel", "Meridian", "Halyard", "Tessera", "Quillon", "Borealis", "Ostara", "Fathom", "Cinder",
    "Palisade", "Wren", "Isobar",
];

const FILLER: [(&str, &str); 5] = [
    (
        "The subject was discussed at length in the architecture board.",
        "Het onderwerp is uitvoerig besproken in de architectuurraad.",
    ),
    (
        "Other options were considered and described elsewhere.",
        "Andere opties zijn overwogen en elders beschreven.",
    ),
    (
        "The work is planned together with the operations department.",
        "Het werk wordt samen met de afdeling beheer gepland.",
    ),
    (
        "A review follows when the circumstances change.",
        "Een herziening volgt wanneer de omstandigheden veranderen.",
    ),
    ("Costs and benefits were weighed against each other.", "Kosten en baten zijn tegen elkaar afgewogen."),
];

impl World {
    /// Three to five passages, by chance in one language or in both.
    pub fn generate(rng: &mut Prng) -> Self {
        let mut systems = SYSTEMS;
        rng.shuffle(&mut systems);
        let language = if rng.chance(50) { Language::EN } else { Language::NL };
        let mixed = rng.chance(20);
        let count = 3 + rng.below(3);
        let passages = (0..count)
            .map(|at| {
                let language = if mixed && rng.chance(50) { other(language) } else { language };
                Self::passage(rng, at, [systems[2 * at], systems[2 * at + 1]], language)
            })
            .collect();
        Self { passages }
    }

    fn passage(rng: &mut Prng, at: usize, systems: [&'static str; 2], language: Language) -> FactPassage {
        let document = Self::document(rng, at, systems[0], language);
        let count = 4 + rng.below(4);
        let facts = Fact::several(rng, count, &systems, language);
        let mut blocks: Vec<String> = Vec::new();
        let as_list = rng.chance(25);
        for fact in &facts {
            let sentence = fact.source();
            if as_list {
                blocks.push(format!("- {sentence}"));
            } else {
                blocks.push(sentence);
                if rng.chance(30) {
                    let (english, dutch) = *rng.pick(&FILLER);
                    blocks.push(if language == Language::EN { english } else { dutch }.to_owned());
                }
            }
        }
        let mut text = if as_list { blocks.join("\n") } else { blocks.join(" ") };
        let rows: Vec<String> = facts.iter().filter_map(Fact::table_row).collect();
        if let Some(head) = facts.iter().find_map(Fact::table_head) {
            text = format!("{text}\n\n{head}\n|---|---|---|\n{}\n", rows.join("\n"));
        }
        let section = if language == Language::EN { "Decision Outcome" } else { "Besluit" };
        FactPassage { chunk: chunk(&document, at as u32, &[section], &text), facts, systems }
    }

    fn document(rng: &mut Prng, at: usize, system: &str, language: Language) -> Arc<Document> {
        let number = 100 + 20 * at as u32 + rng.below(20) as u32;
        match language {
            Language::NL => {
                dutch_policy(&format!("{}-{at}", system.to_lowercase()), &format!("Afspraken over {system}"))
            }
            _ if rng.chance(70) => adr(number, &format!("The future of {system}")),
            _ => policy(&format!("{}-{at}", system.to_lowercase()), &format!("Rules for {system}")),
        }
    }

    /// The chunks, in the order of their aliases.
    pub fn chunks(&self) -> Vec<&Chunk> {
        self.passages.iter().map(|passage| &passage.chunk).collect()
    }

    /// Whether any passage holds the text, whatever the case.
    pub fn holds(&self, text: &str) -> bool {
        let wanted = text.to_lowercase();
        self.passages.iter().any(|passage| {
            let chunk = &passage.chunk;
            [&chunk.text, &chunk.document.title, chunk.document.id.as_str()]
                .iter()
                .any(|held| held.to_lowercase().contains(&wanted))
        })
    }

    /// Values that stand in no passage of this turn.
    pub fn foreign_values(&self, rng: &mut Prng, language: Language) -> Values {
        let mut values = Values::by_chance(rng, "Zephyrine", language);
        loop {
            let again = Values::by_chance(rng, "Zephyrine", language);
            if !self.holds(&again.amount.to_string()) {
                values.amount = again.amount;
                break;
            }
        }
        values.alter_beyond(|text| self.holds(text));
        values
    }
}

fn other(language: Language) -> Language {
    match language {
        Language::NL => Language::EN,
        _ => Language::NL,
    }
}
