//! The messages about model servers, by their keys.

/// Declares these messages and those that it is given.
macro_rules! with_server_messages {
    ($($other:tt)*) => {
        messages! {
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
            OllamaKeyringUnusable "ollama.keyring_unusable";
            OllamaKeyringNone "ollama.keyring_none";
            OllamaKeyringLocked "ollama.keyring_locked";
            OllamaKeyringSilent "ollama.keyring_silent";
            OllamaKeyringNoText "ollama.keyring_no_text";
            OllamaKeyringRefuses "ollama.keyring_refuses";
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

            OpenaiServes "openai.serves";
            OpenaiSomeServer "openai.some_server";
            OpenaiNotOpenai "openai.not_openai";
            OpenaiNoList "openai.no_list";
            OpenaiModelMissing "openai.model_missing";
            OpenaiForbidden "openai.forbidden";
            OpenaiBusy "openai.busy";
            OpenaiLoading "openai.loading";
            OpenaiFiltered "openai.filtered";
            OpenaiNoPull "openai.no_pull";
            OpenaiNotListed "openai.not_listed";
            OpenaiEmbedderNotListed "openai.embedder_not_listed";
            OpenaiNoModels "openai.no_models";
            OpenaiIsOther "openai.is_other";
            OpenaiIsOllama "openai.is_ollama";
            OpenaiFixIsOther "openai.fix_is_other";
            OpenaiFixIsOllama "openai.fix_is_ollama";
            OpenaiFixAddress "openai.fix_address";
            OpenaiFixStart "openai.fix_start";
            OpenaiFixStartThere "openai.fix_start_there";
            OpenaiFixPort "openai.fix_port";
            OpenaiFixLoad "openai.fix_load";
            OpenaiFixLoadAny "openai.fix_load_any";
            OpenaiFixAllowed "openai.fix_allowed";
            OpenaiFixWait "openai.fix_wait";

            $($other)*
        }
    };
}
