//! Facts of made-up architecture records: how a record states them, how others would say the same, and the opposite.

use jiff::civil::Date;
use plumbline_core::domain::Language;
use plumbline_core::text::capitalised;

use crate::facts_dutch::DUTCH;
use crate::facts_english::ENGLISH;
use crate::prng::Prng;

/// What a template's sentence is about, as far as a liar wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// A number with a unit.
    Number,
    /// A day.
    Date,
    /// The id of a record.
    Id,
    /// A standard with a version.
    Code,
    /// Words in quotation marks.
    Quote,
    /// An address.
    Link,
    /// A person.
    Person,
    /// Nothing but systems and things.
    Plain,
}

/// A way to state a fact, with `{slots}`.
pub struct Template {
    /// What can be falsified in it.
    pub anchor: Anchor,
    /// As the record says it.
    pub source: &'static str,
    /// As others would say it.
    pub paraphrases: &'static [&'static str],
    /// As it is not.
    pub opposites: &'static [&'static str],
}

/// What stands in the slots.
#[derive(Debug, Clone)]
pub struct Values {
    /// `{system}`
    pub system: String,
    /// `{target}`
    pub target: String,
    /// `{thing}`
    pub thing: String,
    /// `{team}`
    pub team: String,
    /// `{person}`
    pub person: String,
    /// `{code}`
    pub code: String,
    /// `{quote}`
    pub quote: String,
    /// `{url}`
    pub url: String,
    /// `{adr}`
    pub record: u32,
    /// `{older}`
    pub older: u32,
    /// `{n}` in figures, `{w}` in words.
    pub amount: u32,
    /// `{unit}`, plural.
    pub unit: &'static str,
    /// `{date}`, and in other spellings `{long}` and `{other}`.
    pub date: Date,
}

/// A fact in a language.
#[derive(Clone)]
pub struct Fact {
    /// How it is said.
    pub template: &'static Template,
    /// Of what.
    pub values: Values,
    /// In which language.
    pub language: Language,
}

const TARGETS: [&str; 6] = ["Cobalt", "Larkspur", "Umbra", "Vantage", "Redwood", "Solstice"];
const TEAMS: [&str; 6] = ["Orion", "Lumen", "Basalt", "Juniper", "Marlin", "Sextant"];
const PEOPLE: [&str; 8] = [
    "Fatima el Amrani",
    "Sander Kuipers",
    "Ingrid de Wit",
    "Tomasz Zielinski",
    "Bram Hofstra",
    "Lies Verhoeven",
    "Priya Nair",
    "Joost Mulder",
];
const CODES: [&str; 8] =
    ["TLS 1.3", "AES-256", "OAuth 2.1", "IEC 61850", "CIM17", "PostgreSQL 16", "ISO 27001", "SHA-512"];
const FOREIGN_CODES: [&str; 6] = ["TLS 1.1", "AES-192", "OAuth 1.0", "IEC 62351", "CIM15", "MD5"];
const PAGES: [&str; 6] = ["runbooks", "handbook", "decisions", "contracts", "interfaces", "checklists"];

struct LanguageWords {
    things: [&'static str; 8],
    quotes: [&'static str; 4],
    foreign_quotes: [&'static str; 3],
    units: [&'static str; 4],
    months: [&'static str; 12],
}

const ENGLISH_WORDS: LanguageWords = LanguageWords {
    things: [
        "audit events",
        "meter readings",
        "customer contracts",
        "signing keys",
        "switching orders",
        "grid models",
        "access logs",
        "outage reports",
    ],
    quotes: [
        "simplicity comes before speed",
        "nothing leaves the control room unsigned",
        "one owner for every interface",
        "what is not logged did not happen",
    ],
    foreign_quotes: ["anything goes at night", "the vendor always decides", "speed is all that counts"],
    units: ["days", "hours", "weeks", "months"],
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
};

const DUTCH_WORDS: LanguageWords = LanguageWords {
    things: [
        "auditgebeurtenissen",
        "meterstanden",
        "klantcontracten",
        "handtekeningsleutels",
        "schakelopdrachten",
        "netmodellen",
        "toegangslogboeken",
        "storingsmeldingen",
    ],
    quotes: [
        "eenvoud gaat voor snelheid",
        "niets verlaat de meldkamer zonder handtekening",
        "elke koppeling heeft één eigenaar",
        "wat niet is vastgelegd is niet gebeurd",
    ],
    foreign_quotes: ["des nachts mag alles", "de leverancier beslist altijd", "alleen snelheid telt"],
    units: ["dagen", "uur", "weken", "maanden"],
    months: [
        "januari",
        "februari",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ],
};

fn words_of(language: Language) -> &'static LanguageWords {
    match language {
        Language::NL => &DUTCH_WORDS,
        _ => &ENGLISH_WORDS,
    }
}

impl Values {
    /// Values for a fact about a system.
    pub fn by_chance(rng: &mut Prng, system: &str, language: Language) -> Self {
        let words = words_of(language);
        let record = 1 + rng.below(80) as u32;
        Self {
            system: system.to_owned(),
            target: (*rng.pick(&TARGETS)).to_owned(),
            thing: (*rng.pick(&words.things)).to_owned(),
            team: (*rng.pick(&TEAMS)).to_owned(),
            person: (*rng.pick(&PEOPLE)).to_owned(),
            code: (*rng.pick(&CODES)).to_owned(),
            quote: (*rng.pick(&words.quotes)).to_owned(),
            url: format!("https://docs.example.org/{}/{}", rng.pick(&PAGES), system.to_lowercase()),
            record: record + 1,
            older: record,
            amount: 2 + rng.below(94) as u32,
            unit: words.units[rng.below(words.units.len())],
            date: Date::constant(
                2020 + rng.below(9) as i16,
                1 + rng.below(12) as i8,
                1 + rng.below(28) as i8,
            ),
        }
    }

    /// Changes all that a passage may hold into what none holds.
    pub fn alter_beyond(&mut self, held: impl Fn(&str) -> bool) {
        "Hendrik Oosterling".clone_into(&mut self.person);
        "Nightjar".clone_into(&mut self.target);
        "Corsair".clone_into(&mut self.team);
        self.code = FOREIGN_CODES[self.amount as usize % FOREIGN_CODES.len()].to_owned();
        self.url = format!("https://{}.example.net/login", self.team.to_lowercase());
        self.record += 4000;
        self.older += 5000;
        let year = (2031..2060).find(|year| !held(&year.to_string())).unwrap_or(2077);
        self.date = Date::constant(year, self.date.month(), self.date.day());
    }

    /// A quotation that no record holds.
    pub fn foreign_quote(rng: &mut Prng, language: Language) -> &'static str {
        let quotes = &words_of(language).foreign_quotes;
        quotes[rng.below(quotes.len())]
    }
}

impl Fact {
    /// Facts about the systems, no two of the same template and no value twice.
    pub fn several(rng: &mut Prng, count: usize, systems: &[&str], language: Language) -> Vec<Self> {
        let mut templates: Vec<&'static Template> = match language {
            Language::NL => DUTCH.iter().collect(),
            _ => ENGLISH.iter().collect(),
        };
        rng.shuffle(&mut templates);
        let mut facts: Vec<Self> = Vec::new();
        for template in templates.into_iter().take(count) {
            loop {
                let system = *rng.pick(systems);
                let values = Values::by_chance(rng, system, language);
                let clash = facts.iter().any(|fact| {
                    let held = &fact.values;
                    held.amount == values.amount
                        || held.date == values.date
                        || held.thing == values.thing
                        || held.person == values.person
                        || held.code == values.code
                        || held.record.abs_diff(values.record) < 3
                });
                if !clash {
                    facts.push(Self { template, values, language });
                    break;
                }
            }
        }
        facts
    }

    /// As the record says it.
    pub fn source(&self) -> String {
        self.say(self.template.source)
    }

    /// As someone else would say it.
    pub fn paraphrase(&self, rng: &mut Prng) -> String {
        let paraphrase = rng.pick(self.template.paraphrases);
        self.say(paraphrase)
    }

    /// As it is not.
    pub fn opposite(&self, rng: &mut Prng) -> Option<String> {
        if self.template.opposites.is_empty() {
            return None;
        }
        let opposite = rng.pick(self.template.opposites);
        Some(self.say(opposite))
    }

    /// The head of the table that numbers are repeated in.
    pub fn table_head(&self) -> Option<&'static str> {
        (self.template.anchor == Anchor::Number).then_some(match self.language {
            Language::NL => "| Systeem | Onderwerp | Waarde |",
            _ => "| System | Subject | Value |",
        })
    }

    /// The fact as a row of that table.
    pub fn table_row(&self) -> Option<String> {
        self.table_head().map(|_| {
            let Values { system, thing, amount, .. } = &self.values;
            format!("| {system} | {thing} | {amount} |")
        })
    }

    /// Fills a template's slots.
    pub fn say(&self, template: &str) -> String {
        let values = &self.values;
        let months = words_of(self.language).months;
        let (year, month, day) = (values.date.year(), values.date.month(), values.date.day());
        let name = months[month as usize - 1];
        let (long, other) = match self.language {
            Language::NL => (format!("{day} {name} {year}"), format!("{day:02}-{month:02}-{year}")),
            _ => (format!("{day} {name} {year}"), format!("{name} {day}, {year}")),
        };
        let said = template
            .replace("{system}", &values.system)
            .replace("{target}", &values.target)
            .replace("{thing}", &values.thing)
            .replace("{team}", &values.team)
            .replace("{person}", &values.person)
            .replace("{code}", &values.code)
            .replace("{quote}", &values.quote)
            .replace("{url}", &values.url)
            .replace("{adr}", &format!("ADR-{:04}", values.record))
            .replace("{older}", &format!("ADR-{:04}", values.older))
            .replace("{n}", &values.amount.to_string())
            .replace("{w}", &in_words(values.amount, self.language))
            .replace("{unit}", values.unit)
            .replace("{date}", &values.date.to_string())
            .replace("{long}", &long)
            .replace("{other}", &other);
        capitalised(&said)
    }
}

fn in_words(number: u32, language: Language) -> String {
    const EN: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const EN_TENS: [&str; 10] =
        ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    const NL: [&str; 20] = [
        "nul",
        "één",
        "twee",
        "drie",
        "vier",
        "vijf",
        "zes",
        "zeven",
        "acht",
        "negen",
        "tien",
        "elf",
        "twaalf",
        "dertien",
        "veertien",
        "vijftien",
        "zestien",
        "zeventien",
        "achttien",
        "negentien",
    ];
    const NL_TENS: [&str; 10] =
        ["", "", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"];
    let (tens, ones) = ((number / 10) as usize, (number % 10) as usize);
    match (language, number) {
        (Language::EN, 0..20) => EN[number as usize].to_owned(),
        (Language::NL, 0..20) => NL[number as usize].to_owned(),
        (Language::EN, 20..100) if ones == 0 => EN_TENS[tens].to_owned(),
        (Language::NL, 20..100) if ones == 0 => NL_TENS[tens].to_owned(),
        (Language::EN, 20..100) => format!("{}-{}", EN_TENS[tens], EN[ones]),
        (Language::NL, 20..100) => {
            let ones = if ones == 1 { "een" } else { NL[ones] };
            let joint = if ones.ends_with('e') { "ën" } else { "en" };
            format!("{ones}{joint}{}", NL_TENS[tens])
        }
        _ => number.to_string(),
    }
}
