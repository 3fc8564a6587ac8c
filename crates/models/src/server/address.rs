use std::net::IpAddr;

use plumbline_core::messages::Message;
use plumbline_core::settings::ServerKind;
use reqwest::Url;

use super::Fault;

/// Where the routes of OpenAI's protocol are when an address has no path of its own.
const OPENAI_PATH: &str = "/v1";

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    base: String,
    host: String,
    secure: bool,
    loopback: bool,
}

impl Address {
    pub(super) fn parse(text: &str, server: ServerKind) -> Result<Self, Fault> {
        let wrong = |why: Message| Fault::Address { address: without_credentials(text), why };
        let mut url = Url::parse(text.trim()).map_err(|_| wrong(Message::OllamaNoAddress))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(Message::OllamaNoScheme));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong(Message::OllamaCredentials));
        }
        // What a server is told to listen on is not an address to connect to on every system.
        if matches!(url.host_str(), Some("0.0.0.0" | "[::]")) {
            url.set_host(Some("localhost")).map_err(|_| wrong(Message::OllamaNoHost))?;
        }
        let host = url.host_str().ok_or_else(|| wrong(Message::OllamaNoHost))?.to_owned();
        let number = host.trim_matches(['[', ']']).parse::<IpAddr>();
        let loopback = host == "localhost" || number.is_ok_and(|address| address.is_loopback());
        url.set_query(None);
        url.set_fragment(None);
        let text = url.as_str().trim_end_matches('/');
        let base = match server {
            // The address of the interface is often copied with the path of one of its two dialects.
            ServerKind::Ollama => {
                ["/api", "/v1"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text).to_owned()
            }
            // A gateway has a path of its own, which is then the whole of it.
            ServerKind::Openai if matches!(url.path(), "" | "/") => format!("{text}{OPENAI_PATH}"),
            ServerKind::Openai => text.to_owned(),
        };
        let secure = url.scheme() == "https";
        Ok(Self { base: base.trim_end_matches('/').to_owned(), host, secure, loopback })
    }

    /// The address as it is shown.
    pub(super) fn shown(&self) -> &str {
        &self.base
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Whether nobody on the way can read along.
    pub(super) fn is_secure(&self) -> bool {
        self.secure
    }

    /// Whether it is on this machine, so that no proxy can know it.
    pub(super) fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// The address of a route, such as `/api/tags` or `/models`.
    pub(super) fn route(&self, route: &str) -> String {
        format!("{}{route}", self.base)
    }
}

/// Text that could not be read as an address may still hold a password before an `@`.
fn without_credentials(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((_, host)) => format!("…@{}", host.trim()),
        None => text.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (given, shown) in [
            ("http://localhost:11434", "http://localhost:11434"),
            (" http://localhost:11434/ ", "http://localhost:11434"),
            ("http://localhost:11434/api/", "http://localhost:11434"),
            ("http://localhost:11434/v1", "http://localhost:11434"),
            ("https://example.org/ollama/", "https://example.org/ollama"),
            ("http://0.0.0.0:11434", "http://localhost:11434"),
            ("http://[::]:11434", "http://localhost:11434"),
        ] {
            assert_eq!(Address::parse(given, ServerKind::Ollama).unwrap().shown(), shown, "{given}");
        }
        let address = Address::parse("https://example.org/ollama/", ServerKind::Ollama).unwrap();
        assert_eq!(address.route("/api/tags"), "https://example.org/ollama/api/tags");
        for (given, shown) in [
            ("http://localhost:8080", "http://localhost:8080/v1"),
            ("http://localhost:8080/", "http://localhost:8080/v1"),
            ("http://0.0.0.0:8080/v1/", "http://localhost:8080/v1"),
            ("https://example.org/gateway/v1", "https://example.org/gateway/v1"),
            ("https://example.org/openai", "https://example.org/openai"),
        ] {
            assert_eq!(Address::parse(given, ServerKind::Openai).unwrap().shown(), shown, "{given}");
        }
        for wrong in ["", "localhost:11434", "ftp://example.org", "http://", "https://me:secret@example.org"]
        {
            for (server, variable) in
                [(ServerKind::Ollama, "OLLAMA_BASE_URL"), (ServerKind::Openai, "OPENAI_BASE_URL")]
            {
                let problem = Address::parse(wrong, server).unwrap_err().detail(server).to_string();
                assert!(!problem.contains("secret") && problem.contains(variable), "{problem}");
            }
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (given, loopback) in [
            ("http://127.0.0.1:11434", true),
            ("http://localhost", true),
            ("http://LOCALHOST", true),
            ("http://[::1]:80", true),
            ("http://127.example.org", false),
            ("http://localhost.example.org", false),
            ("https://example.org", false),
            ("http://192.168.1.7:11434", false),
        ] {
            assert_eq!(Address::parse(given, ServerKind::Ollama).unwrap().is_loopback(), loopback, "{given}");
        }
    }
}
