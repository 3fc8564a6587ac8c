//! The names under which documents state something of themselves, in English and Dutch.

use super::words::key;

/// What a labelled value is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    Title,
    Status,
    /// The day of the last change.
    Updated,
    /// The day, without saying of what.
    Date,
    /// The day of decision, approval or taking effect.
    Decided,
    Reviewed,
    Created,
    Version,
    Deciders,
    Approvers,
    Owner,
    /// Who drives or answers for a decision; its owner where none is named.
    Driver,
    Tags,
    AccessTags,
    Supersedes,
    SupersededBy,
    Language,
    Type,
    Identifier,
    /// Columns of tables of people and decisions.
    Name,
    Verdict,
}

impl Field {
    pub(super) fn is_date(self) -> bool {
        matches!(self, Self::Updated | Self::Date | Self::Decided | Self::Reviewed | Self::Created)
    }

    /// What a label is about, if it is one.
    pub(super) fn of(label: &str) -> Option<Self> {
        let label = key(label.trim().trim_end_matches([':', '?']));
        LABELS.iter().find(|(_, names)| names.contains(&label.as_str())).map(|(field, _)| *field)
    }

    /// What a column is about; "Decision" heads a column of verdicts, but is no label.
    pub(super) fn of_column(heading: &str) -> Option<Self> {
        let label = key(heading);
        match label.as_str() {
            "name" | "naam" | "who" | "wie" | "approver" | "approvers" | "person" | "persoon" => {
                Some(Self::Name)
            }
            "verdict" | "decision" | "besluit" | "oordeel" | "approval" | "approved" | "akkoord" | "vote"
            | "stem" | "outcome" | "result" | "response" | "reactie" => Some(Self::Verdict),
            _ => Self::of(heading),
        }
    }
}

const LABELS: [(Field, &[&str]); 19] = [
    (Field::Title, &["title", "titel", "document title", "decision title", "onderwerp"]),
    (
        Field::Status,
        &[
            "status",
            "adr status",
            "decision status",
            "document status",
            "documentstatus",
            "status van het besluit",
            "status of decision",
            "current status",
        ],
    ),
    (
        Field::Updated,
        &[
            "updated",
            "last updated",
            "last update",
            "last updated on",
            "updated on",
            "updated at",
            "date updated",
            "modified",
            "last modified",
            "lastmod",
            "date modified",
            "last changed",
            "last edited",
            "revised",
            "last revised",
            "revision date",
            "revdate",
            "date of last revision",
            "bijgewerkt",
            "bijgewerkt op",
            "laatst bijgewerkt",
            "laatst bijgewerkt op",
            "gewijzigd",
            "gewijzigd op",
            "laatst gewijzigd",
            "laatst gewijzigd op",
            "laatste wijziging",
            "datum laatste wijziging",
            "wijzigingsdatum",
        ],
    ),
    (
        Field::Date,
        &[
            "date",
            "datum",
            "document date",
            "version date",
            "versiedatum",
            "issued",
            "date issued",
            "issue date",
            "date of issue",
            "published",
            "published on",
            "publication date",
            "publicatiedatum",
            "gepubliceerd",
            "gepubliceerd op",
        ],
    ),
    (
        Field::Decided,
        &[
            "decided",
            "decided on",
            "decision date",
            "date decided",
            "date of decision",
            "accepted",
            "accepted on",
            "date accepted",
            "acceptance date",
            "approved",
            "approved on",
            "approval date",
            "date approved",
            "date of approval",
            "effective",
            "effective date",
            "effective from",
            "in force since",
            "valid from",
            "besluitdatum",
            "datum besluit",
            "besloten op",
            "vastgesteld",
            "vastgesteld op",
            "datum vaststelling",
            "goedgekeurd op",
            "datum goedkeuring",
            "ingangsdatum",
            "geldig vanaf",
        ],
    ),
    (
        Field::Reviewed,
        &[
            "reviewed",
            "reviewed on",
            "date reviewed",
            "last reviewed",
            "last reviewed on",
            "last review",
            "last review date",
            "herzien op",
            "laatst herzien",
            "laatste herziening",
        ],
    ),
    (
        Field::Created,
        &[
            "created",
            "created on",
            "created at",
            "date created",
            "creation date",
            "proposed",
            "proposed on",
            "date proposed",
            "aangemaakt",
            "aangemaakt op",
            "opgesteld",
            "opgesteld op",
            "aanmaakdatum",
        ],
    ),
    (
        Field::Version,
        &[
            "version",
            "versie",
            "version number",
            "versienummer",
            "document version",
            "documentversie",
            "version info",
            "has version",
            "revision",
            "rev",
            "revnumber",
        ],
    ),
    (
        Field::Deciders,
        &[
            "deciders",
            "decider",
            "decided by",
            "decision maker",
            "decision makers",
            "decision owners",
            "beslissers",
            "beslisser",
            "besluitvormers",
            "besluitnemers",
            "besloten door",
        ],
    ),
    (
        Field::Approvers,
        &[
            "approvers",
            "approver",
            "approved by",
            "authorised by",
            "authorized by",
            "signed off by",
            "goedgekeurd door",
            "goedkeurders",
            "goedkeurder",
            "vastgesteld door",
            "akkoord van",
        ],
    ),
    (
        Field::Owner,
        &[
            "owner",
            "owners",
            "owned by",
            "document owner",
            "policy owner",
            "process owner",
            "eigenaar",
            "documenteigenaar",
            "beleidseigenaar",
            "proceseigenaar",
        ],
    ),
    (
        Field::Driver,
        &[
            "driver",
            "accountable",
            "responsible",
            "maintainer",
            "trekker",
            "verantwoordelijk",
            "verantwoordelijke",
            "eindverantwoordelijke",
        ],
    ),
    (
        Field::Tags,
        &["tags", "tag", "keywords", "keyword", "topics", "categories", "category", "trefwoorden", "thema"],
    ),
    (Field::AccessTags, &["access tags", "access tag"]),
    (
        Field::Supersedes,
        &[
            "supersedes",
            "supercedes",
            "replaces",
            "obsoletes",
            "vervangt",
            "superseded adrs",
            "superseded records",
        ],
    ),
    (
        Field::SupersededBy,
        &[
            "superseded by",
            "superceded by",
            "replaced by",
            "is replaced by",
            "deprecated by",
            "vervangen door",
        ],
    ),
    (Field::Language, &["language", "lang", "taal", "locale"]),
    (
        Field::Type,
        &["type", "doc type", "document type", "documenttype", "layout", "kind", "soort", "template type"],
    ),
    (
        Field::Identifier,
        &[
            "id",
            "identifier",
            "nav order",
            "number",
            "nummer",
            "adr id",
            "adr number",
            "adr",
            "adr no",
            "decision id",
            "decision number",
            "document id",
            "document number",
            "documentnummer",
            "kenmerk",
            "principle id",
        ],
    ),
];
