use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

/// A target's path and its parameters, decoded and sorted: the way it was encoded makes no difference.
type DecodedTarget = (String, Vec<(String, String)>);

/// The parameters that choose how an answer is worded and not what is asked for.
const WORDING: [&str; 7] = ["lang", "labellang", "fields", "unique", "type", "maxhits", "vocab"];

/// A request and what a real server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What it is called among the recordings; empty for look-ups.
    pub name: String,
    /// `GET`, but for a few about the protocol.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The status.
    pub status: u16,
    /// The content type.
    pub content_type: String,
    /// Where it redirects to.
    pub location: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

impl Exchange {
    /// An answer that is not recorded.
    pub fn text(status: u16, content_type: &str, body: &str) -> Self {
        Self {
            name: String::new(),
            method: "GET".to_owned(),
            target: String::new(),
            status,
            content_type: content_type.to_owned(),
            location: None,
            body: body.as_bytes().to_vec(),
        }
    }

    /// Whether the server said that this is JSON.
    pub fn is_json(&self) -> bool {
        let kind = self.content_type.split(';').next().unwrap_or_default();
        matches!(kind, "application/json" | "application/ld+json")
    }

    /// The path, without the query, decoded.
    pub fn path(&self) -> String {
        parts(&self.target).0
    }

    /// A parameter of the request, decoded.
    pub fn parameter(&self, name: &str) -> Option<String> {
        parts(&self.target).1.into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Reads a recording, whole or as one line of look-ups.
    pub fn from_json(value: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let header = |wanted: &str| -> Option<String> {
            let pairs: Vec<(String, String)> = match value.get("headers")? {
                Value::Array(list) => list.iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect(),
                Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
                _ => Vec::new(),
            };
            pairs.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
        };
        let url = match value.get("path") {
            Some(path) => text(path),
            None => text(&value["request"]["url"]),
        };
        let target = match url.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or_else(String::new, |at| rest[at..].to_owned()),
            None => url,
        };
        Self {
            name: text(&value["name"]),
            method: value["request"]["method"].as_str().unwrap_or("GET").to_owned(),
            target,
            status: u16::try_from(value["status"].as_u64().unwrap()).unwrap(),
            content_type: header("content-type").unwrap_or_default(),
            location: header("location"),
            body: text(&value["body"]).into_bytes(),
        }
    }
}

/// Exchanges by what they ask for. The first of several with one request stays.
#[derive(Debug, Clone, Default)]
pub struct Recordings {
    exchanges: Vec<Exchange>,
    exact: HashMap<DecodedTarget, usize>,
    loose: HashMap<DecodedTarget, Vec<usize>>,
    loosely: bool,
    empty_searches: bool,
}

impl Recordings {
    /// Every recording of a folder, by name.
    pub fn folder(folder: &Path) -> Self {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
        files.sort();
        let read =
            |path| Exchange::from_json(&serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap());
        Self::of(files.iter().map(read))
    }

    /// The recordings of a file that has one on each line.
    pub fn lines(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        Self::of(text.lines().map(|line| Exchange::from_json(&serde_json::from_str(line).unwrap())))
    }

    /// These exchanges.
    pub fn of(exchanges: impl IntoIterator<Item = Exchange>) -> Self {
        exchanges.into_iter().fold(Self::default(), Self::with)
    }

    /// One more.
    pub fn with(mut self, exchange: Exchange) -> Self {
        let at = self.exchanges.len();
        // A recording about a failing store stands beside that of a sound one; a test asks for it by name.
        if exchange.method == "GET" && !exchange.name.starts_with("backend-") {
            let asked = parts(&exchange.target);
            self.loose.entry(without_wording(&asked)).or_default().push(at);
            self.exact.entry(asked).or_insert(at);
        }
        self.exchanges.push(exchange);
        self
    }

    /// A JSON answer that a test makes up.
    pub fn with_json(self, target: &str, body: &str) -> Self {
        let exchange =
            Exchange { target: target.to_owned(), ..Exchange::text(200, "application/json", body) };
        self.with(exchange)
    }

    /// All of another set too.
    pub fn and(self, other: Self) -> Self {
        other.exchanges.into_iter().fold(self, Self::with)
    }

    /// A request that differs from a recorded one only in how the answer is worded gets that one. For recordings that
    /// were not made with a client's own requests.
    pub fn loosely(mut self) -> Self {
        self.loosely = true;
        self
    }

    /// A search that is not recorded finds nothing, as a real server says it.
    pub fn and_nothing_else(mut self) -> Self {
        self.empty_searches = true;
        self
    }

    /// The exchanges, in order.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// A recording by its name.
    pub fn named(&self, name: &str) -> Option<&Exchange> {
        self.exchanges.iter().find(|exchange| exchange.name == name)
    }

    /// What is answered to a request.
    pub fn answer(&self, target: &str) -> Option<Exchange> {
        let asked = parts(target);
        let at = self.exact.get(&asked).or_else(|| self.nearest(&asked));
        let nothing = || {
            let body = "{\"uri\":\"\",\"results\":[]}";
            let finds = self.empty_searches && asked.0.ends_with("/search");
            finds.then(|| Exchange::text(200, "application/json; charset=utf-8", body))
        };
        at.map(|at| self.exchanges[*at].clone()).or_else(nothing)
    }

    /// The recording with another wording: one that was not limited to a language either, or to the one asked for, or to
    /// English.
    fn nearest(&self, asked: &DecodedTarget) -> Option<&usize> {
        let same = self.loose.get(&without_wording(asked)).filter(|_| self.loosely)?;
        let language = asked.1.iter().find(|(name, _)| name == "labellang").map(|(_, value)| value.as_str());
        let spoken = |wanted: Option<&str>| {
            same.iter().find(|at| self.exchanges[**at].parameter("lang").as_deref() == wanted)
        };
        spoken(None).or_else(|| spoken(language)).or_else(|| spoken(Some("en"))).or_else(|| same.first())
    }
}

fn without_wording((path, pairs): &DecodedTarget) -> DecodedTarget {
    let kept = pairs.iter().filter(|(name, _)| !WORDING.contains(&name.as_str())).cloned();
    (path.clone(), kept.collect())
}

fn parts(target: &str) -> DecodedTarget {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let mut pairs: Vec<(String, String)> = pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(value))
        })
        .collect();
    pairs.sort();
    (decoded(path), pairs)
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = tail.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = hex.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        rest = tail;
        match (first, byte) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
