//! Answers without a model: verbatim sentences of the evidence that cover the question, each with its citation.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::sides::{asked as asked_sides, sides_in};
use crate::domain::{Chunk, DocumentId, Kind, Nearness};
use crate::intent::Question;
use crate::numbers::numbers;
use crate::retrieval::{authority, logistic};
use crate::text::{
    Block, DECISION, MORE, STATUS, UnitKind, WordList, announces, aspect_of_heading, blocks, is_quotable,
    table_head,
};

/// An answer made of extracts.
#[derive(Debug, Clone, PartialEq)]
pub struct Composition {
    /// The extracts as Markdown, with citations as `[n]`.
    pub answer: String,
    /// The cited passages by alias; the n-th is `[n]` in the answer.
    pub cited: Vec<usize>,
    /// The share of the question that the chosen sentences cover.
    pub coverage: f64,
}

struct Extract {
    passage: usize,
    start: usize,
    /// The paragraph, list or table that it stands in.
    block: Range<usize>,
    /// The sentence that announces the list that it stands in.
    lead: Option<Range<usize>>,
    /// The head of the table that a row belongs to, with the rule below it.
    head: Option<String>,
    body: String,
    /// The question's words that it holds, or what stands above it.
    covered: HashSet<usize>,
    /// Those that it holds itself.
    own: HashSet<usize>,
    /// How likely it answers, where a reader read it.
    answers: Option<f64>,
    /// What speaks for it besides the reader.
    nearness: f64,
    score: f64,
}

/// What was measured of sentences, by passage; empty where that could not be had.
#[derive(Debug, Clone, Copy, Default)]
pub struct Measured<'m> {
    /// How near they come, where there are vectors.
    pub nearness: &'m [Nearness],
    /// The log-odds that they answer, as far as a reader read them.
    pub answers: &'m [Nearness],
}

impl Measured<'_> {
    /// What the log-odds are counted from: where the reader is sure of no sentence, those that come nearest to answering still come
    /// first, since that the passages answer was decided before.
    fn even_odds(&self) -> f32 {
        let all = self.answers.iter().flat_map(|passage| passage.values().copied());
        all.max_by(f32::total_cmp).unwrap_or_default().min(0.0)
    }
}

/// What may answer, as a reader is given it: what would be shown together is read together.
#[derive(Debug, Clone, PartialEq)]
pub struct Promising {
    /// Its passage, counted from 0.
    pub passage: usize,
    /// Where its sentences begin in the passage.
    pub starts: Vec<usize>,
    /// It, below its headings.
    pub text: String,
}

/// What may answer by what is known without a reader, the best first.
pub fn promising(question: &Question, passages: &[&Chunk], nearness: &[Nearness]) -> Vec<Promising> {
    let numbers = &numbers().compose;
    let mut pieces: Vec<(Range<usize>, Promising)> = Vec::new();
    for extract in ranked(question, passages, Measured { nearness, answers: &[] }) {
        let Some(chunk) = passages.get(extract.passage) else { continue };
        let is_shown_whole = is_whole(&extract, passages);
        let range = if is_shown_whole { extract.block.clone() } else { extract.start..extract.start };
        let known =
            |(at, piece): &&mut (Range<usize>, Promising)| *at == range && piece.passage == extract.passage;
        if let Some((_, piece)) = pieces.iter_mut().find(known) {
            piece.starts.push(extract.start);
            continue;
        }
        let text = match (&extract.head, &extract.lead) {
            _ if is_shown_whole => chunk.text[extract.block.clone()].to_owned(),
            (Some(head), _) => format!("{head}{}", extract.body),
            (None, Some(lead)) => format!("{}\n{}", &chunk.text[lead.clone()], extract.body),
            (None, None) => extract.body.clone(),
        };
        let text = chunk.under_headings(&text);
        pieces.push((range, Promising { passage: extract.passage, starts: vec![extract.start], text }));
    }
    pieces.truncate(numbers.most_read);
    pieces.into_iter().map(|(_, piece)| piece).collect()
}

/// All that may be shown, the best first.
fn ranked(question: &Question, passages: &[&Chunk], measured: Measured<'_>) -> Vec<Extract> {
    let even = measured.even_odds();
    let mut found: Vec<Extract> = passages
        .iter()
        .enumerate()
        .flat_map(|(at, chunk)| extracts(question, at, chunk, measured, even))
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.passage, a.start).cmp(&(b.passage, b.start))));
    found
}

/// Without what stands under a status or among references: that answers only where the reader is sure of it, or nothing else was found.
fn with_content(ranked: Vec<Extract>, passages: &[&Chunk]) -> Vec<Extract> {
    let has_content =
        |extract: &Extract| passages.get(extract.passage).is_some_and(|chunk| has_content(chunk));
    if !ranked.iter().any(has_content) {
        return ranked;
    }
    ranked.into_iter().filter(|extract| has_content(extract) || surely_answers(extract)).collect()
}

fn surely_answers(extract: &Extract) -> bool {
    extract.answers.is_some_and(|likely| likely >= numbers().compose.answers_too)
}

/// Chooses the sentences that answer the question best. `passages` are in the order of their rank.
pub fn compose(question: &Question, passages: &[&Chunk], measured: Measured<'_>) -> Option<Composition> {
    let numbers = &numbers().compose;
    let mut candidates = with_content(ranked(question, passages, measured), passages);
    // Who approved what, and with which remark, belongs to no answer that is about something else.
    let approves = |extract: &Extract| {
        passages.get(extract.passage).is_some_and(|chunk| chunk.document.kind == Kind::Dar)
    };
    if !candidates.first().is_some_and(approves) {
        candidates
            .retain(|extract| !approves(extract) || extract.answers.is_none() || surely_answers(extract));
    }
    let best = candidates.iter().map(|extract| extract.nearness).max_by(f64::total_cmp)?;
    let is_for_several = question.wish.is_for_several();
    let heard = if is_for_several { numbers.heard_of_several } else { numbers.heard };
    each_document_first(&mut candidates, passages, |extract| {
        extract.nearness >= heard * best && (is_for_several || surely_answers(extract))
    });
    // Sentences on the subject without the number that is asked for answer nothing.
    if let Some(quantity) = question.quantity {
        let gives = |near: &&Extract| {
            quantity.is_given_by(&near.body)
                && passages.get(near.passage).is_some_and(|chunk| speaks_of(question, near, chunk))
        };
        candidates.iter().filter(|extract| extract.nearness >= numbers.near_best * best).find(gives)?;
    }
    let mut covered: HashSet<usize> = HashSet::new();
    let mut chosen: Vec<Extract> = Vec::new();
    let mut seen: HashSet<(Option<String>, String)> = HashSet::new();
    let mut left = Vec::new();
    let mut taken = 0;
    for extract in candidates {
        if taken == numbers.most_sentences {
            left.push(extract);
            continue;
        }
        // Its paragraph or list is shown with another sentence of it.
        if is_whole(&extract, passages) && chosen.iter().any(|other| same_block(other, &extract)) {
            covered.extend(extract.covered.iter().copied());
            taken += 1;
            continue;
        }
        let adds = !extract.covered.is_subset(&covered);
        // A second document needs a better reason to be there than a second sentence of the first.
        let at_home = chosen.iter().any(|other| same_document(passages, other, &extract));
        let needed = match (adds, at_home) {
            (true, true) => 0.0,
            (false, true) if surely_answers(&extract) => 0.0,
            (_, false) if is_for_several || surely_answers(&extract) => heard,
            (true, false) => numbers.elsewhere,
            (false, _) => numbers.near_best,
        };
        // Without vectors words are all there is, and one that is missing may stand anywhere.
        let needed = if measured.nearness.is_empty() && adds { 0.0 } else { needed };
        if (chosen.is_empty() || extract.nearness >= needed * best)
            && seen.insert((extract.head.clone(), extract.body.clone()))
        {
            covered.extend(extract.covered.iter().copied());
            chosen.push(extract);
            taken += 1;
        } else {
            left.push(extract);
        }
    }
    // Each kind that the question names has its say, if only with one sentence.
    let kind = |extract: &Extract| passages.get(extract.passage).map(|chunk| chunk.document.kind);
    for named in &question.kinds {
        if !chosen.iter().any(|extract| kind(extract) == Some(*named)) {
            let at = left.iter().position(|extract| {
                kind(extract) == Some(*named) && extract.nearness >= numbers.heard * best
            });
            if let Some(at) = at {
                chosen.push(left.remove(at));
            }
        }
    }
    let read = || chosen.iter().filter_map(|extract| extract.answers);
    let is_unsure = read().next().is_some() && !read().any(|likely| likely >= numbers.sure);
    expand(&mut chosen, passages);
    if is_unsure {
        fill(&mut chosen, left, passages, best);
    }
    in_reading_order(&mut chosen);
    Some(render(&chosen, question.share(&covered)))
}

fn same_block(a: &Extract, b: &Extract) -> bool {
    (a.passage, &a.block) == (b.passage, &b.block)
}

/// Whether what stands around an extract is short enough to be shown with it. Of a table the chosen rows are enough: the others speak of
/// something else.
fn is_whole(extract: &Extract, passages: &[&Chunk]) -> bool {
    let block = passages.get(extract.passage).map(|chunk| &chunk.text[extract.block.clone()]);
    extract.head.is_none()
        && block.is_some_and(|block| block.chars().count() <= numbers().compose.block_chars)
}

/// Puts the best extract of every document before the second of any, of those that are to be heard.
fn each_document_first(
    candidates: &mut Vec<Extract>,
    passages: &[&Chunk],
    is_heard: impl Fn(&Extract) -> bool,
) {
    let mut seen: HashSet<&DocumentId> = HashSet::new();
    let (first, others): (Vec<Extract>, Vec<Extract>) =
        std::mem::take(candidates).into_iter().partition(|extract| {
            let document = passages.get(extract.passage).map(|chunk| &chunk.document.id);
            is_heard(extract) && document.is_some_and(|id| seen.insert(id))
        });
    candidates.extend(first.into_iter().chain(others));
}

/// Whether a passage stands in a section that states something.
fn has_content(chunk: &Chunk) -> bool {
    !matches!(aspect_of(chunk), Some(STATUS | MORE))
}

/// Whether a passage stands in the section that says what its document states or decides.
fn states(chunk: &Chunk) -> bool {
    aspect_of(chunk) == Some(DECISION)
}

fn aspect_of(chunk: &Chunk) -> Option<&'static str> {
    chunk.section_path.iter().rev().find_map(|heading| aspect_of_heading(heading))
}

/// Shows what was chosen with the paragraph, list or table around it, the best first, as far as there is room. A list goes with the
/// sentence that announces it, and is shown whole where several of its items were chosen: then it is what is asked for.
fn expand(chosen: &mut Vec<Extract>, passages: &[&Chunk]) {
    let numbers = &numbers().compose;
    let length = |text: &str| text.chars().count();
    let mut room =
        numbers.answer_chars.saturating_sub(chosen.iter().map(|extract| length(&extract.body)).sum());
    let blocks: Vec<(usize, Range<usize>)> =
        chosen.iter().map(|extract| (extract.passage, extract.block.clone())).collect();
    let mut shown: Vec<(usize, Range<usize>)> = Vec::new();
    chosen.retain_mut(|extract| {
        let place = (extract.passage, extract.block.clone());
        let Some(chunk) = passages.get(extract.passage) else { return true };
        if shown.contains(&place) {
            return false;
        }
        let block = &chunk.text[extract.block.clone()];
        let chosen_of_it = blocks.iter().filter(|other| **other == place).count();
        let is_list = extract.head.is_some() || extract.lead.is_some() || is_item(block);
        let is_asked = is_list && chosen_of_it >= numbers.items_of_a_list || announces(&extract.body);
        let more = length(block).saturating_sub(length(&extract.body));
        let fits = if is_asked {
            length(block) <= numbers.list_chars
        } else {
            // Of a table the rows that were chosen are enough; the others speak of something else.
            extract.head.is_none() && length(block) <= numbers.block_chars && more <= room
        };
        if fits {
            room = room.saturating_sub(more);
            shown.push(place);
            extract.start = extract.block.start;
            extract.head = None;
            block.clone_into(&mut extract.body);
        }
        true
    });
}

/// Where nothing surely answers, more is shown of the documents that were chosen, the nearest first, as far as there is room: what was
/// asked for often stands beside what was found.
fn fill(chosen: &mut Vec<Extract>, left: Vec<Extract>, passages: &[&Chunk], best: f64) {
    let numbers = &numbers().compose;
    let length = |text: &str| text.chars().count();
    let shown: usize = chosen.iter().map(|extract| length(&extract.body)).sum();
    let mut room = numbers.filled_chars.saturating_sub(shown);
    for mut extract in left {
        let at_home = chosen.iter().any(|other| same_document(passages, other, &extract));
        let is_shown = chosen
            .iter()
            .any(|other| same_block(other, &extract) || other.body.contains(extract.body.as_str()));
        if !at_home || is_shown || extract.nearness < numbers.filled_near * best {
            continue;
        }
        if is_whole(&extract, passages)
            && let Some(chunk) = passages.get(extract.passage)
        {
            let block = &chunk.text[extract.block.clone()];
            if length(block) <= room {
                extract.start = extract.block.start;
                block.clone_into(&mut extract.body);
            }
        }
        let more = length(&extract.body);
        if more <= room {
            room -= more;
            chosen.push(extract);
        }
    }
}

/// Whether a text begins as an item of a list does.
fn is_item(text: &str) -> bool {
    without_bullet(text).len() < text.len()
}

/// Whether an extract itself speaks of more of the question than a unit of measure, as far as words can tell: a title that does
/// stands above numbers of all sorts.
fn speaks_of(question: &Question, extract: &Extract, chunk: &Chunk) -> bool {
    let units = &WordList::of(question.language).units;
    let mut other_words =
        (0..question.words.len()).filter(|at| !units.contains_key(&question.words[*at])).peekable();
    chunk.language != question.language
        || other_words.peek().is_none()
        || other_words.any(|at| extract.own.contains(&at))
}

fn same_document(passages: &[&Chunk], a: &Extract, b: &Extract) -> bool {
    let document = |extract: &Extract| passages.get(extract.passage).map(|chunk| &chunk.document.id);
    document(a) == document(b)
}

/// The passage with the best sentence first, and each passage's sentences as they stand in it.
fn in_reading_order(chosen: &mut [Extract]) {
    let mut order: Vec<usize> = Vec::new();
    for extract in chosen.iter() {
        if !order.contains(&extract.passage) {
            order.push(extract.passage);
        }
    }
    chosen
        .sort_by_key(|extract| (order.iter().position(|passage| *passage == extract.passage), extract.start));
}

fn extracts(
    question: &Question,
    at: usize,
    chunk: &Chunk,
    measured: Measured<'_>,
    even: f32,
) -> Vec<Extract> {
    let numbers = &numbers().compose;
    let of = |known: &[Nearness], start: usize| known.get(at).and_then(|known| known.get(&start)).copied();
    let above = question.covered_above(chunk);
    // Of several documents, each is heard with what it states.
    let asked_for = question.asks_for_section_of(chunk) || question.wish.is_for_several() && states(chunk);
    let asked_sides = asked_sides(&question.aspects);
    let sides = if asked_sides.is_empty() { HashMap::new() } else { sides_in(chunk) };
    let mut position = 0;
    let mut extracts = Vec::new();
    let found = blocks(&chunk.text).into_iter();
    let with_block = |Block { range, units }: Block| {
        let first = units.first().filter(|first| first.kind == UnitKind::Sentence);
        let lead = first.map(|first| first.range.clone());
        units.into_iter().map(move |unit| (range.clone(), lead.clone(), unit))
    };
    for (block, lead, unit) in found.flat_map(with_block) {
        if !is_quotable(&chunk.text, &unit) {
            continue;
        }
        let text = &chunk.text[unit.range.clone()];
        position += 1;
        let own = question.covered(text, chunk.language);
        let all: HashSet<usize> = own.union(&above).copied().collect();
        let rank = 1.0 / (1.0 + at as f64);
        let place = 1.0 / f64::from(position);
        let words = question.share(&own) + numbers.words_above * question.share(&all);
        let named = question.kinds.contains(&chunk.document.kind);
        let gives_quantity = question.quantity.is_some_and(|quantity| quantity.is_given_by(text));
        let on_asked_side = sides.get(&unit.range.start).is_some_and(|side| asked_sides.contains(side));
        let context = if asked_for || on_asked_side { numbers.asked_section } else { 0.0 }
            + if gives_quantity { numbers.asked_quantity } else { 0.0 }
            + if named { numbers.named_kind } else { 0.0 }
            + numbers.rank * rank
            + numbers.place * place;
        let score = match of(measured.nearness, unit.range.start) {
            Some(near) => numbers.nearness * f64::from(near.max(0.0)) + numbers.words * words + context,
            None => words + context,
        };
        let odds = of(measured.answers, unit.range.start).map(|odds| f64::from(odds - even));
        let nearness =
            if named || asked_for || on_asked_side { score } else { score * f64::from(authority(chunk)) };
        // Of two that the reader is sure of it is surer of the one, which a likelihood hardly tells.
        let sureness = odds.map_or(0.0, |odds| logistic(odds / numbers.odds_spread));
        let score = nearness + numbers.answers * sureness;
        let head = unit.head.filter(|_| unit.kind == UnitKind::TableRow);
        let head = head.map(|head| table_head(&chunk.text[head]));
        let body = match unit.kind {
            UnitKind::ListItem => without_bullet(text).to_owned(),
            _ => text.to_owned(),
        };
        extracts.push(Extract {
            passage: at,
            start: unit.range.start,
            block,
            lead: lead.filter(|_| unit.kind == UnitKind::ListItem),
            head,
            body,
            covered: all,
            own,
            answers: odds.map(logistic),
            nearness,
            score,
        });
    }
    extracts
}

pub(super) fn without_bullet(text: &str) -> &str {
    let rest = text.trim_start_matches(['-', '*', '+', '•']);
    if rest.len() < text.len() {
        return rest.trim_start();
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text[digits..].strip_prefix(['.', ')']).map_or(text, str::trim_start)
}

fn render(chosen: &[Extract], coverage: f64) -> Composition {
    let mut cited: Vec<usize> = Vec::new();
    let mut answer = String::new();
    let mut table: Option<(usize, &str)> = None;
    for extract in chosen {
        let alias = extract.passage + 1;
        let number = match cited.iter().position(|cited| *cited == alias) {
            Some(at) => at + 1,
            None => {
                cited.push(alias);
                cited.len()
            }
        };
        let body = cited_text(extract.body.trim(), number);
        // Rows of one table stand under one head.
        let head = extract.head.as_deref().map(|head| (extract.passage, head));
        let goes_on = head.is_some() && head == table;
        answer.push_str(match (answer.is_empty(), goes_on) {
            (true, _) => "",
            (false, true) => "\n",
            (false, false) => "\n\n",
        });
        answer.push_str(head.filter(|_| !goes_on).map_or("", |(_, head)| head));
        answer.push_str(&body);
        table = head;
    }
    Composition { answer, cited, coverage }
}

/// A text with the number of its passage, inside the last cell of a row and below code.
pub(crate) fn cited_text(text: &str, number: usize) -> String {
    let last = text.lines().last().unwrap_or_default().trim();
    match text.strip_suffix('|') {
        Some(cells) if last.starts_with('|') => format!("{} [{number}] |", cells.trim_end()),
        _ if last.ends_with("```") => format!("{text}\n\n[{number}]"),
        _ => format!("{text} [{number}]"),
    }
}
