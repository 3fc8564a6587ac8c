//! Who gets in: whoever shows the token, from this machine, and no page of a browser.

use super::request::Request;
use super::response::Status;

/// Names of this machine.
const HERE: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

pub(super) struct Guard {
    token: Vec<u8>,
}

impl Guard {
    pub fn new(token: &str) -> Self {
        Self { token: token.as_bytes().to_vec() }
    }

    /// A page elsewhere that has its name lead to this machine shows itself by its host, and any page by its origin.
    pub fn lets_in(&self, request: &Request) -> Result<(), Status> {
        if !request.header("host").is_some_and(is_here) {
            return Err(Status::Forbidden);
        }
        if let Some(origin) = request.header("origin") {
            let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if !host.is_some_and(is_here) {
                return Err(Status::Forbidden);
            }
        }
        let shown = request.header("authorization").and_then(|shown| {
            let (scheme, token) = shown.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().as_bytes())
        });
        match shown {
            Some(shown) if same(shown, &self.token) => Ok(()),
            _ => Err(Status::Unauthorized),
        }
    }
}

/// Whether a host, with or without a port, is this machine.
fn is_here(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    HERE.iter().any(|here| name.eq_ignore_ascii_case(here))
}

/// Compares in a time that does not tell how much of it is right.
fn same(shown: &[u8], wanted: &[u8]) -> bool {
    let differences = shown.iter().zip(wanted).fold(0, |found, (a, b)| found | (a ^ b));
    shown.len() == wanted.len() && !wanted.is_empty() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::request::Method;

    fn asked(headers: &[(&str, &str)]) -> Result<(), Status> {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let request = Request {
            method: Method::Post,
            path: "/mcp".to_owned(),
            headers: headers.collect(),
            body: Vec::new(),
        };
        Guard::new("secret").lets_in(&request)
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:8000");
    const TOKEN: (&str, &str) = ("authorization", "Bearer secret");

    #[test]
    fn only_the_token_from_this_machine_gets_in() {
        assert_eq!(asked(&[HOST, TOKEN]), Ok(()));
        assert_eq!(asked(&[("host", "localhost"), TOKEN, ("origin", "http://localhost:5173")]), Ok(()));
        assert_eq!(asked(&[HOST]), Err(Status::Unauthorized));
        for wrong in ["Bearer secre", "Bearer secretx", "Bearer ", "Basic secret", "secret"] {
            assert_eq!(asked(&[HOST, ("authorization", wrong)]), Err(Status::Unauthorized), "{wrong}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", ""] {
            assert_eq!(asked(&[("host", host), TOKEN]), Err(Status::Forbidden), "{host}");
        }
        for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example", "file://"] {
            assert_eq!(asked(&[HOST, TOKEN, ("origin", origin)]), Err(Status::Forbidden), "{origin}");
        }
        assert_eq!(asked(&[TOKEN]), Err(Status::Forbidden), "a request must say where it goes");
    }

    #[test]
    fn an_empty_token_lets_nobody_in() {
        let headers = vec![
            ("host".to_owned(), "localhost".to_owned()),
            ("authorization".to_owned(), "Bearer ".to_owned()),
        ];
        let request = Request { method: Method::Post, path: String::new(), headers, body: Vec::new() };
        assert_eq!(Guard::new("").lets_in(&request), Err(Status::Unauthorized));
    }
}
