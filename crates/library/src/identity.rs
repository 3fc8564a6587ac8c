//! What each document is, by its own account: kind, number, title, status, dates, people, relations; and an id that lasts.

mod approvals;
mod clue;
mod dates;
mod facts;
mod kind;
mod labels;
mod naming;
mod outline;
mod people;
mod placement;
mod plain;
mod reconcile;
mod relating;
mod relations;
mod status;
mod tables;
mod telling;
mod title;
mod words;

use jiff::civil::Date;
use plumbline_core::decisions::Sentence;
use plumbline_core::detail::{Detail, KeptDetail};
use plumbline_core::domain::{Kind, Language};
use plumbline_core::messages::Message;
use plumbline_core::records::{leading_code, same_code};
use plumbline_core::text::detect_or;
use serde::{Deserialize, Serialize};

pub use approvals::Approval;
pub use clue::{Clue, WhyUnresolved};
pub use placement::Placement;
pub use reconcile::{Collision, Disagreement, Reconciled, ReconciledDocument, Unresolved, reconcile};
pub use relating::SaidRelation;
pub use relations::RecordRef;

use self::approvals::Approvals;
use self::facts::{Fact, Facts, Place};
use self::labels::Field;
use self::naming::Name;
use self::outline::Outline;
use crate::reading::ReadDocument;

/// What part a document plays in the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A record, principle or policy.
    Record,
    /// A form for new ones.
    Template,
    /// A list of others.
    Index,
    /// Anything else.
    Other,
}

/// How a value came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// It stands there; where.
    Recognised(String),
    /// It was inferred; from what.
    Guessed(Clue),
}

/// A value of an identity and how it came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The field, such as `status`.
    pub field: String,
    /// The value.
    pub value: String,
    /// How it came about.
    pub how: How,
    /// The key that it stands under, where that means something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// What one file says of itself, without a look at any other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// Where it lies.
    pub placement: Placement,
    /// What it is.
    pub kind: Kind,
    /// What part it plays.
    pub role: Role,
    /// Its number among its kind.
    pub number: Option<u32>,
    /// The id that it has if no other claims it; without its source's name.
    pub base_id: String,
    /// The words of its file or folder name behind number and day, as part of an id.
    pub slug: String,
    /// Its file's own name, where it lies in a folder that stands for the record.
    pub part: Option<String>,
    /// Its title, without the number.
    pub title: String,
    /// Its status, as written.
    pub status: Option<String>,
    /// The day of its last update by its own account.
    pub date: Option<Date>,
    /// The day of its first version.
    pub created: Option<Date>,
    /// What it is called, as written.
    #[serde(default)]
    pub codes: Vec<String>,
    /// Its version, as written.
    pub version: Option<String>,
    /// Who decided.
    pub deciders: Vec<String>,
    /// Who approved.
    pub approvers: Vec<String>,
    /// Its owner.
    pub owner: Option<String>,
    /// Topic tags, its own first.
    pub tags: Vec<String>,
    /// Tags of which a reader must hold one.
    pub access_tags: Vec<String>,
    /// The records that it says it replaces.
    pub supersedes: Vec<RecordRef>,
    /// The records that it says replace it.
    pub superseded_by: Vec<RecordRef>,
    /// What it says of other records, sentence by sentence.
    #[serde(default)]
    pub relations: Vec<SaidRelation>,
    /// Its sentences that may state something which another opposes.
    #[serde(default)]
    pub sentences: Vec<Sentence>,
    /// The record whose approval this is.
    pub approves: Option<RecordRef>,
    /// What kind of record an approval record approves.
    #[serde(default)]
    pub approves_kind: Option<Kind>,
    /// The approvals that an approval record holds, the newest first.
    #[serde(default)]
    pub approvals: Vec<Approval>,
    /// The last decision of an approval record.
    pub approval_status: Option<String>,
    /// Its language.
    pub language: Language,
    /// How the values came about.
    #[serde(rename = "evidence")]
    pub provenance: Vec<Provenance>,
    /// Values that were not believed, with the reason.
    pub problems: Vec<KeptDetail>,
}

impl Identity {
    /// The kind whose numbers and ids it shares: of an approval record, that of what it approves. Catalogues of earlier versions
    /// hold approvals of decisions only.
    fn numbered_kind(&self) -> Kind {
        if self.kind == Kind::Dar { self.approves_kind.unwrap_or(Kind::Adr) } else { self.kind }
    }
}

/// Reads a document's identity from its place, its front matter and its text.
pub fn identify(placement: &Placement, document: &ReadDocument) -> Identity {
    let outline = Outline::of(document);
    let facts = Facts::of(document, &outline);
    let name = Name::of(&placement.path);
    let (written_title, title_how) = title::choose(document, &outline, &facts, &name);
    let clues = kind::KindClues {
        placement,
        document,
        outline: &outline,
        facts: &facts,
        name: &name,
        title: &written_title,
    };
    let (kind, role, kind_how) = kind::recognise(&clues);

    let mut notes = Notes::default();
    notes.provenance("kind", kind.as_str(), kind_how);
    let approves_kind = (kind == Kind::Dar).then(|| clues.approved_kind());
    let approvals = if kind == Kind::Dar { approvals::read(&outline) } else { Approvals::default() };
    let newest = approvals.all.first();
    let number = number(approves_kind.unwrap_or(kind), &name, &facts, &written_title, &mut notes);
    let title = if matches!(kind, Kind::Adr | Kind::Dar | Kind::Principle) {
        naming::bare_title(&written_title, number)
    } else {
        written_title.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // A record of approvals often has the title of its record; its heading tells the two apart.
    let title = match clues.approval_title().filter(|_| kind == Kind::Dar) {
        Some(heading) if !kind::is_approval_title(&title) => format!("{}: {title}", heading.trim()),
        _ => title,
    };
    notes.provenance("title", &title, title_how);

    let status = match newest {
        Some(newest) => {
            newest.decision.clone().inspect(|decision| notes.provenance("status", decision, newest.how()))
        }
        None => status(kind, document, &facts, &outline, &mut notes),
    };
    let (date, created) = match newest.and_then(|newest| Some((newest, newest.date?))) {
        Some((newest, date)) => {
            notes.provenance("date", &date.to_string(), newest.how());
            (Some(date), None)
        }
        None => day(document, &facts, &name, status.as_deref(), &mut notes),
    };
    let relations = relations::read(&facts, &outline, &placement.path);
    // What a form or a list of others names are no relations, and what an approval names is what it approves.
    let tells = kind != Kind::Dar && !matches!(role, Role::Template | Role::Index);
    let said = if tells { relating::read(document, &placement.path) } else { Vec::new() };
    let language = language(document, &outline, &facts, &mut notes);
    let sentences = if tells { telling::read(document, language) } else { Vec::new() };
    let people = people::read(kind, &approvals.all, &facts, &outline, placement, &mut notes);
    let version = version(newest, &facts, &mut notes);
    for approval in approvals.all.iter().skip(1) {
        notes.provenance("earlier", &approval.in_short(), approval.how());
    }
    notes.problems.extend(approvals.problems);
    if kind == Kind::Dar && role == Role::Record && status.is_none() {
        notes.problems.push(Message::IndexRejectedNoApproval.into());
    }

    Identity {
        kind,
        role,
        number,
        base_id: naming::base_id(kind, approves_kind, number, &name, &placement.path),
        slug: words::slug(if name.rest.is_empty() { &name.written } else { &name.rest }),
        part: name.part.clone().filter(|_| matches!(kind, Kind::Adr | Kind::Dar)),
        title,
        approval_status: status.clone().filter(|_| kind == Kind::Dar),
        status,
        date,
        created,
        codes: codes(&facts, &written_title, &placement.path),
        version,
        deciders: people.deciders,
        approvers: people.approvers,
        owner: people.owner,
        tags: people.tags,
        access_tags: people.access_tags,
        supersedes: relations.supersedes,
        superseded_by: relations.superseded_by,
        relations: said,
        sentences,
        approves: approves_kind.and_then(|kind| relations::approved(&outline, kind, &placement.path)),
        approves_kind,
        approvals: approvals.all,
        language,
        provenance: notes.provenance,
        problems: notes.problems.into_iter().map(KeptDetail).collect(),
        placement: placement.clone(),
    }
}

/// What a document is called: by its own account, by its title and by its file.
fn codes(facts: &Facts, title: &str, path: &str) -> Vec<String> {
    let stated = facts.about(Field::Identifier).map(|fact| fact.text()).filter(|text| same_code(text, text));
    let file = path.rsplit('/').next().unwrap_or(path);
    let mut codes: Vec<String> = Vec::new();
    for code in stated.chain(leading_code(title)).chain(leading_code(file)) {
        if !codes.iter().any(|known| same_code(known, code)) {
            codes.push(code.to_owned());
        }
    }
    codes
}

/// What there is to say about how the values came about.
#[derive(Default)]
struct Notes {
    provenance: Vec<Provenance>,
    problems: Vec<Detail>,
}

impl Notes {
    fn provenance(&mut self, field: &str, value: &str, how: How) {
        self.provenance.push(Provenance { field: field.to_owned(), value: value.to_owned(), how, key: None });
    }
}

/// The status: as stated, for an approval record as decided, else as a key that means something else lets guess.
fn status(
    kind: Kind,
    document: &ReadDocument,
    facts: &Facts,
    outline: &Outline,
    notes: &mut Notes,
) -> Option<String> {
    let decision = || facts.first(Field::Decision).filter(|_| kind == Kind::Dar);
    let decided = || decision().map(|fact| (fact.text().to_owned(), How::Recognised(fact.whence())));
    let (status, how) = match (status::choose(facts, outline).or_else(decided), status::guess(document)) {
        (Some(stated), _) => stated,
        (None, Some((status, key))) => {
            let how = How::Guessed(Clue::OtherKey);
            let field = "status".to_owned();
            notes.provenance.push(Provenance { field, value: status.clone(), how, key: Some(key) });
            return Some(status);
        }
        (None, None) => return None,
    };
    notes.provenance("status", &status, how);
    Some(status)
}

/// The version, without the day that may stand behind it in brackets.
fn version(newest: Option<&Approval>, facts: &Facts, notes: &mut Notes) -> Option<String> {
    let decided_on = newest.and_then(|newest| Some((newest.version.clone()?, newest.how())));
    let stated = || {
        let fact = facts.first(Field::Version)?;
        let dated = dates::last_in(fact.text()).is_some();
        let text = if dated { words::without_brackets(fact.text()) } else { fact.text().to_owned() };
        Some((people::short(&text), How::Recognised(fact.whence())))
    };
    let (version, how) = decided_on.or_else(stated)?;
    notes.provenance("version", &version, how);
    Some(version)
}

/// The number of a record: the file's name goes before front matter, and that before the title.
fn number(kind: Kind, name: &Name, facts: &Facts, title: &str, notes: &mut Notes) -> Option<u32> {
    if !matches!(kind, Kind::Adr | Kind::Dar | Kind::Principle) {
        return None;
    }
    let in_title = naming::number_in_title(title);
    let in_front = facts.about(Field::Identifier).find_map(|fact| {
        // A bare `nav_order: 3` only sorts pages.
        let sorts = words::key(&fact.label) == "nav order" && !fact.text().contains(char::is_alphabetic);
        let number = naming::number_in_identifier(fact.text()).filter(|_| !sorts)?;
        Some((number, fact.whence()))
    });
    let (number, whence) = match (name.number, name.date, in_front, in_title) {
        (Some(number), ..) => (number, "file name".to_owned()),
        (None, _, Some(front), _) => front,
        (None, None, None, Some(number)) => (number, "title".to_owned()),
        _ => return None,
    };
    let whence = match in_title.filter(|other| *other != number) {
        Some(other) => format!("{whence}; the title says {other}"),
        None => whence,
    };
    notes.provenance("number", &number.to_string(), How::Recognised(whence));
    Some(number)
}

/// The day of the last update and that of the first version.
fn day(
    document: &ReadDocument,
    facts: &Facts,
    name: &Name,
    status: Option<&str>,
    notes: &mut Notes,
) -> (Option<Date>, Option<Date>) {
    // Fields of one group are equally good: of decision and review the later one counts.
    let groups: [&[Field]; 3] = [&[Field::Updated], &[Field::Date], &[Field::Decided, Field::Reviewed]];
    let mut found: Option<(Date, How)> = None;
    for in_front in [true, false] {
        let facts_about =
            |field: &Field| facts.about(*field).filter(|fact| (fact.place == Place::FrontMatter) == in_front);
        for group in groups {
            let days =
                group.iter().filter_map(|field| facts_about(field).find_map(|fact| read_day(fact, notes)));
            let latest = days.max_by_key(|(date, _)| *date);
            found = found.or(latest);
        }
    }
    let created = facts.about(Field::Created).find_map(|fact| read_day(fact, notes)).map(|(date, _)| date);
    let of_status = || status.and_then(dates::last_in).map(|day| (day, How::Recognised("status".to_owned())));
    let of_version = || {
        let fact = facts.first(Field::Version)?;
        dates::last_in(fact.text()).map(|day| (day, How::Recognised(fact.whence())))
    };
    let of_name = || name.date.map(|day| (day, How::Guessed(Clue::FileName)));
    let of_creation = || created.map(|day| (day, How::Guessed(Clue::FirstVersion)));
    let of_container = || {
        let day = ["modified", "created"].iter().find_map(|key| document.properties.get(*key))?;
        dates::last_in(day).map(|day| (day, How::Guessed(Clue::FileProperties)))
    };
    let found = found
        .or_else(of_status)
        .or_else(of_version)
        .or_else(of_creation)
        .or_else(of_name)
        .or_else(of_container);
    if let Some((date, how)) = &found {
        notes.provenance("date", &date.to_string(), how.clone());
    }
    (found.map(|(date, _)| date), created)
}

fn no_date(written: &str, place: impl Into<Detail>) -> Detail {
    Detail::of(Message::IndexRejectedDate, [("written", written.into()), ("place", place.into())])
}

fn read_day(fact: &Fact, notes: &mut Notes) -> Option<(Date, How)> {
    match dates::read(fact.text()) {
        dates::DateValue::Day(day) => {
            let how = day.doubt.map_or_else(|| How::Recognised(fact.whence()), How::Guessed);
            Some((day.date, how))
        }
        dates::DateValue::Impossible(written) => {
            notes.problems.push(no_date(&written, fact.stands()));
            None
        }
        dates::DateValue::Nothing => {
            // In front matter a key says what its value is; in the text a colon may mean anything.
            if fact.place == Place::FrontMatter {
                notes.problems.push(no_date(fact.text(), fact.stands()));
            }
            None
        }
    }
}

fn language(document: &ReadDocument, outline: &Outline, facts: &Facts, notes: &mut Notes) -> Language {
    let stated =
        facts.about(Field::Language).filter(|fact| fact.place == Place::FrontMatter).find_map(|fact| {
            let value = words::key(fact.text().rsplit('/').next().unwrap_or_default());
            Language::named(&value).map(|language| (language, How::Recognised(fact.whence())))
        });
    let (language, how) = stated.unwrap_or_else(|| {
        let mut text = String::new();
        for line in outline.sections.iter().flat_map(|section| section.lines()) {
            text.push_str(&line.text);
            text.push('\n');
            if text.len() > ENOUGH_TO_TELL {
                break;
            }
        }
        if text.trim().is_empty() {
            text.push_str(&document.text);
        }
        (detect_or(&text, Language::default()), How::Guessed(Clue::TextWords))
    });
    notes.provenance("language", language.code(), how);
    language
}

/// A text of this many bytes shows its language.
const ENOUGH_TO_TELL: usize = 20_000;

#[cfg(test)]
mod tests;
