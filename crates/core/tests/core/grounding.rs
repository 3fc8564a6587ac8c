use std::sync::Arc;

use plumbline_core::answer::grounding::{CitedPassages, Grounding, GroundingRules};
use plumbline_core::domain::{Chunk, Document};
use plumbline_core::response::WithheldLabel;
use plumbline_core::text::UnitKind;
use plumbline_testkit::documents::{adr, chunk, dutch_policy};

fn passages() -> CitedPassages {
    let tls = adr(21, "Require TLS 1.3 for transport encryption");
    let kafka = adr(18, "Use event streaming for application integration");
    let policy = dutch_policy("toegankelijkheid", "Toegankelijkheid");
    let chunks = [
        chunk(
            &tls,
            0,
            &["Decision Outcome"],
            "All connections use TLS 1.3. TLS 1.2 is allowed for OT devices until 2027-12-31, with an exception. SSL is forbidden. Certificates are valid for at most 398 days.",
        ),
        chunk(
            &kafka,
            2,
            &["Decision Outcome"],
            "We use Apache Kafka for event streaming. Events are retained for 7 days by default and for 30 days on audit topics. \"Schemas live in a registry\", says Fatima el Amrani.",
        ),
        chunk(
            &policy,
            0,
            &["Klachten"],
            "Klachten over de toegankelijkheid worden binnen 10 werkdagen beantwoord. De verklaring wordt elk jaar vernieuwd.",
        ),
    ];
    let borrowed: Vec<&Chunk> = chunks.iter().collect();
    CitedPassages::new(&borrowed, GroundingRules::default())
}

fn kept(aliases: &[usize]) -> Grounding {
    Grounding::Kept { aliases: aliases.to_vec(), re_cited: false }
}

fn check(text: &str, cited: &[usize]) -> Grounding {
    passages().check(UnitKind::Sentence, text, cited)
}

fn label(text: &str, cited: &[usize]) -> WithheldLabel {
    match check(text, cited) {
        Grounding::Withheld { label, .. } => label,
        kept => panic!("`{text}` passed: {kept:?}"),
    }
}

#[test]
fn true_paraphrase_is_kept() {
    for text in [
        "Every connection must use TLS 1.3.",
        "OT devices may use TLS 1.2 by exception until 31 December 2027.",
        "A certificate is valid for at most 398 days.",
        "SSL is not allowed: it is forbidden.",
    ] {
        assert_eq!(check(text, &[1]), kept(&[1]), "{text}");
    }
    assert_eq!(check("Klachten worden beantwoord binnen tien werkdagen.", &[3]), kept(&[3]));
}

#[test]
fn invented_numbers_ids_dates_quotes_links_and_names_are_fabricated() {
    for text in [
        "Certificates are valid for at most 825 days.",
        "TLS 1.2 is allowed for OT devices until 2029-12-31.",
        "TLS 1.2 is allowed for OT devices until 31 December 2028.",
        "ADR-0099 requires that connections use TLS 1.3.",
        "Connections use TLS 1.3 with AES-128.",
        "The record says \"connections never expire\" about TLS 1.3 connections.",
        "All connections use TLS 1.3, see https://evil.example/tls.",
        "All connections use TLS 1.3, says Jan Jansen.",
        "Klachten worden binnen 20 werkdagen beantwoord.",
    ] {
        assert_eq!(label(text, &[1, 2, 3]), WithheldLabel::Fabricated, "{text}");
    }
}

#[test]
fn a_number_with_another_unit_is_another_number() {
    assert_eq!(label("Events are retained for 7 hours by default.", &[2]), WithheldLabel::Fabricated);
}

#[test]
fn what_another_passage_supports_is_cited_anew() {
    assert_eq!(
        check("Events are retained for 30 days on audit topics.", &[1]),
        Grounding::Kept { aliases: vec![2], re_cited: true }
    );
}

#[test]
fn a_supported_sentence_without_a_marker_is_given_its_source() {
    assert_eq!(check("Events are retained for 30 days on audit topics.", &[]), kept(&[2]));
}

#[test]
fn a_bare_phrase_needs_to_stand_in_a_passage() {
    assert_eq!(check("398 days", &[]), kept(&[1]));
    assert_eq!(check("Apache Kafka", &[1]), Grounding::Kept { aliases: vec![2], re_cited: true });
    assert_eq!(label("40 minutes", &[]), WithheldLabel::Fabricated);
    assert_eq!(label("default connections", &[]), WithheldLabel::Unsupported);
}

#[test]
fn a_second_marker_that_supports_nothing_goes() {
    assert_eq!(check("All connections use TLS 1.3.", &[1, 2]), kept(&[1]));
}

#[test]
fn parts_from_two_passages_are_supported_by_both_markers() {
    let text = "Connections use TLS 1.3 and events are retained for 7 days by default.";
    assert_eq!(check(text, &[1, 2]), kept(&[1, 2]));
    assert_eq!(
        check(text, &[1]),
        Grounding::Kept { aliases: vec![1, 2], re_cited: true },
        "each half has its passage"
    );
    let crossed = "ADR-0018 requires that all connections use TLS 1.3.";
    assert_eq!(
        label(crossed, &[1, 2]),
        WithheldLabel::Misattributed,
        "both passages hold a part, neither the statement"
    );
}

#[test]
fn the_opposite_is_not_supported() {
    assert_eq!(label("SSL is allowed.", &[1]), WithheldLabel::Unsupported);
    assert_eq!(label("Events are not retained for 7 days by default.", &[2]), WithheldLabel::Unsupported);
}

#[test]
fn words_from_everywhere_do_not_add_up_to_support() {
    assert_eq!(
        label("Bananas are cheaper in the northern provinces of the kingdom.", &[1]),
        WithheldLabel::Unsupported
    );
}

#[test]
fn code_counts_as_a_quotation_and_headings_are_exempt_from_citing() {
    let passages = passages();
    assert_eq!(passages.check(UnitKind::Code, "```\nSSL is forbidden.\n```", &[]), kept(&[1]));
    assert!(matches!(passages.check(UnitKind::Code, "```\nrm -rf /\n```", &[1]), Grounding::Withheld { .. }));
    assert_eq!(passages.check(UnitKind::Heading, "## What This Means", &[]), kept(&[]));
    assert!(matches!(passages.check(UnitKind::Heading, "## The 42 Rules", &[]), Grounding::Withheld { .. }));
}

#[test]
fn list_numbers_are_no_claims() {
    assert_eq!(passages().check(UnitKind::ListItem, "4. All connections use TLS 1.3.", &[1]), kept(&[1]));
}

#[test]
fn the_documents_own_name_may_be_said() {
    assert_eq!(check("ADR-0021 requires that all connections use TLS 1.3.", &[1]), kept(&[1]));
    assert_eq!(check("According to ADR 21, all connections use TLS 1.3.", &[1]), kept(&[1]));
}

#[test]
fn what_is_true_of_one_thing_is_not_true_of_another() {
    let gateway = adr(41, "Gateways of the metering platform");
    let text = "Kestrel retains audit events for 30 days. Meridian retains access logs for 12 days. Fatima el Amrani \
                approved the exception for Kestrel on 2024-03-04. Meridian must be replaced before 2027-06-01. \
                Kestrel accepts at most 500 requests per minute.";
    let chunks = [chunk(&gateway, 0, &["Decision Outcome"], text)];
    let passages = CitedPassages::new(&chunks.iter().collect::<Vec<_>>(), GroundingRules::default());
    let is_kept =
        |text: &str| matches!(passages.check(UnitKind::Sentence, text, &[1]), Grounding::Kept { .. });
    for text in [
        "Kestrel retains audit events for 12 days.",
        "Meridian retains audit events for 30 days.",
        "Fatima el Amrani approved the exception for Meridian on 4 March 2024.",
        "Kestrel must be replaced before 1 June 2027.",
        "Meridian must be replaced before 4 March 2024.",
        "Meridian accepts at most 500 requests per minute.",
        "Zephyrine retains audit events for 30 days.",
        "Fatima el Amrani rejected the exception for Kestrel on 4 March 2024.",
        "Kestrel accepts at least 500 requests per minute.",
        "Meridian must be replaced after 1 June 2027.",
    ] {
        assert!(!is_kept(text), "{text}");
    }
    for text in [
        "In Kestrel, audit events are kept for thirty days.",
        "Kestrel takes no more than 500 requests per minute.",
        "The exception for Kestrel was approved by Fatima el Amrani on 4 March 2024.",
        "Kestrel keeps audit events for 30 days, while Meridian keeps access logs for 12 days.",
        "Kestrel keeps audit events for 30 days and Meridian keeps access logs for 12 days.",
        "Before June 2027, Meridian must be replaced.",
    ] {
        assert!(is_kept(text), "{text}");
    }
}

#[test]
fn an_invented_item_spoils_an_enumeration() {
    let fish = adr(42, "Fish of the Sound");
    let text = "Common fish in the Sound are porgy, butterfish, winter flounder, striped sea robin and little skate.";
    let chunks = [chunk(&fish, 0, &[], text)];
    let passages = CitedPassages::new(&chunks.iter().collect::<Vec<_>>(), GroundingRules::default());
    let is_kept =
        |text: &str| matches!(passages.check(UnitKind::Sentence, text, &[1]), Grounding::Kept { .. });
    assert!(is_kept("The Sound has porgy, butterfish, winter flounder, sea robin and skate."));
    assert!(!is_kept("The Sound has porgy, butterfish, winter flounder, luthero, sea robin and skate."));
}

#[test]
fn digits_of_other_scripts_are_numbers_too() {
    assert_eq!(label("Certificates are valid for at most ٨٢٥ days.", &[1]), WithheldLabel::Fabricated);
}

#[test]
fn what_came_out_must_be_said_where_it_is_read() {
    let database = adr(30, "Store the topology of the grid");
    let options = chunk(
        &database,
        0,
        &["Considered Options"],
        "The topology of the grid could be kept in PostgreSQL with recursive queries. Neo4j keeps the topology of the grid as a graph.",
    );
    let outcome = chunk(
        &database,
        1,
        &["Considered Options"],
        "We chose PostgreSQL with recursive queries for the topology of the grid; a graph database is rejected for its cost.",
    );
    let choice = "For the topology of the grid PostgreSQL with recursive queries was chosen.";
    let dutch = chunk(
        &dutch_policy("topologie", "Topologie"),
        0,
        &["Besluit"],
        "PostgreSQL met recursive queries is gekozen voor de topology van het grid.",
    );
    let of = |passage: &Chunk, text: &str| {
        CitedPassages::new(&[passage], GroundingRules::default()).check(UnitKind::Sentence, text, &[1])
    };
    assert_eq!(of(&outcome, choice), kept(&[1]));
    assert_eq!(of(&outcome, "A graph database is rejected for its cost."), kept(&[1]));
    assert_eq!(of(&dutch, choice), kept(&[1]), "said in another language");
    let mut proposal = outcome.clone();
    proposal.section_path = vec!["Decision".to_owned()];
    proposal.document =
        Arc::new(Document { status: Some("proposed".to_owned()), ..(*proposal.document).clone() });
    proposal.text = "PostgreSQL with recursive queries would do for the topology of the grid.".to_owned();
    assert!(matches!(of(&proposal, choice), Grounding::Withheld { .. }), "a proposal decides nothing");
    proposal.text =
        "A pilot with PostgreSQL and recursive queries for the topology of the grid, then choose.".to_owned();
    assert!(matches!(of(&proposal, choice), Grounding::Withheld { .. }), "what will be chosen has not been");
    for text in [choice, "Neo4j was rejected to keep the topology of the grid as a graph."] {
        assert!(matches!(of(&options, text), Grounding::Withheld { .. }), "{text}");
    }
}

#[test]
fn a_figure_that_is_only_part_of_something_forbidden_forbids_nothing() {
    let mut passage = chunk(
        &adr(21, "Require TLS 1.3 for transport encryption"),
        0,
        &["Decision Outcome"],
        "TLS 1.3 is required for all transport encryption inside our networks. TLS 1.1 and TLS 1.0 are forbidden.",
    );
    passage.document = Arc::new(Document { version: None, ..(*passage.document).clone() });
    let text = "TLS 1.3 is required for all transport encryption inside our networks, according to ADR 21.0.";
    let passages = CitedPassages::new(&[&passage], GroundingRules::default());
    assert_eq!(passages.check(UnitKind::Sentence, text, &[]), kept(&[1]));
    for forbidden in ["TLS 1.0", "TLS 1.1"] {
        let text = format!("{forbidden} is required for all transport encryption inside our networks.");
        let checked = passages.check(UnitKind::Sentence, &text, &[]);
        assert!(matches!(checked, Grounding::Withheld { .. }), "{text}: {checked:?}");
    }
}
