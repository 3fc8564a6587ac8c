use super::*;
use crate::domain::Language;

fn asked(text: &str) -> Vec<String> {
    parts(&Question::read(text, Language::EN)).into_iter().map(|part| part.text).collect()
}

#[test]
fn two_questions_are_told_apart() {
    for (text, first, second) in [
        (
            "Which markdown library do we use and may we still use Dapper for queries?",
            "Which markdown library do we use",
            "may we still use Dapper for queries",
        ),
        (
            "How long are meter readings kept? And who owns the pump register?",
            "How long are meter readings kept",
            "who owns the pump register",
        ),
        (
            "what port does the gateway use + which team runs the broker",
            "what port does the gateway use",
            "which team runs the broker",
        ),
        (
            "Welke database gebruiken we standaard en hoe lang bewaren we meetgegevens?",
            "Welke database gebruiken we standaard",
            "hoe lang bewaren we meetgegevens",
        ),
        (
            "Kun je nagaan welke bibliotheek we gebruiken en of we Dapper nog mogen inzetten?",
            "Kun je nagaan welke bibliotheek we gebruiken",
            "of we Dapper nog mogen inzetten",
        ),
    ] {
        assert_eq!(asked(text), [first, second], "`{text}`");
    }
}

#[test]
fn what_belongs_together_stays_together() {
    for text in [
        "Which database did we choose and why?",
        "Which API contexts are there and which of them stays private?",
        "What did we decide on logging and metrics?",
        "Who approved ADR-12 and when was ADR-14 decided?",
        "Hoe heet het platform en wie beheert het?",
        "What is the retention period of logs?",
        "Which pumps and valves are read every minute?",
        "Which of our policies cover remote maintenance and what are the main rules?",
        "Waar staat iets over back-ups en wat zijn de belangrijkste eisen?",
    ] {
        assert_eq!(asked(text), Vec::<String>::new(), "`{text}`");
    }
}

#[test]
fn the_same_about_several_things_is_asked_about_each() {
    for (text, expected) in [
        (
            "How long does message content live in Lumen, in Quarry and in the kiosk?",
            &[
                "How long does message content live in Lumen?",
                "How long does message content live in Quarry?",
                "How long does message content live in the kiosk?",
            ][..],
        ),
        (
            "What is the largest data loss for ticketing, for the intranet, and for the seat register?",
            &[
                "What is the largest data loss for ticketing?",
                "What is the largest data loss for the intranet?",
                "What is the largest data loss for the seat register?",
            ],
        ),
        (
            "Who signs off changes on the north lock and on the south lock?",
            &["Who signs off changes on the north lock?", "Who signs off changes on the south lock?"],
        ),
        (
            "How are keys in Lumen, in Quarry and in the kiosk stored?",
            &[
                "How are keys in Lumen stored?",
                "How are keys in Quarry stored?",
                "How are keys in the kiosk stored?",
            ],
        ),
        (
            "Which rules for Lumen, for Quarry and for the kiosk are in force, according to the board?",
            &[
                "Which rules for Lumen are in force, according to the board?",
                "Which rules for Quarry are in force, according to the board?",
                "Which rules for the kiosk are in force, according to the board?",
            ],
        ),
        (
            "In Lumen and in Quarry: how often are passwords changed?",
            &["In Lumen: how often are passwords changed?", "in Quarry: how often are passwords changed?"],
        ),
        (
            "Which alarms are raised in Lumen and in Quarry 2.0?",
            &["Which alarms are raised in Lumen?", "Which alarms are raised in Quarry 2.0?"],
        ),
        (
            "Which alarms are raised in Lumen and in Quarry, in short?",
            &["Which alarms are raised in Lumen, in short?", "Which alarms are raised in Quarry, in short?"],
        ),
        (
            "Bij wie moet ik zijn voor een uitzondering: op het sleutelbeleid, op de kraanregels en op open formaten?",
            &[
                "Bij wie moet ik zijn voor een uitzondering: op het sleutelbeleid?",
                "Bij wie moet ik zijn voor een uitzondering: op de kraanregels?",
                "Bij wie moet ik zijn voor een uitzondering: op open formaten?",
            ],
        ),
        (
            "Hoe lang worden metingen in Lumen, in Groeve of in het loket bewaard?",
            &[
                "Hoe lang worden metingen in Lumen bewaard?",
                "Hoe lang worden metingen in Groeve bewaard?",
                "Hoe lang worden metingen in het loket bewaard?",
            ],
        ),
        (
            "Welke eisen gelden voor externe bezoekers en voor vaste bewoners?",
            &["Welke eisen gelden voor externe bezoekers?", "Welke eisen gelden voor vaste bewoners?"],
        ),
        (
            "Wie beheert de sleutels van Lumen en van Groeve?",
            &["Wie beheert de sleutels van Lumen?", "Wie beheert de sleutels van Groeve?"],
        ),
        (
            "Welke sluiting geldt voor de sluis, voor het gemaal en voor de stuw tijdens storm?",
            &[
                "Welke sluiting geldt voor de sluis?",
                "Welke sluiting geldt voor het gemaal?",
                "Welke sluiting geldt voor de stuw tijdens storm?",
            ],
        ),
    ] {
        assert_eq!(asked(text), expected, "`{text}`");
    }
}

#[test]
fn phrases_that_are_one_thing_or_no_row_stay_together() {
    for text in [
        "Which repairs are done by ourselves and by suppliers?",
        "Which cranes work in and outside the harbour?",
        "Who decides for and against a new crane?",
        "Which data is shared between Lumen and Quarry, in Lumen and in Quarry?",
        "Do the same rules apply in Lumen, in Quarry and in the kiosk?",
        "Is the register kept in Lumen or in Quarry?",
        "Which records in Lumen and in Quarry refer to each other?",
        "In our office, in case of fire, who opens the gate?",
        "Which rules hold for me, for you and for them?",
        "What holds for cranes and winches, for ships and for the quay?",
        "Which rules hold for skippers who moor, for pilots who steer and for guests?",
        "Who approved ADR-12 in Lumen and in Quarry?",
        "List the pros and cons of tape in Lumen and in Quarry",
        "Wie beslist voor en na de oplevering van een kraan?",
        "Welke klussen worden door onszelf en door leveranciers gedaan?",
        "Hoe hangen de regels in Lumen en in Groeve met elkaar samen?",
        "Staat het register in Lumen of in Groeve?",
        "Wat geldt op maandag en op zondag?",
        "Welke kranen en lieren staan op de kade?",
    ] {
        assert_eq!(asked(text), Vec::<String>::new(), "`{text}`");
    }
}

#[test]
fn what_is_asked_about_two_sides_is_asked_about_each() {
    for (text, first, second) in [
        (
            "What is the difference between Lumen and Quarry when it comes to backups?",
            "backups Lumen",
            "backups Quarry",
        ),
        ("How large is the difference in price between Lumen and Quarry?", "price Lumen", "price Quarry"),
        ("Lumen vs. the Quarry: yearly cost of each?", "yearly cost Lumen", "yearly cost Quarry"),
        (
            "Lumen versus Quarry, how long are readings kept?",
            "how long are readings kept Lumen",
            "how long are readings kept Quarry",
        ),
        ("recovery time: Lumen versus Quarry", "recovery time Lumen", "recovery time Quarry"),
        (
            "As far as mooring is concerned, what is the difference between tugs and ferries?",
            "mooring tugs",
            "mooring ferries",
        ),
        ("How do Lumen and Quarry differ in uptime?", "uptime Lumen", "uptime Quarry"),
        (
            "How does the lifetime of a badge at the quay differ from that at the lock?",
            "lifetime of a badge at the quay",
            "lifetime of a badge at the lock",
        ),
        (
            "Compare how long a permit may last under the crane rules with one under the dive rules.",
            "how long a permit may last under the crane rules",
            "how long a permit may last under the dive rules",
        ),
        (
            "Is the owner of the register of pumps different from that of the register of locks?",
            "owner of the register of pumps",
            "owner of the register of locks",
        ),
        (
            "retention of sonar images versus depth charts",
            "retention of sonar images",
            "retention of depth charts",
        ),
        (
            "difference between the retention of sonar images and the retention of depth charts",
            "retention of sonar images",
            "retention of depth charts",
        ),
        (
            "Hoe verschilt de geldigheid van een pas op het Kadenet van die op het Sluisnet?",
            "geldigheid van een pas op het Kadenet",
            "geldigheid van een pas op het Sluisnet",
        ),
        (
            "bewaartermijn sonarbeelden tegenover dieptekaarten vd haven, wat is het verschil",
            "bewaartermijn sonarbeelden",
            "bewaartermijn dieptekaarten vd haven",
        ),
        (
            "Verschil tussen klasse K en klasse L als het gaat om waar een kraan mag staan?",
            "waar een kraan mag staan klasse K",
            "waar een kraan mag staan klasse L",
        ),
        (
            "Vergelijk de sleepboot eens met de veerpont: hoe snel ligt die stil?",
            "hoe snel ligt die stil sleepboot",
            "hoe snel ligt die stil veerpont",
        ),
        (
            "verschil in looptijd: pas tussen vaste loketten versus een gewone pas?",
            "looptijd pas tussen vaste loketten",
            "looptijd gewone pas",
        ),
        (
            "passen tussen loketten vs gewone passen: hoe lang geldig en waarom dat verschil?",
            "hoe lang geldig passen tussen loketten",
            "hoe lang geldig gewone passen",
        ),
        (
            "Waarin verschillen sleepboten en veerponten van elkaar qua keuring?",
            "keuring sleepboten",
            "keuring veerponten",
        ),
        (
            "Is de hersteltijd van het loket korter dan die van de kassa?",
            "hersteltijd van het loket",
            "hersteltijd van de kassa",
        ),
    ] {
        assert_eq!(asked(text), [first, second], "`{text}`");
    }
}

#[test]
fn a_difference_alone_and_sides_that_cannot_be_told_stay_together() {
    for text in [
        "What is the difference between a tug and a ferry?",
        "Tug versus ferry, what sets them apart?",
        "tug vs ferry: what can the one do that the other cannot?",
        "Lumen versus Quarry: which is cheaper?",
        "Lumen versus Quarry: do we treat them differently?",
        "What is the difference between ADR-3 and ADR-16 when it comes to backups?",
        "What is the difference between tugs and ferries and pilots when it comes to mooring?",
        "Old versus new approach in the crane register, what changed?",
        "How do we look at building cranes ourselves versus buying them?",
        "What is our position on tape versus disk?",
        "retention policy versus archive policy",
        "How does a badge at the quay differ from one at the lock?",
        "What is the retention of charts in Lumen versus Quarry?",
        "Wat is het verschil tussen een sleepboot en een veerpont?",
        "sleepboot vs veerpont, wat kan de een wat de ander niet kan",
        "Wat is onze houding tegenover schippers: mogen ze aanmeren?",
        "Waarin verschilt de loods van de kraan met magneten, en waarvoor is welke bedoeld?",
        "Verschil tussen de looptijd van een pas en die van een vergunning, en waar komt dat vandaan?",
        "Hoe verschilt een pas op het Kadenet van een op het Sluisnet?",
        "Vergelijk besluit 12 met besluit 14: hoe lang geldt het?",
    ] {
        assert_eq!(asked(text), Vec::<String>::new(), "`{text}`");
    }
}
