//! Drafts out of the sections of a record that the question is about.

use std::sync::Arc;

use super::{Draft, JudgedBy, answered};
use crate::answer::compose::{Composition, cited_text};
use crate::answer::record::{beside_answer, compose_record};
use crate::domain::{Candidate, Chunk, Document, DocumentId, Kind, Language};
use crate::engine::evidence::Evidence;
use crate::engine::fact::said_of;
use crate::engine::gate::Gated;
use crate::engine::sentences::read_sentences;
use crate::engine::services::Services;
use crate::engine::turn::Turn;
use crate::intent::{Question, Shape};
use crate::numbers::numbers;
use crate::ports::{Hit, Scope};
use crate::records::titled;
use crate::text::{distinct_stems, sentences, stem};

/// The answer out of the sections of the records that a question asks for and nothing beside; `None` where it asks for
/// something that only a search in them finds.
pub(super) async fn from_record(
    services: &Services,
    turn: &Turn<'_>,
    gated: &Gated,
    scope: &Scope,
) -> Option<Draft> {
    let question = &gated.evidence.question;
    let (documents, is_named) = asked_for(gated)?;
    if let Some(field) = question.wish.field {
        let first =
            gated.kept.iter().find(|kept| documents.iter().any(|of| of.id == kept.chunk.document.id))?;
        let told = said_of(services, turn, &first.chunk.document, field, scope).await.ok()?;
        let answer = format!("{} [1].", told.trim_end_matches('.'));
        return Some(draft(services, turn, gated, answer, vec![first.clone()], is_named).await);
    }
    if let shape @ (Shape::Identifier | Shape::Name) = &question.wish.shape {
        let document = documents.first()?;
        let first = gated.kept.iter().find(|kept| kept.chunk.document.id == document.id)?;
        let cited = vec![first.clone()];
        return Some(
            draft(services, turn, gated, identifier(shape, &first.chunk.document), cited, is_named).await,
        );
    }
    let ids: Vec<DocumentId> = documents.iter().map(|document| document.id.clone()).collect();
    let hits = passages_of(services, gated, &ids, scope).await?;
    let mut answers: Vec<String> = Vec::new();
    let mut cited: Vec<Candidate> = Vec::new();
    for document in &documents {
        let passages: Vec<&Hit> = hits.iter().filter(|hit| hit.chunk.document.id == document.id).collect();
        let told = gated.evidence.told.iter().find(|(id, _)| *id == document.id);
        let compose = || {
            let chunks: Vec<&Chunk> = passages.iter().map(|hit| hit.chunk.as_ref()).collect();
            compose_record(question, &chunks, turn.language)
        };
        let Composition { answer, cited: aliases, .. } =
            told.map_or_else(compose, |(_, told)| Some(told.clone()))?;
        let answer = renumbered(&answer, |number| number + cited.len());
        answers.push(if documents.len() > 1 {
            format!("**{}**\n\n{answer}", named(document))
        } else {
            answer
        });
        let passage = |alias: usize| passages.get(alias - 1).map(|hit| candidate(gated, hit));
        cited.extend(aliases.into_iter().filter_map(passage));
    }
    Some(draft(services, turn, gated, answers.join("\n\n"), cited, is_named).await)
}

/// An answer out of a decision record goes with what the record decides, or with its reasons where the question is why, as far
/// as there is room and the answer does not hold it.
pub(super) async fn with_record(
    services: &Services,
    gated: &Gated,
    scope: &Scope,
    mut draft: Draft,
) -> Draft {
    let Some(first) = draft.cited.first().filter(|first| first.chunk.document.kind == Kind::Adr) else {
        return draft;
    };
    let id = first.chunk.document.id.clone();
    let room = numbers().compose.answer_chars.saturating_sub(draft.answer.chars().count());
    let Some(hits) = passages_of(services, gated, &[id], scope).await else { return draft };
    let chunks: Vec<&Chunk> = hits.iter().map(|hit| hit.chunk.as_ref()).collect();
    let found = draft.cited.clone();
    for (text, passage) in beside_answer(&gated.evidence.question, &chunks, room) {
        let Some(hit) = hits.get(passage).filter(|_| !holds(&draft.answer, &text)) else { continue };
        let cited = draft.cited.iter().position(|cited| cited.chunk.source_id == hit.chunk.source_id);
        let at = cited.unwrap_or_else(|| {
            draft.cited.push(candidate(gated, hit));
            draft.cited.len() - 1
        });
        draft.answer = format!("{}\n\n{}", draft.answer, cited_text(&text, at + 1));
    }
    Draft { judged_by: JudgedBy::Found(found), ..draft }
}

/// The passages that were kept, and behind them the rest of the document that comes first, the nearest first: what answers may
/// stand a section further than what was found.
pub(super) async fn opened(services: &Services, gated: &Gated, scope: &Scope) -> Vec<Candidate> {
    let mut passages = gated.kept.clone();
    let wish = &gated.evidence.question.wish;
    let Some(first) = passages.first().filter(|_| !wish.is_for_several()) else { return passages };
    let id = first.chunk.document.id.clone();
    let Some(mut hits) = passages_of(services, gated, &[id], scope).await else { return passages };
    hits.retain(|hit| !passages.iter().any(|kept| kept.chunk.source_id == hit.chunk.source_id));
    let cosine = |hit: &Hit| hit.cosine.unwrap_or_default();
    hits.sort_by(|a, b| {
        cosine(b).total_cmp(&cosine(a)).then_with(|| a.chunk.source_id.cmp(&b.chunk.source_id))
    });
    let rest = hits.iter().take(numbers().compose.opened_passages).map(|hit| candidate(gated, hit));
    passages.extend(rest.collect::<Vec<_>>());
    passages
}

/// All passages of these documents, with their cosines as far as there are vectors; nothing where the index does not answer in time.
async fn passages_of(
    services: &Services,
    gated: &Gated,
    documents: &[DocumentId],
    scope: &Scope,
) -> Option<Vec<Hit>> {
    let known = gated.evidence.pool.addressed(documents);
    if known.is_some() {
        return known;
    }
    let hits = services.ports.index.address(documents, gated.evidence.vector.as_deref(), scope);
    services.within_deadline("address", hits).await.ok()
}

/// Whether an answer says already what another text says, in whole or in its first sentence; of a table, whether rows of it stand
/// there below its head.
fn holds(answer: &str, text: &str) -> bool {
    let first = match text.lines().next() {
        Some(head) if head.trim_start().starts_with('|') => head,
        _ => sentences(text).first().map_or(text, |first| first),
    };
    answer.contains(first.trim())
}

/// The records whose sections answer the question, and whether the question named them: by id, or by what only one of the titles
/// that were found speaks of. Without a name it is the one whose passage comes first, where all of a record or a form of it is
/// wished for.
fn asked_for(gated: &Gated) -> Option<(Vec<Arc<Document>>, bool)> {
    let question = &gated.evidence.question;
    let named = documents_of(gated.kept.iter().filter(|candidate| candidate.forced));
    if !named.is_empty() {
        return asks_for_nothing_else(question, &named).then_some((named, true));
    }
    // What several documents say is not what the one says whose title names the subject.
    let about_several = question.wish.several || question.kinds.len() > 1;
    let titled = if about_several { Vec::new() } else { titled(question, &documents_of(gated.kept.iter())) };
    if titled.len() == 1 {
        return Some((titled, true));
    }
    // An approval is near whatever its record is about, and says nothing of it.
    let of_record = gated.kept.iter().find(|kept| kept.chunk.document.kind != Kind::Dar);
    let first = of_record.or(gated.kept.first()).filter(|_| question.wish.is_for_a_record())?;
    Some((vec![Arc::clone(&first.chunk.document)], false))
}

/// What the sections of the records that the question names tell, where that is all that it asks: then nothing has to be searched or
/// read to find out what answers.
pub(in crate::engine) fn told_by_sections(
    evidence: &Evidence,
    language: Language,
) -> Option<Vec<(DocumentId, Composition)>> {
    let question = &evidence.question;
    let named = documents_of(evidence.candidates.iter().filter(|candidate| candidate.forced));
    if named.is_empty() || !asks_for_nothing_else(question, &named) {
        return None;
    }
    let tells = |document: &Arc<Document>| {
        let own = evidence.pool.addressed(std::slice::from_ref(&document.id))?;
        let chunks: Vec<&Chunk> = own.iter().map(|passage| passage.chunk.as_ref()).collect();
        compose_record(question, &chunks, language).map(|told| (document.id.clone(), told))
    };
    named.iter().map(tells).collect()
}

/// Whether a question asks for these records as a whole, or for parts of them, and for nothing that has to be searched for.
fn asks_for_nothing_else(question: &Question, named: &[Arc<Document>]) -> bool {
    let wish = &question.wish;
    wish.is_for_a_record() || wish.show || named.iter().all(|document| is_all(question, document))
}

/// The documents of these passages, each once.
fn documents_of<'c>(candidates: impl Iterator<Item = &'c Candidate>) -> Vec<Arc<Document>> {
    let mut documents: Vec<Arc<Document>> = Vec::new();
    for candidate in candidates {
        if !documents.iter().any(|known| known.id == candidate.chunk.document.id) {
            documents.push(Arc::clone(&candidate.chunk.document));
        }
    }
    documents
}

/// Whether a question asks for a record, or a part of it, and for nothing that stands in neither.
fn is_all(question: &Question, document: &Document) -> bool {
    let title = distinct_stems(&document.title, document.language);
    question.topic().into_iter().all(|word| title.contains(&stem(word, document.language)))
}

/// The id, with the title where the name is wished for; a record without a number goes by its title and its file.
fn identifier(shape: &Shape, document: &Document) -> String {
    let said = match (document.number, shape) {
        (Some(_), Shape::Identifier) => document.reference(),
        (Some(_), _) => named(document),
        (None, _) => {
            format!("{} ({})", document.title, document.path.rsplit('/').next().unwrap_or_default())
        }
    };
    format!("{said} [1]")
}

fn named(document: &Document) -> String {
    match document.number {
        Some(_) => format!("{}: {}", document.reference(), document.title),
        None => document.title.clone(),
    }
}

/// An answer that comes after others, its citations with the numbers that they have among all.
pub(in crate::engine) fn renumbered(answer: &str, among_all: impl Fn(usize) -> usize) -> String {
    let mut shifted = String::new();
    let mut rest = answer;
    while let Some(open) = rest.find('[') {
        let inside = &rest[open + 1..];
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        shifted.push_str(&rest[..=open]);
        match inside[..digits].parse::<usize>() {
            Ok(number) if inside[digits..].starts_with(']') => {
                shifted.push_str(&among_all(number).to_string())
            }
            _ => shifted.push_str(&inside[..digits]),
        }
        rest = &inside[digits..];
    }
    shifted.push_str(rest);
    shifted
}

/// A passage of a record as evidence: as it was found, or as it was addressed.
fn candidate(gated: &Gated, hit: &Hit) -> Candidate {
    let source = &hit.chunk.source_id;
    let found = gated.evidence.candidates.iter().find(|known| known.chunk.source_id == *source);
    let found = found.or_else(|| gated.evidence.pool.get(source));
    let new = || Candidate { cosine: hit.cosine, ..Candidate::of_chunk(Arc::clone(&hit.chunk)) };
    found.cloned().unwrap_or_else(new)
}

async fn draft(
    services: &Services,
    turn: &Turn<'_>,
    gated: &Gated,
    answer: String,
    cited: Vec<Candidate>,
    is_named: bool,
) -> Draft {
    let (coverage, judged_by) = if is_named {
        (1.0, JudgedBy::Name)
    } else {
        let is_cited =
            |found: &&Candidate| cited.iter().any(|cited| cited.chunk.document.id == found.chunk.document.id);
        let found: Vec<Candidate> = gated.kept.iter().filter(is_cited).cloned().collect();
        read_sentences(services, turn, gated.evidence.vector.as_deref(), &found).await;
        let chunks = found.iter().chain(&cited).map(|candidate| candidate.chunk.as_ref());
        let (covered, _) = gated.evidence.question.coverage(chunks);
        (answered(services, gated, covered, &found), JudgedBy::Found(found))
    };
    Draft {
        answer,
        cited,
        coverage,
        judged_by,
        model: None,
        withheld: Vec::new(),
        warnings: Vec::new(),
        remarks: Vec::new(),
        passages_used: gated.kept.len(),
        context_tokens: 0,
    }
}
