//! Answers out of one record's own sections: what it decides, why, with what consequences, in the form that was wished for.

mod parts;
mod piece;
mod sections;
mod typed;

use super::compose::Composition;
use crate::domain::{Chunk, Language};
use crate::intent::{Question, Shape};
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use parts::{Part, parts_of};
use piece::Piece;
use sections::Sections;

pub(crate) use parts::{CONTEXT, RATIONALE};
pub use typed::{TypedSection, typed_sections};

/// Answers a question about a whole record, or a part of one, from its sections; `None` where it has no such part. `record` is all
/// of its passages in their order, by whose places the citations go.
pub fn compose_record(question: &Question, record: &[&Chunk], language: Language) -> Option<Composition> {
    let sections = Sections::of(record);
    let messages = Messages::of(language);
    let mut page = Page::default();
    match &question.wish.shape {
        Shape::Headings(names) => {
            for part in names.iter().map(|name| Part::wished(name, question.language)) {
                page.heading(&part.name);
                let pieces = sections.wished(&part, numbers().compose.summary_chars);
                if pieces.is_empty() {
                    page.line(&messages.text(Message::RecordNoSection, &[]));
                }
                pieces.iter().for_each(|piece| page.piece(piece));
            }
        }
        Shape::ForAndAgainst => {
            let (pro, contra) = sections.sides(question.wish.option);
            if pro.is_empty() && contra.is_empty() {
                return None;
            }
            for (message, side) in [(Message::RecordFor, pro), (Message::RecordAgainst, contra)] {
                page.heading(&messages.text(message, &[]));
                if side.is_empty() {
                    page.line(&messages.text(Message::RecordNoSection, &[]));
                }
                side.iter().for_each(|piece| page.piece(piece));
            }
        }
        Shape::Points(count) => {
            sections.sentences(&parts_of(question), *count).iter().for_each(|piece| page.point(piece));
        }
        Shape::Sentences(count) => {
            sections.sentences(&parts_of(question), *count).iter().for_each(|piece| page.piece(piece));
        }
        Shape::Free | Shape::Identifier | Shape::Name => free(question, &sections, &mut page),
    }
    page.finish()
}

/// What belongs beside an answer out of a record, with the passages that it stands in: what the record gives as its reasons where
/// the question is why, else what it decides, as far as there is room.
pub fn beside_answer(question: &Question, record: &[&Chunk], room: usize) -> Vec<(String, usize)> {
    let sections = Sections::of(record);
    let pieces = if is_why(question) {
        sections.part(&Part::known(RATIONALE), room.max(numbers().compose.summary_chars))
    } else {
        sections.decided(room).into_iter().collect()
    };
    pieces.into_iter().map(|piece| (piece.text.trim().to_owned(), piece.passage)).collect()
}

/// Whether it is asked why.
pub fn is_why(question: &Question) -> bool {
    question.aspects.iter().any(|aspect| aspect.name == RATIONALE)
}

/// What a record decides, as far as there is room, with the passage that it stands in.
pub fn decided(record: &[&Chunk], room: usize) -> Option<(String, usize)> {
    let piece = Sections::of(record).decided(room)?;
    Some((piece.plain().to_owned(), piece.passage))
}

/// The parts that are asked for; several stand under their own headings.
fn free(question: &Question, sections: &Sections<'_>, page: &mut Page) {
    let parts = parts_of(question);
    let several = parts.len() > 1;
    let mut shown: Vec<Piece<'_>> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let limit = match (several, at) {
            (false, _) => numbers().compose.section_chars,
            (true, 0) => numbers().compose.summary_lead_chars,
            (true, _) => numbers().compose.summary_chars,
        };
        let mut pieces = sections.part(part, limit);
        // Where one section is both parts, what was shown of it is not shown again.
        pieces.retain(|piece| !shown.iter().any(|shown| shown.holds(piece)));
        if let Some(heading) = pieces.first().and_then(|piece| piece.heading).filter(|_| several) {
            page.heading(heading);
        }
        pieces.iter().for_each(|piece| page.piece(piece));
        shown.extend(pieces);
    }
}

/// What is shown, and which passages it comes from.
#[derive(Default)]
struct Page {
    lines: Vec<String>,
    cited: Vec<usize>,
    points: bool,
}

impl Page {
    fn heading(&mut self, heading: &str) {
        self.lines.push(format!("**{heading}**"));
    }

    fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        let number = self.number_of(piece.passage);
        self.lines.push(piece.with_citation(number));
    }

    fn point(&mut self, piece: &Piece<'_>) {
        let number = self.number_of(piece.passage);
        self.points = true;
        self.lines.push(format!("- {} [{number}]", piece.plain()));
    }

    fn number_of(&mut self, passage: usize) -> usize {
        let alias = passage + 1;
        match self.cited.iter().position(|cited| *cited == alias) {
            Some(at) => at + 1,
            None => {
                self.cited.push(alias);
                self.cited.len()
            }
        }
    }

    fn finish(self) -> Option<Composition> {
        let between = if self.points { "\n" } else { "\n\n" };
        let answer = self.lines.join(between);
        (!self.cited.is_empty()).then_some(Composition { answer, cited: self.cited, coverage: 1.0 })
    }
}

#[cfg(test)]
mod tests;
