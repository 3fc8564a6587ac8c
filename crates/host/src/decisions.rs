//! The view of records as decisions: the graph of what they say of one another, and what opposes what.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumbline_contract::{
    CommandError, Contradiction, ContradictionProgress, ContradictionStep, Contradictions, DecisionGraph,
    DecisionNode, DecisionRelation, Mark, OpposingPassage, RecordDraft, RelationKind, RelationProblem,
    RelationProblemKind,
};
use plumbline_core::decisions::{Relation, Side};
use plumbline_core::domain::Document;
use plumbline_core::messages::Message;
use plumbline_library::{Decisions, Unresolved, source_holding};
use plumbline_telemetry::SystemClock;
use plumbline_workspace::{MarkedOpposition, OpenVocabulary, Opposed, StatementProgress};

use crate::Host;
use crate::batches::Batches;
use crate::error::{invalid, not_found, of_library, of_workspace};

impl Host {
    /// The records and what they say of one another, with what is wrong with that.
    pub async fn decision_graph(&self) -> Result<DecisionGraph, CommandError> {
        let open = self.open()?;
        let Some(library) = open.library() else {
            return Ok(DecisionGraph { nodes: Vec::new(), relations: Vec::new(), problems: Vec::new() });
        };
        let decisions = library.decisions(&self.scope()).await;
        let decisions = decisions.map_err(|problem| of_library(&problem, self.texts()))?;
        // A server is not asked for every title: the records then go by their tags.
        let vocabulary = match &open.opened.vocabulary {
            Some(OpenVocabulary::Files(vocabulary, _)) => Some(vocabulary),
            _ => None,
        };
        let language = self.texts().language;
        let about = |document: &Document| {
            let said = format!("{}. {}.", document.title, document.tags.join(". "));
            let named = vocabulary.map(|vocabulary| vocabulary.named_in(&said, language));
            let mut concepts = named.unwrap_or_default();
            let tags = document.tags.iter().filter(|tag| !concepts.contains(tag)).cloned();
            concepts.extend(tags.collect::<Vec<_>>());
            concepts
        };
        let nodes = decisions.documents.iter().map(|document| node(document, about(document))).collect();
        Ok(graph(&decisions, nodes))
    }

    /// What opposes what in the library. What is new is read first, and how far that is streams over `events`.
    pub async fn contradictions(
        &self,
        events: impl Fn(Vec<ContradictionProgress>) + Send + Sync + 'static,
    ) -> Result<Contradictions, CommandError> {
        let documents: BTreeMap<String, Document> = self
            .browsed()
            .await?
            .into_iter()
            .map(|one| (one.record.document.id.to_string(), one.record.document))
            .collect();
        let shown = |one: MarkedOpposition| {
            let MarkedOpposition { opposition, mark } = one;
            Contradiction {
                first: passage(&documents, opposition.first),
                second: passage(&documents, opposition.second),
                id: opposition.id,
                kind: opposition.kind,
                opposes: opposition.opposes,
                mark,
            }
        };
        let batches = Arc::new(Batches::new(events));
        let heard = Arc::clone(&batches);
        let opposed = self.opposed(move |progress| heard.push(said(progress)));
        let opposed = batches.while_doing(opposed).await?;
        let found = opposed.found.into_iter().map(shown).collect();
        Ok(Contradictions { found, by_words_alone: opposed.by_words_alone })
    }

    /// Keeps what the user says of a contradiction, until one of its passages changes; takes it back where absent.
    pub async fn mark_contradiction(&self, id: String, mark: Option<Mark>) -> Result<(), CommandError> {
        let opposed = self.opposed(|_| ()).await?;
        let found = opposed.found.into_iter().find(|one| one.opposition.id == id);
        let found = found.ok_or_else(|| not_found(self.say(Message::MissingContradiction)))?;
        let marked = self.open()?.workspace.mark_contradiction(&found.opposition, mark);
        marked.map_err(|problem| of_workspace(&problem, self.texts()))
    }

    /// Asks where to, and writes a draft of a record there; the path, or nothing where the user changed their mind. A folder of the
    /// library is refused: a draft becomes a record when somebody puts it there.
    pub async fn save_record_draft(&self, draft: RecordDraft) -> Result<Option<String>, CommandError> {
        let Some(path) = self.inner.desktop.save_as(&draft.file_name).await else { return Ok(None) };
        let (workspace, chosen) = (self.folder()?, path.clone());
        let holding = self.blocking(move || source_holding(&workspace, &chosen)).await?;
        if let Some(source) = holding.map_err(|problem| of_library(&problem, self.texts()))? {
            let (path, folder) = (path.display().to_string(), source.path.display().to_string());
            let values = [("path", path.as_str()), ("folder", folder.as_str())];
            return Err(invalid(self.texts().say(Message::DraftInLibrary, &values)));
        }
        self.write_to(path, draft.text).await.map(Some)
    }

    /// Asks where to, and writes a picture of the records there; the path, or nothing where the user changed their mind.
    pub async fn export_decision_graph(&self, svg: String) -> Result<Option<String>, CommandError> {
        self.save("plumbline-decisions.svg", svg).await
    }

    async fn opposed(
        &self,
        told: impl Fn(StatementProgress) + Send + Sync + 'static,
    ) -> Result<Opposed, CommandError> {
        let open = self.open()?;
        let Some(library) = open.library() else {
            return Ok(Opposed { found: Vec::new(), by_words_alone: false });
        };
        let found = open.workspace.contradictions(library, &self.scope(), &SystemClock, told).await;
        found.map_err(|problem| of_workspace(&problem, self.texts()))
    }
}

fn said(progress: StatementProgress) -> ContradictionProgress {
    let (step, done, total) = match progress {
        StatementProgress::Comparing { done, total } => (ContradictionStep::Comparing, done, total),
        StatementProgress::Reading { done, total } => (ContradictionStep::Reading, done, total),
    };
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    ContradictionProgress { step, done: count(done), total: count(total) }
}

fn passage(documents: &BTreeMap<String, Document>, side: Side) -> OpposingPassage {
    let id = side.document.to_string();
    let document = documents.get(&id);
    OpposingPassage {
        reference: document.map_or_else(|| id.clone(), Document::reference),
        title: document.map_or_else(String::new, |one| one.title.clone()),
        path: document.map_or_else(String::new, |one| one.path.clone()),
        document: id,
        heading: side.sentence.heading,
        sentence: side.sentence.text,
        line: side.sentence.line,
    }
}

fn graph(decisions: &Decisions, nodes: Vec<DecisionNode>) -> DecisionGraph {
    let paths: BTreeMap<&str, &str> =
        decisions.documents.iter().map(|one| (one.id.as_str(), one.path.as_str())).collect();
    let relation = |one: &Relation| DecisionRelation {
        from: one.from.to_string(),
        to: one.to.to_string(),
        relation: one.kind,
        sentence: one.sentence.clone(),
        path: paths.get(one.said_in.as_str()).copied().unwrap_or_default().to_owned(),
        line: one.line,
    };
    let circular = decisions.graph.circular().into_iter().map(|one| RelationProblem {
        kind: RelationProblemKind::Circular,
        from: one.from.to_string(),
        to: one.to.to_string(),
        relation: one.kind,
        sentence: one.sentence.clone(),
    });
    DecisionGraph {
        relations: decisions.graph.relations().iter().map(relation).collect(),
        problems: decisions.broken.iter().filter_map(broken).chain(circular).collect(),
        nodes,
    }
}

/// A relation to a record that is not there. An approval without its record is told elsewhere.
fn broken(one: &Unresolved) -> Option<RelationProblem> {
    let kinds = RelationKind::ALL;
    let relation = match one.relation.as_str() {
        "superseded_by" => Some(RelationKind::Supersedes),
        name => kinds.into_iter().find(|kind| kind.as_str() == name),
    };
    Some(RelationProblem {
        kind: RelationProblemKind::Broken,
        from: one.document.to_string(),
        to: one.written.clone(),
        relation: relation?,
        sentence: one.sentence.clone(),
    })
}

fn node(document: &Document, concepts: Vec<String>) -> DecisionNode {
    DecisionNode {
        id: document.id.to_string(),
        reference: document.reference(),
        path: document.path.clone(),
        title: document.title.clone(),
        kind: document.kind,
        status: document.status.clone(),
        standing: document.standing(),
        date: document.date.map(|date| date.to_string()),
        concepts,
    }
}
