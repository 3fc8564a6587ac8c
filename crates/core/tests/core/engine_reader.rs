//! What a reader's word is worth: for a statement of a model, and for whether passages answer.

use std::sync::Arc;

use plumbline_core::ports::{PassageReading, Reader};
use plumbline_core::response::{AnswerEvent, ProofBasis, RefusalReason, WithheldLabel};
use plumbline_telemetry::names;
use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::model::{FakeModel, passages, reply};
use plumbline_testkit::reader::FakeReader;
use plumbline_testkit::rig::{AskOutcome, Rig, edit};

const QUESTION: &str = "How do applications exchange events?";
/// Says what a passage says in words that it does not have.
const PARAPHRASE: &str = "Between programs, notifications travel along a single shared intermediary.";

fn reading(follows: f32, contradicts: f32) -> PassageReading {
    PassageReading { answers: 3.0, follows, contradicts }
}

/// A reader that says this of the broker's passage, and that nothing follows from the others.
fn of_the_broker(follows: f32, contradicts: f32) -> Arc<FakeReader> {
    FakeReader::saying(move |_, passage| {
        if passage.contains("central broker") { reading(follows, contradicts) } else { reading(0.01, 0.01) }
    })
}

async fn ask(text: &'static str, reader: Arc<dyn Reader>) -> AskOutcome {
    let model = FakeModel::with(move |request| {
        let found = passages(request).into_iter().find(|passage| passage.text.contains("central broker"));
        reply(&format!("{text} [{}]", found.map_or(1, |passage| passage.alias)))
    });
    Rig::with().model(model).ports(move |ports| ports.reader = Some(reader)).build().ask(QUESTION).await
}

fn labels(asked: &AskOutcome) -> Vec<WithheldLabel> {
    let withheld = asked.events.iter().filter_map(|event| match event {
        AnswerEvent::Withheld(withheld) => Some(withheld.label),
        _ => None,
    });
    withheld.collect()
}

#[tokio::test]
async fn a_free_paraphrase_is_kept_where_the_reader_says_that_it_follows() {
    let asked = ask(PARAPHRASE, of_the_broker(0.97, 0.01)).await;
    let response = asked.response();
    assert!(
        !response.refused && response.answer.contains("single shared intermediary"),
        "{}",
        response.answer
    );
    assert!(response.citations[0].snippet_full.contains("central broker"), "{:?}", response.citations);
    let without = ask(PARAPHRASE, of_the_broker(0.1, 0.1)).await;
    assert_eq!(labels(&without), [WithheldLabel::Unsupported]);
}

#[tokio::test]
async fn what_a_passage_says_in_the_same_words_needs_no_reader() {
    let asked =
        ask("Applications exchange events through one central broker.", of_the_broker(0.01, 0.97)).await;
    let response = asked.response();
    assert!(!response.refused && response.answer.contains("one central broker"), "{}", response.answer);
}

#[tokio::test]
async fn what_is_contradicted_is_named_so() {
    let asked = ask(
        "Events never pass through anything in the middle, apps talk directly.",
        of_the_broker(0.02, 0.95),
    )
    .await;
    assert_eq!(labels(&asked), [WithheldLabel::Contradicted]);
    assert_eq!(asked.response().refusal_reason, Some(RefusalReason::Unsupported));
}

#[tokio::test]
async fn a_number_that_no_passage_holds_is_withheld_whatever_the_reader_says() {
    let asked =
        ask("Applications exchange 4711 events through one central broker.", of_the_broker(0.99, 0.0)).await;
    assert_eq!(labels(&asked), [WithheldLabel::Fabricated]);
}

#[tokio::test]
async fn a_statement_is_cited_from_where_it_follows() {
    let reader = FakeReader::saying(|_, passage| {
        if passage.contains("central broker") { reading(0.98, 0.0) } else { reading(0.01, 0.0) }
    });
    let model = FakeModel::with(move |request| {
        let other = passages(request).into_iter().find(|passage| !passage.text.contains("central broker"));
        reply(&format!("{PARAPHRASE} [{}]", other.map_or(2, |passage| passage.alias)))
    });
    let rig = Rig::with().model(model).ports(move |ports| ports.reader = Some(reader)).build();
    let asked = rig.ask(QUESTION).await;
    let response = asked.response();
    assert!(response.citations[0].snippet_full.contains("central broker"), "{:?}", response.citations);
}

#[tokio::test]
async fn where_the_reader_fails_words_decide_and_it_is_said() {
    let reader = of_the_broker(0.99, 0.0);
    reader.faults.fail(true);
    let asked = ask("Applications exchange events through one central broker.", reader.clone()).await;
    let response = asked.response();
    assert!(response.answer.contains("one central broker"), "{}", response.answer);
    assert!(reader.faults.calls() > 0 && response.fallback_mode, "{:?}", response.retrieval_quality);
}

#[tokio::test]
async fn a_day_is_read_in_one_spelling() {
    let record = adr(21, "Use TLS 1.3 for connections");
    let text = "Connections of OT devices may use TLS 1.2 until 2027-12-31 at the latest.";
    let library = FakeLibrary::new(vec![chunk(&record, 0, &["Decision"], text)]);
    let reader = FakeReader::saying(|_, passage| match passage.contains("December 31, 2027") {
        true => reading(0.97, 0.01),
        false => reading(0.02, 0.97),
    });
    let model = FakeModel::with(|_| reply("OT devices go on with TLS 1.2 up to December 31, 2027. [1]"));
    let rig = Rig::with().library(library).model(model).ports(move |ports| ports.reader = Some(reader));
    let asked = rig.build().ask("Until when may connections of OT devices use TLS 1.2?").await;
    assert!(asked.response().answer.contains("December 31, 2027"), "{:?}", labels(&asked));
}

#[tokio::test]
async fn words_among_others_are_no_proof_where_a_passage_denies_it() {
    let older = adr(7, "Findings of the last test");
    let newer = adr(21, "Use TLS 1.3 for connections");
    let library = FakeLibrary::new(vec![
        chunk(
            &older,
            0,
            &["Context"],
            "The audit found TLS 1.2 in the field where it is required for old connections.",
        ),
        chunk(
            &newer,
            0,
            &["Decision"],
            "Connections between applications use TLS 1.3, and TLS 1.2 by exception.",
        ),
    ]);
    let reader = FakeReader::saying(|statement, passage| match statement.contains("1.2") {
        true if passage.contains("by exception") => reading(0.02, 0.96),
        _ => reading(0.2, 0.1),
    });
    let model = FakeModel::with(|request| {
        let found = passages(request).into_iter().find(|passage| passage.text.contains("audit"));
        reply(&format!("TLS 1.2 is required for connections. [{}]", found.map_or(1, |passage| passage.alias)))
    });
    let rig = Rig::with().library(library).model(model).ports(move |ports| ports.reader = Some(reader));
    let asked = rig.build().ask("Which version of TLS do connections between applications use?").await;
    assert_eq!(labels(&asked).len(), 1, "{:#?}", asked.response());
}

#[tokio::test]
async fn a_word_that_denies_one_clause_is_not_taken_for_anothers() {
    let record = adr(15, "Encrypt data");
    let text = "Data in transit is encrypted; encryption does not lower its class. Keys are kept apart.";
    let passage = chunk(&record, 0, &["Decision"], text);
    let misled = |statement: &str, passage: &str| match (statement.contains("left open"), passage) {
        (true, "Data in transit is encrypted") => reading(0.04, 0.95),
        (true, passage) if passage.contains("in transit") => reading(0.86, 0.1),
        (false, passage) if passage.contains("in transit") => reading(0.9, 0.02),
        _ => reading(0.1, 0.1),
    };
    let ask = async |said: &'static str| {
        let model = FakeModel::with(move |_| reply(&format!("{said} [1]")));
        let reader = FakeReader::saying(misled);
        let library = FakeLibrary::new(vec![passage.clone()]);
        let rig = Rig::with().library(library).model(model).ports(move |ports| ports.reader = Some(reader));
        rig.build().ask("How is data in transit protected?").await
    };
    let denied = ask("What travels over our lines is left open to all.").await;
    assert_eq!(labels(&denied), [WithheldLabel::Contradicted]);
    let told = ask("What travels over our lines is made unreadable.").await;
    assert!(told.response().answer.contains("made unreadable"), "{:?}", labels(&told));
}

/// A model that repeats the record that was replaced, and a reader that sees the one in force deny it.
async fn ask_of_the_replaced(question: &str, successor: u32) -> AskOutcome {
    let older = edit(adr(7, "Use TLS 1.2 for connections"), |document| {
        document.status = Some("superseded".to_owned());
        document.superseded_by = vec![adr(successor, "").id.clone()];
    });
    let newer = adr(21, "Use TLS 1.3 for connections");
    let library = FakeLibrary::new(vec![
        chunk(&older, 0, &["Decision"], "Connections between applications are encrypted with TLS 1.2."),
        chunk(&newer, 0, &["Decision"], "Connections between applications are encrypted with TLS 1.3."),
    ]);
    let reader = FakeReader::saying(|statement, passage| match statement.contains("1.2") {
        true if passage.contains("with TLS 1.2.") => reading(0.99, 0.0),
        true => reading(0.05, 0.6),
        false => reading(0.0, 0.0),
    });
    let model = FakeModel::with(move |request| {
        let older = passages(request).into_iter().find(|passage| passage.text.contains("with TLS 1.2."));
        reply(&format!("Applications must encrypt with TLS 1.2. [{}]", older.map_or(1, |found| found.alias)))
    });
    let rig = Rig::with().library(library).model(model).ports(move |ports| ports.reader = Some(reader));
    rig.build().ask(question).await
}

#[tokio::test]
async fn what_only_a_replaced_record_says_is_withheld_where_its_successor_denies_it() {
    let open = "How are connections between applications encrypted?";
    let asked = ask_of_the_replaced(open, 21).await;
    assert_eq!(labels(&asked), [WithheldLabel::Contradicted]);
    let elsewhere = ask_of_the_replaced(open, 99).await;
    assert!(elsewhere.response().answer.contains("TLS 1.2"), "what replaced it is not at hand");
    let named = ask_of_the_replaced("How does ADR-7 encrypt connections between applications?", 21).await;
    assert!(named.response().answer.contains("TLS 1.2"), "who names a record is told what it says");
}

/// A model that was given the periods of the retention policy and not its exceptions, and writes this of it.
async fn ask_about_retention(text: &'static str, reader: Arc<dyn Reader>) -> AskOutcome {
    let model = FakeModel::with(move |request| {
        let given = passages(request);
        assert!(given.iter().all(|passage| !passage.text.contains("privacy officer")), "it is not given");
        let periods = given.into_iter().find(|passage| passage.text.contains("ten years"));
        reply(&format!("{text} [{}]", periods.map_or(1, |passage| passage.alias)))
    });
    let rig = Rig::with()
        .model(model)
        .settings(|settings| settings.retrieval.max_chunks_per_doc = 1)
        .ports(move |ports| ports.reader = Some(reader));
    rig.build().ask("Which rules hold for meter readings?").await
}

#[tokio::test]
async fn what_stands_elsewhere_in_a_cited_document_is_kept_and_cited_from_there() {
    let reader = FakeReader::saying(|_, passage| {
        if passage.contains("privacy officer") { reading(0.98, 0.0) } else { reading(0.01, 0.1) }
    });
    let asked =
        ask_about_retention("With written consent, data may stay around for more time.", reader).await;
    let response = asked.response();
    assert!(!response.refused && response.answer.contains("stay around"), "{}", response.answer);
    let [citation] = response.citations.as_slice() else { panic!("one citation: {:?}", response.citations) };
    assert!(citation.snippet_full.contains("privacy officer"), "{citation:?}");
    let events = asked.events.iter().filter(|event| matches!(event, AnswerEvent::Citation(_))).count();
    assert_eq!(events, 1, "the window hears of it while the answer is written");
}

#[tokio::test]
async fn a_response_tells_what_each_statement_was_judged_by() {
    let asked = ask(PARAPHRASE, of_the_broker(0.97, 0.02)).await;
    let response = asked.response();
    let [proof] = response.proofs.as_slice() else { panic!("one statement: {:?}", response.proofs) };
    assert!(proof.kept && proof.basis == ProofBasis::Reader, "{proof:?}");
    assert_eq!(proof.text.as_deref(), Some(PARAPHRASE));
    assert_eq!(proof.passage.as_deref(), Some(response.citations[0].source_id.to_string().as_str()));
    assert!(proof.follows.is_some_and(|follows| (follows - 0.97).abs() < 1e-6), "{proof:?}");
    assert!(proof.contradicted.is_some_and(|contradicted| (contradicted - 0.02).abs() < 1e-6), "{proof:?}");

    let withheld = ask(PARAPHRASE, of_the_broker(0.1, 0.97)).await;
    let [proof] = withheld.response().proofs.as_slice() else { panic!("one statement") };
    assert!(!proof.kept && proof.contradicted.is_some_and(|contradicted| contradicted > 0.9), "{proof:?}");
    assert_eq!(proof.text, None, "what is withheld is not told a second time");
}

#[tokio::test]
async fn a_document_that_was_not_found_bears_nothing_out() {
    let reader = FakeReader::saying(|_, passage| {
        if passage.contains("Common Information Model") { reading(0.98, 0.0) } else { reading(0.01, 0.1) }
    });
    let asked = ask_about_retention("Grid models travel as files of one canonical kind.", reader).await;
    assert_eq!(labels(&asked), [WithheldLabel::Unsupported]);
}

/// A reader that finds an answer in passages with these words, and in no others.
fn answered_by(words: &'static str) -> Arc<FakeReader> {
    FakeReader::saying(move |_, passage| {
        let answers = if passage.contains(words) { 8.0 } else { -12.0 };
        PassageReading { answers, follows: 0.0, contradicts: 0.0 }
    })
}

/// Two records about backups: one that names them most, and one that says how long they are kept.
fn about_backups() -> FakeLibrary {
    let decision = |number: u32, text: &str| chunk(&adr(number, "Backups"), 0, &["Decision"], text);
    FakeLibrary::new(vec![
        decision(70, "Backups are made every night, and backups of backups every week."),
        decision(71, "Copies stay in the vault for ninety days before they are wiped."),
    ])
    .with_cosine("adr-0070:0", 0.62)
    .with_cosine("adr-0071:0", 0.55)
}

#[tokio::test]
async fn without_a_model_the_passage_that_answers_comes_before_one_that_is_nearer() {
    let cited = |reader: Option<Arc<FakeReader>>| async {
        let rig = Rig::with().library(about_backups()).ports(move |ports| {
            ports.reader = reader.map(|reader| reader as Arc<dyn Reader>);
        });
        rig.build().answer("How long do we keep backups?").await.citations[0].source_id.to_string()
    };
    assert_eq!(cited(Some(answered_by("ninety days"))).await, "adr-0071:0");
    assert_eq!(cited(None).await, "adr-0070:0", "nearness alone takes the other");
}

#[tokio::test]
async fn what_no_passage_answers_is_refused_however_near_they_are() {
    let reader = answered_by("nothing that a passage says");
    let read = Arc::clone(&reader);
    let rig = Rig::with().library(about_backups()).ports(move |ports| ports.reader = Some(read)).build();
    let question = "Who pays for our backups?";
    let refused = rig.answer(question).await;
    assert!(refused.refused, "{}", refused.answer);
    assert_eq!(rig.metrics.value(&names::GATE_REFUSAL_TOTAL, ["answerability"]), 1.0);

    reader.faults.fail(true);
    let unread = rig.answer("Who pays for those backups?").await;
    assert!(!unread.refused, "without the reader nearness decides: {}", unread.answer);
    assert!(unread.fallback_mode, "and it shows");
}

#[tokio::test]
async fn a_list_by_topic_holds_who_speaks_of_it_in_other_words() {
    let rows = |reader: Option<Arc<FakeReader>>| async {
        let rig = Rig::with().library(about_backups()).ports(move |ports| {
            ports.reader = reader.map(|reader| reader as Arc<dyn Reader>);
        });
        let listed = rig.build().answer("Which ADRs mention the night?").await;
        listed.rows.iter().map(|row| row.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(rows(None).await, ["adr-0070"], "by its words");
    assert_eq!(rows(Some(answered_by("vault"))).await, ["adr-0070", "adr-0071"]);
    assert_eq!(rows(Some(answered_by("nothing"))).await, ["adr-0070"], "words are enough");
}

#[tokio::test]
async fn a_document_that_surely_answers_is_heard_beside_the_five_nearest_passages() {
    let part = |number: u32, at: u32, text: &str| chunk(&adr(number, "Backups"), at, &["Decision"], text);
    let near = [
        part(70, 0, "Backups run at night."),
        part(70, 1, "Backups run after the night shift."),
        part(70, 2, "No backups run at midnight."),
        part(71, 0, "Night backups are full ones."),
        part(71, 1, "Copies of a night take an hour."),
        part(71, 2, "A night without backups is told."),
    ];
    let vault = part(72, 0, "Copies stay in the vault for ninety days.");
    let heard = |odds: f32| {
        let chunks: Vec<_> = near.iter().chain([&vault]).cloned().collect();
        let farther = vault.source_id.to_string();
        let ids: Vec<String> = near.iter().map(|chunk| chunk.source_id.to_string()).collect();
        let library = FakeLibrary::new(chunks).with_cosine(&farther, 0.5);
        let library = ids.iter().fold(library, |library, id| library.with_cosine(id, 0.6));
        async move {
            let reader = FakeReader::saying(move |_, passage| {
                let answers = if passage.contains("vault") { odds } else { 8.0 };
                PassageReading { answers, follows: 0.0, contradicts: 0.0 }
            });
            let rig = Rig::with().library(library).ports(move |ports| ports.reader = Some(reader)).build();
            rig.answer("How long are backups kept as copies?").await.answer
        }
    };
    assert!(heard(8.0).await.contains("ninety days"));
    assert!(!heard(1.0).await.contains("ninety days"), "not where the reader is not sure");
}

/// Asks for the form of logs; the model says how long they are kept, which is true, and invents the form, which is withheld. Of what
/// `answers` names the reader says that it answers.
async fn ask_for_the_form(answers: &'static str) -> AskOutcome {
    let record = adr(31, "Logs of applications");
    let text =
        "Applications write their logs as lines of JSON.\n\nApplications hold their logs on local disks.";
    let library = FakeLibrary::new(vec![chunk(&record, 0, &["Decision"], text)]);
    let reader = FakeReader::saying(move |_, passage| PassageReading {
        answers: if passage.contains(answers) { 3.0 } else { -3.0 },
        follows: 0.01,
        contradicts: 0.01,
    });
    let model = FakeModel::with(|_| {
        reply("Applications hold their logs on local disks. [1] Their form is XML 4711. [1]")
    });
    let rig = Rig::with().library(library).model(model).ports(move |ports| ports.reader = Some(reader));
    rig.build().ask("In which form do applications write their logs?").await
}

#[tokio::test]
async fn where_what_answers_was_withheld_the_documents_own_words_stand_in_for_the_rest() {
    let asked = ask_for_the_form("JSON").await;
    let response = asked.response();
    assert!(response.answer.contains("as lines of JSON. [1]"), "{}", response.answer);
    assert_eq!((response.model_used.as_deref(), response.withheld.len()), (None, 1));
    let said = response.transparency.statement.as_deref().unwrap_or_default();
    assert!(said.contains("does not answer the question") && said.contains("1 sentence withheld"), "{said}");
    let on_screen = asked.events.iter().rev().find_map(|event| match event {
        AnswerEvent::Replaced { text } => Some(text),
        _ => None,
    });
    assert_eq!(on_screen, Some(&response.answer), "what was shown of the model gives way");
}

#[tokio::test]
async fn what_is_left_of_a_reply_stays_where_it_answers() {
    let asked = ask_for_the_form("local disks").await;
    let response = asked.response();
    assert_eq!(response.answer, "Applications hold their logs on local disks. [1]");
    assert!(response.model_used.is_some() && response.withheld.len() == 1, "{:?}", response.withheld);
}

/// Six records about one subject and one about another, which is far from any question.
fn much_of_one_subject() -> Rig {
    let telemetry = ["pumps", "sluices", "weirs", "gauges", "buoys", "mills"].into_iter().zip(41..);
    let of_telemetry = telemetry.flat_map(|(what, number)| {
        let record = adr(number, &format!("Telemetry of {what}"));
        [
            chunk(
                &record,
                0,
                &["Context"],
                &format!("The telemetry rule came from the {what}, which had none."),
            ),
            chunk(
                &record,
                1,
                &["Decision"],
                &format!("The telemetry rule for {what} asks for a reading a minute."),
            ),
        ]
    });
    let archive = adr(50, "Keep an archive");
    let kept = chunk(&archive, 0, &["Decision"], "The archive rule asks for seven years.");
    let library = FakeLibrary::new(of_telemetry.chain([kept]).collect()).with_all_cosines(0.7);
    let reader = FakeReader::saying(|_, _| PassageReading { answers: 3.0, follows: 0.1, contradicts: 0.1 });
    Rig::with()
        .library(library.with_cosine("adr-0050:0", 0.4))
        .ports(move |ports| ports.reader = Some(reader))
        .build()
}

#[tokio::test]
async fn of_several_documents_the_next_is_heard_for_what_it_adds() {
    let compared =
        much_of_one_subject().answer("How does the telemetry rule differ from the archive rule?").await;
    let cited: Vec<&str> = compared.citations.iter().map(|one| one.document_id.as_str()).collect();
    assert!(cited.contains(&"adr-0050"), "it alone speaks of the archive: {cited:?}");
    assert!(cited.iter().any(|id| *id != "adr-0050"), "and the others of the telemetry: {cited:?}");

    let of_one = much_of_one_subject().answer("What does the telemetry rule ask for?").await;
    let cited = of_one.citations.iter().any(|one| one.document_id == "adr-0050");
    assert!(!cited, "who asks for one thing is not told of another: {}", of_one.answer);
}
