//! The tools: what each takes, and what it gives back. All of them read; none writes to the library.

mod check;
mod documents;
mod questions;
mod search;
mod status;

use std::sync::Arc;

use plumbline_core::domain::Language;
use plumbline_core::error::AskError;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::served::Served;

/// What a tool gives: text for whoever reads it, and the same as data.
pub(crate) struct Given {
    pub text: String,
    pub data: Value,
}

/// Why a tool gives nothing, for the one who called it.
pub(crate) struct Failed {
    pub text: String,
    pub data: Option<Value>,
}

impl From<String> for Failed {
    fn from(text: String) -> Self {
        Self { text, data: None }
    }
}

impl Failed {
    pub(crate) fn of(problem: &AskError, language: Language) -> Self {
        let report = problem.report().in_language(language);
        Self { text: report.message.clone(), data: serde_json::to_value(&report).ok() }
    }
}

struct Declared {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The properties that it takes, and those that it cannot do without.
    takes: fn() -> (Value, &'static [&'static str]),
}

const DECLARED: [Declared; 7] = [
    Declared {
        name: "ask",
        title: "Ask the library",
        description: "Answers a question from the user's architecture documents, with numbered sources, or refuses with its reason and the nearest passages. A refusal is a result: tell it, and do not answer from elsewhere. Lists, fields of records and terms are answered as well.",
        takes: questions::ask_takes,
    },
    Declared {
        name: "search_passages",
        title: "Search passages",
        description: "Finds passages of the documents for a question or keywords, best first, and decides nothing: what is found is not yet an answer.",
        takes: search::takes,
    },
    Declared {
        name: "define_term",
        title: "Define a term",
        description: "Looks a term up in the vocabulary of record and gives its definition word for word, or says that it is not there, with the nearest labels.",
        takes: questions::define_takes,
    },
    Declared {
        name: "list_documents",
        title: "List documents",
        description: "Lists documents from the catalogue, complete and in a fixed order: decision records, principles, policies and others, by kind, topic, standing, owner or year.",
        takes: documents::list_takes,
    },
    Declared {
        name: "get_document",
        title: "Read a document",
        description: "Gives one document with what it says of itself and all its passages, by its id or any reference to it: adr-0012, ADR.12, principle 39, a file name.",
        takes: documents::get_takes,
    },
    Declared {
        name: "library_status",
        title: "Status of the library",
        description: "Tells what the library holds for this user, how current it is, and what is off at the moment.",
        takes: || (json!({}), &[]),
    },
    Declared {
        name: "check_statement",
        title: "Check statements",
        description: "Checks any text sentence by sentence against the library: supported (with the passage and its shared words), supported elsewhere than the document that it names, contradicted (with the passage), or not supported (with the reason). No language model is asked. Use it on what you wrote before you show it.",
        takes: check::takes,
    },
];

/// All tools.
pub(crate) fn list() -> Vec<Tool> {
    DECLARED.iter().map(tool).collect()
}

fn tool(declared: &Declared) -> Tool {
    let (properties, required) = (declared.takes)();
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    let annotations = ToolAnnotations::with_title(declared.title).read_only(true).open_world(false);
    Tool::new(declared.name, declared.description, Arc::new(schema))
        .with_title(declared.title)
        .with_annotations(annotations)
}

/// Calls a tool. What goes wrong inside one is a result that says so: a client shows it, as it does not show errors.
pub(crate) async fn call(
    served: &Served,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let arguments = request.arguments.unwrap_or_default();
    let given = match request.name.as_ref() {
        "ask" => questions::ask(served, arguments, &context).await,
        "search_passages" => search::search(served, arguments).await,
        "define_term" => questions::define(served, arguments, &context).await,
        "list_documents" => documents::list(served, arguments).await,
        "get_document" => documents::get(served, arguments).await,
        "library_status" => status::status(served).await,
        "check_statement" => check::check(served, arguments, &context).await,
        unknown => return Err(ErrorData::invalid_params(format!("there is no tool `{unknown}`"), None)),
    };
    let (mut result, data) = match given {
        Ok(given) => (CallToolResult::success(vec![ContentBlock::text(given.text)]), Some(given.data)),
        Err(failed) => (CallToolResult::error(vec![ContentBlock::text(failed.text)]), failed.data),
    };
    result.structured_content = data;
    Ok(result)
}

/// What was given, read; an unknown name is told, since what is meant by it would be lost.
fn read<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Failed> {
    serde_json::from_value(Value::Object(arguments)).map_err(|problem| problem.to_string().into())
}

/// A value as data.
fn data(value: &impl serde::Serialize) -> Result<Value, Failed> {
    serde_json::to_value(value).map_err(|problem| problem.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_says_what_it_takes_and_that_it_only_reads() {
        for tool in list() {
            let schema = Value::Object((*tool.input_schema).clone());
            let properties = schema["properties"].as_object().unwrap();
            for (name, property) in properties {
                assert!(property["description"].is_string(), "{}.{name} says what it is", tool.name);
            }
            for required in schema["required"].as_array().unwrap() {
                assert!(properties.contains_key(required.as_str().unwrap()), "{}: {required}", tool.name);
            }
            assert_eq!(tool.annotations.unwrap().read_only_hint, Some(true), "{}", tool.name);
        }
    }
}
