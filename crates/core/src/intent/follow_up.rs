//! Questions that need the one before them, completed from the conversation.

use super::facts::policy_in;
use super::prepared::Prepared;
use super::reference::{distinct, references};
use super::terminology::{Terminology, term, terminology};
use crate::domain::{Language, Reference};
use crate::language::{FollowUpRules, Pack};
use crate::numbers::numbers;
use crate::request::{ChatMessage, Role};
use crate::text::{WordList, detect_or, words};

impl FollowUpRules {
    /// How much of a question's front only leads it in.
    pub fn lead_of_question(&self, text: &str) -> usize {
        self.lead_of_question.captures(text).and_then(|captures| captures.get(1)).map_or(0, |lead| lead.end())
    }

    /// Puts a name where a pronoun stands, and tells whether that stands for several; an acronym such as IT is none.
    fn name(&self, text: &str, name: &str) -> Option<(String, bool)> {
        let mixed = text.contains(char::is_lowercase);
        self.pronouns.iter().find_map(|pronoun| {
            let captures =
                pronoun.pattern.captures(text).filter(|captures| !(mixed && is_acronym(&captures[0])))?;
            let found = captures.get(0)?;
            let mut resolved = text[..found.start()].to_owned();
            captures.expand(&pronoun.named, &mut resolved);
            resolved.push_str(&text[found.end()..]);
            Some((resolved.replacen("REF", name, 1), pronoun.plural))
        })
    }
}

fn is_acronym(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

/// What makes a question one that needs the one before it.
struct FollowUp {
    pack: &'static Pack,
    /// The question as typed, without what leads it in and ends it.
    rest: String,
    pronoun: Option<Number>,
    led: bool,
}

/// Whether a pronoun stands for one thing or for several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    One,
    Several,
}

impl FollowUp {
    fn read(query: &str, language: Language) -> Option<Self> {
        if !references(query).is_empty() {
            return None;
        }
        let question = Prepared::read(query, language);
        if !(1..=numbers().follow_up.longest).contains(&question.parts().len()) {
            return None;
        }
        Pack::by_preference(language).find_map(|pack| Self::read_with(&question, pack))
    }

    fn read_with(question: &Prepared<'_>, pack: &'static Pack) -> Option<Self> {
        let (rules, text) = (&pack.intent.follow_up, question.text());
        let lead = rules.lead.find(text).map_or(0, |lead| lead.end()).min(text.len());
        let (rest, typed) = (&text[lead..], question.as_typed(lead));
        let without = rules.name(&typed, "");
        let pronoun = without.as_ref().map(|(_, plural)| if *plural { Number::Several } else { Number::One });
        let found = Self { pack, pronoun, led: lead > 0, rest: typed };
        if rules.bare.is_match(rest) || rules.bare.is_match(text) {
            return Some(found);
        }
        if rules.anaphoric.is_match(rest) && !rules.expletive.is_match(rest) {
            return Some(found);
        }
        let pronoun = pronoun.is_some();
        let words = words(without.as_ref().map_or(rest, |(without, _)| without));
        let list = &pack.words;
        let is = |list: &[String], word: &str| list.iter().any(|known| known == word);
        let opener = words.first().is_some_and(|word| is(&rules.openers, &word.folded));
        let belongs = |word: &str| is(&rules.nouns, word) || is(&rules.verbs, word);
        let own_subject = words.iter().map(|word| word.folded.as_str()).any(|word| {
            list.is_content(word)
                && !belongs(word)
                && !is(&rules.openers, word)
                && !is(&pack.intent.verbs, word)
        });
        let names_kind = Pack::all().any(|pack| !pack.intent.kinds_in(rest).is_empty());
        let complete = opener && (own_subject || names_kind) && !pronoun;
        let needs_more = if found.led {
            !complete
        } else {
            !own_subject && (pronoun || (!names_kind && words.iter().any(|word| belongs(&word.folded))))
        };
        needs_more.then_some(found)
    }

    fn with_name(&self, name: &str) -> String {
        let rules = &self.pack.intent.follow_up;
        if let Some((named, _)) = rules.name(&self.rest, name) {
            return format!("{named}?");
        }
        let rest = &self.rest;
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
        Resolved { query: self.with_name(&names), references }
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
        (!subject.is_empty()).then(|| format!("{} ({subject})?", self.rest))
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
    history.iter().find(|message| message.role == Role::User)?;
    let follow_up = FollowUp::read(query, language)?;
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
