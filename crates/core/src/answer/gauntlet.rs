//! The marker gauntlet: every citation-shaped marker in a model's reply is resolved or dropped, nothing else changes.
//!
//! The parser is a stack of open brackets. A bracket is held back only while its content can still become a marker;
//! what is dropped leaves no trace, so that pieces of dropped markers cannot add up to a new one. Feeding a reply
//! whole or byte by byte gives the same pieces.

mod marker;

use std::collections::{BTreeSet, HashMap};

use memchr::{memchr2, memchr3};

use crate::domain::SourceId;
use marker::{Shape, is_mark, is_viable, shape};

pub(super) use marker::is_keyword;

/// The aliases that were handed to the model for one turn.
#[derive(Debug, Clone, Default)]
pub struct Minted {
    count: usize,
    by_source: HashMap<String, usize>,
}

impl Minted {
    /// Mints `1..=n` for these sources, in order.
    pub fn new(sources: &[SourceId]) -> Self {
        let by_source = sources.iter().enumerate().map(|(at, source)| (source.to_string(), at + 1)).collect();
        Self { count: sources.len(), by_source }
    }

    /// Whether the alias was handed out.
    pub fn holds(&self, alias: usize) -> bool {
        (1..=self.count).contains(&alias)
    }

    /// How many were handed out.
    pub fn count(&self) -> usize {
        self.count
    }

    fn alias_of(&self, source: &str) -> Option<usize> {
        self.by_source.get(source).copied()
    }

    fn knows_document(&self, document: &str) -> bool {
        self.by_source
            .keys()
            .any(|source| source.rsplit_once(':').is_some_and(|(id, _)| id.eq_ignore_ascii_case(document)))
    }
}

/// A piece of a reply that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text, unchanged.
    Text(String),
    /// A citation of a minted alias.
    Cite(usize),
}

/// Why a marker was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DropReason {
    /// An alias that was never minted.
    UnknownAlias,
    /// A source that was not among the passages.
    UnknownSource,
    /// Shaped like a marker, but none that can be read.
    Malformed,
    /// The same marker again within one sentence.
    Repeated,
    /// An internal id in the running text.
    LeakedId,
}

impl DropReason {
    /// The label of the counter.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownAlias => "unknown_alias",
            Self::UnknownSource => "unknown_source",
            Self::Malformed => "malformed",
            Self::Repeated => "repeated",
            Self::LeakedId => "leaked_id",
        }
    }
}

/// A marker that was dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// The marker as written, cut at 100 characters.
    pub marker: String,
    /// Why.
    pub reason: DropReason,
}

/// The longest run of id characters that can be an internal id.
const LONGEST_ID: usize = 256;

struct Level {
    open: char,
    content: String,
    /// Whether the content is digits and separators alone, which is decided without reading it again.
    only_marks: bool,
}

/// The parser. Feed it with [`Gauntlet::push`], end it with [`Gauntlet::finish`].
pub struct Gauntlet {
    minted: Minted,
    undecoded: Vec<u8>,
    levels: Vec<Level>,
    /// Text outside brackets that is not released yet: it may end in a half-written id.
    pending: String,
    /// Whether the run at the end of `pending` holds a colon and may be an internal id.
    colon_in_run: bool,
    /// Whether the beginning of that run is already released.
    run_is_cut: bool,
    /// Whether released text ends in an opening bracket with nothing but marks behind it.
    released_bare_bracket: bool,
    cited_in_sentence: BTreeSet<usize>,
    sentence_may_end: bool,
    gap_after_end: bool,
    out: Vec<Piece>,
    dropped: Vec<Dropped>,
}

impl Gauntlet {
    /// A gauntlet for one reply.
    pub fn new(minted: Minted) -> Self {
        Self {
            minted,
            undecoded: Vec::new(),
            levels: Vec::new(),
            pending: String::new(),
            colon_in_run: false,
            run_is_cut: false,
            released_bare_bracket: false,
            cited_in_sentence: BTreeSet::new(),
            sentence_may_end: false,
            gap_after_end: false,
            out: Vec::new(),
            dropped: Vec::new(),
        }
    }

    /// Takes the next bytes of the reply and gives what passed. Bytes that are no UTF-8 become U+FFFD.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Piece> {
        if self.undecoded.is_empty()
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            self.read(text);
            return self.release();
        }
        let mut buffer = std::mem::take(&mut self.undecoded);
        buffer.extend_from_slice(bytes);
        let mut rest = buffer.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.read(text);
                    break;
                }
                Err(error) => {
                    let (valid, invalid) = rest.split_at(error.valid_up_to());
                    if let Ok(text) = std::str::from_utf8(valid) {
                        self.read(text);
                    }
                    match error.error_len() {
                        Some(length) => {
                            self.read("\u{FFFD}");
                            rest = &invalid[length..];
                        }
                        None => {
                            self.undecoded = invalid.to_vec();
                            break;
                        }
                    }
                }
            }
        }
        self.release()
    }

    /// Ends the reply: what is still open is decided.
    pub fn finish(mut self) -> (Vec<Piece>, Vec<Dropped>) {
        if !self.undecoded.is_empty() {
            self.read("\u{FFFD}");
        }
        // A marker that the end of the reply cut off is no text.
        let cut_off = self.levels.iter().any(|level| level.content.chars().any(char::is_numeric));
        if cut_off {
            let raw: String =
                self.levels.drain(..).map(|level| format!("{}{}", level.open, level.content)).collect();
            self.note(&raw, DropReason::Malformed);
        } else {
            self.flush_levels();
        }
        self.end_run();
        let pending = std::mem::take(&mut self.pending);
        self.emit_text(pending);
        (self.out, self.dropped)
    }

    /// What was dropped so far.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    fn read(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if self.levels.is_empty() && !self.colon_in_run && !is_opening(first) {
                // The fast path: plain text is copied up to the next character that matters.
                let plain = plain_length(rest.as_bytes());
                if plain > 0 {
                    let (text, after) = rest.split_at(plain);
                    if self.run_is_cut && !text.bytes().all(is_run_byte) {
                        self.run_is_cut = false;
                    }
                    self.pending.push_str(text);
                    rest = after;
                    continue;
                }
            }
            self.read_char(first);
            rest = &rest[first.len_utf8()..];
        }
    }

    fn read_char(&mut self, c: char) {
        if is_opening(c) {
            if self.levels.is_empty() {
                self.end_run();
            }
            self.levels.push(Level { open: c, content: String::new(), only_marks: c != '(' });
            return;
        }
        let Some(level) = self.levels.last_mut() else {
            if !is_run_char(c) {
                self.end_run();
            }
            self.pending.push(c);
            self.colon_in_run |= c == ':';
            return;
        };
        if closes(level.open, c) {
            self.close_level(c);
            return;
        }
        level.content.push(c);
        level.only_marks &= is_mark(c);
        if !level.only_marks && !is_viable(level.open, &level.content) {
            self.flush_levels();
        }
    }

    fn close_level(&mut self, close: char) {
        let Some(level) = self.levels.pop() else { return };
        let raw = format!("{}{}{close}", level.open, level.content);
        match shape(level.open, &level.content) {
            Shape::Text => {
                self.flush_levels();
                self.add_text(&raw);
            }
            Shape::Malformed => self.note(&raw, DropReason::Malformed),
            Shape::Source { id, named } => match self.minted.alias_of(&id) {
                Some(alias) => self.cite(&[alias], &raw),
                None if named || self.is_internal(&id) => self.note(&raw, DropReason::UnknownSource),
                None => {
                    self.flush_levels();
                    self.add_text(&raw);
                }
            },
            Shape::Aliases(aliases) => {
                let (known, unknown): (Vec<usize>, Vec<usize>) =
                    aliases.into_iter().partition(|alias| self.minted.holds(*alias));
                for _ in unknown {
                    self.note(&raw, DropReason::UnknownAlias);
                }
                if !known.is_empty() {
                    self.cite(&known, &raw);
                }
            }
        }
    }

    /// Ids of the house's own shape are internal even where this turn does not know them.
    fn is_internal(&self, source: &str) -> bool {
        let document = source.rsplit_once(':').map_or(source, |(document, _)| document);
        marker::has_house_prefix(document) || self.minted.knows_document(document)
    }

    fn cite(&mut self, aliases: &[usize], raw: &str) {
        let nested = !self.levels.is_empty();
        self.flush_levels();
        self.end_run();
        let pending = std::mem::take(&mut self.pending);
        self.emit_text(pending);
        let mut kept = false;
        for &alias in aliases {
            if self.cited_in_sentence.insert(alias) {
                self.out.push(Piece::Cite(alias));
                kept = true;
            } else {
                self.note(raw, DropReason::Repeated);
            }
        }
        if nested && !kept {
            self.pending.push('…');
        }
    }

    /// What is open can no longer become a marker: it is text.
    fn flush_levels(&mut self) {
        for level in std::mem::take(&mut self.levels) {
            self.add_text(level.open.encode_utf8(&mut [0; 4]));
            self.add_text(&level.content);
        }
    }

    fn add_text(&mut self, text: &str) {
        for c in text.chars() {
            if !is_run_char(c) {
                self.end_run();
            }
            self.pending.push(c);
            self.colon_in_run |= c == ':';
        }
    }

    /// A run of id characters ends here: if it is an internal id, it goes.
    fn end_run(&mut self) {
        if std::mem::take(&mut self.colon_in_run) && !self.run_is_cut {
            let start = run_start(&self.pending);
            let run = &self.pending[start..];
            if run.len() <= LONGEST_ID && self.is_leak(run) {
                let run = run.to_owned();
                self.pending.truncate(start);
                // Without a trace, "[" before and "7]" behind it would become a marker.
                if ends_in_bare_bracket(&self.pending).unwrap_or(self.released_bare_bracket) {
                    self.pending.push('…');
                }
                self.note(&run, DropReason::LeakedId);
            }
        }
        self.run_is_cut = false;
    }

    fn is_leak(&self, run: &str) -> bool {
        let trimmed = run.trim_end_matches(':');
        if trimmed.eq_ignore_ascii_case("sourceid") {
            return true;
        }
        let bare = match trimmed.get(..9) {
            Some(prefix) if prefix.eq_ignore_ascii_case("sourceid:") => return true,
            _ => trimmed,
        };
        bare.rsplit_once(':')
            .is_some_and(|(_, chunk)| !chunk.is_empty() && chunk.bytes().all(|b| b.is_ascii_digit()))
            && self.is_internal(bare)
    }

    /// Gives away all that can no longer change.
    fn release(&mut self) -> Vec<Piece> {
        let start = run_start(&self.pending);
        let (start, cut) =
            if self.pending.len() - start > LONGEST_ID { (self.pending.len(), true) } else { (start, false) };
        if start > 0 {
            // The tail is the short part: what is released keeps its buffer.
            let tail = self.pending.split_off(start);
            let text = std::mem::replace(&mut self.pending, tail);
            self.run_is_cut = self.run_is_cut && self.pending.is_empty() || cut;
            self.emit_text(text);
        }
        std::mem::take(&mut self.out)
    }

    fn emit_text(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        self.released_bare_bracket = ends_in_bare_bracket(&text).unwrap_or(self.released_bare_bracket);
        // While nothing is cited, only how the text ends matters.
        let last_word = if self.cited_in_sentence.is_empty() {
            text.char_indices().rev().find(|(_, c)| !c.is_whitespace()).map_or(0, |(at, _)| at)
        } else {
            0
        };
        self.follow_sentence(&text[last_word..]);
        match self.out.last_mut() {
            Some(Piece::Text(last)) => last.push_str(&text),
            _ => self.out.push(Piece::Text(text)),
        }
    }

    /// A sentence ends at a full stop, a question or exclamation mark or a line break, once other text follows.
    fn follow_sentence(&mut self, text: &str) {
        for c in text.chars() {
            if c == '\n' {
                (self.sentence_may_end, self.gap_after_end) = (true, true);
            } else if c.is_whitespace() {
                self.gap_after_end |= self.sentence_may_end;
            } else if matches!(c, '.' | '!' | '?' | '…') {
                (self.sentence_may_end, self.gap_after_end) = (true, false);
            } else if self.sentence_may_end {
                if self.gap_after_end {
                    self.cited_in_sentence.clear();
                }
                (self.sentence_may_end, self.gap_after_end) = (false, false);
            }
        }
    }

    fn note(&mut self, raw: &str, reason: DropReason) {
        self.dropped.push(Dropped { marker: raw.chars().take(100).collect(), reason });
    }
}

/// How far nothing stops the fast path: no opening bracket of any kind, and no colon of an internal id.
fn plain_length(bytes: &[u8]) -> usize {
    let plain = memchr3(b'[', b'(', b':', bytes).unwrap_or(bytes.len());
    // The bytes that `【` and `［` begin with.
    memchr2(0xE3, 0xEF, &bytes[..plain]).unwrap_or(plain)
}

fn is_opening(c: char) -> bool {
    matches!(c, '[' | '(' | '【' | '［')
}

/// Square brackets of any kind close each other, since a reader takes them for a pair.
fn closes(open: char, c: char) -> bool {
    if open == '(' { c == ')' } else { matches!(c, ']' | '】' | '］') }
}

/// Whether the text ends in an opening bracket and marks; `None` where it is marks from the beginning.
fn ends_in_bare_bracket(text: &str) -> Option<bool> {
    text.chars().rev().find(|c| !is_mark(*c)).map(|c| c != '(' && is_opening(c))
}

fn is_run_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | ':')
}

fn is_run_byte(byte: u8) -> bool {
    is_run_char(char::from(byte))
}

fn run_start(text: &str) -> usize {
    text.bytes().rposition(|byte| !is_run_byte(byte)).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests;
