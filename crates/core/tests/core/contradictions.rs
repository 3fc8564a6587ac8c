//! Statements in force that oppose each other, and those that only look so.

use std::sync::Arc;

use jiff::civil::{Date, date};
use plumbline_core::decisions::{
    ContradictionKind, Graph, Meaning, Opposition, Relation, RelationKind, Sentence, Told, oppositions,
    oppositions_in_any_words,
};
use plumbline_core::domain::Document;
use plumbline_core::ports::PortError;
use plumbline_testkit::documents::adr;
use plumbline_testkit::rig::edit;

const TODAY: Date = date(2026, 1, 15);

fn told(document: Arc<Document>, sentences: &[&str]) -> Told {
    let sentence = |(at, text): (usize, &&str)| Sentence {
        text: (*text).to_owned(),
        heading: "Decision".to_owned(),
        line: u32::try_from(at + 1).unwrap(),
    };
    Told { document, sentences: sentences.iter().enumerate().map(sentence).collect() }
}

fn accepted(number: u32, title: &str, sentences: &[&str]) -> Told {
    told(edit(adr(number, title), |document| document.status = Some("Accepted".to_owned())), sentences)
}

/// A library of two records, among others that have nothing to do with them.
fn between(one: &str, other: &str) -> Vec<Opposition> {
    let others = [
        "Logs must be written as lines of JSON.",
        "Every interface shall be described in a contract.",
        "Meetings may be held by video.",
        "A release will be announced a week before.",
        "Diagrams should not be drawn by hand.",
    ];
    let library = [accepted(1, "One", &[one]), accepted(2, "Other", &[other]), accepted(3, "Rest", &others)];
    oppositions(&library, &Graph::default(), TODAY)
}

#[test]
fn what_one_demands_the_other_forbids() {
    for (one, other) in [
        ("Backups of the archive must be encrypted.", "Backups of the archive must not be encrypted."),
        (
            "Wachtwoorden van beheerders moeten in de kluis worden bewaard.",
            "Wachtwoorden van beheerders mogen niet in de kluis worden bewaard.",
        ),
    ] {
        let found = between(one, other);
        let [only] = found.as_slice() else {
            panic!("one contradiction between `{one}` and `{other}`: {found:?}")
        };
        assert_eq!(only.kind, ContradictionKind::MustAndMustNot);
    }
}

#[test]
fn what_is_done_opposes_what_is_demanded_forbidden_or_denied() {
    for (one, other) in [
        (
            "Servers of the archive are not installed by hand.",
            "Servers of the archive are installed by hand.",
        ),
        ("Servers van het archief worden nooit gekocht.", "Servers van het archief worden gekocht."),
        (
            "Every service must send audit events to the store.",
            "The claims service does not send audit events to the store.",
        ),
        (
            "Administrators must sign in with two factors.",
            "Administrators need not sign in with two factors.",
        ),
    ] {
        let kinds: Vec<ContradictionKind> = between(one, other).iter().map(|one| one.kind).collect();
        assert_eq!(kinds, [ContradictionKind::MustAndMustNot], "`{one}` and `{other}`");
    }
}

#[test]
fn one_question_has_two_answers_without_a_word_of_choosing() {
    for (one, other) in [
        ("Java services are built with Maven.", "We build Java services with Gradle."),
        ("Messages between services go over Kafka.", "RabbitMQ carries messages between services."),
    ] {
        let kinds: Vec<ContradictionKind> = between(one, other).iter().map(|one| one.kind).collect();
        assert_eq!(kinds, [ContradictionKind::DifferentChoice], "`{one}` and `{other}`");
    }
}

#[test]
fn the_same_quantity_has_two_values_over_units() {
    let found = between(
        "Audit logs of the portal are kept for three years.",
        "Audit logs of the portal are kept for 60 months.",
    );
    let [only] = found.as_slice() else { panic!("one contradiction: {found:?}") };
    assert_eq!(only.kind, ContradictionKind::DifferentValue);
    assert_eq!(only.opposes, ("three years".to_owned(), "60 months".to_owned()));
}

#[test]
fn a_tenth_of_a_percent_is_a_difference() {
    let found = between(
        "The availability of the portal is at least 99.9 %.",
        "The availability of the portal is at least 99.5 %.",
    );
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn what_does_not_oppose_is_left_alone() {
    for (one, other) in [
        // The same in another unit.
        (
            "Audit logs of the portal are kept for three years.",
            "Audit logs of the portal are kept for 36 months.",
        ),
        // A value within the bound.
        (
            "Audit logs of the portal are kept for at least three years.",
            "Audit logs of the portal are kept for five years.",
        ),
        // Another subject.
        ("Backups of the archive must be encrypted.", "Invoices must not be sent by post."),
        // Other users, and other surroundings.
        ("Staff sign in with Keycloak.", "Customers sign in with Okta."),
        (
            "Certificates of the gateway are valid for 90 days.",
            "In the test environment certificates of the gateway are valid for 10 days.",
        ),
        // What was weighed, and what is shown.
        (
            "We use Kafka as the message broker.",
            "RabbitMQ was considered as the message broker and rejected.",
        ),
        ("The session timeout is 15 minutes.", "Write it as \"the session timeout is 60 minutes\"."),
        // What is used beside the other.
        ("Orders are stored in PostgreSQL.", "Orders are found with Elasticsearch."),
        // Both demand it.
        ("Backups of the archive must be encrypted.", "Backups of the archive shall be encrypted."),
    ] {
        assert_eq!(between(one, other), [], "`{one}` and `{other}`");
    }
}

#[test]
fn what_is_not_in_force_opposes_nothing() {
    let one = accepted(1, "One", &["Backups of the archive must be encrypted."]);
    let other = edit(adr(2, "Other"), |document| document.status = Some("Superseded".to_owned()));
    let other = told(other, &["Backups of the archive must not be encrypted."]);
    assert_eq!(oppositions(&[one, other], &Graph::default(), TODAY), []);
}

#[test]
fn an_exception_ends_with_its_last_day() {
    let kinds = |text: &str| -> Vec<ContradictionKind> {
        let library = [accepted(1, "One", &[text]), accepted(2, "Other", &["Passwords must be rotated."])];
        oppositions(&library, &Graph::default(), TODAY).iter().map(|one| one.kind).collect()
    };
    let past = [ContradictionKind::ExceptionPastDate];
    assert_eq!(kinds("As an exception the gateway may use TLS 1.2 until 1 September 2025."), past);
    assert_eq!(kinds("De ontheffing voor het oude portaal geldt tot 31 december 2024."), past);
    assert_eq!(
        kinds("Under a waiver that was granted on 1 February 2023 for eighteen months it runs outside."),
        past
    );
    assert_eq!(kinds("As an exception the gateway may use TLS 1.2 until 1 September 2027."), []);
}

#[test]
fn a_record_in_force_rests_on_one_that_was_replaced() {
    let ended = edit(adr(7, "Queues"), |document| document.status = Some("Superseded".to_owned()));
    let library = [
        accepted(9, "Workers", &["Workers take their work from the queues of ADR-7."]),
        told(Arc::clone(&ended), &[]),
        accepted(12, "Topics", &["This supersedes ADR-7."]),
    ];
    let relation = |from: usize, kind, sentence: &str| Relation {
        from: library[from].document.id.clone(),
        to: ended.id.clone(),
        kind,
        sentence: sentence.to_owned(),
        said_in: library[from].document.id.clone(),
        line: 1,
    };
    let graph = Graph::of([
        relation(0, RelationKind::DependsOn, "Workers take their work from the queues of ADR-7."),
        relation(2, RelationKind::Supersedes, "This supersedes ADR-7."),
    ]);
    let found = oppositions(&library, &graph, TODAY);
    let [only] = found.as_slice() else { panic!("one contradiction: {found:?}") };
    assert_eq!(only.kind, ContradictionKind::RestsOnSuperseded);
    assert_eq!(only.second.sentence.text, "This supersedes ADR-7.", "with the sentence that ends it");
}

#[test]
fn a_record_is_said_to_stand_as_it_does_not() {
    let library = |text: &str| {
        let library = [accepted(15, "Domains", &[]), accepted(20, "Mapping", &[text])];
        oppositions(&library, &Graph::default(), TODAY)
    };
    for text in
        ["Note that ADR-15 has been deprecated.", "ADR 15 still has the status proposed.", "Status: proposed"]
    {
        let found = library(text);
        let [only] = found.as_slice() else { panic!("one contradiction in `{text}`: {found:?}") };
        assert_eq!(only.kind, ContradictionKind::StatusDisagrees);
    }
    assert_eq!(library("ADR-15 has been accepted."), []);
    assert_eq!(library("Status: accepted"), []);
}

#[test]
fn its_id_lasts_until_one_of_the_two_changes() {
    let id = |other: &str| between("Backups of the archive must be encrypted.", other)[0].id.clone();
    let before = id("Backups of the archive must not be encrypted.");
    assert_eq!(before, id("Backups of the archive must not be encrypted."));
    assert_ne!(before, id("Backups of the archive must never be encrypted."));
}

/// Takes all statements for near, and these texts for what follows.
struct Reads<'a>(&'a [&'a str]);

impl Meaning for Reads<'_> {
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, PortError> {
        Ok(texts.iter().map(|_| vec![1.0]).collect())
    }

    fn follows(&self, readings: &[(String, String)]) -> Result<Vec<Option<f32>>, PortError> {
        Ok(readings
            .iter()
            .map(|(text, _)| Some(if self.0.contains(&text.as_str()) { 0.95 } else { 0.02 }))
            .collect())
    }
}

/// Knows nothing.
struct Unread;

impl Meaning for Unread {
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, PortError> {
        Ok(vec![Vec::new(); texts.len()])
    }

    fn follows(&self, readings: &[(String, String)]) -> Result<Vec<Option<f32>>, PortError> {
        Ok(vec![None; readings.len()])
    }
}

fn read_between(one: &str, other: &str, meaning: &dyn Meaning) -> Vec<(ContradictionKind, (String, String))> {
    let library = [accepted(1, "One", &[one]), accepted(2, "Other", &[other])];
    let found = oppositions_in_any_words(&library, &Graph::default(), TODAY, meaning).unwrap();
    found.into_iter().map(|one| (one.kind, one.opposes)).collect()
}

#[test]
fn what_follows_with_the_others_word_in_place_tells_that_two_statements_without_a_shared_word_speak_of_the_same()
 {
    use ContradictionKind::{DifferentChoice, DifferentValue, MustAndMustNot};
    for (one, other, follows, kind, opposes) in [
        (
            "Meter readings are deleted after two years.",
            "Meetgegevens worden drie jaar bewaard.",
            "Meetgegevens worden two years bewaard.",
            DifferentValue,
            ("two years", "drie jaar"),
        ),
        (
            "Visitors must wear a badge.",
            "De gasten van onze vestigingen mogen dus geen pasje van het bedrijf dragen. Zij melden zich.",
            "De gasten van onze vestigingen moeten pasje van het bedrijf dragen.",
            MustAndMustNot,
            ("must", "mogen dus geen"),
        ),
        (
            "We use Blue Whale for messages between services.",
            "Voor berichten tussen onze diensten hebben we gekozen voor Red Fox.",
            "Voor berichten tussen onze diensten hebben we gekozen voor Blue Whale.",
            DifferentChoice,
            ("Blue Whale", "Red Fox"),
        ),
    ] {
        let found = read_between(one, other, &Reads(&[follows]));
        assert_eq!(found, [(kind, (opposes.0.to_owned(), opposes.1.to_owned()))], "`{one}` and `{other}`");
        assert_eq!(read_between(one, other, &Reads(&[])), [], "nothing follows, so they speak of two things");
        assert_eq!(read_between(one, other, &Unread), [], "their words tell nothing");
    }
}

#[test]
fn a_stricter_bound_is_compatible_whatever_follows() {
    let (one, other) =
        ("Keys are renewed at least every two years.", "Sleutels worden binnen een jaar vernieuwd.");
    let swapped = ["Sleutels worden binnen two years vernieuwd."];
    assert_eq!(read_between(one, other, &Reads(&swapped)), []);
}

#[test]
fn words_that_tell_of_one_thing_are_not_enough_where_nothing_follows() {
    let (one, other) = (
        "Audit logs of the portal are kept for three years.",
        "Audit logs of the portal are kept for 60 months.",
    );
    assert_eq!(read_between(one, other, &Reads(&[])), []);
    assert_eq!(read_between(one, other, &Unread).len(), 1, "what nobody has read goes by its words");
    assert_eq!(
        read_between(one, other, &Reads(&["Audit logs of the portal are kept for three years."])).len(),
        1
    );
}
