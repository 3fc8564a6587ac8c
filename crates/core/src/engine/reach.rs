//! Where a question is looked for, or that there is nothing to look in.

use std::sync::Arc;

use plumbline_telemetry::Route;

use super::refuse::refuse;
use super::services::Services;
use super::step::{OrEnd, Step, respond};
use super::turn::{Turn, destination_of};
use crate::domain::{Collection, Document, Kind};
use crate::error::AskError;
use crate::intent::Question;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::refusal::RefusalFacts;
use crate::request::AskRequest;
use crate::response::{AskResponse, RefusalReason};

/// Where and how far the lanes look.
pub(super) struct Reach<'r> {
    pub scope: &'r Scope,
    /// The collections that the scope lets them see.
    pub searched: Vec<Collection>,
    /// The records that the question names.
    pub documents: &'r [Arc<Document>],
    pub sweep: Sweep,
    /// At most this many hits a lane.
    pub limit: usize,
    pub help: Help,
}

/// Whether models of the user's help to find: they word the question anew and put in order what was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Help {
    OfModels,
    None,
}

/// Whether dense and lexical search go through the whole library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweep {
    /// Unless curated memory or the records that the question names make it needless.
    WhereNeeded,
    Always,
}

/// How many passages an answer may rest on: more where several documents are to have their say.
pub(super) fn passages_wanted(services: &Services, request: &AskRequest, question: &Question) -> usize {
    let usual = services.settings().retrieval.total_chunks;
    let several = || {
        if question.wish.is_for_several() { usual.max(numbers().evidence.several_passages) } else { usual }
    };
    request.max_context_chunks.unwrap_or_else(several).clamp(1, numbers().evidence.most_passages)
}

/// How many hits a lane brings for so many passages.
pub(super) fn hits_for(services: &Services, passages: usize) -> usize {
    passages.saturating_mul(services.settings().retrieval.over_fetch.max(1))
}

/// The collections that are searched for this question; where there are none, the question ends.
pub(super) async fn reach<'r>(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    question: &Question,
    scope: &'r Scope,
    documents: &'r [Arc<Document>],
) -> Step<Reach<'r>> {
    let searched = services.ports.catalogue.collections(scope).await.or_end()?;
    turn.context.set_route(if searched.len() == 1 || documents.len() == 1 {
        Route::Direct
    } else {
        Route::Tree
    });
    turn.destination(destination_of(&kinds_of(question, documents)));
    if searched.is_empty() {
        return respond(nothing_to_search(services, turn, request, scope).await.or_end()?);
    }
    let limit = hits_for(services, passages_wanted(services, request, question));
    Step::Continue(Reach {
        scope,
        searched,
        documents,
        sweep: Sweep::WhereNeeded,
        limit,
        help: Help::OfModels,
    })
}

/// An empty library, or collections that hold nothing.
async fn nothing_to_search(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    turn.audit.retrieval.no_context = true;
    let everywhere = Scope { collections: Vec::new(), ..scope.clone() };
    let empty =
        request.collections.is_empty() || services.ports.catalogue.collections(&everywhere).await?.is_empty();
    let searched = request.collections.iter().map(|collection| collection.as_str().to_owned()).collect();
    let facts = RefusalFacts { searched, ..RefusalFacts::default() };
    let mut response = refuse(turn, RefusalReason::NoResults, &facts);
    if empty {
        response.answer = Messages::of(turn.language).text(Message::LibraryEmpty, &[]);
    }
    Ok(response)
}

/// The kinds that a question goes to: those of the records it names, else those it names, else several.
fn kinds_of(question: &Question, documents: &[Arc<Document>]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> =
        documents.iter().map(|document| document.kind).chain(question.kinds.iter().copied()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.is_empty() { vec![Kind::Adr, Kind::Principle, Kind::Policy] } else { kinds }
}
