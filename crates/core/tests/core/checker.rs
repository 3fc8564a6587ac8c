//! An independent reading of what an answer may say: plain patterns, nothing of the code under test.

use std::collections::HashSet;
use std::sync::LazyLock;

use plumbline_core::answer::gauntlet::Minted;
use plumbline_core::answer::grounding::{CitedPassages, GroundingRules};
use plumbline_core::answer::{AnswerStream, ReplyOutcome, Shown};
use plumbline_core::domain::{Chunk, Language, SourceId};
use plumbline_core::intent::Question;
use regex::Regex;

static MARKER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\s*\[(\d+)\]").unwrap());
static DIGITS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d+").unwrap());
static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:https?://|www\.)[^\s\])>]+").unwrap());
static ID: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(?:ADR|PCP|DAR)[-. ]?0*(\d+)").unwrap());
static QUOTE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""([^"]+)"|“([^”]+)”"#).unwrap());
static LIST_NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^\s*\d{1,3}[.)]\s").unwrap());

/// The reply through the stream, in one piece.
pub fn run(chunks: &[&Chunk], question: &str, reply: &str) -> (Vec<Shown>, ReplyOutcome) {
    run_in_cuts(chunks, question, reply.as_bytes(), reply.len().max(1))
}

/// The reply through the stream, in pieces of so many bytes.
pub fn run_in_cuts(
    chunks: &[&Chunk],
    question: &str,
    reply: &[u8],
    cut: usize,
) -> (Vec<Shown>, ReplyOutcome) {
    let question = Question::read(question, Language::EN);
    let sources: Vec<SourceId> = chunks.iter().map(|chunk| chunk.source_id.clone()).collect();
    let passages = CitedPassages::new(chunks, GroundingRules::default());
    let mut stream = AnswerStream::new(Minted::new(&sources), &passages, &question);
    let mut shown: Vec<Shown> = reply.chunks(cut).flat_map(|piece| stream.push(piece)).collect();
    let (rest, outcome) = stream.finish();
    shown.extend(rest);
    (shown, outcome)
}

/// The texts that were shown, unit by unit.
pub fn shown_texts(shown: &[Shown]) -> Vec<&str> {
    shown
        .iter()
        .filter_map(|shown| match shown {
            Shown::Text { text, .. } => Some(text.as_str()),
            Shown::Withheld(_) => None,
        })
        .collect()
}

/// The text without markers, bullets and needless white space.
pub fn bare(text: &str) -> String {
    let text = MARKER.replace_all(text, "");
    let text = text.trim().trim_start_matches("- ");
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".")
}

/// What a unit of an answer says that its passages do not hold. `cited` gives the alias of each number.
pub fn violations(unit: &str, cited: &[usize], chunks: &[&Chunk]) -> Vec<String> {
    let numbers: Vec<usize> = MARKER.captures_iter(unit).map(|found| found[1].parse().unwrap()).collect();
    let mut wrong: Vec<String> = Vec::new();
    let mut held = String::new();
    for number in &numbers {
        match number.checked_sub(1).and_then(|at| cited.get(at)).and_then(|alias| chunks.get(alias - 1)) {
            Some(chunk) => held.push_str(&passage_text(chunk)),
            None => wrong.push(format!("citation [{number}] of nothing")),
        }
    }
    if numbers.is_empty() {
        wrong.push("no citation".to_owned());
    }
    let said = MARKER.replace_all(unit, "");
    let said = LIST_NUMBER.replace_all(&said, "");
    wrong.extend(
        LINK.find_iter(&said)
            .map(|link| link.as_str().trim_end_matches(['.', ',', ';']))
            .filter(|link| !held.contains(link))
            .map(|link| format!("link {link}")),
    );
    wrong.extend(
        QUOTE
            .captures_iter(&said)
            .filter_map(|found| found.get(1).or(found.get(2)))
            .filter(|quote| !squeezed(&held).contains(&squeezed(quote.as_str())))
            .map(|quote| format!("quote {}", quote.as_str())),
    );
    let held_ids: HashSet<String> = ID.captures_iter(&held).map(|found| found[1].to_owned()).collect();
    wrong.extend(
        ID.captures_iter(&said)
            .filter(|found| !held_ids.contains(&found[1]))
            .map(|found| format!("id {}", &found[0])),
    );
    let held_digits = digits(&held);
    wrong.extend(
        digits(&said)
            .into_iter()
            .filter(|number| !held_digits.contains(number))
            .map(|number| format!("number {number}")),
    );
    wrong
}

/// All that a reader of the citation sees: the text, and what stands above it.
fn passage_text(chunk: &Chunk) -> String {
    let document = &chunk.document;
    let date = document.date.map(|date| date.to_string()).unwrap_or_default();
    let version = document.version.clone().unwrap_or_default();
    format!(
        "{}\n{}\n{}\n{}\n{version}\n{date}\n",
        document.reference(),
        document.title,
        chunk.section_path.join("\n"),
        chunk.text
    )
}

fn digits(text: &str) -> HashSet<String> {
    let text = text.replace(',', "");
    DIGITS.find_iter(&text).map(|found| found.as_str().trim_start_matches('0').to_owned()).collect()
}

/// Letters and digits alone: the corpora put spaces around their punctuation.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
