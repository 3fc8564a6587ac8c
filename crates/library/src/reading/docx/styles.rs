//! Paragraph styles: what is a heading whatever it is called, what is hidden, what is a table of contents.

use std::collections::BTreeMap;

use super::xml::{self, Step};

#[derive(Debug, Clone, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    hidden: Option<bool>,
    numbering: Option<(String, usize)>,
}

/// What a paragraph's style makes of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Look {
    /// From 1.
    pub heading: Option<u8>,
    pub title: bool,
    pub contents: bool,
    pub code: bool,
    pub quote: bool,
    pub hidden: bool,
    /// The list and the level that the style puts a paragraph into.
    pub numbering: Option<(String, usize)>,
}

#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, Style>,
}

impl Styles {
    pub fn read(part: &[u8]) -> Self {
        let mut styles = Self::default();
        let mut current: Option<(String, Style)> = None;
        // A broken part beside the text is no reason to lose the text.
        let _ = xml::walk(part, &mut |step| match step {
            Step::Start(element) if element.name == "style" => {
                current = element.attribute("styleId").map(|id| (id, Style::default()));
            }
            Step::Start(element) => {
                let Some((_, style)) = &mut current else { return };
                match element.name {
                    "name" => style.name = element.value().unwrap_or_default().to_lowercase(),
                    "basedOn" => style.based_on = element.value(),
                    "outlineLvl" => {
                        style.outline =
                            element.value().and_then(|level| level.parse().ok()).filter(|level| *level <= 9)
                    }
                    "vanish" => style.hidden = Some(element.is_on()),
                    "numId" => {
                        style.numbering.get_or_insert_default().0 = element.value().unwrap_or_default()
                    }
                    "ilvl" => {
                        style.numbering.get_or_insert_default().1 =
                            element.value().and_then(|level| level.parse().ok()).unwrap_or(0);
                    }
                    _ => {}
                }
            }
            Step::End("style") => styles.by_id.extend(current.take()),
            _ => {}
        });
        styles
    }

    /// The look of a style by its id, with all that it is based on.
    pub fn look(&self, id: &str) -> Look {
        let mut look = Look::default();
        let mut next = Some(id.to_owned());
        let mut outline = None;
        let mut hidden = None;
        // Styles may be based on each other in a circle.
        for _ in 0..16 {
            let Some(id) = next.take() else { break };
            let Some(style) = self.by_id.get(&id) else {
                name(&mut look, &id.to_lowercase());
                break;
            };
            name(&mut look, &style.name);
            outline = outline.or(style.outline);
            hidden = hidden.or(style.hidden);
            look.numbering = look
                .numbering
                .take()
                .or_else(|| style.numbering.clone().filter(|(list, _)| !list.is_empty()));
            next.clone_from(&style.based_on);
        }
        // Level 9 says that it is body text.
        match outline {
            Some(9) => look.heading = None,
            Some(level) => look.heading = Some(level + 1),
            None => {}
        }
        look.hidden = hidden.unwrap_or(false);
        look
    }
}

/// Word keeps the English names of its own styles in every language.
fn name(look: &mut Look, name: &str) {
    let digit = name.strip_prefix("heading").map(str::trim).and_then(|level| level.parse::<u8>().ok());
    look.heading = look.heading.or(digit.filter(|level| (1..=9).contains(level)));
    look.title |= name == "title";
    look.contents |= name.starts_with("toc") || name.starts_with("table of ") || name.starts_with("contents");
    look.code |= name.contains("code") || name.contains("preformatted") || name.contains("source");
    look.quote |= name == "quote" || name == "intense quote" || name == "block text";
}
