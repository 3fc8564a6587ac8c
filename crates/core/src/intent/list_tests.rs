//! Tests of questions for lists.

use super::super::IntentKind;
use super::super::tests::ask_after;
use super::*;
use crate::domain::{Language, Month, Months, Years};

fn read(query: &str) -> Option<ListQuery> {
    match ask_after(query, &[], Language::EN).kind {
        IntentKind::List(query) => Some(query),
        _ => None,
    }
}

fn filter(kinds: &[Kind]) -> DocumentFilter {
    DocumentFilter { kinds: kinds.to_vec(), ..DocumentFilter::default() }
}

const ADRS: &[Kind] = &[Kind::Adr];
const PRINCIPLES: &[Kind] = &[Kind::Principle];
const POLICIES: &[Kind] = &[Kind::Policy];

#[test]
fn kinds_are_listed() {
    for (query, kinds) in [
        ("List ADRs", ADRS),
        ("list all ADRs.", ADRS),
        ("Please list our architecture decisions", ADRS),
        ("Can you list all ADRs?", ADRS),
        ("Show all principles", PRINCIPLES),
        ("Show me all policies", POLICIES),
        ("Give me a list of all policies", POLICIES),
        ("Give me an overview of the principles", PRINCIPLES),
        ("Which policies do we have?", POLICIES),
        ("What principles are there?", PRINCIPLES),
        ("List all ADRs, principles and policies", &[Kind::Adr, Kind::Principle, Kind::Policy]),
        ("Show ADRs & principles", &[Kind::Adr, Kind::Principle]),
        ("List the approval records", &[Kind::Dar]),
        ("List all documents", &[]),
        ("Give me every ADR", ADRS),
        ("list each principle", PRINCIPLES),
        ("principles", PRINCIPLES),
        ("all ADRs", ADRS),
        ("Toon alle principes", PRINCIPLES),
        ("Toon mij alle ADR's", ADRS),
        ("Geef een lijst van alle ADR’s", ADRS),
        ("Geef me een overzicht van het beleid", POLICIES),
        ("Laat alle principes zien", PRINCIPLES),
        ("Som alle besluiten op", ADRS),
        ("Welke principes zijn er?", PRINCIPLES),
        ("Welke beleidsstukken hebben we?", POLICIES),
    ] {
        let expected = ListQuery { filter: filter(kinds), ..ListQuery::default() };
        assert_eq!(read(query), Some(expected), "`{query}`");
    }
}

#[test]
fn topics_keep_the_users_wording() {
    for (query, kinds, topic) in [
        ("List ADRs about security", ADRS, "security"),
        ("List all ADRs about authentication", ADRS, "authentication"),
        ("List all principles about security", PRINCIPLES, "security"),
        ("Which ADRs are about TLS 1.3?", ADRS, "TLS 1.3"),
        ("Which ADRs mention the CIM?", ADRS, "CIM"),
        ("Which ADRs do we have on “Smart Meters”?", ADRS, "Smart Meters"),
        ("Are there any ADRs about Kafka?", ADRS, "Kafka"),
        ("List security ADRs", ADRS, "security"),
        ("List open data ADRs", ADRS, "open data"),
        ("What's the list of ADRs about OT", ADRS, "OT"),
        ("Welke ADR's gaan over Beveiliging?", ADRS, "Beveiliging"),
        ("Welke ADR's zijn er over netwerken?", ADRS, "netwerken"),
        ("Toon alle principes over gegevens", PRINCIPLES, "gegevens"),
        ("Laat alle ADR's over beveiliging zien", ADRS, "beveiliging"),
    ] {
        let expected = DocumentFilter { about: Some(topic.to_owned()), ..filter(kinds) };
        assert_eq!(read(query).map(|list| list.filter), Some(expected), "`{query}`");
    }
}

#[test]
fn standings_are_read_before_and_behind_the_kind() {
    for (query, kinds, standing) in [
        ("List the proposed ADRs", ADRS, Standing::Proposed),
        ("Which ADRs are proposed?", ADRS, Standing::Proposed),
        ("Which ADRs are still in force?", ADRS, Standing::InForce),
        ("Show all accepted principles", PRINCIPLES, Standing::InForce),
        ("List ADRs that have been superseded", ADRS, Standing::Superseded),
        ("List ADRs with status deprecated", ADRS, Standing::Deprecated),
        ("Which decisions were rejected?", ADRS, Standing::Rejected),
        ("Welke ADR's zijn voorgesteld?", ADRS, Standing::Proposed),
        ("Toon alle goedgekeurde principes", PRINCIPLES, Standing::InForce),
        ("Welke ADR's zijn vervangen?", ADRS, Standing::Superseded),
        ("Toon alle ADR's die vervangen zijn", ADRS, Standing::Superseded),
        ("Welke ADR's zijn nog van kracht?", ADRS, Standing::InForce),
        ("Toon ADR's met status afgewezen", ADRS, Standing::Rejected),
        ("Welke principes zijn vervallen?", PRINCIPLES, Standing::Deprecated),
    ] {
        let expected = DocumentFilter { standings: vec![standing], ..filter(kinds) };
        assert_eq!(read(query).map(|list| list.filter), Some(expected), "`{query}`");
    }
}

#[test]
fn filters_combine() {
    let expected = DocumentFilter {
        standings: vec![Standing::Proposed],
        about: Some("data".to_owned()),
        owner: Some("Noor Visscher".to_owned()),
        ..filter(ADRS)
    };
    for query in [
        "List the proposed ADRs about data owned by Noor Visscher",
        "List ADRs about data that are proposed owned by Noor Visscher",
        "Toon voorgestelde ADR's over data van eigenaar Noor Visscher",
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(expected.clone()), "`{query}`");
    }
    let both = DocumentFilter {
        owner: None,
        standings: vec![Standing::InForce],
        about: Some("CIM".to_owned()),
        ..filter(ADRS)
    };
    for query in
        ["Which ADRs are about CIM and are accepted?", "Welke ADR's gaan over CIM en zijn goedgekeurd?"]
    {
        assert_eq!(read(query).map(|list| list.filter), Some(both.clone()), "`{query}`");
    }
    let owned = DocumentFilter { owner: Some("Sander Kuipers".to_owned()), ..filter(POLICIES) };
    for query in [
        "Which policies are owned by Sander Kuipers?",
        "Toon alle beleidsstukken met eigenaar Sander Kuipers",
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(owned.clone()), "`{query}`");
    }
}

#[test]
fn a_year_is_a_filter_and_not_yet_decided_means_proposed() {
    let dated = |standing: Option<Standing>| DocumentFilter {
        standings: standing.into_iter().collect(),
        years: Some(Years::only(2024)),
        ..filter(ADRS)
    };
    for (query, standing) in [
        ("List ADRs from 2024", None),
        ("Which ADRs were accepted in 2024?", Some(Standing::InForce)),
        ("Welke ADR's zijn goedgekeurd in 2024?", Some(Standing::InForce)),
        ("show me all ADRs of 2024 pls", None),
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(dated(standing)), "`{query}`");
    }
    let about = DocumentFilter { about: Some("TLS".to_owned()), ..dated(None) };
    assert_eq!(read("List ADRs about TLS from 2024").map(|list| list.filter), Some(about));
    for query in ["Welke ADR's zijn nog niet goedgekeurd?", "Which ADRs are not yet approved?"] {
        let proposed = DocumentFilter { standings: vec![Standing::Proposed], ..filter(ADRS) };
        assert_eq!(read(query).map(|list| list.filter), Some(proposed), "`{query}`");
    }
    assert_eq!(read("List ADRs from 20245"), None);
}

#[test]
fn counting_is_a_list_that_shows_its_length() {
    for (query, standing) in [
        ("How many ADRs are there?", None),
        ("How many ADRs do we have?", None),
        ("How many ADRs", None),
        ("How many of the ADRs are superseded?", Some(Standing::Superseded)),
        ("What is the number of accepted ADRs?", Some(Standing::InForce)),
        ("Hoeveel ADR's zijn er?", None),
        ("Hoeveel ADR's zijn voorgesteld?", Some(Standing::Proposed)),
    ] {
        let expected = ListQuery {
            filter: DocumentFilter { standings: standing.into_iter().collect(), ..filter(ADRS) },
            shape: ListShape::Count,
            ..ListQuery::default()
        };
        assert_eq!(read(query), Some(expected), "`{query}`");
    }
}

#[test]
fn what_the_catalogue_cannot_decide_is_no_list() {
    for (query, reason) in [
        ("Which ADR decides on TLS?", "one record, by its content"),
        ("Which ADRs require encryption?", "needs reading"),
        ("Which ADRs?", "no filter"),
        ("How many ADRs are accepted and how many proposed?", "two questions"),
        ("Which ADR is about CIM?", "one record"),
        ("Show me how to publish a data set", "a procedure"),
        ("Show me the retention periods", "no kind"),
        ("List the requirements for TLS", "no kind"),
        ("List the consequences of ADR-0012", "one record"),
        ("List ADRs 7 and 21", "references"),
        ("List the most important principles", "a judgement"),
        ("How many days are events retained?", "no kind"),
        ("How many policies must a supplier sign?", "needs reading"),
        ("Security decisions and principles", "a topic without an order to list"),
        ("What are the interoperability principles?", "asks what they say"),
        ("Welke ADR gaat over TLS?", "one record, Dutch"),
        ("Hoeveel dagen bewaren we logs?", "no kind, Dutch"),
        ("Toon hoe ik een ADR schrijf", "a procedure, Dutch"),
    ] {
        assert_eq!(read(query), None, "`{query}`: {reason}");
    }
}

#[test]
fn years_have_bounds() {
    let years = |from, to| DocumentFilter { years: Some(Years { from, to }), ..filter(ADRS) };
    for (query, from, to) in [
        ("Which decisions were dated in 2023?", Some(2023), Some(2023)),
        ("Which decisions did we take in 2023?", Some(2023), Some(2023)),
        ("List all ADRs since 2023", Some(2023), None),
        ("Which ADRs were written after 2020?", Some(2021), None),
        ("Show me decisions from before 2021", None, Some(2020)),
        ("All decisions between 2020 and 2022", Some(2020), Some(2022)),
        ("Welke besluiten zijn in 2023 genomen?", Some(2023), Some(2023)),
        ("Geef alle besluiten vanaf 2023", Some(2023), None),
        ("Welke besluiten zijn genomen voor 2021?", None, Some(2020)),
        ("Welke besluiten dateren van na 2020?", Some(2021), None),
        ("Alle besluiten tussen 2020 en 2022", Some(2020), Some(2022)),
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(years(from, to)), "`{query}`");
    }
}

#[test]
fn people_and_the_librarys_own_statuses_are_filters() {
    let person = |name: &str| DocumentFilter { person: Some(name.to_owned()), ..filter(ADRS) };
    for (query, name) in [
        ("All decisions where @noor-v was involved", "@noor-v"),
        ("Which ADRs were approved by Noor Visscher?", "Noor Visscher"),
        ("List decisions of team Metering", "team Metering"),
        ("Which decisions did Noor Visscher take?", "Noor Visscher"),
        ("Geef alle besluiten waar @noor-v bij betrokken was.", "@noor-v"),
        ("Welke besluiten zijn genomen door Noor Visscher?", "Noor Visscher"),
        ("Welke besluiten heeft Noor Visscher goedgekeurd?", "Noor Visscher"),
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(person(name)), "`{query}`");
    }
    let status = |status: &str| DocumentFilter { statuses: vec![status.to_owned()], ..filter(ADRS) };
    for (query, written) in [
        ("Which ADRs are implemented?", "implemented"),
        ("Which ADRs are not implemented?", "not implemented"),
        ("List all implemented decisions", "implemented"),
        ("Which ADRs were adopted by lazy consensus?", "lazy consensus"),
        ("Welke besluiten zijn geïmplementeerd?", "implemented"),
        ("Welke ADR's zijn nog niet geïmplementeerd?", "not implemented"),
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(status(written)), "`{query}`");
    }
}

#[test]
fn lists_come_in_any_wording() {
    for (query, expected) in [
        ("What are all the principles?", filter(PRINCIPLES)),
        (
            "What are all the security principles?",
            DocumentFilter { about: Some("security".into()), ..filter(PRINCIPLES) },
        ),
        ("rejected ADRs", DocumentFilter { standings: vec![Standing::Rejected], ..filter(ADRS) }),
        ("All ADRs about Kafka", DocumentFilter { about: Some("Kafka".into()), ..filter(ADRS) }),
        ("Everything we decided about Kafka", DocumentFilter { about: Some("Kafka".into()), ..filter(&[]) }),
        (
            "Alles wat we hebben besloten over Kafka",
            DocumentFilter { about: Some("Kafka".into()), ..filter(&[]) },
        ),
        ("Wat zijn alle principes?", filter(PRINCIPLES)),
        ("alle afgewezen besluiten", DocumentFilter { standings: vec![Standing::Rejected], ..filter(ADRS) }),
        (
            "Welke besluiten zijn deprecated?",
            DocumentFilter { standings: vec![Standing::Deprecated], ..filter(ADRS) },
        ),
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(expected), "`{query}`");
    }
    assert_eq!(read("Tell me everything about Kafka"), None, "asks for what they say");
    for query in [
        "How many of our ADRs are still proposed, and which ones?",
        "How many ADRs are proposed and which are they?",
        "Hoeveel van onze besluiten zijn nog voorgesteld, en welke zijn dat?",
    ] {
        let filter = DocumentFilter { standings: vec![Standing::Proposed], ..filter(ADRS) };
        assert_eq!(
            read(query),
            Some(ListQuery { filter, shape: ListShape::CountAndRows, ..ListQuery::default() }),
            "`{query}`"
        );
    }
    for query in
        ["Which ADR covers Kafka?", "Which ADR is about Kafka? Only its id", "Welke ADR gaat over Kafka?"]
    {
        assert_eq!(read(query), None, "`{query}` means one record");
    }
}

#[test]
fn a_noun_that_is_no_kind_may_be_the_name_of_a_folder() {
    let folder = |query: &str, language| {
        ask_after(query, &[], language).list_if_folder.and_then(|list| list.filter.folder)
    };
    for (query, language, noun) in [
        ("Which standards do we have?", Language::EN, Some("standards")),
        ("List all patterns", Language::EN, Some("patterns")),
        ("How many standards are there?", Language::EN, Some("standards")),
        ("Welke standaarden hebben we?", Language::NL, Some("standaarden")),
        ("Which standards should I follow for passwords?", Language::EN, None),
        ("List all ADRs", Language::EN, None),
    ] {
        assert_eq!(folder(query, language).as_deref(), noun, "{query}");
    }
}

fn year(year: i16) -> DocumentFilter {
    DocumentFilter { years: Some(Years::only(year)), ..DocumentFilter::default() }
}

fn months(from: Option<(i16, i8)>, to: Option<(i16, i8)>) -> DocumentFilter {
    let month = |(year, month)| Month { year, month };
    let months = Some(Months { from: from.map(month), to: to.map(month) });
    DocumentFilter { months, ..DocumentFilter::default() }
}

#[test]
fn plurals_with_a_filter_are_lists_in_any_wording() {
    let of = |kinds: &[Kind], rest: DocumentFilter| DocumentFilter { kinds: kinds.to_vec(), ..rest };
    let person = |name: &str| DocumentFilter { person: Some(name.into()), ..DocumentFilter::default() };
    let standing = |standing| DocumentFilter { standings: vec![standing], ..DocumentFilter::default() };
    let ended = || DocumentFilter {
        standings: vec![Standing::Superseded, Standing::Deprecated],
        ..DocumentFilter::default()
    };
    let wrong: Vec<_> = [
        ("everything we settled in 2026 so far, oldest first", year(2026)),
        ("Count the records from August 2022 for me and name each", months(Some((2022, 8)), Some((2022, 8)))),
        ("List ADRs before March 2023", of(ADRS, months(None, Some((2023, 2))))),
        ("Which ADRs were written after December 2021?", of(ADRS, months(Some((2022, 1)), None))),
        (
            "Which decisions were taken between March and June 2022?",
            of(ADRS, months(Some((2022, 3)), Some((2022, 6)))),
        ),
        ("Show all ADRs since Sept 2024, newest first", of(ADRS, months(Some((2024, 9)), None))),
        (
            "What's still hanging? I mean the ADRs that have only been proposed so far.",
            of(ADRS, standing(Standing::Proposed)),
        ),
        ("which of our decisions are no longer in force", of(ADRS, ended())),
        ("List all policies that no longer apply", of(POLICIES, ended())),
        ("Name the ADRs that are not valid anymore", of(ADRS, ended())),
        ("In which ADRs was Tomasz Bielak one of the deciders?", of(ADRS, person("Tomasz Bielak"))),
        ("List the principles Noor Visscher is responsible for", of(PRINCIPLES, person("Noor Visscher"))),
        ("decisions from 2023", of(ADRS, year(2023))),
        ("ADRs that are proposed", of(ADRS, standing(Standing::Proposed))),
        ("I'd like to see all ADRs from 2023 in chronological order", of(ADRS, year(2023))),
        ("Tally up the accepted ADRs", of(ADRS, standing(Standing::InForce))),
        ("Som de principes eens op waar Noor Visscher over gaat", of(PRINCIPLES, person("Noor Visscher"))),
        ("Bij welke ADR's was Tomasz Bielak een van de beslissers?", of(ADRS, person("Tomasz Bielak"))),
        ("hoeveel principes hebben we", filter(PRINCIPLES)),
        (
            "alle besluiten van vóór 2023",
            DocumentFilter { years: Some(Years { from: None, to: Some(2022) }), ..filter(ADRS) },
        ),
        ("Welke besluiten gelden niet meer?", of(ADRS, ended())),
        ("Welke ADR's zijn niet langer van kracht?", of(ADRS, ended())),
        ("Alles wat we in 2026 besloten hebben, oudste eerst", year(2026)),
        ("Geef alle besluiten uit augustus 2022", of(ADRS, months(Some((2022, 8)), Some((2022, 8))))),
        ("Welke besluiten zijn genomen na maart 2023?", of(ADRS, months(Some((2023, 4)), None))),
        ("Tel eens alle besluiten uit 2023 en noem ze allemaal", of(ADRS, year(2023))),
        (
            "Wat loopt er nog? Ik bedoel de besluiten die nog maar voorgesteld zijn",
            of(ADRS, standing(Standing::Proposed)),
        ),
        (
            "Noem even alle principes waarvoor Noor Visscher verantwoordelijk is",
            of(PRINCIPLES, person("Noor Visscher")),
        ),
        ("besluiten uit 2023, nieuwste eerst", of(ADRS, year(2023))),
    ]
    .into_iter()
    .map(|(query, expected)| (query, Some(expected), read(query).map(|list| list.filter)))
    .filter(|(_, expected, read)| expected != read)
    .collect();
    assert!(wrong.is_empty(), "asked for, and read: {wrong:#?}");
}

#[test]
fn an_order_and_the_names_beside_a_count_are_read() {
    use ListOrder::{NewestFirst, OldestFirst};
    for (query, shape, order) in [
        ("everything we settled in 2026 so far, oldest first", ListShape::Rows, Some(OldestFirst)),
        ("List ADRs since 2023 (most recent first)", ListShape::Rows, Some(NewestFirst)),
        ("List all ADRs by date", ListShape::Rows, Some(OldestFirst)),
        ("besluiten uit 2023, nieuwste eerst", ListShape::Rows, Some(NewestFirst)),
        ("Toon alle principes van oud naar nieuw", ListShape::Rows, Some(OldestFirst)),
        ("Count the ADRs from August 2022 for me and name each", ListShape::CountAndRows, None),
        ("How many ADRs are proposed and list them", ListShape::CountAndRows, None),
        ("Hoeveel besluiten zijn voorgesteld en hoe heten ze?", ListShape::CountAndRows, None),
    ] {
        let read = read(query).map(|list| (list.shape, list.order));
        assert_eq!(read, Some((shape, order)), "`{query}`");
    }
}

#[test]
fn what_a_sentence_goes_on_with_is_no_filter() {
    let wrong: Vec<_> = [
        "Decisions made by suppliers must be logged",
        "Policies owned by suppliers must be reviewed",
        "Why do we use Kafka? I mean the ADRs.",
        "In which ADRs is Kafka mentioned as a risk?",
        "Which ADRs require a review in March?",
        "Are decisions from suppliers binding?",
        "List ADRs before 3 March 2022",
        "Alles wat we weten van Kafka",
        "Besluiten die leveranciers nemen moeten vastgelegd worden",
        "Bij welke ADR's was een uitzondering nodig?",
        "Hoeveel principes schendt een leverancier?",
    ]
    .into_iter()
    .filter(|query| read(query).is_some())
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn several_statuses_are_any_of_them_and_what_is_ruled_out_is_none() {
    let any = |standings: &[Standing], statuses: &[&str], excluded: &[Standing]| DocumentFilter {
        standings: standings.to_vec(),
        statuses: statuses.iter().map(|status| (*status).to_owned()).collect(),
        excluded: excluded.to_vec(),
        ..filter(ADRS)
    };
    for (query, expected) in [
        (
            "Which ADRs are rejected or superseded?",
            any(&[Standing::Rejected, Standing::Superseded], &[], &[]),
        ),
        (
            "List the deprecated and rejected decisions",
            any(&[Standing::Deprecated, Standing::Rejected], &[], &[]),
        ),
        ("Which ADRs are proposed or in progress?", any(&[Standing::Proposed], &["in progress"], &[])),
        (
            "Which ADRs were proposed but never accepted?",
            any(&[Standing::Proposed], &[], &[Standing::InForce]),
        ),
        ("Which ADRs are not accepted?", any(&[], &[], &[Standing::InForce])),
        (
            "Which decisions did we reverse or drop?",
            any(&[Standing::Superseded, Standing::Deprecated], &[], &[]),
        ),
        (
            "Welke ADR's zijn afgewezen of vervangen?",
            any(&[Standing::Rejected, Standing::Superseded], &[], &[]),
        ),
        ("Welke ADR's zijn niet goedgekeurd?", any(&[], &[], &[Standing::InForce])),
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(expected), "`{query}`");
    }
}

#[test]
fn so_many_of_the_newest_are_a_list_in_that_order() {
    for (query, limit, order) in [
        ("Give me the five most recent ADRs", 5, ListOrder::NewestFirst),
        ("Show the latest three decisions", 3, ListOrder::NewestFirst),
        ("List the 2 oldest ADRs", 2, ListOrder::OldestFirst),
        ("Toon de drie nieuwste ADR's", 3, ListOrder::NewestFirst),
        ("Geef de laatste 4 besluiten", 4, ListOrder::NewestFirst),
    ] {
        let list = read(query).map(|list| (list.filter, list.limit, list.order));
        assert_eq!(list, Some((filter(ADRS), Some(limit), Some(order))), "`{query}`");
    }
}

#[test]
fn topics_follow_many_verbs() {
    for (query, topic) in [
        ("Which decisions touch on JMAP?", "JMAP"),
        ("Which ADRs have to do with storage?", "storage"),
        ("What ADRs exist around security?", "security"),
        ("Welke besluiten hebben te maken met opslag?", "opslag"),
    ] {
        let about = DocumentFilter { about: Some(topic.to_owned()), ..filter(ADRS) };
        assert_eq!(read(query).map(|list| list.filter), Some(about), "`{query}`");
    }
}

#[test]
fn records_are_listed_from_one_number_to_another() {
    for query in [
        "ADR 20 t/m 25, wat zijn dat allemaal? titel + status",
        "zet adr 20 tot en met 25 eens voor me op een rij, met hun status",
        "ADRs 20 through 25 please",
        "what do ADR-0020 to ADR-0025 decide?",
    ] {
        let range = NumberRange::new(20, 25);
        let expected = DocumentFilter { numbers: range, ..filter(ADRS) };
        assert_eq!(read(query).map(|list| list.filter), Some(expected), "`{query}`");
    }
    for query in [
        "ADR 20 and up, status please",
        "What do we have from ADR 20 on?",
        "alle adr's vanaf adr 20 en hoger",
    ] {
        let expected = DocumentFilter { numbers: Some(NumberRange::onwards(20)), ..filter(ADRS) };
        assert_eq!(read(query).map(|list| list.filter), Some(expected), "`{query}`");
    }
    assert_eq!(read("What follows from ADR 20 on encryption?"), None);
    assert_eq!(read("What do ADR 20 and 25 decide?"), None);
    assert_eq!(read("ADR 25 to 20"), None, "not from the higher to the lower");
}

#[test]
fn a_list_may_be_asked_for_beside_its_names_or_by_its_date_alone() {
    let december = Month { year: 2024, month: 12 };
    let months = |month| Some(Months { from: Some(month), to: Some(month) });
    for (query, expected) in [
        (
            "Were any decisions taken in December 2024? If so, name them.",
            DocumentFilter { months: months(december), ..filter(ADRS) },
        ),
        (
            "Decided in June 2026?",
            DocumentFilter { months: months(Month { year: 2026, month: 6 }), ..filter(&[]) },
        ),
        (
            "Zijn er besluiten die in 2024 zijn genomen? Zo ja, welke?",
            DocumentFilter { years: Some(Years::only(2024)), ..filter(ADRS) },
        ),
        (
            "I need the accepted decisions from 2023 onwards",
            DocumentFilter {
                standings: vec![Standing::InForce],
                years: Some(Years { from: Some(2023), to: None }),
                ..filter(ADRS)
            },
        ),
        (
            "Which of the 2026 decisions are about the data plane?",
            DocumentFilter {
                years: Some(Years::only(2026)),
                about: Some("data plane".to_owned()),
                ..filter(ADRS)
            },
        ),
        (
            "Alle principes die over gegevens gaan: eigenaarschap, betekenis",
            DocumentFilter { about: Some("gegevens".to_owned()), ..filter(PRINCIPLES) },
        ),
        (
            "ADRs that mention Cosmos DB",
            DocumentFilter { about: Some("Cosmos DB".to_owned()), ..filter(ADRS) },
        ),
    ] {
        assert_eq!(read(query).map(|list| list.filter), Some(expected), "`{query}`");
    }
}
