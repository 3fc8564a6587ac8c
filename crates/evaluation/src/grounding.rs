//! Whether truths are kept and lies withheld: sentences by other hands about real documents, each put into the mouth of a model that
//! answers a question with it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures::StreamExt;
use plumbline_core::engine::Engine;
use plumbline_core::error::AskError;
use plumbline_core::ports::{
    ChatPiece, ChatRequest, ChatStream, LanguageModel, ModelError, ModelInfo, ModelReply, Scope,
};
use plumbline_core::request::AskRequest;
use plumbline_core::response::{StatementProof, StatementVerdict};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::halves::Half;
use crate::lines::{SetError, values};

/// What the model that is spoken for is called.
pub const MODEL: &str = "spoken-for";
/// Enough for any prompt.
const WINDOW: usize = 32_768;
/// How a truth is named among the kinds of lies.
const TRUE: &str = "true";

/// Sentences about one document.
#[derive(Debug, Clone, Deserialize)]
pub struct Statements {
    /// The id in the set.
    pub id: String,
    /// The document.
    pub file: String,
    /// The language of the sentences.
    pub language: String,
    /// The question that they answer.
    pub question: String,
    /// What the document says.
    #[serde(rename = "true")]
    pub truths: Vec<String>,
    /// What it does not say.
    pub lies: Vec<Lie>,
}

/// A sentence that the document does not bear out.
#[derive(Debug, Clone, Deserialize)]
pub struct Lie {
    /// The sentence.
    pub text: String,
    /// What is wrong with it.
    pub kind: String,
}

impl Statements {
    /// Reads a file of them.
    pub fn read(path: &Path) -> Result<Vec<Self>, SetError> {
        values(path)
    }

    /// Whether nothing may be fitted to it: half of the documents, by the hash of their name.
    pub fn is_unseen(&self) -> bool {
        Half::of(&self.file) == Half::Reported
    }

    fn sentences(&self) -> impl Iterator<Item = (&str, &str)> {
        let truths = self.truths.iter().map(|text| (text.as_str(), TRUE));
        truths.chain(self.lies.iter().map(|lie| (lie.text.as_str(), lie.kind.as_str())))
    }
}

/// What became of a sentence.
#[derive(Debug, Clone, Serialize)]
pub struct Judged {
    /// The set's id.
    pub id: String,
    /// Whether nothing may be fitted to it.
    pub unseen: bool,
    /// The language.
    pub language: String,
    /// `true`, or what is wrong with it.
    pub kind: String,
    /// The sentence.
    pub text: String,
    /// Whether it was shown.
    pub kept: bool,
    /// Whether the model was asked at all: where nothing was found it is not.
    pub found: bool,
    /// The label where it was withheld.
    pub label: Option<String>,
    /// How it was judged, where it was.
    pub proof: Option<StatementProof>,
    /// What a check says of the sentence as a text by itself, where that was asked for.
    pub checked: Option<StatementVerdict>,
}

impl Judged {
    /// Whether a check and grounding say the same of it; nothing where it was not checked.
    pub fn checked_alike(&self) -> Option<bool> {
        let supported =
            matches!(self.checked?, StatementVerdict::Supported | StatementVerdict::SupportedElsewhere);
        Some(supported == self.kept)
    }

    /// Whether it is true.
    pub fn is_true(&self) -> bool {
        self.kind == TRUE
    }
}

/// A model that says what it is told to say.
#[derive(Clone, Default)]
pub struct SpokenFor {
    told: Arc<Mutex<Told>>,
}

#[derive(Default)]
struct Told {
    reply: String,
    asked: bool,
}

impl SpokenFor {
    fn told(&self) -> std::sync::MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks each question once for every sentence, with that sentence as the model's reply; with `check`, the sentence is checked
    /// as a user's own text as well.
    pub async fn judge(
        &self,
        engine: &Engine,
        statements: &Statements,
        check: bool,
        stop: &CancellationToken,
    ) -> Result<Vec<Judged>, AskError> {
        let mut judged = Vec::new();
        for (text, kind) in statements.sentences() {
            *self.told() = Told { reply: format!("{text} [1]"), asked: false };
            let request =
                AskRequest { model: Some(MODEL.to_owned()), ..AskRequest::new(&statements.question) };
            let response = engine.ask(request, stop, &|_| {}).await?;
            let start: String =
                text.chars().take_while(|c| !matches!(c, '[' | '*' | '_' | '`')).take(40).collect();
            let checked = match check {
                true => engine.check(text, &Scope::default(), stop, &|_| {}).await?.statements,
                false => Vec::new(),
            };
            judged.push(Judged {
                checked: checked.first().map(|statement| statement.verdict),
                id: statements.id.clone(),
                unseen: statements.is_unseen(),
                language: statements.language.clone(),
                kind: kind.to_owned(),
                text: text.to_owned(),
                kept: !response.refused && response.answer.contains(start.trim()),
                found: self.told().asked,
                proof: response.proofs.first().cloned(),
                label: response.withheld.first().map(|withheld| withheld.label.as_str().to_owned()),
            });
        }
        Ok(judged)
    }
}

#[async_trait]
impl LanguageModel for SpokenFor {
    async fn inspect(&self, _: &str) -> Result<ModelInfo, ModelError> {
        Ok(ModelInfo { context_window: WINDOW, max_response: WINDOW })
    }

    async fn chat(&self, _: ChatRequest) -> Result<ChatStream, ModelError> {
        let mut told = self.told();
        told.asked = true;
        let pieces = [ChatPiece::Text(told.reply.clone()), ChatPiece::Done(ModelReply::default())];
        Ok(futures::stream::iter(pieces.map(Ok)).boxed())
    }
}

/// How many truths were kept, and how many lies shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Sentences.
    pub all: usize,
    /// Of these, shown.
    pub shown: usize,
}

/// The tally of each kind of sentence, by half and language.
pub fn tallies(judged: &[Judged]) -> BTreeMap<(bool, String, String), Tally> {
    let mut tallies: BTreeMap<(bool, String, String), Tally> = BTreeMap::new();
    for one in judged {
        let lies = (!one.is_true()).then(|| "lies".to_owned());
        for kind in [Some(one.kind.clone()), lies].into_iter().flatten() {
            let tally = tallies.entry((one.unseen, one.language.clone(), kind)).or_default();
            tally.all += 1;
            tally.shown += usize::from(one.kept);
        }
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_told_by_the_hash_of_the_document() {
        let of = |file: &str| {
            let text = format!(
                r#"{{"id":"1","file":"{file}","language":"en","question":"?","true":["A."],"lies":[{{"text":"B.","kind":"number"}}]}}"#
            );
            serde_json::from_str::<Statements>(&text).unwrap()
        };
        let unseen: Vec<bool> =
            ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"].map(|file| of(file).is_unseen()).into();
        assert!(unseen.contains(&true) && unseen.contains(&false), "{unseen:?}");
        assert_eq!(of("a.md").sentences().collect::<Vec<_>>(), [("A.", "true"), ("B.", "number")]);
    }

    #[test]
    fn lies_are_counted_by_kind_and_together() {
        let one = |kind: &str, kept: bool| Judged {
            id: "1".to_owned(),
            unseen: true,
            language: "en".to_owned(),
            kind: kind.to_owned(),
            text: "A.".to_owned(),
            kept,
            found: true,
            label: None,
            proof: None,
            checked: None,
        };
        let tallies = tallies(&[one("true", true), one("number", false), one("scope", true)]);
        let of = |kind: &str| tallies[&(true, "en".to_owned(), kind.to_owned())];
        assert_eq!(of("true"), Tally { all: 1, shown: 1 });
        assert_eq!(of("lies"), Tally { all: 2, shown: 1 });
        assert_eq!(of("scope"), Tally { all: 1, shown: 1 });
    }
}
