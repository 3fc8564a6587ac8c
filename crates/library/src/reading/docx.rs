//! DOCX: the main part of an Office Open XML package as Markdown.

use std::collections::BTreeMap;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::writer::MarkdownWriter;
use super::{Format, Oddity, ReadDocument, Unreadable};

mod body;
mod numbering;
mod package;
mod properties;
mod styles;
mod xml;

pub(super) fn read(bytes: &[u8], max_chars: usize) -> Result<ReadDocument, Unreadable> {
    let mut package = package::Package::open(bytes)?;
    let main = package.main_part()?;
    let parts = package.related(&main)?;
    let mut optional = |kind: &str| match parts.get(kind) {
        Some(name) => package.part(name),
        None => Ok(None),
    };
    let styles = styles::Styles::read(optional("styles")?.as_deref().unwrap_or_default());
    let numbering = numbering::Numbering::read(optional("numbering")?.as_deref().unwrap_or_default());
    let footnotes = optional("footnotes")?;
    let document = package.part(&main)?.ok_or_else(|| Unreadable::damaged(Message::UnreadableNoPart))?;

    let mut writer = MarkdownWriter::new(max_chars);
    let mut warnings = Vec::new();
    body::write(&document, &styles, numbering, &mut writer)?;
    for (id, text) in footnotes.as_deref().map(body::footnotes).unwrap_or_default() {
        writer.paragraph(&format!("[^{id}]: {text}"));
    }
    let properties: BTreeMap<String, String> = match properties::read(&mut package) {
        Ok(properties) => properties,
        // What the container says is not worth losing the text for.
        Err(reason) => {
            let text = Detail::of(Message::OddProperties, [("reason", reason.detail())]);
            warnings.push(Oddity::new("properties_unreadable", text));
            BTreeMap::new()
        }
    };
    let (text, blocks) = writer.finish()?;
    Ok(ReadDocument { format: Format::Docx, text, front_matter: Vec::new(), blocks, properties, warnings })
}
