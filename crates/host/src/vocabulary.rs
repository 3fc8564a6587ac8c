//! The view of the vocabularies of record.

use plumbline_contract::{CommandError, ConceptSummary, Definition, VocabularyInfo};
use plumbline_core::detail::Detail;
use plumbline_core::engine::definition_of;
use plumbline_core::messages::Message;
use plumbline_core::ports::{Concept, LookupOutcome};
use plumbline_core::response::ConceptLink;
use plumbline_vocabulary::embedded::{BrowsedConcept, EmbeddedVocabulary};
use plumbline_vocabulary::rdf::Defect;
use plumbline_workspace::OpenVocabulary;

use crate::Host;
use crate::error::{not_found, of_vocabulary};
use crate::numbers::count;

/// So many concepts a search shows.
const FOUND: usize = 100;

impl Host {
    /// The vocabularies of record.
    pub async fn vocabularies(&self) -> Result<Vec<VocabularyInfo>, CommandError> {
        let open = self.open()?;
        let language = self.texts().language;
        Ok(match &open.opened.vocabulary {
            None => Vec::new(),
            Some(OpenVocabulary::Files(vocabulary, defects)) => of_files(vocabulary, defects, language),
            Some(OpenVocabulary::Server(client)) => {
                let listed = client.listed(language).await.into_iter();
                let info = |(id, title): (String, String)| VocabularyInfo {
                    id,
                    title,
                    description: None,
                    source: "SKOSMOS".to_owned(),
                    version: None,
                    concepts: None,
                    defects: Vec::new(),
                };
                listed.map(info).collect()
            }
        })
    }

    /// Concepts whose labels hold the text, best first; of one vocabulary where one is given.
    pub async fn search_concepts(
        &self,
        text: String,
        vocabulary: Option<String>,
    ) -> Result<Vec<ConceptSummary>, CommandError> {
        let open = self.open()?;
        let language = self.texts().language;
        match &open.opened.vocabulary {
            None => Ok(Vec::new()),
            Some(OpenVocabulary::Files(files, _)) => {
                Ok(summaries(files.search(&text, vocabulary.as_deref(), language, FOUND)))
            }
            // A server is asked for the term itself: its look-up is what answers rest on, too.
            Some(server) => {
                let found = server.port().lookup(&text, language).await;
                let found = found.map_err(|problem| of_vocabulary(&problem, self.texts()))?;
                Ok(match found.outcome {
                    LookupOutcome::Found(concept) => vec![summary_of(&concept)],
                    LookupOutcome::Ambiguous(concepts) => concepts.iter().map(summary_of).collect(),
                    LookupOutcome::NotFound => Vec::new(),
                })
            }
        }
    }

    /// The concepts at the top of a vocabulary.
    pub async fn top_concepts(&self, vocabulary: String) -> Result<Vec<ConceptSummary>, CommandError> {
        let open = self.open()?;
        let language = self.texts().language;
        match &open.opened.vocabulary {
            None => Ok(Vec::new()),
            Some(OpenVocabulary::Files(files, _)) => Ok(summaries(files.top_concepts(&vocabulary, language))),
            Some(OpenVocabulary::Server(client)) => {
                let links = client.top_concepts(&vocabulary, language).await;
                let links = links.map_err(|problem| of_vocabulary(&problem, self.texts()))?;
                Ok(links.into_iter().map(|link| of_link(link, &vocabulary)).collect())
            }
        }
    }

    /// The concepts directly below one.
    pub async fn narrower_concepts(&self, uri: String) -> Result<Vec<ConceptSummary>, CommandError> {
        let open = self.open()?;
        if let Some(OpenVocabulary::Files(files, _)) = &open.opened.vocabulary {
            return Ok(summaries(files.narrower(&uri, self.texts().language)));
        }
        let concept = self.concept_at(&uri).await?;
        let vocabulary = concept.vocabulary;
        Ok(concept.narrower.into_iter().map(|link| of_link(link, &vocabulary)).collect())
    }

    /// What the vocabulary says about a concept.
    pub async fn concept(&self, uri: String) -> Result<Definition, CommandError> {
        let concept = self.concept_at(&uri).await?;
        let term = concept.preferred_label.clone();
        Ok(definition_of(&term, concept, self.texts().language))
    }

    async fn concept_at(&self, uri: &str) -> Result<Concept, CommandError> {
        let open = self.open()?;
        let unknown = || not_found(self.texts().say(Message::MissingConcept, &[("uri", uri)]));
        let vocabulary = open.opened.vocabulary.as_ref().ok_or_else(unknown)?;
        let found = vocabulary.port().concept(uri, self.texts().language).await;
        match found.map_err(|problem| of_vocabulary(&problem, self.texts()))?.outcome {
            LookupOutcome::Found(concept) => Ok(*concept),
            LookupOutcome::Ambiguous(mut concepts) if !concepts.is_empty() => Ok(concepts.swap_remove(0)),
            _ => Err(unknown()),
        }
    }
}

fn of_files(
    vocabulary: &EmbeddedVocabulary,
    defects: &[Defect],
    language: plumbline_core::domain::Language,
) -> Vec<VocabularyInfo> {
    let schemes = vocabulary.schemes(language).into_iter();
    let info = |scheme: plumbline_vocabulary::embedded::BrowsedScheme| VocabularyInfo {
        defects: defects
            .iter()
            .filter(|defect| defect.file.ends_with(&scheme.file))
            .map(|defect| {
                let file = scheme.file.as_str();
                let told = match defect.line {
                    Some(line) => Detail::at_line(file, line, defect.detail()),
                    None => Detail::about(file, defect.detail()),
                };
                told.text(language)
            })
            .collect(),
        id: scheme.uri,
        title: scheme.title,
        description: None,
        source: scheme.file,
        version: scheme.version,
        concepts: Some(count(scheme.concepts)),
    };
    schemes.map(info).collect()
}

fn summaries(concepts: Vec<BrowsedConcept>) -> Vec<ConceptSummary> {
    let summary = |concept: BrowsedConcept| ConceptSummary {
        uri: concept.uri,
        label: concept.label,
        matched_label: concept.matched,
        vocabulary: concept.vocabulary,
        definition: concept.definition,
        deprecated: concept.deprecated,
        narrower: count(concept.narrower),
    };
    concepts.into_iter().map(summary).collect()
}

fn summary_of(concept: &Concept) -> ConceptSummary {
    let definition = concept.definitions.first().and_then(|text| text.text.lines().next());
    ConceptSummary {
        uri: concept.uri.clone(),
        label: concept.preferred_label.clone(),
        matched_label: None,
        vocabulary: concept.vocabulary.clone(),
        definition: definition.map(str::to_owned),
        deprecated: concept.deprecated,
        narrower: count(concept.narrower.len()),
    }
}

/// All that a server tells of a concept in a list; what lies below it is asked for when it is opened.
fn of_link(link: ConceptLink, vocabulary: &str) -> ConceptSummary {
    ConceptSummary {
        uri: link.uri,
        label: link.label,
        matched_label: None,
        vocabulary: vocabulary.to_owned(),
        definition: None,
        deprecated: false,
        narrower: 1,
    }
}
