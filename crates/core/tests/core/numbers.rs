//! Numbers that decide answers stand in `assets/numbers.toml`, or are settings. This reads the sources as text and finds those
//! that do not.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where literals decide answers: gates, retrieval, grounding, composing, confidence.
const DECIDING: [&str; 7] = [
    "gates.rs",
    "retrieval.rs",
    "retrieval/",
    "answer/compose.rs",
    "answer/grounding.rs",
    "answer/grounding/",
    "confidence.rs",
];

/// Literals that decide nothing, by a piece of their line, and why.
const ALLOWED_LITERALS: [(&str, &str); 18] = [
    ("rating.min(100)", "a rating is of a hundred"),
    ("f64::from(rating) / 100.0", "a rating is of a hundred"),
    ("two * 100.0 /", "confidence is of a hundred"),
    ("value.clamp(0.0, 100.0)", "confidence is of a hundred"),
    ("(adjusted * 1000.0).round() / 1000.0", "three decimals are shown"),
    ("(1..=3).contains(&digits)", "how list items are numbered in Markdown"),
    ("[&str; 9]", "the length of a list"),
    ("[char; 4]", "the length of a list"),
    ("[char; 8]", "the length of a list"),
    ("(20..100).contains(&value)", "how numbers are spelt"),
    ("value < 100 &&", "how numbers are spelt"),
    ("value * 100", "how numbers are spelt"),
    ("if value >= 100", "how numbers are spelt"),
    ("*rest < 100", "how numbers are spelt"),
    ("(20..100).contains(*value)", "how numbers are spelt"),
    ("compact.len() - at - 1 == 3", "thousands are written in threes"),
    ("(1..10).contains(value)", "how numbers are spelt"),
    ("part.len() != 3", "thousands are written in threes"),
];

/// Constants that decide nothing: where, and why.
const ALLOWED_CONSTANTS: [(&str, &str, &str); 10] = [
    ("domain/", "SENTENCE_WORDS", "an entry of front matter is a key and a value"),
    ("language/", "MOST_OPPOSITES", "the bits of a mask"),
    ("intent/", "LONGEST_PATTERN", "a guard of the pattern engine, far beyond any question"),
    ("answer/gauntlet", "LONGEST_ID", "a guard against endless markers"),
    ("answer/gauntlet", "LONGEST", "a guard against endless markers"),
    ("answer/gauntlet", "LONGEST_RANGE", "a guard against endless markers"),
    ("answer/citing", "FIRST", "a number that stands in for a name while a sentence is read"),
    ("answer/citing", "MOST", "as many names as such numbers"),
    ("engine/sketch", "LONGEST", "the length of a file's name"),
    ("response/", "SNIPPET_CHARS", "how much of a passage is shown; its whole text stands beside it"),
];

struct Found {
    file: String,
    line: usize,
    text: String,
    what: String,
}

#[test]
fn numbers_that_decide_answers_stand_in_the_data_file() {
    let mut unknown = Vec::new();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for (file, text) in sources() {
        for found in constants(&file, &text) {
            let is = |place: &str, name: &str| file.starts_with(place) && name == found.what;
            if let Some((_, name, _)) = ALLOWED_CONSTANTS.iter().find(|(place, name, _)| is(place, name)) {
                used.insert(name);
            } else {
                unknown.push(found);
            }
        }
        if !DECIDING.iter().any(|part| file == *part || part.ends_with('/') && file.starts_with(part)) {
            continue;
        }
        for found in literals_other_than_0_1_2(&file, &text) {
            let allowed = ALLOWED_LITERALS.iter().find(|(piece, _)| found.text.contains(piece));
            if let Some((piece, _)) = allowed {
                used.insert(piece);
            } else if !is_constant(&found.text) {
                unknown.push(found);
            }
        }
    }
    let in_file = numbers_in_the_data_file();
    println!("{in_file} numbers in the data file, {} that decide answers outside it", unknown.len());
    let unknown: Vec<String> = unknown
        .iter()
        .map(|found| format!("{}:{}: {} in `{}`", found.file, found.line, found.what, found.text.trim()))
        .collect();
    assert!(
        unknown.is_empty(),
        "put these into assets/numbers.toml, or say here why they decide nothing:\n{}",
        unknown.join("\n")
    );
    let listed = ALLOWED_LITERALS.iter().map(|(piece, _)| *piece);
    let listed = listed.chain(ALLOWED_CONSTANTS.iter().map(|(_, name, _)| *name));
    let needless: Vec<&str> = listed.filter(|piece| !used.contains(piece)).collect();
    assert_eq!(needless, [""; 0], "listed here, and no longer there");
}

#[test]
fn the_finder_finds() {
    let code = "const NEAR: f64 = 0.25;\nconst N: usize = 2;\nconst NAMES: [&str; 3] = [\"7\"];\n// 9 lines\n\
                let a = b.0 + 3 * c.len() + x[1];\nif y >= 0.35_f32 || 'z' == '8' || (1..=12).contains(&q) {}\n\
                let s = r#\"5 \" 6\"#; let t = 1.0 + 2.0 - 0 + 0x1F + 1e-6;\n#[cfg(test)]\nmod tests {\n  let k = 44;\n}\n";
    let code = plain(code);
    let whats = |found: Vec<Found>| found.into_iter().map(|found| found.what).collect::<Vec<_>>();
    assert_eq!(whats(constants("a.rs", &code)), ["NEAR", "N"]);
    let literals = whats(literals_other_than_0_1_2("a.rs", &code));
    assert_eq!(literals, ["0.25", "3", "3", "0.35_f32", "12", "0x1F", "1e-6"]);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The sources without tests, comments and texts, by their path.
fn sources() -> Vec<(String, String)> {
    let mut folders = vec![root()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
                sources.push((name, plain(&std::fs::read_to_string(path).unwrap())));
            }
        }
    }
    sources.sort();
    sources
}

fn numbers_in_the_data_file() -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/numbers.toml");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter(|line| line.starts_with("value = ")).count()
}

/// Code with its comments, texts and characters blanked, up to the tests at its end.
fn plain(code: &str) -> String {
    let code: Vec<char> = code.chars().collect();
    let starts =
        |at: usize, with: &str| code[at..].iter().copied().take(with.chars().count()).eq(with.chars());
    let mut plain = String::new();
    let mut at = 0;
    while at < code.len() {
        let end = if starts(at, "#[cfg(test)]\nmod tests {") {
            break;
        } else if starts(at, "//") {
            (at..code.len()).find(|at| code[*at] == '\n').unwrap_or(code.len())
        } else if code[at] == 'r' && (starts(at, "r\"") || starts(at, "r#")) {
            let hashes = code[at + 1..].iter().take_while(|c| **c == '#').count();
            let close = format!("\"{}", "#".repeat(hashes));
            let from = at + hashes + 2;
            (from..code.len()).find(|at| starts(*at, &close)).map_or(code.len(), |at| at + close.len())
        } else if code[at] == '"' {
            let mut end = at + 1;
            while end < code.len() && code[end] != '"' {
                end += if code[end] == '\\' { 2 } else { 1 };
            }
            end + 1
        } else if code[at] == '\'' && code.get(at + 1) == Some(&'\\') {
            (at + 3..code.len()).find(|at| code[*at] == '\'').map_or(code.len(), |at| at + 1)
        } else if code[at] == '\'' && code.get(at + 2) == Some(&'\'') {
            at + 3
        } else {
            plain.push(code[at]);
            at += 1;
            continue;
        };
        plain.extend(code[at..end.min(code.len())].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    plain
}

fn is_constant(line: &str) -> bool {
    constant(line).is_some()
}

/// The name of a constant that is one number, or a range of them.
fn constant(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("const ").filter(|(before, _)| !before.contains("fn "))?;
    let (name, rest) = rest.split_once(": ")?;
    let (kind, value) = rest.split_once(" = ")?;
    let number = ["f32", "f64", "u8", "u16", "u32", "u64", "i32", "i64", "usize"];
    let is_number = number.contains(&kind) || kind.contains("Range");
    (is_number && value.contains(|c: char| c.is_ascii_digit())).then_some(name)
}

fn constants(file: &str, code: &str) -> Vec<Found> {
    let found = |(line, text): (usize, &str)| {
        let what = constant(text)?.to_owned();
        Some(Found { file: file.to_owned(), line: line + 1, text: text.to_owned(), what })
    };
    code.lines().enumerate().filter_map(found).collect()
}

fn literals_other_than_0_1_2(file: &str, code: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for (line, text) in code.lines().enumerate() {
        for what in literals(text) {
            let value: String = what.replace("_f32", "").replace("_f64", "");
            if !["0", "1", "2", "0.0", "1.0", "2.0", "0_u32", "1_u32", "0_usize"].contains(&value.as_str()) {
                found.push(Found { file: file.to_owned(), line: line + 1, text: text.to_owned(), what });
            }
        }
    }
    found
}

/// The literals of a line; digits in names and places in tuples are none.
fn literals(line: &str) -> Vec<String> {
    let line: Vec<char> = line.chars().collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut literals = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let before = at.checked_sub(1).map(|at| line[at]);
        let range = at >= 2 && line[at - 2] == '.';
        let begins = line[at].is_ascii_digit() && !before.is_some_and(|c| is_word(c) || (c == '.' && !range));
        let from = at;
        at += 1;
        if !begins {
            continue;
        }
        let digit_after = |at: usize| line.get(at + 1).is_some_and(char::is_ascii_digit);
        while at < line.len()
            && (is_word(line[at])
                || (line[at] == '.' && digit_after(at))
                || (line[at] == '-' && line[at - 1] == 'e' && digit_after(at)))
        {
            at += 1;
        }
        literals.push(line[from..at].iter().collect());
    }
    literals
}
