use plumbline_core::domain::Language;

use super::*;

const GOOD: &str = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://x.test/a> skos:prefLabel \"a\"@en .
<http://x.test/b> skos:prefLabel \"b\"@en .
";

fn labels(read: &ReadRdf) -> Vec<String> {
    let mut values: Vec<String> = read
        .triples
        .iter()
        .filter_map(|triple| match &triple.object {
            oxrdf::Term::Literal(literal) => Some(literal.value().to_owned()),
            _ => None,
        })
        .collect();
    values.sort();
    values
}

#[test]
fn every_format_gives_the_same_statements() {
    let nt = "<http://x.test/a> <http://www.w3.org/2004/02/skos/core#prefLabel> \"a\"@en .\n\
              <http://x.test/b> <http://www.w3.org/2004/02/skos/core#prefLabel> \"b\"@en .\n";
    let xml = r#"<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY skos "http://www.w3.org/2004/02/skos/core#"> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="&skos;">
<rdf:Description rdf:about="http://x.test/a"><skos:prefLabel xml:lang="en">a</skos:prefLabel></rdf:Description>
<rdf:Description rdf:about="http://x.test/b"><skos:prefLabel xml:lang="en">b</skos:prefLabel></rdf:Description>
</rdf:RDF>"#;
    let json = r#"{"@context":{"skos":"http://www.w3.org/2004/02/skos/core#"},"@graph":[
{"@id":"http://x.test/a","skos:prefLabel":{"@value":"a","@language":"en"}},
{"@id":"http://x.test/b","skos:prefLabel":{"@value":"b","@language":"en"}}]}"#;
    let trig = GOOD
        .replace("<http://x.test/b>", "<http://x.test/g> { <http://x.test/b>")
        .replace("\"b\"@en .", "\"b\"@en . }");
    let sorted = |bytes: &str, format| {
        let read = read_rdf(bytes.as_bytes(), format, "f");
        assert_eq!(read.defects, [], "{format:?}");
        let mut lines: Vec<String> = read.triples.iter().map(ToString::to_string).collect();
        lines.sort();
        lines
    };
    let expected = sorted(GOOD, RdfFormat::Turtle);
    assert_eq!(expected.len(), 2);
    for (bytes, format) in [
        (nt, RdfFormat::NTriples),
        (nt, RdfFormat::NQuads),
        (xml, RdfFormat::RdfXml),
        (json, RdfFormat::JsonLd),
        (trig.as_str(), RdfFormat::TriG),
        (&format!("\u{feff}{GOOD}"), RdfFormat::Turtle),
    ] {
        assert_eq!(sorted(bytes, format), expected, "{format:?}");
    }
}

#[test]
fn a_broken_statement_costs_itself_and_names_its_line() {
    let broken = GOOD.replace("<http://x.test/a> skos:prefLabel", "<http://x.test/a> skos prefLabel");
    let read = read_rdf(broken.as_bytes(), RdfFormat::Turtle, "v.ttl");
    assert_eq!(labels(&read), ["b"]);
    assert_eq!(read.defects.first().and_then(|defect| defect.line), Some(2), "{:?}", read.defects);
    assert!(read.defects[0].to_string().starts_with("v.ttl:2: "));

    let nt = "<http://x.test/a> <http://x.test/p> \"a\" .\nnonsense\n<http://x.test/b> <http://x.test/p> \"b\" .\n";
    let read = read_rdf(nt.as_bytes(), RdfFormat::NTriples, "v.nt");
    assert_eq!((labels(&read).join(" ").as_str(), read.defects[0].line), ("a b", Some(2)));

    let xml = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:x=\"http://x.test/\">\n\
               <rdf:Description rdf:about=\"http://x.test/a\"><x:p>a</x:p></rdf:Description>\n\
               <rdf:Description rdf:about=\"http://x.test/b\"><x:p>b</x:q></rdf:Description>\n</rdf:RDF>\n";
    let read = read_rdf(xml.as_bytes(), RdfFormat::RdfXml, "v.rdf");
    assert_eq!((labels(&read).join(" ").as_str(), read.defects[0].line), ("a", Some(3)));

    let json = "{\"@id\": \"http://x.test/a\",\n\"http://x.test/p\": \"a\",\n}";
    let read = read_rdf(json.as_bytes(), RdfFormat::JsonLd, "v.jsonld");
    assert_eq!(read.defects[0].line, Some(3), "{:?}", read.defects);
}

#[test]
fn an_odd_address_is_told_and_does_not_cost_its_concept() {
    let odd = GOOD.replace(
        "skos:prefLabel \"a\"@en",
        "<http://x.test/see> <http://x.test/%zz> ; skos:prefLabel \"a\"@en",
    );
    let read = read_rdf(odd.as_bytes(), RdfFormat::Turtle, "v.ttl");
    assert_eq!(labels(&read), ["a", "b"]);
    assert_eq!(read.defects.first().and_then(|defect| defect.line), Some(2));
}

#[test]
fn bombs_are_refused_before_they_are_parsed() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let laughs = "<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><r>&b;</r>";
    let long =
        format!("<!DOCTYPE r [<!ENTITY a \"{}\">]><r>{}</r>", "ha".repeat(50_000), "&a;".repeat(50_000));
    for (bytes, format) in
        [(deep.as_str(), RdfFormat::JsonLd), (laughs, RdfFormat::RdfXml), (long.as_str(), RdfFormat::RdfXml)]
    {
        let read = read_rdf(bytes.as_bytes(), format, "f");
        assert_eq!((read.triples.len(), read.defects.len()), (0, 1), "{format:?}");
    }
    let brackets = format!("<http://x.test/a> <http://x.test/p> {}", "[ <http://x.test/p> ".repeat(50_000));
    assert!(!read_rdf(brackets.as_bytes(), RdfFormat::Turtle, "f").defects.is_empty());
}

#[test]
fn defects_of_one_file_are_bounded() {
    let read = read_rdf("nonsense .\n".repeat(1_000).as_bytes(), RdfFormat::Turtle, "f");
    assert_eq!(read.defects.len(), MAX_DEFECTS + 1);
    assert!(
        read.defects.last().is_some_and(|defect| defect.message.contains("900 more")
            && defect.detail().text(Language::NL) == "en nog 900 fouten"),
        "{:?}",
        read.defects.last()
    );
}

#[test]
fn formats_are_told_by_extension_and_beginning() {
    assert_eq!(RdfFormat::of_file(Some("TTL"), b""), RdfFormat::Turtle);
    assert_eq!(RdfFormat::of_file(Some("owl"), b"<?xml"), RdfFormat::RdfXml);
    assert_eq!(RdfFormat::of_file(Some("owl"), b"\xEF\xBB\xBF @prefix"), RdfFormat::Turtle);
    assert_eq!(RdfFormat::of_file(None, b" {"), RdfFormat::JsonLd);
    assert_eq!(RdfFormat::of_file(Some("txt"), b"<rdf:RDF"), RdfFormat::RdfXml);
    assert_eq!(RdfFormat::of_file(None, b""), RdfFormat::Turtle);
}
