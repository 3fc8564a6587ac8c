use plumbline_library::read;
use plumbline_testkit::pdf_files::{Text, file, large, pdf, text};

use crate::support::{contents, headings};

#[test]
fn lines_become_headings_paragraphs_and_lists_with_their_pages() {
    let bytes = pdf(&[
        vec![
            large(50.0, 780.0, 20.0, "Cloud policy"),
            large(50.0, 740.0, 14.0, "Purpose"),
            text(50.0, 720.0, "This policy says how we use cloud ser-"),
            text(50.0, 708.0, "vices and who decides on the"),
            text(50.0, 696.0, "exceptions."),
            text(50.0, 670.0, "A second paragraph follows here."),
            text(50.0, 650.0, "• first"),
            text(50.0, 638.0, "• second that is"),
            text(60.0, 626.0, "wrapped"),
        ],
        vec![large(50.0, 780.0, 14.0, "Scope"), text(50.0, 760.0, "All systems are in scope of it.")],
    ]);
    let document = read("a.pdf", &bytes).unwrap();
    assert_eq!(headings(&document), [(1, "Cloud policy"), (2, "Purpose"), (2, "Scope")]);
    assert_eq!(
        contents(&document),
        [
            "This policy says how we use cloud services and who decides on the exceptions.",
            "A second paragraph follows here.",
            "- first\n- second that is wrapped",
            "All systems are in scope of it.",
        ]
    );
    let pages: Vec<_> = document.blocks.iter().map(|block| block.page).collect();
    assert_eq!((pages.first(), pages.last()), (Some(&Some(1)), Some(&Some(2))));
}

#[test]
fn what_most_pages_repeat_at_their_edges_is_dropped() {
    let bodies = ["Alpha stands on the first.", "Beta stands on the second.", "Gamma stands on the third."];
    let footers = ["Page 1 of 3", "Page 2 of 3", "Page 3 of 3"];
    let pages: Vec<Vec<Text<'_>>> = (0..3)
        .map(|page| {
            vec![
                text(50.0, 820.0, "Internal use only"),
                text(50.0, 600.0, bodies[page]),
                text(280.0, 30.0, footers[page]),
            ]
        })
        .collect();
    assert_eq!(contents(&read("a.pdf", &pdf(&pages)).unwrap()), bodies);
}

#[test]
fn columns_are_read_one_after_the_other() {
    let left: Vec<String> =
        (0..8).map(|line| format!("The left column goes on in its line {line} of it")).collect();
    let right: Vec<String> =
        (0..8).map(|line| format!("The right column goes on in its line {line} too")).collect();
    let mut page = vec![large(50.0, 800.0, 18.0, "A heading over both of the columns")];
    for line in 0..8_u32 {
        let y = 760.0 - 12.0 * f64::from(line);
        page.push(text(50.0, y, &left[line as usize]));
        page.push(text(310.0, y, &right[line as usize]));
    }
    let text = contents(&read("a.pdf", &pdf(&[page])).unwrap()).join(" ");
    assert_eq!(text, format!("{} {}", left.join(" "), right.join(" ")));
}

#[test]
fn rows_of_a_table_stay_together() {
    let mut page = vec![text(50.0, 800.0, "The table says how long we keep what.")];
    for (row, (data, years)) in
        [("Data", "Years"), ("Contracts", "7"), ("Meter readings", "2")].into_iter().enumerate()
    {
        let y = 760.0 - 14.0 * row as f64;
        page.push(text(50.0, y, data));
        page.push(text(300.0, y, years));
    }
    page.push(text(300.0, 718.0, "or more"));
    page.push(text(50.0, 690.0, "After the table."));
    assert_eq!(
        contents(&read("a.pdf", &pdf(&[page])).unwrap())[1..],
        [
            "| Data | Years |\n|---|---|\n| Contracts | 7 |\n| Meter readings | 2 or more |",
            "After the table."
        ]
    );
}

#[test]
fn words_that_are_placed_one_by_one_are_one_line() {
    let page = vec![text(50.0, 700.0, "Keys"), text(76.0, 700.0, "rotate"), text(106.5, 700.0, "yearly.")];
    assert_eq!(contents(&read("a.pdf", &pdf(&[page])).unwrap()), ["Keys rotate yearly."]);
}

#[test]
fn files_without_text_have_a_reason() {
    let scanned = pdf(&[vec![], vec![]]);
    let error = read("a.pdf", &scanned).unwrap_err();
    assert_eq!(error.code(), "no_text");
    assert!(error.to_string().contains("2 pages") && error.to_string().contains("OCR"), "{error}");

    let code = |bytes: &[u8]| read("a.pdf", bytes).unwrap_err().code();
    assert_eq!(code(b""), "empty");
    assert_eq!(code(b"%PDF-1.7\n"), "damaged");
    assert_eq!(code(b"# Not a PDF"), "damaged");
    assert_eq!(code(b"<!doctype html><html></html>"), "wrong_format");
    let whole = pdf(&[vec![text(50.0, 700.0, "Some text")]]);
    assert_eq!(code(&whole[..60]), "damaged");
}

#[test]
fn a_file_that_lost_its_end_is_read_as_far_as_it_goes() {
    let whole = pdf(&[vec![text(50.0, 700.0, "Some text that is still there.")]]);
    let cut = &whole[..whole.len() - 60];
    assert_eq!(contents(&read("a.pdf", cut).unwrap()), ["Some text that is still there."]);
}

#[test]
fn a_password_is_named_as_the_reason() {
    let hex = |byte: &str| byte.repeat(32);
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 0/Kids[]>>".to_owned(),
        format!("<</Filter/Standard/V 1/R 2/Length 40/P -4/O<{}>/U<{}>>>", hex("12"), hex("ab")),
    ];
    let bytes = file(&objects, "/Encrypt 3 0 R/ID[<0011><0011>]");
    assert_eq!(read("a.pdf", &bytes).unwrap_err().code(), "encrypted");
}

#[test]
fn page_trees_and_forms_that_go_in_circles_come_to_an_end() {
    let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
    let content = "BT /F1 10 Tf 1 0 0 1 50 700 Tm (Still here.) Tj ET /X Do";
    let form = "/X Do";
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 3/Kids[2 0 R 3 0 R 3 0 R]>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 {font}>>/XObject<</X 5 0 R>>>>/Contents 4 0 R>>"
        ),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
        format!(
            "<</Type/XObject/Subtype/Form/BBox[0 0 600 900]/Resources<</XObject<</X 5 0 R>>>>/Length {}>>stream\n{form}\nendstream",
            form.len()
        ),
    ];
    let document = read("a.pdf", &file(&objects, "")).unwrap();
    assert_eq!(contents(&document), ["Still here."]);
}

#[test]
fn a_broken_font_costs_its_words_and_not_the_file() {
    let content =
        "BT /F9 10 Tf 1 0 0 1 50 720 Tm (\u{1}\u{2}) Tj /F1 10 Tf 1 0 0 1 50 700 Tm (Still here.) Tj ET";
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 1/Kids[3 0 R]>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>/F9<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 5 0 R>>>>>>/Contents 4 0 R>>".to_owned(),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
        "<</Length 9>>stream\ngarbage((\nendstream".to_owned(),
    ];
    let document = read("a.pdf", &file(&objects, "")).unwrap();
    assert!(contents(&document).concat().ends_with("Still here."), "{:?}", contents(&document));
}

#[test]
fn a_table_of_contents_is_no_content() {
    let chapters = ["Purpose", "Scope", "Rules", "Keys", "Roles", "Exceptions", "Review"];
    let mut page = vec![large(50.0, 800.0, 18.0, "Contents")];
    let numbers: Vec<String> = (0..chapters.len()).map(|chapter| (chapter * 2 + 3).to_string()).collect();
    for (row, chapter) in chapters.iter().enumerate() {
        let y = 760.0 - 20.0 * row as f64;
        page.push(text(50.0, y, chapter));
        page.push(text(500.0, y, &numbers[row]));
    }
    page.push(text(50.0, 500.0, "Annex A ........................ 21"));
    page.push(text(50.0, 300.0, "This text stands below the contents."));
    assert_eq!(contents(&read("a.pdf", &pdf(&[page])).unwrap()), ["This text stands below the contents."]);
}

#[test]
fn marks_that_hang_in_front_are_lists_and_not_tables() {
    let page = vec![
        text(50.0, 700.0, "1."),
        text(80.0, 700.0, "First rule that goes on"),
        text(80.0, 688.0, "below itself."),
        text(50.0, 676.0, "2."),
        text(80.0, 676.0, "Second rule."),
        text(50.0, 664.0, "(a)"),
        text(80.0, 664.0, "A letter."),
    ];
    assert_eq!(
        contents(&read("a.pdf", &pdf(&[page])).unwrap()),
        ["1. First rule that goes on below itself.\n2. Second rule.\n- (a) A letter."]
    );
}

#[test]
fn cells_that_nearly_touch_and_rows_that_wrap_stay_what_they_are() {
    let row = |y: f64, cells: [&'static str; 3]| {
        [50.0, 120.0, 300.0]
            .into_iter()
            .zip(cells)
            .filter(|(_, cell)| !cell.is_empty())
            .map(move |(x, cell)| text(x, y, cell))
            .collect::<Vec<_>>()
    };
    let mut page = row(700.0, ["Provider", "Kind", "Region"]);
    page.extend(row(680.0, ["Alpha cloud ltd", "IaaS", "north"]));
    page.extend(row(660.0, ["Beta hosting", "SaaS that is", "south or"]));
    page.extend(row(649.0, ["services", "hosted", "west"]));
    page.extend(row(629.0, ["Gamma", "PaaS", "east"]));
    assert_eq!(
        contents(&read("a.pdf", &pdf(&[page])).unwrap()),
        [
            "| Provider | Kind | Region |\n|---|---|---|\n| Alpha cloud ltd | IaaS | north |\n| Beta hosting services | SaaS that is hosted | south or west |\n| Gamma | PaaS | east |"
        ]
    );
}
