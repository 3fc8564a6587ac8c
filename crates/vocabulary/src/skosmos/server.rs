use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::{join_all, try_join_all};
use plumbline_core::domain::Language;
use plumbline_core::ports::Concept;
use plumbline_core::response::{ConceptLink, LabelMatch};
use plumbline_telemetry::Clock;
use tokio::time::{Instant, timeout};

use super::answer::Answer;
use super::graph::Graph;
use super::hits::{Rows, other_apostrophes, suggestions};
use super::http::{Connection, Failure};
use super::wire::{self, Listed, Row};
use crate::matching::{
    Decision, LabelHit, SuggestedLabel, alternative_labels, concept_id, decide, decide_qualified, fold_term,
    preferred_label,
};

/// How many rows a search for a term may have.
const HITS: &str = "20";
/// How many a search for labels to suggest may have.
const SUGGESTIONS: &str = "100";
/// What is worth having but not worth waiting for gets this long.
const ASIDE: Duration = Duration::from_millis(100);
/// Longer than any URI of a concept, and short enough for every server's request line.
const MAX_URI: usize = 2_000;

/// When a list was read, and the list.
type Remembered = (Duration, Arc<Vec<Listed>>);
type Decide = fn(&str, Language, Vec<LabelHit>) -> Decision;

/// One server: what it is asked, and what its answers come to.
pub(super) struct Server {
    pub(super) connection: Connection,
    /// In order of authority; empty for all that it has.
    vocabularies: Vec<String>,
    clock: Arc<dyn Clock>,
    keep_for: Duration,
    listed: Mutex<HashMap<Language, Remembered>>,
}

impl Server {
    pub(super) fn new(
        connection: Connection,
        vocabularies: Vec<String>,
        clock: Arc<dyn Clock>,
        keep_for: Duration,
    ) -> Self {
        Self { connection, vocabularies, clock, keep_for, listed: Mutex::default() }
    }

    /// Looks a term up: one search, or two where the first finds nothing, and then the data of each candidate.
    pub(super) async fn look_up(&self, term: &str, language: Language) -> Result<Answer, Failure> {
        let asked_at = Instant::now();
        // Only the first look-up in a while asks for the list; it does not wait for it to search.
        let (listed, first) = tokio::join!(self.list(language), self.search(term, HITS, language));
        let rows = match first {
            Err(Failure::Status(500) | Failure::NoVocabulary) if self.has_unlisted(listed.as_deref()) => {
                self.search(term, HITS, language).await?
            }
            rows => rows?,
        };
        let rows = Rows::new(rows, &self.vocabularies, language);
        let listed = listed.as_deref();
        if decide(term, language, rows.hits.clone()) != Decision::NotFound {
            let found = self.describe(term, language, rows, decide, listed).await?;
            return Ok(Answer::new(found, false, asked_at));
        }
        let more = self.search_more(term, language).await?;
        let near = suggestions(&more, language);
        let rows = Rows::new(more, &self.vocabularies, language);
        let exact = decide(term, language, rows.hits.clone()) != Decision::NotFound;
        let decided: Decide = if exact { decide } else { decide_qualified };
        let found = self.describe(term, language, rows, decided, listed).await?;
        let answer = Answer::new(found, !exact, asked_at);
        answer.suggest(near);
        Ok(answer)
    }

    /// A concept by its URI. The vocabularies are asked one by one: asking the server as a whole takes ten times as long.
    pub(super) async fn concept(&self, uri: &str, language: Language) -> Result<Answer, Failure> {
        let asked_at = Instant::now();
        let nothing = || Ok(Answer::new(Vec::new(), false, asked_at));
        if !is_askable(uri) {
            return nothing();
        }
        let listed = self.list(language).await;
        let ids: Vec<Option<&str>> = match self.listed_ids(listed.as_deref()) {
            _ if self.vocabularies.is_empty() => vec![None],
            ids => ids.into_iter().map(Some).collect(),
        };
        let graphs = join_all(ids.iter().map(|id| self.data(*id, uri))).await;
        for (id, graph) in ids.iter().zip(graphs) {
            let Some(graph) = graph?.filter(|graph| graph.describes(uri)) else { continue };
            let hit = LabelHit {
                uri: uri.to_owned(),
                vocabulary: 0,
                label: String::new(),
                language: None,
                tier: LabelMatch::Preferred,
                deprecated: graph.is_deprecated(uri),
            };
            let concept = self.read(&graph, &hit, *id, language, listed.as_deref()).await;
            return Ok(Answer::new(vec![(hit, concept)], false, asked_at));
        }
        nothing()
    }

    /// Labels that begin as the term does.
    pub(super) async fn suggest(
        &self,
        term: &str,
        language: Language,
    ) -> Result<Vec<SuggestedLabel>, Failure> {
        let letters: Vec<char> = term.chars().take_while(|c| *c != '*').collect();
        // Long enough to keep the list short, short enough to stand before most slips.
        let length = (letters.len() * 2 / 5).clamp(3, 6);
        let beginning: String = letters.into_iter().take(length).collect();
        if beginning.trim().is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.search(&format!("{beginning}*"), SUGGESTIONS, language).await?;
        Ok(suggestions(&rows, language))
    }

    /// The server's vocabularies: remembered, or asked for without much patience, since a look-up can do without.
    pub(super) async fn list(&self, language: Language) -> Option<Arc<Vec<Listed>>> {
        if let Some(listed) = self.remembered(language) {
            return Some(listed);
        }
        let parameters = [("lang", language.code())];
        let body = timeout(ASIDE, self.connection.get(&["vocabularies"], &parameters)).await.ok()?.ok()??;
        let listed = Arc::new(wire::vocabularies(&body).ok()?);
        let now = self.clock.monotonic();
        let mut all = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(language, (now, Arc::clone(&listed)));
        Some(listed)
    }

    /// The vocabularies that are asked, by id and title.
    pub(super) async fn vocabularies(&self, language: Language) -> Vec<(String, String)> {
        let listed = self.list(language).await;
        let titled =
            |id: &str, title: Option<&String>| (id.to_owned(), title.map_or(id, String::as_str).to_owned());
        let known = |id: &str| listed.as_deref()?.iter().find(|listed| listed.id == id)?.title.as_ref();
        match listed.as_deref() {
            Some(all) if self.vocabularies.is_empty() => {
                all.iter().map(|listed| titled(&listed.id, listed.title.as_ref())).collect()
            }
            _ => self.vocabularies.iter().map(|id| titled(id, known(id))).collect(),
        }
    }

    /// The concepts at the top of a vocabulary; nothing where the server does not have it.
    pub(super) async fn top_concepts(
        &self,
        vocabulary: &str,
        language: Language,
    ) -> Result<Option<Vec<ConceptLink>>, Failure> {
        let path = [vocabulary, "topConcepts"];
        let Some(body) = self.connection.get(&path, &[("lang", language.code())]).await? else {
            return Ok(None);
        };
        let mut concepts = wire::top_concepts(&body)?;
        concepts.sort_by_cached_key(|link| (fold_term(&link.label), link.uri.clone()));
        Ok(Some(concepts))
    }

    fn remembered(&self, language: Language) -> Option<Arc<Vec<Listed>>> {
        let all = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, listed) = all.get(&language)?;
        let fresh = self.clock.monotonic().saturating_sub(*at) < self.keep_for;
        fresh.then(|| Arc::clone(listed))
    }

    /// The vocabularies in the settings that the server has: one that it has not makes every search fail.
    fn listed_ids<'s>(&'s self, listed: Option<&Vec<Listed>>) -> Vec<&'s str> {
        let known =
            |id: &&str| listed.is_none_or(|listed| listed.iter().any(|vocabulary| vocabulary.id == *id));
        self.vocabularies.iter().map(String::as_str).filter(known).collect()
    }

    fn has_unlisted(&self, listed: Option<&Vec<Listed>>) -> bool {
        listed.is_some() && self.listed_ids(listed).len() < self.vocabularies.len()
    }

    async fn search(&self, query: &str, most: &str, language: Language) -> Result<Vec<Row>, Failure> {
        let listed = self.remembered(language);
        let ids = self.listed_ids(listed.as_deref());
        let joined = ids.join(" ");
        let mut parameters = vec![("query", query), ("labellang", language.code())];
        let path = match ids.as_slice() {
            [] if !self.vocabularies.is_empty() => return Err(Failure::NoVocabulary),
            [] => vec!["search"],
            [only] => vec![*only, "search"],
            _ => {
                parameters.push(("vocab", &joined));
                vec!["search"]
            }
        };
        parameters.extend([("type", "skos:Concept"), ("unique", "true"), ("maxhits", most)]);
        match self.connection.get(&path, &parameters).await? {
            Some(body) => Ok(wire::search_rows(&body)?),
            // A vocabulary that it has not; or no Skosmos at all.
            None if path.len() > 1 => Err(Failure::NoVocabulary),
            None => Err(Failure::Status(404)),
        }
    }

    /// What a term that no label is may still lead to: a label with a qualifier, or with the other apostrophe.
    async fn search_more(&self, term: &str, language: Language) -> Result<Vec<Row>, Failure> {
        let mut queries = vec![format!("{term}*")];
        queries.extend(other_apostrophes(term));
        let rows = try_join_all(queries.iter().map(|query| self.search(query, HITS, language))).await?;
        Ok(rows.into_iter().flatten().collect())
    }

    async fn data(&self, vocabulary: Option<&str>, uri: &str) -> Result<Option<Graph>, Failure> {
        let path: Vec<&str> = vocabulary.into_iter().chain(["data"]).collect();
        let body = self.connection.get(&path, &[("uri", uri), ("format", "application/ld+json")]).await?;
        Ok(body.map(|body| Graph::parse(&body)).transpose()?)
    }

    /// The concepts that answer, with their data. A row does not tell whether its concept is deprecated, so what the
    /// data says may bring other candidates up.
    async fn describe(
        &self,
        term: &str,
        language: Language,
        mut rows: Rows,
        decided: Decide,
        listed: Option<&Vec<Listed>>,
    ) -> Result<Vec<(LabelHit, Concept)>, Failure> {
        let mut concepts: HashMap<String, Concept> = HashMap::new();
        loop {
            let hits = decided(term, language, rows.hits.clone()).into_hits();
            let missing: Vec<&LabelHit> =
                hits.iter().filter(|hit| !concepts.contains_key(&hit.uri)).collect();
            if missing.is_empty() {
                let concept = |hit: LabelHit| {
                    Some((hit.clone(), Concept { matched: hit.tier, ..concepts.remove(&hit.uri)? }))
                };
                return Ok(hits.into_iter().filter_map(concept).collect());
            }
            let rows_of = &rows.vocabulary_of;
            let fetched = missing.iter().map(|hit| self.fetch(hit, rows_of.get(&hit.uri), language, listed));
            let fetched = try_join_all(fetched).await?;
            for concept in fetched {
                for hit in rows.hits.iter_mut().filter(|hit| hit.uri == concept.uri) {
                    hit.deprecated = concept.deprecated;
                }
                concepts.insert(concept.uri.clone(), concept);
            }
        }
    }

    async fn fetch(
        &self,
        hit: &LabelHit,
        vocabulary: Option<&String>,
        language: Language,
        listed: Option<&Vec<Listed>>,
    ) -> Result<Concept, Failure> {
        let vocabulary = vocabulary.map(String::as_str);
        let mut graph = self.data(vocabulary, &hit.uri).await?.ok_or(Failure::Contradiction)?;
        let meets = |graph: &Graph| {
            let matched = fold_term(&hit.label);
            graph.labels(&hit.uri).any(|label| fold_term(label) == matched)
        };
        if !meets(&graph) && hit.label.contains('\\') {
            graph = graph.with_single_backslashes();
        }
        if !meets(&graph) {
            return Err(Failure::Contradiction);
        }
        Ok(self.read(&graph, hit, vocabulary, language, listed).await)
    }

    async fn read(
        &self,
        graph: &Graph,
        hit: &LabelHit,
        vocabulary: Option<&str>,
        language: Language,
        listed: Option<&Vec<Listed>>,
    ) -> Concept {
        let uri = hit.uri.as_str();
        let alternative = graph.texts(uri, "altLabel");
        let shown = preferred_label(&graph.preferred(uri), &alternative, language);
        let entry =
            listed.and_then(|listed| listed.iter().find(|entry| Some(entry.id.as_str()) == vocabulary));
        let title = entry.and_then(|entry| entry.title.clone()).or_else(|| graph.scheme_title(uri, language));
        let mut replaced_by = graph.replaced_by(uri, language);
        for link in replaced_by.iter_mut().filter(|link| !graph.describes(&link.uri)) {
            // Its label is worth a request, but not the definition that is already here.
            if let Ok(Ok(Some(other))) = timeout(ASIDE, self.data(vocabulary, &link.uri)).await {
                let label = preferred_label(&other.preferred(&link.uri), &[], language);
                link.label = label.map_or_else(|| link.label.clone(), |label| label.text);
            }
        }
        Concept {
            uri: uri.to_owned(),
            concept_id: concept_id(uri),
            alternative_labels: alternative_labels(&alternative, shown.as_ref(), language),
            preferred_label: shown.map_or_else(|| hit.label.clone(), |label| label.text),
            definitions: graph.definitions(uri, language),
            notes: graph.notes(uri, language),
            broader: graph.links(uri, "broader", "narrower", language),
            narrower: graph.links(uri, "narrower", "broader", language),
            related: graph.links(uri, "related", "related", language),
            deprecated: graph.is_deprecated(uri),
            replaced_by,
            vocabulary: title.or_else(|| vocabulary.map(str::to_owned)).unwrap_or_default(),
            matched: hit.tier,
            source: "SKOSMOS".to_owned(),
            fetched_at: self.clock.now().to_string(),
        }
    }
}

/// Whether a URI can be asked for: a server answers anything else with an error.
fn is_askable(uri: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c);
    let scheme = uri.split_once(':').is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty());
    scheme && uri.len() <= MAX_URI && !uri.contains(odd)
}
