use std::sync::OnceLock;

use async_trait::async_trait;
use futures::FutureExt;
use futures::future::BoxFuture;
use plumbline_core::domain::EmbedderFamily;
use plumbline_core::messages::Message;
use plumbline_core::ports::{Embedder, PortError};
use reqwest::Method;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::wire::{EmbedBody, Embedded, KEEP_ALIVE};
use super::{OllamaClient, OllamaError, same_model};

/// Batches are as long as a server can do in time, whatever the number of texts.
const BATCH_CHARS: usize = 12_000;
/// Many short texts make a long answer.
const BATCH_TEXTS: usize = 256;
/// Texts are not cut into smaller parts than this.
const SMALLEST_PART: usize = 16;
/// Stands beside blank texts, which get a vector in company only, and tells how long vectors are.
const COMPANION: &str = "text";
/// A vector whose length differs less from 1 is left as it is.
const TOLERANCE: f32 = 1e-4;

type Vectors = Vec<Vec<f32>>;

/// Vectors of an embedding model behind Ollama.
pub struct OllamaEmbedder {
    client: OllamaClient,
    model: String,
    /// Set once the model is known to embed.
    capable: OnceCell<()>,
    dimensions: OnceLock<usize>,
}

impl OllamaEmbedder {
    /// Nothing is asked before the first text.
    pub fn new(client: OllamaClient, model: &str) -> Self {
        Self { client, model: model.to_owned(), capable: OnceCell::new(), dimensions: OnceLock::new() }
    }

    /// Names what decides the vectors; vectors with different fingerprints must not be compared.
    ///
    /// The server is asked each time, since a model can be pulled anew under its old name. It loads the model, too.
    pub async fn fingerprint(&self) -> Result<String, PortError> {
        let work = async {
            let pulled = self.client.pulled().await?;
            let found = pulled.into_iter().find(|pulled| same_model(&pulled.name, &self.model));
            let found = found.ok_or_else(|| OllamaError::ModelMissing(self.model.clone()))?;
            self.check().await?;
            let dimensions = self.batch(&[COMPANION]).await?.first().map_or(0, Vec::len);
            let decisive = format!("model={} dimensions={dimensions} normalisation=l2", found.digest);
            Ok(Sha256::digest(decisive)[..8].iter().map(|byte| format!("{byte:02x}")).collect())
        };
        work.await.map_err(|problem| self.told(problem))
    }

    fn told(&self, problem: OllamaError) -> PortError {
        problem.into_port_error("embedding", self.client.address())
    }

    /// A chat model gives vectors as well, without a word; they mean nothing.
    async fn check(&self) -> Result<(), OllamaError> {
        let check = async || {
            let card = self.client.show(&self.model).await?;
            let refusal =
                || OllamaError::Incapable { model: self.model.clone(), job: Message::OllamaJobEmbed };
            if card.embeds() { Ok(()) } else { Err(refusal()) }
        };
        self.capable.get_or_try_init(check).await.copied()
    }

    async fn all(&self, texts: &[String]) -> Result<Vectors, OllamaError> {
        self.check().await?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in batches(&texts) {
            vectors.extend(self.whole(batch).await?);
        }
        Ok(vectors)
    }

    /// One vector a text, however long it is: the server cuts a long one in silence or refuses the whole batch, so that
    /// one is taken apart here.
    fn whole<'t>(&'t self, texts: &'t [&'t str]) -> BoxFuture<'t, Result<Vectors, OllamaError>> {
        async move {
            match (self.batch(texts).await, texts) {
                (Err(OllamaError::TooLong), [text]) => {
                    let (front, back) = halves(text).ok_or(OllamaError::TooLong)?;
                    let parts = self.whole(&[front, back]).await?;
                    Ok(vec![mean(&parts, &[front.len(), back.len()])?])
                }
                (Err(OllamaError::TooLong), [_, _, ..]) => {
                    let (front, back) = texts.split_at(texts.len() / 2);
                    let mut vectors = self.whole(front).await?;
                    vectors.extend(self.whole(back).await?);
                    Ok(vectors)
                }
                (result, _) => result,
            }
        }
        .boxed()
    }

    async fn batch(&self, texts: &[&str]) -> Result<Vectors, OllamaError> {
        let mut input = texts.to_vec();
        if texts.iter().all(|text| text.trim().is_empty()) {
            input.push(COMPANION);
        }
        let body = EmbedBody { model: &self.model, input: &input, truncate: false, keep_alive: KEEP_ALIVE };
        let (connection, limit) = (&self.client.connection, self.client.deadlines.embed);
        let answer: Embedded =
            connection.json(Method::POST, "/api/embed", Some(&body), &self.model, limit).await?;
        let answered = answer.model.ok_or(OllamaError::Malformed("it names no model"))?;
        if !same_model(&answered, &self.model) {
            let answered = connection.shown(&answered);
            return Err(OllamaError::OtherModel { asked: self.model.clone(), answered });
        }
        if answer.embeddings.len() != input.len() {
            return Err(OllamaError::Malformed("there is not one vector for each text"));
        }
        answer.embeddings.into_iter().take(texts.len()).map(|vector| self.sound(vector)).collect()
    }

    fn sound(&self, vector: Vec<f32>) -> Result<Vec<f32>, OllamaError> {
        let vector = normalised(vector)?;
        if vector.len() != *self.dimensions.get_or_init(|| vector.len()) {
            return Err(OllamaError::Malformed("its vectors are not all of one length"));
        }
        Ok(vector)
    }
}

#[async_trait]
impl Embedder for OllamaEmbedder {
    async fn embed(&self, texts: &[String]) -> Result<Vectors, PortError> {
        self.all(texts).await.map_err(|problem| self.told(problem))
    }

    fn family(&self) -> EmbedderFamily {
        EmbedderFamily::Ollama
    }
}

fn normalised(mut vector: Vec<f32>) -> Result<Vec<f32>, OllamaError> {
    let squares: f64 = vector.iter().map(|value| f64::from(*value).powi(2)).sum();
    let norm = squares.sqrt() as f32;
    if !norm.is_normal() {
        return Err(OllamaError::Malformed("a vector is zero or not made of numbers"));
    }
    if (norm - 1.0).abs() > TOLERANCE {
        vector.iter_mut().for_each(|value| *value /= norm);
    }
    Ok(vector)
}

/// Texts in order, as many as go together.
fn batches<'t>(texts: &'t [&'t str]) -> Vec<&'t [&'t str]> {
    let mut batches = Vec::new();
    let (mut start, mut chars) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        let length = text.chars().count();
        if at > start && (chars + length > BATCH_CHARS || at - start == BATCH_TEXTS) {
            batches.push(&texts[start..at]);
            (start, chars) = (at, 0);
        }
        chars += length;
    }
    if start < texts.len() {
        batches.push(&texts[start..]);
    }
    batches
}

/// A text in two, between words where that is possible.
fn halves(text: &str) -> Option<(&str, &str)> {
    if text.len() < 2 * SMALLEST_PART {
        return None;
    }
    let middle = text.floor_char_boundary(text.len() / 2);
    let blank = text[..middle].rfind(char::is_whitespace).filter(|at| *at >= middle / 2);
    Some(text.split_at(blank.unwrap_or(middle)))
}

/// The mean of the parts' vectors, each weighing as much as it is long.
fn mean(parts: &[Vec<f32>], weights: &[usize]) -> Result<Vec<f32>, OllamaError> {
    let dimensions = parts.first().map_or(0, Vec::len);
    let mut sum = vec![0.0_f32; dimensions];
    for (part, weight) in parts.iter().zip(weights) {
        for (total, value) in sum.iter_mut().zip(part) {
            *total += value * *weight as f32;
        }
    }
    normalised(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_filled_by_characters_and_keep_their_order() {
        let (long, half) = ("x".repeat(BATCH_CHARS + 1), "é".repeat(BATCH_CHARS / 2));
        let texts = [half.as_str(), &half, "a", &long, "b", "c"];
        let sizes: Vec<usize> = batches(&texts).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, [2, 1, 1, 2], "a text that is too long alone goes alone");
        assert_eq!(batches(&texts).concat(), texts);
        let short = vec![""; BATCH_TEXTS + 1];
        assert_eq!(batches(&short).iter().map(|batch| batch.len()).collect::<Vec<_>>(), [BATCH_TEXTS, 1]);
        assert!(batches(&[]).is_empty());
    }

    #[test]
    fn a_text_is_halved_between_words_and_loses_nothing() {
        for text in ["one two three four five six seven eight nine", &"é".repeat(40), &" ".repeat(50)] {
            let (front, back) = halves(text).unwrap();
            assert_eq!(format!("{front}{back}"), text);
            assert!(!front.is_empty() && !back.is_empty(), "{front:?} {back:?}");
        }
        let (front, _) = halves("one two three four five six seven eight nine").unwrap();
        assert_eq!(front, "one two three four", "between words");
        assert_eq!(halves("short"), None);
    }

    #[test]
    fn vectors_have_length_one_or_are_none() {
        let unit = normalised(vec![0.6, 0.8]).unwrap();
        assert_eq!(unit, [0.6, 0.8], "what is normalised stays as it is");
        assert_eq!(normalised(vec![3.0, 4.0]).unwrap(), [0.6, 0.8]);
        for wrong in [vec![0.0; 3], vec![], vec![f32::NAN, 1.0], vec![f32::INFINITY, 0.0]] {
            assert!(normalised(wrong.clone()).is_err(), "{wrong:?}");
        }
    }
}
