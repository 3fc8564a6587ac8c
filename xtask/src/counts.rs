//! Counting tests from what test runners print.

use std::fmt;
use std::ops::AddAssign;

use crate::skipped;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// The sum over the closing lines of all of cargo's test binaries: `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
/// Tests that skipped themselves are among those passed, and named after them.
pub fn of_cargo(output: &str) -> Option<Counts> {
    let closing = output.lines().filter_map(|line| line.strip_prefix("test result: "));
    let counts = closing.filter_map(|line| line.split_once(". ")).map(|(_, rest)| read(rest.split("; ")));
    let mut total = sum(counts)?;
    let skipped = output.lines().filter(|line| line.starts_with(skipped::MARK)).count() as u64;
    total.passed = total.passed.saturating_sub(skipped);
    total.skipped += skipped;
    Some(total)
}

/// The line of vitest's summary that counts tests: `      Tests  1 failed | 7 passed | 2 skipped (10)`.
pub fn of_vitest(output: &str) -> Option<Counts> {
    let plain = without_colours(output);
    let summary = plain.lines().filter_map(|line| line.trim_start().strip_prefix("Tests "));
    sum(summary.map(|rest| read(rest.split_once('(').map_or(rest, |(counts, _)| counts).split('|'))))
}

fn sum(counts: impl Iterator<Item = Counts>) -> Option<Counts> {
    counts.reduce(|mut total, counts| {
        total += counts;
        total
    })
}

fn read<'a>(fields: impl Iterator<Item = &'a str>) -> Counts {
    let mut counts = Counts::default();
    for (number, word) in fields.filter_map(|field| field.trim().split_once(' ')) {
        let number: u64 = number.parse().unwrap_or_default();
        match word {
            "passed" => counts.passed += number,
            "failed" => counts.failed += number,
            "ignored" | "skipped" | "todo" => counts.skipped += number,
            _ => {}
        }
    }
    counts
}

/// Vitest colours even a pipe on some machines.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split('\u{1b}');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain += piece.split_once('m').map_or(piece, |(_, rest)| rest);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Counts, of_cargo, of_vitest};

    const fn counts(passed: u64, failed: u64, skipped: u64) -> Counts {
        Counts { passed, failed, skipped }
    }

    #[test]
    fn cargo_is_summed_over_its_binaries() {
        let output = "\
running 4 tests
test a ... ok

test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s

   Doc-tests plumbline_core

test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 5 filtered out; finished in 1.20s
";
        assert_eq!(of_cargo(output), Some(counts(13, 2, 1)));
    }

    #[test]
    fn a_test_that_skipped_itself_has_not_passed() {
        let output = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\n\
                      skipped test: core real_answers: there is no shared data\n";
        assert_eq!(of_cargo(output), Some(counts(2, 0, 2)));
    }

    #[test]
    fn a_build_that_failed_has_no_count() {
        assert_eq!(of_cargo("error: could not compile `plumbline-core` (lib test)\n"), None);
        assert_eq!(of_vitest("sh: 1: vitest: not found\n"), None);
    }

    #[test]
    fn a_line_that_merely_mentions_a_result_is_not_counted() {
        assert_eq!(of_cargo("thread 'x' said: test result: ok. 9 passed; 0 failed; 0 ignored"), None);
    }

    #[test]
    fn vitest_counts_tests_and_not_files() {
        let output = " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 7 passed | 2 skipped | 1 todo (11)\n";
        assert_eq!(of_vitest(output), Some(counts(7, 1, 3)));
    }

    #[test]
    fn vitest_is_understood_in_colour() {
        let output = "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m8 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (8)\u{1b}[39m\n";
        assert_eq!(of_vitest(output), Some(counts(8, 0, 0)));
    }

    #[test]
    fn the_closing_line_has_one_form() {
        assert_eq!(counts(12, 1, 3).to_string(), "12 passed, 1 failed, 3 skipped");
    }
}
