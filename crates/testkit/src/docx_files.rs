//! DOCX packages made for tests.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const RELATIONS: &str = r#"<?xml version="1.0"?><Relationships xmlns="r"><Relationship Id="a" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>"#;
const PARTS: &str = r#"<?xml version="1.0"?><Relationships xmlns="r"><Relationship Id="a" Type="http://x/styles" Target="styles.xml"/><Relationship Id="b" Type="http://x/numbering" Target="numbering.xml"/><Relationship Id="c" Type="http://x/footnotes" Target="footnotes.xml"/></Relationships>"#;
const STYLES: &str = r#"<w:styles xmlns:w="w">
<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:styleId="Kop1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:styleId="Kop2"><w:name w:val="heading 2"/></w:style>
<w:style w:styleId="Artikel"><w:name w:val="Artikelkop"/><w:basedOn w:val="Kop2"/></w:style>
<w:style w:styleId="Rond1"><w:name w:val="Rond1"/><w:basedOn w:val="Rond2"/></w:style>
<w:style w:styleId="Rond2"><w:name w:val="Rond2"/><w:basedOn w:val="Rond1"/></w:style>
<w:style w:styleId="Inhopg1"><w:name w:val="toc 1"/></w:style>
<w:style w:styleId="Verborgen"><w:name w:val="Verborgen"/><w:rPr><w:vanish/></w:rPr></w:style>
</w:styles>"#;
const NUMBERING: &str = r#"<w:numbering xmlns:w="w">
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>"#;
const FOOTNOTES: &str = r#"<w:footnotes xmlns:w="w"><w:footnote w:id="0" w:type="separator"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>"#;
const CORE: &str = r#"<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Policy &amp; more</dc:title><dc:creator>Noor</dc:creator><dcterms:modified>2024-01-23T10:00:00Z</dcterms:modified></cp:coreProperties>"#;

/// A document with this body, and styles and lists to refer to.
pub fn docx(body: &str) -> Vec<u8> {
    docx_with_properties(body, CORE)
}

/// The same with other properties, in XML.
pub fn docx_with_properties(body: &str, properties: &str) -> Vec<u8> {
    let document = format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="w" xmlns:mc="m"><w:body>{body}</w:body></w:document>"#
    );
    package(&[
        ("_rels/.rels", RELATIONS),
        ("word/document.xml", &document),
        ("word/_rels/document.xml.rels", PARTS),
        ("word/styles.xml", STYLES),
        ("word/numbering.xml", NUMBERING),
        ("word/footnotes.xml", FOOTNOTES),
        ("docProps/core.xml", properties),
    ])
}

/// A package with these parts.
pub fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in parts {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A paragraph in a style.
pub fn paragraph(style: &str, text: &str) -> String {
    format!(
        r#"<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>"#
    )
}

/// An item of a list.
pub fn item(list: u8, level: u8, text: &str) -> String {
    format!(
        r#"<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#
    )
}
