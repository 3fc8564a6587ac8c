use crate::facts::{Anchor, Template};

pub(crate) const DUTCH: [Template; 13] = [
    Template {
        anchor: Anchor::Number,
        source: "{system} bewaart {thing} gedurende {n} {unit}.",
        paraphrases: &[
            "{thing} worden in {system} {n} {unit} bewaard.",
            "De bewaartermijn van {thing} in {system} is {w} {unit}.",
            "In {system} blijven {thing} {w} {unit} bewaard.",
            "Gedurende {n} {unit} bewaart {system} de {thing}.",
        ],
        opposites: &[
            "{system} bewaart {thing} niet gedurende {n} {unit}.",
            "{thing} worden in {system} nooit {n} {unit} bewaard.",
        ],
    },
    Template {
        anchor: Anchor::Date,
        source: "{system} moet voor {date} naar {target} worden gemigreerd.",
        paraphrases: &[
            "Voor {long} moet {system} naar {target} gemigreerd zijn.",
            "De migratie van {system} naar {target} moet voor {other} klaar zijn.",
            "{system} dient voor {long} te migreren naar {target}.",
        ],
        opposites: &[
            "{system} hoeft niet voor {date} naar {target} te worden gemigreerd.",
            "{system} mag nooit naar {target} worden gemigreerd.",
        ],
    },
    Template {
        anchor: Anchor::Person,
        source: "Op {date} heeft {person} de uitzondering voor {thing} in {system} goedgekeurd.",
        paraphrases: &[
            "De uitzondering voor {thing} in {system} is op {long} door {person} goedgekeurd.",
            "{person} keurde op {other} de uitzondering voor {thing} in {system} goed.",
            "De goedkeuring van de uitzondering voor {thing} in {system} kwam van {person}.",
        ],
        opposites: &[
            "{person} heeft de uitzondering voor {thing} in {system} niet goedgekeurd.",
            "Op {long} heeft {person} de uitzondering voor {thing} in {system} afgekeurd.",
        ],
    },
    Template {
        anchor: Anchor::Number,
        source: "De API van {system} accepteert voor {thing} hoogstens {n} verzoeken per minuut.",
        paraphrases: &[
            "Voor {thing} accepteert de API van {system} maximaal {n} verzoeken per minuut.",
            "Hoogstens {w} verzoeken per minuut worden door de API van {system} geaccepteerd voor {thing}.",
            "De API van {system} neemt voor {thing} niet meer dan {n} verzoeken per minuut aan.",
        ],
        opposites: &["De API van {system} accepteert voor {thing} geen {n} verzoeken per minuut."],
    },
    Template {
        anchor: Anchor::Code,
        source: "Alle verbindingen die {thing} naar {system} brengen gebruiken {code}.",
        paraphrases: &[
            "{code} wordt gebruikt voor elke verbinding die {thing} naar {system} brengt.",
            "Verbindingen met {thing} naar {system} moeten {code} gebruiken.",
            "Voor alle verbindingen die {thing} naar {system} brengen is {code} verplicht.",
        ],
        opposites: &["Verbindingen die {thing} naar {system} brengen gebruiken geen {code}."],
    },
    Template {
        anchor: Anchor::Id,
        source: "{adr} vervangt {older} en geldt voor {thing} in {system}.",
        paraphrases: &[
            "{older} is vervangen door {adr}, dat geldt voor {thing} in {system}.",
            "Voor {thing} in {system} geldt {adr}; dat vervangt {older}.",
            "{adr} komt in de plaats van {older} en is van toepassing op {thing} in {system}.",
        ],
        opposites: &["{adr} vervangt {older} niet voor {thing} in {system}."],
    },
    Template {
        anchor: Anchor::Plain,
        source: "Het team {team} is eigenaar van {system} en de {thing}.",
        paraphrases: &[
            "{system} en de {thing} zijn eigendom van het team {team}.",
            "De eigenaar van {system} en de {thing} is het team {team}.",
            "Team {team} is verantwoordelijk voor {system} en de {thing}.",
        ],
        opposites: &["Het team {team} is geen eigenaar van {system} en de {thing}."],
    },
    Template {
        anchor: Anchor::Number,
        source: "Het verwerken van {thing} in {system} kost € {n} per maand.",
        paraphrases: &[
            "Per maand kost het verwerken van {thing} in {system} {n} euro.",
            "De verwerking van {thing} in {system} kost maandelijks €{n}.",
            "{system} kost {w} euro per maand voor de verwerking van {thing}.",
        ],
        opposites: &["Het verwerken van {thing} in {system} kost geen € {n} per maand."],
    },
    Template {
        anchor: Anchor::Quote,
        source: "Over {thing} in {system} schreef de raad: \"{quote}\".",
        paraphrases: &[
            "De raad schreef \"{quote}\" over {thing} in {system}.",
            "\"{quote}\", aldus de raad over {thing} in {system}.",
        ],
        opposites: &["De raad schreef nooit \"{quote}\" over {thing} in {system}."],
    },
    Template {
        anchor: Anchor::Link,
        source: "De instructies voor {thing} in {system} staan op {url}.",
        paraphrases: &[
            "Op {url} staan de instructies voor {thing} in {system}.",
            "De instructies voor {thing} in {system} zijn te vinden op {url}.",
        ],
        opposites: &["De instructies voor {thing} in {system} staan niet op {url}."],
    },
    Template {
        anchor: Anchor::Plain,
        source: "Het is verboden om {thing} in {system} buiten de beveiligde zone op te slaan.",
        paraphrases: &[
            "{thing} mogen niet buiten de beveiligde zone in {system} worden opgeslagen.",
            "Opslaan van {thing} in {system} buiten de beveiligde zone is niet toegestaan.",
            "In {system} is opslag van {thing} buiten de beveiligde zone verboden.",
        ],
        opposites: &[
            "Het is toegestaan om {thing} in {system} buiten de beveiligde zone op te slaan.",
            "{thing} mogen buiten de beveiligde zone in {system} worden opgeslagen.",
        ],
    },
    Template {
        anchor: Anchor::Number,
        source: "De beschikbaarheid van {system} voor {thing} moet elke maand {n} procent halen.",
        paraphrases: &[
            "{system} moet voor {thing} elke maand een beschikbaarheid van {n}% halen.",
            "Elke maand moet {system} voor {thing} een beschikbaarheid van {n} procent bereiken.",
            "Voor {thing} moet de beschikbaarheid van {system} maandelijks {w} procent zijn.",
        ],
        opposites: &[
            "De beschikbaarheid van {system} voor {thing} hoeft niet elke maand {n} procent te halen.",
        ],
    },
    Template {
        anchor: Anchor::Code,
        source: "We kozen {code} voor {thing} omdat het de beheerlast van het team {team} verlaagt.",
        paraphrases: &[
            "{code} is gekozen voor {thing} omdat het de beheerlast van team {team} verlaagt.",
            "Omdat de beheerlast van het team {team} erdoor daalt, is {code} gekozen voor {thing}.",
            "De keuze voor {code} verlaagt de beheerlast van het team {team} bij {thing}.",
        ],
        opposites: &[
            "We kozen {code} niet voor {thing}, want het verlaagt de beheerlast van het team {team} niet.",
        ],
    },
];
