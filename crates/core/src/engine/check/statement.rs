//! One statement, held against the library.

use std::sync::Arc;

use super::super::evidence::gather;
use super::super::naming::{Naming, distinct, namings};
use super::super::reach::{Help, Reach, Sweep, hits_for};
use super::super::read_statement::read;
use super::super::services::Services;
use super::super::turn::Turn;
use super::marks::marks;
use super::units::Said;
use crate::answer::citing::{without_citing, without_links, without_names};
use crate::answer::grounding::{CitedPassages, Grounding, GroundingRules};
use crate::answer::tidied;
use crate::domain::{Candidate, Chunk, Collection, Document, DocumentId, Language, SourceId, Standing};
use crate::error::AskError;
use crate::intent::Question;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::response::{
    CheckedStatement, Citation, DecidingPassage, NamedDocument, NearestPassage, StatementVerdict,
    WithheldLabel,
};
use crate::text::UnitKind;

/// What statements are held against.
pub(super) struct Library<'l> {
    pub services: &'l Services,
    pub scope: &'l Scope,
    pub searched: &'l [Collection],
    /// Of the text.
    pub language: Language,
}

/// The numbers of the passages that decide in one text, in the order in which they first do.
#[derive(Default)]
pub(super) struct PassageNumbers {
    sources: Vec<SourceId>,
    /// Their documents, each once.
    pub documents: Vec<Arc<Document>>,
}

impl PassageNumbers {
    fn number(&mut self, chunk: &Chunk) -> usize {
        let known = self.sources.iter().position(|source| *source == chunk.source_id);
        known.map_or_else(
            || {
                self.sources.push(chunk.source_id.clone());
                if !self.documents.iter().any(|document| document.id == chunk.document.id) {
                    self.documents.push(Arc::clone(&chunk.document));
                }
                self.sources.len()
            },
            |at| at + 1,
        )
    }
}

/// What is made of a statement: its verdict, and the passages that decide, by alias.
struct Judgement {
    verdict: StatementVerdict,
    label: Option<WithheldLabel>,
    detail: Option<String>,
    aliases: Vec<usize>,
}

impl Judgement {
    fn kept(verdict: StatementVerdict, aliases: Vec<usize>) -> Self {
        Self { verdict, label: None, detail: None, aliases }
    }
}

/// Holds a statement against the library.
pub(super) async fn check_statement(
    library: &Library<'_>,
    turn: &mut Turn<'_>,
    said: &Said<'_>,
    numbering: &mut PassageNumbers,
) -> Result<CheckedStatement, AskError> {
    let plain = tidied(said.kind, &without_links(said.text));
    let namings = namings(library.services, &plain, library.scope).await?;
    let ranges: Vec<_> = namings.iter().map(|naming| naming.range.clone()).collect();
    let (bare, citing) = without_citing(&plain, &ranges);
    let by_name = distinct(namings.iter());
    let candidates = found(library, turn, &bare, &by_name).await?;
    let held = HeldAgainst::new(library, &candidates, by_name.iter().map(|document| document.id.clone()));
    let cited = (!citing.is_empty()).then(|| {
        let documents = distinct(citing.iter().filter_map(|at| namings.get(*at)));
        held.of_documents(&documents)
    });
    let judgement = held.judge(turn, said.kind, &bare, cited.as_deref()).await?;
    let of = |alias: &usize| alias.checked_sub(1).and_then(|at| candidates.get(at));
    let deciding: Vec<&Candidate> = judgement.aliases.iter().filter_map(of).collect();
    let nearest = candidates.first().filter(|_| deciding.is_empty());
    let mut passages = Vec::with_capacity(deciding.len());
    for candidate in &deciding {
        let chunk = &candidate.chunk;
        passages.push(DecidingPassage {
            citation: Citation::of_chunk(numbering.number(chunk), chunk, candidate.score()),
            marked: marks(library.services, chunk, &bare, judgement.verdict).await,
        });
    }
    Ok(CheckedStatement {
        text: said.text.to_owned(),
        span: said.span,
        verdict: judgement.verdict,
        label: judgement.label,
        reason: reason(&judgement, &namings, &deciding, library.language),
        detail: judgement.detail,
        named: namings.iter().map(named).collect(),
        passages,
        nearest: nearest.map(|candidate| NearestPassage::of_chunk(&candidate.chunk, candidate.score())),
    })
}

/// The passages that a statement is held against: of the documents that it names, and of all others.
async fn found(
    library: &Library<'_>,
    turn: &mut Turn<'_>,
    statement: &str,
    documents: &[Arc<Document>],
) -> Result<Vec<Candidate>, AskError> {
    let services = library.services;
    let limit = services.settings().limits.question_chars;
    let end = statement.char_indices().nth(limit).map_or(statement.len(), |(at, _)| at);
    let question = Question::read(&statement[..end], library.language);
    let wanted = numbers().check.passages;
    let reach = Reach {
        scope: library.scope,
        searched: library.searched.to_vec(),
        documents,
        sweep: Sweep::Always,
        limit: hits_for(services, wanted),
        help: Help::None,
    };
    let evidence = gather(services, turn, question, &[], reach).await?;
    let is_named =
        |candidate: &Candidate| documents.iter().any(|document| document.id == candidate.chunk.document.id);
    let (named, others): (Vec<Candidate>, Vec<Candidate>) =
        evidence.candidates.into_iter().partition(is_named);
    Ok(named.into_iter().take(wanted).chain(others.into_iter().take(wanted)).collect())
}

/// A statement's passages, ready to be held against it.
struct HeldAgainst<'h> {
    library: &'h Library<'h>,
    chunks: Vec<&'h Chunk>,
    passages: CitedPassages,
}

impl<'h> HeldAgainst<'h> {
    fn new(
        library: &'h Library<'h>,
        candidates: &'h [Candidate],
        named: impl Iterator<Item = DocumentId>,
    ) -> Self {
        let chunks: Vec<&Chunk> = candidates.iter().map(|candidate| candidate.chunk.as_ref()).collect();
        let share = library.services.settings().grounding.min_content_share;
        let passages = CitedPassages::new(&chunks, GroundingRules::asking_for(share)).naming(named);
        Self { library, chunks, passages }
    }

    /// The aliases of these documents' passages.
    fn of_documents(&self, documents: &[Arc<Document>]) -> Vec<usize> {
        let is_of = |chunk: &Chunk| documents.iter().any(|document| document.id == chunk.document.id);
        let aliases = self.chunks.iter().zip(1..);
        aliases.filter(|(chunk, _)| is_of(chunk)).map(|(_, alias)| alias).collect()
    }

    /// `cited` are the passages of what the statement cites, where it cites anything.
    async fn judge(
        &self,
        turn: &Turn<'_>,
        kind: UnitKind,
        statement: &str,
        cited: Option<&[usize]>,
    ) -> Result<Judgement, AskError> {
        let cited_aliases = cited.unwrap_or_default();
        let (grounding, denied_by) = self.ground(turn, kind, statement, cited_aliases).await;
        match grounding {
            Grounding::Kept { aliases, .. } => {
                let as_cited = cited.is_none_or(|cited| aliases.iter().any(|alias| cited.contains(alias)));
                let verdict = match as_cited {
                    true => StatementVerdict::Supported,
                    false => StatementVerdict::SupportedElsewhere,
                };
                Ok(Judgement::kept(verdict, aliases))
            }
            Grounding::Withheld { label, detail } => {
                if let Some(judgement) = self.said_of_itself(turn, kind, statement).await? {
                    return Ok(judgement);
                }
                let contradicted = label == WithheldLabel::Contradicted;
                Ok(Judgement {
                    verdict: match contradicted {
                        true => StatementVerdict::Contradicted,
                        false => StatementVerdict::NotSupported,
                    },
                    label: Some(label),
                    detail,
                    aliases: denied_by.filter(|_| contradicted).into_iter().collect(),
                })
            }
        }
    }

    /// What passages say of their own document that the statement says of one that it names: the same one, or another.
    async fn said_of_itself(
        &self,
        turn: &Turn<'_>,
        kind: UnitKind,
        statement: &str,
    ) -> Result<Option<Judgement>, AskError> {
        let namings = namings(self.library.services, statement, self.library.scope).await?;
        let ranges: Vec<_> = namings.iter().map(|naming| naming.range.clone()).collect();
        let nameless = without_names(statement, &ranges);
        // What is left of "ADR-0012 was accepted in 2019" is true of many.
        if namings.is_empty() || !self.passages.can_judge(&nameless) {
            return Ok(None);
        }
        Ok(match self.ground(turn, kind, &nameless, &[]).await.0 {
            Grounding::Kept { aliases, .. } => {
                let own = match distinct(namings.iter()).as_slice() {
                    [named] => self.of_documents(std::slice::from_ref(named)),
                    // Which of several it is said of, nothing tells.
                    _ => Vec::new(),
                };
                let by_itself: Vec<usize> =
                    aliases.iter().filter(|alias| own.contains(alias)).copied().collect();
                Some(match by_itself.is_empty() {
                    true => Judgement::kept(StatementVerdict::SupportedElsewhere, aliases),
                    false => Judgement::kept(StatementVerdict::Supported, by_itself),
                })
            }
            Grounding::Withheld { .. } => None,
        })
    }

    /// The verdict as for a model's reply, and the passage that the reader holds against the statement.
    async fn ground(
        &self,
        turn: &Turn<'_>,
        kind: UnitKind,
        statement: &str,
        cited: &[usize],
    ) -> (Grounding, Option<usize>) {
        let services = self.library.services;
        let readings = read(services, turn, &self.passages, &self.chunks, statement).await;
        let grounding = self.passages.check_read(kind, statement, cited, readings.as_ref());
        (grounding, readings.and_then(|readings| readings.denied_by()))
    }
}

fn reason(
    judgement: &Judgement,
    namings: &[Naming],
    deciding: &[&Candidate],
    language: Language,
) -> Option<String> {
    let messages = Messages::of(language);
    let detail = judgement.detail.as_deref().unwrap_or_default();
    let message = match (judgement.verdict, judgement.label) {
        (StatementVerdict::Supported, _)
            if deciding.is_empty() || deciding.iter().any(|candidate| is_in_force(candidate)) =>
        {
            return None;
        }
        (StatementVerdict::Supported, _) => {
            let found = messages.all_of(&references_of(deciding));
            return Some(messages.text(Message::CheckOutOfForce, &[("found", &found)]));
        }
        (StatementVerdict::SupportedElsewhere, _) => {
            let named: Vec<&str> = namings.iter().map(|naming| naming.written.as_str()).collect();
            let (named, found) = (messages.any_of(&named), messages.all_of(&references_of(deciding)));
            return Some(messages.text(Message::CheckElsewhere, &[("named", &named), ("found", &found)]));
        }
        (StatementVerdict::Contradicted, _) => Message::CheckContradicted,
        (_, Some(WithheldLabel::Fabricated)) if !detail.is_empty() => Message::CheckFabricated,
        (_, Some(WithheldLabel::Misattributed)) if !detail.is_empty() => Message::CheckMisattributed,
        _ => Message::CheckUnsupported,
    };
    Some(messages.text(message, &[("detail", detail)]))
}

fn references_of(deciding: &[&Candidate]) -> Vec<String> {
    let mut references: Vec<String> =
        deciding.iter().map(|candidate| candidate.chunk.document.reference()).collect();
    references.dedup();
    references
}

/// Whether what a passage says still holds.
fn is_in_force(candidate: &Candidate) -> bool {
    let document = &candidate.chunk.document;
    let has_ended = matches!(document.standing(), Standing::Superseded | Standing::Deprecated);
    !has_ended && document.superseded_by.is_empty()
}

fn named(naming: &Naming) -> NamedDocument {
    let document_ids = naming.documents.iter().map(|document| document.id.to_string()).collect();
    NamedDocument { written: naming.written.clone(), document_ids }
}
