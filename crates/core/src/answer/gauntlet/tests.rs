//! Tests of citation markers in a reply.

use std::sync::LazyLock;

use proptest::prelude::*;
use regex::Regex;

use super::*;

fn minted(count: usize) -> Minted {
    let sources: Vec<SourceId> =
        (0..count).map(|n| format!("adr-{:04}:{n}", n + 12).parse().unwrap()).collect();
    Minted::new(&sources)
}

fn run(reply: &[u8], count: usize) -> (String, Vec<Dropped>) {
    let mut gauntlet = Gauntlet::new(minted(count));
    let mut pieces = gauntlet.push(reply);
    let (rest, dropped) = gauntlet.finish();
    pieces.extend(rest);
    (rendered(&pieces), dropped)
}

fn rendered(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Cite(alias) => format!("[{alias}]"),
        })
        .collect()
}

fn run_in_cuts(reply: &[u8], count: usize, cuts: &[usize]) -> (String, Vec<Dropped>) {
    let mut gauntlet = Gauntlet::new(minted(count));
    let mut pieces = Vec::new();
    let mut start = 0;
    for &cut in cuts {
        let end = (start + cut).min(reply.len());
        pieces.extend(gauntlet.push(&reply[start..end]));
        start = end;
    }
    pieces.extend(gauntlet.push(&reply[start..]));
    let (rest, dropped) = gauntlet.finish();
    pieces.extend(rest);
    (rendered(&pieces), dropped)
}

fn check(reply: &str, expected: &str, reasons: &[DropReason]) {
    let (text, dropped) = run(reply.as_bytes(), 3);
    assert_eq!(text, expected, "reply {reply:?}");
    let got: Vec<_> = dropped.iter().map(|d| d.reason).collect();
    assert_eq!(got, reasons, "reply {reply:?}");
    let byte_by_byte = run_in_cuts(reply.as_bytes(), 3, &vec![1; reply.len()]);
    assert_eq!(byte_by_byte.0, expected, "byte by byte: {reply:?}");
    assert_eq!(byte_by_byte.1, dropped, "byte by byte: {reply:?}");
}

#[test]
fn test_extract_citations_valid() {
    check("CIM is canonical [1]. See also [2, 3].", "CIM is canonical [1]. See also [2][3].", &[]);
    check("Kept [SourceId: adr-0012:0] as well.", "Kept [1] as well.", &[]);
    check(
        "Forms [Source 2] (passage 3) [^1] 【2】 ［3］ [1†source].",
        "Forms [2] [3] [1]   .",
        &[DropReason::Repeated; 3],
    );
    check("A range [1-3].", "A range [1][2][3].", &[]);
    check("Een bron [bron 1 en 2].", "Een bron [1][2].", &[]);
}

#[test]
fn test_extract_citations_invalid() {
    use DropReason::*;
    check("Invented [4].", "Invented .", &[UnknownAlias]);
    check("Zero [0], huge [99999999999999999999].", "Zero , huge .", &[UnknownAlias, UnknownAlias]);
    check("Half known [1, 9].", "Half known [1].", &[UnknownAlias]);
    check("Unknown [SourceId: adr-9999:1].", "Unknown .", &[UnknownSource]);
    check("Unnamed [adr-9999:1].", "Unnamed .", &[UnknownSource]);
    check("Named [Source: handbook.pdf, page 3].", "Named .", &[Malformed]);
    check("Broken [1,] and [,2].", "Broken  and .", &[Malformed, Malformed]);
    check("Hidden [\u{200B}9] and wide [９].", "Hidden  and wide .", &[UnknownAlias, UnknownAlias]);
    check("Other digits [٩].", "Other digits .", &[Malformed]);
    check(
        "A number that is a letter once it is made plain [㆒].",
        "A number that is a letter once it is made plain .",
        &[Malformed],
    );
}

#[test]
fn what_is_no_marker_stays_as_it_is() {
    for text in [
        "A [link](x) and a [ ] box, [#6121], [ADR 0036], [2022-03-14], [1.3], a[i], [source code], (1), (2014), [10:30], 12:45.",
        "Port gateway-1:443 and key:value, ratio 3:1, https://example.org:8080/x.",
        "Unclosed [ bracket and (source of truth, [see below",
        "[]",
    ] {
        check(text, text, &[]);
    }
}

#[test]
fn repeated_markers_go_within_one_sentence_only() {
    check("A [1] and [1]. B [1].", "A [1] and . B [1].", &[DropReason::Repeated]);
    check("A [1]. [1] B. [1]", "A [1].  B. [1]", &[DropReason::Repeated]);
    check("One [1]\nTwo [1]", "One [1]\nTwo [1]", &[]);
    check("TLS v1.3 [1] x [1]", "TLS v1.3 [1] x ", &[DropReason::Repeated]);
}

#[test]
fn internal_ids_leak_in_no_spelling() {
    use DropReason::*;
    check("As adr-0012:0 says", "As  says", &[LeakedId]);
    check("As adr-7777:42, says", "As , says", &[LeakedId]);
    check("SourceId: adr-0012:0 says", "  says", &[LeakedId, LeakedId]);
    check("(adr-0012:0)", "()", &[LeakedId]);
    check("team-adr-0012:3 too", " too", &[LeakedId]);
    check("ends in adr-0012:0", "ends in ", &[LeakedId]);
}

#[test]
fn pieces_of_dropped_markers_never_add_up_to_a_new_one() {
    use DropReason::*;
    check("[[9]7]", "", &[UnknownAlias, UnknownAlias]);
    check("[[9]1]", "[1]", &[UnknownAlias]);
    check("[[1]7]", "[[1]7]", &[]);
    check("[[1]]", "[[1]]", &[]);
    check("[adr-9999:1[8]]", "", &[UnknownAlias, UnknownSource]);
    check("adr-0012[9]:3 x", " x", &[UnknownAlias, LeakedId]);
    check(&format!("[{}7]", "[99]".repeat(200)), "", &[UnknownAlias; 201]);
}

#[test]
fn a_marker_cut_off_by_the_end_is_dropped() {
    check("Text [1", "Text ", &[DropReason::Malformed]);
    check("Text [SourceId: adr-0012", "Text ", &[DropReason::Malformed]);
    check("Text [", "Text [", &[]);
}

#[test]
fn a_huge_marker_is_one_marker() {
    let huge = format!("x [{}1] y", "0".repeat(100_000));
    check(&huge, "x [1] y", &[]);
    check(&format!("x [{}] y", "9".repeat(100_000)), "x  y", &[DropReason::UnknownAlias]);
}

#[test]
fn broken_utf8_becomes_the_replacement_character_however_it_is_cut() {
    let reply = b"\xffA [1] \xe3\x80 \xe2\x82\xac \xf0\x9f";
    let whole = run(reply, 3);
    assert_eq!(whole.0, "\u{FFFD}A [1] \u{FFFD} € \u{FFFD}");
    assert_eq!(run_in_cuts(reply, 3, &vec![1; reply.len()]), whole);
}

/// An independent reading of the rule: no bracketed number, of any script, outside the minted set.
fn foreign_markers(text: &str, count: usize) -> Vec<String> {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[\[【［]\s*\^?\s*(\p{N}+)\s*[\]】］]").unwrap());
    PATTERN
        .captures_iter(text)
        .filter(|found| found[1].parse::<usize>().map_or(true, |alias| !(1..=count).contains(&alias)))
        .map(|found| found[0].to_owned())
        .collect()
}

static LEAK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("(^|[^A-Za-z0-9:-])adr-[0-9]{4}:[0-9]+($|[^A-Za-z0-9:-])").unwrap());

fn reply_pieces() -> impl Strategy<Value = Vec<String>> {
    let fixed = prop::sample::select(vec![
        "[",
        "]",
        "(",
        ")",
        "【",
        "】",
        "［",
        "］",
        "1",
        "2",
        "9",
        "17",
        ",",
        "-",
        ":",
        " ",
        "\n",
        ".",
        "^",
        "†",
        "adr-0012:0",
        "adr-9999:3",
        "SourceId: ",
        "source ",
        "Passage ",
        "and ",
        "[1]",
        "[9]",
        "[SourceId: adr-0012:0]",
        "[SourceId: x:1]",
        "word",
        "é",
        "\u{200B}",
        "٣",
        "４",
    ])
    .prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![8 => fixed, 1 => "\\PC{0,6}"], 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_marker_outside_the_minted_set_survives(pieces in reply_pieces()) {
        let reply = pieces.concat();
        let (text, _) = run(reply.as_bytes(), 3);
        prop_assert!(foreign_markers(&text, 3).is_empty(), "{:?} became {:?}", reply, text);
        prop_assert!(!LEAK.is_match(&text), "{:?} leaked in {:?}", reply, text);
    }

    #[test]
    fn how_the_stream_is_cut_does_not_matter(pieces in reply_pieces(), cuts in prop::collection::vec(1_usize..9, 0..80)) {
        let reply = pieces.concat();
        prop_assert_eq!(run_in_cuts(reply.as_bytes(), 3, &cuts), run(reply.as_bytes(), 3));
    }

    #[test]
    fn text_is_otherwise_unchanged(words in prop::collection::vec(("[a-zA-Zé ,;!?]{1,12}", prop::option::of(1_usize..6)), 0..12)) {
        // One sentence per marker, so that no marker repeats; the oracle is how the reply was built.
        let mut reply = String::new();
        let mut expected = String::new();
        for (text, alias) in words {
            let text = format!("{}.", text.replace(['!', '?'], ""));
            reply.push_str(&text);
            expected.push_str(&text);
            if let Some(alias) = alias {
                reply.push_str(&format!(" [{alias}]"));
                expected.push(' ');
                if alias <= 3 {
                    expected.push_str(&format!("[{alias}]"));
                }
            }
            reply.push_str("\nx");
            expected.push_str("\nx");
        }
        prop_assert_eq!(run(reply.as_bytes(), 3).0, expected);
    }

    #[test]
    fn any_bytes_pass_without_panic_and_independent_of_cuts(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert_eq!(run_in_cuts(&bytes, 3, &vec![1; bytes.len()]), run(&bytes, 3));
    }
}
