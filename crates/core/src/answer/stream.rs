//! A reply on its way from the model to the window: whole units, each checked.

mod markers;
mod named;
mod wording;

use super::gauntlet::{Dropped, Gauntlet, Minted, Piece};
use super::grounding::{CitedPassages, Grounding, StatementReadings, bare_text};
use super::remarks::{Remark, remark};
use crate::intent::Question;
use crate::response::Withheld;
use crate::text::{Unit, UnitKind, UnitSplit, split_units, table_head};
pub(crate) use markers::without_markers;
use markers::{is_marker, with_markers, without_unclosed};
use named::{named_passages_marked, only_points};
pub(crate) use wording::tidied;

/// What the user gets to see while a reply is being written.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// A unit that passed, with the white space before it.
    Text {
        /// The text, with citations as `[n]`.
        text: String,
        /// Passages that are cited for the first time, by alias.
        newly_cited: Vec<usize>,
    },
    /// A unit that did not.
    Withheld(Withheld),
}

/// What a whole reply came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyKind {
    /// There is an answer.
    Answered,
    /// Nothing but markers: it points at passages.
    Pointers,
    /// A number is asked for, and what it says of the subject gives none.
    Evaded,
    /// Sentences of it were withheld, and what is left does not say what was asked.
    LeftOpen,
    /// Nothing at all.
    Empty,
    /// The model says that the passages do not answer.
    NoAnswer,
    /// Too little survived.
    Unsupported,
}

impl ReplyKind {
    /// Whether sentences of the passages stand in for the reply.
    pub const fn leaves_it_to_extracts(self) -> bool {
        matches!(self, Self::Pointers | Self::Evaded | Self::LeftOpen | Self::Empty)
    }
}

/// A reply after all checks.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyOutcome {
    /// What it came to.
    pub kind: ReplyKind,
    /// The answer, with citations as `[n]`.
    pub answer: String,
    /// The cited passages by alias; the n-th is `[n]` in the answer.
    pub cited: Vec<usize>,
    /// Statements that were kept.
    pub kept: usize,
    /// Kept statements whose citation was corrected.
    pub re_cited: usize,
    /// Kept statements that were given a citation they lacked.
    pub attributed: usize,
    /// Statements that were withheld.
    pub withheld: Vec<Withheld>,
    /// Markers that were dropped.
    pub dropped: Vec<Dropped>,
    /// What the model says is missing, where it states nothing new.
    pub remarks: Vec<String>,
    /// Passages that a bare marker points at, by alias.
    pub pointers: Vec<usize>,
    /// How sure a reader is of the kept statements on average, where it read them.
    pub sureness: Option<f64>,
}

/// A unit of a reply that is complete, as the model wrote it.
pub struct WrittenUnit {
    unit: Unit,
    text: String,
    head: Option<String>,
    /// Line breaks before it.
    gap: usize,
}

/// A unit that waits for its verdict.
pub struct PendingUnit {
    kind: UnitKind,
    /// The text, with citations.
    text: String,
    head: Option<String>,
    gap: usize,
    /// The text without them.
    pub bare: String,
    /// The passages that it cites, by alias.
    pub cited: Vec<usize>,
}

impl PendingUnit {
    /// Whether it states something, as headings do not.
    pub fn is_statement(&self) -> bool {
        !matches!(self.kind, UnitKind::Heading | UnitKind::TableHead)
    }

    /// Whether a reader can tell if it follows: code is a quotation, and a head states nothing.
    pub fn can_be_read(&self) -> bool {
        self.is_statement() && self.kind != UnitKind::Code
    }
}

/// A reply on its way from the model to the window.
pub struct AnswerStream<'e> {
    gauntlet: Gauntlet,
    passages: &'e CitedPassages,
    question: &'e Question,
    text: String,
    /// Where the block that is being written begins.
    block_start: usize,
    /// Where the last unit that was dealt with ends.
    done_to: usize,
    /// Headings and table heads that wait for something to stand under them.
    heads: Vec<String>,
    answer: String,
    cited: Vec<usize>,
    kept: usize,
    re_cited: usize,
    attributed: usize,
    withheld: Vec<Withheld>,
    remarks: Vec<String>,
    pointers: Vec<usize>,
    unclosed: Vec<Dropped>,
    dropped: Vec<Dropped>,
    /// Whether the marker just taken stands in brackets of its own.
    in_brackets: bool,
    refusal: bool,
    /// How sure a reader is of each kept statement that it read.
    sureness: Vec<f64>,
    min_kept_share: f64,
}

impl<'e> AnswerStream<'e> {
    /// A stream over these passages, which the model knows as `1..=n`.
    pub fn new(minted: Minted, passages: &'e CitedPassages, question: &'e Question) -> Self {
        Self {
            gauntlet: Gauntlet::new(minted),
            passages,
            question,
            text: String::new(),
            block_start: 0,
            done_to: 0,
            heads: Vec::new(),
            answer: String::new(),
            cited: Vec::new(),
            kept: 0,
            re_cited: 0,
            attributed: 0,
            withheld: Vec::new(),
            remarks: Vec::new(),
            pointers: Vec::new(),
            unclosed: Vec::new(),
            dropped: Vec::new(),
            in_brackets: false,
            refusal: false,
            sureness: Vec::new(),
            min_kept_share: passages.rules().min_kept_share,
        }
    }

    /// Takes the next bytes of the reply and gives the units that are complete and checked, by their words alone.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Shown> {
        let written = self.take(bytes);
        written.into_iter().filter_map(|unit| self.deal_with(unit)).collect()
    }

    /// Ends the reply, its last units checked by their words alone.
    pub fn finish(mut self) -> (Vec<Shown>, ReplyOutcome) {
        let written = self.end();
        let shown = written.into_iter().filter_map(|unit| self.deal_with(unit)).collect();
        (shown, self.outcome())
    }

    /// Takes the next bytes of the reply and gives the units that are complete: each is to be prepared and settled in turn.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<WrittenUnit> {
        let pieces = self.gauntlet.push(bytes);
        self.append(pieces);
        self.advance(false)
    }

    /// Ends the reply and gives its last units.
    pub fn end(&mut self) -> Vec<WrittenUnit> {
        let gauntlet = std::mem::replace(&mut self.gauntlet, Gauntlet::new(Minted::default()));
        let (pieces, dropped) = gauntlet.finish();
        self.append(pieces);
        self.dropped = dropped;
        self.advance(true)
    }

    /// What the whole reply came to.
    pub fn outcome(mut self) -> ReplyOutcome {
        let mut dropped = std::mem::take(&mut self.dropped);
        dropped.append(&mut self.unclosed);
        let statements = self.kept + self.withheld.len();
        let enough = self.kept as f64 >= self.min_kept_share * statements as f64;
        let kind = match (self.kept, self.refusal) {
            (1.., _) if enough && self.question.is_evaded_by(&without_markers(&self.answer).0) => {
                ReplyKind::Evaded
            }
            (1.., _) if enough => ReplyKind::Answered,
            (0, true) => ReplyKind::NoAnswer,
            (0, false) if self.withheld.is_empty() && !self.pointers.is_empty() => ReplyKind::Pointers,
            (0, false) if self.withheld.is_empty() && self.remarks.is_empty() => ReplyKind::Empty,
            (0, false) if self.withheld.is_empty() => ReplyKind::NoAnswer,
            _ => ReplyKind::Unsupported,
        };
        ReplyOutcome {
            kind,
            answer: self.answer,
            cited: self.cited,
            kept: self.kept,
            re_cited: self.re_cited,
            attributed: self.attributed,
            withheld: self.withheld,
            dropped,
            remarks: self.remarks,
            pointers: self.pointers,
            sureness: (!self.sureness.is_empty())
                .then(|| self.sureness.iter().sum::<f64>() / self.sureness.len() as f64),
        }
    }

    fn deal_with(&mut self, written: WrittenUnit) -> Option<Shown> {
        let pending = self.prepare(written)?;
        self.settle(pending, None)
    }

    fn append(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    let wrapped = std::mem::take(&mut self.in_brackets);
                    self.text.push_str(text.strip_prefix(']').filter(|_| wrapped).unwrap_or(&text));
                }
                Piece::Cite(alias) => {
                    // "[[1]]" is "[1]" to a reader.
                    if self.text.ends_with('[') {
                        self.text.pop();
                        self.in_brackets = true;
                    }
                    self.text.push_str(&format!("[{alias}]"));
                }
            }
        }
    }

    fn advance(&mut self, at_end: bool) -> Vec<WrittenUnit> {
        let offset = self.block_start;
        let mut units = split_units(&self.text[offset..self.settled(at_end)], UnitSplit::LineByLine);
        if !at_end {
            // What the next words may still change is not dealt with yet.
            units.pop();
        }
        let last_end = units.last().map_or(0, |unit| offset + unit.range.end);
        let mut written = Vec::new();
        let mut blank: Option<usize> = None;
        for unit in units {
            let range = offset + unit.range.start..offset + unit.range.end;
            if range.start < self.done_to {
                continue;
            }
            let between = &self.text[self.done_to..range.start];
            let gap = between.matches('\n').count();
            // A blank line inside code begins no block: its fence would be taken for an opening one.
            blank = between.rfind("\n\n").map(|at| self.done_to + at).or(blank);
            let text = self.text[range.clone()].to_owned();
            let number_alone =
                !text.contains(char::is_alphabetic) && (self.done_to > 0 || unit.kind == UnitKind::ListItem);
            let cut_off = at_end && range.end == last_end && self.done_to > 0 && is_cut_off(unit.kind, &text);
            if cut_off || (number_alone && !is_marker(&text)) {
                self.done_to = range.end;
                continue;
            }
            let head =
                unit.head.clone().map(|head| self.text[offset + head.start..offset + head.end].to_owned());
            self.done_to = range.end;
            written.push(WrittenUnit { unit, text, head, gap });
        }
        if let Some(blank) = blank.filter(|blank| *blank > self.block_start) {
            self.block_start = blank;
        }
        written
    }

    /// How far the text can be read: a table's line is a row or a rule only once it is whole.
    fn settled(&self, at_end: bool) -> usize {
        let line = self.text.rfind('\n').map_or(0, |at| at + 1).max(self.block_start);
        if !at_end && self.text[line..].trim_start().starts_with('|') { line } else { self.text.len() }
    }

    /// Reads a unit's citations; nothing where it only points at passages.
    pub fn prepare(&mut self, written: WrittenUnit) -> Option<PendingUnit> {
        let WrittenUnit { unit, text, head, gap } = written;
        let (text, unclosed) = without_unclosed(&text);
        let passages = self.passages;
        let known = |alias| (1..=passages.len()).contains(&alias);
        let text = named_passages_marked(&text, known, |words| passages.says(words));
        let text = tidied(unit.kind, &text);
        self.unclosed.extend(unclosed);
        let (bare, cited) = without_markers(&text);
        if !bare.contains(char::is_numeric) && only_points(&bare) {
            self.pointers.extend(cited);
            return None;
        }
        let pending = PendingUnit { kind: unit.kind, text, head, gap, bare, cited };
        if pending.is_statement()
            && let Some(alias) = self.passages.headed_by(&pending.bare, &pending.cited)
        {
            self.pointers.push(alias);
            return None;
        }
        Some(pending)
    }

    /// What becomes of a unit, given what a reader makes of it and the passages, where one read it.
    pub fn settle(&mut self, pending: PendingUnit, readings: Option<&StatementReadings>) -> Option<Shown> {
        let is_statement = pending.is_statement();
        let PendingUnit { kind, text, head, gap, bare, cited } = pending;
        let noted = if is_statement { remark(&bare) } else { None };
        let grounding = self.passages.check_read(kind, &bare, &cited, readings);
        match grounding {
            Grounding::Kept { aliases, .. } if is_statement && self.only_echoes(&bare, &aliases) => {
                self.pointers.extend(aliases);
                None
            }
            Grounding::Kept { aliases, re_cited } if is_statement && noted != Some(Remark::NoAnswer) => {
                self.kept += 1;
                self.re_cited += usize::from(re_cited);
                self.attributed += usize::from(cited.is_empty());
                self.sureness.extend(readings.and_then(|readings| readings.sureness(&aliases)));
                Some(self.show(kind, &text, &aliases, head.as_deref(), gap))
            }
            Grounding::Kept { .. } if !is_statement => {
                self.hold_head(kind, &bare);
                None
            }
            Grounding::Kept { .. } | Grounding::Withheld { .. } if noted.is_some() => {
                self.refusal |= noted == Some(Remark::NoAnswer);
                if noted == Some(Remark::Missing)
                    && self.passages.states_nothing_new(&bare, &self.question.text)
                {
                    self.remarks.push(bare.trim().to_owned());
                }
                None
            }
            Grounding::Withheld { label, detail } => {
                let withheld = Withheld { label, text: bare.trim().to_owned(), detail };
                if is_statement {
                    self.withheld.push(withheld.clone());
                }
                Some(Shown::Withheld(withheld))
            }
            Grounding::Kept { .. } => None,
        }
    }

    /// Whether a statement is kept, given what a reader makes of it and the passages.
    pub fn keeps(&self, pending: &PendingUnit, readings: &StatementReadings) -> bool {
        let grounding = self.passages.check_read(pending.kind, &pending.bare, &pending.cited, Some(readings));
        matches!(grounding, Grounding::Kept { .. }) || remark(&pending.bare).is_some()
    }

    /// Keeps a statement that follows from a passage which the model was not given.
    pub fn re_cite(&mut self, pending: PendingUnit, alias: usize, sureness: f64) -> Option<Shown> {
        if self.only_echoes(&pending.bare, &[]) {
            return None;
        }
        self.kept += 1;
        self.re_cited += 1;
        self.sureness.push(sureness);
        Some(self.show(pending.kind, &pending.text, &[alias], pending.head.as_deref(), pending.gap))
    }

    /// Whether a statement answers an open question with its own words, or says that it is so with no more than them, where no
    /// sentence of the passages says it.
    fn only_echoes(&self, bare: &str, aliases: &[usize]) -> bool {
        self.question.is_echoed_by(bare_text(bare))
            && (self.question.is_open || !self.passages.says_outright(bare, aliases))
    }

    fn hold_head(&mut self, kind: UnitKind, text: &str) {
        let level = |head: &str| head.bytes().take_while(|b| *b == b'#').count();
        if kind == UnitKind::Heading {
            // A heading under which nothing was kept gives way to the next of its rank.
            while self.heads.last().is_some_and(|last| level(last) == 0 || level(last) >= level(text)) {
                self.heads.pop();
            }
            self.heads.push(text.trim().to_owned());
        }
    }

    fn show(
        &mut self,
        kind: UnitKind,
        text: &str,
        aliases: &[usize],
        head: Option<&str>,
        gap: usize,
    ) -> Shown {
        let mut newly_cited = Vec::new();
        for alias in aliases {
            if !self.cited.contains(alias) {
                self.cited.push(*alias);
                newly_cited.push(*alias);
            }
        }
        let number =
            |alias: usize| self.cited.iter().position(|cited| *cited == alias).map_or(0, |at| at + 1);
        let body = with_markers(kind, text, aliases, &number);
        let mut block = String::new();
        for heading in std::mem::take(&mut self.heads) {
            block.push_str(&heading);
            block.push_str("\n\n");
        }
        let new_table = head.filter(|head| !self.answer.ends_with('|') || !self.answer.contains(*head));
        if let Some(head) = new_table {
            block.push_str(&table_head(&without_markers(head).0));
        }
        block.push_str(&body);
        let separator = match (self.answer.is_empty(), kind) {
            (true, _) => "",
            (_, UnitKind::TableRow) if new_table.is_none() => "\n",
            (_, UnitKind::ListItem) if gap < 2 => "\n",
            (_, UnitKind::Sentence) if gap == 0 => " ",
            (_, UnitKind::Sentence) if gap == 1 && block == body => "\n",
            _ => "\n\n",
        };
        let text = format!("{separator}{block}");
        self.answer.push_str(&text);
        Shown::Text { text, newly_cited }
    }
}

/// Whether a sentence stops where no sentence ends: the model ran out of tokens.
fn is_cut_off(kind: UnitKind, text: &str) -> bool {
    kind == UnitKind::Sentence
        && text.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '(' | '-' | '/'))
}
