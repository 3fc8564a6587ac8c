//! What's measured: passages a second of the built-in embedder, of each edition whose files there are, at 40, 120 and 230 tokens, in
//! batches of 32, on all cores and on one, with each set of vector instructions that this processor has; one question alone; time to
//! load and memory. Its peers, with `--features peers`: candle's own BERT over the same weights, and ONNX Runtime with an int8 model of the same shape. The
//! aim is not to be slower than ONNX Runtime in the same run. The peers give hidden states; the
//! built-in embedder also pools.
//!
//! All take turns, round by round, and the median counts, so that other work on the machine weighs on each alike. Where it
//! is so busy that threads wait for each other, passages a second of processor time say more.
//!
//! `cargo bench -p plumbline-models --bench embedder --features peers`

#![allow(clippy::unwrap_used)]

#[cfg(feature = "peers")]
#[path = "embedder/candle_bert.rs"]
mod candle_bert;
#[cfg(feature = "peers")]
#[path = "embedder/onnx.rs"]
mod onnx;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use plumbline_bert::Instructions;
use plumbline_models::embedder::{BuiltInEmbedder, Edition, FIRST, SECOND};
use plumbline_testkit::shared_data;
use rayon::ThreadPoolBuilder;
use tokenizers::Tokenizer;

const LENGTHS: [usize; 3] = [40, 120, 230];
const BATCH: usize = 32;
const ROUNDS: usize = 7;
const SENTENCE: &str = "The platform team keeps measured data for two years and removes it after the owner of the \
                        register has agreed; exceptions are recorded with a reason and reviewed every quarter. ";

type Run = Box<dyn FnMut(&[String])>;

struct Variant {
    name: String,
    run: Run,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/models").join(FIRST.folder)
}

/// The editions whose files this machine has, and where they lie.
fn editions() -> Vec<(&'static Edition, PathBuf)> {
    let second = shared_data::path(&format!("models/{}", SECOND.folder));
    [(&FIRST, folder())].into_iter().chain(second.map(|folder| (&SECOND, folder))).collect()
}

/// Texts of this many tokens, each starting at another place of the sentence.
fn batch(tokenizer: &Tokenizer, length: usize) -> Vec<String> {
    let words: Vec<&str> = SENTENCE.split_whitespace().collect();
    let text = |start: usize| {
        let mut text = String::new();
        for word in words.iter().cycle().skip(start) {
            let longer = format!("{text} {word}");
            if tokenizer.encode_fast(longer.as_str(), true).unwrap().len() > length {
                break;
            }
            text = longer;
        }
        text
    };
    (0..BATCH).map(text).collect()
}

/// The tokens of texts, all cut to the length of the shortest (they differ by one or two).
#[cfg(feature = "peers")]
fn equally_long_tokens(tokenizer: &Tokenizer, texts: &[String]) -> Vec<Vec<u32>> {
    let encode = |text: &String| tokenizer.encode_fast(text.as_str(), true).unwrap().get_ids().to_vec();
    let mut tokens: Vec<Vec<u32>> = texts.iter().map(encode).collect();
    let shortest = tokens.iter().map(Vec::len).min().unwrap();
    tokens.iter_mut().for_each(|tokens| tokens.truncate(shortest));
    tokens
}

fn built_in(edition: &'static Edition, folder: &Path, instructions: Instructions, threads: usize) -> Run {
    let embedder = BuiltInEmbedder::open_with(edition, folder, instructions).unwrap();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    Box::new(move |texts| {
        pool.install(|| embedder.embed_blocking(texts)).unwrap();
    })
}

#[cfg_attr(not(feature = "peers"), allow(unused_variables))]
fn variants(tokenizer: &Tokenizer, cores: usize) -> Vec<Variant> {
    let mut variants = Vec::new();
    let mut add = |name: String, run: Run| variants.push(Variant { name, run });
    #[cfg(feature = "peers")]
    {
        match onnx::runtime() {
            Ok(runtime) => {
                add(format!("ONNX Runtime int8, {cores} threads"), onnx::run(&runtime, tokenizer, cores));
                add("ONNX Runtime int8, 1 thread".to_owned(), onnx::run(&runtime, tokenizer, 1));
            }
            Err(reason) => println!("ONNX Runtime is left out: {reason}"),
        }
        add("candle's BERT, f32".to_owned(), candle_bert::run(&folder(), tokenizer));
    }
    for (edition, folder) in editions() {
        for (index, instructions) in Instructions::available().into_iter().enumerate() {
            // The baseline is for processors that have nothing better.
            if index > 0 && matches!(instructions, Instructions::Baseline) {
                continue;
            }
            let name = format!("{}, {} lanes", edition.folder, instructions.lanes());
            let run = |threads| built_in(edition, &folder, instructions, threads);
            add(format!("{name}, {cores} threads"), run(cores));
            if index == 0 {
                add(format!("{name}, 1 thread"), run(1));
            }
        }
    }
    variants
}

/// Seconds of processor time that this process has used, where the system tells.
fn processor_time() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // Counted from behind the name, which may hold spaces: user and system time are the 12th and 13th, in 1/100 s.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

fn resident_megabytes() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Loading, memory and a single question, before anything else fills memory and caches.
fn first_use() {
    let before = resident_megabytes();
    let embedder = BuiltInEmbedder::open(&FIRST, &folder()).unwrap();
    let question = ["Who owns the register of measured data?".to_owned()];
    let start = Instant::now();
    embedder.embed_blocking(&question).unwrap();
    println!("first question, loading included: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    if let (Some(before), Some(after)) = (before, resident_megabytes()) {
        println!("resident memory for the model: {:.0} MB", after - before);
    }
    let times = (0..50).map(|_| {
        let start = Instant::now();
        embedder.embed_blocking(&question).unwrap();
        start.elapsed().as_secs_f64() * 1e3
    });
    println!("one question, then: {:.1} ms", median(times.collect()));
}

fn main() {
    first_use();
    // `cargo test --benches` only asks whether it runs.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let tokenizer = Tokenizer::from_file(folder().join("tokenizer.json")).unwrap();
    let mut variants = variants(&tokenizer, cores);
    for length in LENGTHS {
        let texts = batch(&tokenizer, length);
        let mut seconds = vec![Vec::new(); variants.len()];
        let mut processor = vec![0.0; variants.len()];
        for round in 0..=ROUNDS {
            for (index, variant) in variants.iter_mut().enumerate() {
                let (start, used) = (Instant::now(), processor_time());
                (variant.run)(&texts);
                // The first round warms up.
                if round > 0 {
                    seconds[index].push(start.elapsed().as_secs_f64());
                    processor[index] += processor_time().unwrap_or(0.0) - used.unwrap_or(0.0);
                }
            }
        }
        println!(
            "\n{length} tokens: passages/s (slowest … fastest round) · × first line · per s of processor time"
        );
        let mut first = None;
        for ((variant, seconds), processor) in variants.iter().zip(seconds).zip(processor) {
            let speed = |seconds: f64| BATCH as f64 / seconds;
            let (slowest, fastest) = (
                seconds.iter().copied().fold(0.0, f64::max),
                seconds.iter().copied().fold(f64::MAX, f64::min),
            );
            let rate = speed(median(seconds));
            let reference = *first.get_or_insert(rate);
            println!(
                "{:<32} {rate:>7.1} ({:.1} … {:.1}) · {:.2} · {:.1}",
                variant.name,
                speed(slowest),
                speed(fastest),
                rate / reference,
                (BATCH * ROUNDS) as f64 / processor
            );
        }
    }
}
