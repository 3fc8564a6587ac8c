//! For which kinds of a thing, and in which surroundings, a sentence holds: staff or customers, test or production.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::language::Language;
use crate::text::words;

/// What a sentence says of whom and where it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cases {
    /// Of each family the kinds that are named.
    kinds: BTreeMap<&'static str, BTreeSet<&'static str>>,
    settings: BTreeSet<&'static str>,
}

/// Where something holds that is said without a word of where.
const EVERYDAY: &str = "production";

#[derive(Clone, Copy)]
enum Case {
    Kind(&'static str, &'static str),
    Setting(&'static str),
}

#[derive(Default)]
struct Forms {
    whole: HashMap<String, Vec<Case>>,
    openings: Vec<(String, Case)>,
}

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let mut forms = Forms::default();
    let mut add = |written: &[String], case: Case| {
        for form in written {
            match form.strip_suffix('*') {
                Some(opening) => forms.openings.push((opening.to_owned(), case)),
                None => forms.whole.entry(form.clone()).or_default().push(case),
            }
        }
    };
    for language in Language::all() {
        let words = &language.documents().statements;
        for (family, members) in &words.cases {
            for (member, written) in members {
                add(written, Case::Kind(family, member));
            }
        }
        for (setting, written) in &words.settings {
            add(written, Case::Setting(setting));
        }
    }
    forms
});

impl Cases {
    /// Reads a sentence.
    pub(super) fn of(text: &str) -> Self {
        let mut cases = Self::default();
        for word in words(text) {
            let whole = FORMS.whole.get(&word.folded).into_iter().flatten();
            let opened =
                FORMS.openings.iter().filter(|(opening, _)| word.folded.starts_with(opening.as_str()));
            for case in whole.chain(opened.map(|(_, case)| case)) {
                match *case {
                    Case::Kind(family, member) => {
                        cases.kinds.entry(family).or_default().insert(member);
                    }
                    Case::Setting(setting) => {
                        cases.settings.insert(setting);
                    }
                }
            }
        }
        cases
    }

    /// Whether two sentences are said of different things: each names a kind that the other does not, or one has surroundings of
    /// its own.
    pub(super) fn differ(&self, other: &Self) -> bool {
        let apart = |(family, members): (&&str, &BTreeSet<&str>)| {
            other.kinds.get(*family).is_some_and(|others| members.is_disjoint(others))
        };
        let special = |settings: &BTreeSet<&'static str>| {
            settings.iter().copied().filter(|one| *one != EVERYDAY).collect::<BTreeSet<_>>()
        };
        self.kinds.iter().any(apart) || special(&self.settings) != special(&other.settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_one_kind_is_not_said_of_another() {
        for (one, other, differ) in [
            ("Staff sign in with a card.", "Customers sign in with a code.", true),
            ("Medewerkers loggen in met een pas.", "Customers sign in with a code.", true),
            ("Logs are kept for a year.", "In the test environment logs are kept for a week.", true),
            ("Logs are kept for a year.", "In production logs are kept for a week.", false),
            ("Staff sign in with a card.", "Everyone signs in with a code.", false),
            ("Staff and customers sign in with a card.", "Customers sign in with a code.", false),
        ] {
            assert_eq!(Cases::of(one).differ(&Cases::of(other)), differ, "{one} {other}");
        }
    }
}
