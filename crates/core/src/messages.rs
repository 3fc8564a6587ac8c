//! Every fixed text of the assistant, in the user's language. Texts are data: `assets/messages/<language>.toml`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::domain::{Kind, Language, Standing};
use crate::ports::FactField;

#[cfg(test)]
mod tests;

/// Declares the messages with their keys, so that a key without a message, or the other way round, cannot be.
macro_rules! messages {
    ($($message:ident $key:literal;)*) => {
        /// A fixed text, by its key in the catalogues.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Message {
            $(#[doc = concat!("`", $key, "`")] $message,)*
        }

        impl Message {
            /// Every message.
            pub const ALL: &[Self] = &[$(Self::$message),*];

            /// The key in the catalogues, `section.name`.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$message => $key,)*
                }
            }
        }
    };
}

messages! {
    RefusalNoResults "refusal.no_results";
    RefusalLowConfidence "refusal.low_confidence";
    RefusalTerminologyNotFound "refusal.terminology_not_found";
    RefusalTerminologyTimeout "refusal.terminology_timeout";
    RefusalTerminologyError "refusal.terminology_error";
    RefusalEntityNotFound "refusal.entity_not_found";
    RefusalUnsupported "refusal.unsupported";
    RefusalOffTopic "refusal.off_topic";
    RefusalNumberSimilarity "refusal.number_similarity";
    RefusalNumberMean "refusal.number_mean";
    RefusalNumberCoverage "refusal.number_coverage";
    RefusalNumberAnswerability "refusal.number_answerability";
    RefusalNumberConfidence "refusal.number_confidence";
    RefusalNumberTime "refusal.number_time";
    RefusalNumberLabels "refusal.number_labels";
    RefusalNumberRecords "refusal.number_records";
    RefusalNumberSentences "refusal.number_sentences";
    RefusalNumberWords "refusal.number_words";
    RefusalAdviceRephrase "refusal.advice_rephrase";
    RefusalAdviceDetails "refusal.advice_details";
    RefusalAdviceTerm "refusal.advice_term";
    RefusalAdviceLater "refusal.advice_later";
    RefusalAdviceReference "refusal.advice_reference";
    RefusalAdvicePassages "refusal.advice_passages";
    RefusalAdviceTopic "refusal.advice_topic";
    SearchedLibrary "searched.library";
    SearchedVocabulary "searched.vocabulary";
    SearchedAdr "searched.adr";
    SearchedPrinciple "searched.principle";
    SearchedPolicy "searched.policy";
    SearchedDocument "searched.document";

    TransparencyFallback "transparency.fallback";
    TransparencyLow "transparency.low";
    TransparencyExtractive "transparency.extractive";
    TransparencyExtractiveFailed "transparency.extractive_failed";
    TransparencyExtractivePointed "transparency.extractive_pointed";
    TransparencyExtractiveEvaded "transparency.extractive_evaded";
    TransparencyJudgeAbsent "transparency.judge_absent";
    TransparencyWithheld "transparency.withheld";
    TransparencyTruncated "transparency.truncated";
    TransparencyHistoryCut "transparency.history_cut";
    TransparencyPassagesCut "transparency.passages_cut";

    NoticeStale "notice.stale";
    NoticeSuperseded "notice.superseded";
    NoticeSupersededBy "notice.superseded_by";
    NoticeDeprecated "notice.deprecated";
    NoticeRejected "notice.rejected";
    NoticeProposed "notice.proposed";
    NoticeDisagreement "notice.disagreement";

    WarningKeywordsMissing "warning.keywords_missing";
    WarningIncomplete "warning.incomplete";
    WarningCut "warning.cut";

    PickerIntent "picker.intent";
    PickerConcept "picker.concept";
    PickerDocument "picker.document";
    ClarifyDetails "clarify.details";

    SuggestDidYouMean "suggest.did_you_mean";
    SuggestDidYouMeanTerm "suggest.did_you_mean_term";
    SuggestSearchDocuments "suggest.search_documents";
    SuggestLookUp "suggest.look_up";
    SuggestListAdr "suggest.list_adr";
    SuggestListPrinciple "suggest.list_principle";
    SuggestListPolicy "suggest.list_policy";

    DefinitionNone "definition.none";
    DefinitionNonPreferred "definition.non_preferred";
    DefinitionDeprecated "definition.deprecated";
    DefinitionDeprecatedReplaced "definition.deprecated_replaced";
    DefinitionLanguage "definition.language";

    ListHeading "list.heading";
    ListNone "list.none";
    ListCount "list.count";
    ListAbout "list.about";
    ListStanding "list.standing";
    ListOwner "list.owner";
    ListYear "list.year";
    WithheldInstruction "withheld.instruction";
    FactStatusApproval "fact.status_approval";
    KindAdr "kind.adr";
    KindDar "kind.dar";
    KindPrinciple "kind.principle";
    KindPolicy "kind.policy";
    KindVocabulary "kind.vocabulary";
    KindDocument "kind.document";
    StandingInForce "standing.in_force";
    StandingProposed "standing.proposed";
    StandingSuperseded "standing.superseded";
    StandingDeprecated "standing.deprecated";
    StandingRejected "standing.rejected";
    StandingUnknown "standing.unknown";

    FactStatus "fact.status";
    FactDate "fact.date";
    FactOwner "fact.owner";
    FactApprovers "fact.approvers";
    FactSupersedes "fact.supersedes";
    FactSupersededBy "fact.superseded_by";
    FactVersion "fact.version";
    FactTitle "fact.title";
    FactStatusMissing "fact.status_missing";
    FactDateMissing "fact.date_missing";
    FactOwnerMissing "fact.owner_missing";
    FactApproversMissing "fact.approvers_missing";
    FactSupersedesMissing "fact.supersedes_missing";
    FactSupersededByMissing "fact.superseded_by_missing";
    FactVersionMissing "fact.version_missing";
    FactTitleMissing "fact.title_missing";

    RouteOwner "route.owner";
    RouteNoOwner "route.no_owner";
    RouteNoTags "route.no_tags";
    RouteCard "route.card";

    OutsideDisclaimer "outside.disclaimer";
    LibraryEmpty "library.empty";
    And "word.and";
    Or "word.or";

    StartupSettings "startup.settings";
    StartupConversations "startup.conversations";
    StartupLibrary "startup.library";
    StartupRunning "startup.running";
    StartupFailed "startup.failed";

    MissingConversation "missing.conversation";
    MissingDeleted "missing.deleted";
    MissingAnswer "missing.answer";
    MissingDocument "missing.document";
    MissingPassage "missing.passage";
    MissingFile "missing.file";
    MissingFolder "missing.folder";
    MissingSample "missing.sample";
    MissingConcept "missing.concept";
    MissingEntry "missing.entry";
    MissingEmbedder "missing.embedder";
    MissingGoldenSet "missing.golden_set";

    BusyIndexing "busy.indexing";
    BusyEvaluation "busy.evaluation";
    BusyPull "busy.pull";

    RefusedFolderKnown "refused.folder_known";
    RefusedLink "refused.link";
    RefusedTitle "refused.title";
    RefusedPointer "refused.pointer";
    RefusedSection "refused.section";
    RefusedPointers "refused.pointers";
    RefusedMemory "refused.memory";
    RefusedToken "refused.token";
    RefusedSettingFixed "refused.setting_fixed";
    RefusedSettingValue "refused.setting_value";
    RefusedSettingKey "refused.setting_key";

    MemoryChanged "memory.changed";
    MemoryGone "memory.gone";

    IndexFailed "index.failed";
    IndexGuessed "index.guessed";
    IndexEnglish "index.english";
    IndexDutch "index.dutch";
    IndexCollision "index.collision";
    IndexDisagreement "index.disagreement";
    IndexUnresolved "index.unresolved";

    ClueFirstHeading "clue.first_heading";
    ClueFirstLine "clue.first_line";
    ClueFileProperties "clue.file_properties";
    ClueFileName "clue.file_name";
    ClueFirstVersion "clue.first_version";
    ClueSwappedDate "clue.swapped_date";
    ClueNoDay "clue.no_day";
    ClueNoteAtHead "clue.note_at_head";
    ClueNoRecord "clue.no_record";
    ClueDecisionSections "clue.decision_sections";
    ClueDecisionName "clue.decision_name";
    CluePrincipleSections "clue.principle_sections";
    CluePolicyName "clue.policy_name";
    ClueMissingFile "clue.missing_file";
    ClueMissingRecord "clue.missing_record";
    ClueSeveralRecords "clue.several_records";
    ClueTextWords "clue.text_words";

    UnreadableNotFound "unreadable.not_found";
    UnreadableNotAFile "unreadable.not_a_file";
    UnreadableNoAccess "unreadable.no_access";
    UnreadableUnknownFormat "unreadable.unknown_format";
    UnreadableWrongFormat "unreadable.wrong_format";
    UnreadableEmpty "unreadable.empty";
    UnreadableNoText "unreadable.no_text";
    UnreadableEncrypted "unreadable.encrypted";
    UnreadableDamaged "unreadable.damaged";
    UnreadableTooLarge "unreadable.too_large";
    UnreadableTooSlow "unreadable.too_slow";
    UnreadableCrashed "unreadable.crashed";

    DoctorSettings "doctor.settings";
    DoctorLibrary "doctor.library";
    DoctorEmbedder "doctor.embedder";
    DoctorVocabulary "doctor.vocabulary";
    DoctorOllama "doctor.ollama";
    DoctorReranker "doctor.reranker";
    DoctorToken "doctor.token";
    DoctorPulled "doctor.pulled";

    ExportStopped "export.stopped";
    ExportInterrupted "export.interrupted";
    ExportWithheld "export.withheld";
    ExportNotKept "export.not_kept";

    ErrorEmptyQuestion "error.empty_question";
    ErrorQuestionTooLong "error.question_too_long";
    ErrorLlmConnection "error.llm_connection";
    ErrorLlmRefused "error.llm_refused";
    ErrorLlmBroken "error.llm_broken";
    ErrorLlmTimeout "error.llm_timeout";
    ErrorModelNotAllowed "error.model_not_allowed";
    ErrorModelUnavailable "error.model_unavailable";
    ErrorContext "error.context";
    ErrorTokenBudgetExceeded "error.token_budget_exceeded";
    ErrorPort "error.port";
    ErrorStopped "error.stopped";
}

impl Message {
    /// The sentence that gives a field of a record; `missing` where the record does not give it.
    pub const fn of_fact(field: FactField, missing: bool) -> Self {
        match (field, missing) {
            (FactField::Status, false) => Self::FactStatus,
            (FactField::Date, false) => Self::FactDate,
            (FactField::Owner, false) => Self::FactOwner,
            (FactField::Approvers, false) => Self::FactApprovers,
            (FactField::Supersedes, false) => Self::FactSupersedes,
            (FactField::SupersededBy, false) => Self::FactSupersededBy,
            (FactField::Version, false) => Self::FactVersion,
            (FactField::Title, false) => Self::FactTitle,
            (FactField::Status, true) => Self::FactStatusMissing,
            (FactField::Date, true) => Self::FactDateMissing,
            (FactField::Owner, true) => Self::FactOwnerMissing,
            (FactField::Approvers, true) => Self::FactApproversMissing,
            (FactField::Supersedes, true) => Self::FactSupersedesMissing,
            (FactField::SupersededBy, true) => Self::FactSupersededByMissing,
            (FactField::Version, true) => Self::FactVersionMissing,
            (FactField::Title, true) => Self::FactTitleMissing,
        }
    }

    /// "3 decision records"; takes `n`.
    pub const fn of_kind(kind: Kind) -> Self {
        match kind {
            Kind::Adr => Self::KindAdr,
            Kind::Dar => Self::KindDar,
            Kind::Principle => Self::KindPrinciple,
            Kind::Policy => Self::KindPolicy,
            Kind::Vocabulary => Self::KindVocabulary,
            Kind::Document => Self::KindDocument,
        }
    }

    /// A standing in words.
    pub const fn of_standing(standing: Standing) -> Self {
        match standing {
            Standing::InForce => Self::StandingInForce,
            Standing::Proposed => Self::StandingProposed,
            Standing::Superseded => Self::StandingSuperseded,
            Standing::Deprecated => Self::StandingDeprecated,
            Standing::Rejected => Self::StandingRejected,
            Standing::Unknown => Self::StandingUnknown,
        }
    }
}

/// A text, or two where the number of things decides.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Entry {
    Text(String),
    Counted { one: String, other: String },
}

/// The texts of one language.
#[derive(Debug)]
pub struct Messages {
    language: Language,
    entries: HashMap<String, Entry>,
}

const SOURCES: [(Language, &str); 2] = [
    (Language::En, include_str!("../../../assets/messages/en.toml")),
    (Language::Nl, include_str!("../../../assets/messages/nl.toml")),
];

impl Messages {
    /// The texts of a language.
    pub fn of(language: Language) -> &'static Self {
        static CATALOGUES: LazyLock<BTreeMap<Language, Messages>> = LazyLock::new(|| {
            SOURCES
                .into_iter()
                .map(|(language, source)| (language, Messages::parse(language, source).unwrap_or_default()))
                .collect()
        });
        static EMPTY: LazyLock<Messages> = LazyLock::new(Messages::default);
        CATALOGUES.get(&language).unwrap_or(&EMPTY)
    }

    fn parse(language: Language, source: &str) -> Result<Self, toml::de::Error> {
        let sections: BTreeMap<String, BTreeMap<String, Entry>> = toml::from_str(source)?;
        let entries = sections
            .into_iter()
            .flat_map(|(section, texts)| {
                texts.into_iter().map(move |(name, entry)| (format!("{section}.{name}"), entry))
            })
            .collect();
        Ok(Self { language, entries })
    }

    /// A text with its `{placeholders}` filled in. Where it has a singular, `n` decides.
    pub fn text(&self, message: Message, values: &[(&str, &str)]) -> String {
        let template = match self.entries.get(message.key()) {
            Some(Entry::Text(text)) => text,
            Some(Entry::Counted { one, .. }) if values.contains(&("n", "1")) => one,
            Some(Entry::Counted { other, .. }) => other,
            // Both catalogues hold every key, which a test rules; better the key than nothing.
            None => return message.key().to_owned(),
        };
        fill(template, ("{", "}"), values)
    }

    /// The same with values that were kept; nothing where one is missing that the text needs.
    pub fn filled(&self, message: Message, values: &BTreeMap<String, String>) -> Option<String> {
        let values: Vec<(&str, &str)> =
            values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let known = |name: &str| values.iter().any(|(known, _)| *known == name);
        let complete = match self.entries.get(message.key())? {
            Entry::Text(text) => placeholders(text).all(known),
            Entry::Counted { one, other } => placeholders(one).chain(placeholders(other)).all(known),
        };
        complete.then(|| self.text(message, &values))
    }

    /// "a, b and c".
    pub fn all_of<S: AsRef<str>>(&self, items: &[S]) -> String {
        self.joined(items, Message::And)
    }

    /// "a, b or c".
    pub fn any_of<S: AsRef<str>>(&self, items: &[S]) -> String {
        self.joined(items, Message::Or)
    }

    fn joined<S: AsRef<str>>(&self, items: &[S], word: Message) -> String {
        match items {
            [] => String::new(),
            [only] => only.as_ref().to_owned(),
            [before @ .., last] => {
                let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
                format!("{} {} {}", before.join(", "), self.text(word, &[]), last.as_ref())
            }
        }
    }

    /// A number with this many decimals, cut and not rounded, so that it never looks better than it is.
    pub fn number(&self, value: f64, decimals: usize) -> String {
        let scale = 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
        // Scores are 32-bit numbers: without the nudge 0.29 would be shown as 0.28.
        let text = format!("{:.decimals$}", ((value * scale) + 1e-4).floor() / scale);
        match self.language {
            Language::En => text,
            Language::Nl => text.replace('.', ","),
        }
    }
}

impl Default for Messages {
    fn default() -> Self {
        Self { language: Language::En, entries: HashMap::new() }
    }
}

fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name)
}

/// Fills placeholders between `open` and `close` in one pass: what a value holds is never read as a placeholder, and
/// an unknown name stays as it is.
pub(crate) fn fill(template: &str, (open, close): (&str, &str), values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(open) {
        filled.push_str(before);
        let value = after.split_once(close).and_then(|(name, tail)| {
            values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, tail))
        });
        match value {
            Some((value, tail)) => {
                filled.push_str(value);
                rest = tail;
            }
            None => {
                filled.push_str(open);
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}
