//! Relations between records and contradictions between statements, held against truth tables.

mod contradictions;
mod pairs;
mod relations;

use plumbline_telemetry::sha256_hex;

pub use contradictions::{Compatible, Finding, Planted, alarms, found};
pub use pairs::{Pair, read_of_pairs, told};
pub use relations::{Found, RelationTruth, Share, TypeScore, missed, score, wrong};

/// Whether nothing may be fitted to what a file says: half of the files, by the hash of their path.
pub fn is_unseen(path: &str) -> bool {
    let digit = sha256_hex(path).chars().nth(1).and_then(|digit| digit.to_digit(16));
    digit.is_some_and(|digit| digit % 2 == 1)
}
