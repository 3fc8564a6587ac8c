//! Short replies of planner and judge, read strictly: what cannot be read decides nothing.

use super::NO_PASSAGE;
use crate::numbers::numbers;

/// The passages that the planner named, best first; empty where it says that none helps. `None` where its reply
/// cannot be read, and then nothing may be refused because of it.
pub fn read_plan(reply: &str, minted: &[usize]) -> Option<Vec<usize>> {
    let mut named = Vec::new();
    for number in numbers_in(reply) {
        if minted.contains(&number) && !named.contains(&number) {
            named.push(number);
        }
    }
    let says_none = reply.split(|c: char| !c.is_alphanumeric()).any(|word| word == NO_PASSAGE);
    match (named.is_empty(), says_none) {
        (false, false) => Some(named),
        (true, true) => Some(Vec::new()),
        // Numbers beside NONE, or neither.
        _ => None,
    }
}

/// The judge's rating; `None` where the reply is not one number from 0 to 100, alone or "of 100".
pub fn read_rating(reply: &str) -> Option<u8> {
    let found: Vec<usize> = numbers_in(reply).collect();
    let rating = match found.as_slice() {
        [rating] | [rating, 100] => *rating,
        _ => return None,
    };
    u8::try_from(rating).ok().filter(|rating| *rating <= 100)
}

/// The rewordings, one a line, without numbering, repetitions or the question itself.
pub fn read_rewrites(reply: &str, question: &str) -> Vec<String> {
    let mut rewrites: Vec<String> = Vec::new();
    for line in reply.lines() {
        let line = line
            .trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || ".)-*•\"“".contains(c))
            .trim_end_matches(|c: char| c.is_whitespace() || "\"”".contains(c));
        let known = |other: &str| other.trim().eq_ignore_ascii_case(line);
        if line.split_whitespace().count() > 1
            && !known(question)
            && !rewrites.iter().any(|other| known(other))
        {
            rewrites.push(line.to_owned());
        }
    }
    rewrites.truncate(numbers().prompt.rewrites);
    rewrites
}

fn numbers_in(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}
