//! What a server's answers say, but for `/data`. A body that is not as the contract says is an error, never a miss.

use plumbline_core::response::ConceptLink;
use serde_json::{Map, Value};
use thiserror::Error;

/// A body that is not what the contract promises.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
#[error("{0}")]
pub struct Malformed(pub &'static str);

/// One row of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The concept.
    pub uri: String,
    /// The id of its vocabulary on that server.
    pub vocabulary: String,
    /// The preferred label in the language asked for; absent where it has none.
    pub preferred: Option<String>,
    /// The label that was matched, where that is not the one above.
    pub matched: Option<Matched>,
    /// The language of the label that was matched.
    pub language: Option<String>,
    /// Its notations.
    pub notations: Vec<String>,
}

/// A matched label that is not the preferred one in the language asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matched {
    /// A preferred label in another language.
    Preferred(String),
    /// An alternative label.
    Alternative(String),
    /// A hidden label.
    Hidden(String),
}

/// A vocabulary that a server has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// Its title; 2.x says `false` and 3.x `null` where there is none.
    pub title: Option<String>,
}

/// The rows of a search.
pub fn search_rows(body: &[u8]) -> Result<Vec<Row>, Malformed> {
    list(body, "results")?.iter().map(row).collect()
}

/// The rows of a `lookup`, which calls them `result`.
pub fn lookup_rows(body: &[u8]) -> Result<Vec<Row>, Malformed> {
    list(body, "result")?.iter().map(row).collect()
}

/// The vocabularies of a server.
pub fn vocabularies(body: &[u8]) -> Result<Vec<Listed>, Malformed> {
    let listed = |value: &Value| {
        let id = text(value.get("id")).ok_or(Malformed("a vocabulary has no id"))?;
        let title = match value.get("title") {
            None | Some(Value::Null | Value::Bool(false)) => None,
            Some(Value::String(title)) => Some(title.clone()),
            Some(_) => return Err(Malformed("a title is no text")),
        };
        Ok(Listed { id, title: title.filter(|title| !title.trim().is_empty()) })
    };
    list(body, "vocabularies")?.iter().map(listed).collect()
}

/// The concepts at the top of a vocabulary.
pub fn top_concepts(body: &[u8]) -> Result<Vec<ConceptLink>, Malformed> {
    let link = |value: &Value| {
        let uri = text(value.get("uri")).ok_or(Malformed("a concept has no URI"))?;
        Ok(ConceptLink { label: text(value.get("label")).unwrap_or_else(|| uri.clone()), uri })
    };
    list(body, "topconcepts")?.iter().map(link).collect()
}

fn list(body: &[u8], name: &str) -> Result<Vec<Value>, Malformed> {
    let mut whole: Map<String, Value> =
        serde_json::from_slice(body).map_err(|_| Malformed("no JSON object"))?;
    match whole.remove(name) {
        Some(Value::Array(items)) => Ok(items),
        _ => Err(Malformed("no list of results")),
    }
}

fn row(value: &Value) -> Result<Row, Malformed> {
    let strings = |name: &str| -> Result<Vec<String>, Malformed> {
        match value.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(one)) => Ok(vec![one.clone()]),
            Some(Value::Array(several)) => {
                let texts =
                    several.iter().map(|item| text(Some(item)).ok_or(Malformed("a label is no text")));
                texts.collect()
            }
            Some(_) => Err(Malformed("a label is no text")),
        }
    };
    // Lists only come with `fields`, which is not asked for; the first is the one that was matched.
    let first = |name: &str| strings(name).map(|all| all.into_iter().next());
    let matched = first("matchedPrefLabel")?
        .map(Matched::Preferred)
        .or(first("altLabel")?.map(Matched::Alternative))
        .or(first("hiddenLabel")?.map(Matched::Hidden));
    let preferred = first("prefLabel")?;
    if preferred.is_none() && matched.is_none() {
        return Err(Malformed("a result has no label"));
    }
    Ok(Row {
        uri: text(value.get("uri")).ok_or(Malformed("a result has no URI"))?,
        vocabulary: text(value.get("vocab")).ok_or(Malformed("a result has no vocabulary"))?,
        preferred,
        matched,
        language: first("lang")?,
        notations: strings("notation")?,
    })
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_is_not_as_promised_is_an_error_and_no_miss() {
        assert_eq!(search_rows(b"{\"results\":[]}"), Ok(Vec::new()));
        for body in [
            "",
            "[]",
            "{}",
            "null",
            "{\"results\":null}",
            "{\"results\":{}}",
            "{\"results\":[1]}",
            "{\"results\":[{\"prefLabel\":\"x\",\"vocab\":\"v\"}]}",
            "{\"results\":[{\"uri\":\"u\",\"prefLabel\":\"x\"}]}",
            "{\"results\":[{\"uri\":\"u\",\"vocab\":\"v\"}]}",
            "{\"results\":[{\"uri\":\"u\",\"vocab\":\"v\",\"prefLabel\":7}]}",
            "{\"results\":[",
            "{\"results\":[]} trailing",
        ] {
            assert!(search_rows(body.as_bytes()).is_err(), "{body}");
        }
        let deep = "[".repeat(100_000);
        assert!(
            search_rows(format!("{{\"results\":{deep}").as_bytes()).is_err(),
            "deep nesting is no stack overflow"
        );
    }

    #[test]
    fn a_concept_without_a_label_goes_by_its_uri() {
        let body =
            br#"{"topconcepts":[{"uri":"u","label":"Grid","hasChildren":true},{"uri":"v","label":null}]}"#;
        let labels: Vec<_> = top_concepts(body).unwrap().into_iter().map(|link| link.label).collect();
        assert_eq!(labels, ["Grid", "v"]);
    }

    #[test]
    fn titles_that_are_missing_are_missing_in_both_versions() {
        let body = br#"{"vocabularies":[{"id":"a","title":false},{"id":"b","title":null},{"id":"c","title":"C"},{"id":"d"}]}"#;
        let titles: Vec<_> = vocabularies(body).unwrap().into_iter().map(|listed| listed.title).collect();
        assert_eq!(titles, [None, None, Some("C".to_owned()), None]);
    }
}
