//! Sentences about the sample library's own prose, written without looking at what the grounding makes of them.

use plumbline_core::answer::grounding::{Evidence, Grounding, GroundingRules};
use plumbline_core::domain::Chunk;
use plumbline_core::text::UnitKind;
use plumbline_testkit::documents::{adr, chunk, dutch_policy};

const STREAMING: &str = include_str!("../../../../data/sample/adr/0018-use-event-streaming-for-application-integration.md");
const ACCESSIBILITY: &str = include_str!("../../../../data/sample/policies/toegankelijkheid.md");

const TRUE: [&str; 30] = [
    "Apache Kafka was chosen for event streaming between applications.",
    "By default, events are kept for seven days.",
    "Audit topics keep their events for 30 days.",
    "The retention of events is 7 days by default, and 30 days for audit topics.",
    "The decision replaces ADR.5.",
    "No new flows are built on the ESB from now on.",
    "The ESB will be switched off after the last flow has moved.",
    "Kafka is not meant as an archive.",
    "Schemas are kept in a schema registry and are written in Avro.",
    "Every schema change has to be backward compatible.",
    "The registry refuses changes that are not backward compatible.",
    "Renaming a field is not allowed, but adding a field with a default is.",
    "Consumers move to the new schema first and the producer last.",
    "The waiting time for a new flow had grown to eleven weeks.",
    "A consumer must be able to replay events.",
    "Responsibility for the meaning of a message goes back to the application that produces it.",
    "An incompatible change gets a new topic with the next major version.",
    "Business rules had ended up in mapping scripts that only the integration team can read.",
    "Alle diensten binnen de reikwijdte moeten voldoen aan WCAG 2.2 niveau AA.",
    "Een klacht over toegankelijkheid moet binnen tien werkdagen inhoudelijk worden beantwoord.",
    "Een ontvangstbevestiging telt daarbij niet mee.",
    "De toegankelijkheidsverklaring wordt elk jaar vernieuwd op basis van een nieuw onderzoek.",
    "Kleur mag nooit de enige aanduiding van een storing zijn.",
    "Teksten voor huishoudens worden op taalniveau B1 geschreven.",
    "Gescande brieven worden niet verstuurd.",
    "Bij inkoop geldt WCAG 2.2 AA als knock-outeis.",
    "Eline de Wit is eigenaar van het beleid.",
    "De automatische controle vervangt de handmatige controle niet.",
    "Voor een blokkade in een storings- of noodproces is er binnen 2 werkdagen een noodoplossing.",
    "Een uitzondering duurt hooguit twaalf maanden.",
];

const FALSE: [&str; 26] = [
    "Apache Pulsar was chosen for event streaming between applications.",
    "By default, events are kept for 30 days.",
    "Audit topics keep their events for 7 days.",
    "Audit topics keep their events for 90 days.",
    "The decision replaces ADR.12.",
    "New flows may still be built on the ESB.",
    "Kafka is an archive of what has happened.",
    "Schemas are written in Protobuf and kept in a schema registry.",
    "Schema changes need not be backward compatible.",
    "Renaming a field is allowed.",
    "Producers move to the new schema first and consumers last.",
    "The waiting time for a new flow has grown to twelve weeks.",
    "The ESB is switched off on 1 January 2025.",
    "Joris Hendrikx wrote the schema registry.",
    "The ESB will be replaced by RabbitMQ queues.",
    "See https://kafka.example.com for the schema registry.",
    "Alle diensten binnen de reikwijdte moeten voldoen aan WCAG 2.1 niveau AA.",
    "Een klacht over toegankelijkheid wordt binnen 20 werkdagen beantwoord.",
    "Een klacht over toegankelijkheid wordt niet binnen 10 werkdagen beantwoord.",
    "Een ontvangstbevestiging telt wel mee.",
    "Marit Veenstra is eigenaar van het beleid.",
    "Teksten voor huishoudens worden op taalniveau C1 geschreven.",
    "De automatische controle vervangt de handmatige controle.",
    "Voor een blokkade in een noodproces is er binnen 10 werkdagen een noodoplossing.",
    "Een uitzondering duurt hooguit 24 maanden.",
    "De storingskaart heeft nooit een lijst in tekst.",
];

fn sections(text: &str) -> Vec<(String, String)> {
    text.split("\n## ")
        .skip(1)
        .filter_map(|section| section.split_once('\n'))
        .map(|(heading, body)| (heading.trim().to_owned(), body.trim().to_owned()))
        .collect()
}

fn passages() -> Vec<Chunk> {
    let streaming = adr(18, "Use event streaming for application integration");
    let accessibility = dutch_policy("toegankelijkheid", "Toegankelijkheid");
    let chunks = |document, text| {
        sections(text).into_iter().enumerate().map(move |(at, (heading, body))| chunk(document, at as u32, &[&heading], &body)).collect::<Vec<_>>()
    };
    let mut all = chunks(&streaming, STREAMING);
    all.extend(chunks(&accessibility, ACCESSIBILITY));
    all
}

#[test]
fn sentences_about_real_prose() {
    let chunks = passages();
    let evidence = Evidence::new(&chunks.iter().collect::<Vec<_>>(), GroundingRules::default());
    let is_kept = |text: &&&str| match evidence.check(UnitKind::Sentence, text, &[]) {
        Grounding::Kept { .. } => true,
        Grounding::Withheld { label, detail } => {
            println!("    withheld {label:?} {detail:?}: {text}");
            false
        }
    };
    let kept = TRUE.iter().filter(is_kept).count();
    println!("  of the lies:");
    let shown: Vec<&&str> = FALSE.iter().filter(is_kept).collect();
    println!("sample prose: {kept} of {} true sentences kept, {} of {} lies shown: {shown:#?}", TRUE.len(), shown.len(), FALSE.len());
}
