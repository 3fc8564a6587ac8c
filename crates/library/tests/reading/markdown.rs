use plumbline_library::{BlockKind, MetaValue, read};
use proptest::prelude::*;

use crate::support::{contents, headings, kinds, markdown};

#[test]
fn blocks_are_found_with_their_kinds() {
    let document = markdown(
        "# Title\n\nOne\ntwo.\n\n- a\n  - b\n\n1. c\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```rust\nlet a;\n```\n\n> said\n\nSetext\n------\n\n---\n\nEnd[^1].\n\n[^1]: A note.\n",
    );
    assert_eq!(headings(&document), [(1, "Title"), (2, "Setext")]);
    assert_eq!(
        contents(&document),
        [
            "One\ntwo.",
            "- a\n  - b",
            "1. c",
            "| x | y |\n|---|---|\n| 1 | 2 |",
            "```rust\nlet a;\n```",
            "> said",
            "End[^1].",
            "[^1]: A note."
        ]
    );
    assert_eq!(
        kinds(&document)[1..8],
        [
            BlockKind::Paragraph,
            BlockKind::List,
            BlockKind::List,
            BlockKind::Table,
            BlockKind::Code,
            BlockKind::Quote,
            BlockKind::Heading { level: 2, text: "Setext".to_owned() },
        ]
    );
}

#[test]
fn prose_is_what_states_something_and_stays_where_it_stood() {
    let text = "---\nstatus: accepted\n---\n# Één kop\n\nOne two. <!-- not this -->\n\n    indented code\n\n- item\n\nSetext\n------\n\n```\nlet a;\n```\n";
    let prose = markdown(text).prose();
    assert_eq!(prose.chars().count(), text.chars().count());
    assert_eq!(prose.split_whitespace().collect::<Vec<_>>(), ["One", "two.", "-", "item"]);
    let place = |text: &str| {
        text.chars().collect::<String>().split("item").next().map(|before| before.chars().count())
    };
    assert_eq!(place(&prose), place(text), "in characters");
}

#[test]
fn headings_are_plain_text() {
    let document = markdown(
        "# Use *CIM* as `canonical` [model](x.md) <!-- old --> {#cim}\n\n## {short title}\n\n<h3 align=\"center\">In <b>tags</b></h3>\n\ntext\n",
    );
    assert_eq!(
        headings(&document),
        [(1, "Use CIM as canonical model"), (2, "{short title}"), (3, "In tags")],
        "anchors go, placeholders in braces are words"
    );
    assert_eq!(contents(&document), ["text"]);
}

#[test]
fn comments_are_in_no_block() {
    for (text, expected) in [
        ("a\n\n<!-- hidden -->\n\nb", vec!["a", "b"]),
        ("a <!-- hidden --> b", vec!["a b"]),
        ("a<!-- hidden -->b", vec!["ab"]),
        ("a\n<!-- hidden\nhidden -->\nb", vec!["a", "b"]),
        ("- a <!-- hidden -->\n- <!-- hidden -->\n- b", vec!["- a\n- b"]),
        ("- a\n  - b <!-- hidden -->\n  - c", vec!["- a\n  - b\n  - c"]),
        ("| a <!-- hidden --> | b |\n|---|---|\n| 1 | 2 |", vec!["| a | b |\n|---|---|\n| 1 | 2 |"]),
        ("<!-- hidden --> a", vec!["a"]),
        ("a <!-- hidden\n\nhidden\n\n--> b", vec!["a", "b"]),
        ("- <!-- hidden\n\nhidden --> b", vec!["b"]),
        ("> <!-- hidden\n\nhidden -->\n\nb", vec!["b"]),
        ("a <!-- hidden\n\n```\nhidden\n\n--> b\n\n<!-- hidden -->\n\nc", vec!["a", "b", "c"]),
        ("a\n\n{% comment %}\nhidden\n\nhidden\n{% endcomment %}\n\nb", vec!["a", "b"]),
        ("a <!-- hidden", vec!["a"]),
        ("a\n\n<!-- hidden\n\nhidden", vec!["a"]),
        ("a <!-- hidden\n\nb", vec!["a", "b"]),
        ("a <!--> b", vec!["a b"]),
    ] {
        let document = markdown(text);
        assert_eq!(contents(&document), expected, "of {text:?}");
        for block in &document.blocks {
            assert!(
                !document.text[block.span.clone()].contains("hidden"),
                "a block of {text:?} covers a comment"
            );
        }
    }
}

#[test]
fn comments_in_code_are_code() {
    for text in [
        "Write `<!-- shown -->` here",
        "```\n<!-- shown -->\n```",
        "    <!-- shown -->",
        "a \\<!-- shown --> b",
    ] {
        assert!(
            contents(&markdown(text)).concat().contains("shown"),
            "{text:?} shows a comment as an example"
        );
    }
}

#[test]
fn an_unclosed_comment_is_reported_with_its_line() {
    let document = markdown("# T\n\ntext\n\n<!-- todo\n\nlost");
    assert_eq!(contents(&document), ["text"]);
    assert!(
        document.warnings.iter().any(|warning| warning.detail().to_string().contains("line 5")),
        "{:?}",
        document.warnings
    );
}

#[test]
fn template_lines_and_definitions_are_no_content() {
    let text = "[[_TOC_]]\n\n{% include nav.html %}\n{{ page.title }}\n\na [link][l]\n\n[l]: https://example.org/hidden \"Hidden\"\n\n* TOC\n{:toc}\n\n- [m]: https://example.org/hidden\n- x\n{: .fancy}\n\nUse {{ value }} inside.";
    assert_eq!(contents(&markdown(text)), ["a [link][l]", "- x", "Use {{ value }} inside."]);
}

#[test]
fn tags_are_markup_and_their_text_is_content() {
    for (text, expected) in [
        ("a<br>b", vec!["a b"]),
        ("a <b>bold</b> word", vec!["a bold word"]),
        ("10<sup>3</sup> kW", vec!["10^3 kW"]),
        ("<details>\n<summary>More</summary>\n\ntext\n\n</details>", vec!["More", "text"]),
        (
            "<table>\n  <tr>\n    <th>A</th>\n    <th>B</th>\n  </tr>\n  <tr><td>1</td><td>2</td></tr>\n</table>",
            vec!["A | B\n| 1 | 2"],
        ),
        ("<ul>\n<li>one</li>\n<li>two</li>\n</ul>", vec!["one\n- two"]),
        ("a\n\n<script>\nhidden()\n</script>\n\nb <script>hidden()</script> c", vec!["a", "b c"]),
        ("<style>\nhidden\n\nhidden\n</style>\nb", vec!["b"]),
        ("<your name> of <organisation>", vec!["<your name> of <organisation>"]),
        ("<a id=\"x\"></a>\n\ntext", vec!["text"]),
        ("<div>\n<h2>{{ item.title }}</h2>\n<p>{{ item.text }}</p> shown\n</div>", vec!["shown"]),
    ] {
        assert_eq!(contents(&markdown(text)), expected, "of {text:?}");
    }
}

#[test]
fn other_encodings_are_read() {
    let utf16: Vec<u8> = "\u{feff}# Één\n\ntekst".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(headings(&read("a.md", &utf16).unwrap()), [(1, "Één")]);
    let unmarked: Vec<u8> = "# Title\n\nwith text".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(headings(&read("a.md", &unmarked).unwrap()), [(1, "Title")]);
    let marked = read("a.md", "\u{feff}# Title\n\ntext".as_bytes()).unwrap();
    assert!(marked.text.starts_with("# Title"), "the byte order mark is no text");

    let latin = read("a.md", b"# Caf\xe9\n\n\x93quoted\x94").unwrap();
    assert_eq!(headings(&latin), [(1, "Café")]);
    assert_eq!(contents(&latin), ["“quoted”"]);
    assert!(
        latin.warnings.iter().any(|warning| warning.detail().to_string().contains("Windows-1252")),
        "{:?}",
        latin.warnings
    );

    let with_nul = read("a.md", b"# T\n\nSome text with one\0byte that does not belong there").unwrap();
    assert!(!with_nul.text.contains('\0') && !with_nul.warnings.is_empty());
}

#[test]
fn windows_line_ends_change_nothing() {
    let document = markdown(
        "---\r\ntitle: T\r\ntags:\r\n  - a\r\n---\r\n\r\n# T\r\n\r\na <!-- hidden --> b\r\n\r\n- c\r\n- d\r\n",
    );
    assert_eq!(document.front_matter[0], ("title".to_owned(), MetaValue::Text("T".to_owned())));
    assert_eq!(headings(&document), [(1, "T")]);
    assert_eq!(contents(&document), ["a b", "- c\r\n- d"]);
}

proptest! {
    #[test]
    fn whatever_is_written_blocks_lie_in_order_and_apart(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..30),
    ) {
        let text = pieces.concat();
        let Ok(document) = read("a.md", text.as_bytes()) else { return Ok(()) };
        let mut end = 0;
        for block in &document.blocks {
            prop_assert!(block.span.start >= end && block.span.end > block.span.start, "{:?} in {:?}", block, text);
            prop_assert!(document.text.get(block.span.clone()).is_some(), "{:?} cuts a character of {:?}", block, text);
            end = block.span.end;
        }
        prop_assert!(end <= document.text.len());
    }
}

const PIECES: &[&str] = &[
    "word ",
    "é",
    "\n",
    "\n\n",
    "- ",
    "  - ",
    "1. ",
    "> ",
    "# ",
    "## ",
    "| a | b |\n|---|---|\n",
    "| 1 |",
    "```\n",
    "`",
    "<!--",
    "-->",
    "<!-- c -->",
    "<b>",
    "</b>",
    "<div>\n",
    "<h2>",
    "</h2>",
    "<script>",
    "</script>",
    "<td>",
    "{% x %}",
    "{{ y }}\n",
    "{:toc}\n",
    "[l]: http://x\n",
    "[[_TOC_]]\n",
    "---\n",
    "key: value\n",
    "    ",
    "\t",
    "\\",
    "&amp;",
    "{% comment %}",
    "{% endcomment %}",
    "\r\n",
];
