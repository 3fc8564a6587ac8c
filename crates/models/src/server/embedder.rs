use std::sync::OnceLock;

use async_trait::async_trait;
use futures::FutureExt;
use futures::future::BoxFuture;
use plumbline_core::domain::EmbedderFamily;
use plumbline_core::messages::Message;
use plumbline_core::ports::{Embedder, PortError};
use plumbline_core::settings::ServerKind;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::{Fault, ModelServer};

/// Batches are as long as a server can do in time, whatever the number of texts.
const BATCH_CHARS: usize = 12_000;
/// Many short texts make a long answer.
const BATCH_TEXTS: usize = 256;
/// Texts are not cut into smaller parts than this.
const SMALLEST_PART: usize = 16;
/// Stands beside blank texts, which get a vector in company only, and tells how long vectors are.
const COMPANION: &str = "text";
/// What every embedding model reads, in tokens; a text that is no longer needs no look at how much was read.
const SURELY_READ: usize = 256;
/// So many tokens are tried at most to see where a server cuts.
const TRIED: usize = 2048;
/// On the safe side: few texts have fewer bytes a token.
const BYTES_A_TOKEN: usize = 2;
/// Whose vectors give a model away where the server tells nothing of its weights.
const TELLING: [&str; 3] = ["text", "a river in spring", "1984"];
/// A vector whose length differs less from 1 is left as it is.
const TOLERANCE: f32 = 1e-4;

type Vectors = Vec<Vec<f32>>;

/// What a server made of some texts.
pub(super) struct Embedded {
    /// One for each text.
    pub vectors: Vectors,
    /// Tokens that it read of them together, where it tells.
    pub tokens: Option<usize>,
}

/// Vectors of an embedding model behind a server.
pub struct ServerEmbedder {
    server: ModelServer,
    model: String,
    /// Set once the model is known to embed.
    capable: OnceCell<()>,
    /// As many tokens of a text as are known to be read; a text that needs more may have been cut in silence.
    reads: OnceCell<usize>,
    dimensions: OnceLock<usize>,
}

impl ServerEmbedder {
    /// Nothing is asked before the first text.
    pub fn new(server: ModelServer, model: &str) -> Self {
        Self {
            server,
            model: model.to_owned(),
            capable: OnceCell::new(),
            reads: OnceCell::new(),
            dimensions: OnceLock::new(),
        }
    }

    /// Names what decides the vectors; vectors with different fingerprints must not be compared.
    ///
    /// The server is asked each time, since another model can come to stand under an old name. It loads the model, too.
    pub async fn fingerprint(&self) -> Result<String, PortError> {
        let work = async {
            let model = match self.server.kind() {
                ServerKind::Ollama => self.server.identify_ollama(&self.model).await?,
                ServerKind::Openai => self.server.identify_openai(&self.model).await?,
            };
            self.check().await?;
            let strongest = match self.server.kind() {
                ServerKind::Ollama => String::new(),
                ServerKind::Openai => self.strongest().await?,
            };
            let dimensions = self.batch(&[COMPANION]).await?.vectors.first().map_or(0, Vec::len);
            let decisive = format!("{model}{strongest} dimensions={dimensions} normalisation=l2");
            Ok(Sha256::digest(decisive)[..8].iter().map(|byte| format!("{byte:02x}")).collect())
        };
        work.await.map_err(|problem| self.told(problem))
    }

    /// Where the vectors of a few texts are strongest: another model under the same name has them elsewhere, and the same
    /// one on another machine, whose last digits differ, has not.
    async fn strongest(&self) -> Result<String, Fault> {
        let vectors = self.batch(&TELLING).await?.vectors;
        let place = |vector: &Vec<f32>| {
            let places = vector.iter().enumerate();
            places.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs())).map_or(0, |(at, _)| at)
        };
        Ok(format!(" strongest={:?}", vectors.iter().map(place).collect::<Vec<_>>()))
    }

    fn told(&self, problem: Fault) -> PortError {
        problem.into_port_error(self.server.kind(), "embedding", self.server.address())
    }

    /// A chat model gives vectors as well, without a word; they mean nothing.
    async fn check(&self) -> Result<(), Fault> {
        let check = async || match self.server.kind() {
            ServerKind::Openai => self.server.check_embeds_openai(&self.model).await,
            ServerKind::Ollama => {
                let card = self.server.card(&self.model).await?;
                let refusal = || Fault::Incapable { model: self.model.clone(), job: Message::OllamaJobEmbed };
                if card.embeds() { Ok(()) } else { Err(refusal()) }
            }
        };
        self.capable.get_or_try_init(check).await.copied()
    }

    /// How many tokens of a text are known to be read. A server that refuses what is too long reads all that it takes; one
    /// that may cut is tried with longer and longer texts until its count stands still.
    async fn reads(&self) -> Result<usize, Fault> {
        let find = async || {
            if self.server.kind() == ServerKind::Ollama {
                return Ok(usize::MAX);
            }
            let (mut words, mut read) = (SURELY_READ, 0);
            loop {
                match self.batch(&["word ".repeat(words).as_str()]).await {
                    Err(Fault::TooLong) => return Ok(usize::MAX),
                    Err(problem) => return Err(problem),
                    // It does not count, so there is nothing to hold against it.
                    Ok(Embedded { tokens: None, .. }) => return Ok(usize::MAX),
                    Ok(Embedded { tokens: Some(tokens), .. }) if tokens <= read || words >= TRIED => {
                        return Ok(read.max(tokens));
                    }
                    Ok(Embedded { tokens: Some(tokens), .. }) => read = tokens,
                }
                words *= 2;
            }
        };
        self.reads.get_or_try_init(find).await.copied()
    }

    async fn all(&self, texts: &[String]) -> Result<Vectors, Fault> {
        self.check().await?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let long = texts.iter().any(|text| text.len() > SURELY_READ * BYTES_A_TOKEN);
        let reads = if long { self.reads().await? } else { usize::MAX };
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in batches(&texts, reads.saturating_mul(BYTES_A_TOKEN)) {
            vectors.extend(self.whole(batch, reads).await?);
        }
        Ok(vectors)
    }

    /// One vector a text, however long it is: the server cuts a long one in silence or refuses the whole batch, so that
    /// one is taken apart here.
    fn whole<'t>(&'t self, texts: &'t [&'t str], reads: usize) -> BoxFuture<'t, Result<Vectors, Fault>> {
        async move {
            let read = self.batch(texts).await.and_then(|embedded| {
                let cut = texts.len() == 1 && embedded.tokens.is_some_and(|tokens| tokens >= reads);
                if cut { Err(Fault::TooLong) } else { Ok(embedded.vectors) }
            });
            match (read, texts) {
                (Err(Fault::TooLong), [text]) => {
                    let (front, back) = halves(text).ok_or(Fault::TooLong)?;
                    let mut parts = self.whole(&[front], reads).await?;
                    parts.extend(self.whole(&[back], reads).await?);
                    Ok(vec![mean(&parts, &[front.len(), back.len()])?])
                }
                (Err(Fault::TooLong), [_, _, ..]) => {
                    let (front, back) = texts.split_at(texts.len() / 2);
                    let mut vectors = self.whole(front, reads).await?;
                    vectors.extend(self.whole(back, reads).await?);
                    Ok(vectors)
                }
                (result, _) => result,
            }
        }
        .boxed()
    }

    async fn batch(&self, texts: &[&str]) -> Result<Embedded, Fault> {
        let mut input = texts.to_vec();
        if texts.iter().all(|text| text.trim().is_empty()) {
            input.push(COMPANION);
        }
        let answer = match self.server.kind() {
            ServerKind::Ollama => self.server.embed_ollama(&self.model, &input).await?,
            ServerKind::Openai => self.server.embed_openai(&self.model, &input).await?,
        };
        if answer.vectors.len() != input.len() {
            return Err(Fault::Malformed("there is not one vector for each text"));
        }
        let vectors = answer.vectors.into_iter().take(texts.len());
        let vectors: Result<Vectors, Fault> = vectors.map(|vector| self.sound(vector)).collect();
        Ok(Embedded { vectors: vectors?, tokens: answer.tokens })
    }

    fn sound(&self, vector: Vec<f32>) -> Result<Vec<f32>, Fault> {
        let vector = normalised(vector)?;
        if vector.len() != *self.dimensions.get_or_init(|| vector.len()) {
            return Err(Fault::Malformed("its vectors are not all of one length"));
        }
        Ok(vector)
    }
}

#[async_trait]
impl Embedder for ServerEmbedder {
    async fn embed(&self, texts: &[String]) -> Result<Vectors, PortError> {
        self.all(texts).await.map_err(|problem| self.told(problem))
    }

    fn family(&self) -> EmbedderFamily {
        EmbedderFamily::Ollama
    }
}

fn normalised(mut vector: Vec<f32>) -> Result<Vec<f32>, Fault> {
    let squares: f64 = vector.iter().map(|value| f64::from(*value).powi(2)).sum();
    let norm = squares.sqrt() as f32;
    if !norm.is_normal() {
        return Err(Fault::Malformed("a vector is zero or not made of numbers"));
    }
    if (norm - 1.0).abs() > TOLERANCE {
        vector.iter_mut().for_each(|value| *value /= norm);
    }
    Ok(vector)
}

/// Texts in order, as many as go together; one of more bytes than `alone` has its own count of tokens to be held to.
fn batches<'t>(texts: &'t [&'t str], alone: usize) -> Vec<&'t [&'t str]> {
    let mut batches = Vec::new();
    let (mut start, mut chars) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        let length = text.chars().count();
        let apart = at > start && (text.len() > alone || texts[at - 1].len() > alone);
        if at > start && (apart || chars + length > BATCH_CHARS || at - start == BATCH_TEXTS) {
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
fn mean(parts: &[Vec<f32>], weights: &[usize]) -> Result<Vec<f32>, Fault> {
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
        let sizes: Vec<usize> = batches(&texts, usize::MAX).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, [2, 1, 1, 2], "a text that is too long alone goes alone");
        assert_eq!(batches(&texts, usize::MAX).concat(), texts);
        let sizes: Vec<usize> =
            batches(&["a", "b", "long", "c"], 3).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, [2, 1, 1], "a text that may be cut goes alone");
        let short = vec![""; BATCH_TEXTS + 1];
        assert_eq!(
            batches(&short, usize::MAX).iter().map(|batch| batch.len()).collect::<Vec<_>>(),
            [BATCH_TEXTS, 1]
        );
        assert!(batches(&[], usize::MAX).is_empty());
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
