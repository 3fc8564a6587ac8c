//! Keeps the prompt's own instructions out of what is shown of a reply.

use crate::answer::Shown;
use crate::domain::Language;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::request::{ChatMessage, Role};
use crate::response::Withheld;

/// What the model was told before the passages. It is nobody's answer, so a model that repeats it is not quoted, not even
/// among what was withheld.
pub(super) struct Instructions {
    text: String,
    instead: String,
}

impl Instructions {
    pub(super) fn of(prompt: &[ChatMessage], language: Language) -> Self {
        let system = prompt.iter().filter(|message| message.role == Role::System);
        Self {
            text: system.map(|message| plain(&message.content)).collect::<Vec<_>>().join(" "),
            instead: Messages::of(language).text(Message::WithheldInstruction, &[]),
        }
    }

    /// Whether a text says nothing but what the model was told.
    pub(super) fn are_repeated_by(&self, text: &str) -> bool {
        let text = plain(text);
        text.split(' ').count() >= numbers().generation.instruction_words && self.text.contains(&text)
    }

    /// Takes a repeated instruction out of what was withheld.
    pub(super) fn keep_back(&self, withheld: &mut Withheld) {
        if self.are_repeated_by(&withheld.text) {
            withheld.text.clone_from(&self.instead);
            withheld.detail = None;
        }
    }

    /// The same for units on their way to the window.
    pub(super) fn kept_back(&self, mut shown: Vec<Shown>) -> Vec<Shown> {
        for unit in &mut shown {
            if let Shown::Withheld(withheld) = unit {
                self.keep_back(withheld);
            }
        }
        shown
    }
}

/// Words alone, so that bullets and line breaks make no difference.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::WithheldLabel;

    #[test]
    fn a_repeated_instruction_is_not_quoted_and_anything_else_is() {
        let system = ChatMessage {
            role: Role::System,
            content: "Rules:\n\n- Use only what the passages say.".to_owned(),
        };
        let instructions = Instructions::of(&[system, ChatMessage::user("Use only this")], Language::EN);
        let kept = |text: &str| {
            let mut withheld = Withheld {
                label: WithheldLabel::Unsupported,
                text: text.to_owned(),
                detail: Some("x".to_owned()),
            };
            instructions.keep_back(&mut withheld);
            withheld.text
        };
        assert_eq!(kept("* use only what the PASSAGES say"), "(a part of the instructions to the model)");
        assert_eq!(kept("Use only this."), "Use only this.");
        assert_eq!(
            kept("The passages say that brokers are used."),
            "The passages say that brokers are used."
        );
    }
}
