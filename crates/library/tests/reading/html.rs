use plumbline_library::{BlockKind, MetaValue, read};

use crate::support::{contents, headings, kinds};

#[test]
fn a_page_becomes_what_its_reader_sees() {
    let page = "<!DOCTYPE html><html><head><title>A &amp; B</title><style>gone</style><meta name=author content=Noor></head><body>
        <nav><ul><li>gone</li></ul></nav><h1>Title &eacute;</h1><p>First <b>bold</b>
        line.<br>Second.<p>Implied end.
        <ul><li>one<ul><li>inner</li></ul></li><li><p>two</p><p>more</p></li></ul><ol start=3><li>c<li>d</ol>
        <table><tr><th>A<th>B<tr><td>1<td>2|3</table><pre>  code
  more</pre><blockquote>said</blockquote>
        <script>gone()</script><div hidden>gone</div><div style='display: none'>gone</div><!-- gone --><footer>gone</footer></body></html>";
    let document = read("a.html", page.as_bytes()).unwrap();
    assert_eq!(headings(&document), [(1, "Title é")]);
    assert_eq!(
        contents(&document),
        [
            "First bold line.\nSecond.",
            "Implied end.",
            "- one\n  - inner\n- two\n  more",
            "3. c\n4. d",
            "| A | B |\n|---|---|\n| 1 | 2\\|3 |",
            "```\n  code\n  more\n```",
            "> said",
        ]
    );
    assert_eq!(kinds(&document)[5], BlockKind::Table);
    assert_eq!(document.properties["title"], "A & B");
    assert_eq!(document.properties["author"], "Noor");
}

#[test]
fn cells_of_a_table_stand_under_their_heads_where_others_reach_over_rows_and_columns() {
    let page = "<table>
        <tr><th>Version<th>Decision<th colspan=2>Approver and role
        <tr><td rowspan=2>1.0<td rowspan='2'>Accepted<td>Ann<td>Board
        <tr><td>Bob<td rowspan=2>Grid
        <tr><td>1.1<td>Rejected<td>Cem
        <tr><td>1.2<td>Accepted<td>Dee<td>Board
        <tr><td colspan=4>End</table>";
    let document = read("a.html", page.as_bytes()).unwrap();
    assert_eq!(
        contents(&document),
        [[
            "| Version | Decision | Approver and role |  |",
            "|---|---|---|---|",
            "| 1.0 | Accepted | Ann | Board |",
            "|  |  | Bob | Grid |",
            "| 1.1 | Rejected | Cem |  |",
            "| 1.2 | Accepted | Dee | Board |",
            "| End |  |  |  |",
        ]
        .join("\n")]
    );
    let looks = "<table><tr><td colspan=3>One.<tr><td colspan=3>Two.</table>";
    assert_eq!(contents(&read("a.html", looks.as_bytes()).unwrap()), ["One.", "Two."], "it has one column");
}

#[test]
fn a_page_cannot_ask_for_more_empty_cells_than_memory_has() {
    let greedy = "<td colspan=64 rowspan=99999999>x".repeat(20);
    let page = format!("<table><tr>{greedy}{}</table>", "<tr><td>y".repeat(2_000));
    let document = read("a.html", page.as_bytes()).unwrap();
    assert!(document.text.matches('y').count() == 2_000, "nothing is lost");
}

#[test]
fn where_a_page_has_a_main_part_the_rest_is_around_it() {
    let page =
        "<html><body><header>gone</header><main><h1>T</h1><p>Text.</p></main><p>gone</p></body></html>";
    let document = read("a.htm", page.as_bytes()).unwrap();
    assert_eq!(contents(&document), ["Text."]);
}

#[test]
fn a_declared_encoding_is_used() {
    let page =
        b"<html><head><meta charset='iso-8859-15'></head><body><p>\xa4 100 and more words</p></body></html>";
    assert_eq!(contents(&read("a.html", page).unwrap()), ["€ 100 and more words"]);
}

#[test]
fn neither_depth_nor_length_brings_it_down() {
    let deep = "<div>".repeat(10_000) + "deep" + &"</div>".repeat(10_000);
    assert_eq!(contents(&read("a.html", deep.as_bytes()).unwrap()), ["deep"]);
    let lists = "<ul><li>".repeat(5_000) + "deep";
    assert!(contents(&read("a.html", lists.as_bytes()).unwrap())[0].ends_with("- deep"));
    let wrong = "<p>x</b></i>".repeat(20_000);
    assert_eq!(contents(&read("a.html", wrong.as_bytes()).unwrap()).len(), 20_000);
    let long = format!("<p>{}</p>", "word ".repeat(200_000));
    assert_eq!(
        contents(&read("a.html", long.as_bytes()).unwrap())[0].len(),
        999_999,
        "one line of a megabyte"
    );
}

#[test]
fn asciidoc_becomes_markdown() {
    let text = "= Use CIM\n:status: accepted\n:date: 2024-01-23\n\n// gone\n== Context\n\nSome text\non two lines.\n\n* one\n** inner\n* two\n\n. first\n. second\n\n[source,rust]\n----\nlet a;\n----\n\n|===\n|A |B\n\n|1\n|2\n|===\n\n////\ngone\n////\n\n____\nsaid\n____\n";
    let document = read("a.adoc", text.as_bytes()).unwrap();
    assert_eq!(headings(&document), [(1, "Use CIM"), (2, "Context")]);
    assert_eq!(document.front_matter[0], ("status".to_owned(), MetaValue::Text("accepted".to_owned())));
    assert_eq!(
        contents(&document),
        [
            "Some text\non two lines.",
            "- one\n  - inner\n- two\n1. first\n1. second",
            "```\nlet a;\n```",
            "| A | B |\n|---|---|\n| 1 | 2 |",
            "> said",
        ]
    );
}

#[test]
fn plain_text_has_paragraphs() {
    let document = read("a.txt", b"One\ntwo.\n\n  \nThree.\n").unwrap();
    assert_eq!(contents(&document), ["One\ntwo.", "Three."]);
}
