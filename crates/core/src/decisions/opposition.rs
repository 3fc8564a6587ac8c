//! Which statements in force oppose each other: decided by rules on typed statements, never by a model.

mod demands;
mod records;
mod repeated;
mod swapped;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use jiff::civil::Date;

use super::statement::{Statement, subject};
use super::{Graph, Opposition, Sentence, Side};
use crate::domain::{Document, Language, Standing};
use crate::fold::fold;
use crate::language::Sections;
use crate::numbers::numbers;
use crate::ports::PortError;
use crate::text::ends_in;

/// A document with the sentences that may state something.
#[derive(Debug, Clone)]
pub struct Told {
    /// The document.
    pub document: Arc<Document>,
    /// Its sentences, in their order.
    pub sentences: Vec<Sentence>,
}

/// Whether sentences under this heading decide nothing: they tell what could have been, or why something had to be.
fn is_weighed(heading: &str) -> bool {
    let heading = fold(heading);
    let heading = heading.trim_start_matches(|c: char| !c.is_alphabetic());
    let opens = |names: &[String]| names.iter().any(|name| heading.starts_with(name.as_str()));
    let weighs = |sections: &Sections| opens(&sections.options) || opens(&sections.context);
    Language::all().any(|language| weighs(&language.documents().sections))
}

/// Whether a record decides under this heading: what it says there is how things are to be.
fn decides(heading: &str) -> bool {
    let heading = fold(heading);
    let heading = heading.trim_start_matches(|c: char| !c.is_alphabetic());
    let is_one = |names: &[String]| names.iter().any(|name| heading == name);
    let decides = |sections: &Sections| is_one(&sections.decision) || is_one(&sections.statement);
    Language::all().any(|language| decides(&language.documents().sections))
}

/// Whether a sentence under a heading may state something that another opposes: only such are kept.
pub fn may_oppose(text: &str, heading: &str, language: Language) -> bool {
    Statement::of(text, language, decides(heading)).is_some() || records::may_tell(text)
}

/// A statement with the sentence and the document that it stands in.
struct Placed<'t> {
    told: &'t Told,
    sentence: &'t Sentence,
    statement: Statement,
    /// The stems of heading and title, which a sentence does not repeat.
    context: BTreeSet<String>,
}

impl Placed<'_> {
    fn side(&self) -> Side {
        Side { document: self.told.document.id.clone(), sentence: self.sentence.clone() }
    }
}

/// Whether what a document says holds, as far as is known.
fn is_in_force(document: &Document) -> bool {
    matches!(document.standing(), Standing::InForce | Standing::Unknown)
}

/// All statements that oppose each other as far as their words tell, by document and line.
pub fn oppositions(told: &[Told], graph: &Graph, today: Date) -> Vec<Opposition> {
    let check = Check::new(told, graph, today);
    let opposed = demands::opposed(&check.placed, &check.library).into_iter();
    let stated = opposed.map(|(a, b, (kind, words))| {
        Opposition::new(kind, check.placed[a].side(), check.placed[b].side(), words)
    });
    check.oppositions(stated.collect())
}

/// What tells that two statements speak of the same thing where their words do not.
pub trait Meaning {
    /// One vector a text, in order, L2-normalised; an empty one where it is not known.
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, PortError>;

    /// How surely each text follows from its passage, from 0 to 1; none where it is not known.
    fn follows(&self, readings: &[(String, String)]) -> Result<Vec<Option<f32>>, PortError>;
}

/// All statements that oppose each other by what they mean, however they are worded; by document and line.
pub fn oppositions_in_any_words(
    told: &[Told],
    graph: &Graph,
    today: Date,
    meaning: &dyn Meaning,
) -> Result<Vec<Opposition>, PortError> {
    let check = Check::new(told, graph, today);
    let doubts = check.doubts(&meaning.vectors(&check.statements())?);
    let readings: Vec<(String, String)> = doubts.iter().flat_map(|doubt| doubt.readings.clone()).collect();
    let follows = meaning.follows(&readings)?;
    let mut rest = follows.as_slice();
    let mut stated = Vec::new();
    for doubt in doubts {
        let (own, others) = rest.split_at_checked(doubt.readings.len()).unwrap_or_default();
        rest = others;
        if doubt.is_settled(own) {
            stated.push(doubt.opposition);
        }
    }
    Ok(check.oppositions(stated))
}

/// The statements of a library, to be held against each other.
struct Check<'t> {
    told: &'t [Told],
    graph: &'t Graph,
    today: Date,
    placed: Vec<Placed<'t>>,
    library: Library,
}

impl<'t> Check<'t> {
    /// Reads what documents state.
    fn new(told: &'t [Told], graph: &'t Graph, today: Date) -> Self {
        let placed = placed(told);
        Self { told, graph, today, library: Library::of(&placed), placed }
    }

    /// The statements in force, each as it is written.
    fn statements(&self) -> Vec<&'t str> {
        self.placed.iter().map(|one| one.sentence.text.as_str()).collect()
    }

    /// Statements that oppose each other if they speak of the same thing, by vectors of [`Self::statements`].
    fn doubts(&self, vectors: &[Vec<f32>]) -> Vec<swapped::Doubt> {
        swapped::doubts(&self.placed, &self.library, vectors)
    }

    /// All that oppose each other, by document and line, where these do by what they state.
    fn oppositions(&self, stated: Vec<Opposition>) -> Vec<Opposition> {
        let mut found = repeated::without(self.told, stated);
        found.extend(demands::expired(&self.placed, &self.library, self.today));
        found.extend(records::rests_on_ended(self.told, self.graph));
        found.extend(records::status_disagrees(self.told));
        let place = |side: &Side| (side.document.clone(), side.sentence.line, side.sentence.text.clone());
        found.sort_by_key(|one| (place(&one.first), place(&one.second), one.kind));
        let mut seen = BTreeSet::new();
        found.retain(|one| seen.insert(one.id.clone()));
        found
    }
}

fn placed(told: &[Told]) -> Vec<Placed<'_>> {
    let in_force = told.iter().filter(|one| is_in_force(&one.document));
    in_force
        .flat_map(|told| {
            let language = told.document.language;
            let title = subject(&told.document.title, language);
            let mut headings: HashMap<&str, (bool, bool, BTreeSet<String>)> = HashMap::new();
            let placed = told.sentences.iter().filter_map(|sentence| {
                let (weighed, decides, heading) =
                    headings.entry(&sentence.heading).or_insert_with_key(|heading| {
                        (is_weighed(heading), decides(heading), subject(heading, language))
                    });
                let statement = Statement::of(&sentence.text, language, *decides).filter(|_| !*weighed)?;
                let context = title.union(heading).cloned().collect();
                Some(Placed { told, sentence, statement, context })
            });
            placed.collect::<Vec<_>>()
        })
        .collect()
}

/// How much each word tells in this library, and who holds it.
struct Library {
    /// In how many statements a stem stands.
    frequency: HashMap<String, usize>,
    statements: usize,
    holders: BTreeMap<String, Vec<usize>>,
}

/// How near two statements are to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearness {
    /// How much of what the two are about they share, each with the other's heading and title taken in; words that are rare in the
    /// library count for more.
    pub share: f64,
    /// How much of the first the second holds, and of the second the first.
    pub held: (f64, f64),
    /// How many words they share.
    pub words: usize,
}

impl Library {
    fn of(placed: &[Placed<'_>]) -> Self {
        let mut holders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, one) in placed.iter().enumerate() {
            for stem in &one.statement.subject {
                holders.entry(stem.clone()).or_default().push(at);
            }
        }
        let frequency = holders.iter().map(|(stem, all)| (stem.clone(), all.len())).collect();
        Self { frequency, statements: placed.len(), holders }
    }

    fn weight(&self, stem: &str) -> f64 {
        let held = self.frequency.get(stem).copied().unwrap_or(0);
        let limits = &numbers().contradictions;
        let statements = self.statements.max(limits.telling_statements) as f64;
        ((statements + 1.0) / (held as f64 + 1.0)).ln().max(limits.least_weight)
    }

    fn nearness(&self, a: &Placed<'_>, b: &Placed<'_>) -> Nearness {
        self.nearness_but(a, b, &BTreeSet::new())
    }

    /// How near two statements are, these stems left out.
    fn nearness_but(&self, a: &Placed<'_>, b: &Placed<'_>, but: &BTreeSet<String>) -> Nearness {
        let cover = |a: &Placed<'_>, b: &Placed<'_>| {
            let subject = a.statement.subject.difference(but);
            let all: f64 = subject.clone().map(|stem| self.weight(stem)).sum();
            let held = |stem: &&String| {
                b.statement.subject.contains(*stem)
                    || b.context.contains(*stem)
                    || b.statement.subject.iter().any(|word| ends_in(word, stem, b.statement.language))
            };
            let shared: f64 = subject.filter(held).map(|stem| self.weight(stem)).sum();
            if all > 0.0 { shared / all } else { 0.0 }
        };
        let (one, other) = (cover(a, b), cover(b, a));
        let shared = a.statement.subject.intersection(&b.statement.subject);
        Nearness {
            share: f64::midpoint(one, other),
            held: (one, other),
            words: shared.filter(|stem| !but.contains(*stem)).count(),
        }
    }

    /// Pairs of statements of different documents that share a word which is not everywhere, and that could oppose each other.
    fn pairs(&self, common: usize, could: impl Fn(usize, usize) -> bool) -> BTreeSet<(usize, usize)> {
        let mut pairs = BTreeSet::new();
        for all in self.holders.values().filter(|all| all.len() <= common) {
            for (at, one) in all.iter().enumerate() {
                let others = all[at + 1..].iter().filter(|other| could(*one, **other));
                pairs.extend(others.map(|other| (*one, *other)));
            }
        }
        pairs
    }
}
