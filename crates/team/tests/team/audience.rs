//! Two tenants and three tags: what a reader's keys do not open is in no answer, list, count or score.

use std::collections::BTreeMap;

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::{Catalogue, Hit, Index, Scope};
use plumbline_testkit::prng::Prng;

use crate::stores::Guarded;
use crate::support::{Desk, RUNTIME, Shared, dense, lexical, number_or};

const TAGS: [&str; 3] = ["security", "board", "hr"];
/// How many questions are asked; more where this says so.
const QUESTIONS: &str = "PLUMBLINE_TEAM_QUESTIONS";
const DEFAULT_QUESTIONS: usize = 120;
const WORDS: [&str; 12] = [
    "token", "gateway", "archive", "dike", "sensor", "license", "audit", "payment", "queue", "schema",
    "pump", "mandate",
];

struct Written {
    number: u32,
    tenant: &'static str,
    tags: Vec<&'static str>,
    text: String,
}

/// Records over two tenants with every mixture of tags, in words of which each stands in several.
fn records() -> Vec<Written> {
    let mut chance = Prng::new(31);
    let mut records = Vec::new();
    for (tenant, first) in [("default", 1), ("south", 101)] {
        for number in first..first + 20 {
            let tags: Vec<&str> = TAGS.into_iter().filter(|_| chance.chance(35)).collect();
            let words: Vec<&str> = (0..8).map(|_| *chance.pick(&WORDS)).collect();
            // Some name a record that not everybody may see.
            let replaces = if number % 5 == 0 {
                format!("\nSupersedes [{0}](../adr/{0:04}-x.md)\n", number - 1)
            } else {
                String::new()
            };
            let text = format!(
                "---\ntitle: Decision {number}\nstatus: accepted\naccess_tags: [{}]\n---\n\n# Decision {number}\n{replaces}\n## Decision\n\nWe settle {}.\n",
                tags.join(", "),
                words.join(" and ")
            );
            records.push(Written { number, tenant, tags, text });
        }
    }
    records
}

fn write(desk: &Desk, records: &[&Written]) {
    for tenant in ["default", "south"] {
        let own: Vec<_> = records.iter().filter(|record| record.tenant == tenant).collect();
        if own.is_empty() {
            continue;
        }
        for record in own {
            desk.write(&format!("{tenant}/adr/{:04}-x.md", record.number), &record.text);
        }
        let manifest = format!(
            "[library]\nname = \"{tenant}\"\ntenant = \"{tenant}\"\n[[source]]\nname = \"{tenant}\"\npath = \".\"\ndefault = {}\n",
            tenant == "default"
        );
        desk.write(&format!("{tenant}/library.toml"), &manifest);
        desk.index_folder(&desk.docs().join(tenant));
    }
}

/// The shelves by whom they are for, as their own manifests say.
fn shelves(shared: &Shared) -> BTreeMap<(String, Vec<String>), String> {
    let manifests = shared.files().into_iter().filter(|name| name.contains("/manifests/"));
    manifests
        .map(|name| {
            let text = std::fs::read_to_string(shared.path(&name)).unwrap();
            let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
            let tags = manifest["access_tags"].as_array().unwrap().iter();
            let tags = tags.map(|tag| tag.as_str().unwrap().to_owned()).collect();
            let tenant = manifest["tenant"].as_str().unwrap().to_owned();
            ((tenant, tags), name.split('/').nth(1).unwrap().to_owned())
        })
        .collect()
}

fn scored(hits: &[Hit]) -> Vec<(String, Option<f32>, Option<f32>)> {
    hits.iter().map(|hit| (hit.chunk.source_id.to_string(), hit.lexical, hit.cosine)).collect()
}

#[test]
fn nothing_outside_of_a_shelf_tells_of_it() {
    let (publisher, shared) = (Desk::new(), Shared::new());
    let records = records();
    write(&publisher, &records.iter().collect::<Vec<_>>());
    publisher.publish(&shared.remote()).unwrap();
    let generation = std::fs::read_to_string(shared.path("generations/1.json")).unwrap();
    let told = TAGS.into_iter().chain(WORDS).chain(["default", "south", "adr", "Decision"]);
    for word in told {
        assert!(!generation.contains(word), "the generation names `{word}`");
        let names = shared.files();
        assert!(names.iter().all(|name| !name.contains(word)), "the name of a file has `{word}`");
    }
}

#[test]
fn a_reader_finds_and_scores_as_in_a_library_that_never_had_the_rest() {
    let (publisher, shared) = (Desk::new(), Shared::new());
    let records = records();
    write(&publisher, &records.iter().collect::<Vec<_>>());
    publisher.publish(&shared.remote()).unwrap();
    let shelves = shelves(&shared);
    assert!(shelves.len() > 10, "{} shelves", shelves.len());
    let mut chance = Prng::new(5);
    for round in 0..4 {
        let opened: Vec<&(String, Vec<String>)> = shelves.keys().filter(|_| chance.chance(50)).collect();
        let keys: Vec<String> = opened.iter().map(|shelf| shelves[*shelf].clone()).collect();
        let is_open = |record: &&Written| {
            let mut tags: Vec<String> = record.tags.iter().map(|tag| (*tag).to_owned()).collect();
            tags.sort();
            opened.iter().any(|(tenant, access)| *tenant == record.tenant && *access == tags)
        };
        let visible: Vec<&Written> = records.iter().filter(is_open).collect();
        let (reader, other) = (Desk::new(), Desk::new());
        reader.subscribe(&shared.through(Guarded::reader(shared.store(), keys))).unwrap();
        write(&other, &visible);
        reader.check();
        let (followed, never_had) = (reader.library(), other.library());
        for question in 0..number_or(QUESTIONS, DEFAULT_QUESTIONS) / 4 {
            let scope = Scope {
                tenant: (*chance.pick(&["", "default", "south", "nobody"])).to_owned(),
                user_tags: TAGS.into_iter().filter(|_| chance.chance(50)).map(str::to_owned).collect(),
                collections: Vec::new(),
            };
            let text = format!("{} {} {}", chance.pick(&WORDS), chance.pick(&WORDS), 1 + chance.below(120));
            let at = format!("round {round}, question {question}: {text}, {scope:?}");
            assert_eq!(
                scored(&lexical(&followed, &text, &scope)),
                scored(&lexical(&never_had, &text, &scope)),
                "{at}"
            );
            assert_eq!(
                scored(&dense(&followed, &text, &scope)),
                scored(&dense(&never_had, &text, &scope)),
                "{at}"
            );
            assert_eq!(reader.ids_in(&followed, &scope), other.ids_in(&never_had, &scope), "{at}");
            let stems = [WORDS[question % WORDS.len()].to_owned()];
            let counted = |library: &plumbline_library::Library| {
                RUNTIME.block_on(library.term_statistics(&stems, &scope)).unwrap()
            };
            assert_eq!(counted(&followed), counted(&never_had), "{at}");
        }
        for record in &records {
            let name = if record.tenant == "south" { "south-" } else { "" };
            let scope = Scope {
                tenant: record.tenant.to_owned(),
                user_tags: TAGS.map(str::to_owned).to_vec(),
                collections: Vec::new(),
            };
            for id in [format!("{name}adr-{:04}", record.number), format!("adr-{:04}", record.number)] {
                let id = DocumentId::new(id).unwrap();
                let found = |library: &plumbline_library::Library| {
                    let document = RUNTIME.block_on(library.document(&id, &scope)).unwrap();
                    document.map(|document| {
                        (document.title.clone(), document.supersedes.clone(), document.superseded_by.clone())
                    })
                };
                assert_eq!(
                    found(&followed),
                    found(&never_had),
                    "what records say of each other tells of none that is hidden"
                );
            }
        }
    }
}

#[test]
fn a_shelf_that_is_closed_later_goes_and_one_that_is_opened_comes() {
    let (publisher, reader, shared) = (Desk::new(), Desk::new(), Shared::new());
    let records = records();
    write(&publisher, &records.iter().collect::<Vec<_>>());
    publisher.publish(&shared.remote()).unwrap();
    let shelves = shelves(&shared);
    let everything = Scope { user_tags: TAGS.map(str::to_owned).to_vec(), ..Scope::default() };
    let open = |tags: &[&str]| {
        let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
        shelves[&("default".to_owned(), tags)].clone()
    };
    let count = |tags: &[&str]| {
        records.iter().filter(|record| record.tenant == "default" && record.tags == tags).count()
    };
    let keys = |shelves: Vec<String>| shared.through(Guarded::reader(shared.store(), shelves));
    reader.subscribe(&keys(vec![open(&[])])).unwrap();
    assert_eq!(reader.ids(&everything).len(), count(&[]));
    reader.subscribe(&keys(vec![open(&[]), open(&["security"])])).unwrap();
    assert_eq!(reader.ids(&everything).len(), count(&[]) + count(&["security"]));
    assert_eq!(reader.ids(&Scope::default()).len(), count(&[]), "the workspace's tags hold, too");
    reader.subscribe(&keys(vec![open(&["security"])])).unwrap();
    assert_eq!(reader.ids(&everything).len(), count(&["security"]));
    let closed = reader.subscribe(&keys(Vec::new())).unwrap_err();
    assert!(matches!(closed, plumbline_team::TeamError::NoShelf { .. }), "{closed}");
    assert_eq!(
        reader.ids(&everything).len(),
        count(&["security"]),
        "keys that open nothing take nothing away"
    );
}
