//! What's measured: the embedded index over 6,000 generated concepts with 48,000 labels in two languages, the size of
//! STW, a large thesaurus in daily use: a look-up that hits (aim: p95 under 1 ms), the nearest labels of a slip, loading
//! from the cache (aim: under 300 ms, against reading the Turtle), and what the index adds to the process's memory (aim:
//! under 60 MB). Its peer is a server: 310 ms for the same look-up at that size (shared/skosmos/CONTRACT.md).
//!
//! `cargo bench -p plumbline-vocabulary --bench embedded`

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group};
use plumbline_core::domain::Language;
use plumbline_core::ports::{LookupOutcome, Vocabulary};
use plumbline_telemetry::SystemClock;
use plumbline_testkit::prng::Prng;
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::source::VocabularyFile;

const CONCEPTS: usize = 6_000;
const TURTLE: &str = "generated.ttl";
const CACHE: &str = "vocabulary.cache";
/// Set in the process that only measures its memory, to the folder with the files.
const MEASURE_MEMORY: &str = "PLUMBLINE_BENCH_MEMORY";
const WORDS: [&str; 16] = [
    "network",
    "asset",
    "metering",
    "transformer",
    "congestion",
    "profile",
    "station",
    "voltage",
    "market",
    "message",
    "boundary",
    "protection",
    "forecast",
    "balance",
    "connection",
    "cable",
];

fn label(rng: &mut Prng, at: usize) -> String {
    format!("{} {} {} {at}", rng.pick(&WORDS), rng.pick(&WORDS), rng.pick(&WORDS))
}

/// Turtle with for each concept two preferred, four alternative and two hidden labels, a notation, two definitions and a
/// broader concept.
fn turtle() -> (String, Vec<String>) {
    let mut rng = Prng::new(1);
    let mut text = String::from(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix e: <http://x.test/vocabulary/> .\n\
         e:scheme a skos:ConceptScheme ; skos:prefLabel \"Generated\"@en .\n",
    );
    let mut labels = Vec::new();
    for at in 0..CONCEPTS {
        let preferred = label(&mut rng, at);
        let _ = write!(
            text,
            "e:c{at} a skos:Concept ; skos:inScheme e:scheme ; skos:broader e:c{} ; skos:notation \"N{at}\" ;\n\
             skos:prefLabel \"{preferred}\"@en , \"{preferred} nl\"@nl ;\n",
            at / 10
        );
        for (property, language) in
            [("alt", "en"), ("alt", "en"), ("alt", "nl"), ("alt", "nl"), ("hidden", "en"), ("hidden", "nl")]
        {
            let _ =
                writeln!(text, "  skos:{property}Label \"{} {property}\"@{language} ;", label(&mut rng, at));
        }
        let definition = (0..25).map(|_| *rng.pick(&WORDS)).collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "  skos:definition \"The {definition}.\"@en , \"De {definition}.\"@nl .");
        labels.push(preferred);
    }
    (text, labels)
}

fn resident_kilobytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn p95(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() * 95 / 100]
}

fn embedded(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let (path, cache) = (folder.path().join(TURTLE), folder.path().join(CACHE));
    let labels = {
        let (text, labels) = turtle();
        fs::write(&path, text).unwrap();
        labels
    };
    let files = [VocabularyFile::alone(&path)];
    let started = Instant::now();
    let (_, defects) = EmbeddedVocabulary::load_cached(&files, &cache, &SystemClock);
    let from_turtle = started.elapsed();
    assert!(defects.is_empty());

    let started = Instant::now();
    let (vocabulary, _) = EmbeddedVocabulary::load_cached(&files, &cache, &SystemClock);
    let from_cache = started.elapsed();

    let mut rng = Prng::new(2);
    let times = (0..20_000).map(|_| {
        let label = rng.pick(&labels).to_uppercase();
        let started = Instant::now();
        let outcome = black_box(vocabulary.look_up(&label, Language::EN));
        let took = started.elapsed();
        assert!(matches!(outcome, LookupOutcome::Found(_)));
        took
    });
    let p95 = p95(times.collect());
    println!(
        "{CONCEPTS} concepts: from Turtle {from_turtle:?}, from the cache {from_cache:?}, look-up p95 {p95:?}"
    );
    // Another process, because this one's allocator still holds what reading Turtle took.
    let own = std::env::current_exe().unwrap();
    let _ = std::process::Command::new(own).env(MEASURE_MEMORY, folder.path()).status();

    let term = labels[4_321].to_uppercase();
    let slip = labels[1_234].replacen('e', "r", 1);
    criterion.bench_function("look-up, hit", |bench| {
        bench.iter(|| black_box(vocabulary.look_up(&term, Language::EN)))
    });
    criterion.bench_function("look-up, miss", |bench| {
        bench.iter(|| black_box(vocabulary.look_up(&slip, Language::EN)))
    });
    criterion.bench_function("nearest labels", |bench| {
        bench.iter(|| {
            futures::executor::block_on(vocabulary.nearest_labels(black_box(&slip), Language::EN, 3))
        });
    });
    let mut slow = criterion.benchmark_group("load");
    slow.sample_size(10);
    slow.bench_function("from the cache", |bench| {
        bench.iter(|| EmbeddedVocabulary::load_cached(&files, &cache, &SystemClock));
    });
    slow.bench_function("from Turtle", |bench| bench.iter(|| EmbeddedVocabulary::load(&files, &SystemClock)));
    slow.finish();
}

/// What the process holds before and after it loads from the cache.
fn measure_memory(folder: &Path) {
    let files = [VocabularyFile::alone(folder.join(TURTLE))];
    let before = resident_kilobytes();
    let (vocabulary, _) = EmbeddedVocabulary::load_cached(&files, &folder.join(CACHE), &SystemClock);
    if let (Some(before), Some(after)) = (before, resident_kilobytes()) {
        let added = after.saturating_sub(before) / 1024;
        println!(
            "memory: {added} MB for {} concepts, with what loading left behind",
            vocabulary.data().concepts.len()
        );
    }
}

criterion_group!(benches, embedded);

fn main() {
    match std::env::var_os(MEASURE_MEMORY) {
        Some(folder) => measure_memory(Path::new(&folder)),
        None => benches(),
    }
}
