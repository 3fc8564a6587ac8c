use std::collections::HashMap;

use plumbline_core::messages::Message;
use plumbline_telemetry::sha256_hex;
use pulldown_cmark::{Event, Options, Parser, TagEnd};
use tokio_util::sync::CancellationToken;

use super::{IndexError, Indexer, VectorMaker};
use crate::store::StoreError;
use crate::store::catalogue::At;

/// Texts that are handed to the embedder at once; it cuts them up further as it likes.
const TEXTS_AT_ONCE: usize = 64;

/// What is embedded and indexed of a passage: its text without markup, under its title and headings.
pub(crate) fn indexed_text(title: &str, section_path: &[String], text: &str) -> String {
    let mut parts: Vec<&str> = vec![title];
    parts.extend(section_path.iter().map(String::as_str));
    let plain = plain_text(text);
    parts.push(&plain);
    parts.retain(|part| !part.trim().is_empty());
    parts.join("\n")
}

pub(crate) fn hash_of(indexed: &str) -> String {
    sha256_hex(indexed)[..32].to_owned()
}

/// The words of a Markdown text, without marks and without the addresses of links.
fn plain_text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(words) | Event::Code(words) => plain.push_str(&words),
            Event::SoftBreak | Event::HardBreak | Event::Rule => plain.push(' '),
            Event::End(TagEnd::TableCell | TagEnd::Item) => plain.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::TableRow | TagEnd::TableHead | TagEnd::CodeBlock) => {
                plain.push('\n');
            }
            _ => {}
        }
    }
    plain.trim().to_owned()
}

/// Vectors by the hash of the text they are of.
pub(super) type VectorsByHash = HashMap<String, Vec<f32>>;

/// The same by the fingerprint of the embedder that made them.
pub(super) type VectorsByEmbedder = HashMap<String, VectorsByHash>;

/// What became of the texts of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub embedded: usize,
    pub reused: usize,
}

impl Indexer {
    /// The embedders whose vectors go with what changes, the one in use first.
    pub(super) fn makers(&self) -> impl Iterator<Item = &VectorMaker> {
        self.options.embedder.iter().chain(&self.options.meanwhile)
    }

    /// Vectors of every embedder for these texts, and what became of them with the one in use. None where it was told to stop.
    pub(super) fn all_vectors_for(
        &self,
        texts: &HashMap<String, String>,
        stop: &CancellationToken,
        made: &dyn Fn(Tally),
    ) -> Result<Option<(VectorsByEmbedder, Tally)>, IndexError> {
        let (mut all, mut in_use) = (VectorsByEmbedder::new(), None);
        for maker in self.makers() {
            let told = |tally: Tally| {
                if in_use.is_none() {
                    made(tally)
                }
            };
            let Some((vectors, tally)) = self.vectors_for(maker, texts, stop, &told)? else {
                return Ok(None);
            };
            in_use.get_or_insert(tally);
            all.insert(maker.1.fingerprint.clone(), vectors);
        }
        Ok(Some((all, in_use.unwrap_or_default())))
    }

    /// Vectors for these texts by their hashes: those of passages that read the same are used again, the rest is embedded.
    /// None where it was told to stop.
    pub(super) fn vectors_for(
        &self,
        (embedder, key): &VectorMaker,
        texts: &HashMap<String, String>,
        stop: &CancellationToken,
        made: &dyn Fn(Tally),
    ) -> Result<Option<(VectorsByHash, Tally)>, IndexError> {
        let mut vectors = self.known_vectors(texts.keys(), &key.fingerprint)?;
        let mut tally = Tally { embedded: 0, reused: vectors.len() };
        let mut missing: Vec<(&String, &String)> =
            texts.iter().filter(|(hash, _)| !vectors.contains_key(*hash)).collect();
        // Texts of like length cost least together.
        missing.sort_by_key(|(hash, text)| (text.len(), *hash));
        for part in missing.chunks(TEXTS_AT_ONCE) {
            if stop.is_cancelled() {
                return Ok(None);
            }
            let wanted: Vec<String> = part.iter().map(|(_, text)| (*text).clone()).collect();
            let given = self
                .runtime
                .block_on(embedder.embed(&wanted))
                .map_err(|error| IndexError::Embedding(error.detail()))?;
            if given.len() != wanted.len() || given.iter().flatten().any(|value| !value.is_finite()) {
                return Err(IndexError::Embedding(Message::PortNoVector.into()));
            }
            tally.embedded += given.len();
            vectors.extend(part.iter().map(|(hash, _)| (*hash).clone()).zip(given));
            made(tally);
        }
        Ok(Some((vectors, tally)))
    }

    /// Vectors of passages that are in the library and read the same.
    pub(super) fn known_vectors<'h>(
        &self,
        texts: impl Iterator<Item = &'h String>,
        fingerprint: &str,
    ) -> Result<VectorsByHash, StoreError> {
        let at = At::generation(&self.connection, self.generation);
        let tables = at.tables()?.remove(fingerprint).unwrap_or_default();
        let mut wanted: HashMap<String, Vec<i64>> = HashMap::new();
        let mut hashes: HashMap<i64, &String> = HashMap::new();
        for hash in texts {
            for (key, collection) in at.embedded_alike(hash)? {
                hashes.insert(key, hash);
                wanted.entry(collection).or_default().push(key);
            }
        }
        let mut known = HashMap::new();
        for table in tables {
            let Some(keys) = wanted.get(&table.collection) else { continue };
            let read = async { self.vectors.read(&table.name, table.version).await?.vectors(keys).await };
            for (key, vector) in self.runtime.block_on(read)? {
                if let Some(hash) = hashes.get(&key) {
                    known.insert((*hash).clone(), vector);
                }
            }
        }
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_embedded_has_its_headings_and_no_markup() {
        let text = "See [the **rules**](https://example.org/a/b).\n\n| a | b |\n|---|---|\n| 1 | `x` |\n";
        let indexed = indexed_text("Use TLS", &["Decision".to_owned()], text);
        assert_eq!(indexed, "Use TLS\nDecision\nSee the rules.\na b \n1 x");
    }
}
