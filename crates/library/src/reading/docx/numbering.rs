//! Lists: which marks their items have, and how far their numbers have come.

use std::collections::BTreeMap;

use super::xml::{self, Step};

#[derive(Debug, Clone, Default)]
struct Level {
    format: String,
    /// `%1.%2`
    text: String,
    start: u64,
}

#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The levels of each abstract list.
    levels: BTreeMap<String, BTreeMap<usize, Level>>,
    /// The abstract list of each list.
    lists: BTreeMap<String, String>,
    counts: BTreeMap<String, Vec<u64>>,
}

impl Numbering {
    pub fn read(part: &[u8]) -> Self {
        let mut numbering = Self::default();
        let mut list: Option<String> = None;
        let mut instance: Option<String> = None;
        let mut level = 0;
        // A broken part beside the text is no reason to lose the text.
        let _ = xml::walk(part, &mut |step| match step {
            Step::Start(element) => match element.name {
                "abstractNum" => list = element.attribute("abstractNumId"),
                "num" => instance = element.attribute("numId"),
                "abstractNumId" => {
                    if let (Some(instance), Some(list)) = (&instance, element.value()) {
                        numbering.lists.insert(instance.clone(), list);
                    }
                }
                "lvl" => level = element.attribute("ilvl").and_then(|level| level.parse().ok()).unwrap_or(0),
                "numFmt" | "lvlText" | "start" => {
                    let Some(list) = &list else { return };
                    let of_level =
                        numbering.levels.entry(list.clone()).or_default().entry(level).or_default();
                    let value = element.value().unwrap_or_default();
                    match element.name {
                        "numFmt" => of_level.format = value,
                        "lvlText" => of_level.text = value,
                        _ => of_level.start = value.parse().unwrap_or(1),
                    }
                }
                _ => {}
            },
            Step::End("abstractNum") => list = None,
            Step::End("num") => instance = None,
            _ => {}
        });
        numbering
    }

    /// The mark of the next item: `None` for a bullet, otherwise its number as the reader sees it.
    pub fn next(&mut self, list: &str, level: usize) -> Option<String> {
        let level = level.min(8);
        let of_list = self.levels.get(self.lists.get(list)?)?;
        // Lists of one kind go on counting where the last one stopped, as Word does.
        let counts = self.counts.entry(self.lists.get(list)?.clone()).or_default();
        counts.truncate(level + 1);
        while counts.len() <= level {
            let start = of_list.get(&counts.len()).map_or(1, |found| found.start);
            counts.push(if counts.len() == level { start.saturating_sub(1) } else { start });
        }
        counts[level] += 1;
        let found = of_list.get(&level)?;
        if matches!(found.format.as_str(), "bullet" | "none" | "") {
            return None;
        }
        let mut label = found.text.clone();
        for (at, count) in counts.iter().enumerate() {
            let format = of_list.get(&at).map_or("decimal", |level| &level.format);
            label = label.replace(&format!("%{}", at + 1), &number(*count, format));
        }
        Some(label.trim().to_owned()).filter(|label| !label.is_empty())
    }
}

fn number(count: u64, format: &str) -> String {
    match format {
        "lowerLetter" => letter(count),
        "upperLetter" => letter(count).to_uppercase(),
        "lowerRoman" => roman(count),
        "upperRoman" => roman(count).to_uppercase(),
        _ => count.to_string(),
    }
}

fn letter(count: u64) -> String {
    let at = (count.saturating_sub(1) % 26) as u8;
    char::from(b'a' + at).to_string()
}

fn roman(count: u64) -> String {
    const SIGNS: [(u64, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut left = count.min(3999);
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while left >= value {
            text.push_str(sign);
            left -= value;
        }
    }
    text
}
