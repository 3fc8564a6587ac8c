use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::{Document, Language, SourceId};

/// Where a text lies in its source file, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TextSpan {
    /// First character.
    pub start: usize,
    /// One past the last character.
    pub end: usize,
}

/// A passage of a document: the unit that is retrieved and cited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its id.
    pub source_id: SourceId,
    /// The document it belongs to.
    pub document: Arc<Document>,
    /// Its text, verbatim.
    pub text: String,
    /// The headings above it, outermost first.
    pub section_path: Vec<String>,
    /// The page it begins on, where the format has pages.
    pub page: Option<u32>,
    /// Where it lies in the source file.
    pub span: TextSpan,
    /// The language it is written in.
    pub language: Language,
}

impl Chunk {
    /// The innermost heading.
    pub fn section(&self) -> Option<&str> {
        self.section_path.last().map(String::as_str)
    }

    /// A part of its text under the document's title and its section's heading: what they name, the text often leaves out.
    pub fn under_headings(&self, part: &str) -> String {
        let title = Some(self.document.title.as_str());
        let section = self.section().filter(|section| Some(*section) != title);
        let headings: Vec<&str> =
            title.into_iter().chain(section).filter(|heading| !heading.is_empty()).collect();
        format!("{}\n{part}", headings.join(" › "))
    }
}

/// A way into the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Lane {
    /// Curated memory.
    Curated,
    /// Vector search.
    Dense,
    /// BM25.
    Lexical,
    /// Exact ids.
    Address,
}

impl Lane {
    /// The name in logs, metrics and stages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Curated => "curated",
            Self::Dense => "dense",
            Self::Lexical => "lexical",
            Self::Address => "address",
        }
    }
}

/// The place a lane gave to a chunk, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneRank {
    /// The lane.
    pub lane: Lane,
    /// The place.
    pub rank: u32,
}

/// How near each sentence of a passage comes to the question, by the place where it begins.
pub type Nearness = HashMap<usize, f32>;

/// What is read of a candidate: nothing until it is needed, and once, for all copies of the candidate.
#[derive(Debug, Clone)]
pub struct ReadOnce<T>(Arc<OnceLock<T>>);

impl<T> ReadOnce<T> {
    /// What was read.
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// Keeps what was read; what was read before stays.
    pub fn keep(&self, read: T) {
        self.0.get_or_init(|| read);
    }
}

impl<T> Default for ReadOnce<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: PartialEq> PartialEq for ReadOnce<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

/// A chunk in the pool, with all that the gates need to know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The passage.
    pub chunk: Arc<Chunk>,
    /// Its cosine to the question, whichever lane found it; absent in BM25-only mode.
    pub cosine: Option<f32>,
    /// BM25 divided by its bound, where the lexical lane found it.
    pub lexical: Option<f32>,
    /// The best place that each lane gave it.
    pub ranks: Vec<LaneRank>,
    /// Found by its address: no floor and no gate applies.
    pub forced: bool,
    /// Meant by a name of the question that few passages hold, or by the conversation before it.
    pub named: bool,
    /// The share of the question's content words that it holds, weighted by idf.
    pub coverage: f64,
    /// Covers by itself enough of them.
    pub witness: bool,
    /// Holds words of the question that better ones do not, where several documents are to have their say.
    pub adds: bool,
    /// The reranker's score, where one decided.
    pub rerank: Option<f32>,
    /// What it is ordered by: the lanes' scores made one, or the reranker's score, after boosts.
    pub fused: f32,
    /// How near its sentences come.
    pub sentences: ReadOnce<Nearness>,
    /// The log-odds that its sentences answer the question, by the reader.
    pub answers: ReadOnce<Nearness>,
    /// The log-odds that it answers the question as a whole, by the reader.
    pub read: Option<f32>,
}

impl Candidate {
    /// A passage of which nothing else is known.
    pub fn of_chunk(chunk: Arc<Chunk>) -> Self {
        Self {
            chunk,
            cosine: None,
            lexical: None,
            ranks: Vec::new(),
            forced: false,
            named: false,
            coverage: 0.0,
            witness: false,
            adds: false,
            rerank: None,
            fused: 0.0,
            sentences: ReadOnce::default(),
            answers: ReadOnce::default(),
            read: None,
        }
    }

    /// The score that gates and confidence read: the cosine, or BM25's share of its bound where there is none; 0 where
    /// what an index gave is no number.
    pub fn score(&self) -> f32 {
        self.cosine.or(self.lexical).filter(|score| score.is_finite()).unwrap_or(0.0)
    }

    /// The lane that is credited with it: the one that ranked it best, by lane order on a tie.
    pub fn best_lane(&self) -> Option<Lane> {
        self.ranks.iter().min_by_key(|rank| (rank.rank, rank.lane)).map(|rank| rank.lane)
    }

    /// Whether floors and gates pass it by.
    pub fn is_exempt(&self) -> bool {
        self.forced || self.witness
    }
}
