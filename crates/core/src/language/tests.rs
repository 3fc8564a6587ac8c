use super::*;

#[test]
fn the_languages_of_the_program_can_be_used() {
    start(None).unwrap();
    let codes: Vec<&str> = Language::all().map(Language::code).collect();
    assert_eq!(codes, ["en", "nl"]);
    assert_eq!((Language::from_code("nl-BE"), Language::from_code("de")), (Some(Language::NL), None));
}

#[test]
fn no_pack_is_a_stub() {
    for pack in Pack::all() {
        let code = &pack.code;
        assert!(pack.words.stop.len() > 50 && pack.words.telltale.len() > 20, "{code}");
        assert!(pack.intent.facts.fields.len() == 9, "{code}");
        assert!(pack.remarks.no_answer.len() > 4 && pack.remarks.missing.len() > 2, "{code}");
    }
}

#[test]
fn every_language_has_the_same_aspects() {
    let names = |pack: &Pack| pack.aspects.iter().map(|aspect| aspect.name.clone()).collect::<Vec<_>>();
    let mut all = Pack::all().map(names);
    let first = all.next().unwrap();
    assert!(all.all(|names| names == first));
}

#[test]
fn a_language_is_written_as_its_code() {
    assert_eq!(serde_json::to_string(&Language::NL).unwrap(), "\"nl\"");
    assert_eq!(serde_json::from_str::<Language>("\"en\"").unwrap(), Language::EN);
    let unknown = serde_json::from_str::<Language>("\"xx\"").unwrap_err().to_string();
    assert!(unknown.contains("`xx`") && unknown.contains("`en` or `nl`"), "{unknown}");
}

#[test]
fn a_folder_that_is_named_too_late_is_refused() {
    start(None).unwrap();
    let late = AddedLanguages { folder: "languages".to_owned(), ..AddedLanguages::default() };
    let late = start(Some(late)).unwrap_err();
    assert_eq!(late, PackError::TooLate { folder: "languages".to_owned() });
}
