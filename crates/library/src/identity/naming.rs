//! What file and folder names tell: the number, the day, the letter of an approval record, the slug.

use std::sync::LazyLock;

use jiff::civil::Date;
use plumbline_core::domain::Kind;
use plumbline_core::language::fixed;
use plumbline_core::text::capitalised;
use regex::Regex;

use super::dates;
use super::labels::{alternatives, any_language};
use super::words::{folded, slug};

/// What a path tells of the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Name {
    /// The name that stands for the document: of the file, or of the folder where a record has one of its own.
    pub(super) written: String,
    pub(super) number: Option<u32>,
    /// A letter behind the number, in lower case.
    pub(super) letter: Option<char>,
    pub(super) date: Option<Date>,
    /// The kind that a prefix such as `adr-` names.
    pub(super) kind: Option<Kind>,
    /// The words behind number and day.
    pub(super) rest: String,
    /// The file's own name, where the folder stands for the document.
    pub(super) part: Option<String>,
}

static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    let decisions = alternatives(|words| &words.names.adr, &[]);
    let principles = alternatives(|words| &words.names.principle, &[]);
    let prefixes = format!("adr|dar|pcp|ad|dr|rfc|{decisions}|{principles}");
    fixed(&format!(
        r"^(?:(?:[a-z]+[ ._-]+)?(?P<prefix>{prefixes})[ ._#-]*)?(?P<number>[0-9]{{1,5}})(?P<letter>[a-z])?(?:[ ._-]+|$)(?P<rest>.*)$"
    ))
});

static DATED: LazyLock<Regex> = LazyLock::new(|| {
    let prefixes = alternatives(|words| &words.names.adr, &["adr"]);
    fixed(&format!(
        r"^(?:(?P<prefix>{prefixes})[ ._-]+)?(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|[0-9]{{8}})(?:[ ._-]+|$)(?P<rest>.*)$"
    ))
});

impl Name {
    /// Reads a path relative to its source.
    pub(super) fn of(path: &str) -> Self {
        let mut parts = path.rsplit('/');
        let file = parts.next().unwrap_or(path);
        let stem = stem(file);
        let own = Self::read(stem);
        if own.number.is_some() || own.date.is_some() {
            return own;
        }
        let folder = parts.next().map(Self::read).filter(Self::is_of_a_record);
        match folder {
            Some(folder) => Self { part: Some(slug(stem)), ..folder },
            None => own,
        }
    }

    fn read(name: &str) -> Self {
        let low = name.to_lowercase();
        let dated = DATED.captures(&low).and_then(|captures| {
            let date = dates::exactly(captures.name("day")?.as_str())?;
            Some((date, kind_of(captures.name("prefix")), captures.name("rest")?.as_str().to_owned()))
        });
        if let Some((date, kind, rest)) = dated {
            return Self { written: name.to_owned(), date: Some(date), kind, rest, ..Self::default() };
        }
        let numbered = NUMBERED.captures(&low).and_then(|captures| {
            let number = captures.name("number")?.as_str().parse().ok()?;
            let letter = captures.name("letter").and_then(|letter| letter.as_str().chars().next());
            Some((
                number,
                letter,
                kind_of(captures.name("prefix")),
                captures.name("rest")?.as_str().to_owned(),
            ))
        });
        match numbered {
            Some((number, letter, kind, rest)) => {
                Self { written: name.to_owned(), number: Some(number), letter, kind, rest, ..Self::default() }
            }
            None => Self { written: name.to_owned(), rest: low, ..Self::default() },
        }
    }

    /// A folder stands for a record when a number or day and words make up its name; `2023` alone is a year's folder.
    fn is_of_a_record(&self) -> bool {
        (self.number.is_some() || self.date.is_some()) && self.rest.contains(|c: char| c.is_alphabetic())
    }

    /// Whether the file is the one that a folder of its own is read by.
    pub(super) fn leads_folder(&self) -> bool {
        self.part.as_deref().is_none_or(is_front_page)
    }

    /// The words behind number and day, as a title.
    pub(super) fn as_title(&self) -> String {
        let mut words = if self.rest.is_empty() { self.written.to_lowercase() } else { self.rest.clone() };
        if let Some(part) = self.part.as_deref().filter(|part| !is_front_page(part)) {
            words.push_str(": ");
            words.push_str(part);
        }
        let words = words.replace(['-', '_'], " ");
        capitalised(&words.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

fn kind_of(prefix: Option<regex::Match<'_>>) -> Option<Kind> {
    let prefix = prefix?.as_str();
    let is_one = |names: &[String]| names.iter().any(|name| name == prefix);
    match prefix {
        "adr" | "ad" | "dr" => Some(Kind::Adr),
        "dar" => Some(Kind::Dar),
        "pcp" => Some(Kind::Principle),
        _ if any_language(|words| is_one(&words.names.adr)) => Some(Kind::Adr),
        _ if any_language(|words| is_one(&words.names.principle)) => Some(Kind::Principle),
        _ => None,
    }
}

/// A file's name without its extension; dots inside stay.
pub(super) fn stem(file: &str) -> &str {
    match file.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 8 && !extension.contains(' ') => {
            stem
        }
        _ => file,
    }
}

/// Names of pages that stand for their folder.
pub(super) fn is_front_page(stem: &str) -> bool {
    let stem = folded(stem);
    any_language(|words| words.names.front_pages.contains(&stem))
}

/// A title without the number, the prefix or the id in front of it.
pub(super) fn bare_title(title: &str, number: Option<u32>) -> String {
    let title = title.trim().trim_start_matches('#').trim();
    let bare = PREFIXED.captures(title).and_then(|captures| {
        let rest = captures.name("rest")?.as_str().trim();
        let digits = captures.name("number")?.as_str();
        // "12-factor apps" is a title also of the twelfth record.
        let apart = digits.starts_with('0') || captures.name("gap")?.as_str().contains(char::is_whitespace);
        let own = apart && digits.parse() == Ok(number.unwrap_or(u32::MAX));
        let marked = captures.name("kind").is_some() || captures.name("mark").is_some();
        (marked || own).then_some(rest)
    });
    let bare = bare.filter(|rest| rest.contains(char::is_alphanumeric)).unwrap_or(title);
    without_link_marks(bare)
}

/// The words of a heading without the brackets of links that lead nowhere: "[ABC-12] Record decisions".
fn without_link_marks(heading: &str) -> String {
    let words = heading.split_whitespace().map(|word| {
        let inner = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
        inner.filter(|inner| !inner.is_empty() && !inner.contains(['[', ']'])).unwrap_or(word)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The number that a title begins with.
pub(super) fn number_in_title(title: &str) -> Option<u32> {
    let title = title.trim().trim_start_matches('#').trim();
    let captures = PREFIXED.captures(title)?;
    let marked = captures.name("kind").is_some() || captures.name("mark").is_some();
    captures.name("number").filter(|_| marked)?.as_str().parse().ok()
}

/// The number in an identifier such as `ADR.12`, `PCP-39` or `12D`. A UUID or an address holds digits, and no number.
pub(super) fn number_in_identifier(identifier: &str) -> Option<u32> {
    IDENTIFIED.captures(identifier.trim())?.name("number")?.as_str().parse().ok()
}

static IDENTIFIED: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"(?i)^(?:[a-z]+[ ._#/-]*)*(?P<number>[0-9]{1,5})[a-z]?$"));

/// The id that a document has if no other claims it. An approval record's is that of its record with a letter behind the number.
pub(super) fn base_id(
    kind: Kind,
    approves: Option<Kind>,
    number: Option<u32>,
    name: &Name,
    path: &str,
) -> String {
    let of = approves.unwrap_or(kind);
    let prefix = of.id_prefix();
    let stem = stem(path.rsplit('/').next().unwrap_or(path));
    match (of, number) {
        (Kind::Adr | Kind::Principle, Some(number)) if approves.is_some() => format!("{prefix}-{number:04}d"),
        (Kind::Adr | Kind::Principle, Some(number)) => {
            let letter =
                name.letter.filter(|_| name.number == Some(number)).map_or(String::new(), String::from);
            format!("{prefix}-{number:04}{letter}")
        }
        (Kind::Adr, None) => {
            let name = slug(&name.written);
            let name = name.strip_prefix("adr-").unwrap_or(&name);
            if approves.is_some() { format!("{prefix}-{name}-d") } else { format!("{prefix}-{name}") }
        }
        (Kind::Document, _) if is_front_page(stem) => {
            format!("{prefix}-{}", slug(path.rsplit('/').nth(1).unwrap_or(stem)))
        }
        _ => {
            let name = slug(stem);
            format!(
                "{prefix}-{}",
                name.strip_prefix("policy-").filter(|_| of == Kind::Policy).unwrap_or(&name)
            )
        }
    }
}

/// "1. Title", "ADR-12: Title", "[ADR 12] Title", "0012 - Title", "10 Title".
static PREFIXED: LazyLock<Regex> = LazyLock::new(|| {
    let decisions = alternatives(|words| &words.names.adr, &[]);
    let principles = alternatives(|words| &words.names.principle, &[]);
    let titles = alternatives(|words| &words.names.decision_titles, &[]);
    let number = alternatives(|words| &words.names.number, &[]);
    fixed(&format!(
        r"(?i)^[\[(]?(?P<kind>(?:[a-z]{{2,20}}[ -])?(?:adr|pcp|{titles}|{decisions}|{principles})[ ._#-]{{0,2}}(?:(?:{number})\.? ?)?)?(?P<number>[0-9]{{1,5}})(?:[a-z]\b|\b|_)[\])]?(?P<mark>[.:)]+(?:\s|$)|\s*[–—|:]\s*|\s+-+\s+)?(?P<gap>[\s_-]*)(?P<rest>.+)$"
    ))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_and_folders_are_read() {
        for (path, number, letter, rest) in [
            ("0012-use-cim.md", Some(12), None, "use-cim"),
            ("0012D-use-cim.md", Some(12), Some('d'), "use-cim"),
            ("adr/ADR-001-Use-CIM.md", Some(1), None, "use-cim"),
            ("adr/adr_0007_x.adoc", Some(7), None, "x"),
            ("ADR001.md", Some(1), None, ""),
            ("0018-.net-upgrade.md", Some(18), None, "net-upgrade"),
            ("decisions/0003-use-x/README.md", Some(3), None, "use-x"),
            ("2023/use-x.md", None, None, "use-x"),
            ("data-retention.md", None, None, "data-retention"),
            ("2fa-everywhere.md", None, None, "2fa-everywhere"),
            ("team-adr-0004-queue.md", Some(4), None, "queue"),
        ] {
            let name = Name::of(path);
            assert_eq!((name.number, name.letter, name.rest.as_str()), (number, letter, rest), "`{path}`");
        }
    }

    #[test]
    fn a_day_in_a_name_is_no_number() {
        for path in ["2022-02-03-testing/README.md", "20220203-testing.md", "adr/2022-02-03-testing.md"] {
            let name = Name::of(path);
            assert_eq!((name.date, name.number), (Some(Date::constant(2022, 2, 3)), None), "`{path}`");
            assert_eq!(name.rest, "testing");
        }
        assert_eq!(Name::of("2022-02-03-testing/part.md").part.as_deref(), Some("part"));
    }

    #[test]
    fn titles_lose_their_numbers_and_nothing_else() {
        for (title, number, bare) in [
            ("1. Record decisions", 1, "Record decisions"),
            ("30. LLMs are hosted", 31, "LLMs are hosted"),
            ("10 Enable routing", 10, "Enable routing"),
            ("ADR-12: Use CIM", 12, "Use CIM"),
            ("ADR 0012 – Use CIM", 12, "Use CIM"),
            ("[ADR-12] Use CIM", 12, "Use CIM"),
            ("0012-use-cim", 12, "use-cim"),
            ("#46. Generalize EventBus", 46, "Generalize EventBus"),
            ("1. [JAMES-2909] Record decisions", 1, "JAMES-2909 Record decisions"),
            ("Use List[T] and [a b]", 1, "Use List[T] and [a b]"),
            ("PCP.39 Encryption", 39, "Encryption"),
            ("2FA for everyone", 7, "2FA for everyone"),
            ("3 layers of caching", 7, "3 layers of caching"),
            ("12-factor apps", 12, "12-factor apps"),
            ("2FA again", 2, "2FA again"),
            ("Decision Record Private Properties", 7, "Decision Record Private Properties"),
            ("Use 2 regions", 2, "Use 2 regions"),
            ("1.", 1, "1."),
        ] {
            assert_eq!(bare_title(title, Some(number)), bare, "`{title}`");
        }
    }
}
