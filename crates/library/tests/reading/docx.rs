use plumbline_library::{BlockKind, read};
use plumbline_testkit::docx_files::{docx, item, package, paragraph};

use crate::support::{contents, headings, kinds};

#[test]
fn headings_are_known_by_style_outline_and_what_styles_are_based_on() {
    let body = [
        paragraph("Titel", ""),
        paragraph("Titel", "Beleid"),
        paragraph("Titel", "Toegang"),
        paragraph("Inhopg1", "Doel 3"),
        paragraph("Kop1", "Doel"),
        paragraph("", "Tekst."),
        paragraph("Artikel", "Artikel 1"),
        r#"<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>By outline</w:t></w:r></w:p>"#.to_owned(),
        paragraph("Heading 4", "Unknown style"),
        paragraph("Rond1", "Styles based on each other."),
    ];
    let document = read("a.docx", &docx(&body.concat())).unwrap();
    assert_eq!(
        headings(&document),
        [(1, "Beleid Toegang"), (2, "Doel"), (3, "Artikel 1"), (4, "By outline"), (5, "Unknown style")],
        "below a title the headings stand one level lower; tables of contents are none"
    );
    assert_eq!(contents(&document), ["Tekst.", "Styles based on each other.", "[^2]: A note."]);
    assert_eq!(document.properties["title"], "Policy & more");
    assert_eq!(document.properties["author"], "Noor");
    assert_eq!(document.properties["modified"], "2024-01-23T10:00:00Z");
}

#[test]
fn lists_keep_their_nesting_and_numbers() {
    let body = [
        item(1, 0, "one"),
        item(1, 1, "inner"),
        paragraph("", "Between."),
        item(2, 0, "a"),
        item(2, 1, "b"),
        item(2, 0, "c"),
    ];
    let document = read("a.docx", &docx(&body.concat())).unwrap();
    assert_eq!(contents(&document)[..3], ["- one\n  - inner", "Between.", "1. a\n  - 1.a b\n2. c"]);
}

#[test]
fn tables_become_markdown_tables() {
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let wide =
        r#"<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>wide</w:t></w:r></w:p></w:tc>"#;
    let body = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr><w:tr>{wide}</w:tr></w:tbl><w:tbl><w:tr>{}</w:tr></w:tbl>",
        cell("Owner"),
        cell("Date"),
        cell("Noor | Piet"),
        cell("2024"),
        cell("A box of text.")
    );
    let document = read("a.docx", &docx(&body)).unwrap();
    assert_eq!(kinds(&document)[..2], [BlockKind::Table, BlockKind::Paragraph]);
    assert_eq!(
        contents(&document)[..2],
        ["| Owner | Date |\n|---|---|\n| Noor \\| Piet | 2024 |\n| wide |  |", "A box of text."]
    );
}

#[test]
fn deleted_and_hidden_text_is_no_content() {
    let body = concat!(
        r#"<w:p><w:r><w:t>Shown </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"#,
        r#"<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom>"#,
        r#"<w:r><w:rPr><w:vanish/></w:rPr><w:t>gone</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t> and</w:t></w:r>"#,
        r#"<w:r><w:instrText>gone</w:instrText></w:r><w:r><w:tab/><w:t>tab</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>"#,
        r#"<w:p><w:pPr><w:pStyle w:val="Verborgen"/></w:pPr><w:r><w:t>gone</w:t></w:r></w:p>"#,
        r#"<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>Boxed.</w:t></w:r></w:p></w:txbxContent></mc:Choice>"#,
        r#"<mc:Fallback><w:txbxContent><w:p><w:r><w:t>gone</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>"#,
    );
    let document = read("a.docx", &docx(body)).unwrap();
    assert_eq!(contents(&document), ["Shown new and tab[^2]", "Boxed.", "[^2]: A note."]);
}

#[test]
fn broken_packages_have_a_reason() {
    let whole = docx(&paragraph("", "Text."));
    let code = |bytes: &[u8]| read("a.docx", bytes).unwrap_err().code();
    assert_eq!(code(&whole[..whole.len() / 2]), "damaged", "cut off");
    assert_eq!(code(&package(&[("word/other.xml", "<a/>")])), "damaged", "without a document part");
    assert_eq!(code(&docx("<w:p><w:r><w:t>cut")), "damaged", "XML that breaks off");
    assert_eq!(code(&package(&[("word/document.xml", "<w:document><w:body/></w:document>")])), "empty");
    assert_eq!(code(b"PK\x03\x04"), "damaged");
    assert_eq!(code(b"%PDF-1.4 not a docx"), "wrong_format");
    assert_eq!(code(b"plain text"), "damaged");
}

#[test]
fn archives_that_unpack_to_far_more_are_refused() {
    let body = " ".repeat(8 << 20);
    assert_eq!(read("a.docx", &docx(&body)).unwrap_err().code(), "too_large");
}

#[test]
fn xml_that_is_nested_without_end_is_refused() {
    let body = "<w:sdt>".repeat(100_000) + &"</w:sdt>".repeat(100_000);
    assert_eq!(read("a.docx", &docx(&body)).unwrap_err().code(), "too_large");
}
