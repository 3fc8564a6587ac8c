//! Tests of questions for one field of one record.

use super::super::IntentKind;
use super::super::tests::ask_after;
use super::*;
use crate::domain::Language;

fn read(query: &str) -> Option<(String, FactField)> {
    match fields(query)? {
        (id, fields) if fields.len() == 1 => Some((id, fields[0])),
        several => panic!("`{query}` asks for several fields: {several:?}"),
    }
}

/// The first record and the fields that a question surely asks for.
fn fields(query: &str) -> Option<(String, Vec<FactField>)> {
    match ask_after(query, &[], Language::EN).kind {
        IntentKind::Fact(query) => Some((query.references.first()?.id()?.to_string(), query.fields)),
        _ => None,
    }
}

#[test]
fn what_is_told_beside_a_question_changes_nothing() {
    use FactField::{Approvers, Date, Status};
    for (query, field) in [
        ("Has ADR 12 been accepted or not, I keep hearing different stories", Status),
        ("is adr 12 nou goedgekeurd of niet, ik hoor steeds wat anders", Status),
        ("Who approved ADR-12? It's for a slide", Approvers),
        ("wie heeft adr 12 goedgekeurd? mijn baas vroeg ernaar", Approvers),
        ("When was ADR 12 decided (my colleague says last year)", Date),
        ("Wanneer is ADR 12 genomen - voor een presentatie", Date),
    ] {
        assert_eq!(read(query), Some(("adr-0012".to_owned(), field)), "`{query}`");
    }
    // A clause that asks is no aside.
    let asked = ask_after("Who approved ADR-12, I wonder why it took so long?", &[], Language::EN);
    assert!(!matches!(asked.kind, IntentKind::Fact(_)), "{asked:?}");
}

#[test]
fn fields_of_one_record() {
    use FactField::{Approvers, Date, Owner, Status, SupersededBy, Supersedes, Title, Version};
    for (query, id, field) in [
        ("Who approved ADR-0010?", "adr-0010", Approvers),
        ("who has signed off on ADR 10", "adr-0010", Approvers),
        ("Who are the approvers of ADR.10?", "adr-0010", Approvers),
        ("By whom was ADR 10 approved?", "adr-0010", Approvers),
        ("Please tell me who approved ADR-0010", "adr-0010", Approvers),
        ("status of ADR.12", "adr-0012", Status),
        ("What is the status of ADR.12?", "adr-0012", Status),
        ("What's the current status of the ADR 12?", "adr-0012", Status),
        ("ADR-0012 status", "adr-0012", Status),
        ("ADR 12's status", "adr-0012", Status),
        ("Is ADR 7 still valid?", "adr-0007", Status),
        ("Is ADR 7 still in force?", "adr-0007", Status),
        ("Is ADR 30 accepted or not?", "adr-0030", Status),
        ("Does ADR 7 still apply?", "adr-0007", Status),
        ("What is the status of principle 28?", "pcp-0028", Status),
        ("status of ADR.31D", "adr-0031d", Status),
        ("When was ADR-12 decided?", "adr-0012", Date),
        ("When was ADR 12 approved?", "adr-0012", Date),
        ("When was ADR.12 last updated?", "adr-0012", Date),
        ("When did the architecture board approve ADR 12?", "adr-0012", Date),
        ("What is the date of PCP.39?", "pcp-0039", Date),
        ("Who owns PCP-39?", "pcp-0039", Owner),
        ("Who is the owner of principle 39?", "pcp-0039", Owner),
        ("owner of ADR 12", "adr-0012", Owner),
        ("What supersedes ADR 7?", "adr-0007", SupersededBy),
        ("What replaced ADR 7?", "adr-0007", SupersededBy),
        ("Which ADR supersedes ADR 7?", "adr-0007", SupersededBy),
        ("By what is ADR 7 superseded?", "adr-0007", SupersededBy),
        ("Which ADR is ADR 7 superseded by?", "adr-0007", SupersededBy),
        ("Is ADR 7 superseded?", "adr-0007", SupersededBy),
        ("What does ADR 21 supersede?", "adr-0021", Supersedes),
        ("Which ADR does ADR 21 replace?", "adr-0021", Supersedes),
        ("What is superseded by ADR 21?", "adr-0021", Supersedes),
        ("Which version of ADR 12 is current?", "adr-0012", Version),
        ("What version is ADR 12?", "adr-0012", Version),
        ("version of ADR.12", "adr-0012", Version),
        ("What is the title of ADR-0012?", "adr-0012", Title),
        ("What is ADR 12 called?", "adr-0012", Title),
        ("Wie heeft ADR-0010 goedgekeurd?", "adr-0010", Approvers),
        ("Wie keurde ADR 10 goed?", "adr-0010", Approvers),
        ("Door wie is ADR 10 goedgekeurd?", "adr-0010", Approvers),
        ("Wat is de status van ADR.12?", "adr-0012", Status),
        ("Is ADR 7 nog geldig?", "adr-0007", Status),
        ("Geldt ADR 7 nog?", "adr-0007", Status),
        ("Is principe 35 nog van kracht?", "pcp-0035", Status),
        ("Wanneer is ADR 12 goedgekeurd?", "adr-0012", Date),
        ("Wanneer is ADR 12 voor het laatst bijgewerkt?", "adr-0012", Date),
        ("Wie is de eigenaar van principe 39?", "pcp-0039", Owner),
        ("Wat vervangt ADR 7?", "adr-0007", SupersededBy),
        ("Door welke ADR is ADR 7 vervangen?", "adr-0007", SupersededBy),
        ("Welke ADR vervangt ADR 7?", "adr-0007", SupersededBy),
        ("Waardoor is ADR 7 vervangen?", "adr-0007", SupersededBy),
        ("Wat is vervangen door ADR 21?", "adr-0021", Supersedes),
        ("Welke versie heeft ADR 12?", "adr-0012", Version),
        ("Hoe heet ADR 12?", "adr-0012", Title),
    ] {
        assert_eq!(read(query), Some((id.to_owned(), field)), "`{query}`");
    }
}

#[test]
fn policies_go_by_their_name() {
    use FactField::{Approvers, Date, Owner, Status, Version};
    for (query, id, field) in [
        ("Who owns the data retention policy?", "policy-data-retention", Owner),
        ("Who owns our data-retention policy?", "policy-data-retention", Owner),
        ("Who approved the patch and vulnerability policy?", "policy-patch-and-vulnerability", Approvers),
        ("What is the status of the open data policy?", "policy-open-data", Status),
        ("When was the access management policy last updated?", "policy-access-management", Date),
        ("Which version of the cloud use policy is in force?", "policy-cloud-use", Version),
        ("Who owns the policy on data retention?", "policy-data-retention", Owner),
        ("Wie is de eigenaar van het toegankelijkheidsbeleid?", "policy-toegankelijkheid", Owner),
        ("Wanneer is de data retention policy gewijzigd?", "policy-data-retention", Date),
        ("Wat is de status van het cloudbeleid?", "policy-cloud", Status),
    ] {
        assert_eq!(read(query), Some((id.to_owned(), field)), "`{query}`");
    }
    let IntentKind::Fact(query) = ask_after("Who owns the Data Retention policy?", &[], Language::EN).kind
    else {
        panic!("a field of a policy is a fact");
    };
    let reference = &query.references[0];
    assert_eq!((reference.kind, reference.written.as_str()), (Kind::Policy, "Data Retention policy"));
}

#[test]
fn what_asks_for_more_than_a_field_is_no_fact() {
    for (query, reason) in [
        ("Who approved ADR-0010 and why?", "asks for reasons too"),
        ("What does ADR-0012 decide?", "content"),
        ("What is ADR 12 about?", "content"),
        ("Compare ADR 7 and ADR 21", "two records"),
        ("Is ADR 7 superseded by ADR 21?", "two records"),
        ("Why was ADR 28 rejected?", "reasons"),
        ("Who approved the exception?", "no record"),
        ("Who owns a data set?", "no record"),
        ("Who owns the policy?", "no name"),
        ("Does ADR 12 apply to OT?", "content"),
        ("Wat staat er in ADR 12?", "content, Dutch"),
        ("Waarom is ADR 28 afgewezen?", "reasons, Dutch"),
    ] {
        assert_eq!(read(query), None, "`{query}`: {reason}");
    }
}

#[test]
fn several_fields_and_words_around_are_read() {
    use FactField::{Approvers, Date, Deciders, Owner, Status, SupersededBy, Version};
    for (query, id, expected) in [
        ("What's the status of ADR 35, the one about listener set-up?", "adr-0035", &[Status][..]),
        ("What is the status and who decided ADR 12?", "adr-0012", &[Status, Deciders]),
        ("When was ADR 12 decided, and by whom?", "adr-0012", &[Date, Deciders]),
        ("When was ADR 12 approved and by whom?", "adr-0012", &[Date, Approvers]),
        ("Who made decision 12?", "adr-0012", &[Deciders]),
        ("Who took ADR 12?", "adr-0012", &[Deciders]),
        ("quick check: is ADR 12 (meters) implemented or not?", "adr-0012", &[Status]),
        ("Has ADR 7 been superseded, and if so by which record?", "adr-0007", &[SupersededBy]),
        ("status and version of PCP.39 please", "pcp-0039", &[Status, Version]),
        ("Who owns ADR 12 and when was it last updated?", "adr-0012", &[Owner, Date]),
        ("What is the status of the 42nd ADR?", "adr-0042", &[Status]),
        ("Wie hebben het besluit over meters (ADR 22) genomen?", "adr-0022", &[Deciders]),
        ("Wie hebben ADR 22 besloten?", "adr-0022", &[Deciders]),
        ("Wat is eigenlijk de status van ADR 3, die over opslag en wachtrijen?", "adr-0003", &[Status]),
        ("Wanneer is ADR 22 (meters) genomen, en door wie?", "adr-0022", &[Date, Deciders]),
        ("ff checken: status van besluit nummer 26?", "adr-0026", &[Status]),
        ("Nou, wie is de eigenaar van ADR 22 en wat is de versie?", "adr-0022", &[Owner, Version]),
        ("Is ADR 22 al geïmplementeerd of niet?", "adr-0022", &[Status]),
    ] {
        assert_eq!(fields(query), Some((id.to_owned(), expected.to_vec())), "`{query}`");
    }
    let IntentKind::Fact(both) = ask_after("status of ADR 7 and ADR 21", &[], Language::EN).kind else {
        panic!("a field of two records is a fact");
    };
    assert_eq!((both.references.len(), both.fields), (2, vec![Status]));
}

#[test]
fn what_else_is_said_must_be_a_title() {
    use FactField::{Date, Deciders, Status, SupersededBy};
    for (query, expected, title) in [
        (
            "Can you tell me the status of the meter adoption decision (nr. 70 I think)?",
            &[Status][..],
            &["meter", "adoption"][..],
        ),
        (
            "Has the storage tiers decision for the archive been superseded?",
            &[SupersededBy],
            &["storage", "tiers", "archive"],
        ),
        (
            "Wanneer is het besluit over Signing and Sealing genomen, en door wie?",
            &[Date, Deciders],
            &["signing", "sealing"],
        ),
        ("What is the status of ADR 12 for suppliers?", &[Status], &["suppliers"]),
    ] {
        let intent = ask_after(query, &[], Language::EN);
        assert!(!matches!(intent.kind, IntentKind::Fact(_)), "`{query}` is for the catalogue to decide");
        let found = intent.fact_if_named.unwrap_or_else(|| panic!("`{query}` may ask for fields"));
        let held = |word: &&str| found.title.iter().any(|said| said == word);
        assert_eq!(found.fields, expected, "`{query}`");
        assert!(title.iter().all(held), "`{query}`: {:?}", found.title);
    }
    for query in [
        "What does ADR 12 decide, and when was it taken and why?",
        "Why was ADR 28 rejected and when?",
        "Hoe werkt ADR 12 en wat is de status?",
        "Is ADR 7 superseded by ADR 21?",
        "When does ADR 12 require TLS 1.3?",
        "Which version of TLS does ADR 12 require?",
        "Is TLS 1.2 approved by ADR 7?",
        "Welke versie van TLS vereist ADR 12?",
        "Wanneer vereist ADR 12 TLS 1.3?",
    ] {
        assert_eq!(ask_after(query, &[], Language::EN).fact_if_named, None, "`{query}`");
    }
}

/// Wordings that ask for fields of a record by its number, whatever else they say of it.
#[test]
fn fields_are_asked_for_with_any_verb() {
    use FactField::{Approvers, Date, Deciders, Status, SupersededBy, Supersedes, Version};
    let wrong: Vec<_> = [
        ("Was ADR 12 ever formally signed off?", "adr-0012", &[Status][..]),
        ("Has ADR 24 gone through yet or is it still a proposal?", "adr-0024", &[Status]),
        ("Where does ADR 31 stand right now?", "adr-0031", &[Status]),
        ("How far along is ADR 31?", "adr-0031", &[Status]),
        ("Is ADR 31, the one on the DMZ, a done deal?", "adr-0031", &[Status]),
        ("Is ADR 9 still open, or has it been settled?", "adr-0009", &[Status]),
        ("Did anyone sign off ADR 12 (the TLS one)?", "adr-0012", &[Approvers]),
        ("Who gave the green light for PCP.10, the one on open data?", "pcp-0010", &[Approvers]),
        ("ADR 12 - the meters one - who endorsed it?", "adr-0012", &[Approvers]),
        ("ADR 12 (meters): who signed it and when?", "adr-0012", &[Approvers, Date]),
        ("Whose call was ADR 12?", "adr-0012", &[Deciders]),
        ("Who was at the table for ADR 9?", "adr-0009", &[Deciders]),
        ("Which day does ADR 12 date from?", "adr-0012", &[Date]),
        ("How long ago was ADR 12 decided?", "adr-0012", &[Date]),
        ("Has anything taken the place of ADR 7?", "adr-0007", &[SupersededBy]),
        ("What did ADR 21 take the place of?", "adr-0021", &[Supersedes]),
        ("Is ADR 7 obsolete by now, and what came instead?", "adr-0007", &[Status, SupersededBy]),
        ("What is the revision of PCP.10?", "pcp-0010", &[Version]),
        ("wie hebben PCP.14 goedgekeurd? (dat principe over losse koppelingen)", "pcp-0014", &[Approvers]),
        (
            "Wie gaven hun fiat aan ADR 9 (die met de DMZ) en had iemand er nog een voorwaarde bij?",
            "adr-0009",
            &[Approvers],
        ),
        ("Wie tekenden voor ADR 12?", "adr-0012", &[Approvers]),
        ("Wie gingen akkoord met ADR 9?", "adr-0009", &[Approvers]),
        ("Is ADR.31 nou formeel rond of niet?", "adr-0031", &[Status]),
        ("Hebben ze ADR 12 (die van de meters) al geaccordeerd of ligt hij nog?", "adr-0012", &[Status]),
        ("Hoe staat het met ADR 31?", "adr-0031", &[Status]),
        ("Is ADR 31 er al door?", "adr-0031", &[Status]),
        ("Is PCP.14, over losse koppelingen, nog steeds van toepassing?", "pcp-0014", &[Status]),
        ("Van wanneer is ADR 31, die over de DMZ?", "adr-0031", &[Date]),
        ("Op welke dag viel besluit 31?", "adr-0031", &[Date]),
        ("Wie namen besluit 12 en wanneer was dat?", "adr-0012", &[Deciders, Date]),
        ("Wie zaten er aan tafel bij ADR 9?", "adr-0009", &[Deciders]),
        ("Wat kwam er in de plaats van ADR 7?", "adr-0007", &[SupersededBy]),
        ("Welke versie van PCP.10 hebben we nu?", "pcp-0010", &[Version]),
        ("what is de status van adr 24 en who decided it", "adr-0024", &[Status, Deciders]),
        ("who approved ADR 12 en wanneer was dat?", "adr-0012", &[Approvers, Date]),
    ]
    .into_iter()
    .map(|(query, id, expected)| (query, Some((id.to_owned(), expected.to_vec())), fields(query)))
    .filter(|(_, expected, read)| expected != read)
    .collect();
    assert!(wrong.is_empty(), "asked for, and read: {wrong:#?}");
}

#[test]
fn a_number_without_a_kind_may_be_a_records() {
    use FactField::{Approvers, Status};
    for (query, number, field) in [
        (
            "Has number 19, the identity provider one, actually been accepted or is it still waiting?",
            19,
            Status,
        ),
        ("Who approved number 7?", 7, Approvers),
        ("Is nummer 19 nu officieel of nog in beraad?", 19, Status),
        ("Wie hebben nr. 9 goedgekeurd?", 9, Approvers),
    ] {
        let found = ask_after(query, &[], Language::EN).fact_if_named;
        let found = found.map(|query| (query.references[0].number, query.fields, query.title));
        assert_eq!(found, Some((Some(number), vec![field], Vec::new())), "`{query}`");
    }
}

#[test]
fn what_people_do_with_records_is_asked_of_the_documents() {
    let sure = |query: &str| matches!(ask_after(query, &[], Language::EN).kind, IntentKind::Fact(_));
    let wrong: Vec<_> = [
        "Who must sign the contract according to ADR 12?",
        "When must suppliers be approved under ADR 12?",
        "Who approves exceptions to ADR 12?",
        "What status codes does ADR 12 prescribe?",
        "Is ADR 12 accepted by suppliers?",
        "Does ADR 12 ask for open formats?",
        "What conditions does ADR 12 set?",
        "Wie keurt uitzonderingen op ADR 12 goed?",
        "Wie moet volgens ADR 12 akkoord geven?",
        "Wanneer moet volgens ADR 9 een certificaat vervangen worden?",
        "Welke voorwaarden stelt ADR 9?",
        "Hoe ver moet een kabel liggen volgens ADR 9?",
    ]
    .into_iter()
    .filter(|query| sure(query))
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
