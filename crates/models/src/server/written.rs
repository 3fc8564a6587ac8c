//! The messages of a chat, as both protocols write them.

use plumbline_core::ports::ChatRequest;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Written<'r> {
    role: &'static str,
    content: &'r str,
}

pub(super) fn messages(request: &ChatRequest) -> Vec<Written<'_>> {
    let all = request.messages.iter();
    all.map(|message| Written { role: message.role.as_str(), content: &message.content }).collect()
}
