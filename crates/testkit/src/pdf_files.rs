//! PDF files made for tests.

/// A line of text at a place, in points from the lower left corner, with its size and whether it is bold.
pub struct Text<'a> {
    pub at: (f64, f64),
    pub size: f64,
    pub bold: bool,
    pub text: &'a str,
}

pub fn text(x: f64, y: f64, text: &str) -> Text<'_> {
    Text { at: (x, y), size: 10.0, bold: false, text }
}

pub fn large(x: f64, y: f64, size: f64, text: &str) -> Text<'_> {
    Text { at: (x, y), size, bold: false, text }
}

/// A file with these pages, in the fonts that every reader has.
pub fn pdf(pages: &[Vec<Text<'_>>]) -> Vec<u8> {
    let streams: Vec<String> = pages
        .iter()
        .map(|page| {
            page.iter()
                .map(|line| {
                    let font = if line.bold { "F2" } else { "F1" };
                    let escaped = line
                        .text
                        .replace('\\', "\\\\")
                        .replace('(', "\\(")
                        .replace(')', "\\)")
                        .replace('•', "\\225");
                    format!(
                        "BT /{font} {} Tf 1 0 0 1 {} {} Tm ({escaped}) Tj ET\n",
                        line.size, line.at.0, line.at.1
                    )
                })
                .collect()
        })
        .collect();
    let first_page = 5;
    let kids: Vec<String> = (0..pages.len()).map(|page| format!("{} 0 R", first_page + 2 * page)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count {}/Kids[{}]>>", pages.len(), kids.join(" ")),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for (at, stream) in streams.iter().enumerate() {
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>/Contents {} 0 R>>",
            first_page + 2 * at + 1
        ));
        objects.push(format!("<</Length {}>>stream\n{stream}\nendstream", stream.len()));
    }
    file(&objects, "")
}

/// A file of these objects, numbered from 1; the first is the catalogue.
pub fn file(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", at + 1).bytes());
    }
    let start = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        bytes.extend(format!("{place:010} 00000 n \n").bytes());
    }
    bytes.extend(
        format!("trailer\n<</Size {}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1)
            .bytes(),
    );
    bytes
}
