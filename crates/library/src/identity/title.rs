//! The title that a document goes by.

use super::How;
use super::clue::Clue;
use super::facts::{Facts, Place, labelled};
use super::labels::Field;
use super::naming::Name;
use super::outline::{Outline, is_section_name};
use super::plain::Line;
use super::words::is_placeholder;
use crate::reading::{Format, ReadDocument};

/// The title as written, with its number.
pub(super) fn choose(
    document: &ReadDocument,
    outline: &Outline,
    facts: &Facts,
    name: &Name,
) -> (String, How) {
    let stated = facts.first(Field::Title).filter(|fact| fact.place == Place::FrontMatter);
    if let Some(fact) = stated {
        return (fact.text().to_owned(), How::Recognised(fact.whence()));
    }
    let opening = opening_line(outline);
    if let Some(line) = opening.filter(|line| line.bold == line.text.len() && starts_as_printed(outline)) {
        return (line.text.clone(), How::Recognised("first line, in bold".to_owned()));
    }
    if let Some(section) = outline.title().filter(|section| !is_placeholder(&section.heading)) {
        return (section.heading.clone(), How::Recognised("heading".to_owned()));
    }
    if let Some(fact) = facts.first(Field::Title) {
        return (fact.text().to_owned(), How::Recognised(fact.whence()));
    }
    let first =
        outline.sections.get(1).filter(|section| !is_section_name(&section.name) && section.level > 1);
    if let Some(section) =
        first.filter(|section| !is_placeholder(&section.heading) && outline.title().is_none())
    {
        return (section.heading.clone(), How::Guessed(Clue::FirstHeading));
    }
    if let Some(line) = opening {
        return (line.text.clone(), How::Guessed(Clue::FirstLine));
    }
    let contained = matches!(document.format, Format::Docx | Format::Pdf | Format::Html);
    if let Some(title) = document.properties.get("title").filter(|title| contained && !is_placeholder(title))
    {
        return (title.clone(), How::Guessed(Clue::FileProperties));
    }
    (name.as_title(), How::Guessed(Clue::FileName))
}

/// A line of its own before any heading that reads like a title.
fn opening_line(outline: &Outline) -> Option<&Line> {
    let first = outline.sections.first()?;
    let mut lines = first.lines();
    let line = lines.next()?;
    let text = line.text.as_str();
    let sentence = text.ends_with(['.', ':', ';', ',', '?']) || text.split_whitespace().count() > 14;
    let known = labelled(line).is_some_and(|(label, _)| Field::of(&label).is_some());
    // A second line of running text makes it the beginning of a paragraph.
    let alone = lines.next().is_none_or(|next| labelled(next).is_some() || next.text.len() < 80);
    (!sentence && !known && alone && !is_placeholder(text)).then_some(line)
}

/// Converted documents often have their title in bold and every chapter as a heading of level 1.
fn starts_as_printed(outline: &Outline) -> bool {
    outline.sections.iter().filter(|section| section.level == 1).count() != 1
}
