//! Prompts that a user picks in a client, in the workspace's language.

use plumbline_core::domain::Language;
use plumbline_core::messages::{Message, Messages};
use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role,
};

/// A prompt with its one argument.
struct Offered {
    name: &'static str,
    title: Message,
    text: Message,
    argument: &'static str,
}

const OFFERED: [Offered; 2] = [
    Offered {
        name: "answer_from_library",
        title: Message::McpAnswerTitle,
        text: Message::McpAnswerPrompt,
        argument: "question",
    },
    Offered {
        name: "check_my_text",
        title: Message::McpCheckTitle,
        text: Message::McpCheckPrompt,
        argument: "text",
    },
];

/// What can be picked.
pub(crate) fn list(language: Language) -> Vec<Prompt> {
    let messages = Messages::of(language);
    let prompt = |offered: &Offered| {
        let title = messages.text(offered.title, &[]);
        let argument = PromptArgument::new(offered.argument).with_required(true);
        Prompt::new(offered.name, Some(title.clone()), Some(vec![argument])).with_title(title)
    };
    OFFERED.iter().map(prompt).collect()
}

/// A prompt, filled in.
pub(crate) fn get(
    request: &GetPromptRequestParams,
    language: Language,
) -> Result<GetPromptResult, ErrorData> {
    let offered = OFFERED.iter().find(|offered| offered.name == request.name);
    let offered = offered
        .ok_or_else(|| ErrorData::invalid_params(format!("there is no prompt `{}`", request.name), None))?;
    let given = argument(request.arguments.as_ref(), offered.argument);
    let given =
        given.ok_or_else(|| ErrorData::invalid_params(format!("`{}` is missing", offered.argument), None))?;
    let messages = Messages::of(language);
    let text = messages.text(offered.text, &[(offered.argument, given)]);
    let said = PromptMessage::new_text(Role::User, text.trim());
    Ok(GetPromptResult::new(vec![said]).with_description(messages.text(offered.title, &[])))
}

fn argument<'a>(arguments: Option<&'a JsonObject>, name: &str) -> Option<&'a str> {
    arguments?.get(name)?.as_str().filter(|given| !given.trim().is_empty())
}
