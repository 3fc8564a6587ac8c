//! Documents that a text names by number, id or file.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::dated::dated;
use super::folded::Folded;
use crate::domain::{Kind, Reference};
use crate::language::{Pack, across, fixed};
use crate::text::{own_name, words};

/// A file name.
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"(?P<folder>(?:[\w.-]+[/\\])*)(?P<stem>[\w-](?:[\w.-]*[\w-])?)\.(?:md|markdown|docx?|pdf|txt|html?|adoc|rst|odt)\b",
    )
});

/// The number that a file name begins with.
static STEM: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"^(?:(?P<prefix>adr|pcp|dar)[._-]?)?(?P<number>[0-9]{1,5})(?P<d>d)?(?:[._-]|$)"));

/// What shows that a number is part of a date, a version or a share.
static LONGER: LazyLock<Regex> = LazyLock::new(|| fixed(r"^(?:[.:/-][0-9]| ?%)"));

/// Every reference in a question and where it stands, in the order of the text.
pub fn references(text: &str) -> Vec<(Range<usize>, Reference)> {
    let folded = Folded::of(text);
    found_in(text, &folded)
}

/// The same in a document. Days name no record there: what was decided on a day elsewhere is no record of this library.
pub fn references_in_documents(text: &str) -> Vec<(Range<usize>, Reference)> {
    let folded = Folded::of(text);
    read(text, &folded, &[numbered, ordinals, bracketed])
}

/// Every reference in a typed text that is folded already.
pub(super) fn found_in(text: &str, folded: &Folded) -> Vec<(Range<usize>, Reference)> {
    read(text, folded, &[dated, numbered, ordinals, bracketed])
}

fn read(text: &str, folded: &Folded, by_number: &[fn(&str) -> Found]) -> Vec<(Range<usize>, Reference)> {
    let mut found = files(&folded.text);
    // Most questions hold neither a number nor an id.
    let has_digit = folded.text.bytes().any(|byte| byte.is_ascii_digit());
    let by_number = if has_digit { by_number } else { &[] };
    let by_id = policies(&folded.text);
    for other in by_id.into_iter().chain(by_number.iter().flat_map(|read| read(&folded.text))) {
        // A file name may hold a number or an id; the file is what was named.
        if found.iter().all(|(taken, _)| other.0.end <= taken.start || taken.end <= other.0.start) {
            found.push(other);
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    found
        .into_iter()
        .map(|(range, mut reference)| {
            let range = folded.origin(range);
            text[range.clone()].clone_into(&mut reference.written);
            (range, reference)
        })
        .collect()
}

/// The documents that are named, each once.
pub(super) fn distinct(found: Vec<(Range<usize>, Reference)>) -> Vec<Reference> {
    let mut distinct: Vec<Reference> = Vec::new();
    for (_, reference) in found {
        if !distinct.iter().any(|known| known.same_as(&reference)) {
            distinct.push(reference);
        }
    }
    distinct
}

type Found = Vec<(Range<usize>, Reference)>;

fn numbered(text: &str) -> Found {
    let mut found = Found::new();
    let mut at = 0;
    while let Some(captures) = across().references.numbered.captures_at(text, at) {
        let Some(whole) = captures.get(0) else { break };
        at = whole.end();
        let Some((kind, number)) = read_number(&captures) else { continue };
        if is_date(&text[whole.end()..]) {
            continue;
        }
        let mut end = whole.end();
        let mut kind = kind;
        if kind == Kind::Adr
            && let Some(after) = across().references.approval_after.find(&text[end..])
        {
            kind = Kind::Dar;
            end += after.end();
        }
        found.push((whole.start()..end, numbered_as(&captures, kind, number)));
        at = further_numbers(text, end, &captures, &mut found);
    }
    found
}

/// Takes in the numbers that follow a first one and returns where they end.
fn further_numbers(text: &str, mut at: usize, first: &Captures<'_>, found: &mut Found) -> usize {
    while let Some(captures) = across().references.next.captures(&text[at..]) {
        let (Some(whole), Some(digits)) = (captures.get(0), captures.name("number")) else { break };
        let end = at + whole.end();
        let Ok(number) = digits.as_str().parse() else { break };
        if counts_something(&text[end..]) {
            break;
        }
        let kind = kind_of(first, captures.name("d").is_some());
        found.push((at + digits.start()..end, numbered_as(first, kind, number)));
        at = end;
    }
    at
}

fn read_number(captures: &Captures<'_>) -> Option<(Kind, u32)> {
    let kind = kind_of(captures, captures.name("d").is_some());
    // "the ADRs.12 of them": a plural takes a space before its numbers.
    let word = captures.name("adr").or(captures.name("principle")).map_or("", |word| word.as_str());
    if word.ends_with('s') && captures.name("tight").is_some() {
        return None;
    }
    Some((kind, captures.name("number")?.as_str().parse().ok()?))
}

fn kind_of(captures: &Captures<'_>, d: bool) -> Kind {
    let approval = d || captures.name("dar").is_some() || captures.name("approval").is_some();
    match captures.name("principle") {
        _ if approval => Kind::Dar,
        Some(_) => Kind::Principle,
        None => Kind::Adr,
    }
}

/// The approval record of a principle goes by its id: it has no number among the approval records.
fn numbered_as(captures: &Captures<'_>, kind: Kind, number: u32) -> Reference {
    match captures.name("principle") {
        Some(_) if kind == Kind::Dar => {
            let name = Some(format!("{}-{number:04}d", Kind::Principle.id_prefix()));
            Reference { kind, number: None, name, written: String::new() }
        }
        _ => Reference::numbered(kind, number, ""),
    }
}

/// "The 42nd ADR".
fn ordinals(text: &str) -> Found {
    let found = across().references.ordinal.captures_iter(text);
    found
        .filter_map(|captures| {
            let number = captures.name("number")?.as_str().parse().ok()?;
            let kind = kind_of(&captures, false);
            Some((captures.get(0)?.range(), numbered_as(&captures, kind, number)))
        })
        .collect()
}

/// "The TLS decision (nr. 12)": a number of the one kind that the text names, where these have numbers.
fn bracketed(text: &str) -> Found {
    if !text.contains('(') {
        return Found::new();
    }
    let named: Vec<Kind> = Pack::all().flat_map(|pack| pack.intent.kinds_in(text)).collect();
    let Some(kind) = [Kind::Adr, Kind::Principle].into_iter().find(|kind| named.contains(kind)) else {
        return Found::new();
    };
    let found = across().references.bracketed.captures_iter(text);
    found
        .filter_map(|captures| {
            let number = captures.name("number")?.as_str().parse().ok()?;
            Some((captures.name("whole")?.range(), Reference::numbered(kind, number, "")))
        })
        .collect()
}

/// A number that is said to be one and nothing else: "number 12". Records of decisions go by their numbers, so one of them is meant
/// where nothing tells otherwise.
pub fn bare_number(text: &str) -> Option<(Range<usize>, Reference)> {
    let captures = across().references.bare.captures(text)?;
    let (whole, number) = (captures.name("whole")?, captures.name("number")?.as_str().parse().ok()?);
    Some((whole.range(), Reference::numbered(Kind::Adr, number, whole.as_str())))
}

fn is_date(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    bytes.len() >= 6
        && [0, 3].iter().all(|at| bytes[*at] == b'-')
        && [1, 2, 4, 5].iter().all(|at| bytes[*at].is_ascii_digit())
}

/// Whether what follows a number makes it a quantity: "ADR 12 and 3 principles", "ADR 7 and 1.3".
fn counts_something(rest: &str) -> bool {
    if LONGER.is_match(rest) {
        return true;
    }
    let next =
        rest.strip_prefix(' ').map(|rest| rest.split(' ').next().unwrap_or_default()).unwrap_or_default();
    let Some(next) = words(next).into_iter().next() else { return false };
    Pack::all().any(|pack| {
        pack.words.units.contains_key(&next.folded)
            || pack.words.kind.contains(&next.folded)
            || pack.intent.reference.counted.contains(&next.folded)
    })
}

fn files(text: &str) -> Found {
    if !text.contains('.') {
        return Found::new();
    }
    FILE.captures_iter(text)
        .filter_map(|captures| {
            let (whole, stem) = (captures.get(0)?, captures.name("stem")?.as_str());
            // An address of someone in Moldova is no Markdown file.
            (!text[..whole.start()].ends_with('@')).then(|| {
                (whole.range(), file_reference(captures.name("folder").map_or("", |f| f.as_str()), stem))
            })
        })
        .collect()
}

fn file_reference(folder: &str, stem: &str) -> Reference {
    let path = format!("{folder}{stem}.");
    let stem = own_name(&path);
    let name = Some(stem.to_owned());
    let folder = folder.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    let by_folder = Pack::all().find_map(|pack| pack.intent.kind_named(folder)).unwrap_or(Kind::Document);
    let captures = STEM.captures(stem);
    let digits = captures.as_ref().and_then(|captures| captures.name("number"));
    let number = digits
        .filter(|digits| !is_date(&stem[digits.end()..]) && by_folder != Kind::Policy)
        .and_then(|digits| digits.as_str().parse().ok());
    let group = |name| captures.as_ref().and_then(|captures| captures.name(name)).map(|found| found.as_str());
    let kind = match (number, group("prefix"), group("d")) {
        (None, ..) => by_folder,
        (_, Some("pcp"), _) => Kind::Principle,
        (_, Some("dar"), _) | (_, _, Some(_)) => Kind::Dar,
        (_, Some(_), _) => Kind::Adr,
        _ => by_folder,
    };
    Reference { kind, number, name, written: String::new() }
}

fn policies(text: &str) -> Found {
    if !text.contains("policy-") {
        return Found::new();
    }
    let found = across().references.policy.captures_iter(text);
    found
        .filter_map(|captures| {
            let name = captures.name("alone").or(captures.name("marked"))?;
            let range = captures.name("id").or(captures.name("mark"))?.range();
            let name = Some(name.as_str().to_owned());
            Some((range, Reference { kind: Kind::Policy, number: None, name, written: String::new() }))
        })
        .collect()
}

#[cfg(test)]
#[path = "reference_tests.rs"]
mod tests;
