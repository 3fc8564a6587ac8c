//! Reading RDF from bytes. What can be read is read; the rest becomes defects with their lines.

mod limits;

use std::fmt;

use oxjsonld::JsonLdParser;
use oxrdf::Triple;
use oxrdfxml::RdfXmlParser;
use oxttl::{NQuadsParser, NTriplesParser, TriGParser, TurtleParser, TurtleSyntaxError};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use serde::{Deserialize, Serialize};

pub use limits::{MAX_FILE_BYTES, MAX_JSON_DEPTH};

/// So many defects of one file are told; more would only repeat the first ones.
const MAX_DEFECTS: usize = 100;

/// How a vocabulary file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RdfFormat {
    /// Turtle.
    Turtle,
    /// TriG; the names of its graphs are not kept.
    TriG,
    /// N-Triples.
    NTriples,
    /// N-Quads; the names of its graphs are not kept.
    NQuads,
    /// RDF/XML.
    RdfXml,
    /// JSON-LD without remote contexts.
    JsonLd,
}

impl RdfFormat {
    /// The format that the extension of a file's name stands for.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "ttl" | "turtle" => Some(Self::Turtle),
            "trig" => Some(Self::TriG),
            "nt" => Some(Self::NTriples),
            "nq" => Some(Self::NQuads),
            "rdf" | "owl" | "xml" => Some(Self::RdfXml),
            "jsonld" | "json" => Some(Self::JsonLd),
            _ => None,
        }
    }

    /// The format of a file by its extension, corrected by how it begins: people save Turtle as `.owl` and `.rdf`.
    pub fn of_file(extension: Option<&str>, bytes: &[u8]) -> Self {
        let begins = |mark: &[u8]| without_bom(bytes).trim_ascii_start().starts_with(mark);
        match extension.and_then(Self::of_extension) {
            Some(Self::RdfXml) if begins(b"@") || begins(b"#") || begins(b"PREFIX") => Self::Turtle,
            Some(format) => format,
            None if begins(b"{") || begins(b"[{") => Self::JsonLd,
            None if begins(b"<?xml") || begins(b"<rdf:") => Self::RdfXml,
            None => Self::Turtle,
        }
    }
}

/// Something in a file that could not be read, or a file that could not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defect {
    /// The file.
    pub file: String,
    /// Its line, from 1, where one is to blame.
    #[serde(default)]
    pub line: Option<u64>,
    /// What is wrong, as the parser says it.
    pub message: String,
    /// How many more there are than are told, where it stands for those.
    #[serde(default)]
    pub untold: Option<usize>,
}

impl Defect {
    /// A defect of a whole file.
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, message: message.into(), untold: None }
    }

    /// What is wrong, as it is told in any language.
    pub fn detail(&self) -> Detail {
        self.untold.map_or_else(|| self.message.as_str().into(), more_faults)
    }
}

fn more_faults(untold: usize) -> Detail {
    Detail::of(Message::VocabularyMoreFaults, [("n", untold.to_string().into())])
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// What a file says, and what of it could not be read.
#[derive(Debug, Default)]
pub struct ReadRdf {
    /// The statements, whichever graph they stand in.
    pub triples: Vec<Triple>,
    /// What could not be read.
    pub defects: Vec<Defect>,
}

/// Reads a file's bytes. `file` is its name, for messages and as the base of relative addresses.
///
/// Turtle, TriG, N-Triples and N-Quads go on with the statement after a broken one; RDF/XML ends at the first fault,
/// since what follows could be taken for a part of something else. Where a strict reading meets faults, addresses and
/// language tags that break their own rules are let through, so that one of them does not cost a whole concept.
pub fn read_rdf(bytes: &[u8], format: RdfFormat, file: &str) -> ReadRdf {
    let bytes = without_bom(bytes);
    if let Err(message) = limits::check(bytes, format) {
        return ReadRdf { triples: Vec::new(), defects: vec![Defect::of_file(file, message)] };
    }
    let strict = parse(bytes, format, file, false);
    if strict.defects.is_empty() {
        return strict;
    }
    let lenient = parse(bytes, format, file, true);
    let triples = if lenient.triples.len() > strict.triples.len() { lenient.triples } else { strict.triples };
    ReadRdf { triples, defects: strict.defects }
}

fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

fn parse(bytes: &[u8], format: RdfFormat, file: &str, lenient: bool) -> ReadRdf {
    let mut reader = RdfReader { file, read: ReadRdf::default(), faults: 0 };
    let base = base_of(file);
    match format {
        RdfFormat::Turtle => {
            let parser = TurtleParser::new();
            let parser = if lenient { parser.lenient() } else { parser };
            let parser = parser.clone().with_base_iri(base).unwrap_or(parser);
            reader.terse(parser.for_slice(bytes));
        }
        RdfFormat::TriG => {
            let parser = TriGParser::new();
            let parser = if lenient { parser.lenient() } else { parser };
            let parser = parser.clone().with_base_iri(base).unwrap_or(parser);
            reader.terse(parser.for_slice(bytes).map(|quad| quad.map(Triple::from)));
        }
        RdfFormat::NTriples => {
            let parser = NTriplesParser::new();
            reader.terse(if lenient { parser.lenient() } else { parser }.for_slice(bytes));
        }
        RdfFormat::NQuads => {
            let parser = NQuadsParser::new();
            let parser = if lenient { parser.lenient() } else { parser };
            reader.terse(parser.for_slice(bytes).map(|quad| quad.map(Triple::from)));
        }
        RdfFormat::RdfXml => reader.xml(bytes, base, lenient),
        RdfFormat::JsonLd => reader.json(bytes, base, lenient),
    }
    reader.finish()
}

/// Relative addresses are resolved against the name alone: the same file has the same concepts on every machine.
fn base_of(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-._~".contains(c) { c } else { '_' };
    format!("file:///{}", name.chars().map(safe).collect::<String>())
}

struct RdfReader<'f> {
    file: &'f str,
    read: ReadRdf,
    faults: usize,
}

impl RdfReader<'_> {
    fn fault(&mut self, line: Option<u64>, message: String) {
        self.faults += 1;
        if self.read.defects.len() < MAX_DEFECTS {
            self.read.defects.push(Defect { line, ..Defect::of_file(self.file, message) });
        }
    }

    fn finish(mut self) -> ReadRdf {
        let untold = self.faults.saturating_sub(MAX_DEFECTS);
        if untold > 0 {
            let message = more_faults(untold).to_string();
            self.read.defects.push(Defect { untold: Some(untold), ..Defect::of_file(self.file, message) });
        }
        self.read
    }

    fn terse(&mut self, statements: impl Iterator<Item = Result<Triple, TurtleSyntaxError>>) {
        for statement in statements {
            match statement {
                Ok(triple) => self.read.triples.push(triple),
                Err(fault) => self.fault(Some(fault.location().start.line + 1), fault.message().to_owned()),
            }
        }
    }

    fn xml(&mut self, bytes: &[u8], base: String, lenient: bool) {
        let parser = RdfXmlParser::new();
        let parser = if lenient { parser.lenient() } else { parser };
        let mut statements = parser.clone().with_base_iri(base).unwrap_or(parser).for_slice(bytes);
        while let Some(statement) = statements.next() {
            match statement {
                Ok(triple) => self.read.triples.push(triple),
                Err(fault) => {
                    let read =
                        usize::try_from(statements.buffer_position()).unwrap_or(usize::MAX).min(bytes.len());
                    self.fault(Some(line_of(bytes, read)), fault.to_string());
                    return;
                }
            }
        }
    }

    fn json(&mut self, bytes: &[u8], base: String, lenient: bool) {
        let parser = JsonLdParser::new();
        let parser = if lenient { parser.lenient() } else { parser };
        for statement in parser.clone().with_base_iri(base).unwrap_or(parser).for_slice(bytes) {
            match statement {
                Ok(quad) => self.read.triples.push(quad.into()),
                Err(fault) => {
                    let line = fault.location().map(|location| location.start.line + 1);
                    self.fault(line, fault.to_string());
                    if self.faults > MAX_DEFECTS {
                        return;
                    }
                }
            }
        }
    }
}

fn line_of(bytes: &[u8], offset: usize) -> u64 {
    let before = bytes.get(..offset).unwrap_or(bytes);
    1 + before.iter().filter(|byte| **byte == b'\n').count() as u64
}

#[cfg(test)]
#[path = "rdf/tests.rs"]
mod tests;
