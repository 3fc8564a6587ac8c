use std::fmt::Write;

use plumbline_core::messages::Message;
use reqwest::Url;

use super::SkosmosError;

/// Where a server is, and how its requests are spelt.
#[derive(Debug, Clone)]
pub(super) struct Address {
    /// With credentials, if it has any; never shown.
    base: String,
    /// Without them.
    shown: String,
    loopback: bool,
}

impl Address {
    /// Reads the address of a server: of its front page, or of its REST interface.
    pub(super) fn parse(text: &str) -> Result<Self, SkosmosError> {
        let wrong = |why: Message| SkosmosError::Address { address: without_credentials(text), why };
        let mut url = Url::parse(text.trim()).map_err(|_| wrong(Message::OllamaNoAddress))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(Message::SkosmosNoScheme));
        }
        let host = url.host_str().ok_or_else(|| wrong(Message::OllamaNoHost))?;
        let numbers = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        let loopback = host == "localhost" || numbers.is_ok_and(|address| address.is_loopback());
        url.set_query(None);
        url.set_fragment(None);
        let base = front_page(&url);
        // Neither can fail for http; if one did, the address would not be shown at all.
        let bare = url.set_username("").and_then(|()| url.set_password(None)).is_ok();
        let shown = if bare { front_page(&url) } else { "the server".to_owned() };
        Ok(Self { base, shown, loopback })
    }

    /// The address as it may be shown.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// Whether it is on this machine, so that no proxy can know it.
    pub(super) fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// The address of a request: path segments and parameters, all encoded here.
    pub(super) fn request(&self, path: &[&str], parameters: &[(&str, &str)]) -> Option<Url> {
        let mut text = format!("{}/rest/v1", self.base);
        for segment in path {
            text.push('/');
            encode(segment, &mut text);
        }
        for (at, (name, value)) in parameters.iter().enumerate() {
            text.push(if at == 0 { '?' } else { '&' });
            text.push_str(name);
            text.push('=');
            encode(value, &mut text);
        }
        Url::parse(&text).ok()
    }
}

fn front_page(url: &Url) -> String {
    let text = url.as_str().trim_end_matches('/');
    text.strip_suffix("/rest/v1").unwrap_or(text).trim_end_matches('/').to_owned()
}

/// Text that could not be read as an address may still hold a password before an `@`.
fn without_credentials(text: &str) -> String {
    text.rsplit('@').next().unwrap_or_default().trim().to_owned()
}

/// Everything but letters, digits and `-._~` as `%XX`. A dot alone would be taken for a folder.
fn encode(text: &str, into: &mut String) {
    let dots = matches!(text, "." | "..");
    for byte in text.bytes() {
        match byte {
            b'.' if dots => into.push_str("%2E"),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                into.push(char::from(byte))
            }
            // Writing to a string cannot fail.
            _ => drop(write!(into, "%{byte:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_front_pages_and_hide_credentials() {
        for (given, shown) in [
            ("https://skos.example.org", "https://skos.example.org"),
            (" https://skos.example.org/rest/v1/ ", "https://skos.example.org"),
            ("https://example.org/skosmos/", "https://example.org/skosmos"),
            ("https://user:secret@example.org:8443/?x=1#y", "https://example.org:8443"),
        ] {
            assert_eq!(Address::parse(given).unwrap().shown(), shown);
        }
        let url =
            Address::parse("https://user:secret@example.org").unwrap().request(&["search"], &[]).unwrap();
        assert_eq!(url.password(), Some("secret"), "what is hidden is still used");
        for wrong in ["", "skos.example.org", "ftp://example.org", "user:secret@", "http://"] {
            let problem = Address::parse(wrong).unwrap_err().to_string();
            assert!(!problem.contains("secret"), "{problem}");
        }
    }

    #[test]
    fn only_addresses_of_this_machine_are_loopback() {
        for (given, loopback) in [
            ("http://127.0.0.1:9090", true),
            ("http://localhost", true),
            ("http://[::1]:80", true),
            ("http://127.example.org", false),
            ("https://skos.example.org", false),
        ] {
            assert_eq!(Address::parse(given).unwrap().is_loopback(), loopback, "{given}");
        }
    }

    #[test]
    fn requests_are_encoded() {
        let address = Address::parse("http://h/skosmos/").unwrap();
        let url = address.request(
            &["edge", "data"],
            &[("uri", "http://x.test/a#b&c+d"), ("format", "application/ld+json")],
        );
        let expected = "http://h/skosmos/rest/v1/edge/data?uri=http%3A%2F%2Fx.test%2Fa%23b%26c%2Bd&format=application%2Fld%2Bjson";
        assert_eq!(url.unwrap().as_str(), expected);
        let url = address.request(&["../../x", "data"], &[]).unwrap();
        assert_eq!(url.path(), "/skosmos/rest/v1/..%2F..%2Fx/data", "a server cannot lead elsewhere");
    }
}
