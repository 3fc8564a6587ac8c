//! Everything that one language knows, read from its folder.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::across::Across;
use super::aspects::{self, AspectWords};
use super::documents::DocumentWords;
use super::error::PackError;
use super::grounding::{self, Lexicon};
use super::intent::{self, IntentRules};
use super::messages::{self, Messages};
use super::passages::PassageWords;
use super::patterns::Compiler;
use super::profile::{self, Profile};
use super::remarks::{self, RemarkPatterns};
use super::{EMBEDDED, Language, WordList, packs};
use crate::fold::without_marks;

/// All data of one language.
pub(crate) struct Pack {
    pub language: Language,
    pub code: String,
    pub profile: Profile,
    pub words: WordList,
    pub intent: IntentRules,
    pub aspects: Vec<AspectWords>,
    pub lexicon: Lexicon,
    pub remarks: RemarkPatterns,
    pub documents: DocumentWords,
    pub messages: Messages,
    pub(super) passages: PassageWords,
}

impl Pack {
    /// Every pack.
    pub fn all() -> impl Iterator<Item = &'static Self> + Clone {
        packs().all.iter()
    }

    /// Every pack, that of the given language first.
    pub fn by_preference(language: Language) -> impl Iterator<Item = &'static Self> + Clone {
        let first = std::iter::once(language.pack());
        first.chain(Self::all().filter(move |pack| pack.language != language))
    }

    /// The stem of a word, without accents and possessives.
    pub fn stem(&self, word: &str) -> String {
        stem(word, &self.profile)
    }

    fn read(language: Language, mut files: LanguageFiles) -> Result<Self, PackError> {
        let profile = files.take::<profile::Source>("language.toml")?;
        let profile = profile.value.read(&profile.file)?;
        let words: WordList = files.take("words.toml")?.value;
        let grounding = files.take::<grounding::Source>("grounding.toml")?;
        let intent = files.take::<intent::Source>("intent.toml")?;
        let remarks = files.take::<remarks::Source>("remarks.toml")?;
        let passages = files.take::<PassageWords>("passages.toml")?;
        passages.value.check(Compiler { file: &passages.file })?;
        let months: Vec<String> = words.months.keys().map(|month| regex::escape(month)).collect();
        let texts = files.take::<messages::Source>("messages.toml")?;
        let pack = Self {
            language,
            aspects: files.take::<aspects::Source>("aspects.toml")?.value.read(|word| stem(word, &profile)),
            lexicon: grounding.value.read(&words, |word| stem(word, &profile), &grounding.file)?,
            intent: intent.value.compile(&months, Compiler { file: &intent.file })?,
            remarks: remarks.value.compile(Compiler { file: &remarks.file })?,
            documents: files.take("documents.toml")?.value,
            messages: Messages {
                decimal: profile.decimal.clone(),
                entries: messages::read(texts.value, &texts.file)?,
            },
            passages: passages.value,
            code: files.code.clone(),
            profile,
            words,
        };
        files.end()?;
        Ok(pack)
    }
}

fn stem(word: &str, profile: &Profile) -> String {
    let plain = without_marks(word);
    let plain = plain.strip_suffix("'s").or_else(|| plain.strip_suffix("s'")).unwrap_or(&plain);
    if plain.bytes().all(|b| b.is_ascii_digit()) {
        return plain.to_owned();
    }
    profile.stemmer.stem(plain).into_owned()
}

/// The packs of all languages.
pub(super) struct Packs {
    pub all: Vec<Pack>,
    pub across: Across,
    /// The folder of those that are no part of the program.
    pub folder: Option<String>,
}

impl Packs {
    /// Reads the languages of the program and those that are added.
    pub fn load(added: Option<AddedLanguages>) -> Result<Self, PackError> {
        let mut sources: Vec<LanguageFiles> =
            EMBEDDED.iter().map(|(code, files)| LanguageFiles::embedded(code, files)).collect();
        let folder = added.as_ref().map(|added| added.folder.clone());
        sources.extend(added.into_iter().flat_map(|added| added.languages));
        let mut all: Vec<Pack> = Vec::with_capacity(sources.len());
        for (index, files) in (0..=u8::MAX).zip(sources) {
            if all.iter().any(|pack| pack.code == files.code) {
                return Err(PackError::Twice { code: files.code });
            }
            let texts = files.path("messages.toml");
            let pack = Pack::read(Language(index), files)?;
            let first = all.first().unwrap_or(&pack);
            messages::check_placeholders(&pack.messages, &first.messages, &texts)?;
            all.push(pack);
        }
        Ok(Self { across: Across::new(&all)?, all, folder })
    }
}

/// Languages beside the program's own, by the folder that they come from.
#[derive(Debug, Clone, Default)]
pub struct AddedLanguages {
    /// The folder, as errors name it.
    pub folder: String,
    /// Its languages, in the order of their codes.
    pub languages: Vec<LanguageFiles>,
}

/// The files of a language, as far as they are not read yet.
#[derive(Debug, Clone)]
pub struct LanguageFiles {
    /// The language's code.
    pub code: String,
    /// The folder, as errors name it.
    pub folder: String,
    /// Their texts by name.
    pub files: BTreeMap<String, String>,
}

/// What a file holds, and the file as errors name it.
struct Read<T> {
    value: T,
    file: String,
}

impl LanguageFiles {
    fn embedded(code: &str, files: &[(&str, &str)]) -> Self {
        Self {
            code: code.to_owned(),
            folder: format!("assets/languages/{code}"),
            files: files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect(),
        }
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Read<T>, PackError> {
        let file = self.path(name);
        let Some(text) = self.files.remove(name) else { return Err(PackError::MissingFile { file }) };
        match toml::from_str(&text) {
            Ok(value) => Ok(Read { value, file }),
            Err(problem) => Err(PackError::Malformed { file, problem: problem.to_string() }),
        }
    }

    /// Whether every file has been read: one more would be a misspelt name.
    fn end(self) -> Result<(), PackError> {
        match self.files.keys().next() {
            Some(unknown) => Err(PackError::UnknownFile { file: self.path(unknown) }),
            None => Ok(()),
        }
    }
}
