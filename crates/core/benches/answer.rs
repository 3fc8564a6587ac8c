//! What's measured: what a reply costs between the model and the window.
//!
//! - `gauntlet`: the marker parser alone, MB/s, over 1 MB of plain prose, and of prose with a marker in every sentence,
//!   one in four of them invented; fed in pieces of 24 bytes, as a model streams, and whole.
//! - `grounding`: a reply of 300 words held against five passages of 2,000 characters, reading the passages included.
//! - `stream`: the same reply through the whole of it, in pieces of 24 bytes.
//!
//! There is no peer: the bar is 50 MB/s for the gauntlet and 2 ms for the grounding of a reply.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plumbline_core::answer::AnswerStream;
use plumbline_core::answer::gauntlet::{Gauntlet, Minted};
use plumbline_core::answer::grounding::{CitedPassages, GroundingRules};
use plumbline_core::domain::{Chunk, Language, SourceId};
use plumbline_core::intent::Question;
use plumbline_core::text::UnitKind;
use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::facts::Fact;
use plumbline_testkit::prng::Prng;

const PASSAGES: usize = 5;
const PASSAGE_CHARS: usize = 2_000;
const REPLY_WORDS: usize = 300;
const PIECE: usize = 24;

struct Turn {
    chunks: Vec<Chunk>,
    sentences: Vec<(String, usize)>,
}

/// Five passages of made-up records and a true reply over them.
fn turn() -> Turn {
    let mut rng = Prng::new(7);
    let mut chunks = Vec::new();
    let mut facts: Vec<(Fact, usize)> = Vec::new();
    for at in 0..PASSAGES {
        let system = ["Kestrel", "Meridian", "Halyard", "Tessera", "Quillon"][at];
        let mut text = String::new();
        while text.len() < PASSAGE_CHARS {
            for fact in Fact::several(&mut rng, 6, &[system], Language::EN) {
                text.push_str(&fact.source());
                text.push(' ');
                facts.push((fact, at + 1));
            }
        }
        text.truncate(PASSAGE_CHARS);
        chunks.push(chunk(
            &adr(at as u32 + 1, &format!("The future of {system}")),
            0,
            &["Decision Outcome"],
            &text,
        ));
    }
    let mut sentences: Vec<(String, usize)> = Vec::new();
    let mut words = 0;
    while words < REPLY_WORDS {
        let (fact, alias) = rng.pick(&facts).clone();
        let sentence = fact.paraphrase(&mut rng);
        words += sentence.split(' ').count();
        sentences.push((sentence, alias));
    }
    Turn { chunks, sentences }
}

fn megabyte(sentence: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0.. {
        text.push_str(&sentence(at));
        if text.len() > 1_000_000 {
            break;
        }
    }
    text
}

fn sources() -> Vec<SourceId> {
    (0..PASSAGES).map(|at| format!("adr-{at:04}:0").parse().unwrap()).collect()
}

fn through_gauntlet(text: &str, piece: usize) -> usize {
    let mut gauntlet = Gauntlet::new(Minted::new(&sources()));
    let mut pieces = 0;
    for bytes in text.as_bytes().chunks(piece) {
        pieces += gauntlet.push(bytes).len();
    }
    pieces + gauntlet.finish().0.len()
}

fn gauntlet(criterion: &mut Criterion) {
    let plain = megabyte(|_| {
        "The platform keeps the audit events of every system for as long as the law requires it. ".to_owned()
    });
    let marked = megabyte(|at| {
        format!(
            "The platform keeps the audit events of every system for as long as the law requires [{}]. ",
            at % 4 + 3
        )
    });
    let mut group = criterion.benchmark_group("gauntlet");
    for (name, text) in [("plain", &plain), ("marked", &marked)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("{name}/whole"), |bencher| {
            bencher.iter(|| through_gauntlet(black_box(text), text.len()))
        });
        group.bench_function(format!("{name}/streamed"), |bencher| {
            bencher.iter(|| through_gauntlet(black_box(text), PIECE))
        });
    }
    group.finish();
}

fn grounding(criterion: &mut Criterion) {
    let turn = turn();
    let chunks: Vec<&Chunk> = turn.chunks.iter().collect();
    let mut group = criterion.benchmark_group("grounding");
    group.bench_function("passages", |bencher| {
        bencher.iter(|| CitedPassages::new(black_box(&chunks), GroundingRules::default()).len())
    });
    let passages = CitedPassages::new(&chunks, GroundingRules::default());
    group.bench_function("reply", |bencher| {
        bencher.iter(|| {
            for (sentence, alias) in &turn.sentences {
                black_box(passages.check(UnitKind::Sentence, sentence, &[*alias]));
            }
        });
    });
    group.bench_function("passages and reply", |bencher| {
        bencher.iter(|| {
            let passages = CitedPassages::new(black_box(&chunks), GroundingRules::default());
            for (sentence, alias) in &turn.sentences {
                black_box(passages.check(UnitKind::Sentence, sentence, &[*alias]));
            }
        });
    });
    group.finish();
}

fn stream(criterion: &mut Criterion) {
    let turn = turn();
    let chunks: Vec<&Chunk> = turn.chunks.iter().collect();
    let sources: Vec<SourceId> = chunks.iter().map(|chunk| chunk.source_id.clone()).collect();
    let reply: String = turn
        .sentences
        .iter()
        .map(|(sentence, alias)| format!("{} [{alias}]. ", sentence.trim_end_matches('.')))
        .collect();
    let question = Question::read("What was decided about Kestrel?", Language::EN);
    let mut group = criterion.benchmark_group("stream");
    group.bench_function("passages and reply", |bencher| {
        bencher.iter(|| {
            let passages = CitedPassages::new(black_box(&chunks), GroundingRules::default());
            let mut stream = AnswerStream::new(Minted::new(&sources), &passages, &question);
            for piece in reply.as_bytes().chunks(PIECE) {
                black_box(stream.push(piece));
            }
            stream.finish().1.kept
        });
    });
    group.finish();
}

criterion_group!(benches, gauntlet, grounding, stream);
criterion_main!(benches);
