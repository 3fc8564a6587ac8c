//! The golden set of this repository holds, and the validator finds every kind of defect.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use plumbline_evaluation::golden::library::SampleLibrary;
use plumbline_evaluation::golden::validate::{Defect, Finding, validate};
use plumbline_evaluation::golden::{
    CATEGORY_MINIMA, Category, Fact, GoldenQuery, GoldenSet, Language, Quote, Reason, Role, Turn,
};
use plumbline_evaluation::halves::Half;

type Outcome = Result<(), Box<dyn Error>>;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

fn real() -> Result<(GoldenSet, SampleLibrary), Box<dyn Error>> {
    let text = fs::read_to_string(data().join("evaluation/golden_queries.jsonl"))?;
    Ok((GoldenSet::parse(&text)?, SampleLibrary::read(&data().join("sample"))?))
}

/// What is found after a change to the first question that fits.
fn after(
    fits: impl Fn(&GoldenQuery) -> bool,
    change: impl Fn(&mut GoldenQuery),
) -> Result<Vec<Defect>, Box<dyn Error>> {
    let (mut set, library) = real()?;
    let query = set.queries.iter_mut().find(|query| fits(query)).ok_or("no question fits")?;
    change(query);
    let id = query.id.clone();
    let findings = validate(&set, &library);
    assert!(findings.iter().all(|finding| finding.id.as_deref() == Some(id.as_str())), "{findings:?}");
    Ok(findings.into_iter().map(|finding| finding.defect).collect())
}

fn about_the_whole(findings: &[Finding]) -> Vec<Defect> {
    findings.iter().filter(|finding| finding.id.is_none()).map(|finding| finding.defect).collect()
}

fn answered(query: &GoldenQuery) -> bool {
    query.category == Category::AdrRetrieval && query.expected.quote.is_some()
}

fn refused(query: &GoldenQuery) -> bool {
    query.category == Category::TerminologyMiss
}

#[test]
fn the_golden_set_has_no_defect() -> Outcome {
    let (set, library) = real()?;
    assert_eq!(validate(&set, &library), []);
    Ok(())
}

#[test]
fn every_question_is_in_the_half_of_the_first_document_that_it_expects() -> Outcome {
    let (mut set, _) = real()?;
    let halves: Vec<Half> = set.queries.iter().map(GoldenQuery::half).collect();
    let count = |half: Half| halves.iter().filter(|one| **one == half).count();
    assert!(count(Half::Fitted) >= 40 && count(Half::Reported) >= 40, "both halves say something");
    for query in &set.queries {
        let expected = &query.expected;
        let document =
            expected.doc_ids.first().or(expected.doc_ids_any.first().and_then(|group| group.first()));
        let by_name = document.or(expected.rows.first()).map_or(Half::NoDocument, |name| Half::of(name));
        assert_eq!(query.half(), by_name, "{}", query.id);
    }
    let query = set.queries.iter_mut().find(|query| answered(query)).ok_or("no question fits")?;
    query.query = "Asked in other words?".to_owned();
    assert_eq!(query.half(), Half::of(&query.expected.doc_ids[0]), "how it is worded does not count");
    Ok(())
}

#[test]
fn the_library_is_read_completely() -> Outcome {
    let (_, library) = real()?;
    let count = |prefix: &str| library.documents.keys().filter(|id| id.starts_with(prefix)).count();
    assert_eq!((count("adr-"), count("pcp-"), count("policy-")), (60, 20, 10));
    assert!(count("vocab-") > 100);
    assert!(library.documents.values().all(|document| !document.text.is_empty()));
    Ok(())
}

#[test]
fn counts_add_up() -> Outcome {
    let (set, _) = real()?;
    let counts = set.counts();
    assert_eq!(counts.total.all(), set.queries.len());
    let sum: usize = Category::ALL.iter().map(|category| counts.category(*category)).sum();
    assert_eq!(sum, set.queries.len());
    Ok(())
}

#[test]
fn a_set_that_is_too_small_is_found() -> Outcome {
    let (mut set, library) = real()?;
    set.queries.truncate(99);
    assert!(about_the_whole(&validate(&set, &library)).contains(&Defect::TooFewQuestions));
    Ok(())
}

#[test]
fn a_category_below_its_minimum_is_found() -> Outcome {
    for (category, minimum) in CATEGORY_MINIMA {
        let (mut set, library) = real()?;
        let mut kept = 0;
        set.queries.retain(|query| {
            kept += usize::from(query.category == category);
            query.category != category || kept < minimum
        });
        let found = about_the_whole(&validate(&set, &library));
        assert!(found.contains(&Defect::CategoryBelowMinimum), "{category}");
    }
    Ok(())
}

#[test]
fn too_little_dutch_is_found() -> Outcome {
    let (mut set, library) = real()?;
    for query in set.queries.iter_mut().filter(|query| query.language == Language::Nl).take(20) {
        query.language = Language::En;
    }
    assert_eq!(about_the_whole(&validate(&set, &library)), [Defect::TooLittleDutch]);
    Ok(())
}

#[test]
fn a_required_question_that_was_reworded_is_found() -> Outcome {
    let (mut set, library) = real()?;
    let query = set.queries.iter_mut().find(|query| query.query == "What is CIMXML?").ok_or("absent")?;
    query.query = "What's CIMXML?".to_owned();
    assert_eq!(about_the_whole(&validate(&set, &library)), [Defect::MissingExample]);
    Ok(())
}

#[test]
fn a_dutch_question_names_the_language_of_its_evidence_once() -> Outcome {
    let dutch = |query: &GoldenQuery| query.language == Language::Nl;
    assert_eq!(after(dutch, |query| query.tags.clear())?, [Defect::UntaggedDutch]);
    let both =
        |query: &mut GoldenQuery| query.tags = ["same_language", "cross_language"].map(str::to_owned).into();
    assert_eq!(after(dutch, both)?, [Defect::UntaggedDutch]);
    Ok(())
}

#[test]
fn a_document_that_does_not_exist_is_found_wherever_it_is_named() -> Outcome {
    let id = || "adr-0014".to_owned();
    let unknown = [Defect::UnknownId];
    assert_eq!(after(answered, |query| query.expected.doc_ids.push(id()))?, unknown);
    assert_eq!(after(answered, |query| query.expected.doc_ids_any.push(vec![id()]))?, unknown);
    assert_eq!(after(answered, |query| query.expected.acceptable_doc_ids.push(id()))?, unknown);
    let lists = |query: &GoldenQuery| !query.expected.rows.is_empty() && query.expected.fact.is_none();
    assert_eq!(after(lists, |query| query.expected.rows.push(id()))?, unknown);
    let quote = Quote { doc_id: id(), text: "x".to_owned() };
    assert_eq!(after(answered, |query| query.expected.quotes.push(quote.clone()))?, unknown);
    let term = |query: &GoldenQuery| query.query == "What is CIMXML?";
    assert_eq!(
        after(term, |query| query.expected.acceptable_doc_ids.push("vocab-cimxlm".to_owned()))?,
        unknown
    );
    Ok(())
}

#[test]
fn a_quotation_from_a_document_that_is_not_expected_is_found() -> Outcome {
    let quote = Quote { doc_id: "pcp-0039".to_owned(), text: "Data is encrypted".to_owned() };
    assert_eq!(after(answered, |query| query.expected.quotes.push(quote.clone()))?, [Defect::UnknownId]);
    Ok(())
}

#[test]
fn a_document_that_the_asker_may_not_see_is_found() -> Outcome {
    let restricted =
        |query: &GoldenQuery| query.category == Category::PolicyRetrieval && !query.user_tags.is_empty();
    assert_eq!(after(restricted, |query| query.user_tags.clear())?, [Defect::HiddenDocument]);
    Ok(())
}

#[test]
fn a_quotation_must_stand_in_its_document() -> Outcome {
    let reworded = |query: &mut GoldenQuery| query.expected.quote = Some("CIM is optional".to_owned());
    assert_eq!(after(answered, reworded)?, [Defect::QuoteNotFound]);
    let several = |query: &GoldenQuery| !query.expected.quotes.is_empty();
    let reworded = |query: &mut GoldenQuery| {
        if let Some(quote) = query.expected.quotes.first_mut() {
            quote.text.push_str(" not");
        }
    };
    assert_eq!(after(several, reworded)?, [Defect::QuoteNotFound]);
    Ok(())
}

#[test]
fn a_quotation_from_a_comment_is_found() -> Outcome {
    let grid = |query: &GoldenQuery| query.expected.doc_ids == ["pcp-0012"] && query.expected.quote.is_some();
    let draft = "proprietary protocols are allowed until 2030 for feeder automation";
    let found = after(grid, |query| query.expected.quote = Some(draft.to_owned()))?;
    assert_eq!(found, [Defect::QuoteNotFound]);
    let file = data().join("sample/principles/0012-interoperability-by-open-standards.md");
    let words = fs::read_to_string(file)?.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(draft), "the draft is in the file all the same");
    Ok(())
}

#[test]
fn a_quotation_is_neither_empty_nor_long() -> Outcome {
    let empty = |query: &mut GoldenQuery| query.expected.quote = Some(" ".to_owned());
    assert_eq!(after(answered, empty)?, [Defect::QuoteLength]);
    let long = |query: &mut GoldenQuery| query.expected.quote = Some("word ".repeat(26));
    assert_eq!(after(answered, long)?, [Defect::QuoteLength, Defect::QuoteNotFound]);
    Ok(())
}

#[test]
fn a_fact_must_be_supported() -> Outcome {
    let with = |field: &'static str| {
        move |query: &GoldenQuery| query.expected.fact.as_ref().is_some_and(|fact| fact.field == field)
    };
    let wrong = |values: &[&str]| {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        move |query: &mut GoldenQuery| {
            let field = query.expected.fact.as_ref().map_or_else(String::new, |fact| fact.field.clone());
            query.expected.fact = Some(Fact { field, values: values.clone() });
        }
    };
    for field in ["status", "date", "version", "owner", "approvers", "count"] {
        assert_eq!(after(with(field), wrong(&["wrong"]))?, [Defect::FactNotFound], "{field}");
        assert_eq!(after(with(field), wrong(&[]))?, [Defect::FactNotFound], "{field}");
    }
    assert_eq!(after(with("superseded_by"), wrong(&["adr-0022"]))?, [Defect::FactNotFound]);
    let both = [Defect::UnknownId, Defect::FactNotFound];
    assert_eq!(after(with("superseded_by"), wrong(&["adr-0023"]))?, both);
    Ok(())
}

#[test]
fn a_refusal_has_a_reason_and_no_documents() -> Outcome {
    assert_eq!(after(refused, |query| query.expected.reason = None)?, [Defect::ReasonMismatch]);
    let twice = |query: &mut GoldenQuery| query.expected.reasons.push(Reason::NoResults);
    assert_eq!(after(refused, twice)?, [Defect::ReasonMismatch]);
    let answer = |query: &mut GoldenQuery| query.expected.reason = Some(Reason::NoResults);
    assert_eq!(after(answered, answer)?, [Defect::ReasonMismatch]);
    let documents = |query: &mut GoldenQuery| query.expected.doc_ids.push("adr-0012".to_owned());
    assert_eq!(after(refused, documents)?, [Defect::RefusalWithDocuments]);
    Ok(())
}

#[test]
fn an_answer_expects_something() -> Outcome {
    let nothing = |query: &mut GoldenQuery| {
        query.expected.doc_ids.clear();
        query.expected.quote = None;
    };
    assert_eq!(after(answered, nothing)?, [Defect::NothingExpected]);
    Ok(())
}

#[test]
fn a_conversation_belongs_to_follow_ups() -> Outcome {
    let turn = Turn { role: Role::User, content: "What is CIM?".to_owned() };
    assert_eq!(after(answered, |query| query.history.push(turn.clone()))?, [Defect::HistoryMismatch]);
    let follow_up = |query: &GoldenQuery| query.category == Category::FollowUp;
    assert_eq!(after(follow_up, |query| query.history.clear())?, [Defect::HistoryMismatch]);
    Ok(())
}

#[test]
fn a_bait_says_what_is_right() -> Outcome {
    for category in [Category::Bait, Category::NearMiss] {
        let tricky = |query: &GoldenQuery| query.category == category;
        assert_eq!(after(tricky, |query| query.why = None)?, [Defect::MissingWhy]);
    }
    Ok(())
}
