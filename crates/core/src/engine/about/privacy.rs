//! What becomes of what the user types.

use core::net::IpAddr;

use crate::domain::Language;
use crate::engine::services::Services;
use crate::messages::{Message, Messages};

/// What is kept and where, and every server that a question goes to.
pub(super) fn privacy(services: &Services, language: Language) -> String {
    let messages = Messages::of(language);
    let settings = services.settings();
    let logged =
        if settings.general.privacy { Message::AboutPrivacyUnlogged } else { Message::AboutPrivacyLogged };
    let mut said = vec![messages.text(Message::AboutPrivacy, &[]), messages.text(logged, &[])];
    let models = &settings.models;
    // A reranker may be a folder of this machine; a server too many is the safer thing to name.
    let jobs = [&models.answer, &models.planner, &models.judge, &models.embedder, &models.reranker];
    let asks_models = jobs.into_iter().any(Option::is_some);
    let asks_vocabulary = settings.vocabulary.skosmos_url.is_some();
    if asks_models {
        let address = models.address();
        let whose =
            if is_this_machine(address) { Message::AboutPrivacyHere } else { Message::AboutPrivacyServer };
        said.push(messages.text(whose, &[("address", address)]));
    }
    if asks_vocabulary {
        said.push(messages.text(Message::AboutVocabularyServer, &[]));
    }
    let stays = !asks_vocabulary && (!asks_models || is_this_machine(models.address()));
    if stays {
        said.push(messages.text(Message::AboutPrivacyNowhere, &[]));
    }
    said.join(" ")
}

/// Whether the address of a server is one of this machine.
fn is_this_machine(address: &str) -> bool {
    let behind_scheme = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = behind_scheme.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next(),
        None => host.split(':').next(),
    };
    let name = name.unwrap_or_default();
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_are_taken_for_one() {
        for (address, is_here) in [
            ("http://localhost:11434", true),
            ("http://127.0.0.1:11434/", true),
            ("http://[::1]:11434", true),
            ("http://user:word@LOCALHOST:11434/api", true),
            ("http://192.168.1.20:11434", false),
            ("https://models.example.org", false),
            ("https://localhost.example.org", false),
            ("https://localhost@example.org", false),
        ] {
            assert_eq!(is_this_machine(address), is_here, "{address}");
        }
    }
}
