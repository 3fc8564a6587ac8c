use super::super::wish::Shape;
use crate::domain::Language;
use crate::intent::Question;

/// Questions for the id or the name of one record.
const ENGLISH: &[(&str, Shape)] = &[
    ("What's the number of the record that picks a protocol for telemetry? Nothing else.", Shape::Identifier),
    ("which principle tells us to encrypt backups - id is enough", Shape::Identifier),
    ("Which ADR chose Kafka? Just the id.", Shape::Identifier),
    ("Which decision covers caching? The number will do.", Shape::Identifier),
    ("ID only: which record bans shared accounts", Shape::Identifier),
    ("Which policy governs laptops, no explanation please", Shape::Identifier),
    ("Name the ADR that picks Kafka, nothing more.", Shape::Identifier),
    ("I just need the number of the decision about event retention", Shape::Identifier),
    ("Give me nothing but the id of the principle on loose coupling", Shape::Identifier),
    ("No prose: in which ADR did we drop SOAP?", Shape::Identifier),
    ("Under which principle do backups fall? That's all I need.", Shape::Identifier),
    ("Which of our principles forbids shared accounts? I don't need the rest.", Shape::Identifier),
    ("What is the id of the caching decision?", Shape::Identifier),
    ("what's the ADR number for the decision that introduced OAuth", Shape::Identifier),
    ("Where did we pick PostgreSQL? Only the id, please.", Shape::Identifier),
    ("only the name of the record that wraps legacy services, nothing else", Shape::Name),
    ("Reply with the record's date and slug, no prose. Which one deprecates the cache?", Shape::Name),
    ("What is the title of the record where we chose Kafka?", Shape::Name),
    ("Which principle is about open data? Title only.", Shape::Name),
    ("Which ADR picks Kafka? Just its number and title.", Shape::Name),
    ("Please tell me the name of the policy that covers visitors", Shape::Name),
    ("Answer with only the file name: which record retires SOAP?", Shape::Name),
];

const DUTCH: &[(&str, Shape)] = &[
    ("Welk besluit kiest een protocol? Enkel het id.", Shape::Identifier),
    ("nummer van het principe over losse koppelingen - meer hoef ik niet", Shape::Identifier),
    ("Welke ADR gaat over caching? Alleen het nummer graag.", Shape::Identifier),
    ("Welk principe verbiedt gedeelde accounts? Verder niets.", Shape::Identifier),
    ("Welk besluit schaft SOAP af? Het nummer volstaat.", Shape::Identifier),
    ("In welk besluit kozen we Kafka? Geen uitleg.", Shape::Identifier),
    ("Wat is het nummer van het besluit waarin we Kafka kozen?", Shape::Identifier),
    ("Geef me slechts het id van de ADR over tokens", Shape::Identifier),
    ("Zonder toelichting: welk beleidsstuk regelt laptops?", Shape::Identifier),
    ("Welk principe geldt voor back-ups, aan het nummer heb ik genoeg", Shape::Identifier),
    ("Noem de ADR die Kafka kiest, meer niet", Shape::Identifier),
    ("ADR-nummer is genoeg: welk besluit voert OAuth in", Shape::Identifier),
    ("Antwoord alleen met het kenmerk. Welk besluit vervangt SOAP?", Shape::Identifier),
    ("Welk besluit gaat over opslag? Uitleg hoeft niet.", Shape::Identifier),
    ("Alleen de naam van het besluit dat oude diensten inpakt, niets anders", Shape::Name),
    ("Hoe heet het principe dat gaat over open data?", Shape::Name),
    ("Wat is de titel van het besluit over tokens?", Shape::Name),
    ("Welke ADR kiest Kafka? Alleen nummer en titel.", Shape::Name),
    ("Welk beleid geldt voor bezoekers? De naam is voldoende.", Shape::Name),
];

#[test]
fn the_id_or_the_name_alone_is_wished_for_in_any_wording() {
    let all = [(ENGLISH, Language::EN), (DUTCH, Language::NL)];
    let asked = all.into_iter().flat_map(|(table, language)| table.iter().map(move |row| (row, language)));
    let wrong: Vec<_> = asked
        .map(|((question, shape), language)| (question, shape, Question::read(question, language).wish.shape))
        .filter(|(_, shape, read)| *shape != read)
        .collect();
    assert!(wrong.is_empty(), "wished for, and read: {wrong:#?}");
}

#[test]
fn what_asks_for_more_or_for_another_number_wishes_for_no_id() {
    let wrong: Vec<_> = [
        ("Which ADR chose Kafka and why?", Language::EN),
        ("Which principle covers caching?", Language::EN),
        ("What is the number of records we keep?", Language::EN),
        ("Tell me only the number of days that logs are kept", Language::EN),
        ("What is the name of the policy owner?", Language::EN),
        ("What is the title of the decision maker?", Language::EN),
        ("What is the name of the service the policy requires?", Language::EN),
        ("Where do we store the id of the record?", Language::EN),
        ("Which ADR says that we log nothing else?", Language::EN),
        ("Must the name of the record that changed be logged?", Language::EN),
        ("How do I choose the title of an ADR?", Language::EN),
        ("Are only numbers allowed in a username?", Language::EN),
        ("What is the number of the ADR that picks Kafka and who approved it?", Language::EN),
        ("Welke ADR kiest Kafka en waarom?", Language::NL),
        ("Wat is het nummer van de meter die we uitlezen?", Language::NL),
        ("Hoe heet de beheerder van het beleid?", Language::NL),
        ("Mag een gebruikersnaam alleen nummers bevatten?", Language::NL),
        ("Welk principe zegt dat we niets anders bewaren?", Language::NL),
        ("Hoe kies ik de titel van een besluit?", Language::NL),
        ("Waar bewaren we het id van het record?", Language::NL),
    ]
    .into_iter()
    .filter(|(question, language)| Question::read(question, *language).wish.shape != Shape::Free)
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_words_of_the_wish_are_no_subject() {
    for (question, language, subject) in [
        (
            "What's the number of the record that picks a protocol? Nothing else.",
            Language::EN,
            &["picks", "protocol"][..],
        ),
        ("which principle tells us to encrypt backups - id is enough", Language::EN, &["encrypt", "backups"]),
        ("What is the id of the event caching decision?", Language::EN, &["event", "caching"]),
        (
            "nummer van het principe over losse koppelingen - meer hoef ik niet",
            Language::NL,
            &["losse", "koppelingen"],
        ),
        ("Welk principe zegt dat we versleutelen? Zonder toelichting.", Language::NL, &["versleutelen"]),
    ] {
        assert_eq!(Question::read(question, language).words, subject, "{question}");
    }
}
