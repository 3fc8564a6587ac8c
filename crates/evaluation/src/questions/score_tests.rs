use super::*;

fn expected(behaviour: Behaviour) -> Expected {
    serde_json::from_value(serde_json::json!({
        "behaviour": behaviour, "documents": [], "also_fine": [], "must_contain": [], "must_not_contain": []
    }))
    .unwrap()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn given(behaviour: Behaviour, citations: &[&str], text: &str) -> Given {
    Given {
        behaviour: Some(behaviour),
        citations: texts(citations),
        text: text.to_owned(),
        length: text.len(),
    }
}

#[test]
fn kinds_of_answers_pass_for_one_another_and_refusals_do_not() {
    use Behaviour::{AboutItself, Answer, Clarify, Define, Fact, List, Refuse};
    let right = [
        (Answer, vec![Answer, Fact, Define, List]),
        (Fact, vec![Answer, Fact, List]),
        (Define, vec![Answer, Fact, Define]),
        (List, vec![Answer, Fact, List]),
        (Clarify, vec![Answer, Fact, List, Clarify]),
        (Refuse, vec![Clarify, Refuse]),
        (AboutItself, vec![AboutItself]),
    ];
    for (wanted, passing) in right {
        for done in [Answer, Fact, Define, List, Clarify, Refuse, AboutItself] {
            let marks = score(&expected(wanted), &given(done, &[], ""));
            assert_eq!(marks.behaviour, passing.contains(&done), "{done:?} where {wanted:?} is right");
        }
        assert!(!score(&expected(wanted), &Given::default()).behaviour, "no response is never right");
    }
}

#[test]
fn every_document_must_be_cited_and_others_cost_precision_only() {
    let expected = Expected {
        documents: texts(&["records/1-tea.md", "records/2-water.md"]),
        also_fine: texts(&["records/3-cups.md"]),
        ..expected(Behaviour::Answer)
    };
    let marks = |citations: &[&str]| score(&expected, &given(Behaviour::Answer, citations, ""));
    let half = marks(&["1-tea.md", "3-cups.md"]);
    assert_eq!((half.documents, half.recall, half.precision), (false, Some(0.5), Some(1.0)));
    let whole = marks(&["1-tea.md", "records/2-water.md", "9-sugar.md", "8-milk.md"]);
    assert_eq!((whole.documents, whole.recall, whole.precision), (true, Some(1.0), Some(0.5)));
    let none = marks(&[]);
    assert_eq!((none.documents, none.recall, none.precision), (false, Some(0.0), None));
}

#[test]
fn one_of_several_documents_is_enough_beside_those_that_must_be_there() {
    let either = Expected { any_of: texts(&["a.md", "b.md"]), ..expected(Behaviour::Fact) };
    let marks =
        |expected: &Expected, citations: &[&str]| score(expected, &given(Behaviour::Fact, citations, ""));
    assert!(marks(&either, &["b.md"]).documents && !marks(&either, &["c.md"]).documents);
    assert_eq!(marks(&either, &["c.md"]).recall, Some(0.0));
    let and = Expected { documents: texts(&["c.md"]), ..either };
    assert!(marks(&and, &["c.md", "a.md"]).documents);
    assert!(!marks(&and, &["c.md"]).documents && !marks(&and, &["a.md"]).documents);
}

#[test]
fn a_concept_stands_for_the_file_that_holds_it() {
    let expected = Expected {
        documents: texts(&["terms/tea.ttl"]),
        concept: Some("https://example.org/id/Tea".to_owned()),
        ..expected(Behaviour::Define)
    };
    let marks = |citation: &str| score(&expected, &given(Behaviour::Define, &[citation], ""));
    let concept = marks("https://example.org/id/Tea");
    assert_eq!((concept.documents, concept.precision), (true, Some(1.0)));
    assert!(marks("tea.ttl").documents);
    assert!(!marks("https://example.org/id/coffee").documents, "another concept is another thing");
}

#[test]
fn a_refusal_cites_nothing_or_what_puts_a_wrong_premise_right() {
    let plain = expected(Behaviour::Refuse);
    assert!(score(&plain, &given(Behaviour::Refuse, &[], "")).documents);
    assert!(!score(&plain, &given(Behaviour::Refuse, &["1-tea.md"], "")).documents);
    let premise = Expected { also_fine: texts(&["1-tea.md"]), ..plain };
    let corrected = score(&premise, &given(Behaviour::Answer, &["1-tea.md"], ""));
    assert!(corrected.behaviour && corrected.documents);
    assert!(!score(&premise, &given(Behaviour::Answer, &["2-water.md"], "")).behaviour);
    assert!(!score(&premise, &given(Behaviour::Answer, &[], "")).behaviour);
}

#[test]
fn words_are_all_there_one_of_each_group_and_none_that_is_wrong() {
    let expected = Expected {
        must_contain: texts(&["green tea", "80"]),
        must_contain_any: vec![texts(&["2024-05-01", "1 May 2024"]), texts(&["degrees"])],
        must_not_contain: texts(&["boiling"]),
        ..expected(Behaviour::Answer)
    };
    let right = "Since *1 May 2024* **Green\ntea** is made at 80 degrees.";
    let holds = |text: &str| score(&expected, &given(Behaviour::Answer, &[], text)).content;
    assert!(holds(right));
    for (from, to) in
        [("Green", "Black"), ("80", "180"), ("1 May", "2 May"), ("degrees", "°C"), ("made", "made boiling")]
    {
        assert!(!holds(&right.replace(from, to)), "{from} → {to}");
    }
}

#[test]
fn a_list_is_complete_or_at_least_counted() {
    let expected = Expected {
        documents: texts(&["index.md"]),
        rows: texts(&["1-tea.md", "2-water.md"]),
        count: Some(2),
        ..expected(Behaviour::List)
    };
    let marks = |citations: &[&str], text: &str| score(&expected, &given(Behaviour::List, citations, text));
    let whole = marks(&["1-tea.md", "2-water.md"], "These:");
    assert!(whole.documents && whole.content, "rows go before documents");
    assert!(!marks(&["1-tea.md"], "These:").content);
    let counted = marks(&["1-tea.md", "index.md", "3-cups.md"], "There are 2.");
    assert!(counted.content && !counted.documents);
    assert_eq!(counted.recall, Some(0.5));
    assert!(counted.precision.is_some_and(|share| (share - 2.0 / 3.0).abs() < 1e-9));
}
