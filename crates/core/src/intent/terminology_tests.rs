//! Tests of questions for the meaning of a term.

use super::super::tests::ask_after;
use super::super::{Intent, IntentKind, is_terminology_query, term_readings};
use crate::domain::Language;

fn ask(query: &str) -> Intent {
    ask_after(query, &[], Language::EN)
}

#[test]
fn intent_01_what_is_cimxml() {
    assert_eq!(is_terminology_query("What is CIMXML?").as_deref(), Some("cimxml"));
}

#[test]
fn intent_02_define_voltage_regulation() {
    assert_eq!(is_terminology_query("Define voltage regulation").as_deref(), Some("voltage regulation"));
}

#[test]
fn intent_03_adr_0031() {
    assert_eq!(is_terminology_query("ADR-0031"), None);
    assert!(matches!(ask("ADR-0031").kind, IntentKind::Entity { .. }), "a bare reference is an entity");
}

#[test]
fn intent_04_list_adrs_about_security() {
    assert_eq!(is_terminology_query("List ADRs about security"), None);
}

#[test]
fn intent_05_what_is_the_tls_decision_in_adrs() {
    assert_eq!(is_terminology_query("What is the TLS decision in ADRs?"), None);
    let intent = ask("What is the TLS decision in ADRs?");
    assert_eq!(intent.kind, IntentKind::Semantic);
    assert_eq!(intent.vocabulary_offer.as_deref(), Some("tls"), "the vocabulary is offered as a button");
}

#[test]
fn intent_06_what_should_i_use_for_encryption() {
    assert_eq!(is_terminology_query("What should I use for encryption?"), None);
}

#[test]
fn intent_07_cim_term_transformer() {
    assert_eq!(is_terminology_query("CIM term transformer").as_deref(), Some("transformer"));
}

#[test]
fn a_term_with_a_sign_for_its_meaning_is_asked_for() {
    assert_eq!(is_terminology_query("netopening = ?").as_deref(), Some("netopening"));
    assert_eq!(is_terminology_query("ring main unit =").as_deref(), Some("ring main unit"));
    assert_eq!(is_terminology_query("is 3 = 4?"), None);
}

#[test]
fn the_english_pack_holds_ir3_letter_for_letter() {
    #[derive(serde::Deserialize)]
    struct Terminology {
        exclusions: Vec<String>,
        patterns: Vec<String>,
    }
    #[derive(serde::Deserialize)]
    struct English {
        terminology: Terminology,
    }
    let pack: English = toml::from_str(include_str!("../../../../assets/languages/en/intent.toml")).unwrap();
    assert_eq!(
        pack.terminology.exclusions,
        [
            r"adr[.\-\s]?\d+",
            r"^list\s+",
            r"^show\s+(all|me)",
            r"what\s+(should|can|will)",
            r"(in|from)\s+the\s+\w+\s+(policy|adr|principle)",
            r"(decision|decided)\s+(about|on|for)",
        ]
    );
    assert_eq!(
        pack.terminology.patterns,
        [
            r"^what\s+is\s+(?:a\s+|an\s+|the\s+)?(.+?)\??$",
            r"^define\s+(.+)$",
            r"^(?:meaning|definition)\s+of\s+(.+)$",
            r"^(?:cim|skosmos)\s+term\s+(.+)$",
            r"^explain\s+(?:the\s+)?term\s+(.+)$",
            r"^what\s+does\s+(.+?)\s+mean\??$",
        ]
    );
}

#[test]
fn questions_for_a_meaning_give_their_term() {
    for (query, expected) in [
        ("What is CIM?", "cim"),
        ("what is cim", "cim"),
        ("  WHAT  IS\tCIM ?! ", "cim"),
        ("What is a transformer?", "transformer"),
        ("What is voltage regulation?", "voltage regulation"),
        ("What is the Common Information Model?", "common information model"),
        ("What is IEC 61970?", "iec 61970"),
        ("What is IEC 61850-9-2?", "iec 61850-9-2"),
        ("What is TLS 1.3?", "tls 1.3"),
        ("What is \"balance of plant\"?", "balance of plant"),
        ("What is balance of plant?", "balance of plant"),
        ("What is state of charge?", "state of charge"),
        ("What is the value of lost load?", "value of lost load"),
        ("What is quality of service?", "quality of service"),
        ("What is security of supply?", "security of supply"),
        ("What is the point of common coupling?", "point of common coupling"),
        ("What is a process bus?", "process bus"),
        ("What is the process bus?", "process bus"),
        ("What is decision support?", "decision support"),
        ("What is policy-based access control?", "policy-based access control"),
        ("What is role-based access control?", "role-based access control"),
        ("What is maximum power point tracking?", "maximum power point tracking"),
        ("What is Ohm's law?", "ohm's law"),
        ("What is tap position?", "tap position"),
        ("What is IT?", "it"),
        ("What is an ADR?", "adr"),
        ("What is a policy?", "policy"),
        ("What is an architecture principle?", "architecture principle"),
        ("What is FooBarBaz?", "foobarbaz"),
        ("Define the term", "term"),
        ("Define the transformer.", "transformer"),
        ("Define __TEST_SKOSMOS_TIMEOUT__", "__test_skosmos_timeout__"),
        ("Define TEST_TIMEOUT_TRIGGER", "test_timeout_trigger"),
        ("Meaning of asset management", "asset management"),
        ("Definition of CGMES", "cgmes"),
        ("SKOSMOS term feeder", "feeder"),
        ("Explain the term CGMES", "cgmes"),
        ("Explain term ‘CGMES’", "cgmes"),
        ("What does IEC 61970 mean?", "iec 61970"),
        ("Wat is CIMXML?", "cimxml"),
        ("Wat is een transformator?", "transformator"),
        ("Wat is het gemeenschappelijk informatiemodel?", "gemeenschappelijk informatiemodel"),
        ("Wat is staat van lading?", "staat van lading"),
        ("Wat betekent CGMES?", "cgmes"),
        ("Wat betekent CGMES precies?", "cgmes"),
        ("Wat wordt bedoeld met spanningsregeling?", "spanningsregeling"),
        ("Wat wordt er met spanningsregeling bedoeld?", "spanningsregeling"),
        ("Wat verstaan we onder leveringszekerheid?", "leveringszekerheid"),
        ("Definieer spanningsregeling", "spanningsregeling"),
        ("Definitie van congestie", "congestie"),
        ("Betekenis van het begrip", "begrip"),
        ("CIM-term transformator", "transformator"),
        ("Term transformator", "transformator"),
        ("Leg het begrip congestie uit", "congestie"),
        ("Leg de term congestie uit.", "congestie"),
        ("Wat is een principe?", "principe"),
        ("Wat is inkoopbeleid?", "inkoopbeleid"),
    ] {
        assert_eq!(is_terminology_query(query).as_deref(), Some(expected), "`{query}`");
        let kind = IntentKind::Terminology { term: expected.to_owned() };
        assert_eq!((ask(query).kind, ask(query).confidence), (kind, 0.95), "`{query}`");
    }
}

#[test]
fn questions_to_the_documents_stay_away_from_the_vocabulary() {
    for (query, reason) in [
        ("What is decided about TLS?", "IR3: decision"),
        ("What is decided about TLS versions?", "GS-NEG-003"),
        ("What is in the CIM policy?", "IR3: document"),
        ("Show me the definition of CIM", "IR3: show me"),
        ("What can I use for encryption?", "IR3: advice"),
        ("What is the data retention policy?", "golden set: policy"),
        ("Define the TLS requirements in ADRs", "golden set: requirements"),
        ("What is our approach to integration?", "possessive"),
        ("What is your opinion?", "possessive"),
        ("What is the purpose of the DMZ policy?", "purpose of a document"),
        ("What is the status of event streaming?", "status of"),
        ("What is the difference between CIM and CGMES?", "comparison"),
        ("What is CIM versus CGMES?", "comparison"),
        ("What is the reason for mutual TLS?", "reason"),
        ("What is the best way to exchange grid models?", "advice"),
        ("What is the process for proposing an ADR?", "process"),
        ("What is the approval process for exceptions?", "process with an adjective"),
        ("What is required when a supplier needs access?", "clause"),
        ("What is needed to publish a data set?", "clause"),
        ("What is allowed on OT devices?", "clause"),
        ("What is forbidden?", "participle"),
        ("What is the maximum certificate lifetime?", "value"),
        ("What is the minimum bid?", "value"),
        ("What is the retention period for smart meter data?", "property"),
        ("What is the retention period?", "property"),
        ("What is the rate limit per client?", "property"),
        ("What is the lifetime of access tokens?", "property"),
        ("What is the number of substations?", "property"),
        ("What is the cloud strategy?", "a document by another name"),
        ("What is the role of the historian?", "property"),
        ("What is an advantage of event streaming?", "property after an indefinite article"),
        ("What is CIM used for?", "use"),
        ("What is CIM and why do we use it?", "clause"),
        ("What is the principle of least privilege?", "a principle"),
        ("What is Lichtveld's approach to open data?", "possessive noun"),
        ("What is PCP.39?", "reference"),
        ("What is principle 39?", "reference"),
        ("What is ADR-0012?", "reference"),
        ("What does ADR.0031 decide?", "reference"),
        ("Define the encryption requirements in ADR-0015", "GS-NEG-001"),
        ("Wat is ons beleid voor clouds?", "possessive, Dutch"),
        ("Wat is het bewaarbeleid?", "policy, Dutch compound"),
        ("Wat is het beleid voor het bewaren van data?", "policy, Dutch"),
        ("Wat is het TLS-besluit in de ADR's?", "INTENT-05 in Dutch"),
        ("Definieer de TLS-eisen in de ADR's", "requirements, Dutch"),
        ("Wat is de status van event streaming?", "status, Dutch"),
        ("Wat is het verschil tussen CIM en CGMES?", "comparison, Dutch"),
        ("Wat is de reden voor mutual TLS?", "reason, Dutch"),
        ("Wat is de beste manier om modellen uit te wisselen?", "advice, Dutch"),
        ("Wat is besloten over TLS?", "decision, Dutch"),
        ("Wat is er besloten over TLS?", "decision, Dutch"),
        ("Wat is vereist als een leverancier toegang nodig heeft?", "clause, Dutch"),
        ("Wat is nodig om data te publiceren?", "clause, Dutch"),
        ("Wat is de maximale levensduur van certificaten?", "value, Dutch"),
        ("Wat is de bewaartermijn voor meetgegevens?", "property, Dutch"),
        ("Wat is het doel van de DMZ?", "purpose, Dutch"),
        ("Wat moet ik gebruiken voor encryptie?", "advice, Dutch"),
        ("Wat betekent dat voor ons?", "consequence, Dutch"),
        ("How do we ensure grid stability?", "no pattern"),
        ("What are the interoperability principles?", "no pattern"),
    ] {
        assert_eq!(is_terminology_query(query), None, "`{query}`: {reason}");
        let kind = ask(query).kind;
        assert!(
            matches!(kind, IntentKind::Semantic | IntentKind::Entity { .. }),
            "`{query}`: {reason}, but {kind:?}"
        );
    }
}

#[test]
fn other_wordings_reach_the_same_patterns() {
    for (query, expected) in [
        ("What's CIM?", "cim"),
        ("Hello, what is CIM?", "cim"),
        ("Can you tell me what is CIM?", "cim"),
        ("Please define voltage regulation", "voltage regulation"),
        ("What is meant by congestion?", "congestion"),
        ("What is the definition of congestion?", "congestion"),
        ("What is the exact meaning of CGMES?", "cgmes"),
        ("Wat is de definitie van congestie?", "congestie"),
        ("Wat is precies de betekenis van congestie?", "congestie"),
        ("Hoi, wat is CIM?", "cim"),
        ("Kun je me vertellen wat is congestie?", "congestie"),
        ("What do we mean by a \"priority group\"?", "priority group"),
        ("What does TSO stand for?", "tso"),
        ("How do we define congestion?", "congestion"),
        ("How is congestion defined?", "congestion"),
        ("What does congestion entail?", "congestion"),
        ("What are feeders?", "feeders"),
        ("Can you explain what a feeder is?", "feeder"),
        ("Define congestion in one sentence, please", "congestion"),
        ("What is congestion according to the grid vocabulary?", "congestion"),
        ("What does congestion mean here exactly?", "congestion"),
        ("Wat verstaan wij onder een \"afnemer\"?", "afnemer"),
        ("Wat bedoelen jullie met congestie?", "congestie"),
        ("Wat houdt congestie in?", "congestie"),
        ("Waar staat TSO voor?", "tso"),
        ("Wat betekent congestie volgens het begrippenkader?", "congestie"),
        ("Definieer congestie in één zin.", "congestie"),
        ("Hoe wordt congestie gedefinieerd?", "congestie"),
        ("Wat zijn afnemers?", "afnemers"),
    ] {
        assert_eq!(ask(query).kind, IntentKind::Terminology { term: expected.to_owned() }, "`{query}`");
    }
}

#[test]
fn the_vocabulary_is_offered_only_where_an_exclusion_beyond_ir3_decided() {
    for (query, offer) in [
        ("What is the data retention policy?", Some("data retention")),
        ("Define the TLS requirements in ADRs", Some("tls")),
        ("What is our approach to integration?", Some("integration")),
        ("What is the purpose of the DMZ policy?", Some("dmz")),
        ("What is the retention period for meter data?", Some("meter data")),
        ("What is the maximum certificate lifetime?", Some("certificate lifetime")),
        ("What is the exit plan?", Some("exit plan")),
        ("What is the TLS version we use?", None),
        ("Wat is het doel van de DMZ?", Some("dmz")),
        ("Wat is de bewaartermijn voor meetgegevens?", Some("meetgegevens")),
        ("What is the difference between CIM and CGMES?", None),
        ("What is required when a supplier needs access?", None),
        ("What is decided about TLS?", None),
        ("What is in the CIM policy?", None),
        ("What is PCP.39?", None),
        ("What is CIM?", None),
        ("How do we ensure grid stability?", None),
    ] {
        assert_eq!(ask(query).vocabulary_offer.as_deref(), offer, "`{query}`");
    }
}

#[test]
fn wider_wordings_leave_the_documents_their_questions() {
    for query in [
        "What are our principles?",
        "What are the consequences?",
        "What does the data retention policy entail?",
        "What do we mean by the retention policy?",
        "What is congestion according to the data retention policy?",
        "Wat zijn onze principes?",
        "Wat zijn de gevolgen?",
        "Wat houdt het cloudbeleid in?",
        "Hoe is de beveiliging geregeld?",
    ] {
        assert_eq!(is_terminology_query(query), None, "`{query}`");
    }
}

#[test]
fn a_term_is_read_in_several_ways_as_asked_first() {
    for (asked, expected) in [
        ("feeder", &["feeder"][..]),
        ("feeders", &["feeders", "feeder"]),
        ("batteries", &["batteries", "battery"]),
        ("status", &["status"]),
        ("abbreviation tso", &["abbreviation tso", "tso"]),
        ("node in archimate", &["node in archimate", "node"]),
        ("experimental (as a level)", &["experimental (as a level)", "experimental"]),
        ("principle \"least privilege\"", &["principle \"least privilege\"", "least privilege"]),
    ] {
        assert_eq!(term_readings(asked, Language::EN), expected, "`{asked}`");
    }
    for (asked, one) in [
        ("aansluitingen", "aansluiting"),
        ("begrippen", "begrip"),
        ("systemen", "systeem"),
        ("netverliezen", "netverlies"),
        ("mogelijkheden", "mogelijkheid"),
        ("afnemers", "afnemer"),
        ("elementen", "element"),
    ] {
        assert_eq!(term_readings(asked, Language::NL), [asked, one]);
    }
}

#[test]
fn two_terms_that_are_set_against_each_other() {
    for (query, expected) in [
        ("What is the difference between a feeder and a busbar?", Some(["feeder", "busbar"])),
        ("Feeder vs. busbar", Some(["feeder", "busbar"])),
        ("How does a feeder differ from a busbar?", Some(["feeder", "busbar"])),
        (
            "small connection versus large connection: where is the limit?",
            Some(["small connection", "large connection"]),
        ),
        ("Wat is het verschil tussen distributie en transmissie?", Some(["distributie", "transmissie"])),
        ("Waarin verschilt distributie van transmissie?", Some(["distributie", "transmissie"])),
        ("What is the difference between ADR-0003 and ADR-0016?", None),
        ("What is a feeder?", None),
        ("How do we ensure grid stability?", None),
    ] {
        let compared = ask(query).compared;
        assert_eq!(compared, expected.map(|terms| terms.map(str::to_owned)), "`{query}`");
    }
}

#[test]
fn all_terms_about_something_are_no_term() {
    for (query, topic) in [
        ("Which terms does the vocabulary have about congestion?", Some("congestion")),
        ("What concepts are there on grid losses in our vocabulary?", Some("grid losses")),
        ("Which voltage levels does the vocabulary know?", Some("voltage levels")),
        ("Welke begrippen over flexibiliteit staan er in het begrippenkader?", Some("flexibiliteit")),
        ("Welke soorten aansluitingen kent het begrippenkader?", Some("aansluitingen")),
        ("Which terms of payment apply?", None),
        ("What is congestion according to the vocabulary?", None),
    ] {
        let listed = match ask_after(query, &[], Language::EN).kind {
            IntentKind::Terms { topic } => Some(topic),
            _ => None,
        };
        assert_eq!(listed.as_deref(), topic, "`{query}`");
    }
}

#[test]
fn what_is_left_beside_the_words_that_ask_may_be_a_term() {
    for (query, term) in [
        ("slimme meter definitie", Some("slimme meter")),
        ("explain register to me like i'm five", Some("register")),
        ("Weet jij wat een inkooporder precies is?", Some("inkooporder")),
        ("G-CSC, wat was dat ook alweer", Some("g-csc")),
        ("wat is volgens het begrippenkader een storing", Some("storing")),
        ("What's EHS short for?", Some("ehs")),
        ("How long do we keep backups?", None),
        ("explain ADR 12", None),
    ] {
        assert_eq!(ask(query).term_if_known.as_deref(), term, "`{query}`");
    }
}
