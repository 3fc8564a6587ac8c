use plumbline_core::domain::Language;
use plumbline_library::{ChunkRules, chunk, read};

use crate::support::{chunks, covered, markdown};

#[test]
fn passages_follow_headings_and_never_cross_them() {
    let document = markdown(
        "# Use CIM\n\nIntro.\n\n## Context\n\nWhy.\n\n### Details\n\nHow.\n\n## Empty\n\n## Decision\n\nYes.\n",
    );
    let found: Vec<(Vec<String>, String)> =
        chunks(&document, "Use CIM").into_iter().map(|chunk| (chunk.section_path, chunk.text)).collect();
    let path = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        found,
        [
            (path(&[]), "Intro.".to_owned()),
            (path(&["Context"]), "Why.".to_owned()),
            (path(&["Context", "Details"]), "How.".to_owned()),
            (path(&["Decision"]), "Yes.".to_owned()),
        ],
        "the title is no part of the path, small sections stay apart, empty ones are none"
    );
}

#[test]
fn the_title_is_known_with_its_number_and_at_any_level() {
    for heading in
        ["# ADR-0012: Use CIM", "# 12. Use CIM", "## Use *CIM*", "# adr 12D - Use CIM", "# Use CIM"]
    {
        let document = markdown(&format!("{heading}\n\n#### Context\n\nWhy.\n"));
        assert_eq!(chunks(&document, "Use CIM")[0].section_path, ["Context"], "below `{heading}`");
    }
    let document = markdown("# Part one\n\nText.\n");
    assert_eq!(chunks(&document, "Use CIM")[0].section_path, ["Part one"]);
}

#[test]
fn text_is_verbatim_where_nothing_was_cut() {
    let document = markdown("# T\n\nFirst *one*,\nwrapped.\n\n\n- a\n  - é\n\nLast.\n");
    let chunks = chunks(&document, "T");
    assert_eq!(chunks.len(), 1, "small neighbours are put together");
    assert_eq!(chunks[0].text, "First *one*,\nwrapped.\n\n\n- a\n  - é\n\nLast.");
    assert_eq!(covered(&document, &chunks[0]), chunks[0].text);
}

#[test]
fn what_was_cut_out_is_in_no_text_and_the_span_reaches_over_it() {
    let document = markdown("# T\n\nBefore <!-- secret --> after.\n\n<!-- secret -->\n\nNext.\n");
    let chunks = chunks(&document, "T");
    assert_eq!(chunks[0].text, "Before after.\n\nNext.");
    assert!(covered(&document, &chunks[0]).starts_with("Before <!--"));
}

#[test]
fn a_long_paragraph_is_split_between_sentences() {
    let sentences: Vec<String> =
        (0..60).map(|n| format!("Sentence number {n} says that keys rotate yearly, e.g. in May.")).collect();
    let document = markdown(&format!("# T\n\n{}\n", sentences.join(" ")));
    let chunks = chunks(&document, "T");
    assert!(chunks.len() > 2);
    for chunk in &chunks {
        assert!(chunk.text.starts_with("Sentence") && chunk.text.ends_with("May."), "{:?}", chunk.text);
        assert_eq!(covered(&document, chunk), chunk.text);
        assert!(chunk.text.chars().count() <= ChunkRules::default().max_chars);
    }
}

#[test]
fn each_part_of_a_long_table_has_the_head() {
    let rows: Vec<String> =
        (0..60).map(|n| format!("| Term {n} | five years after the contract ends |")).collect();
    let document = markdown(&format!("# T\n\n| Data | Retention |\n|---|---|\n{}\n", rows.join("\n")));
    let chunks = chunks(&document, "T");
    assert!(chunks.len() > 2);
    for chunk in &chunks {
        assert!(chunk.text.starts_with("| Data | Retention |\n|---|---|\n| Term "), "{:?}", chunk.text);
    }
    assert!(covered(&document, &chunks[1]).starts_with("| Term"), "the span covers the rows alone");
    let all: usize = chunks.iter().map(|chunk| chunk.text.matches("| Term").count()).sum();
    assert_eq!(all, 60, "no row is lost or doubled");
}

#[test]
fn a_long_list_is_split_between_its_outer_items() {
    let items: Vec<String> = (0..30)
        .map(|n| format!("- Item {n} of the list says something\n  - and item {n} has a remark below it"))
        .collect();
    let document = markdown(&format!("# T\n\nThe options are:\n\n{}\n", items.join("\n")));
    let chunks = chunks(&document, "T");
    assert!(chunks.len() > 2);
    assert!(
        chunks[0].text.starts_with("The options are:\n\n- Item 0"),
        "a lead-in stays with its list: {:?}",
        chunks[0].text
    );
    assert!(chunks[1..].iter().all(|chunk| chunk.text.starts_with("- Item")));
}

#[test]
fn nothing_to_read_gives_no_passage() {
    let document = markdown("# T\n\n---\n\n***\n\n![](image.png)\n\n…\n");
    assert_eq!(chunks(&document, "T"), []);
}

#[test]
fn each_passage_has_its_own_language() {
    let english = "The policy applies to all of the systems that we operate and to the people who use them.";
    let dutch = "Het beleid geldt voor alle systemen die wij beheren en voor de mensen die ze gebruiken.";
    let document = markdown(&format!("# T\n\n## A\n\n{english}\n\n## B\n\n{dutch}\n\n## C\n\nCIM\n"));
    let languages: Vec<Language> = chunk(&document, "T", Language::NL, &ChunkRules::default())
        .into_iter()
        .map(|chunk| chunk.language)
        .collect();
    assert_eq!(
        languages,
        [Language::EN, Language::NL, Language::NL],
        "a word alone has the document's language"
    );
}

#[test]
fn long_headings_leave_room_for_the_text() {
    let heading = "word ".repeat(150);
    let text = "A sentence of the text that stands below it. ".repeat(60);
    let document = read("a.md", format!("# T\n\n## {heading}\n\n{text}\n").as_bytes()).unwrap();
    let rules = ChunkRules::default();
    for chunk in chunk(&document, "T", Language::EN, &rules) {
        let length = chunk.text.chars().count();
        assert!(
            length <= rules.max_chars / 2 + 1 && length > 100,
            "{length} characters below a heading of 750"
        );
    }
}

#[test]
fn an_item_that_is_too_long_is_split_between_its_sentences() {
    let item =
        "This sentence of the item says that contracts are kept for seven years after they end. ".repeat(40);
    let document = markdown(&format!("# T\n\n- {item}\n- Short.\n"));
    let chunks = chunks(&document, "T");
    assert!(chunks.len() > 2);
    assert!(chunks[..chunks.len() - 1].iter().all(|chunk| chunk.text.ends_with("end.")), "{chunks:#?}");
}
