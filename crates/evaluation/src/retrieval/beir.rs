use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::lines::{SetError, lines};

/// How relevant each judged document is for one question; what is not positive is not relevant.
pub type Judgements = BTreeMap<String, f64>;

/// A document of the corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeirDocument {
    /// Its id in the set.
    pub id: String,
    /// Its title; empty where it has none.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// A question of the set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeirQuery {
    /// Its id in the set.
    pub id: String,
    /// The question.
    pub text: String,
}

/// A corpus, questions over it, and which documents are relevant for which.
#[derive(Debug, Clone, PartialEq)]
pub struct BeirSet {
    /// The corpus, in the order of its file.
    pub documents: Vec<BeirDocument>,
    /// The questions, judged or not, in the order of their file.
    pub queries: Vec<BeirQuery>,
    /// The judgements by question.
    pub judgements: BTreeMap<String, Judgements>,
}

impl BeirSet {
    /// Reads `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv` of a folder.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or the first line that is wrong: no JSON object, no id, an id that comes twice, a
    /// judgement that is no number or is of a question that does not exist. A judged document that the corpus lacks is
    /// no error; it counts as one that was not found.
    pub fn read(folder: &Path) -> Result<Self, SetError> {
        let documents = entries(&folder.join("corpus.jsonl"))?
            .into_iter()
            .map(|(id, title, text)| BeirDocument { id, title, text })
            .collect();
        let queries: Vec<BeirQuery> = entries(&folder.join("queries.jsonl"))?
            .into_iter()
            .map(|(id, _, text)| BeirQuery { id, text })
            .collect();
        let judgements = judgements(&folder.join("qrels").join("test.tsv"), &queries)?;
        Ok(Self { documents, queries, judgements })
    }

    /// The questions that have a relevant document, with their judgements.
    pub fn judged(&self) -> impl Iterator<Item = (&BeirQuery, &Judgements)> {
        self.queries.iter().filter_map(|query| {
            let judgements = self.judgements.get(&query.id)?;
            judgements.values().any(|gain| *gain > 0.0).then_some((query, judgements))
        })
    }
}

/// A line of `corpus.jsonl` or `queries.jsonl`.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "_id")]
    id: Value,
    #[serde(default)]
    title: Option<String>,
    text: String,
}

/// Id, title and text of every line.
fn entries(path: &Path) -> Result<Vec<(String, String, String)>, SetError> {
    let mut first_use: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    for (line, content) in lines(path)? {
        let wrong = |detail: String| SetError::Line { path: path.to_owned(), line, detail: detail.into() };
        let entry: Entry = serde_json::from_str(&content).map_err(|error| wrong(error.to_string()))?;
        let id = match entry.id {
            Value::String(id) => id,
            Value::Number(id) => id.to_string(),
            _ => return Err(wrong("`_id` is neither a text nor a number".to_owned())),
        };
        if let Some(earlier) = first_use.insert(id.clone(), line) {
            return Err(wrong(format!("the id `{id}` is already used on line {earlier}")));
        }
        found.push((id, entry.title.unwrap_or_default(), entry.text));
    }
    Ok(found)
}

/// The judgements: question, document and score between tabs, under a heading or none.
fn judgements(path: &Path, queries: &[BeirQuery]) -> Result<BTreeMap<String, Judgements>, SetError> {
    let known: HashSet<&str> = queries.iter().map(|query| query.id.as_str()).collect();
    let mut found: BTreeMap<String, Judgements> = BTreeMap::new();
    for (line, content) in lines(path)? {
        let wrong = |detail: String| SetError::Line { path: path.to_owned(), line, detail: detail.into() };
        let fields: Vec<&str> = content.split('\t').map(str::trim).collect();
        let [query, document, score] = fields[..] else {
            return Err(wrong(format!("{} fields between tabs where there must be three", fields.len())));
        };
        let gain = match score.parse::<f64>() {
            Ok(gain) if gain.is_finite() => gain,
            _ if line == 1 => continue,
            _ => return Err(wrong(format!("`{score}` is no score"))),
        };
        if !known.contains(query) {
            return Err(wrong(format!("there is no question `{query}` in queries.jsonl")));
        }
        found.entry(query.to_owned()).or_default().insert(document.to_owned(), gain);
    }
    Ok(found)
}
