//! A user's own text, checked against the library statement by statement.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use plumbline_core::domain::Document;
use plumbline_core::error::{AskError, ErrorCode};
use plumbline_core::ports::{PassageReading, Scope};
use plumbline_core::response::{CheckedStatement, CheckedText, StatementVerdict, WithheldLabel};
use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::model::FakeModel;
use plumbline_testkit::reader::FakeReader;
use plumbline_testkit::reranker::FakeReranker;
use plumbline_testkit::rig::Rig;
use tokio_util::sync::CancellationToken;

use StatementVerdict::{Contradicted, NotSupported, Supported, SupportedElsewhere};

async fn check(rig: &Rig, text: &str) -> Result<CheckedText, AskError> {
    rig.engine.check(text, &Scope::default(), &CancellationToken::new(), &|_| {}).await
}

async fn checked(rig: &Rig, text: &str) -> CheckedText {
    check(rig, text).await.unwrap()
}

async fn one(rig: &Rig, text: &str) -> CheckedStatement {
    let mut checked = checked(rig, text).await;
    assert_eq!(checked.statements.len(), 1, "{text}");
    checked.statements.remove(0)
}

fn sources(statement: &CheckedStatement) -> Vec<String> {
    statement.passages.iter().map(|passage| passage.citation.source_id.to_string()).collect()
}

/// What is marked of the first passage that decides.
fn marked(statement: &CheckedStatement) -> Vec<String> {
    let passage = &statement.passages[0];
    let chars = || passage.citation.snippet_full.chars();
    let marked = passage.marked.iter();
    marked.map(|span| chars().skip(span.start).take(span.end - span.start).collect()).collect()
}

#[tokio::test]
async fn a_draft_is_told_sentence_by_sentence() {
    let text = "# Security\n\nAll connections between applications use TLS 1.3. Why?\n\n\
                - Certificates are renewed every 45 days.\n\n```\nTLS 1.3\n```\n\nLunch is served at noon in the canteen.";
    let rig = Rig::new();
    let checked = checked(&rig, text).await;
    let verdicts: Vec<_> = checked.statements.iter().map(|statement| statement.verdict).collect();
    assert_eq!(verdicts, [Supported, NotSupported, NotSupported]);
    assert_eq!(checked.passed_over, 3, "heading, question and code state nothing");
    assert_eq!((checked.counts.supported, checked.counts.not_supported), (1, 2));

    let supported = &checked.statements[0];
    assert_eq!(sources(supported), ["adr-0012:1"]);
    let marked = marked(supported);
    assert!(marked.contains(&"connections between applications use TLS 1.3".to_owned()), "{marked:?}");

    let invented = &checked.statements[1];
    assert_eq!((invented.label, invented.detail.as_deref()), (Some(WithheldLabel::Fabricated), Some("45")));
    assert!(invented.reason.as_deref().unwrap().contains("“45”"), "{:?}", invented.reason);
    assert_eq!(invented.nearest.as_ref().unwrap().source_id.to_string(), "adr-0012:2");
    let at: String =
        text.chars().skip(invented.span.start).take(invented.span.end - invented.span.start).collect();
    assert_eq!(at, "- Certificates are renewed every 45 days.", "it is found again in the text");
}

#[tokio::test]
async fn what_another_document_says_than_the_cited_one_is_told() {
    let rig = Rig::new();
    for (text, verdict, named) in [
        ("Meter readings are kept for ten years (ADR-0012).", SupportedElsewhere, "adr-0012"),
        ("According to ADR-0012, meter readings are kept for ten years.", SupportedElsewhere, "adr-0012"),
        ("ADR-0010 requires that certificates are renewed every 90 days.", SupportedElsewhere, "adr-0010"),
        ("Certificates are renewed every 90 days (see ADR-0012).", Supported, "adr-0012"),
        ("According to ADR-0012, certificates are renewed every 90 days.", Supported, "adr-0012"),
        ("Certificates are renewed every 90 days, according to ADR 12.", Supported, "adr-0012"),
        ("Certificates are renewed every 90 days, as ADR 12 requires.", Supported, "adr-0012"),
        ("Certificates are renewed every 90 days, as ADR 10 requires.", SupportedElsewhere, "adr-0010"),
    ] {
        let statement = one(&rig, text).await;
        assert_eq!(statement.verdict, verdict, "{text}: {statement:#?}");
        assert_eq!(statement.named[0].document_ids, [named], "{text}");
        assert_eq!(statement.reason.is_some(), verdict == SupportedElsewhere, "{text}");
    }
    let unknown = one(&rig, "Certificates are renewed every 90 days (ADR-0999).").await;
    assert_eq!(unknown.verdict, SupportedElsewhere, "there is no such record, but another says so");
    assert!(unknown.named[0].document_ids.is_empty());
    let of_itself = one(&rig, "ADR-0018 was accepted.").await;
    assert_eq!(of_itself.verdict, NotSupported, "that others were accepted says nothing of this one");
}

#[tokio::test]
async fn what_a_passage_denies_is_told_with_the_passage() {
    let reader = FakeReader::saying(|_, passage| match passage.contains("central broker") {
        true => PassageReading { answers: 3.0, follows: 0.02, contradicts: 0.95 },
        false => PassageReading { answers: 0.0, follows: 0.01, contradicts: 0.01 },
    });
    let rig = Rig::with().ports(move |ports| ports.reader = Some(reader)).build();
    let denied = one(&rig, "Events never pass through anything in the middle, apps talk directly.").await;
    assert_eq!((denied.verdict, denied.label), (Contradicted, Some(WithheldLabel::Contradicted)));
    assert_eq!(sources(&denied), ["adr-0018:0"]);
    assert!(denied.reason.is_some());
}

#[tokio::test]
async fn across_languages_the_sentence_is_marked_that_decides() {
    let reader = FakeReader::saying(|_, passage| match passage.contains("every 90 days") {
        true => PassageReading { answers: 3.0, follows: 0.98, contradicts: 0.0 },
        false => PassageReading { answers: 0.0, follows: 0.01, contradicts: 0.01 },
    });
    let rig = Rig::with().ports(move |ports| ports.reader = Some(reader)).build();
    let said = one(&rig, "De certificaten worden door ons elke 90 dagen vernieuwd.").await;
    assert_eq!((said.verdict, sources(&said)), (Supported, vec!["adr-0012:2".to_owned()]));
    let marked = marked(&said);
    assert!(matches!(marked.as_slice(), [one] if one.contains("every 90 days")), "{marked:?}");
}

/// A library in which several passages speak of meters, and none of whether they are public.
fn meters() -> FakeLibrary {
    let of = |number: u32, text: &str| {
        chunk(&adr(number, &format!("Meters, part {number}")), 0, &["Decision"], text)
    };
    FakeLibrary::new(vec![
        of(1, "Meter readings arrive every hour. Meter readings pass the access server."),
        of(2, "Meter readings are checked on arrival. Meter readings older than a day are sent again."),
    ])
}

#[tokio::test]
async fn of_a_short_statement_what_is_said_must_stand_there() {
    let rig = Rig::with().library(meters()).build();
    assert_eq!(one(&rig, "Meter readings are public.").await.verdict, NotSupported);
    assert_eq!(one(&rig, "Meter readings are checked on arrival.").await.verdict, Supported);
}

#[tokio::test]
async fn words_that_stand_in_several_passages_do_not_outweigh_a_reader_that_finds_the_statement_in_none() {
    let statement = "Hourly meter readings are sent to the access server again.";
    let unread = Rig::with().library(meters()).build();
    assert_eq!(one(&unread, statement).await.verdict, Supported, "by its words, which both passages hold");
    let reader = FakeReader::saying(|_, _| PassageReading { answers: 3.0, follows: 0.1, contradicts: 0.1 });
    let rig = Rig::with().library(meters()).ports(move |ports| ports.reader = Some(reader)).build();
    assert_eq!(one(&rig, statement).await.verdict, NotSupported);
}

#[tokio::test]
async fn what_only_a_superseded_record_says_is_told_to_be_out_of_force() {
    let of = |status: &str| {
        let record = adr(7, "Use TLS 1.2 for transport encryption");
        let record = Arc::new(Document { status: Some(status.to_owned()), ..(*record).clone() });
        let text = "All connections between applications are encrypted with TLS 1.2.";
        Rig::with().library(FakeLibrary::new(vec![chunk(&record, 0, &["Decision"], text)])).build()
    };
    let statement = "All connections between applications are encrypted with TLS 1.2.";
    let superseded = one(&of("superseded by ADR-0021"), statement).await;
    assert_eq!(superseded.verdict, Supported);
    assert_eq!(superseded.reason.as_deref(), Some("Only ADR-0007 says this, and it is no longer in force."));
    assert_eq!(one(&of("accepted"), statement).await.reason, None);
}

#[tokio::test]
async fn no_model_is_asked_whatever_is_configured() {
    let rig =
        Rig::with().model(FakeModel::honest()).planning_and_judging().reranker(FakeReranker::new()).build();
    assert_eq!(one(&rig, "Certificates are renewed every 90 days.").await.verdict, Supported);
    assert_eq!(rig.model.requests().len(), 0);
    assert_eq!(rig.reranker.as_ref().unwrap().faults.calls(), 0, "a reranker may be a model as well");
}

#[tokio::test]
async fn what_is_degraded_is_said_and_the_check_goes_on() {
    let rig = Rig::new();
    rig.embedder.faults.fail(true);
    let checked = checked(&rig, "Certificates are renewed every 90 days.").await;
    assert_eq!(checked.statements[0].verdict, Supported, "words find it");
    assert!(checked.fallback_mode && checked.transparency.show_to_user);
    assert!(checked.transparency.statement.unwrap().contains("bm25_only"));
}

#[tokio::test]
async fn a_restricted_document_supports_nothing_for_others() {
    let rig = Rig::with().edit_library(|library| library.restrict("adr-0012", "", &["security"])).build();
    let text = "Certificates are renewed every 90 days (ADR-0012).";
    let stranger = one(&rig, text).await;
    assert_eq!(stranger.verdict, NotSupported);
    let shown = serde_json::to_string(&stranger).unwrap();
    assert!(!shown.contains("adr-0012") && !shown.contains("separate network zone"), "{shown}");
    let member = Scope { user_tags: vec!["security".to_owned()], ..Scope::default() };
    let seen = rig.engine.check(text, &member, &CancellationToken::new(), &|_| {}).await.unwrap();
    assert_eq!(seen.statements[0].verdict, Supported);
}

#[tokio::test]
async fn a_superseded_record_supports_with_a_notice() {
    let checked = checked(&Rig::new(), "Connections use at least TLS 1.2 with approved cipher suites.").await;
    assert_eq!(checked.statements[0].verdict, Supported);
    assert!(checked.notices.iter().any(|notice| notice.text.contains("superseded")), "{:?}", checked.notices);
}

#[tokio::test]
async fn dutch_is_checked_and_told_in_dutch() {
    let checked = checked(
        &Rig::new(),
        "Noodtoegang duurt hoogstens vier uur en wordt achteraf beoordeeld. Noodtoegang duurt hoogstens negen uur.",
    )
    .await;
    assert_eq!(checked.statements[0].verdict, Supported);
    assert_eq!(checked.statements[1].verdict, NotSupported);
    assert!(checked.statements[1].reason.as_deref().unwrap().starts_with("Geen passage"));
}

#[tokio::test]
async fn a_check_leaves_one_record_and_tells_how_far_it_is() {
    let rig = Rig::new();
    let told = Mutex::new(Vec::new());
    let text = "Certificates are renewed every 90 days. Lunch is served at noon in the canteen.";
    let progress = |progress: plumbline_core::response::CheckProgress| {
        told.lock().unwrap().push((progress.done, progress.total));
    };
    rig.engine.check(text, &Scope::default(), &CancellationToken::new(), &progress).await.unwrap();
    assert_eq!(*told.lock().unwrap(), [(1, 2), (2, 2)]);
    let record = rig.record();
    assert_eq!((record.action.as_str(), record.routing.intent.as_str()), ("CHECK", "check"));
    assert_eq!((record.citations.len(), record.withheld.len()), (1, 1));
    assert!(record.generation.is_none(), "no model took part");
}

#[tokio::test]
async fn a_check_can_be_stopped() {
    let rig = Rig::new();
    rig.embedder.faults.delay(Duration::from_millis(50));
    let stop = CancellationToken::new();
    let text = "Certificates are renewed every 90 days. ".repeat(20);
    let after_one = |_| stop.cancel();
    let stopped = rig.engine.check(&text, &Scope::default(), &stop, &after_one).await;
    assert_eq!(stopped.unwrap_err(), AskError::Stopped);
    assert_eq!(rig.record().action, "STOPPED");
}

#[tokio::test]
async fn what_cannot_be_checked_says_why() {
    let rig = Rig::new();
    let long = check(&rig, &"word ".repeat(60_000)).await.unwrap_err();
    assert_eq!(long.code(), ErrorCode::TextTooLong);
    assert!(long.to_string().contains("200000"), "{long}");
    let empty = Rig::with().library(FakeLibrary::new(Vec::new())).build();
    assert_eq!(check(&empty, "Anything at all.").await.unwrap_err().code(), ErrorCode::Context);
    let nothing = checked(&rig, "# Heading only\n\n```\ncode\n```").await;
    assert!(nothing.statements.is_empty() && nothing.counts.all_supported());
}
