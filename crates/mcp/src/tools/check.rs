use plumbline_core::response::CheckProgress;
use rmcp::RoleServer;
use rmcp::model::JsonObject;
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Failed, Given, data, read};
use crate::progress::{Progress, Step};
use crate::served::Served;

/// Under this name a text is read: models write Markdown, and plain text is Markdown too.
const NAME: &str = "text.md";

pub(super) fn takes() -> (Value, &'static [&'static str]) {
    let text =
        json!({ "type": "string", "description": "One statement or a whole text, plain or Markdown." });
    (json!({ "text": text }), &["text"])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    text: String,
}

pub(super) async fn check(
    served: &Served,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<Given, Failed> {
    let Check { text } = read(arguments)?;
    let prose =
        plumbline_library::read(NAME, text.as_bytes()).map_or_else(|_| text.clone(), |read| read.prose());
    let open = served.open().await?;
    let progress = Progress::of(context);
    let told = |checked: CheckProgress| {
        let what = checked.latest.verdict.as_str().to_owned();
        progress.step(Step { done: checked.done, total: Some(checked.total), what });
    };
    let checked = open.engine.engine.check(&prose, served.scope(), &context.ct, &told).await;
    progress.end().await;
    let checked = checked.map_err(|problem| Failed::of(&problem, served.language()))?;
    Ok(Given { text: checked.readable(), data: data(&checked)? })
}
