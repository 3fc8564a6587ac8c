//! Reading the golden set: strictly, and with errors that name line and field.

use std::collections::BTreeMap;
use std::fmt;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

use super::query::{Expected, GoldenQuery};

/// Why a golden set cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GoldenError {
    /// A line is no JSON object.
    NotAnObject {
        /// Number of the line, from 1.
        line: usize,
        /// What the parser said.
        detail: String,
    },
    /// A field is missing, unknown or wrong.
    Field {
        /// Number of the line, from 1.
        line: usize,
        /// The field, with the object that it belongs to.
        field: String,
        /// What is wrong.
        detail: Detail,
    },
}

impl GoldenError {
    /// What is wrong, as it is told in any language; what the parser said stays as it is.
    pub fn detail(&self) -> Detail {
        match self {
            Self::NotAnObject { line, detail } => Detail::of(
                Message::GoldenNotAnObject,
                [("line", line.to_string().into()), ("detail", detail.as_str().into())],
            ),
            Self::Field { line, field, detail } => Detail::of(
                Message::GoldenField,
                [
                    ("line", line.to_string().into()),
                    ("field", field.as_str().into()),
                    ("detail", detail.clone()),
                ],
            ),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for GoldenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// Reads every line that is not empty.
pub(super) fn lines(text: &str) -> Result<Vec<GoldenQuery>, GoldenError> {
    let mut first_use: BTreeMap<String, usize> = BTreeMap::new();
    let mut queries = Vec::new();
    for (index, content) in text.lines().enumerate() {
        if content.trim().is_empty() {
            continue;
        }
        let line = index + 1;
        let query = query(line, content)?;
        if let Some(earlier) = first_use.insert(query.id.clone(), line) {
            let values = [("id", query.id.into()), ("earlier", earlier.to_string().into())];
            return Err(field(line, "id", Detail::of(Message::GoldenUsedTwice, values)));
        }
        queries.push(query);
    }
    Ok(queries)
}

fn query(line: usize, content: &str) -> Result<GoldenQuery, GoldenError> {
    let value: Map<String, Value> = serde_json::from_str(content)
        .map_err(|error| GoldenError::NotAnObject { line, detail: error.to_string() })?;
    let mut fields = Fields { line, of: "", value };
    let query = GoldenQuery {
        id: fields.text("id")?,
        query: fields.text("query")?,
        language: fields.required("language")?,
        category: fields.required("category")?,
        history: fields.or_default("history")?,
        user_tags: fields.or_default("user_tags")?,
        expected: expected(line, fields.required("expected")?)?,
        tags: fields.required("tags")?,
        why: fields.or_default("why")?,
    };
    fields.end()?;
    Ok(query)
}

fn expected(line: usize, value: Map<String, Value>) -> Result<Expected, GoldenError> {
    let mut fields = Fields { line, of: "expected.", value };
    let expected = Expected {
        route: fields.required("route")?,
        abstain: fields.required("abstain")?,
        reason: fields.or_default("reason")?,
        reasons: fields.or_default("reasons")?,
        clarify: fields.or_default("clarify")?,
        doc_types: fields.or_default("doc_types")?,
        doc_ids: fields.or_default("doc_ids")?,
        doc_ids_any: fields.or_default("doc_ids_any")?,
        acceptable_doc_ids: fields.or_default("acceptable_doc_ids")?,
        source: fields.or_default("source")?,
        quote: fields.or_default("quote")?,
        quotes: fields.or_default("quotes")?,
        rows: fields.or_default("rows")?,
        fact: fields.or_default("fact")?,
    };
    fields.end()?;
    Ok(expected)
}

/// The fields of one object that have not been read yet.
struct Fields {
    line: usize,
    of: &'static str,
    value: Map<String, Value>,
}

impl Fields {
    fn required<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, GoldenError> {
        self.optional(name)?.ok_or_else(|| self.wrong(name, Message::GoldenMissing))
    }

    fn or_default<T: DeserializeOwned + Default>(&mut self, name: &str) -> Result<T, GoldenError> {
        Ok(self.optional(name)?.unwrap_or_default())
    }

    fn text(&mut self, name: &str) -> Result<String, GoldenError> {
        let text: String = self.required(name)?;
        if text.trim().is_empty() { Err(self.wrong(name, Message::GoldenEmpty)) } else { Ok(text) }
    }

    fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, GoldenError> {
        let Some(value) = self.value.remove(name) else { return Ok(None) };
        serde_json::from_value(value).map(Some).map_err(|error| {
            self.wrong(name, Detail::of(Message::GoldenWrong, [("detail", error.to_string().into())]))
        })
    }

    fn end(self) -> Result<(), GoldenError> {
        match self.value.keys().next() {
            Some(name) => Err(self.wrong(name, Message::GoldenUnknown)),
            None => Ok(()),
        }
    }

    fn wrong(&self, name: &str, detail: impl Into<Detail>) -> GoldenError {
        field(self.line, &format!("{}{name}", self.of), detail.into())
    }
}

fn field(line: usize, field: &str, detail: Detail) -> GoldenError {
    GoldenError::Field { line, field: field.to_owned(), detail }
}

#[cfg(test)]
mod tests {
    use plumbline_core::domain::Language;
    use plumbline_testkit::dutch::assert_dutch;

    use super::*;

    const GOOD: &str = r#"{"id":"GS-001","query":"What is CIMXML?","language":"en","category":"terminology_hit","expected":{"route":"skosmos","abstain":false,"doc_types":["Vocabulary"],"doc_ids":["vocab-cimxml"],"source":"SKOSMOS"},"tags":["skosmos","positive"]}"#;

    #[test]
    fn a_line_in_the_schema_is_read_and_written_back_as_it_was() {
        let queries = lines(GOOD).unwrap();
        let written = serde_json::to_value(&queries[0]).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(GOOD).unwrap());
    }

    #[test]
    fn errors_name_line_and_field() {
        let cases = [
            (r#""abstain":false"#, r#""abstain":"no""#, "line 2, field `expected.abstain`"),
            (r#""abstain":false,"#, "", "line 2, field `expected.abstain`: missing"),
            (
                r#""route":"skosmos""#,
                r#""route":"wiki""#,
                "line 2, field `expected.route`: unknown variant `wiki`",
            ),
            (r#""source":"SKOSMOS""#, r#""sauce":"SKOSMOS""#, "line 2, field `expected.sauce`: unknown"),
            (r#""query":"What is CIMXML?""#, r#""query":"  ""#, "line 2, field `query`: empty"),
            (r#""tags":["#, r#""labels":["#, "line 2, field `tags`: missing"),
            (r#""tags":["#, r#""extra":1,"tags":["#, "line 2, field `extra`: unknown"),
            (r#""category":"terminology_hit""#, r#""category":"other""#, "line 2, field `category`"),
            (r#"{"id""#, r#"["id""#, "line 2: not a JSON object"),
        ];
        for (from, to, expected) in cases {
            let wrong = GOOD.replace("GS-001", "GS-002").replacen(from, to, 1);
            let error = lines(&format!("{GOOD}\n{wrong}\n")).unwrap_err().to_string();
            assert!(error.contains(expected), "{to}: {error}");
        }
    }

    #[test]
    fn a_dutch_reader_is_told_in_dutch() {
        let twice = lines(&format!("{GOOD}\n\n{GOOD}")).unwrap_err();
        let wrong = [r#""tags":["#, r#""abstain":false"#, r#""query":"What is CIMXML?""#, r#"{"id""#];
        let to = [r#""labels":["#, r#""abstain":"no""#, r#""query":"  ""#, r#"["id""#];
        let others = wrong.iter().zip(to).map(|(from, to)| lines(&GOOD.replacen(from, to, 1)).unwrap_err());
        for problem in others.chain([twice]) {
            assert_dutch(&problem.detail().text(Language::NL));
        }
    }

    #[test]
    fn an_id_is_used_once() {
        let error = lines(&format!("{GOOD}\n\n{GOOD}")).unwrap_err().to_string();
        assert_eq!(error, "golden set, line 3, field `id`: `GS-001` is already used on line 1");
    }
}
