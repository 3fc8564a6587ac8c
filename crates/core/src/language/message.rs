//! Every message by its key.

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

            /// The message with this key.
            pub fn from_key(key: &str) -> Option<Self> {
                Self::ALL.iter().find(|message| message.key() == key).copied()
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
    TransparencyNotInVocabulary "transparency.not_in_vocabulary";

    NoticeStale "notice.stale";
    NoticeSuperseded "notice.superseded";
    NoticeSupersededBy "notice.superseded_by";
    NoticeDeprecated "notice.deprecated";
    NoticeRejected "notice.rejected";
    NoticeProposed "notice.proposed";
    NoticeDisagreement "notice.disagreement";

    WarningKeywordsMissing "warning.keywords_missing";
    WarningPartUnanswered "warning.part_unanswered";
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
    DefinitionSchemes "definition.schemes";

    RecordNoSection "record.no_section";
    RecordFor "record.for";
    RecordAgainst "record.against";

    ListHeading "list.heading";
    ListNone "list.none";
    ListCount "list.count";
    ListFolder "list.folder";
    ListAbout "list.about";
    ListStanding "list.standing";
    ListOwner "list.owner";
    ListYear "list.year";
    ListSince "list.since";
    ListUntil "list.until";
    ListBetween "list.between";
    ListPerson "list.person";
    ListStatus "list.status";
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
    FactDeciders "fact.deciders";
    FactApprovers "fact.approvers";
    FactSupersedes "fact.supersedes";
    FactSupersededBy "fact.superseded_by";
    FactVersion "fact.version";
    FactTitle "fact.title";
    FactStatusMissing "fact.status_missing";
    FactDateMissing "fact.date_missing";
    FactOwnerMissing "fact.owner_missing";
    FactDecidersMissing "fact.deciders_missing";
    FactApproversMissing "fact.approvers_missing";
    FactSupersedesMissing "fact.supersedes_missing";
    FactSupersededByMissing "fact.superseded_by_missing";
    FactVersionMissing "fact.version_missing";
    FactTitleMissing "fact.title_missing";

    RouteOwner "route.owner";
    RouteNoOwner "route.no_owner";
    RouteNoTags "route.no_tags";
    RouteCard "route.card";

    AboutGreeting "about.greeting";
    AboutThanks "about.thanks";
    AboutIdentity "about.identity";
    AboutAbilities "about.abilities";
    AboutAbilitiesTerms "about.abilities_terms";
    AboutTrust "about.trust";
    AboutLibrary "about.library";
    AboutVocabulary "about.vocabulary";
    AboutVocabularyServer "about.vocabulary_server";
    AboutNoVocabulary "about.no_vocabulary";
    AboutSchemes "about.schemes";
    AboutModel "about.model";
    AboutNoModel "about.no_model";
    AboutPrivacy "about.privacy";
    AboutPrivacyLogged "about.privacy_logged";
    AboutPrivacyUnlogged "about.privacy_unlogged";
    AboutPrivacyHere "about.privacy_here";
    AboutPrivacyServer "about.privacy_server";
    AboutPrivacyNowhere "about.privacy_nowhere";
    AboutVersion "about.version";
    AboutUnfinished "about.unfinished";

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
    IndexLanguage "index.language";
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
    ClueOtherKey "clue.other_key";
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

    StageNoModel "stage.no_model";
    StageNoModelConfigured "stage.no_model_configured";
    StageNoEmbedder "stage.no_embedder";
    StageNoVector "stage.no_vector";
    StageNoMemory "stage.no_memory";
    StageNoVocabulary "stage.no_vocabulary";
    StageNoRecordNamed "stage.no_record_named";
    StageRecordNamed "stage.record_named";
    StageMemoryAnswers "stage.memory_answers";
    StageNoSupport "stage.no_support";
    StageVerbatim "stage.verbatim";
    StageCircuitOpen "stage.circuit_open";
    StagePlanUnreadable "stage.plan_unreadable";
    StageRatingUnreadable "stage.rating_unreadable";
    StageScoresUnsound "stage.scores_unsound";
    StageSourcesGone "stage.sources_gone";
    PortTimeout "port.timeout";
    PortFailed "port.failed";
    ModelConnection "model.connection";
    ModelTimeout "model.timeout";
    ModelUnavailable "model.unavailable";
    ModelBroken "model.broken";
    VocabularyTimeout "vocabulary.timeout";
    VocabularyUnavailable "vocabulary.unavailable";

    ServiceCatalogue "service.catalogue";
    ServiceEmbedding "service.embedding";
    ServiceReranker "service.reranker";
    ServiceIndex "service.index";
    ServiceDense "service.dense";
    ServiceLexical "service.lexical";
    ServiceAddress "service.address";
    ServiceTermStatistics "service.term_statistics";
    ServiceCuratedMemory "service.curated_memory";
    ServiceDenseSearch "service.dense_search";
    ServiceLexicalSearch "service.lexical_search";

    PortNoVector "port.no_vector";
    PortNothingToSearch "port.nothing_to_search";

    ModelStreamEnded "model.stream_ended";
    ModelEmptyReply "model.empty_reply";

    VocabularyLeftAlone "vocabulary.left_alone";

    SkosmosUnreachable "skosmos.unreachable";
    SkosmosStatus "skosmos.status";
    SkosmosNotJson "skosmos.not_json";
    SkosmosTooLong "skosmos.too_long";
    SkosmosBrokenOff "skosmos.broken_off";
    SkosmosMalformed "skosmos.malformed";
    SkosmosContradiction "skosmos.contradiction";
    SkosmosNoVocabulary "skosmos.no_vocabulary";

    OllamaAddress "ollama.address";
    OllamaNoAddress "ollama.no_address";
    OllamaNoScheme "ollama.no_scheme";
    OllamaCredentials "ollama.credentials";
    OllamaNoHost "ollama.no_host";
    OllamaClient "ollama.client";
    OllamaTokenExposed "ollama.token_exposed";
    OllamaTokenUnusable "ollama.token_unusable";
    OllamaConnectionRefused "ollama.connection_refused";
    OllamaUnknownHost "ollama.unknown_host";
    OllamaTls "ollama.tls";
    OllamaSlowConnection "ollama.slow_connection";
    OllamaProxy "ollama.proxy";
    OllamaNoConnection "ollama.no_connection";
    OllamaTimeout "ollama.timeout";
    OllamaNotOllama "ollama.not_ollama";
    OllamaWebPage "ollama.web_page";
    OllamaNoVersion "ollama.no_version";
    OllamaNoRoute "ollama.no_route";
    OllamaNoHttp "ollama.no_http";
    OllamaRedirect "ollama.redirect";
    OllamaUnauthorised "ollama.unauthorised";
    OllamaForbidden "ollama.forbidden";
    OllamaModelMissing "ollama.model_missing";
    OllamaIncapable "ollama.incapable";
    OllamaJobChat "ollama.job_chat";
    OllamaJobEmbed "ollama.job_embed";
    OllamaJobThis "ollama.job_this";
    OllamaTooLong "ollama.too_long";
    OllamaRejected "ollama.rejected";
    OllamaBusy "ollama.busy";
    OllamaServer "ollama.server";
    OllamaFailed "ollama.failed";
    OllamaLineCut "ollama.line_cut";
    OllamaConnectionEnded "ollama.connection_ended";
    OllamaNoAnswer "ollama.no_answer";
    OllamaScoresCut "ollama.scores_cut";
    OllamaPullEnded "ollama.pull_ended";
    OllamaMalformed "ollama.malformed";
    OllamaOtherModel "ollama.other_model";
    OllamaPull "ollama.pull";
    OllamaAt "ollama.at";
    OllamaAtStatus "ollama.at_status";
    OllamaAtRejected "ollama.at_rejected";
    OllamaAtFailed "ollama.at_failed";
    OllamaAtOtherModel "ollama.at_other_model";

    StoreHeld "store.held";
    StoreTooNew "store.too_new";
    StoreDisagree "store.disagree";
    StoreNoEmbedder "store.no_embedder";
    StoreVectorsIncomplete "store.vectors_incomplete";
    StoreNoVectors "store.no_vectors";
    StoreCatalogue "store.catalogue";
    StoreText "store.text";
    StoreVectors "store.vectors";
    StoreKept "store.kept";

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

    DetailAbout "detail.about";
    DetailAtLine "detail.at_line";
    DetailRun "detail.run";

    SettingValue "setting.value";
    SettingUnknown "setting.unknown";
    SettingUnknownNearest "setting.unknown_nearest";
    SettingNumbers "setting.numbers";
    SettingNoSections "setting.no_sections";
    SettingSection "setting.section";
    SettingOriginDefault "setting.origin_default";
    SettingOriginVariable "setting.origin_variable";
    SettingOriginFlag "setting.origin_flag";

    SettingAllowedOr "setting.allowed_or";
    SettingAllowedAddress "setting.allowed_address";
    SettingAllowedText "setting.allowed_text";
    SettingAllowedWholeFrom "setting.allowed_whole_from";
    SettingAllowedWhole "setting.allowed_whole";
    SettingAllowedNumber "setting.allowed_number";
    SettingAllowedModels "setting.allowed_models";
    SettingAllowedAtLeast "setting.allowed_at_least";
    SettingAllowedAtMost "setting.allowed_at_most";
    SettingAllowedAtMostThere "setting.allowed_at_most_there";
    SettingAllowedBelow "setting.allowed_below";
    SettingAllowedEmail "setting.allowed_email";
    SettingAllowedTag "setting.allowed_tag";
    SettingAllowedOwnTag "setting.allowed_own_tag";
    SettingAllowedScorers "setting.allowed_scorers";
    SettingAllowedSection "setting.allowed_section";

    WorkspaceNoFolder "workspace.no_folder";
    WorkspaceNoLibrary "workspace.no_library";
    WorkspaceNoVocabulary "workspace.no_vocabulary";
    WorkspaceNoFile "workspace.no_file";
    WorkspaceNoModel "workspace.no_model";
    WorkspaceEmbedder "workspace.embedder";
    WorkspaceReranker "workspace.reranker";
    WorkspaceNotAllowed "workspace.not_allowed";
    WorkspaceProgram "workspace.program";
    WorkspaceMoveCounters "workspace.move_counters";
    WorkspaceBuiltIn "workspace.built_in";
    WorkspaceModelAt "workspace.model_at";

    ModelEmbedderMissing "model.embedder_missing";
    ModelEmbedderUnreadable "model.embedder_unreadable";
    ModelEmbedderAltered "model.embedder_altered";
    ModelEmbedderMalformed "model.embedder_malformed";
    ModelEmbedderTokens "model.embedder_tokens";
    ModelEmbedderEncoding "model.embedder_encoding";
    ModelRerankerFile "model.reranker_file";
    ModelRerankerMalformed "model.reranker_malformed";

    OllamaKeyringUnusable "ollama.keyring_unusable";
    OllamaKeyringNone "ollama.keyring_none";
    OllamaKeyringLocked "ollama.keyring_locked";
    OllamaKeyringSilent "ollama.keyring_silent";
    OllamaKeyringNoText "ollama.keyring_no_text";
    OllamaKeyringRefuses "ollama.keyring_refuses";

    OddCharacters "odd.characters";
    OddUtf16 "odd.utf16";
    OddWindows "odd.windows";
    OddControl "odd.control";
    OddProperties "odd.properties";
    OddComment "odd.comment";
    OddNoBody "odd.no_body";
    OddFrontMatterOpen "odd.front_matter_open";
    OddFrontMatterYaml "odd.front_matter_yaml";
    OddYamlValues "odd.yaml_values";
    OddYamlAlias "odd.yaml_alias";
    OddYamlAliases "odd.yaml_aliases";
    OddPages "odd.pages";

    IndexRejectedDate "index.rejected_date";
    IndexRejectedNoDecision "index.rejected_no_decision";
    IndexRejectedDecision "index.rejected_decision";
    IndexRejectedNobody "index.rejected_nobody";
    IndexRejectedNoNames "index.rejected_no_names";
    IndexRejectedNoApproval "index.rejected_no_approval";
    IndexRejectedInFrontMatter "index.rejected_in_front_matter";
    IndexRejectedInHead "index.rejected_in_head";
    IndexRejectedInTable "index.rejected_in_table";
    IndexRejectedInSection "index.rejected_in_section";
    IndexRejectedInHistory "index.rejected_in_history";
    IndexRejectedInFoot "index.rejected_in_foot";

    IndexNoOrigin "index.no_origin";
    IndexNoLibrary "index.no_library";
    IndexSourceName "index.source_name";
    IndexSourceTwice "index.source_twice";
    IndexPattern "index.pattern";
    IndexSeveralDefaults "index.several_defaults";
    IndexEmbedding "index.embedding";

    MemoryEntry "memory.entry";
    MemoryUnclosed "memory.unclosed";
    MemoryNoTitle "memory.no_title";
    MemoryNoPointers "memory.no_pointers";

    VocabularyMoreFaults "vocabulary.more_faults";

    SkosmosNoServer "skosmos.no_server";
    SkosmosAddress "skosmos.address";
    SkosmosNoScheme "skosmos.no_scheme";

    StoreProcess "store.process";
    StoreOtherProcess "store.other_process";

    OllamaNoModels "ollama.no_models";
    OllamaNotAllowed "ollama.not_allowed";
    OllamaNotPulled "ollama.not_pulled";
    OllamaCannotChat "ollama.cannot_chat";
    OllamaContextTooLarge "ollama.context_too_large";
    OllamaFixAllow "ollama.fix_allow";
    OllamaFixChat "ollama.fix_chat";
    OllamaFixContext "ollama.fix_context";
    OllamaFixAddress "ollama.fix_address";
    OllamaFixStart "ollama.fix_start";
    OllamaFixStartThere "ollama.fix_start_there";
    OllamaFixHost "ollama.fix_host";
    OllamaFixTls "ollama.fix_tls";
    OllamaFixTimeout "ollama.fix_timeout";
    OllamaFixPort "ollama.fix_port";
    OllamaFixRedirect "ollama.fix_redirect";
    OllamaFixToken "ollama.fix_token";
    OllamaFixHttps "ollama.fix_https";
    OllamaFixOrigin "ollama.fix_origin";
    OllamaFixNetwork "ollama.fix_network";
    OllamaFixLog "ollama.fix_log";
    OllamaPullingManifest "ollama.pulling_manifest";
    OllamaPulling "ollama.pulling";
    OllamaVerifying "ollama.verifying";

    DoctorWorkspace "doctor.workspace";
    DoctorWordsUntilThen "doctor.words_until_then";
    DoctorWordsUntilBack "doctor.words_until_back";
    DoctorNothingIndexed "doctor.nothing_indexed";
    DoctorHolds "doctor.holds";
    DoctorNoVectors "doctor.no_vectors";
    DoctorFixVectors "doctor.fix_vectors";
    DoctorUnread "doctor.unread";
    DoctorFixUnread "doctor.fix_unread";
    DoctorForeign "doctor.foreign";
    DoctorFixForeign "doctor.fix_foreign";
    DoctorFiles "doctor.files";
    DoctorDefects "doctor.defects";
    DoctorFixDefects "doctor.fix_defects";
    DoctorSkosmos "doctor.skosmos";
    DoctorAnswers "doctor.answers";
    DoctorAnswersOver "doctor.answers_over";
    DoctorNoModel "doctor.no_model";
    DoctorFixModel "doctor.fix_model";
    DoctorNoReranker "doctor.no_reranker";
    DoctorTokenKept "doctor.token_kept";
    DoctorNoToken "doctor.no_token";
    DoctorFixToken "doctor.fix_token";

    UnreadableStart "unreadable.start";
    UnreadableXml "unreadable.xml";
    UnreadablePart "unreadable.part";
    UnreadableNoPart "unreadable.no_part";
    UnreadableArchive "unreadable.archive";
    UnreadableEncryption "unreadable.encryption";
    UnreadableCut "unreadable.cut";
    UnreadableNoPages "unreadable.no_pages";
    UnreadableStructure "unreadable.structure";
    UnreadableBytes "unreadable.bytes";
    UnreadableLong "unreadable.long";
    UnreadableDeep "unreadable.deep";
    UnreadableLargePart "unreadable.large_part";
    UnreadableReader "unreadable.reader";
    UnreadablePlainText "unreadable.plain_text";
    UnreadableIsPdf "unreadable.is_pdf";
    UnreadableIsZip "unreadable.is_zip";
    UnreadableIsEncrypted "unreadable.is_encrypted";
    UnreadableIsOldOffice "unreadable.is_old_office";
    UnreadableIsRichText "unreadable.is_rich_text";
    UnreadableIsHtml "unreadable.is_html";
    UnreadableIsImage "unreadable.is_image";
    UnreadableIsBinary "unreadable.is_binary";
    UnreadableIsOffice "unreadable.is_office";
}
