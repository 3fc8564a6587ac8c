//! Thresholds per collection and scorer, resolved from the built-in file and the user's.

mod file;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use plumbline_telemetry::sha256_hex;
use serde::Serialize;

pub use self::table::{CollectionThresholds, CrossLanguage};

use self::file::{Sections, read, unknown, write};
use self::table::Section;
use super::error::{Origin, SettingsError, beside};
use crate::domain::{Collection, EmbedderFamily};
use crate::messages::Message;

const BUILT_IN: &str = include_str!("../../../../config/thresholds.yaml");

impl CrossLanguage {
    /// The coverage that a cosine stands for, 0 to 1.
    pub fn coverage(&self, cosine: f32) -> f64 {
        let share =
            (f64::from(cosine) - f64::from(self.floor)) / (f64::from(self.ceiling) - f64::from(self.floor));
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }

    /// The coverage that a margin stands for, 0 to 1.
    pub fn coverage_of_margin(&self, margin: f32) -> f64 {
        let share = f64::from(margin) / f64::from(self.margin);
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }
}

/// Thresholds per collection and scorer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Thresholds {
    collections: BTreeMap<String, CollectionThresholds>,
    defaults: BTreeMap<EmbedderFamily, CollectionThresholds>,
    /// How coverage is read over languages.
    pub cross_language: CrossLanguage,
}

const FAMILIES: [EmbedderFamily; 3] =
    [EmbedderFamily::Local, EmbedderFamily::Ollama, EmbedderFamily::Lexical];

/// The embedder that thresholds are meant for. A section that was found for the built-in embedder's cosines bears its fingerprint:
/// `ADR_Local@5f0c…`. It is kept and not applied where another edition answers.
#[derive(Debug, Clone, Copy)]
pub struct MeantFor<'f> {
    /// Of the embedder that answers.
    pub fingerprint: &'f str,
    /// Whether what bears no fingerprint is this one's: files from before there were editions are the first one's.
    pub unmarked: bool,
}

impl MeantFor<'_> {
    /// Whoever answers: what bears no fingerprint.
    pub const ANY: Self = Self { fingerprint: "", unmarked: true };

    /// The name of a section without its fingerprint, where it holds.
    fn holding<'s>(&self, section: &'s str) -> Option<&'s str> {
        let (name, mark) = marked(section);
        let holds = match mark {
            Some(mark) => mark == self.fingerprint,
            None => self.unmarked || !is_built_ins(name),
        };
        holds.then_some(name)
    }

    /// The name under which a section is written.
    fn written(&self, section: &str) -> String {
        match self.unmarked || !is_built_ins(section) {
            true => section.to_owned(),
            false => format!("{section}{MARK}{}", self.fingerprint),
        }
    }
}

const MARK: char = '@';

/// The name of a section and the fingerprint that it bears.
fn marked(section: &str) -> (&str, Option<&str>) {
    section.rsplit_once(MARK).map_or((section, None), |(name, mark)| (name, Some(mark)))
}

/// Whether the scores are those of the built-in embedder.
fn is_built_ins(section: &str) -> bool {
    family_of(section) == Some(EmbedderFamily::Local)
}

impl Thresholds {
    /// Reads a thresholds file; what it leaves out is taken from the built-in one.
    pub fn parse(name: &str, text: &str) -> Result<Self, SettingsError> {
        Self::parse_for(MeantFor::ANY, name, text)
    }

    /// As [`Self::parse`], without what was found for another embedder.
    pub fn parse_for(embedder: MeantFor<'_>, name: &str, text: &str) -> Result<Self, SettingsError> {
        let mut sections = read(&Origin::Default, BUILT_IN)?;
        let origin = Origin::File(PathBuf::from(name));
        for (section, values) in read(&origin, text)? {
            if let Some(section) = embedder.holding(&section) {
                sections.entry(section.to_owned()).or_default().extend(values);
            }
        }
        resolve(&origin, &sections)
    }

    /// Whether a file holds something that was found for another embedder.
    pub fn sets_aside(embedder: MeantFor<'_>, name: &str, text: &str) -> Result<bool, SettingsError> {
        let sections = read(&Origin::File(PathBuf::from(name)), text)?;
        Ok(sections.keys().any(|section| embedder.holding(section).is_none()))
    }

    /// What holds for a collection whose scores are this family's.
    pub fn for_collection(&self, collection: &Collection, family: EmbedderFamily) -> &CollectionThresholds {
        static BUILT_IN: CollectionThresholds = CollectionThresholds::BUILT_IN;
        self.collections
            .get(&collection.qualified(family))
            .or_else(|| self.defaults.get(&family))
            .unwrap_or(&BUILT_IN)
    }

    /// One number of the section of a collection and scorer, such as `ADR_Local`.
    pub fn value(&self, section: &str, field: &str) -> Option<f64> {
        let family = family_of(section)?;
        let values = self.collections.get(section).or_else(|| self.defaults.get(&family))?;
        values.get(field)
    }

    /// The same with one number changed in the section of a collection and scorer, such as `ADR_Local`.
    pub fn with(&self, section: &str, field: &str, value: f64) -> Result<Self, SettingsError> {
        let origin = Origin::Flag(format!("{section}.{field}"));
        let (Some(field), Some(family)) = (fields().find(|known| *known == field), family_of(section)) else {
            return Err(unknown(&origin, &format!("{section}.{field}"), CollectionThresholds::FIELDS));
        };
        let below = self.collections.get(section).or_else(|| self.defaults.get(&family)).copied();
        let changed =
            below.unwrap_or(CollectionThresholds::BUILT_IN).over(Some(&Section::from([(field, value)])));
        let mut all = self.clone();
        all.collections.insert(section.to_owned(), changed.check(&origin, section)?);
        Ok(all)
    }

    /// Every section for a collection and scorer, by name.
    pub fn rows(&self) -> Vec<(String, CollectionThresholds)> {
        self.collections.iter().map(|(name, values)| (name.clone(), *values)).collect()
    }

    /// A thresholds file with other values: a section's name, a threshold of it and its value, or none for the built-in
    /// one. What was found for another embedder stays. An error where the file would not hold.
    pub fn changed_file(
        embedder: MeantFor<'_>,
        name: &str,
        text: &str,
        changes: &[(String, String, Option<f64>)],
    ) -> Result<String, SettingsError> {
        let origin = Origin::File(PathBuf::from(name));
        let mut sections = read(&origin, text)?;
        for (collection, field, value) in changes {
            let path = format!("collections.{collection}.{field}");
            let Some(known) = fields().find(|known| known == field) else {
                return Err(unknown(&origin, &path, CollectionThresholds::FIELDS));
            };
            let section =
                sections.entry(format!("collections.{}", embedder.written(collection))).or_default();
            match value {
                Some(value) => section.insert(known, *value),
                None => section.remove(known),
            };
        }
        sections.retain(|_, section| !section.is_empty());
        let written = write(&sections);
        Self::parse_for(embedder, name, &written)?;
        Ok(written)
    }

    /// A digest of all values.
    pub fn config_hash(&self) -> String {
        sha256_hex(serde_json::to_string(self).unwrap_or_default())
    }
}

impl CollectionThresholds {
    fn check(self, origin: &Origin, section: &str) -> Result<Self, SettingsError> {
        let wrong = |field: &str, value: f32, above: &str, most: f32| SettingsError::Value {
            origin: origin.clone(),
            key: format!("{section}.{field}"),
            value: value.to_string().into(),
            allowed: beside(Message::SettingAllowedAtMostThere, above, most),
        };
        if self.bail_below > self.several_hits {
            return Err(wrong("bail_below", self.bail_below, "several_hits", self.several_hits));
        }
        if self.several_hits > self.single_hit {
            return Err(wrong("several_hits", self.several_hits, "single_hit", self.single_hit));
        }
        Ok(self)
    }
}

impl Default for Thresholds {
    /// The built-in file; a test holds that it parses.
    fn default() -> Self {
        static PARSED: LazyLock<Thresholds> = LazyLock::new(|| {
            Thresholds::parse("thresholds.yaml", "").unwrap_or_else(|_| Thresholds {
                collections: BTreeMap::new(),
                defaults: BTreeMap::new(),
                cross_language: CrossLanguage::BUILT_IN,
            })
        });
        PARSED.clone()
    }
}

fn resolve(origin: &Origin, sections: &Sections) -> Result<Thresholds, SettingsError> {
    let base = CollectionThresholds::BUILT_IN.over(sections.get("default"));
    let mut defaults = BTreeMap::new();
    for family in FAMILIES {
        let name = format!("default_{}", family.as_str());
        let values = base.over(sections.get(&name)).check(origin, &name)?;
        defaults.insert(family, values);
    }
    let mut collections = BTreeMap::new();
    for (path, section) in sections {
        let Some(name) = path.strip_prefix("collections.") else { continue };
        let Some(family) = family_of(name) else { continue };
        let below = defaults.get(&family).copied().unwrap_or(base);
        collections.insert(name.to_owned(), below.over(Some(section)).check(origin, path)?);
    }
    let cross_language = CrossLanguage::BUILT_IN.over(sections.get("cross_language"));
    if cross_language.floor >= cross_language.ceiling {
        return Err(SettingsError::Value {
            origin: origin.clone(),
            key: "cross_language.floor".to_owned(),
            value: cross_language.floor.to_string().into(),
            allowed: beside(Message::SettingAllowedBelow, "ceiling", cross_language.ceiling),
        });
    }
    Ok(Thresholds { collections, defaults, cross_language })
}

fn fields() -> impl Iterator<Item = &'static str> {
    CollectionThresholds::FIELDS.iter().copied()
}

fn family_of(name: &str) -> Option<EmbedderFamily> {
    let (base, suffix) = name.rsplit_once('_')?;
    FAMILIES.into_iter().find(|family| family.as_str() == suffix && !base.is_empty())
}
