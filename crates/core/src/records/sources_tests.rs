use super::source_named;

const SOURCES: [&str; 4] =
    ["records/harbour-authority", "adr/govuk-infrastructure", "adr/madr", "uk-home-office/docs"];

fn named(text: &str) -> Option<String> {
    source_named(text, SOURCES).map(|named| named.source)
}

#[test]
fn a_source_goes_by_half_of_its_name() {
    assert_eq!(named("Which GOV.UK ADRs are about Kubernetes?").as_deref(), Some("adr/govuk-infrastructure"));
    assert_eq!(named("how many decisions has the MADR project recorded").as_deref(), Some("adr/madr"));
    assert_eq!(named("the Home Office's principles").as_deref(), Some("uk-home-office/docs"));
    assert_eq!(named("gov uk decisions").as_deref(), Some("adr/govuk-infrastructure"));
}

#[test]
fn the_rest_of_the_text_stays() {
    let rest = |text| source_named(text, SOURCES).map(|named| named.without);
    let asked = rest("Which GOV.UK ADRs are about Kubernetes?");
    assert_eq!(asked.as_deref(), Some("Which ADRs are about Kubernetes?"));
    assert_eq!(rest("all gov uk decisions").as_deref(), Some("all decisions"));
}

#[test]
fn what_names_none_or_two_names_nothing() {
    for text in ["Which ADRs are there?", "MADR or GOV.UK?", "which records and docs", "who works from home"]
    {
        assert_eq!(named(text), None, "{text}");
    }
    let one = source_named("the MADR decisions", ["adr/madr"]);
    assert_eq!(one, None, "where all come from one there is nothing to tell apart");
}
