//! What a document is, and whether it is a record at all.

use plumbline_core::domain::{Kind, Language};
use plumbline_core::language::KindWords;

use super::clue::Clue;
use super::facts::{Facts, Place};
use super::labels::{Field, any_language};
use super::naming::{Name, is_front_page, number_in_identifier, stem};
use super::outline::Outline;
use super::placement::Placement;
use super::words::{folded, is_placeholder, key};
use super::{How, Role};
use crate::reading::ReadDocument;

/// Everything that the kind is read from.
pub(super) struct KindClues<'d> {
    pub(super) placement: &'d Placement,
    pub(super) document: &'d ReadDocument,
    pub(super) outline: &'d Outline,
    pub(super) facts: &'d Facts,
    pub(super) name: &'d Name,
    /// The title as written, with its number.
    pub(super) title: &'d str,
}

/// Decides kind and role, and says from what.
pub(super) fn recognise(clues: &KindClues<'_>) -> (Kind, Role, How) {
    if let Some(why) = clues.template() {
        return (Kind::Document, Role::Template, How::Recognised(why.to_owned()));
    }
    let found = clues.kind();
    let leads_record = clues.name.number.is_some() || clues.name.date.is_some();
    if !leads_record && let Some(why) = clues.index() {
        return (Kind::Document, Role::Index, How::Recognised(why.to_owned()));
    }
    let belongs_nowhere =
        clues.is_about_the_repository() || (clues.is_front_page() && !leads_record && !clues.is_decision());
    match found {
        Some((kind, how)) if !belongs_nowhere => (kind, Role::Record, how),
        _ => (Kind::Document, Role::Other, How::Guessed(Clue::NoRecord)),
    }
}

/// The kind that a collection, a folder or a type is named after.
pub(super) fn kind_named(word: &str) -> Option<Kind> {
    let word = key(word);
    // "principles 2016" are principles as well: which of several series they are says nothing of their kind.
    let mut last = word.split(' ').rev();
    let last = last.find(|word| !word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or_default();
    let named = |known: fn(&KindWords) -> &Vec<String>, name: &str| {
        any_language(|words| known(&words.kinds).iter().any(|known| known == name))
    };
    let holds = |known: &[String]| known.iter().any(|known| word.contains(known.as_str()));
    if matches!(word.as_str(), "dar" | "dars") || named(|kinds| &kinds.approval, &word) {
        Some(Kind::Dar)
    } else if matches!(last, "adr" | "adrs") || named(|kinds| &kinds.decision, last) {
        Some(Kind::Adr)
    } else if last == "pcp" || named(|kinds| &kinds.principle, last) {
        Some(Kind::Principle)
    } else if named(|kinds| &kinds.policy, last) {
        Some(Kind::Policy)
    } else {
        any_language(|words| holds(&words.kinds.decision_records)).then_some(Kind::Adr)
    }
}

impl KindClues<'_> {
    fn kind(&self) -> Option<(Kind, How)> {
        let recognised = |whence: String| move |kind| (kind, How::Recognised(whence));
        if self.approval_title().is_some() {
            return Some((Kind::Dar, How::Recognised("title".to_owned())));
        }
        let stated = self
            .placement
            .collection
            .as_deref()
            .and_then(kind_named)
            .filter(|kind| *kind != Kind::Adr || self.has_sign_of_a_decision())
            .map(recognised("library.toml".to_owned()))
            .or_else(|| self.stated_kind());
        let named = stated
            .or_else(|| self.name.kind.map(recognised("file name".to_owned())))
            .or_else(|| self.folder_kind())
            .or_else(|| self.guessed_kind());
        let approvable = |kind| matches!(kind, Kind::Adr | Kind::Principle | Kind::Policy);
        named.map(|(kind, how)| (if approvable(kind) && self.is_approval() { Kind::Dar } else { kind }, how))
    }

    /// What an approval record approves: as its identifier, its title, its name or its folder says, else a decision.
    pub(super) fn approved_kind(&self) -> Kind {
        let in_title = || {
            let title = self.approval_title()?;
            title.split_whitespace().find_map(kind_named)
        };
        let stated = self.stated_kind().map(|(kind, _)| kind);
        let of_folder = || self.folder_kind().map(|(kind, _)| kind);
        let record = |kind: &Kind| *kind != Kind::Dar;
        stated
            .filter(record)
            .or_else(|| in_title().filter(record))
            .or_else(|| self.name.kind.filter(record))
            .or_else(|| of_folder().filter(record))
            .unwrap_or(Kind::Adr)
    }

    /// The title or the first heading, whichever says that this is a record of approvals.
    pub(super) fn approval_title(&self) -> Option<&str> {
        let heading = self.outline.title().map(|section| section.heading.as_str());
        [Some(self.title), heading].into_iter().flatten().find(|title| is_approval_title(title))
    }

    /// `type: adr`, `nav_order: PCP.39`.
    fn stated_kind(&self) -> Option<(Kind, How)> {
        let facts = self.facts.about(Field::Type).chain(self.facts.about(Field::Identifier));
        let mut stated =
            facts.filter(|fact| fact.place == Place::FrontMatter || fact.field == Field::Identifier);
        stated.find_map(|fact| {
            let value = fact.text();
            let kind = match fact.field {
                Field::Identifier => identified_kind(value),
                _ => kind_named(value),
            };
            kind.map(|kind| (kind, How::Recognised(fact.whence())))
        })
    }

    /// The nearest folder that is named after a kind; further up, a folder says little of a file.
    fn folder_kind(&self) -> Option<(Kind, How)> {
        let own = usize::from(self.name.part.is_some());
        let folders = self.placement.path.rsplit('/').skip(1 + own).chain([self.placement.source.as_str()]);
        folders.take(2).find_map(|folder| {
            let kind =
                kind_named(folder).filter(|kind| *kind != Kind::Adr || self.has_sign_of_a_decision())?;
            Some((kind, How::Recognised(format!("folder `{folder}`"))))
        })
    }

    fn guessed_kind(&self) -> Option<(Kind, How)> {
        let guessed = |kind, clue| Some((kind, How::Guessed(clue)));
        if self.is_decision() {
            return guessed(Kind::Adr, Clue::DecisionSections);
        }
        let numbered = self.name.number.is_some() || self.name.date.is_some();
        if numbered && self.speaks_of_a_decision() {
            return guessed(Kind::Adr, Clue::DecisionName);
        }
        if self.is_principle() {
            return guessed(Kind::Principle, Clue::PrincipleSections);
        }
        let words = key(self.name.rest.as_str());
        let title = folded(self.title);
        let ends = |text: &str| {
            any_language(|known| {
                known.kinds.policy_endings.iter().any(|ending| text.ends_with(ending.as_str()))
            })
        };
        let opens = any_language(|known| {
            let mut openings = known.kinds.policy_openings.iter();
            openings
                .any(|opening| words.strip_prefix(opening.as_str()).is_some_and(|rest| rest.starts_with(' ')))
        });
        (ends(&words) || opens || ends(&title))
            .then_some(())
            .and_then(|()| guessed(Kind::Policy, Clue::PolicyName))
    }

    fn has_sign_of_a_decision(&self) -> bool {
        // What lies beside the record in its own folder is a record only if it reads like one.
        let numbered = (self.name.number.is_some() || self.name.date.is_some()) && self.name.leads_folder();
        let identified =
            self.facts.first(Field::Identifier).is_some_and(|fact| identified_kind(fact.text()).is_some());
        numbered || identified || self.is_decision() || self.facts.first(Field::Status).is_some()
    }

    /// Whether it has sections as records of decisions have them (Nygard, MADR and their kin).
    fn is_decision(&self) -> bool {
        let decision = self.outline.has(|names| &names.decision);
        let (status, context) =
            (self.outline.has(|names| &names.status), self.outline.has(|names| &names.context));
        let options = self.outline.has(|names| &names.options);
        let consequences = self.outline.has(|names| &names.consequences);
        let around = [status, context, options, consequences, self.outline.has(|names| &names.reasons)];
        let count = around.into_iter().filter(|found| *found).count();
        let numbered = self.name.number.is_some() || self.name.date.is_some();
        (decision && count >= 1) || (options && context && count >= 3) || (numbered && status && count >= 2)
    }

    fn speaks_of_a_decision(&self) -> bool {
        let beginning: String = self
            .outline
            .sections
            .iter()
            .flat_map(|section| section.lines())
            .take(8)
            .map(|line| folded(&line.text) + " ")
            .collect();
        let says = |phrases: &[String]| phrases.iter().any(|phrase| beginning.contains(phrase.as_str()));
        self.outline.has(|names| &names.decision) || any_language(|words| says(&words.kinds.deciding))
    }

    /// Whether a record is really the record of its approval.
    fn is_approval(&self) -> bool {
        let lettered = self.facts.about(Field::Identifier).any(|fact| is_lettered(fact.text()));
        let named = self.name.letter == Some('d') && !self.is_decision() && !self.is_principle();
        let stated =
            self.facts.first(Field::Type).is_some_and(|fact| kind_named(fact.text()) == Some(Kind::Dar));
        lettered || named || stated || self.name.kind == Some(Kind::Dar)
    }

    /// Whether it has the sections of a principle.
    fn is_principle(&self) -> bool {
        self.outline.has(|names| &names.statement)
            && self.outline.has(|names| &names.rationale)
            && (self.outline.has(|names| &names.implications)
                || self.outline.has(|names| &names.consequences))
    }

    fn file_stem(&self) -> &str {
        stem(self.placement.path.rsplit('/').next().unwrap_or_default())
    }

    fn is_front_page(&self) -> bool {
        is_front_page(self.file_stem())
    }

    fn is_about_the_repository(&self) -> bool {
        let name = key(self.file_stem());
        let first = name.split(' ').next().unwrap_or_default();
        any_language(|words| words.names.repository.iter().any(|known| known == first || *known == name))
    }

    /// Why the file is a form to fill in.
    fn template(&self) -> Option<&'static str> {
        let words = key(self.file_stem().trim_start_matches(['_', '.']));
        let words: Vec<&str> = words.split([' ', '.']).filter(|word| !word.is_empty()).collect();
        let is_form = |word: &&str| any_language(|words| words.names.forms.iter().any(|form| form == word));
        let unnumbered = self.name.number.is_none_or(|number| number == 0);
        // What may stand around "template" without making it the subject of a record.
        let trailing = |word: &str| {
            word.starts_with('v') && word[1..].chars().all(|c| c.is_ascii_digit())
                || matches!(word, "adr" | "madr" | "nygard" | "md")
                || Language::all().any(|language| language.code() == word)
                || any_language(|words| words.names.form_variants.iter().any(|variant| variant == word))
        };
        if let Some(at) = words.iter().rposition(&is_form)
            && unnumbered
            && words[at + 1..].iter().all(|word| trailing(word))
        {
            return Some("file name");
        }
        let folder = self.placement.path.rsplit('/').nth(1).map(key).unwrap_or_default();
        if unnumbered && folder.split(' ').next_back().is_some_and(|word| is_form(&word)) {
            return Some("folder of templates");
        }
        let hinted = words.iter().any(is_form) || self.name.number == Some(0);
        let untitled = self
            .outline
            .sections
            .iter()
            .find(|section| section.level == 1)
            .is_none_or(|top| is_placeholder(&top.heading));
        let unfilled = untitled && self.facts.first(Field::Status).is_none();
        let blanks = self.blanks();
        (blanks >= 3 && (unfilled || hinted) && self.facts.first(Field::Date).is_none())
            .then_some("placeholders in the text")
    }

    /// How many lines are nothing but a hint of what to write.
    fn blanks(&self) -> usize {
        let lines = self.outline.sections.iter().flat_map(|section| section.lines());
        let blank = |text: &str| {
            let text = text.trim_end_matches(['.', ' ']);
            let wordy = text.split_whitespace().count() >= 2;
            wordy && (is_placeholder(text) || text.contains(": {") || text.contains(": ["))
        };
        lines.filter(|line| line.links.is_empty() && blank(&line.text)).count()
    }

    /// Why the file is a list of other documents.
    fn index(&self) -> Option<&'static str> {
        let lists = self.document.front_matter.iter().any(|(key, value)| {
            key == "has_children" && matches!(value, crate::reading::MetaValue::Text(text) if text == "true")
        });
        let name = key(self.file_stem());
        if any_language(|words| words.names.contents.contains(&name)) || (lists && self.is_front_page()) {
            return Some("file name");
        }
        let (mut links, mut linked, mut all) = (0, 0, 0);
        let tables = self.outline.sections.iter().flat_map(|section| section.tables()).flatten().flatten();
        for line in self.outline.sections.iter().flat_map(|section| section.lines()).chain(tables) {
            all += line.text.len();
            for (span, target) in line.links.iter().filter(|(_, target)| is_local(target)) {
                links += usize::from(!target.is_empty());
                linked += span.len();
            }
        }
        let dense = if self.is_front_page() { linked * 10 >= all * 3 } else { linked * 10 >= all * 6 };
        (links >= 3 && dense && !self.is_decision()).then_some("most of it are links to other documents")
    }
}

fn is_local(target: &str) -> bool {
    !target.contains("://") && !target.starts_with('#') && !target.starts_with("mailto:")
}

/// The kind that an identifier such as `ADR.12`, `PCP.20D` or `policy-data-retention` begins with; of an approval record, that of
/// what it approves.
fn identified_kind(identifier: &str) -> Option<Kind> {
    let identifier = folded(identifier);
    let word: String = identifier.chars().take_while(|c| c.is_alphabetic()).collect();
    match word.as_str() {
        "adr" => Some(Kind::Adr),
        "dar" => Some(Kind::Dar),
        "pcp" => Some(Kind::Principle),
        "policy" | "pol" => Some(Kind::Policy),
        _ => any_language(|words| words.kinds.principle_ids.contains(&word)).then_some(Kind::Principle),
    }
}

/// `ADR.25D`: a number with the letter of approval records behind it.
fn is_lettered(identifier: &str) -> bool {
    let identifier = folded(identifier);
    let number = identifier.strip_suffix('d').filter(|rest| rest.ends_with(|c: char| c.is_ascii_digit()));
    number.is_some_and(|_| number_in_identifier(&identifier).is_some())
}

/// Whether a title is that of a record of approvals, also behind its identifier: "ADR 12: Approval record".
pub(super) fn is_approval_title(title: &str) -> bool {
    let title = folded(title);
    let behind_identifier = |at: usize| {
        let before = &title[..at];
        let short = before.split_whitespace().count() == 1 || before.contains(|c: char| c.is_ascii_digit());
        short && identified_kind(before).is_some()
    };
    any_language(|words| {
        let mut found = words.approvals.titles.iter().filter_map(|known| title.find(known.as_str()));
        found.any(|at| at == 0 || behind_identifier(at))
    })
}
