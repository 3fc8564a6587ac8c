use super::{leading_code, possible_codes, same_code};

#[test]
fn a_code_is_the_same_however_it_is_typed() {
    for (one, other) in
        [("POL-03", "pol 3"), ("PRI.17", "PRI17"), ("SEGAS-00012", "segas-12"), ("RL-1b", "rl 01B")]
    {
        assert!(same_code(one, other), "{one} and {other}");
    }
    for (one, other) in
        [("POL-03", "POL-30"), ("POL-03", "PRI-03"), ("POL-03", "POL-03 Remote access"), ("3", "3")]
    {
        assert!(!same_code(one, other), "{one} and {other}");
    }
}

#[test]
fn titles_and_files_begin_with_a_code_or_with_something_else() {
    assert_eq!(leading_code("POL-03 Policy on Remote Access"), Some("POL-03"));
    assert_eq!(leading_code("RL-01-naamgeving-meetpunten"), Some("RL-01"));
    for other in
        ["0017-elke-leverancier", "oauth2-for-apis", "OAuth2 for APIs", "TLS 1.3", "v2-api", "POL-03x1 odd"]
    {
        assert_eq!(leading_code(other), None, "{other}");
    }
}

#[test]
fn what_could_be_a_code_is_found_where_it_stands() {
    let text = "who owns pol 3, and since 2024?";
    let found: Vec<&str> = possible_codes(text).into_iter().map(|(range, _)| &text[range]).collect();
    assert_eq!(found, ["pol 3", "since 2024"], "the catalogue tells which of them is one");
}
