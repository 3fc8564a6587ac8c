use super::super::wish::Shape;
use crate::domain::Language;
use crate::intent::Question;
use crate::text::aspect_wished;

fn shape(question: &str, language: Language) -> Shape {
    Question::read(question, language).wish.shape
}

#[test]
fn headings_are_wished_for_in_any_wording() {
    let (en, nl) = (Language::EN, Language::NL);
    let wrong: Vec<_> = [
        (
            "ADR 31 please, split up under Problem / Choice / Downsides",
            en,
            &["Problem", "Choice", "Downsides"][..],
        ),
        (
            "EDR cache deprecation please, laid out under Motive / Plan / Rejected options",
            en,
            &["Motive", "Plan", "Rejected options"],
        ),
        (
            "I want it split: Advantages on one side, Limitations on the other",
            en,
            &["Advantages", "Limitations"],
        ),
        (
            "Summarise ADR 4 using the headings Problem, Decision and Consequences.",
            en,
            &["Problem", "Decision", "Consequences"],
        ),
        (
            "ADR 4 under the following headings: Reasons; Outcome; Next steps, please",
            en,
            &["Reasons", "Outcome", "Next steps"],
        ),
        ("Summarise ADR 4: context, decision, effects", en, &["context", "decision", "effects"]),
        (
            "Give me ADR 4 organised into Background + Verdict + Drawbacks",
            en,
            &["Background", "Verdict", "Drawbacks"],
        ),
        ("ADR 4 broken down by problem, solution and trade-offs", en, &["problem", "solution", "trade-offs"]),
        ("Show ADR 4 in two columns: upsides and shortcomings", en, &["upsides", "shortcomings"]),
        ("Outline ADR 4, divided into Situation / Approach / Costs", en, &["Situation", "Approach", "Costs"]),
        (
            "Zet ADR.36 voor me op een rij met de kopjes Aanleiding, Voorstel, Gevolgen",
            nl,
            &["Aanleiding", "Voorstel", "Gevolgen"],
        ),
        ("Vat ADR 4 samen onder de kopjes Aanleiding en Besluit", nl, &["Aanleiding", "Besluit"]),
        ("ADR 4 graag, opgesplitst in Probleem / Keuze / Nadelen", nl, &["Probleem", "Keuze", "Nadelen"]),
        ("Beschrijf ADR 4: situatie, besluit, vervolg", nl, &["situatie", "besluit", "vervolg"]),
        (
            "ADR 4 verdeeld over twee lijstjes: pluspunten en minpunten graag",
            nl,
            &["pluspunten", "minpunten"],
        ),
        (
            "Geef ADR 4 onder Motief + Aanpak + Afgewezen opties",
            nl,
            &["Motief", "Aanpak", "Afgewezen opties"],
        ),
        ("ADR 4 met als kopjes: Vraag; Antwoord; Bezwaren", nl, &["Vraag", "Antwoord", "Bezwaren"]),
        (
            "Splits ADR 4 op in: voordelen aan de ene kant, beperkingen aan de andere",
            nl,
            &["voordelen", "beperkingen"],
        ),
        (
            "Schets ADR 4, ingedeeld naar achtergrond, oplossing en risico's",
            nl,
            &["achtergrond", "oplossing", "risico's"],
        ),
        ("ADR 4 in drie blokken: waarom, wat we doen, effecten", nl, &["waarom", "wat we doen", "effecten"]),
    ]
    .into_iter()
    .map(|(question, language, names)| {
        let expected = Shape::Headings(names.iter().map(|name| (*name).to_owned()).collect());
        (question, expected, shape(question, language))
    })
    .filter(|(_, expected, read)| expected != read)
    .collect();
    assert!(wrong.is_empty(), "wished for, and read: {wrong:#?}");
}

#[test]
fn both_sides_are_wished_for_in_any_wording() {
    for (question, language) in [
        ("What speaks for and what against option 2 of ADR 4?", Language::EN),
        ("List the upsides and downsides of option 2", Language::EN),
        ("Twee lijstjes graag: wat spreekt voor en wat spreekt tegen optie 2 uit ADR 4", Language::NL),
        ("Wat pleit voor en wat tegen caching?", Language::NL),
    ] {
        assert_eq!(shape(question, language), Shape::ForAndAgainst, "{question}");
    }
}

#[test]
fn a_row_of_other_things_is_no_row_of_headings() {
    let wrong: Vec<_> = [
        ("What is allowed under GDPR / AVG?", Language::EN),
        ("Quick question: which queues and topics do we use?", Language::EN),
        ("Which data is split between Amsterdam / Rotterdam?", Language::EN),
        ("Compare these lists: Kafka, RabbitMQ and Pulsar", Language::EN),
        ("What are the consequences and alternatives of ADR 4?", Language::EN),
        ("Wat valt onder NIS2 / AVG?", Language::NL),
        ("Korte vraag: welke wachtrijen en topics gebruiken we?", Language::NL),
        ("Hoe zijn de rollen verdeeld over Amsterdam / Utrecht?", Language::NL),
    ]
    .into_iter()
    .filter(|(question, language)| shape(question, *language) != Shape::Free)
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_heading_stands_for_a_part_of_a_record() {
    for (aspect, language, headings) in [
        (
            "decision",
            Language::EN,
            &["Choice", "Plan", "Proposal", "Solution", "Verdict", "Approach", "What we decided"][..],
        ),
        ("context", Language::EN, &["Problem", "Situation", "Background", "Trigger", "Issue"]),
        ("rationale", Language::EN, &["Motive", "Reasons", "Why", "Grounds", "Justification"]),
        (
            "alternatives",
            Language::EN,
            &["Rejected options", "Alternatives", "Discarded ideas", "Other choices"],
        ),
        ("for", Language::EN, &["Advantages", "Upsides", "Benefits", "Pros", "Gains"]),
        (
            "against",
            Language::EN,
            &["Downsides", "Limitations", "Cons", "Costs", "Shortcomings", "Drawbacks"],
        ),
        ("consequences", Language::EN, &["Effects", "Next steps", "Impact", "Implications"]),
        ("decision", Language::NL, &["Voorstel", "Keuze", "Oplossing", "Aanpak", "Plan", "Conclusie"]),
        ("context", Language::NL, &["Aanleiding", "Probleem", "Situatie", "Achtergrond", "Vraagstuk"]),
        ("rationale", Language::NL, &["Motief", "Waarom", "Redenen", "Overwegingen", "Beweegredenen"]),
        (
            "alternatives",
            Language::NL,
            &["Afgewezen opties", "Alternatieven", "Verworpen ideeën", "Andere keuzes"],
        ),
        ("for", Language::NL, &["Voordelen", "Pluspunten", "Baten", "Winst"]),
        (
            "against",
            Language::NL,
            &["Nadelen", "Beperkingen", "Bezwaren", "Keerzijde", "Kosten", "Minpunten"],
        ),
        ("consequences", Language::NL, &["Gevolgen", "Effecten", "Vervolg", "Consequenties"]),
    ] {
        for heading in headings {
            assert_eq!(aspect_wished(heading, language), Some(aspect), "{heading}");
        }
    }
}
