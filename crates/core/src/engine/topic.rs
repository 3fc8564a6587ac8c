//! The documents that speak of a topic: by its words, and by what the reader makes of passages that use others.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::order::read_passages;
use super::reach::Sweep;
use super::retrieve::evidence_alone;
use super::services::Services;
use super::turn::Turn;
use crate::domain::{Document, DocumentFilter, DocumentId};
use crate::error::AskError;
use crate::intent::Question;
use crate::language::Pack;
use crate::numbers::numbers;
use crate::ports::{Hit, Scope};
use crate::records::{is_listed, list_order};
use crate::text::{UnitKind, distinct_stems, holds, is_quotable, stem, units, words};

/// The documents of a list that speak of its topic, in the catalogue's order.
pub(super) async fn speaking_of_topic(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    filter: &DocumentFilter,
    scope: &Scope,
) -> Result<Vec<Arc<Document>>, AskError> {
    let mut documents = services.ports.catalogue.list(filter, scope).await?;
    if filter.about.is_none() || services.ports.reader.is_none() {
        return Ok(documents);
    }
    let numbers = &numbers().reader;
    let wanted = services.settings().retrieval.total_chunks;
    let evidence = evidence_alone(services, turn, question.clone(), scope, Sweep::Always, wanted).await?;
    let Some(mut evidence) = evidence else { return Ok(documents) };
    read_passages(services, turn, &mut evidence, numbers.listed).await;
    for candidate in &evidence.candidates {
        let document = &candidate.chunk.document;
        let speaks = candidate.read.is_some_and(|odds| odds >= numbers.speaks);
        if speaks && is_listed(filter, document) && !documents.iter().any(|known| known.id == document.id) {
            documents.push(Arc::clone(document));
        }
    }
    documents.sort_by(|a, b| list_order(a, b));
    Ok(documents)
}

/// A sentence, item or row of a document, and the words of a topic that it holds.
struct Saying<'h> {
    text: &'h str,
    kind: UnitKind,
    passage: &'h Hit,
    /// Those that it holds itself.
    own: HashSet<usize>,
    /// Those that it holds, or the heading above it.
    held: HashSet<usize>,
}

/// What each document says of a topic: the sentence, item or row that holds most of its words, the rarer ones among all these documents
/// say counting more, with its passage.
pub(super) fn said_of_topic(topic: &str, passages: &[Hit]) -> BTreeMap<DocumentId, (String, Hit)> {
    let topic: Vec<String> = words(topic).into_iter().map(|word| word.folded).collect();
    let tells = |word: &&String| Pack::all().all(|pack| pack.words.is_content(word));
    let topic: Vec<String> = topic.iter().filter(tells).cloned().collect();
    let sayings: Vec<Saying<'_>> = passages.iter().flat_map(|passage| sayings(&topic, passage)).collect();
    let weights: Vec<f64> = (0..topic.len())
        .map(|word| {
            let frequency = sayings.iter().filter(|saying| saying.held.contains(&word)).count().max(1);
            (1.0 + sayings.len() as f64 / frequency as f64).ln()
        })
        .collect();
    let weigh = |held: &HashSet<usize>| held.iter().map(|word| weights[*word]).sum::<f64>();
    let mut best: BTreeMap<DocumentId, (f64, f64, &Saying<'_>)> = BTreeMap::new();
    for saying in &sayings {
        let (held, own) = (weigh(&saying.held), weigh(&saying.own));
        let is_better = |known: &(f64, f64, &Saying<'_>)| (held, own) > (known.0, known.1);
        let id = &saying.passage.chunk.document.id;
        if held > 0.0 && best.get(id).is_none_or(is_better) {
            best.insert(id.clone(), (held, own, saying));
        }
    }
    best.into_iter().map(|(id, (_, _, saying))| (id, (saying.told(), saying.passage.clone()))).collect()
}

fn sayings<'h>(topic: &[String], passage: &'h Hit) -> Vec<Saying<'h>> {
    let chunk = &passage.chunk;
    let language = chunk.language;
    let stems: Vec<String> = topic.iter().map(|word| stem(word, language)).collect();
    let held_by = |text: &str| -> HashSet<usize> {
        let held = distinct_stems(text, language);
        (0..stems.len()).filter(|at| holds(&held, &stems[*at], language)).collect()
    };
    let above = chunk.section().map(held_by).unwrap_or_default();
    let units = units(&chunk.text).into_iter();
    let stating = units.filter(|unit| unit.kind.states() && is_quotable(&chunk.text, unit));
    stating
        .map(|unit| {
            let text = &chunk.text[unit.range];
            let own = held_by(text);
            let held = own.union(&above).copied().collect();
            Saying { text, kind: unit.kind, passage, own, held }
        })
        .collect()
}

impl Saying<'_> {
    /// As it stands below its document: without the mark of an item, and a row as the cells that it holds.
    fn told(&self) -> String {
        match self.kind {
            UnitKind::TableRow => {
                let cells = self.text.trim().trim_matches('|').split('|').map(str::trim);
                cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" – ")
            }
            _ => self.text.trim_start_matches(['-', '*', '>']).trim().to_owned(),
        }
    }
}
