//! Questions that need the one before them, completed from the conversation.

mod read;

use self::read::{Asks, FollowUp, Number};
use super::facts::{fact_if_named, policy_in};
use super::prepared::Prepared;
use super::reference::{distinct, references};
use super::terminology::{ENDS, Terminology, term, terminology};
use crate::domain::{FactField, Kind, Language, Reference};
use crate::language::Pack;
use crate::numbers::numbers;
use crate::request::{ChatMessage, Role};
use crate::text::{Word, WordList, detect_or, words};

impl FollowUp {
    fn with_name(&self, name: &str) -> String {
        let rules = &self.pack.intent.follow_up;
        let rest = &self.rest;
        match &self.asks {
            Asks::More => return rules.tell.replace("{}", name),
            Asks::OneOf { number, range, .. } => {
                let mut option = rest.clone();
                option.replace_range(range.clone(), &rules.option.replace("{}", &number.to_string()));
                return rules.sides.replace("{}", &format!("{option} ({name})?"));
            }
            Asks::Earlier { range, .. } => {
                let mut earlier = rest.clone();
                earlier.replace_range(range.clone(), &rules.earlier_of.replace("{}", name));
                return format!("{earlier}?");
            }
            Asks::Anything => {}
        }
        if let Some((named, _)) = rules.name(rest, name) {
            return format!("{named}?");
        }
        let last = words(rest).pop().map(|word| word.folded).unwrap_or_default();
        if rules.nouns.contains(&last) {
            format!("{rest} {} {name}?", rules.of)
        } else if rules.verbs.contains(&last) {
            format!("{rest} {name}?")
        } else {
            format!("{rest} ({name})?")
        }
    }

    fn about(&self, references: Vec<Reference>) -> Resolved {
        let names = references.iter().map(Reference::display).collect::<Vec<_>>().join(", ");
        let query = self.with_name(&names);
        match (&self.asks, references.as_slice()) {
            (Asks::Earlier { .. }, [record]) => self.with_approval(query, record.clone()),
            _ => Resolved { query, references },
        }
    }

    /// A question for an earlier version of a record: the catalogue knows who approved the newest, and the approval record
    /// tells of all.
    fn with_approval(&self, query: String, record: Reference) -> Resolved {
        let asked = Prepared::read_complete(&query, self.pack.language);
        let named = std::slice::from_ref(&record);
        let approved = fact_if_named(&asked, Pack::by_preference(self.pack.language), named)
            .is_some_and(|asked| asked.fields.contains(&FactField::Approvers));
        let number = record.number.filter(|_| approved && record.kind == Kind::Adr);
        let approval = number.map(|number| Reference::numbered(Kind::Dar, number, &record.written));
        Resolved { query, references: std::iter::once(record).chain(approval).collect() }
    }

    fn with_subject(&self, question: &str) -> Option<String> {
        let language = detect_or(question, self.pack.language);
        let asked = Prepared::read(question, language);
        let meaning = terminology(asked.text(), Pack::by_preference(language));
        let list = &self.pack.words;
        let rest = term(&self.rest.to_lowercase());
        let bare_term = self.led && words(&rest).iter().all(|word| list.is_content(&word.folded));
        if matches!(meaning, Terminology::Term(_)) && bare_term && self.pronoun.is_none() {
            return Some(self.pack.intent.follow_up.define.replace("{}", &self.rest));
        }
        let subject = subject(question, language);
        if subject.is_empty() {
            return None;
        }
        Some(match self.asks {
            Asks::More => self.pack.intent.follow_up.tell.replace("{}", &subject),
            _ => format!("{} ({subject})?", self.rest),
        })
    }

    /// The question before once more, with the part that this one is in place of its own: "and in OT?", "and a large one?", "and permit
    /// files?".
    fn repeated(&self, said: &dyn Fn() -> String) -> Option<Resolved> {
        let rules = &self.pack.intent.follow_up.repeat;
        if !self.led {
            return None;
        }
        let query = if let Some(quality) = rules.quality(&self.rest) {
            rules.with_quality(&said(), quality)?
        } else {
            // Of a record, the part is asked for by itself: all else that was asked of it was asked of another part.
            let said = || Some(said()).filter(|said| references(said).is_empty());
            match rules.part(&self.rest) {
                Some((place, part)) => rules.with_part(&said()?, place, part),
                None => rules.with_thing(&said()?, self.thing()?)?,
            }
        };
        let references = distinct(references(&query));
        Some(Resolved { query, references })
    }

    /// The thing that it names and nothing else.
    fn thing(&self) -> Option<&str> {
        let rules = &self.pack.intent.follow_up;
        let is_own =
            |word: &Word| !rules.belongs_to_named(&word.folded) && !rules.openers.contains(&word.folded);
        let names_thing =
            self.pronoun.is_none() && self.asks == Asks::Anything && words(&self.rest).iter().all(is_own);
        rules.repeat.thing(&self.rest).filter(|_| names_thing)
    }

    /// The field that was asked for, of the version before.
    fn of_earlier(&self, said: &str) -> Option<Resolved> {
        let (range, record) = references(said).pop()?;
        let mut query = said.to_owned();
        let earlier = self.pack.intent.follow_up.earlier_of.replace("{}", &record.display());
        query.replace_range(range, &earlier);
        Some(self.with_approval(query, record))
    }

    /// The document that is meant by its place in a row of them.
    fn one_of(&self, said: &str, history: &[ChatMessage]) -> Option<Resolved> {
        let Asks::OneOf { number, range, option: false } = &self.asks else { return None };
        let mut named = distinct(references(said));
        if named.is_empty() {
            let answer = history.iter().rev().find(|message| message.role == Role::Assistant)?;
            named = distinct(references(&answer.content));
        }
        let meant = named.get(number.checked_sub(1)?).filter(|_| named.len() > 1)?.clone();
        let mut query = self.rest.clone();
        query.replace_range(range.clone(), &meant.display());
        Some(Resolved { query: format!("{query}?"), references: vec![meant] })
    }
}

/// The words of a question that say what it is about, as typed.
fn subject(question: &str, language: Language) -> String {
    let list = WordList::of(language);
    let content = words(question).into_iter().filter(|word| list.is_content(&word.folded));
    content
        .map(|word| &question[word.range])
        .take(2 * numbers().follow_up.longest)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A follow-up with what it left unsaid.
pub(super) struct Resolved {
    pub query: String,
    /// The documents it is about; those that the query can only name in words are not among them.
    pub references: Vec<Reference>,
}

/// The question with what it leaves unsaid, where it is a follow-up and the conversation says it.
pub(super) fn resolve(query: &str, history: &[ChatMessage], language: Language) -> Option<Resolved> {
    let last = history.iter().rposition(|message| message.role == Role::User)?;
    let follow_up = FollowUp::read(query, language)?;
    // The last question may have been a follow-up itself.
    let said = || {
        let typed = &history[last].content;
        resolve(typed, &history[..last], language).map_or_else(|| typed.clone(), |whole| whole.query)
    };
    let changed = follow_up.repeated(&said).or_else(|| match follow_up.asks {
        Asks::Earlier { alone: true, .. } => follow_up.of_earlier(&said()),
        Asks::OneOf { .. } => follow_up.one_of(&said(), history),
        Asks::Earlier { .. } | Asks::More | Asks::Anything => None,
    });
    if changed.is_some() {
        return changed;
    }
    let mut complete = None;
    for said in history.iter().rev().filter(|message| message.role == Role::User) {
        let mut named = distinct(references(&said.content));
        if let Some(last) = named.pop() {
            let one = follow_up.pronoun == Some(Number::One) || named.len() >= numbers().follow_up.most_named;
            let named = if one { Vec::new() } else { named };
            return Some(follow_up.about(named.into_iter().chain([last]).collect()));
        }
        // A follow-up that names nothing is about what was named before it; a question of its own changed the subject.
        if FollowUp::read(&said.content, language).is_none() {
            complete = Some(said.content.as_str());
            break;
        }
    }
    let policy =
        complete.and_then(|said| policy_in(&Prepared::read(said, language), Pack::by_preference(language)));
    if let Some((_, policy)) = policy {
        let query = follow_up.with_name(&policy.display());
        return Some(Resolved { query, references: Vec::new() });
    }
    if let Some(named) = answered_with(history, follow_up.pronoun) {
        return Some(follow_up.about(named));
    }
    Some(Resolved { query: follow_up.with_subject(complete?)?, references: Vec::new() })
}

/// The documents that a question with a subject of its own may still be about, since it adds to what was said: those of the question
/// before it, or of its answer.
pub(super) fn recalled(query: &str, history: &[ChatMessage], language: Language) -> Vec<Reference> {
    let Some(said) = history.iter().rfind(|message| message.role == Role::User) else { return Vec::new() };
    let typed = Prepared::read(query, language);
    if !Pack::by_preference(language).any(|pack| pack.intent.follow_up.lead.is_match(typed.text())) {
        return Vec::new();
    }
    let mut named = distinct(references(&said.content));
    if named.is_empty() {
        named = answered_with(history, None).unwrap_or_default();
    }
    named.truncate(numbers().follow_up.most_named);
    named
}

/// The question about the record that the conversation was about last, where it names none and not a word of it says so.
pub(super) fn carried_on(query: &str, history: &[ChatMessage]) -> Option<String> {
    let said = history.iter().rfind(|message| message.role == Role::User)?;
    let named = distinct(references(&said.content)).pop();
    let record = named.or_else(|| answered_with(history, None)?.pop())?;
    Some(format!("{} ({})?", query.trim_end_matches(ENDS), record.display()))
}

/// The documents that the last answer names. Where it names several, "it" is the first, "they" are all, and without a
/// pronoun none of them is meant.
fn answered_with(history: &[ChatMessage], pronoun: Option<Number>) -> Option<Vec<Reference>> {
    let answer = history.iter().rev().find(|message| message.role == Role::Assistant)?;
    let mut named = distinct(references(&answer.content));
    if pronoun == Some(Number::One) {
        named.truncate(1);
    }
    let most = if pronoun == Some(Number::Several) { numbers().follow_up.most_named } else { 1 };
    (1..=most).contains(&named.len()).then_some(named)
}

#[cfg(test)]
#[path = "follow_up_tests.rs"]
mod tests;
