use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use plumbline_telemetry::sha256_hex;
use serde::Serialize;
use serde_json::{Map, Value};

use super::error::{Origin, SettingsError, nearest};
use crate::domain::{Collection, EmbedderFamily};

const BUILT_IN: &str = include_str!("../../../../config/thresholds.yaml");

/// When what was found in a collection is good enough. Scores are cosines, or BM25 divided by its bound.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CollectionThresholds {
    /// A candidate further away (1 − score) goes.
    pub distance_threshold: f32,
    /// Share of the question's content words that the kept passages must hold.
    pub min_query_coverage: f64,
    /// Best score under this: refuse at once.
    pub bail_below: f32,
    /// One passage as good as this is enough.
    pub single_hit: f32,
    /// Two or more passages are enough, the best of them as good as this.
    pub several_hits: f32,
    /// Three or more passages are enough, as good as this on average.
    pub mean: f32,
    /// A passage that by itself holds this share of the question's words passes every gate.
    pub lexical_witness: f64,
    /// How likely it must be that the library holds an answer; 0 asks for nothing.
    pub answerability: f64,
    /// A document that stands out by this much from the next ones is enough.
    pub lead: f32,
}

/// The cosines that count as nothing and as full coverage where question and passage differ in language.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CrossLanguage {
    /// Counts as 0.
    pub floor: f32,
    /// Counts as 1.
    pub ceiling: f32,
    /// A document that stands out by this much counts as 1 too.
    pub lead: f32,
}

impl CrossLanguage {
    /// The coverage that a cosine stands for, 0 to 1.
    pub fn coverage(&self, cosine: f32) -> f64 {
        let share =
            (f64::from(cosine) - f64::from(self.floor)) / (f64::from(self.ceiling) - f64::from(self.floor));
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }

    /// The coverage that a lead stands for, 0 to 1.
    pub fn led(&self, lead: f32) -> f64 {
        let share = f64::from(lead) / f64::from(self.lead);
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
const FIELDS: [&str; 9] = [
    "distance_threshold",
    "min_query_coverage",
    "bail_below",
    "single_hit",
    "several_hits",
    "mean",
    "lexical_witness",
    "answerability",
    "lead",
];
const SECTIONS: [&str; 6] =
    ["collections", "default", "default_Local", "default_Ollama", "default_Lexical", "cross_language"];

/// The numbers of one section, as far as it gives them.
type Section = BTreeMap<&'static str, f64>;

/// The sections of a file by name; collections stand under `collections.<name>`.
type Sections = BTreeMap<String, Section>;

impl Thresholds {
    /// Reads a thresholds file; what it leaves out is taken from the built-in one.
    pub fn parse(name: &str, text: &str) -> Result<Self, SettingsError> {
        let mut sections = read(&Origin::Default, BUILT_IN)?;
        let origin = Origin::File(PathBuf::from(name));
        for (section, values) in read(&origin, text)? {
            sections.entry(section).or_default().extend(values);
        }
        resolve(&origin, &sections)
    }

    /// What holds for a collection whose scores are this family's.
    pub fn for_collection(&self, collection: &Collection, family: EmbedderFamily) -> &CollectionThresholds {
        static LADDER: CollectionThresholds = CollectionThresholds::LADDER;
        self.collections
            .get(&collection.qualified(family))
            .or_else(|| self.defaults.get(&family))
            .unwrap_or(&LADDER)
    }

    /// One number of the section of a collection and scorer, such as `ADR_Local`.
    pub fn value(&self, section: &str, field: &str) -> Option<f64> {
        let family = family_of(section)?;
        let values = self.collections.get(section).or_else(|| self.defaults.get(&family))?;
        // As it is written: 0.45 in 32 bits is 0.449999988.
        let written = |value: f32| value.to_string().parse().ok();
        match field {
            "distance_threshold" => written(values.distance_threshold),
            "min_query_coverage" => Some(values.min_query_coverage),
            "bail_below" => written(values.bail_below),
            "single_hit" => written(values.single_hit),
            "several_hits" => written(values.several_hits),
            "mean" => written(values.mean),
            "lexical_witness" => Some(values.lexical_witness),
            "answerability" => Some(values.answerability),
            "lead" => written(values.lead),
            _ => None,
        }
    }

    /// The same with one number changed in the section of a collection and scorer, such as `ADR_Local`.
    pub fn with(&self, section: &str, field: &str, value: f64) -> Result<Self, SettingsError> {
        let origin = Origin::Flag(format!("{section}.{field}"));
        let (Some(field), Some(family)) =
            (FIELDS.into_iter().find(|known| *known == field), family_of(section))
        else {
            return Err(unknown(&origin, &format!("{section}.{field}"), &FIELDS));
        };
        let below = self.collections.get(section).or_else(|| self.defaults.get(&family)).copied();
        let changed =
            below.unwrap_or(CollectionThresholds::LADDER).over(Some(&Section::from([(field, value)])));
        let mut all = self.clone();
        all.collections.insert(section.to_owned(), changed.check(&origin, section)?);
        Ok(all)
    }

    /// Every section for a collection and scorer, by name.
    pub fn rows(&self) -> Vec<(String, CollectionThresholds)> {
        self.collections.iter().map(|(name, values)| (name.clone(), *values)).collect()
    }

    /// A thresholds file with other values: a section's name, a threshold of it and its value, or none for the built-in
    /// one. An error where the file would not hold.
    pub fn changed_file(
        name: &str,
        text: &str,
        changes: &[(String, String, Option<f64>)],
    ) -> Result<String, SettingsError> {
        let origin = Origin::File(PathBuf::from(name));
        let mut sections = read(&origin, text)?;
        for (collection, field, value) in changes {
            let path = format!("collections.{collection}.{field}");
            let Some(known) = FIELDS.iter().find(|known| *known == field) else {
                return Err(unknown(&origin, &path, &FIELDS));
            };
            let section = sections.entry(format!("collections.{collection}")).or_default();
            match value {
                Some(value) => section.insert(known, *value),
                None => section.remove(known),
            };
        }
        sections.retain(|_, section| !section.is_empty());
        let written = write(&sections);
        Self::parse(name, &written)?;
        Ok(written)
    }

    /// A digest of all values.
    pub fn config_hash(&self) -> String {
        sha256_hex(serde_json::to_string(self).unwrap_or_default())
    }
}

impl CollectionThresholds {
    /// The seeds' numbers: what a file that says nothing means.
    const LADDER: Self = Self {
        distance_threshold: 0.50,
        min_query_coverage: 0.20,
        bail_below: 0.40,
        single_hit: 0.65,
        several_hits: 0.55,
        mean: 0.50,
        lexical_witness: 0.80,
        answerability: 0.0,
        lead: 1.0,
    };

    fn over(self, section: Option<&Section>) -> Self {
        let value = |field: &str, below: f64| section.and_then(|s| s.get(field).copied()).unwrap_or(below);
        let score = |field: &str, below: f32| value(field, f64::from(below)) as f32;
        Self {
            distance_threshold: score("distance_threshold", self.distance_threshold),
            min_query_coverage: value("min_query_coverage", self.min_query_coverage),
            bail_below: score("bail_below", self.bail_below),
            single_hit: score("single_hit", self.single_hit),
            several_hits: score("several_hits", self.several_hits),
            mean: score("mean", self.mean),
            lexical_witness: value("lexical_witness", self.lexical_witness),
            answerability: value("answerability", self.answerability),
            lead: score("lead", self.lead),
        }
    }

    fn check(self, origin: &Origin, section: &str) -> Result<Self, SettingsError> {
        let wrong = |field: &str, value: f32, above: &str, most: f32| SettingsError::Value {
            origin: origin.clone(),
            key: format!("{section}.{field}"),
            value: value.to_string(),
            allowed: format!("at most {above}, which is {most} there"),
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
                cross_language: CrossLanguage { floor: 0.30, ceiling: 0.65, lead: 0.25 },
            })
        });
        PARSED.clone()
    }
}

fn resolve(origin: &Origin, sections: &Sections) -> Result<Thresholds, SettingsError> {
    let base = CollectionThresholds::LADDER.over(sections.get("default"));
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
    let languages = sections.get("cross_language");
    let of = |field: &str, below: f64| languages.and_then(|s| s.get(field).copied()).unwrap_or(below) as f32;
    let cross_language =
        CrossLanguage { floor: of("floor", 0.30), ceiling: of("ceiling", 0.65), lead: of("lead", 0.25) };
    if cross_language.floor >= cross_language.ceiling {
        return Err(SettingsError::Value {
            origin: origin.clone(),
            key: "cross_language.floor".to_owned(),
            value: cross_language.floor.to_string(),
            allowed: format!("under ceiling, which is {}", cross_language.ceiling),
        });
    }
    Ok(Thresholds { collections, defaults, cross_language })
}

fn family_of(name: &str) -> Option<EmbedderFamily> {
    let (base, suffix) = name.rsplit_once('_')?;
    FAMILIES.into_iter().find(|family| family.as_str() == suffix && !base.is_empty())
}

fn read(origin: &Origin, text: &str) -> Result<Sections, SettingsError> {
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Sections::new());
    }
    let value: Value = serde_saphyr::from_str(text).map_err(|error| SettingsError::Syntax {
        origin: origin.clone(),
        line: error.location().and_then(|place| usize::try_from(place.line()).ok()).unwrap_or(1),
        detail: first_line(&error.without_snippet().to_string()),
    })?;
    let mut sections = Sections::new();
    for (name, value) in table(origin, "the file", &value)? {
        match name.as_str() {
            "collections" => {
                for (collection, value) in table(origin, "collections", value)? {
                    let path = format!("collections.{collection}");
                    if family_of(collection).is_none() {
                        return Err(SettingsError::Value {
                            origin: origin.clone(),
                            key: "collections".to_owned(),
                            value: format!("a section `{collection}`"),
                            allowed: "sections whose names end in _Ollama, _Local or _Lexical".to_owned(),
                        });
                    }
                    sections.insert(path.clone(), numbers(origin, &path, value, &FIELDS)?);
                }
            }
            "cross_language" => {
                sections.insert(name.clone(), numbers(origin, name, value, &["floor", "ceiling", "lead"])?);
            }
            known if SECTIONS.contains(&known) => {
                sections.insert(name.clone(), numbers(origin, name, value, &FIELDS)?);
            }
            _ => return Err(unknown(origin, name, &SECTIONS)),
        }
    }
    Ok(sections)
}

fn write(sections: &Sections) -> String {
    let numbers = |section: &Section, indent: &str| {
        section.iter().map(|(field, value)| format!("{indent}{field}: {value}\n")).collect::<String>()
    };
    let (of_collections, others): (Vec<_>, Vec<_>) =
        sections.iter().partition(|(path, _)| path.starts_with("collections."));
    let mut text = String::new();
    if !of_collections.is_empty() {
        text.push_str("collections:\n");
    }
    for (path, section) in of_collections {
        let name = path.trim_start_matches("collections.");
        text.push_str(&format!("  {name}:\n{}", numbers(section, "    ")));
    }
    for (name, section) in others {
        text.push_str(&format!("{name}:\n{}", numbers(section, "  ")));
    }
    text
}

fn numbers(
    origin: &Origin,
    path: &str,
    value: &Value,
    fields: &[&'static str],
) -> Result<Section, SettingsError> {
    let mut section = Section::new();
    for (name, value) in table(origin, path, value)? {
        let Some(field) = fields.iter().find(|field| *field == name) else {
            return Err(unknown(origin, &format!("{path}.{name}"), fields));
        };
        match value.as_f64().filter(|number| (0.0..=1.0).contains(number)) {
            Some(number) => section.insert(field, number),
            None => {
                return Err(SettingsError::Value {
                    origin: origin.clone(),
                    key: format!("{path}.{name}"),
                    value: value.to_string(),
                    allowed: "a number from 0 to 1".to_owned(),
                });
            }
        };
    }
    Ok(section)
}

fn table<'a>(origin: &Origin, path: &str, value: &'a Value) -> Result<&'a Map<String, Value>, SettingsError> {
    value.as_object().ok_or_else(|| SettingsError::Value {
        origin: origin.clone(),
        key: path.to_owned(),
        value: value.to_string(),
        allowed: "a section of names and values".to_owned(),
    })
}

fn unknown(origin: &Origin, path: &str, known: &[&str]) -> SettingsError {
    let name = path.rsplit('.').next().unwrap_or(path);
    let nearest = nearest(name, known.iter().copied());
    SettingsError::UnknownKey { origin: origin.clone(), key: path.to_owned(), nearest }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}
