//! A model that tells the truth in words of its own.

use plumbline_core::domain::Language;

use crate::facts::{Anchor, Fact};
use crate::prng::Prng;
use crate::turns::World;

/// A true statement of a reply, without its marker.
pub struct Statement {
    /// The statement.
    pub text: String,
    /// The alias of the passage that supports it.
    pub alias: usize,
}

/// A true reply and its passages.
pub struct Turn {
    /// The passages.
    pub world: World,
    /// Its statements.
    pub statements: Vec<Statement>,
    /// The reply as the model writes it.
    pub reply: String,
}

impl Turn {
    /// A turn of three to six statements: sentences, list items and sometimes a table.
    pub fn generate(rng: &mut Prng) -> Self {
        let world = World::generate(rng);
        let mut turn = Self { world, statements: Vec::new(), reply: String::new() };
        let as_list = rng.chance(25);
        for _ in 0..3 + rng.below(4) {
            turn.state(rng, as_list);
        }
        if rng.chance(20) {
            turn.add_table();
        }
        turn
    }

    fn state(&mut self, rng: &mut Prng, as_list: bool) {
        let at = rng.below(self.world.passages.len());
        let passage = &self.world.passages[at];
        let fact = rng.pick(&passage.facts);
        let mut text = fact.paraphrase(rng);
        if rng.chance(15) {
            let other = rng.pick(&passage.facts);
            if !std::ptr::eq(fact, other) {
                let second = other.paraphrase(rng);
                text = merged(rng, &text, &second, fact.language);
            }
        } else if rng.chance(10) {
            text = attributed(&text, &passage.chunk.document.reference(), fact);
        }
        let alias = at + 1;
        let opening = match (self.reply.is_empty(), as_list) {
            (true, true) => "- ",
            (true, false) => "",
            (false, true) => "\n- ",
            (false, false) => *rng.pick(&[" ", " ", "\n\n"]),
        };
        self.reply.push_str(opening);
        self.reply.push_str(&match (rng.below(10), text.strip_suffix('.')) {
            (0, _) => text.clone(),
            (1, _) => format!("{text} [{alias}]"),
            (_, Some(sentence)) => format!("{sentence} [{alias}]."),
            (_, None) => format!("{text} [{alias}]"),
        });
        self.statements.push(Statement { text, alias });
    }

    fn add_table(&mut self) {
        let numbers = |facts: &[Fact]| {
            facts.iter().filter(|fact| fact.template.anchor == Anchor::Number).cloned().collect::<Vec<_>>()
        };
        let Some((at, facts)) = self
            .world
            .passages
            .iter()
            .enumerate()
            .map(|(at, passage)| (at, numbers(&passage.facts)))
            .find(|(_, facts)| !facts.is_empty())
        else {
            return;
        };
        let alias = at + 1;
        let head = if facts[0].language == Language::EN {
            "| Subject | Value | System |"
        } else {
            "| Onderwerp | Waarde | Systeem |"
        };
        self.reply.push_str(&format!("\n\n{head}\n|---|---|---|\n"));
        for fact in facts {
            let row = format!("| {} | {} | {} |", fact.values.thing, fact.values.amount, fact.values.system);
            self.reply.push_str(&format!("{} [{alias}] |\n", row.trim_end_matches(" |")));
            self.statements.push(Statement { text: row, alias });
        }
    }
}

/// Two statements of one passage in one sentence.
fn merged(rng: &mut Prng, first: &str, second: &str, language: Language) -> String {
    let joint = match language {
        Language::NL => *rng.pick(&[", en ", "; ", ", terwijl "]),
        _ => *rng.pick(&[", and ", "; ", ", while ", ", whereas "]),
    };
    format!("{}{joint}{}", first.trim_end_matches('.'), lower_first(second))
}

/// The statement with the document's name before it.
fn attributed(text: &str, reference: &str, fact: &Fact) -> String {
    match fact.language {
        Language::NL => format!("Volgens {reference} geldt: {}", lower_first(text)),
        _ => format!("According to {reference}, {}", lower_first(text)),
    }
}

/// The text as it goes on inside a sentence: a name keeps its capital.
fn lower_first(text: &str) -> String {
    const ORDINARY: [&str; 32] = [
        "The",
        "In",
        "For",
        "At",
        "Before",
        "A",
        "All",
        "Each",
        "Every",
        "Because",
        "On",
        "Two",
        "Changes",
        "Connections",
        "It",
        "Storing",
        "Teams",
        "Ownership",
        "Approval",
        "De",
        "Het",
        "Voor",
        "Gedurende",
        "Op",
        "Alle",
        "Verbindingen",
        "Per",
        "Hoogstens",
        "Elke",
        "Omdat",
        "Opslaan",
        "Team",
    ];
    let first = text.split(' ').next().unwrap_or_default();
    let second_is_lower = text.split(' ').nth(1).is_some_and(|word| word.starts_with(char::is_lowercase));
    let thing = second_is_lower
        && ["Audit", "Meter", "Customer", "Signing", "Switching", "Grid", "Access", "Outage"]
            .contains(&first);
    if !ORDINARY.contains(&first) && !thing {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}
