//! Statements of a reply, each read against the passages before its verdict, and against the rest of their documents where it needs it.

use super::further::Further;
use super::instructions::Instructions;
use super::read_statement::read;
use super::services::Services;
use super::turn::Turn;
use crate::answer::grounding::{CitedPassages, StatementReadings};
use crate::answer::{AnswerStream, Shown, WrittenUnit};
use crate::domain::Chunk;
use crate::response::{ProofBasis, StatementProof};

/// The passages that a model was given, and the rest of their documents.
pub(super) struct Support<'p> {
    pub instructions: &'p Instructions,
    pub passages: &'p CitedPassages,
    pub chunks: &'p [&'p Chunk],
    pub further: Further<'p>,
    /// How the statements so far were judged.
    pub proofs: Vec<StatementProof>,
}

/// Checks the units that a model has completed, in their order.
pub(super) async fn checked(
    services: &Services,
    turn: &Turn<'_>,
    answer: &mut AnswerStream<'_>,
    support: &mut Support<'_>,
    written: Vec<WrittenUnit>,
) -> Vec<Shown> {
    let Support { instructions, passages, chunks, further, proofs } = support;
    let mut shown = Vec::new();
    for unit in written {
        let Some(pending) = answer.prepare(unit) else { continue };
        // No passage is about what the model was told, so a reader's word for it is worth nothing.
        if !pending.can_be_read() || instructions.are_repeated_by(&pending.bare) {
            shown.extend(answer.settle(pending, None));
            continue;
        }
        let text = pending.bare.trim().to_owned();
        let readings = read(services, turn, passages, chunks, &pending.bare).await;
        let borne_out_elsewhere = match &readings {
            Some(readings) if !answer.keeps(&pending, readings) => {
                further.bearing_out(services, turn, &pending.bare, readings.is_denied()).await
            }
            _ => None,
        };
        let settled = match borne_out_elsewhere {
            Some((alias, sureness)) => answer.re_cite(pending, alias, sureness),
            None => answer.settle(pending, readings.as_ref()),
        };
        if let Some(settled) = &settled {
            let surest = borne_out_elsewhere.or_else(|| readings.as_ref()?.surest());
            let passage = surest.and_then(|(alias, _)| match chunks.get(alias - 1) {
                Some(chunk) => Some(chunk.source_id.to_string()),
                None => Some(further.get(alias)?.chunk.source_id.to_string()),
            });
            let kept = matches!(settled, Shown::Text { .. });
            proofs.push(StatementProof {
                text: kept.then_some(text),
                kept,
                basis: match (&borne_out_elsewhere, surest) {
                    (Some(_), _) => ProofBasis::RestOfDocument,
                    (None, Some(_)) => ProofBasis::Reader,
                    (None, None) => ProofBasis::Words,
                },
                passage,
                follows: surest.map(|(_, follows)| follows),
                contradicted: readings.as_ref().and_then(StatementReadings::contradicted),
            });
        }
        shown.extend(settled);
    }
    shown
}
