//! Two reports of the golden set side by side, judged blind by a model: which answer is better, and in what.

use std::collections::BTreeMap;

use plumbline_core::prompt::{Compared, compare_messages};
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};

use crate::judge_model::JudgeModel;
use crate::quality::{Answered, QualityReport};

/// Four short lines.
const REPLY: usize = 64;

/// What is compared, in the order in which the model is asked.
pub const CRITERIA: [&str; 4] = ["faithfulness", "completeness", "structure", "balance"];

/// Who was better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// The first report.
    First,
    /// The second report.
    Second,
    /// Neither.
    Tie,
}

/// What `judge` writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonReport {
    /// The model that judged.
    pub judge: String,
    /// Questions that both reports answer, and answer differently.
    pub compared: usize,
    /// Questions that both answer word for word the same: a tie without asking.
    pub identical: usize,
    /// Verdicts that could not be read, or did not come.
    pub unreadable: usize,
    /// By criterion.
    pub criteria: BTreeMap<String, Wins>,
    /// How often the answer that stood first won, of all that was won: about half where the judge looks at content.
    pub first_place_wins: Option<f64>,
    /// Each verdict.
    pub verdicts: Vec<VerdictOn>,
}

/// How often each side was better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wins {
    /// The first report.
    pub first: usize,
    /// The second report.
    pub second: usize,
    /// Neither.
    pub ties: usize,
}

/// A verdict on one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictOn {
    /// The question's id.
    pub id: String,
    /// Whether the second report's answer stood first.
    pub swapped: bool,
    /// By criterion, in their order.
    pub winners: Vec<Winner>,
}

/// Whether the second report's answer stands first: the question's id alone decides, so that a run can be repeated and
/// neither side is favoured.
pub fn is_swapped(id: &str) -> bool {
    Sha1::digest(id.as_bytes()).first().is_some_and(|byte| byte % 2 == 1)
}

/// The verdict as the model saw the answers, A and B; nothing where it is not the four lines that were asked for.
pub fn read_verdict(reply: &str) -> Option<Vec<char>> {
    let lines: Vec<String> = reply.lines().map(str::to_lowercase).filter(|line| line.contains(':')).collect();
    CRITERIA
        .iter()
        .map(|criterion| {
            let own: Vec<&String> = lines
                .iter()
                .filter(|line| line.trim_start_matches(['-', '*', ' ']).starts_with(criterion))
                .collect();
            let [line] = own.as_slice() else { return None };
            let word = line.split_once(':')?.1.trim().trim_matches(['*', '.', ' ']);
            match word {
                "a" => Some('A'),
                "b" => Some('B'),
                "tie" => Some('='),
                _ => None,
            }
        })
        .collect()
}

/// Compares every question that both reports answered; `done` hears how many are through.
pub async fn compare_answers(
    judge: &JudgeModel,
    first: &QualityReport,
    second: &QualityReport,
    mut done: impl FnMut(usize),
) -> ComparisonReport {
    let mut report = ComparisonReport {
        judge: judge.model.clone(),
        compared: 0,
        identical: 0,
        unreadable: 0,
        criteria: CRITERIA.iter().map(|name| ((*name).to_owned(), Wins::default())).collect(),
        first_place_wins: None,
        verdicts: Vec::new(),
    };
    let (mut first_place, mut won) = (0usize, 0usize);
    for (a, b) in pairs(first, second) {
        if a.answer == b.answer {
            report.identical += 1;
            continue;
        }
        report.compared += 1;
        let swapped = is_swapped(&a.id);
        let sides = if swapped { (b, a) } else { (a, b) };
        let Some(verdict) = verdict(judge, &a.query, sides.0, sides.1).await else {
            report.unreadable += 1;
            done(report.compared);
            continue;
        };
        first_place += verdict.iter().filter(|side| **side == 'A').count();
        won += verdict.iter().filter(|side| **side != '=').count();
        let winners: Vec<Winner> = verdict.iter().map(|side| winner(*side, swapped)).collect();
        for (criterion, winner) in CRITERIA.iter().zip(&winners) {
            let wins = report.criteria.entry((*criterion).to_owned()).or_default();
            match winner {
                Winner::First => wins.first += 1,
                Winner::Second => wins.second += 1,
                Winner::Tie => wins.ties += 1,
            }
        }
        report.verdicts.push(VerdictOn { id: a.id.clone(), swapped, winners });
        done(report.compared);
    }
    report.first_place_wins = (won > 0).then(|| first_place as f64 / won as f64);
    report
}

fn winner(side: char, swapped: bool) -> Winner {
    match (side, swapped) {
        ('A', false) | ('B', true) => Winner::First,
        ('B', false) | ('A', true) => Winner::Second,
        _ => Winner::Tie,
    }
}

fn pairs<'r>(
    first: &'r QualityReport,
    second: &'r QualityReport,
) -> impl Iterator<Item = (&'r Answered, &'r Answered)> {
    let of_second: BTreeMap<&str, &Answered> =
        second.answers.iter().map(|answered| (answered.id.as_str(), answered)).collect();
    first
        .answers
        .iter()
        .filter_map(move |answered| Some((answered, *of_second.get(answered.id.as_str())?)))
        .filter(|(a, b)| a.answer.is_some() && b.answer.is_some())
}

async fn verdict(
    judge: &JudgeModel,
    question: &str,
    first: &Answered,
    second: &Answered,
) -> Option<Vec<char>> {
    let side = |of: &'_ Answered| of.answer.clone().unwrap_or_default();
    let (a, b) = (side(first), side(second));
    let messages = compare_messages(
        question,
        Compared { answer: &a, passages: &first.passages },
        Compared { answer: &b, passages: &second.passages },
    );
    read_verdict(&judge.says(messages, REPLY).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_four_lines_and_nothing_is_guessed() {
        let whole = "faithfulness: A\ncompleteness: B\nstructure: tie\nbalance: b.";
        assert_eq!(read_verdict(whole), Some(vec!['A', 'B', '=', 'B']));
        assert_eq!(read_verdict("- **faithfulness**: A"), None, "three are missing");
        assert_eq!(read_verdict(&whole.replace("tie", "both")), None);
        assert_eq!(read_verdict(&format!("{whole}\nfaithfulness: B")), None, "it contradicts itself");
    }

    #[test]
    fn sides_are_the_questions_and_fall_both_ways() {
        let swapped = (1..=146).filter(|n| is_swapped(&format!("GS-{n:03}"))).count();
        assert!((50..=96).contains(&swapped), "{swapped} of 146");
        assert_eq!(is_swapped("GS-001"), is_swapped("GS-001"));
        assert_eq!(winner('A', true), Winner::Second, "what stood first was the second report's");
        assert_eq!(winner('B', false), Winner::Second);
    }
}
