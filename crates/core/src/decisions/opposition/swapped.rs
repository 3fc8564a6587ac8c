//! Statements that share few words, in two languages or worded freely: whether they speak of the same thing is told by what follows
//! from one of them with a word of the other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::demands::{self, Against, against, answered, are_incompatible, extra, holds, same_dimension};
use super::{Library, Opposition, Placed, repeated};
use crate::decisions::ContradictionKind;
use crate::decisions::phrases::affirmed;
use crate::decisions::statement::{Amount, Modality};
use crate::numbers::numbers;

/// Two statements that oppose each other if they speak of the same thing.
#[derive(Debug, Clone)]
pub(super) struct Doubt {
    /// What they then are.
    pub opposition: Opposition,
    /// Texts, each with the passage that it follows from if they do. One that follows is enough; none where nothing is in doubt.
    pub readings: Vec<(String, String)>,
    /// Whether their words tell, too, that they speak of the same thing.
    pub told: bool,
}

impl Doubt {
    /// Whether it is one, by how surely each of the readings follows, as far as is known.
    pub(super) fn is_settled(&self, follows: &[Option<f32>]) -> bool {
        let limits = &numbers().contradictions;
        let enough = if self.told { limits.follows_told } else { limits.follows };
        let unread = self.told && follows.iter().all(Option::is_none);
        self.readings.is_empty() || unread || follows.iter().flatten().any(|one| f64::from(*one) >= enough)
    }
}

/// All doubts: what the words of two statements tell, and of each statement those with the nearest others. `vectors` has one for
/// every statement; an empty one is near to none.
pub(super) fn doubts(placed: &[Placed<'_>], library: &Library, vectors: &[Vec<f32>]) -> Vec<Doubt> {
    let mut all = BTreeMap::new();
    for (a, b, opposing) in demands::opposed(placed, library) {
        let (kind, opposes) = opposing;
        let (a_side, b_side) = (placed[a].side(), placed[b].side());
        let read = readings(kind, &placed[a], &placed[b]);
        // Names alone do not tell what they are chosen for.
        if read.is_none() && kind == ContradictionKind::DifferentChoice {
            continue;
        }
        let readings = read.map(|(_, readings)| readings).unwrap_or_default();
        let opposition = Opposition::new(kind, a_side, b_side, opposes);
        all.insert((a, b), Doubt { opposition, readings, told: true });
    }
    for ((a, b), (kind, near)) in nearest(placed, vectors) {
        let (one, other) = (&placed[a], &placed[b]);
        let doubted = match kind {
            // A name of its own that both hold tells what they speak of, if they are near. What is removed was used before, and only
            // what must not be used is used against that.
            None if f64::from(near) >= numbers().contradictions.near_named
                && (forbids(one) || forbids(other)) =>
            {
                demands::gone(one, other).map(|(kind, opposes)| (kind, opposes, Vec::new()))
            }
            None => None,
            Some(kind) => readings(kind, one, other).map(|(opposes, readings)| (kind, opposes, readings)),
        };
        if let Some((kind, opposes, readings)) = doubted {
            let opposition = Opposition::new(kind, one.side(), other.side(), opposes);
            all.entry((a, b)).or_insert(Doubt { opposition, readings, told: false });
        }
    }
    all.into_values().collect()
}

/// How two statements could oppose each other; none where one says that what the other names must be gone.
type Way = Option<ContradictionKind>;
/// Pairs of statements, with how near they are.
type Near = BTreeMap<(usize, usize), (Way, f32)>;

/// Of each statement the nearest of those that could oppose it, by the way in which they could.
fn nearest(placed: &[Placed<'_>], vectors: &[Vec<f32>]) -> Near {
    let limits = &numbers().contradictions;
    let said: Vec<String> = placed.iter().map(|one| repeated::said(&one.sentence.text)).collect();
    let mut of_each: BTreeMap<(usize, Way), Vec<(f32, usize)>> = BTreeMap::new();
    for (a, one) in placed.iter().enumerate() {
        for (b, other) in placed.iter().enumerate().skip(a + 1) {
            let Some(kind) = possible(one, other) else { continue };
            let near = cosine(&vectors[a], &vectors[b]);
            if f64::from(near) >= limits.near {
                of_each.entry((a, kind)).or_default().push((near, b));
                of_each.entry((b, kind)).or_default().push((near, a));
            }
        }
    }
    let mut pairs = Near::new();
    for ((a, kind), mut others) in of_each {
        others.sort_by(|(x, a), (y, b)| y.total_cmp(x).then(a.cmp(b)));
        // What several documents repeat is one.
        let mut seen = BTreeSet::new();
        others.retain(|(_, at)| seen.insert(&said[*at]));
        let nearest = others.into_iter().take(limits.nearest);
        pairs.extend(nearest.map(|(near, b)| ((a.min(b), a.max(b)), (kind, near))));
    }
    pairs
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// In what way two statements could oppose each other.
fn possible(a: &Placed<'_>, b: &Placed<'_>) -> Option<Way> {
    let (one, other) = (&a.statement, &b.statement);
    if a.told.document.id == b.told.document.id {
        return None;
    }
    if one.cases.differ(&other.cases) {
        return None;
    }
    if one.gone != other.gone && !one.things.is_disjoint(&other.things) {
        return Some(None);
    }
    let counts = |x: &Amount, y: &Amount| x.dimension == y.dimension && !x.is_bare && !y.is_bare;
    if one.amounts.iter().any(|x| other.amounts.iter().any(|y| counts(x, y))) {
        return Some(Some(ContradictionKind::DifferentValue));
    }
    if against(one, other).is_some() && share_a_word(a, b) {
        return Some(Some(ContradictionKind::MustAndMustNot));
    }
    if answered(one, other).is_some() {
        return Some(Some(ContradictionKind::DifferentChoice));
    }
    let chooses = [a, b].iter().all(|of| of.statement.chosen.iter().any(|chosen| chosen.is_named_so));
    (chooses && share_a_word(a, b)).then_some(Some(ContradictionKind::DifferentChoice))
}

fn forbids(of: &Placed<'_>) -> bool {
    of.statement.modality == Modality::MustNot
}

/// Whether two statements share a word, if they are in one language: else none can be expected.
fn share_a_word(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    a.statement.language != b.statement.language || !a.statement.subject.is_disjoint(&b.statement.subject)
}

/// What two statements oppose to each other, and the texts that follow if they speak of the same.
type Doubted = ((String, String), Vec<(String, String)>);

fn readings(kind: ContradictionKind, a: &Placed<'_>, b: &Placed<'_>) -> Option<Doubted> {
    match kind {
        ContradictionKind::DifferentValue => values(a, b),
        ContradictionKind::MustAndMustNot => demands(a, b),
        ContradictionKind::DifferentChoice => choices(a, b),
        _ => None,
    }
}

/// The sentence of a statement that holds these words, with others in their place.
fn with(placed: &Placed<'_>, range: &Range<usize>, words: &str) -> Option<String> {
    let text = &placed.sentence.text;
    let (before, behind) = (text.get(..range.start)?, text.get(range.end..)?);
    let start = before.rfind(". ").map_or(0, |at| at + 2);
    let end = behind.find(". ").map_or(behind.len(), |at| at + 1);
    // Where nothing comes in its place, its spaces meet.
    let before = if words.is_empty() { before[start..].trim_end() } else { &before[start..] };
    Some(format!("{before}{words}{}", &behind[..end]))
}

fn values(a: &Placed<'_>, b: &Placed<'_>) -> Option<Doubted> {
    // In one language their words tell which of the two is said of less; over languages only what follows does.
    let told = a.statement.language == b.statement.language;
    let (more, less) = (extra(a, b), extra(b, a));
    let opposed = |x: &Amount, y: &Amount, more_of_first: bool| {
        let guessed = are_incompatible(x, y, usize::from(more_of_first), usize::from(!more_of_first));
        guessed && (!told || are_incompatible(x, y, more, less))
    };
    let (x, y) = same_dimension(a, b)
        .find(|(x, y)| !x.is_bare && !y.is_bare && (opposed(x, y, false) || opposed(x, y, true)))?;
    let mut readings = Vec::new();
    // What follows from the other is said of less, or of the same.
    if opposed(x, y, false) {
        readings.push((with(b, &y.range, &x.written)?, a.sentence.text.clone()));
    }
    if opposed(x, y, true) {
        readings.push((with(a, &x.range, &y.written)?, b.sentence.text.clone()));
    }
    Some(((x.written.clone(), y.written.clone()), readings))
}

fn demands(a: &Placed<'_>, b: &Placed<'_>) -> Option<Doubted> {
    let against = against(&a.statement, &b.statement)?;
    let denies = |of: &Placed<'_>| {
        matches!(of.statement.modality, Modality::MustNot | Modality::NeedNot | Modality::IsNot)
    };
    let (demanding, forbidding) = if denies(b) { (a, b) } else { (b, a) };
    // What is demanded or forbidden stands below.
    if [demanding, forbidding].iter().any(|of| of.sentence.text.ends_with(':')) {
        return None;
    }
    // What is done can be done, and may not be demanded.
    let allows = against != Against::Demand && demanding.statement.modality != Modality::Must;
    let (range, words) = affirmed(&forbidding.sentence.text, allows)?;
    let text = with(forbidding, &range, &words)?;
    let opposes = (a.statement.modal.clone(), b.statement.modal.clone());
    Some((opposes, vec![(text, demanding.sentence.text.clone())]))
}

fn choices(a: &Placed<'_>, b: &Placed<'_>) -> Option<Doubted> {
    if let Some((x, y)) = answered(&a.statement, &b.statement) {
        let (of_a, of_b) = (a.sentence.text.get(x.range.clone())?, b.sentence.text.get(y.range.clone())?);
        let readings = vec![
            (with(b, &y.range, of_a)?, a.sentence.text.clone()),
            (with(a, &x.range, of_b)?, b.sentence.text.clone()),
        ];
        return Some(((of_a.to_owned(), of_b.to_owned()), readings));
    }
    // What both name is what they speak of.
    let x = a.statement.chosen.iter().find(|chosen| chosen.is_named_so && !holds(b, chosen))?;
    let y = b.statement.chosen.iter().find(|chosen| chosen.is_named_so && !holds(a, chosen))?;
    let written = |placed: &Placed<'_>, range: &Range<usize>| {
        placed.sentence.text.get(range.clone()).map(str::to_owned)
    };
    let (of_a, of_b) = (written(a, &x.range)?, written(b, &y.range)?);
    // "Use X" follows from all that says of X.
    let says = |of: &Placed<'_>| of.statement.subject.difference(&of.statement.named).count();
    let mut readings = Vec::new();
    if says(b) >= numbers().contradictions.words {
        readings.push((with(b, &y.range, &of_a)?, a.sentence.text.clone()));
    }
    if says(a) >= numbers().contradictions.words {
        readings.push((with(a, &x.range, &of_b)?, b.sentence.text.clone()));
    }
    (!readings.is_empty()).then_some(((of_a, of_b), readings))
}
