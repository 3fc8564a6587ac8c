//! Sentences about the sample library's own prose, the lies made of its own words.
//!
//! Each set was written before it was first held against the passages, and what failed was then mended. At first sight the
//! three sets gave 27 of 30, 29 of 30 and 24 of 25 true sentences kept, and 4 of 26, 6 of 26 and 13 of 25 lies shown: what
//! to expect of prose the grounding has not met. Every lie shown used numbers and names that the passage does hold.

use std::sync::Arc;

use plumbline_core::answer::grounding::{CitedPassages, Grounding, GroundingRules};
use plumbline_core::domain::{Chunk, Document};
use plumbline_core::text::UnitKind;
use plumbline_testkit::documents::{adr, chunk, dutch_policy, policy};

const STREAMING: &str =
    include_str!("../../../../data/sample/adr/0018-use-event-streaming-for-application-integration.md");
const ACCESSIBILITY: &str = include_str!("../../../../data/sample/policies/toegankelijkheid.md");

const RETENTION: &str = include_str!("../../../../data/sample/policies/data-retention.md");
const ENCRYPTION: &str =
    include_str!("../../../../data/sample/adr/0015-encrypt-data-at-rest-and-in-transit.md");

const INCIDENTS: &str = include_str!("../../../../data/sample/policies/incident-response.md");

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

const TRUE_AGAIN: [&str; 30] = [
    "Smart-meter quarter-hour values are kept for three years and then anonymised.",
    "After 3 years the quarter-hour values are anonymised.",
    "Call recordings must be deleted after 90 days.",
    "Application logs are retained for 180 days, whereas security logs are retained for a year.",
    "Security logs are kept for 12 months.",
    "Quarter-hour values may only be collected if the customer has given a mandate.",
    "Collection stops as soon as the mandate is withdrawn.",
    "Monthly readings are stored for seven years since invoices rest on them.",
    "SCADA raw values are kept for 13 months.",
    "The 15-minute aggregates remain for 10 years.",
    "A hashed EAN code still counts as an EAN code.",
    "A litigation hold suspends deletion.",
    "Legal Affairs places a hold in writing and names the data sets.",
    "A hold on everything is refused.",
    "When a hold is lifted, the suspended deletions are run within ten working days.",
    "Noor Visscher owns the policy and the hold register.",
    "Ruth Adeyemi judges anonymisation methods before they are first used.",
    "After restoring a backup, the deletion log is replayed before users get access again.",
    "Personal data should not be written to an application log.",
    "An anonymised aggregate covers at least ten connections.",
    "All stored data is encrypted using AES-256.",
    "Keys live in a hardware security module and are rotated each year.",
    "Encryption keys are rotated every 12 months.",
    "Backups use separate keys.",
    "Data in transit uses TLS 1.3.",
    "A key that may be known is replaced immediately, regardless of its age.",
    "Destroying a key counts as destroying the data.",
    "Production keys cannot decrypt a backup.",
    "Field devices that cannot encrypt their memory are exempt as long as they hold no personal data.",
    "Data keys only leave the HSM in wrapped form.",
];

const FALSE_AGAIN: [&str; 26] = [
    "Smart-meter quarter-hour values are kept for 7 years.",
    "Monthly readings are kept for 3 years.",
    "Call recordings are kept for 180 days.",
    "Application logs are kept for 12 months.",
    "Security logs are kept for 90 days.",
    "Quarter-hour values may be collected without a mandate.",
    "A hashed EAN code is no longer an EAN code.",
    "A litigation hold does not suspend deletion.",
    "A hold on everything is granted.",
    "Ruth Adeyemi owns the policy and the hold register.",
    "Noor Visscher judges anonymisation methods before first use.",
    "The incident coordinator lifts every hold after 30 working days.",
    "SCADA raw values are kept for 10 years.",
    "The 15-minute aggregates stay for 13 months.",
    "Manual clean-up days are a control.",
    "Personal data belongs in an application log.",
    "All stored data is encrypted with AES-128.",
    "Keys are rotated every 24 months.",
    "Keys are kept in software and are never rotated.",
    "Backups are encrypted with the production keys.",
    "Data in transit need not be encrypted.",
    "Production keys can decrypt a backup.",
    "ADR.16 requires TLS 1.3 for data in transit.",
    "Destroying the key does not count as destroying the data.",
    "Field devices must encrypt their memory with AES-256 before 2028.",
    "Data keys may leave the HSM unwrapped.",
];

const TRUE_AT_LAST: [&str; 25] = [
    "In a severity 1 incident the duty officer has to call the crisis team within fifteen minutes.",
    "If there is doubt between severity 1 and 2, it is treated as 1.",
    "The shift leader may close the demilitarised zone without asking anyone.",
    "Reconnecting requires a decision by the crisis team.",
    "All supplier sessions are ended at severity 1.",
    "Evidence comes before repair unless supply or safety is at stake.",
    "The rebuild of DMZ hosts every 90 days is stopped for hosts under investigation.",
    "The crisis team uses emergency telephones because mail and chat may be read.",
    "No ransom is paid unless the board of directors decides so with the police present.",
    "Every action is recorded in the scribe's log with time and name.",
    "The regulator gets an early warning within 24 hours.",
    "A notification follows within 72 hours.",
    "The final report is due within one month of the notification.",
    "The incident coordinator writes the report.",
    "The chair of the crisis team releases the report.",
    "Tomas Lindqvist chairs the crisis team.",
    "Marit Veenstra is the deputy chair.",
    "Sander Kuipers is the incident coordinator.",
    "Ruth Adeyemi is called when personal data may be involved.",
    "The crisis team has six seats that are always called.",
    "A cable fault is not a security incident.",
    "Nobody is blamed for a false alarm.",
    "The privacy officer handles the data-breach notification in parallel.",
    "Severity 3 means that one workstation or application is affected and contained.",
    "A weekend does not stop the clock for reporting.",
];

const FALSE_AT_LAST: [&str; 25] = [
    "In a severity 1 incident the duty officer calls the crisis team within 1 hour.",
    "The regulator receives an early warning within 72 hours.",
    "The regulator receives a notification within 24 hours.",
    "The final report follows within two months of the notification.",
    "The shift leader must ask the crisis team before closing the demilitarised zone.",
    "The shift leader may not close the demilitarised zone.",
    "Supplier sessions continue at severity 1.",
    "Repair comes before evidence.",
    "Ransom is paid on the decision of the incident coordinator.",
    "Marit Veenstra chairs the crisis team.",
    "Tomas Lindqvist is the deputy chair.",
    "Ruth Adeyemi is always called.",
    "Bram Oosterhuis is the incident coordinator.",
    "The chair of the crisis team writes the report and the incident coordinator releases it.",
    "A weekend stops the clock.",
    "The crisis team has nine seats that are always called.",
    "A cable fault is a security incident.",
    "Severity 2 is handled by the security desk on the same working day.",
    "The 30-day rebuild of DMZ hosts is stopped for any host under investigation.",
    "The crisis team uses mail and chat.",
    "The privacy officer waits until the regulator has been notified.",
    "Everybody is blamed for a false alarm.",
    "ADR.32 separates OT and IT networks.",
    "Hanneke Prins is called when customers notice.",
    "Severity 4 incidents are led by the crisis team.",
];

fn sections(text: &str) -> Vec<(String, String)> {
    text.split("\n## ")
        .skip(1)
        .filter_map(|section| section.split_once('\n'))
        .map(|(heading, body)| (heading.trim().to_owned(), body.trim().to_owned()))
        .collect()
}

fn chunks(document: &Arc<Document>, text: &str) -> Vec<Chunk> {
    let sections = sections(text).into_iter().enumerate();
    sections.map(|(at, (heading, body))| chunk(document, at as u32, &[&heading], &body)).collect()
}

/// How many true sentences are kept and how many lies are shown.
fn judge(name: &str, chunks: &[Chunk], truths: &[&str], lies: &[&str]) -> (usize, usize) {
    let passages = CitedPassages::new(&chunks.iter().collect::<Vec<_>>(), GroundingRules::default());
    let is_kept =
        |text: &str| matches!(passages.check(UnitKind::Sentence, text, &[]), Grounding::Kept { .. });
    let lost: Vec<_> = truths
        .iter()
        .filter(|text| !is_kept(text))
        .map(|text| (text, passages.check(UnitKind::Sentence, text, &[])))
        .collect();
    let shown: Vec<&&str> = lies.iter().filter(|text| is_kept(text)).collect();
    println!(
        "sample prose, {name}: {} of {} true sentences kept, {} of {} lies shown\n    lost {lost:#?}\n    shown {shown:#?}",
        truths.len() - lost.len(),
        truths.len(),
        shown.len(),
        lies.len()
    );
    (truths.len() - lost.len(), shown.len())
}

#[test]
fn sentences_about_real_prose() {
    let mut first = chunks(&adr(18, "Use event streaming for application integration"), STREAMING);
    first.extend(chunks(&dutch_policy("toegankelijkheid", "Toegankelijkheid"), ACCESSIBILITY));
    let mut second = chunks(&policy("data-retention", "Data retention"), RETENTION);
    second.extend(chunks(&adr(15, "Encrypt data at rest and in transit"), ENCRYPTION));
    let third = chunks(&policy("incident-response", "Incident response"), INCIDENTS);

    let (kept, shown) = judge("first set", &first, &TRUE, &FALSE);
    assert!(kept >= 30 && shown <= 1, "{kept} kept, {shown} lies");
    let (kept, shown) = judge("second set", &second, &TRUE_AGAIN, &FALSE_AGAIN);
    assert!(kept >= 29 && shown == 0, "{kept} kept, {shown} lies");
    let (kept, shown) = judge("third set", &third, &TRUE_AT_LAST, &FALSE_AT_LAST);
    assert!(kept >= 24 && shown <= 5, "{kept} kept, {shown} lies");
}
