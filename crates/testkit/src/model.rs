//! A language model that follows a script.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use plumbline_core::domain::Language;
use plumbline_core::ports::{
    ChatPiece, ChatRequest, ChatStream, LanguageModel, ModelError, ModelInfo, ModelReply,
};
use plumbline_core::prompt::{
    judge_messages, outside_messages, planner_messages, rewrite_messages, system_prompt_text,
};
use plumbline_core::request::Role;
use plumbline_core::text::{content_stems, detect_or, distinct_stems, sentences};

/// One step of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Writes this.
    Text(String),
    /// Waits. Longer than the request allows ends the reply in a timeout after what it allows, as an adapter does.
    Wait(Duration),
    /// Breaks off in the middle of the reply.
    Fail(ModelError),
    /// As the first step: refuses before anything is written.
    Refuse(ModelError),
    /// Never writes again, whatever the request allows.
    Hang,
    /// Ends the reply. A script without it ends as if the connection had broken off.
    Done(ModelReply),
}

/// A reply, step by step.
pub type Script = Vec<Step>;

/// A text written in small pieces, and its end.
pub fn reply(text: &str) -> Script {
    let characters: Vec<char> = text.chars().collect();
    let pieces = characters.chunks(7).map(|piece| Step::Text(piece.iter().collect()));
    pieces.chain([Step::Done(ModelReply::default())]).collect()
}

/// What a prompt asks a model to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Answer from passages.
    Answer,
    /// Say which passages help.
    Planner,
    /// Reword the question.
    Rewrite,
    /// Rate an answer.
    Judge,
    /// Answer from general knowledge.
    Outside,
    /// Anything else.
    Unknown,
}

/// What a request asks for, by its system prompt.
pub fn job(request: &ChatRequest) -> Job {
    let Some(system) = request.messages.iter().find(|message| message.role == Role::System) else {
        return Job::Unknown;
    };
    let is = |text: &str| system.content == text;
    if is(&planner_messages(&[], "")[0].content) {
        return Job::Planner;
    }
    if is(&judge_messages("", "", &[])[0].content) {
        return Job::Judge;
    }
    for language in Language::all() {
        if is(&system_prompt_text(language)) {
            return Job::Answer;
        }
        if is(&rewrite_messages("", &[], language)[0].content) {
            return Job::Rewrite;
        }
        if is(&outside_messages(&[], "", language)[0].content) {
            return Job::Outside;
        }
    }
    Job::Unknown
}

/// A passage as a model finds it in its prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptPassage {
    /// Its number.
    pub alias: usize,
    /// The line above its text: number, title, section, status.
    pub header: String,
    /// Its text.
    pub text: String,
}

/// The numbered passages of a prompt, as sent.
pub fn passages(request: &ChatRequest) -> Vec<PromptPassage> {
    let mut found = Vec::new();
    let mut rest = request.messages.last().map_or("", |message| message.content.as_str());
    while let Some((_, after)) = rest.split_once("<passage ") {
        let (alias, after) = after.split_once(">\n").expect("a fence ends its line");
        let end = format!("\n</passage {alias}>");
        let (body, after) = after.split_once(&end).expect("every fence is closed");
        let (header, text) = body.split_once("\n\n").expect("a header, then the text");
        found.push(PromptPassage {
            alias: alias.parse().expect("passages are numbered"),
            header: header.to_owned(),
            text: text.to_owned(),
        });
        rest = after;
    }
    found
}

/// The question of a prompt, as sent.
pub fn question(request: &ChatRequest) -> String {
    let turn = request.messages.last().map_or("", |message| message.content.as_str());
    let after = turn.rsplit_once("</passage").map_or(turn, |(_, after)| after);
    let question = after.split_once("Question: ").map_or(after, |(_, question)| question);
    question.split("\n\n<answer>").next().unwrap_or_default().trim().to_owned()
}

type Writer = Box<dyn Fn(&ChatRequest) -> Script + Send + Sync>;
type Inspector = Box<dyn Fn(&str) -> Result<ModelInfo, ModelError> + Send + Sync>;

/// A model that writes what its script says and remembers what it was asked.
pub struct FakeModel {
    writer: Writer,
    inspector: Inspector,
    requests: Mutex<Vec<ChatRequest>>,
    inspected: AtomicUsize,
    streams: Arc<Streams>,
}

#[derive(Debug, Default)]
struct Streams {
    finished: AtomicUsize,
    stopped: AtomicUsize,
}

impl FakeModel {
    /// Replies to every request with this text.
    pub fn replying(text: &str) -> Self {
        let script = reply(text);
        Self::with(move |_| script.clone())
    }

    /// Follows a script that may depend on the request.
    pub fn with(writer: impl Fn(&ChatRequest) -> Script + Send + Sync + 'static) -> Self {
        let info = ModelInfo { context_window: 8192, max_response: 1024 };
        Self {
            writer: Box::new(writer),
            inspector: Box::new(move |_| Ok(info)),
            requests: Mutex::default(),
            inspected: AtomicUsize::new(0),
            streams: Arc::default(),
        }
    }

    /// Replies to the n-th request with the n-th text, and to all later ones with the last.
    pub fn replying_in_turn(texts: &[&str]) -> Self {
        let scripts: Vec<Script> = texts.iter().map(|text| reply(text)).collect();
        let turn = AtomicUsize::new(0);
        Self::with(move |_| {
            let at = turn.fetch_add(1, Ordering::SeqCst);
            scripts.get(at).or(scripts.last()).cloned().unwrap_or_default()
        })
    }

    /// Does every job honestly: quotes the best sentence of each passage with its number, names all passages as
    /// planner, rates 90 as judge, and rewords nothing.
    pub fn honest() -> Self {
        Self::with(|request| reply(&honest_reply(request)))
    }

    /// Refuses every request, and to be inspected, with this error.
    pub fn failing(error: ModelError) -> Self {
        let refusal = vec![Step::Refuse(error.clone())];
        Self::with(move |_| refusal.clone()).inspecting(move |_| Err(error.clone()))
    }

    /// A server that cannot be reached.
    pub fn unreachable() -> Self {
        Self::failing(ModelError::Connection {
            address: "http://localhost:11434".to_owned(),
            detail: "connection refused".into(),
        })
    }

    /// What it says of a model's size, or that it has none.
    pub fn inspecting(
        mut self,
        inspector: impl Fn(&str) -> Result<ModelInfo, ModelError> + Send + Sync + 'static,
    ) -> Self {
        self.inspector = Box::new(inspector);
        self
    }

    /// Has pulled these models only.
    pub fn having(self, models: &[&str]) -> Self {
        let models: Vec<String> = models.iter().map(|model| (*model).to_owned()).collect();
        self.inspecting(move |model| match models.iter().any(|known| known == model) {
            true => Ok(ModelInfo { context_window: 8192, max_response: 1024 }),
            false => Err(ModelError::Unavailable(model.to_owned())),
        })
    }

    /// Every request, in order.
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.requests.lock().unwrap().clone()
    }

    /// The requests for a job, in order.
    pub fn requests_for(&self, wanted: Job) -> Vec<ChatRequest> {
        self.requests().into_iter().filter(|request| job(request) == wanted).collect()
    }

    /// How many requests there were.
    pub fn calls(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    /// How many times it was inspected.
    pub fn inspections(&self) -> usize {
        self.inspected.load(Ordering::SeqCst)
    }

    /// How many replies were read to their end or to their failure.
    pub fn finished(&self) -> usize {
        self.streams.finished.load(Ordering::SeqCst)
    }

    /// How many replies were dropped before their end: a real server would have been stopped.
    pub fn stopped(&self) -> usize {
        self.streams.stopped.load(Ordering::SeqCst)
    }
}

/// What [`FakeModel::honest`] writes.
pub fn honest_reply(request: &ChatRequest) -> String {
    let passages = passages(request);
    match job(request) {
        Job::Judge => "90".to_owned(),
        Job::Planner => {
            passages.iter().map(|passage| passage.alias.to_string()).collect::<Vec<_>>().join(", ")
        }
        Job::Answer => {
            let question = question(request);
            let quotes: Vec<String> =
                passages.iter().filter_map(|passage| quote(passage, &question)).collect();
            quotes.join(" ")
        }
        Job::Rewrite | Job::Outside | Job::Unknown => String::new(),
    }
}

fn quote(passage: &PromptPassage, question: &str) -> Option<String> {
    let language = detect_or(&passage.text, Language::EN);
    let wanted = content_stems(question, language);
    let shared = |sentence: &str| {
        let held = distinct_stems(sentence, language);
        wanted.iter().filter(|stem| held.contains(*stem)).count()
    };
    // The first of equals: `max_by_key` takes the last.
    let best = sentences(&passage.text).into_iter().rev().max_by_key(|sentence| shared(sentence))?;
    // An answer is written in sentences, wherever they were found.
    let best = best.trim().trim_start_matches(['*', '-', '>']).trim_start();
    Some(format!("{best} [{}]", passage.alias))
}

/// What is left of a reply; dropping it early counts as a stop.
struct Writing {
    steps: VecDeque<Step>,
    request: ChatRequest,
    begun: bool,
    ended: bool,
    streams: Arc<Streams>,
}

impl Writing {
    async fn next(&mut self) -> Option<Result<ChatPiece, ModelError>> {
        if self.ended {
            return None;
        }
        loop {
            let Some(step) = self.steps.pop_front() else {
                self.end();
                return None;
            };
            match step {
                Step::Text(text) => {
                    self.begun = true;
                    return Some(Ok(ChatPiece::Text(text)));
                }
                Step::Wait(time) => {
                    let limit =
                        if self.begun { self.request.between_tokens } else { self.request.first_token };
                    tokio::time::sleep(time.min(limit)).await;
                    if time > limit {
                        self.end();
                        return Some(Err(ModelError::Timeout(limit)));
                    }
                }
                Step::Hang => std::future::pending().await,
                Step::Fail(error) | Step::Refuse(error) => {
                    self.end();
                    return Some(Err(error));
                }
                Step::Done(counts) => {
                    self.end();
                    return Some(Ok(ChatPiece::Done(counts)));
                }
            }
        }
    }

    fn end(&mut self) {
        self.ended = true;
        self.streams.finished.fetch_add(1, Ordering::SeqCst);
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if !self.ended {
            self.streams.stopped.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[async_trait]
impl LanguageModel for FakeModel {
    async fn inspect(&self, model: &str) -> Result<ModelInfo, ModelError> {
        self.inspected.fetch_add(1, Ordering::SeqCst);
        (self.inspector)(model)
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatStream, ModelError> {
        self.requests.lock().unwrap().push(request.clone());
        let steps: VecDeque<Step> = (self.writer)(&request).into();
        if let Some(Step::Refuse(error)) = steps.front() {
            return Err(error.clone());
        }
        let writing =
            Writing { steps, request, begun: false, ended: false, streams: Arc::clone(&self.streams) };
        let stream = futures::stream::unfold(writing, async |mut writing| {
            let piece = writing.next().await?;
            Some((piece, writing))
        });
        Ok(stream.boxed())
    }
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;
    use plumbline_core::prompt::answer_messages;
    use plumbline_core::request::ChatMessage;

    use super::*;
    use crate::documents::{adr, chunk};

    fn request(messages: Vec<ChatMessage>) -> ChatRequest {
        ChatRequest {
            model: "llama3.2".to_owned(),
            messages,
            num_ctx: 8192,
            num_predict: 1024,
            temperature: 0.1,
            seed: 42,
            first_token: Duration::from_secs(60),
            between_tokens: Duration::from_secs(30),
        }
    }

    async fn read(model: &FakeModel, request: ChatRequest) -> Result<String, ModelError> {
        let pieces: Vec<ChatPiece> = model.chat(request).await?.try_collect().await?;
        assert!(matches!(pieces.last(), Some(ChatPiece::Done(_))));
        Ok(pieces
            .into_iter()
            .map(|piece| if let ChatPiece::Text(text) = piece { text } else { String::new() })
            .collect())
    }

    #[tokio::test]
    async fn an_honest_model_reads_the_passages_as_they_were_sent() {
        let tls = adr(12, "Require TLS");
        let first = chunk(&tls, 0, &[], "The board met. All connections use TLS 1.3.");
        let second = chunk(&tls, 1, &["More"], "Old TLS devices need an exception.\n\nThey are few.");
        let messages =
            answer_messages(&[(1, &first), (2, &second)], None, &[], "Which TLS version?", Language::EN);
        let request = request(messages);
        assert_eq!((job(&request), question(&request).as_str()), (Job::Answer, "Which TLS version?"));
        assert_eq!(passages(&request)[1].text, second.text);
        let model = FakeModel::honest();
        let text = read(&model, request).await.unwrap();
        assert_eq!(text, "All connections use TLS 1.3. [1] Old TLS devices need an exception. [2]");
        assert_eq!((model.calls(), model.finished(), model.stopped()), (1, 1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn scripts_wait_time_out_and_are_stopped() {
        let slow = FakeModel::with(|_| {
            vec![Step::Text("a".to_owned()), Step::Wait(Duration::from_secs(31)), Step::Text("b".to_owned())]
        });
        let error = read(&slow, request(Vec::new())).await.unwrap_err();
        assert_eq!(error, ModelError::Timeout(Duration::from_secs(30)));

        let model = FakeModel::with(|_| vec![Step::Text("a".to_owned()), Step::Hang]);
        let mut stream = model.chat(request(Vec::new())).await.unwrap();
        assert_eq!(stream.next().await, Some(Ok(ChatPiece::Text("a".to_owned()))));
        let more = tokio::time::timeout(Duration::from_secs(3600), stream.next()).await;
        assert!(more.is_err(), "it hangs");
        drop(stream);
        assert_eq!((model.finished(), model.stopped()), (0, 1));

        let gone = FakeModel::unreachable();
        assert!(gone.inspect("llama3.2").await.is_err() && gone.chat(request(Vec::new())).await.is_err());
    }
}
