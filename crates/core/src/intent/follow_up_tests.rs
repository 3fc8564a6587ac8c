//! Tests of questions that need the ones before them.

use super::super::tests::ask_after;
use super::super::{Intent, IntentKind, QueryClass, Shape};
use super::*;
use crate::domain::FactField;

fn after(said: &[&str], query: &str) -> Intent {
    let message = |(turn, text): (usize, &&str)| match turn % 2 {
        0 => ChatMessage::user(*text),
        _ => ChatMessage::assistant(*text),
    };
    ask_after(query, &said.iter().enumerate().map(message).collect::<Vec<_>>(), Language::EN)
}

#[test]
fn a_follow_up_gains_the_record_that_was_named() {
    let said = ["What does ADR-0012 decide?", "CIM is the canonical model, see also ADR-0013."];
    for (query, resolved) in [
        ("and its consequences?", "ADR-0012's consequences?"),
        ("What are its consequences?", "What are ADR-0012's consequences?"),
        ("why?", "why (ADR-0012)?"),
        ("And why?", "why (ADR-0012)?"),
        ("what about the alternatives?", "the alternatives of ADR-0012?"),
        ("who approved it?", "who approved ADR-0012?"),
        ("does it apply to SCADA?", "does ADR-0012 apply to SCADA?"),
        ("how is that enforced?", "how is ADR-0012 enforced?"),
        ("geldt dat ook voor OT?", "geldt ADR-0012 ook voor OT?"),
        (
            "wat zijn de gevolgen daarvan voor leveranciers?",
            "wat zijn de gevolgen van ADR-0012 voor leveranciers?",
        ),
        ("en wat sluiten we daarmee uit?", "wat sluiten we met ADR-0012 uit?"),
        ("welke afspraken horen hierbij?", "welke afspraken horen bij ADR-0012?"),
        ("Who approved that decision?", "Who approved ADR-0012?"),
        ("Who approved?", "Who approved ADR-0012?"),
        ("and in Dutch?", "in Dutch (ADR-0012)?"),
        ("and for OT?", "for OT (ADR-0012)?"),
        ("is it still valid?", "is ADR-0012 still valid?"),
        ("What is the status?", "What is the status of ADR-0012?"),
        ("tell me more", "Tell me about ADR-0012."),
        ("Thanks, and the context?", "the context of ADR-0012?"),
        ("en de gevolgen?", "de gevolgen van ADR-0012?"),
        ("wie heeft dat goedgekeurd?", "wie heeft ADR-0012 goedgekeurd?"),
        ("en voor OT?", "voor OT (ADR-0012)?"),
        ("Waarom?", "Waarom (ADR-0012)?"),
        ("Is het nog geldig?", "Is ADR-0012 nog geldig?"),
        ("Wat zijn de gevolgen ervan?", "Wat zijn de gevolgen van ADR-0012?"),
        ("Hoe zit het met de alternatieven?", "de alternatieven van ADR-0012?"),
    ] {
        let intent = after(&said, query);
        assert_eq!(intent.question.text, resolved, "`{query}`");
        assert!(intent.question.completed && intent.class == QueryClass::Clarification, "`{query}`");
        assert_eq!(intent.references().len(), 1, "`{query}` is about one record: {:?}", intent.references());
    }
}

#[test]
fn a_resolved_follow_up_is_routed_as_what_it_became() {
    let said = ["What does ADR-0012 decide?", "…"];
    for (query, field) in [
        ("who approved it?", FactField::Approvers),
        ("and the status?", FactField::Status),
        ("when was it approved?", FactField::Date),
        ("who owns it?", FactField::Owner),
        ("what replaced it?", FactField::SupersededBy),
        ("and which record replaces it?", FactField::SupersededBy),
        ("and who decided that?", FactField::Deciders),
        ("and who decided?", FactField::Deciders),
        ("en wie hebben dat besloten?", FactField::Deciders),
        ("En wat was de datum daarvan?", FactField::Date),
        ("wie heeft dat goedgekeurd?", FactField::Approvers),
        ("geldt het nog?", FactField::Status),
    ] {
        let kind = after(&said, query).kind;
        assert!(matches!(&kind, IntentKind::Fact(query) if query.fields == [field]), "`{query}`: {kind:?}");
    }
    assert!(matches!(after(&said, "and its consequences?").kind, IntentKind::Entity { .. }));
    let cited = ["Which broker did we choose?", "We are going with queues. [0019-broker.md]"];
    for (query, field) in
        [("en wie hebben dat besloten?", FactField::Deciders), ("and what was its date?", FactField::Date)]
    {
        let kind = after(&cited, query).kind;
        assert!(
            matches!(&kind, IntentKind::Fact(query) if query.fields == [field]),
            "`{query}` is about the file that was cited: {kind:?}"
        );
    }
}

#[test]
fn the_record_is_found_through_other_follow_ups_but_not_past_a_change_of_subject() {
    let chain = ["What does ADR-0012 decide?", "…", "and its consequences?", "…"];
    assert_eq!(after(&chain, "who approved it?").question.text, "who approved ADR-0012?");
    let changed = ["What does ADR-0012 decide?", "…", "How long do we keep SCADA values?", "13 months."];
    assert_eq!(after(&changed, "why?").question.text, "why (keep SCADA values)?");
}

#[test]
fn failing_the_user_the_last_answer_names_the_record() {
    let one = ["Which encryption do we use?", "AES-256 [adr-0015:2]. Keys are rotated [adr-0015:3]."];
    assert_eq!(after(&one, "and the alternatives?").question.text, "the alternatives of ADR-0015?");
    let several = ["Which encryption do we use?", "AES-256 [ADR-0015], TLS 1.3 [ADR-0021]."];
    assert_eq!(
        after(&several, "who approved it?").question.text,
        "who approved ADR-0015?",
        "it is the first"
    );
    assert_eq!(
        after(&several, "and for OT?").question.text,
        "Which encryption do we use for OT?",
        "no one record is meant"
    );
}

#[test]
fn several_records_are_meant_by_they() {
    let said = ["Compare ADR 7 and ADR 21", "…"];
    assert_eq!(after(&said, "and their status?").question.text, "ADR-0007, ADR-0021's status?");
    assert_eq!(after(&said, "why?").question.text, "why (ADR-0007, ADR-0021)?");
    assert_eq!(after(&said, "who approved it?").question.text, "who approved ADR-0021?", "it is the last");
    let listed = ["List all ADRs about security", "ADR-0007, ADR-0008 and ADR-0009"];
    assert_eq!(after(&listed, "who approved them?").references().len(), 3);
    assert_eq!(after(&listed, "and the principles?").question.text, "the principles (security)?");
}

#[test]
fn a_policy_that_an_answer_cites_is_known_by_its_id() {
    let said = ["How long do we keep smart meter data?", "Three years [policy-data-retention:2]."];
    let ids = |references: &[Reference]| -> Vec<String> {
        references.iter().filter_map(Reference::id).map(String::from).collect()
    };
    let intent = after(&said, "who owns that policy?");
    assert_eq!(intent.question.text, "who owns data retention policy?");
    assert_eq!(ids(intent.references()), ["policy-data-retention"]);
    let other = after(&said, "and monthly readings?").question;
    assert_eq!(other.text, "How long do we keep monthly readings?");
    assert_eq!(ids(&other.recalled), ["policy-data-retention"], "it is looked for there first");
    assert!(matches!(
        after(&said, "who owns that policy?").kind,
        IntentKind::Fact(query) if query.fields == [FactField::Owner]
    ));
}

#[test]
fn a_policy_that_was_named_is_what_it_stands_for() {
    let intent = after(&["What is the data retention policy?", "…"], "who owns it?");
    assert_eq!(intent.question.text, "who owns data retention policy?");
    assert!(
        matches!(&intent.kind, IntentKind::Fact(query) if query.fields == [FactField::Owner]
            && query.references[0].name.as_deref() == Some("data-retention")),
        "{:?}",
        intent.kind
    );
}

#[test]
fn a_bare_term_after_a_question_for_a_meaning_asks_for_its_meaning() {
    for (query, term) in [("and CGMES?", "cgmes"), ("What about CIMXML?", "cimxml"), ("En CGMES?", "cgmes")] {
        let kind = after(&["What is CIM?", "…"], query).kind;
        assert_eq!(kind, IntentKind::Terminology { term: term.to_owned() }, "`{query}`");
    }
}

#[test]
fn a_question_of_its_own_is_never_changed() {
    let said = ["What does ADR-0012 decide?", "…"];
    for query in [
        "What is CIM?",
        "What is IT?",
        "And what is CIM?",
        "How do we ensure grid stability?",
        "Why is it necessary to encrypt backups?",
        "ok thanks",
        "Which principles apply to cloud?",
        "And which ADRs are accepted?",
        "And what does ADR-0021 decide?",
        "and ADR 21?",
        "List all ADRs",
        "Is it allowed to use TLS 1.2 on OT devices?",
        "Who owns the data retention policy?",
        "What is the retention period for smart meter data?",
        "smart meters",
        "Thanks!",
        "Hoe lang bewaren we meetgegevens?",
        "Wat is het verschil tussen CIM en CGMES?",
        "Toon alle principes",
    ] {
        let intent = after(&said, query);
        assert_eq!(intent.question.text, query);
        assert!(!intent.question.completed, "`{query}`");
    }
    for query in ["And what is CGMES?", "En wat betekent CGMES?"] {
        let kind = IntentKind::Terminology { term: "cgmes".to_owned() };
        assert_eq!(after(&said, query).kind, kind, "`{query}` is routed without what leads it in");
    }
}

#[test]
fn without_a_conversation_nothing_is_resolved() {
    for query in ["and its consequences?", "why?", "who approved it?", "en de gevolgen?"] {
        let intent = after(&[], query);
        assert_eq!((intent.question.text.as_str(), intent.question.completed), (query, false));
    }
}

/// All that is completed otherwise is told at once.
#[track_caller]
fn assert_completed(said: &[&str], wordings: &[(&str, &str)]) {
    let wrong: Vec<_> = wordings
        .iter()
        .map(|(query, expected)| (query, expected, after(said, query).question.text))
        .filter(|(_, expected, completed)| *expected != completed)
        .collect();
    assert!(wrong.is_empty(), "follow-up, expected, completed: {wrong:#?}");
}

#[test]
fn a_part_stands_in_the_place_of_the_one_it_contrasts_with() {
    let dutch = [
        "Binnen welke tijd moet een kritieke kwetsbaarheid op kantoorsystemen dicht zijn?",
        "Binnen 7 dagen. [policy-patching:2]",
    ];
    assert_completed(
        &dutch,
        &[
            ("en in OT dan?", "Binnen welke tijd moet een kritieke kwetsbaarheid in OT dicht zijn?"),
            ("En op servers?", "Binnen welke tijd moet een kritieke kwetsbaarheid op servers dicht zijn?"),
            (
                "en bij leveranciers?",
                "Binnen welke tijd moet een kritieke kwetsbaarheid bij leveranciers dicht zijn?",
            ),
            (
                "maar in de meldkamer?",
                "Binnen welke tijd moet een kritieke kwetsbaarheid in de meldkamer dicht zijn?",
            ),
            (
                "en tijdens onderhoud?",
                "Binnen welke tijd moet een kritieke kwetsbaarheid op kantoorsystemen dicht zijn tijdens onderhoud?",
            ),
            ("en een lage?", "Binnen welke tijd moet een lage kwetsbaarheid op kantoorsystemen dicht zijn?"),
        ],
    );
    let english = ["How long do we keep meter readings for small customers in the archive?", "Three years."];
    assert_completed(
        &english,
        &[
            ("and for suppliers?", "How long do we keep meter readings for suppliers in the archive?"),
            ("what about in backups?", "How long do we keep meter readings for small customers in backups?"),
            ("And on a laptop then?", "How long do we keep meter readings for small customers on a laptop?"),
            ("and large ones?", "How long do we keep meter readings for large customers in the archive?"),
            (
                "and after termination?",
                "How long do we keep meter readings for small customers in the archive after termination?",
            ),
        ],
    );
    assert_completed(
        &["List all ADRs about security", "ADR-0007, ADR-0008 and ADR-0009"],
        &[("and about logging?", "List all ADRs about logging?")],
    );
    let again = ["Which encryption do we use for backups?", "AES-256.", "and for OT?", "TLS 1.3."];
    assert_completed(&again, &[("and for e-mail?", "Which encryption do we use for e-mail?")]);
}

#[test]
fn a_thing_stands_in_the_place_of_the_one_that_was_asked_about() {
    for (said, query, complete) in [
        ("How long do we keep security logs?", "and permit files?", "How long do we keep permit files?"),
        (
            "How long do we keep security logs in the archive?",
            "What about invoices?",
            "How long do we keep invoices in the archive?",
        ),
        ("How often are backups tested?", "and the generators?", "How often are the generators tested?"),
        ("Who owns the API gateway?", "And the broker?", "Who owns the broker?"),
        (
            "What is the retention period of camera images?",
            "and door logs?",
            "What is the retention period of door logs?",
        ),
        ("May I use Dropbox?", "and Google Drive?", "May I use Google Drive?"),
        (
            "Hoe lang bewaren we beveiligingslogs?",
            "En vergunningdossiers?",
            "Hoe lang bewaren we vergunningdossiers?",
        ),
        (
            "Hoe lang moeten we beveiligingslogs bewaren?",
            "en camerabeelden dan?",
            "Hoe lang moeten we camerabeelden bewaren?",
        ),
        ("Hoe vaak worden de noodaggregaten getest?", "en de pompen?", "Hoe vaak worden de pompen getest?"),
        ("Wie beheert de berichtendienst?", "En het portaal?", "Wie beheert het portaal?"),
        ("Mag ik een eigen laptop gebruiken?", "en een tablet?", "Mag ik een tablet gebruiken?"),
        ("Gebruiken we Kafka?", "en RabbitMQ?", "Gebruiken we RabbitMQ?"),
    ] {
        // Whatever the answer was.
        for answer in ["So it is.", "18 months, says POL-02."] {
            assert_completed(&[said, answer], &[(query, complete)]);
        }
    }
}

#[test]
fn what_belongs_to_what_was_named_is_no_other_thing() {
    let said = ["How long do we keep security logs?", "18 months. [ADR-0007]"];
    for query in ["and the consequences?", "and why?", "and who decided?"] {
        let asked = after(&said, query).question.text;
        assert!(!asked.starts_with("How long"), "`{query}`: {asked}");
    }
}

#[test]
fn a_quality_stands_in_the_place_of_another() {
    for (said, query, term) in [
        ("Wat is een kleine aansluiting?", "En een grote?", "grote aansluiting"),
        ("wat is een primaire regeling", "en een secundaire dan?", "secundaire regeling"),
        ("What is a small connection?", "and a large one?", "large connection"),
        ("What is an active network?", "And a passive one?", "passive network"),
        ("Wat is een slimme meter?", "en een gewone?", "gewone meter"),
        ("What is a public charging point?", "what about a private one?", "private charging point"),
        ("Wat is een directe lijn?", "En een indirecte?", "indirecte lijn"),
        ("What is low voltage?", "and high?", "high voltage"),
        ("Wat is een interne audit?", "en een externe?", "externe audit"),
        ("What is a primary substation?", "And a secondary one?", "secondary substation"),
    ] {
        let kind = after(&[said, "…"], query).kind;
        assert_eq!(kind, IntentKind::Terminology { term: term.to_owned() }, "`{query}` after `{said}`");
    }
}

#[test]
fn one_of_several_is_an_option_or_a_document_in_a_row() {
    let option = ["Which option did we take in ADR.19?", "We chose RabbitMQ. [0019-broker.md]"];
    let mut wrong = Vec::new();
    for (query, number) in [
        ("what was wrong with the third one?", 3),
        ("and option 2?", 2),
        ("And the second option?", 2),
        ("what about alternative 4?", 4),
        ("why not the first one?", 1),
        ("and option B?", 2),
        ("what are the drawbacks of option three?", 3),
        ("what was bad about the 2nd option?", 2),
        ("en optie 2?", 2),
        ("wat was er mis met de derde?", 3),
        ("en het tweede alternatief?", 2),
        ("waarom niet de eerste optie?", 1),
        ("wat zijn de nadelen van optie drie?", 3),
    ] {
        let intent = after(&option, query);
        let (wish, records) = (&intent.question.wish, intent.references().len());
        if (wish.option, &wish.shape, records) != (Some(number), &Shape::ForAndAgainst, 1) {
            wrong.push((query, intent.question.text.clone(), records));
        }
    }
    assert!(wrong.is_empty(), "follow-up, completed, records: {wrong:#?}");
    let listed = ["Which ADRs are about security?", "ADR-0007, ADR-0008 and ADR-0009."];
    assert_completed(
        &listed,
        &[
            ("who approved the second one?", "who approved ADR-0008?"),
            ("and the status of the third one?", "the status of ADR-0009?"),
            ("wie heeft de eerste goedgekeurd?", "wie heeft ADR-0007 goedgekeurd?"),
            ("en de tweede?", "ADR-0008?"),
        ],
    );
    assert_completed(
        &["Compare ADR 7 and ADR 21", "…"],
        &[
            ("what does the latter decide?", "what does ADR-0021 decide?"),
            ("and the first one?", "ADR-0007?"),
        ],
    );
}

#[test]
fn the_version_before_is_asked_the_same() {
    let said = ["Who approved ADR.12?", "The architecture board approved version 2."];
    for (query, completed) in [
        ("and the version before that?", "Who approved the previous version of ADR-0012?"),
        ("and the previous version?", "Who approved the previous version of ADR-0012?"),
        ("what about the earlier one?", "Who approved the previous version of ADR-0012?"),
        ("And the one before?", "Who approved the previous version of ADR-0012?"),
        ("and before that?", "Who approved the previous version of ADR-0012?"),
        ("and any older versions?", "Who approved the previous version of ADR-0012?"),
        ("en de versie daarvoor?", "Who approved de vorige versie van ADR-0012?"),
        ("en de vorige versie?", "Who approved de vorige versie van ADR-0012?"),
    ] {
        let intent = after(&said, query);
        assert_eq!(intent.question.text, completed, "`{query}`");
        let IntentKind::Entity { references } = &intent.kind else {
            panic!("`{query}`: the catalogue knows the newest only: {:?}", intent.kind)
        };
        let kinds: Vec<_> = references.iter().map(|reference| reference.kind).collect();
        assert_eq!(kinds, [Kind::Adr, Kind::Dar], "`{query}`: the approval record tells of all versions");
    }
    let decided = ["What does ADR-0012 decide?", "…"];
    assert_completed(
        &decided,
        &[
            ("and the version before that?", "What does the previous version of ADR-0012 decide?"),
            ("who approved the previous version?", "who approved the previous version of ADR-0012?"),
        ],
    );
}

#[test]
fn more_of_a_record_is_all_of_it() {
    let said = ["Gebruiken we GitOps?", "The platform will use IaC and GitOps. [0002-gitops.md]"];
    let mut wrong = Vec::new();
    for query in [
        "Vertel daar eens wat meer over.",
        "vertel meer",
        "Vertel er nog iets meer over",
        "leg dat eens uit",
        "meer details",
        "kun je daar meer over vertellen?",
        "Tell me more",
        "tell me a bit more about that",
        "more information",
        "please elaborate",
        "Can you summarise it?",
        "what else?",
        "go on",
    ] {
        let intent = after(&said, query);
        if !intent.question.wish.whole || intent.references().len() != 1 {
            wrong.push((query, intent.question.text));
        }
    }
    assert!(wrong.is_empty(), "follow-up, completed: {wrong:#?}");
}

#[test]
fn a_conclusion_and_a_question_without_a_subject_are_about_the_record_cited_last() {
    let said = ["How do teams get secrets?", "Through Vault, with a token for now. [0015-vault.md]"];
    let cited = |query: &str| {
        let intent = after(&said, query);
        (intent.references().len() == 1).then_some(intent.question.text)
    };
    let kept: Vec<&str> = [
        "so logging in with AppRole already works now?",
        "so AppRole is not possible yet?",
        "So teams with their own cluster can log in to Vault without a token from us already?",
        "that means every team needs a token?",
        "dus inloggen met AppRole werkt nu al?",
        "Dus teams met een eigen cluster kunnen nu al zonder token van ons inloggen?",
        "Bij wie moet ik aankloppen als ik toch wat anders wil, en wat moet ik dan meebrengen?",
        "Wie moet ik bellen als ik iets anders wil?",
        "Waar moet ik dan toestemming voor vragen?",
        "Who do I turn to if I want something else after all, and what should I bring?",
        "Whom do I ask for permission if I want to do it differently?",
        "What happens if I do something else instead?",
        "Can I get an exception to that?",
        "so who should I contact?",
        "Kan ik daar een uitzondering op krijgen?",
        "Dus Kafka mag niet?",
    ]
    .into_iter()
    .filter(|query| cited(query).is_none())
    .collect();
    assert!(kept.is_empty(), "not completed: {kept:#?}");
    for query in [
        "So what is CIM?",
        "So which principles apply to cloud?",
        "Dus wat is CIM?",
        "Whom do I ask for a new certificate for the charging points?",
        "Bij wie moet ik aankloppen voor een nieuw certificaat?",
        "What happens to meter readings after three years?",
        "How long do we keep readings of large customers in the archive?",
        "What is the third option for reactive power?",
        "Wat is de eerste stap bij een storing?",
        "Which version of TLS came before TLS 1.3?",
    ] {
        assert_eq!(after(&said, query).question.text, query, "`{query}` stands by itself");
    }
}

#[test]
fn a_policy_that_the_answer_names_is_what_the_next_question_is_about() {
    let said =
        ["How early must a supplier ask for a session?", "Two working days ahead (POL-03.md, article 3.1)."];
    for query in ["ok but what if it can't wait that long", "and who decides about that?"] {
        let intent = after(&said, query);
        assert!(intent.question.completed, "`{query}`");
        let named: Vec<String> =
            intent.references().iter().map(|reference| reference.written.clone()).collect();
        assert_eq!(named, ["POL-03.md"], "`{query}`");
    }
}

#[test]
fn what_adds_to_the_question_before_it_recalls_its_record_though_it_has_a_subject_of_its_own() {
    let recalled = |said: &[&str], query: &str| {
        let question = after(said, query).question;
        assert!(!question.completed, "`{query}` stands by itself");
        question.recalled.iter().map(|reference| reference.written.clone()).collect::<Vec<_>>()
    };
    let named = ["What does ADR-0025 say about congestion?", "State estimation every five minutes."];
    assert_eq!(
        recalled(&named, "and at which percentage does the alarm of the control room go off?"),
        ["ADR-0025"]
    );
    assert_eq!(recalled(&named, "At which percentage does the alarm of the control room go off?"), [""; 0]);
    let answered = ["How is congestion detected?", "By state estimation (ADR-0025)."];
    assert_eq!(recalled(&answered, "en bij hoeveel procent gaat dan het alarm af"), ["ADR-0025"]);
    assert_eq!(
        recalled(&answered, "and what does ADR-0007 say about the alarm of the control room?"),
        [""; 0]
    );
}
