//! Small documents and chunks, made in a line.

use std::sync::Arc;

use jiff::civil::Date;
use plumbline_core::domain::{
    Candidate, Chunk, Collection, Document, DocumentId, Kind, Lane, LaneRank, Language, ReadOnce, SourceId,
    TextSpan,
};

fn document(id: String, kind: Kind, number: Option<u32>, title: &str, language: Language) -> Arc<Document> {
    Arc::new(Document {
        path: format!("{id}.md"),
        id: DocumentId::new(id).unwrap_or_else(|error| panic!("{error}")),
        kind,
        collection: Collection::from(kind),
        number,
        title: title.to_owned(),
        status: Some("accepted".to_owned()),
        approval_status: None,
        codes: Vec::new(),
        source: String::new(),
        version: Some("1.0".to_owned()),
        date: Some(Date::constant(2026, 3, 1)),
        owner: Some("Team Architecture".to_owned()),
        deciders: Vec::new(),
        approvers: Vec::new(),
        tags: vec!["security".to_owned()],
        supersedes: Vec::new(),
        superseded_by: Vec::new(),
        language,
    })
}

/// An accepted decision record.
pub fn adr(number: u32, title: &str) -> Arc<Document> {
    document(format!("adr-{number:04}"), Kind::Adr, Some(number), title, Language::EN)
}

/// An accepted principle.
pub fn principle(number: u32, title: &str) -> Arc<Document> {
    document(format!("pcp-{number:04}"), Kind::Principle, Some(number), title, Language::EN)
}

/// A policy in English.
pub fn policy(slug: &str, title: &str) -> Arc<Document> {
    document(format!("policy-{slug}"), Kind::Policy, None, title, Language::EN)
}

/// A policy in Dutch.
pub fn dutch_policy(slug: &str, title: &str) -> Arc<Document> {
    document(format!("policy-{slug}"), Kind::Policy, None, title, Language::NL)
}

/// A chunk of a document.
pub fn chunk(document: &Arc<Document>, index: u32, section_path: &[&str], text: &str) -> Chunk {
    Chunk {
        source_id: SourceId::new(document.id.clone(), index),
        document: Arc::clone(document),
        text: text.to_owned(),
        section_path: section_path.iter().map(|section| (*section).to_owned()).collect(),
        page: None,
        span: TextSpan { start: 0, end: text.chars().count() },
        language: document.language,
    }
}

/// A candidate that the dense lane found with this cosine.
pub fn candidate(chunk: Chunk, cosine: f32) -> Candidate {
    Candidate {
        chunk: Arc::new(chunk),
        cosine: Some(cosine),
        lexical: None,
        ranks: vec![LaneRank { lane: Lane::Dense, rank: 1 }],
        forced: false,
        named: false,
        coverage: 0.0,
        witness: false,
        adds: false,
        rerank: None,
        fused: cosine,
        sentences: ReadOnce::default(),
        answers: ReadOnce::default(),
        read: None,
    }
}
