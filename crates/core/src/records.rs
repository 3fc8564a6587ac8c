//! What every catalogue does alike: which documents a reference fits, which come near, which a list holds and in what order.

mod codes;
mod sources;
mod titles;

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use jiff::civil::Date;

use crate::domain::{Document, DocumentFilter, Kind, Month, Reference};
use crate::language::Pack;
use crate::numbers::numbers;
use crate::text::{WordList, content_stems, fold, holds, own_name, stem, words};

pub use codes::{leading_code, same_code};
pub(crate) use codes::{possible_codes, possible_ids};
pub(crate) use sources::source_named;
pub(crate) use titles::{quoted_titles, titled};

/// Whether a reference means this document.
pub fn fits(reference: &Reference, document: &Document) -> bool {
    let own = fold(own_name(&document.path));
    let by_file = reference.name.as_deref().is_some_and(|name| fold(name) == own);
    match (reference.kind, reference.number) {
        (Kind::Document, _) => by_file || is_id_of(reference, document) || is_code_of(reference, document),
        (kind, _) if kind != document.kind => false,
        (_, Some(number)) => document.number == Some(number),
        (Kind::Adr, None) => by_file || is_of_day(reference, document),
        // The approval record of a principle has no number among the approval records.
        (Kind::Dar, None) => {
            let id = document.id.as_str();
            by_file
                || reference
                    .name
                    .as_deref()
                    .is_some_and(|name| id == name || id.ends_with(&format!("-{name}")))
        }
        (Kind::Policy, None) => reference.name.as_deref().is_some_and(|name| {
            let name = bare_slug(name);
            by_file || name == bare_slug(document.id.as_str()) || name == bare_slug(&document.title)
        }),
        (_, None) => by_file,
    }
}

/// Whether a document was made on the day that a reference names.
fn is_of_day(reference: &Reference, document: &Document) -> bool {
    let day = reference.name.as_deref().and_then(|name| name.parse::<Date>().ok());
    day.is_some() && day == document.date
}

/// Whether this is a document's id, as citations and lists show it, or all of it but its kind.
fn is_id_of(reference: &Reference, document: &Document) -> bool {
    let id = document.id.as_str();
    let without_kind = id.strip_prefix(document.kind.id_prefix()).and_then(|rest| rest.strip_prefix('-'));
    let named = reference.name.as_deref().map(fold);
    named.is_some_and(|name| name == id || without_kind == Some(name.as_str()))
}

/// Whether a document goes by this code. Its approval record may go by the same and is not meant by it.
fn is_code_of(reference: &Reference, document: &Document) -> bool {
    let named = |name: &str| document.codes.iter().any(|code| same_code(code, name));
    document.kind != Kind::Dar && reference.name.as_deref().is_some_and(named)
}

/// `policy-data-retention`, `data-retention-policy` and "Data Retention Policy" are one.
fn bare_slug(text: &str) -> String {
    let folded = words(text).into_iter().map(|word| word.folded);
    let says_policy = |word: &String| Pack::all().any(|pack| pack.intent.reference.policy.contains(word));
    folded.filter(|word| !says_policy(word)).collect::<Vec<_>>().join("-")
}

/// The name of its file, without number, day and extension: a record is often known by it.
fn file_name(document: &Document) -> &str {
    let name = own_name(&document.path);
    match name.get(..10).and_then(|start| start.parse::<Date>().ok()) {
        Some(_) => name.get(10..).unwrap_or_default(),
        None => name.trim_start_matches(|c: char| c.is_ascii_digit()),
    }
}

/// Whether a document's title, or the name of its file, holds all of these words that say something in its language: a Dutch question may hold the
/// "and" of an English title. The beginning of a word stands for it: "postgres" for "PostgreSQL".
pub(crate) fn holds_all<'w>(said: impl IntoIterator<Item = &'w String>, document: &Document) -> bool {
    let names = [document.title.as_str(), file_name(document)];
    let title: HashSet<String> =
        names.iter().flat_map(|name| content_stems(name, document.language)).collect();
    said.into_iter().filter(|word| tells(word, document)).all(|word| {
        let stem = stem(word, document.language);
        let begins =
            |own: &String| stem.len() >= numbers().language.longest_short_word && own.starts_with(&stem);
        holds(&title, &stem, document.language) || title.iter().any(begins)
    })
}

/// Whether a word tells titles in a document's language apart: as in [`content_stems`], a single letter does not, "D-Prognosis".
fn tells(word: &str, document: &Document) -> bool {
    let is_letter = word.chars().count() == 1 && !word.bytes().all(|byte| byte.is_ascii_digit());
    !is_letter && WordList::of(document.language).is_content(word)
}

/// The stems that tell a title apart: a policy may call itself one, and whoever asks for it may say so or not.
fn telling_stems(title: &str, document: &Document) -> BTreeSet<String> {
    let kinds = &WordList::of(document.language).kind;
    let telling = words(title).into_iter().map(|word| word.folded).filter(|word| !kinds.contains(word));
    let telling: Vec<String> = telling.collect();
    content_stems(&telling.join(" "), document.language).into_iter().collect()
}

/// The documents that go by these words: by all of their title, or by several words of it where the question says what kind
/// of document it means.
pub(crate) fn by_title<D: AsRef<Document> + Clone>(
    said: &[String],
    kinds: &[Kind],
    documents: &[D],
) -> Vec<D> {
    let goes_by = |document: &Document| {
        let own = [document.title.as_str(), file_name(document)];
        let own = own.map(|name| telling_stems(name, document).len());
        let kinds_of_record = &WordList::of(document.language).kind;
        let said: Vec<&String> =
            said.iter().filter(|word| tells(word, document) && !kinds_of_record.contains(*word)).collect();
        let of_kind = kinds.contains(&document.kind) && said.len() >= numbers().intent.title_words;
        !said.is_empty() && (of_kind || own.contains(&said.len())) && holds_all(said, document)
    };
    let listed = documents.iter().filter(|document| {
        !matches!(document.as_ref().kind, Kind::Dar | Kind::Vocabulary) && goes_by(document.as_ref())
    });
    let found: Vec<D> = listed.cloned().collect();
    // A whole word says more than the beginning of one: "D-Prognosis" is not "D-PrognosisResponse".
    let whole: Vec<D> = found.iter().filter(|document| is_called(said, document.as_ref())).cloned().collect();
    if whole.is_empty() { found } else { whole }
}

/// Whether these words, each of them whole, are a document's title or the name of its file.
fn is_called(said: &[String], document: &Document) -> bool {
    let said = telling_stems(&said.join(" "), document);
    [document.title.as_str(), file_name(document)].iter().any(|name| telling_stems(name, document) == said)
}

/// The documents whose titles hold the most of these words: all where none holds any.
pub(crate) fn likest<D: AsRef<Document> + Clone>(said: &[String], documents: &[D]) -> Vec<D> {
    let held = |document: &D| said.iter().filter(|word| holds_all([*word], document.as_ref())).count();
    let most = documents.iter().map(held).max().unwrap_or_default();
    documents.iter().filter(|document| held(document) == most).cloned().collect()
}

/// The documents nearest to a reference that fits none: of its kind by number, else by title.
pub fn nearest<D: AsRef<Document>>(reference: &Reference, documents: Vec<D>, limit: usize) -> Vec<D> {
    let some = |kind: Kind| documents.iter().any(|document| document.as_ref().kind == kind);
    let kind = match reference.kind {
        Kind::Document => None,
        kind if some(kind) => Some(kind),
        Kind::Dar if some(Kind::Adr) => Some(Kind::Adr),
        _ => None,
    };
    let wanted = fold(reference.name.as_deref().unwrap_or(&reference.written)).replace('-', " ");
    let distance = |document: &Document| match (reference.number, document.number) {
        (Some(wanted), Some(number)) => wanted.abs_diff(number),
        _ => u32::MAX,
    };
    let similarity = |document: &Document| strsim::jaro_winkler(&fold(&document.title), &wanted);
    let mut near: Vec<D> = documents
        .into_iter()
        .filter(|document| kind.is_none_or(|kind| document.as_ref().kind == kind))
        .collect();
    near.sort_by(|a, b| {
        let (a, b) = (a.as_ref(), b.as_ref());
        let by_title = similarity(b).total_cmp(&similarity(a));
        distance(a).cmp(&distance(b)).then(by_title).then_with(|| a.id.cmp(&b.id))
    });
    near.truncate(limit);
    near
}

/// Whether a document belongs into a list, but for what the list is about.
pub fn is_listed(filter: &DocumentFilter, document: &Document) -> bool {
    let of_kind = match filter.kinds.as_slice() {
        [] => document.kind != Kind::Vocabulary,
        kinds => kinds.contains(&document.kind),
    };
    let owned =
        |owner: &String| document.owner.as_deref().is_some_and(|known| fold(known).contains(&fold(owner)));
    of_kind
        && filter.folder.as_ref().is_none_or(|folder| is_in_folder(folder, document))
        && filter.source.as_ref().is_none_or(|source| document.source == *source)
        && has_status(filter, document)
        && filter.numbers.is_none_or(|range| document.number.is_some_and(|number| range.contains(number)))
        && filter.owner.as_ref().is_none_or(owned)
        && filter.person.as_ref().is_none_or(|person| takes_part(person, document))
        && filter.years.is_none_or(|years| document.date.is_some_and(|date| years.contains(date.year())))
        && filter.months.is_none_or(|months| {
            let month = document.date.map(|date| Month { year: date.year(), month: date.month() });
            month.is_some_and(|month| months.contains(month))
        })
}

/// Whether a document has one of the statuses that are asked for, and none that is ruled out.
fn has_status(filter: &DocumentFilter, document: &Document) -> bool {
    let standing = document.standing();
    let any = filter.standings.is_empty() && filter.statuses.is_empty();
    !filter.excluded.contains(&standing)
        && (any
            || filter.standings.contains(&standing)
            || filter.statuses.iter().any(|status| document.says_in_status(status)))
}

/// Whether a document lies in a folder of this name, in one or in many: "standards", "standard".
fn is_in_folder(noun: &str, document: &Document) -> bool {
    let wanted = stem(&fold(noun), document.language);
    let folders = document.path.split('/').rev().skip(1);
    folders.into_iter().any(|folder| stem(&fold(folder), document.language) == wanted)
}

/// Whether a person or a team decided, approved or owns a document.
fn takes_part(person: &str, document: &Document) -> bool {
    let parts = |name: &str| -> Vec<String> {
        let folded = fold(name);
        folded
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let wanted = parts(person);
    let is_wanted =
        |known: &String| !wanted.is_empty() && parts(known).windows(wanted.len()).any(|name| name == wanted);
    document.deciders.iter().chain(&document.approvers).chain(&document.owner).any(is_wanted)
}

/// The order of lists: by kind, number and title.
pub fn list_order(a: &Document, b: &Document) -> Ordering {
    let key = |document: &Document| (document.kind, document.number.is_none(), document.number);
    key(a).cmp(&key(b)).then_with(|| (&a.title, &a.id).cmp(&(&b.title, &b.id)))
}

/// The order of lists by date: those without one come last, and those of one day as lists have them.
pub(crate) fn order_by_date(oldest_first: bool, a: &Document, b: &Document) -> Ordering {
    let by_date = if oldest_first { a.date.cmp(&b.date) } else { b.date.cmp(&a.date) };
    a.date.is_none().cmp(&b.date.is_none()).then(by_date).then_with(|| list_order(a, b))
}
