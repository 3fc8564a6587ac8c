//! Prints the golden set's version, hash, and counts by category and language, as a Markdown table.
//!
//! `cargo run -p plumbline-evaluation --example golden-counts`

use std::error::Error;
use std::fs;
use std::path::Path;

use plumbline_evaluation::golden::{Category, GoldenSet, blob_hash};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/evaluation");
    let text = fs::read_to_string(folder.join("golden_queries.jsonl"))?;
    let version = fs::read_to_string(folder.join("VERSION"))?;
    let counts = GoldenSet::parse(&text)?.counts();

    println!("version {}, blob {}\n", version.trim(), blob_hash(&text));
    println!("| category | English | Dutch | total |\n|---|---|---|---|");
    for category in Category::ALL {
        let count = counts.by_category.get(category).copied().unwrap_or_default();
        println!("| {category} | {} | {} | {} |", count.english, count.dutch, count.all());
    }
    let total = counts.total;
    println!("| **total** | **{}** | **{}** | **{}** |", total.english, total.dutch, total.all());
    Ok(())
}
