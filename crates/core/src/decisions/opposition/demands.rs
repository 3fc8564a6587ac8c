//! What is demanded, counted and chosen in two ways, and exceptions that have ended.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::{Library, Nearness, Opposition, Placed};
use crate::decisions::ContradictionKind;
use crate::decisions::alternatives::{Answer, calls};
use crate::decisions::statement::{Amount, Bound, Chosen, Modality, Statement, subject};
use crate::fold::fold;
use crate::numbers::numbers;

/// Pairs of statements that oppose each other by what they demand, count or choose, as far as their words tell.
pub(super) fn opposed(placed: &[Placed<'_>], library: &Library) -> Vec<(usize, usize, Opposing)> {
    let could = |a: usize, b: usize| could_oppose(&placed[a], &placed[b]);
    let pairs = library.pairs(numbers().contradictions.common, could).into_iter();
    let opposing = |(at, other): (usize, usize)| {
        let (a, b) = (&placed[at], &placed[other]);
        let near = library.nearness(a, b);
        let opposes = demand(a, b, near)
            .or_else(|| value(a, b, near))
            .or_else(|| choice(a, b, near))
            .or_else(|| answer(a, b, library))?;
        Some((at, other, opposes))
    };
    pairs.filter_map(opposing).collect()
}

/// Whether two statements are of kinds that can oppose each other: most pairs are not, and comparing words is what costs.
fn could_oppose(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let (one, other) = (&a.statement, &b.statement);
    let demands = against(one, other).is_some();
    let counts = one.amounts.iter().any(|x| other.amounts.iter().any(|y| x.dimension == y.dimension));
    let chooses = !one.chosen.is_empty() && !other.chosen.is_empty();
    let names = one.gone != other.gone && !one.things.is_disjoint(&other.things);
    let answers = answered(one, other).is_some();
    a.told.document.id != b.told.document.id
        && (demands || counts || chooses || names || answers)
        && !one.cases.differ(&other.cases)
}

/// How one statement speaks against another of the same thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Against {
    /// One demands and the other forbids.
    Demand,
    /// One allows what the other forbids, or lets be what it demands.
    Allowance,
    /// One tells that something is done otherwise than the other demands or tells.
    Practice,
}

/// How two statements speak against each other, if they are about the same thing. What holds under a condition only allows and tells
/// nothing of the rest.
pub(super) fn against(one: &Statement, other: &Statement) -> Option<Against> {
    use Modality::{Is, IsNot, May, Must, MustNot, NeedNot};
    let unconditional = !one.conditional && !other.conditional;
    let told = |of: &Statement| of.practice;
    match (one.modality, other.modality) {
        (Must, MustNot) | (MustNot, Must) => Some(Against::Demand),
        (May, MustNot) | (MustNot, May) | (Must, NeedNot) | (NeedNot, Must) if unconditional => {
            Some(Against::Allowance)
        }
        (Is, MustNot) | (IsNot, Must) if unconditional && told(one) => Some(Against::Practice),
        (MustNot, Is) | (Must, IsNot) if unconditional && told(other) => Some(Against::Practice),
        (Is, IsNot) | (IsNot, Is) if unconditional && told(one) && told(other) => Some(Against::Practice),
        _ => None,
    }
}

/// Answers to one question, of which each statement names another.
pub(super) fn answered<'s>(one: &'s Statement, other: &'s Statement) -> Option<(&'s Answer, &'s Answer)> {
    let pairs = one.answers.iter().flat_map(|x| other.answers.iter().map(move |y| (x, y)));
    pairs.into_iter().find(|(x, y)| x.question == y.question && x.name != y.name)
}

/// In what way, and by which words of each.
pub(super) type Opposing = (ContradictionKind, (String, String));

fn demand(a: &Placed<'_>, b: &Placed<'_>, near: Nearness) -> Option<Opposing> {
    let limits = &numbers().contradictions;
    let (one, other) = (&a.statement, &b.statement);
    let words = (one.modal.clone(), other.modal.clone());
    let enough = match against(one, other) {
        Some(Against::Demand) => limits.demand,
        Some(Against::Allowance) => limits.allowance,
        // Who tells how one thing is done says all that the rule does, and more.
        Some(Against::Practice) if rule_held(one, other, near) >= limits.practice_held => limits.practice,
        _ => return near_gone(a, b, near),
    };
    let is_near = near.share >= enough && near.words >= limits.words;
    is_near.then_some((ContradictionKind::MustAndMustNot, words)).or_else(|| near_gone(a, b, near))
}

/// How much of what is demanded, forbidden or denied the one that tells how it is done holds.
fn rule_held(one: &Statement, other: &Statement, near: Nearness) -> f64 {
    let rank = |of: &Statement| match of.modality {
        Modality::Is => 0,
        Modality::IsNot => 1,
        _ => 2,
    };
    if rank(one) > rank(other) { near.held.0 } else { near.held.1 }
}

fn near_gone(a: &Placed<'_>, b: &Placed<'_>, near: Nearness) -> Option<Opposing> {
    (near.share >= numbers().contradictions.gone).then(|| gone(a, b)).flatten()
}

/// One says that a thing must be gone, and the other uses it for the same.
pub(super) fn gone(a: &Placed<'_>, b: &Placed<'_>) -> Option<Opposing> {
    let uses = |one: &Placed<'_>| {
        // A name alone, as in a list of parts, uses nothing.
        !one.statement.gone
            && one.statement.subject.len() > 1
            && matches!(one.statement.modality, Modality::Must | Modality::Is)
    };
    let thing = a.statement.things.intersection(&b.statement.things).next()?;
    let kind = ContradictionKind::MustAndMustNot;
    if a.statement.gone && uses(b) {
        return Some((kind, (format!("{} {thing}", a.statement.modal).trim().to_owned(), thing.clone())));
    }
    let words = (thing.clone(), format!("{} {thing}", b.statement.modal).trim().to_owned());
    (b.statement.gone && uses(a)).then_some((kind, words))
}

fn value(a: &Placed<'_>, b: &Placed<'_>, near: Nearness) -> Option<Opposing> {
    let limits = &numbers().contradictions;
    let (more, less) = (extra(a, b), extra(b, a));
    // Where each has words of its own, they may be two cases of one thing.
    let enough = if more > 0 && less > 0 { limits.value_of_cases } else { limits.value };
    if near.share < enough {
        return None;
    }
    let counts = |x: &Amount, y: &Amount| {
        // What is counted is a word that both share.
        let words = near.words + usize::from(x.counts_things());
        // A bare number of things is mostly that of a rule, a version or a step.
        words >= limits.words && (!(x.is_bare || y.is_bare) || near.share >= limits.counted)
    };
    let (x, y) = same_dimension(a, b).find(|(x, y)| counts(x, y) && are_incompatible(x, y, more, less))?;
    Some((ContradictionKind::DifferentValue, (x.written.clone(), y.written.clone())))
}

/// How many words of a statement the other has not.
pub(super) fn extra(a: &Placed<'_>, b: &Placed<'_>) -> usize {
    a.statement.subject.iter().filter(|stem| !b.statement.subject.contains(*stem)).count()
}

/// The amounts of one dimension that each of two statements has one of: several are cases or steps, and what is the same in both is what
/// they agree on.
pub(super) fn same_dimension<'p>(
    a: &'p Placed<'_>,
    b: &'p Placed<'_>,
) -> impl Iterator<Item = (&'p Amount, &'p Amount)> {
    let (one, other) = (&a.statement.amounts, &b.statement.amounts);
    let is_only = |all: &[Amount], dimension: &str| {
        all.iter().filter(|amount| amount.dimension == dimension).count() == 1
    };
    let pairs = one.iter().flat_map(move |x| other.iter().map(move |y| (x, y)));
    pairs.filter(move |(x, y)| {
        x.dimension == y.dimension && is_only(one, &x.dimension) && is_only(other, &y.dimension)
    })
}

/// Whether no value satisfies both, or the one that is said of less allows more. `more` and `less` are how many words each has that
/// the other has not: the one with more is said of less.
pub(super) fn are_incompatible(x: &Amount, y: &Amount, more: usize, less: usize) -> bool {
    // Months and quarters have no fixed number of days; all else is the same where it is equal.
    let tolerance = if x.is_duration() { numbers().contradictions.same_value } else { f64::EPSILON };
    let same = (x.value - y.value).abs() <= x.value.abs().max(y.value.abs()) * tolerance;
    if same {
        return false;
    }
    match (x.bound, y.bound) {
        (Bound::Exactly, Bound::Exactly) => true,
        (Bound::AtLeast, Bound::AtMost) => y.value < x.value,
        (Bound::AtMost, Bound::AtLeast) => x.value < y.value,
        (Bound::Exactly, Bound::AtLeast) => x.value < y.value,
        (Bound::AtLeast, Bound::Exactly) => y.value < x.value,
        (Bound::Exactly, Bound::AtMost) => x.value > y.value,
        (Bound::AtMost, Bound::Exactly) => y.value > x.value,
        (Bound::AtLeast, Bound::AtLeast) => {
            if x.value < y.value {
                more >= less
            } else {
                less >= more
            }
        }
        (Bound::AtMost, Bound::AtMost) => {
            if x.value > y.value {
                more >= less
            } else {
                less >= more
            }
        }
    }
}

fn choice(a: &Placed<'_>, b: &Placed<'_>, near: Nearness) -> Option<Opposing> {
    let limits = &numbers().contradictions;
    let (one, other) = (&a.statement.chosen, &b.statement.chosen);
    if one.is_empty() || other.is_empty() || near.share < limits.choice || near.words < limits.words {
        return None;
    }
    // Sentences that choose are alike whatever they choose: what a choice is for stands in a title or a heading.
    if !names_the_question(a, b) && !names_the_question(b, a) {
        return None;
    }
    let apart = !one.iter().any(|chosen| holds(b, chosen)) && !other.iter().any(|chosen| holds(a, chosen));
    let names = |all: &[Chosen]| all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ");
    apart.then(|| (ContradictionKind::DifferentChoice, (names(one), names(other))))
}

/// Two answers to a question that both are about: their words tell so, or both name the question.
fn answer(a: &Placed<'_>, b: &Placed<'_>, library: &Library) -> Option<Opposing> {
    let limits = &numbers().contradictions;
    let (x, y) = answered(&a.statement, &b.statement)?;
    let names: BTreeSet<String> = [(a, x), (b, y)]
        .into_iter()
        .flat_map(|(of, answer)| subject(&of.sentence.text[answer.range.clone()], of.statement.language))
        .collect();
    let near = library.nearness_but(a, b, &names);
    let asks = |of: &Placed<'_>| {
        [&of.sentence.text, &of.sentence.heading, &of.told.document.title]
            .into_iter()
            .any(|text| calls(text, x.question))
    };
    let enough = if asks(a) && asks(b) { limits.answer_asked } else { limits.answer };
    (near.share >= enough)
        .then(|| (ContradictionKind::DifferentChoice, (x.name.to_owned(), y.name.to_owned())))
}

/// Whether a sentence names what is chosen elsewhere.
pub(super) fn holds(placed: &Placed<'_>, chosen: &Chosen) -> bool {
    fold(&placed.sentence.text).contains(chosen.name.as_str())
}

/// Whether a statement, or what stands above it, holds a word of what stands above the other.
fn names_the_question(one: &Placed<'_>, other: &Placed<'_>) -> bool {
    one.statement.subject.union(&one.context).any(|stem| other.context.contains(stem))
}

/// Exceptions whose last day is past, each with the rule that it is the nearest to.
pub(super) fn expired(placed: &[Placed<'_>], library: &Library, today: Date) -> Vec<Opposition> {
    let mut found = Vec::new();
    for one in placed {
        let Some((day, words)) = one.statement.excepted_until.as_ref().filter(|(day, _)| *day < today) else {
            continue;
        };
        let rules = placed.iter().filter(|other| {
            let rules = matches!(other.statement.modality, Modality::Must | Modality::MustNot);
            let demands =
                rules || other.statement.practice && other.statement.modality != one.statement.modality;
            other.sentence != one.sentence && (demands || !other.statement.chosen.is_empty())
        });
        let nearest = rules
            .map(|other| (library.nearness(one, other).share, other))
            .max_by(|(a, x), (b, y)| a.total_cmp(b).then_with(|| y.sentence.line.cmp(&x.sentence.line)));
        let rule = nearest.filter(|(share, _)| *share >= numbers().contradictions.rule);
        let (second, opposed) = match rule {
            Some((_, rule)) => (rule.side(), rule.statement.modal.clone()),
            // What was allowed for a time, and nothing forbids, is no exception.
            None if one.statement.modality == Modality::May && !one.statement.is_excepted => continue,
            None => (one.side(), day.to_string()),
        };
        found.push(Opposition::new(
            ContradictionKind::ExceptionPastDate,
            one.side(),
            second,
            (words.clone(), opposed),
        ));
    }
    found
}
