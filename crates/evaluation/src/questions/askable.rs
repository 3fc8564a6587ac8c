use std::collections::{BTreeMap, BTreeSet};

use super::matching::same;
use super::question::Question;
use super::score::VOCABULARY;
use super::set::QuestionSet;

/// The questions of a set that a library can be asked, and what they name that it does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Askable<'s> {
    /// Those whose documents it holds, in the set's order.
    pub questions: Vec<&'s Question>,
    /// How many others there are.
    pub left_out: usize,
    /// The documents that it does not hold, each once, in the set's order.
    pub unknown: Vec<&'s str>,
}

impl QuestionSet {
    /// The questions that can be asked of a library with documents of these paths. No answer to one that needs another
    /// document can be right, and one that needs none is asked where the others of its library are.
    pub fn askable<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Askable<'_> {
        let held = Held::of(paths);
        let mut unknown: Vec<&str> = Vec::new();
        let (mut open, mut closed) = (BTreeSet::new(), BTreeSet::new());
        let mut fits = Vec::with_capacity(self.questions.len());
        for question in &self.questions {
            let missing = held.missing(question);
            let library = question.library.as_str();
            if missing.len() < documents(question).count() {
                open.insert(library);
            } else if !missing.is_empty() {
                closed.insert(library);
            }
            fits.push(missing.is_empty());
            for path in missing {
                if !unknown.contains(&path) {
                    unknown.push(path);
                }
            }
        }
        let elsewhere = |library: &str| closed.contains(library) && !open.contains(library);
        let fitting = self.questions.iter().zip(fits);
        let fitting = fitting.filter(|(question, fits)| *fits && !elsewhere(&question.library));
        let questions: Vec<&Question> = fitting.map(|(question, _)| question).collect();
        Askable { left_out: self.questions.len() - questions.len(), questions, unknown }
    }
}

/// The documents that a right answer may need. A vocabulary is none.
fn documents(question: &Question) -> impl Iterator<Item = &str> {
    let expected = &question.expected;
    let named = [&expected.documents, &expected.rows, &expected.any_of].into_iter().flatten();
    named.map(String::as_str).filter(|path| !path.ends_with(VOCABULARY))
}

/// Paths by the names of their files, so that each is compared with few.
struct Held<'p>(BTreeMap<String, Vec<&'p str>>);

impl<'p> Held<'p> {
    fn of(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let mut by_name: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for path in paths {
            by_name.entry(file_name(path)).or_default().push(path);
        }
        Self(by_name)
    }

    fn holds(&self, path: &str) -> bool {
        self.0.get(&file_name(path)).is_some_and(|known| known.iter().any(|known| same(known, path)))
    }

    /// What a question needs and is not there; of those of which one is enough, all where none is.
    fn missing<'s>(&self, question: &'s Question) -> Vec<&'s str> {
        let one_of = &question.expected.any_of;
        let enough = one_of.iter().any(|path| self.holds(path));
        let needed = documents(question).filter(|path| !(enough && one_of.iter().any(|one| one == path)));
        needed.filter(|path| !self.holds(path)).collect()
    }
}

fn file_name(path: &str) -> String {
    let path = path.trim_end_matches('/');
    path.rsplit_once('/').map_or(path, |(_, name)| name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::questions::{Behaviour, Expected};

    fn one(id: &str, library: &str, documents: &[&str], any_of: &[&str]) -> Question {
        let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        Question {
            id: id.to_owned(),
            library: library.to_owned(),
            form: 1,
            language: "en".to_owned(),
            history: Vec::new(),
            question: "?".to_owned(),
            expected: Expected {
                behaviour: Behaviour::Answer,
                documents: owned(documents),
                also_fine: Vec::new(),
                must_contain: Vec::new(),
                must_not_contain: Vec::new(),
                note: String::new(),
                any_of: owned(any_of),
                must_contain_any: Vec::new(),
                rows: Vec::new(),
                count: None,
                concept: None,
            },
        }
    }

    #[test]
    fn what_names_documents_of_another_library_is_left_out_and_they_are_told() {
        let questions = vec![
            one("right", "tea", &["tea/adr/1-heat.md"], &[]),
            one("misspelt", "tea", &["tea/adr/1-haet.md"], &[]),
            one("one is enough", "tea", &[], &["tea/adr/9.md", "tea/adr/1-heat.md"]),
            one("none of them", "tea", &[], &["tea/adr/8.md", "tea/adr/9.md"]),
            one("a term", "tea", &["tea/terms.ttl"], &[]),
            one("refused", "tea", &[], &[]),
            one("elsewhere", "cups", &["cups/1.md"], &[]),
            one("refused elsewhere", "cups", &[], &[]),
            one("names nothing", "spoons", &[], &[]),
        ];
        let set =
            QuestionSet { root: PathBuf::new(), file_types: Vec::new(), libraries: Vec::new(), questions };
        let askable = set.askable(["adr/1-Heat.md", "adr/2-time.md"]);
        let ids: Vec<&str> = askable.questions.iter().map(|question| question.id.as_str()).collect();
        assert_eq!(ids, ["right", "one is enough", "a term", "refused", "names nothing"]);
        assert_eq!(askable.left_out, 4);
        assert_eq!(askable.unknown, ["tea/adr/1-haet.md", "tea/adr/8.md", "tea/adr/9.md", "cups/1.md"]);
    }
}
