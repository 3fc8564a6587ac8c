//! A draft of a record: the library's own layout, with what the library says filled in as citations and the rest left blank.
//!
//! It is called a sketch here, since a draft is what every answer is before its confidence is known.

mod layout;
mod related;
mod series;
mod terms;

use std::ops::ControlFlow;

use plumbline_telemetry::names;

use self::layout::{Heading, Layout};
use self::related::{Related, open_contradictions, related};
use self::series::{Series, Suggested, suggested};
use self::terms::{Terms, terms};
use super::blank::blank;
use super::drafted;
use super::graph::{Library, Page};
use super::records::Records;
use super::respond::{conclude, nearest_of};
use super::services::Services;
use super::standing::show_with_standing;
use super::step::{OrEnd, Step};
use super::turn::Turn;
use crate::answer::record::{CONTEXT, RATIONALE, decided};
use crate::decisions::Opposition;
use crate::domain::{Candidate, Chunk, Document, DocumentId};
use crate::intent::Question;
use crate::messages::{Message, Messages};
use crate::ports::Scope;
use crate::request::AskRequest;
use crate::response::{Action, AnswerSource, AskResponse, Citation, RecordDraft, TransparencyStatement};
use crate::text::{MORE, STATUS, capitalised, quotable};

/// What the documents say of a topic, as an answer would.
struct Told {
    response: AskResponse,
    /// The passages that come about as near as the nearest.
    nearest: Vec<Candidate>,
}

/// All that a draft is made of.
struct Filling {
    told: Option<Told>,
    related: Related,
    opposed: Vec<Opposition>,
    terms: Terms,
    layout: Layout,
    suggested: Suggested,
    /// What could not be asked.
    problems: Vec<String>,
}

/// A draft of a record about a topic.
pub(super) async fn sketch(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    topic: &str,
    scope: &Scope,
) -> Step<AskResponse> {
    turn.destination("catalogue");
    let library = Library::of(services, scope).await.or_end()?;
    let told = told(services, turn, request, topic, scope).await?;
    let found = told.as_ref().map(Told::documents).unwrap_or_default();
    let related = related(&library, &found, topic, turn.language);
    let series = Series::of(&library, &related.decisions);
    let layout = Layout::of(services, turn, &series, scope).await;
    let (opposed, unasked) = open_contradictions(services, turn, &related, topic, scope).await;
    let terms = terms(services, turn, topic).await;
    let problems = unasked.into_iter().chain(terms.problem.clone()).collect();
    let suggested = suggested(&series, topic);
    let filling = Filling { told, related, opposed, terms, layout, suggested, problems };
    filled(services, turn, topic, &library, filling, scope).await
}

impl Told {
    /// The documents that it comes from, and those that come about as near.
    fn documents(&self) -> Vec<DocumentId> {
        let near = self.nearest.iter().map(|candidate| candidate.chunk.document.id.clone());
        let cited = self.response.citations.iter().map(|citation| citation.source_id.document.clone());
        near.chain(cited).collect()
    }
}

/// What the documents say of a topic: worded by a model under the checks that every answer passes, or in their own words. Nothing where
/// a question about it would be refused.
async fn told(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    topic: &str,
    scope: &Scope,
) -> Step<Option<Told>> {
    let asked = Messages::of(turn.language).text(Message::DraftQuestion, &[("topic", topic)]);
    let question = Question::read(&asked, turn.language);
    let answered = async {
        let (gated, draft) = drafted(services, turn, request, question, scope, &Records::default()).await?;
        let nearest = nearest_of(&gated.kept);
        let response = conclude(services, turn, scope, &gated, draft).await?;
        Step::Continue(Told { response, nearest })
    };
    match answered.await {
        ControlFlow::Continue(told) => Step::Continue(Some(told)),
        ControlFlow::Break(Ok(_)) => Step::Continue(None),
        ControlFlow::Break(Err(problem)) => ControlFlow::Break(Err(problem)),
    }
}

async fn filled(
    services: &Services,
    turn: &mut Turn<'_>,
    topic: &str,
    library: &Library,
    filling: Filling,
    scope: &Scope,
) -> Step<AskResponse> {
    let named = filling.related.all().map(|document| document.id.clone());
    let opposed = filling.opposed.iter().flat_map(|one| [&one.first, &one.second]);
    let opposed = opposed.map(|side| side.document.clone());
    let ids: Vec<_> = named.chain(opposed).collect();
    let mut page = Page::over(services, turn, ids.into_iter(), scope).await;
    let mut writer =
        Writer { page: &mut page, messages: Messages::of(turn.language), library, filling: &filling };
    writer.record(topic);
    let text = page.text();
    let holds_something = page.cites() || !filling.related.is_empty();
    let mut response = blank(turn, Action::Cite);
    let documents: Vec<_> = filling.related.all().cloned().collect();
    page.fill(&mut response);
    let messages = Messages::of(turn.language);
    let about = if holds_something { Message::DraftIntro } else { Message::DraftNothing };
    let layout_told = match filling.layout.learned_from {
        Some(count) => messages.text(Message::DraftLayoutOwn, &[("n", &count.to_string())]),
        None => messages.text(Message::DraftLayoutMadr, &[]),
    };
    let intro = messages.text(about, &[("topic", topic)]);
    response.answer = format!("{intro} {layout_told}\n\n{text}");
    response.grounded = holds_something;
    response.source = if holds_something { AnswerSource::Library } else { AnswerSource::Plumbline };
    response.draft = Some(RecordDraft {
        topic: topic.to_owned(),
        reference: filling.suggested.reference,
        file_name: filling.suggested.file_name,
        text: as_file(&text, &response.citations),
    });
    response.warnings.extend(filling.problems);
    if let Some(Told { response: told, .. }) =
        filling.told.filter(|told| told.response.action == Action::Cite)
    {
        let verbatim = messages.text(Message::TransparencyExtractive, &[]);
        if told.model_used.is_none() {
            let nothing = TransparencyStatement { statement: None, show_to_user: false };
            response.transparency = nothing.and(&verbatim);
        }
        response.model_used = told.model_used;
        response.withheld = told.withheld;
        response.proofs = told.proofs;
        response.context_chunks_used = told.context_chunks_used;
        response.context_tokens_used = told.context_tokens_used;
    }
    services.metrics.inc(&names::FACT_LOOKUP_TOTAL, [names::FACT_LOOKUP_OK]);
    show_with_standing(services, turn, &mut response, &documents, scope).await.or_end()?;
    Step::Continue(response)
}

/// Writes a draft onto a page, section by section.
struct Writer<'w> {
    page: &'w mut Page,
    messages: &'static Messages,
    library: &'w Library,
    filling: &'w Filling,
}

impl Writer<'_> {
    fn say(&self, message: Message) -> String {
        self.messages.text(message, &[])
    }

    fn record(&mut self, topic: &str) {
        let (layout, reference) = (&self.filling.layout, self.filling.suggested.reference.as_deref());
        // The passages of the context keep the numbers that they have in its words.
        let told = self.context();
        self.page.line(format!("# {}", capitalised(topic)));
        if let Some(reference) = reference {
            self.page.line(self.messages.text(Message::DraftNumber, &[("number", reference)]));
        }
        let of = |aspect: &str| layout.headings.iter().position(|heading| heading.aspect == Some(aspect));
        let context = of(CONTEXT);
        let (drivers, more) = (of(RATIONALE).or(context), of(MORE));
        if !layout.headings.iter().any(|heading| heading.aspect == Some(STATUS)) {
            self.page.line(self.say(Message::DraftStatus));
        }
        for (at, heading) in layout.headings.iter().enumerate() {
            self.page.line(format!("{} {}", heading.level(), heading.text));
            let before = self.page.length();
            if Some(at) == context {
                told.iter().for_each(|told| self.page.line(told.clone()));
            }
            if Some(at) == drivers {
                self.principles();
            }
            if Some(at) == more {
                self.links();
            }
            if heading.aspect == Some(STATUS) {
                self.page.line(self.say(Message::DraftStatus));
            }
            let has_parts = layout.headings.get(at + 1).is_some_and(|next| next.depth > heading.depth);
            let is_empty = self.page.length() == before && (heading.says_something || !has_parts);
            // What is quoted is neither a problem statement nor a reason yet.
            if is_empty || Some(at) == context || Some(at) == drivers {
                self.page.line(self.say(Message::DraftBlank));
            }
        }
        if context.is_none() && !told.is_empty() || more.is_none() || drivers.is_none() {
            let heading = Heading::named(&self.say(Message::DraftMore));
            let before = self.page.length();
            self.page.line(format!("{} {}", heading.level(), heading.text));
            if context.is_none() {
                told.iter().for_each(|told| self.page.line(told.clone()));
            }
            if drivers.is_none() {
                self.principles();
            }
            if more.is_none() {
                self.links();
            }
            if self.page.length() == before + 1 {
                self.page.take_back(before);
            }
        }
    }

    /// What the documents say of the topic, with its citations on the page.
    fn context(&mut self) -> Vec<String> {
        let told = self.filling.told.as_ref().filter(|told| told.response.action == Action::Cite);
        let Some(told) = told else { return Vec::new() };
        for citation in &told.response.citations {
            self.page.cite(citation.clone());
        }
        vec![self.say(Message::DraftKnown), told.response.answer.clone()]
    }

    fn principles(&mut self) {
        self.documents(Message::DraftPrinciples, &self.filling.related.principles);
    }

    /// Related decisions, what is open between them, and terms.
    fn links(&mut self) {
        self.documents(Message::DraftDecisions, &self.filling.related.decisions);
        if !self.filling.opposed.is_empty() {
            self.page.line(self.say(Message::DraftContradictions));
        }
        for one in &self.filling.opposed {
            let name = |side: &crate::decisions::Side| {
                let document = self.library.documents.get(&side.document);
                document.map_or_else(|| side.document.to_string(), |document| document.reference())
            };
            let (first, second) = (name(&one.first), name(&one.second));
            let first_said = self.page.quoted(&one.first.document, &one.first.sentence.text);
            let second_said = self.page.quoted(&one.second.document, &one.second.sentence.text);
            let values = [
                ("first", &first),
                ("first_said", &first_said),
                ("second", &second),
                ("second_said", &second_said),
            ];
            let values = values.map(|(key, value)| (key, value.as_str()));
            self.page.line(format!("- {}", self.messages.text(Message::DraftOpposed, &values)));
        }
        if !self.filling.terms.known.is_empty() {
            self.page.line(self.say(Message::DraftTerms));
        }
        for (label, definition, citation) in &self.filling.terms.known {
            let number = self.page.cite(citation.clone());
            self.page.line(format!("- **{label}**: “{definition}” [{number}]"));
        }
    }

    /// Documents, each with the first sentence of what it decides.
    fn documents(&mut self, heading: Message, documents: &[std::sync::Arc<Document>]) {
        if documents.is_empty() {
            return;
        }
        self.page.line(self.say(heading));
        for document in documents {
            let hits = self.page.passages_of(&document.id);
            let chunks: Vec<&Chunk> = hits.iter().map(|hit| hit.chunk.as_ref()).collect();
            let sentence = decided(&chunks, usize::MAX).and_then(|(text, _)| {
                let first = quotable(&text).into_iter().next()?;
                Some(text[first].trim().trim_start_matches(['-', '*', '>']).trim().to_owned())
            });
            match sentence {
                Some(sentence) => self.page.document_with(document, &sentence),
                None => self.page.document(document),
            }
        }
    }
}

/// The draft as a file: each passage is a footnote.
fn as_file(text: &str, citations: &[Citation]) -> String {
    let mut file = text.to_owned();
    for citation in citations {
        file = file.replace(&format!("[{}]", citation.number), &format!("[^{}]", citation.number));
    }
    file.push('\n');
    for (at, citation) in citations.iter().enumerate() {
        let gap = if at == 0 { "\n" } else { "" };
        let place = if citation.path.is_empty() { &citation.source } else { &citation.path };
        file.push_str(&format!("{gap}[^{}]: {}, {place}\n", citation.number, citation.note()));
    }
    file
}
