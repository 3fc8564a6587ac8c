//! Requests as they come in: a head of a certain size, and a body whose length is said beforehand.

use tokio::io::{AsyncRead, AsyncReadExt};

use super::response::Status;
use crate::stdio::LONGEST_MESSAGE;

const LONGEST_HEAD: usize = 16 * 1024;
const MOST_HEADERS: usize = 64;

/// What is asked for; nothing else is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Post,
    Delete,
    Other,
}

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    pub method: Method,
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header; nothing where it is given twice, since two readers would take different ones.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let first = found.next()?;
        if found.next().is_some() { None } else { Some(first.1.as_str()) }
    }
}

/// The next request of a connection, or nothing where it ends. `ahead` is what was read beyond the last one.
pub(super) async fn read(
    stream: &mut (impl AsyncRead + Unpin),
    ahead: &mut Vec<u8>,
) -> Result<Option<Request>, Status> {
    let (mut request, head) = loop {
        match parsed(ahead)? {
            Some(found) => break found,
            None if ahead.len() > LONGEST_HEAD => return Err(Status::HeadTooLarge),
            None => {}
        }
        if stream.read_buf(ahead).await.unwrap_or(0) == 0 {
            return Ok(None);
        }
    };
    let length = length_of(&request)?;
    while ahead.len() < head + length {
        if stream.read_buf(ahead).await.unwrap_or(0) == 0 {
            return Ok(None);
        }
    }
    let rest = ahead.split_off(head + length);
    request.body = ahead.split_off(head);
    *ahead = rest;
    Ok(Some(request))
}

/// The head, once it is whole, and how many bytes it takes.
fn parsed(bytes: &[u8]) -> Result<Option<(Request, usize)>, Status> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(head)) if head <= LONGEST_HEAD => head,
        Ok(httparse::Status::Complete(_)) => return Err(Status::HeadTooLarge),
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(Status::HeadTooLarge),
        Err(_) => return Err(Status::BadRequest),
    };
    let method = match parsed.method {
        Some("POST") => Method::Post,
        Some("DELETE") => Method::Delete,
        _ => Method::Other,
    };
    let mut kept = Vec::new();
    for header in parsed.headers.iter() {
        let value = std::str::from_utf8(header.value).map_err(|_| Status::BadRequest)?;
        kept.push((header.name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let path = parsed.path.unwrap_or_default();
    let path = path.split_once('?').map_or(path, |(path, _)| path).to_owned();
    Ok(Some((Request { method, path, headers: kept, body: Vec::new() }, head)))
}

fn length_of(request: &Request) -> Result<usize, Status> {
    let has = |name: &str| request.headers.iter().any(|(known, _)| known == name);
    // Of a length and pieces together, two readers would take different ones.
    if has("transfer-encoding") {
        return Err(Status::LengthRequired);
    }
    match (has("content-length"), request.method) {
        (true, _) => {
            let length =
                request.header("content-length").filter(|length| length.bytes().all(|b| b.is_ascii_digit()));
            match length.and_then(|length| length.parse::<usize>().ok()) {
                Some(length) if length <= LONGEST_MESSAGE => Ok(length),
                Some(_) => Err(Status::ContentTooLarge),
                None => Err(Status::BadRequest),
            }
        }
        (false, Method::Post) => Err(Status::LengthRequired),
        (false, _) => Ok(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn of(bytes: &[u8]) -> Result<Option<Request>, Status> {
        let (mut stream, mut ahead) = (bytes, Vec::new());
        read(&mut stream, &mut ahead).await
    }

    #[tokio::test]
    async fn requests_follow_each_other_on_one_connection() {
        let mut stream: &[u8] =
            b"POST /mcp?x=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}DELETE /mcp HTTP/1.1\r\n\r\n";
        let mut ahead = Vec::new();
        let first = read(&mut stream, &mut ahead).await.unwrap().unwrap();
        assert_eq!(
            (first.method, first.path.as_str(), first.body.as_slice()),
            (Method::Post, "/mcp", &b"{}"[..])
        );
        assert_eq!(first.header("host"), Some("localhost"));
        assert_eq!(read(&mut stream, &mut ahead).await.unwrap().unwrap().method, Method::Delete);
        assert!(read(&mut stream, &mut ahead).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn what_two_readers_could_read_differently_is_refused() {
        for (head, status) in [
            ("POST / HTTP/1.1\r\n\r\n", Status::LengthRequired),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", Status::LengthRequired),
            (
                "POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
                Status::LengthRequired,
            ),
            ("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n", Status::BadRequest),
            ("POST / HTTP/1.1\r\nContent-Length: +2\r\n\r\n", Status::BadRequest),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", Status::ContentTooLarge),
            ("\x00\x01\x02 garbage\r\n\r\n", Status::BadRequest),
        ] {
            assert_eq!(of(head.as_bytes()).await.unwrap_err(), status, "{head:?}");
        }
        let endless = format!("POST / HTTP/1.1\r\nX: {}", "x".repeat(2 * LONGEST_HEAD));
        assert_eq!(of(endless.as_bytes()).await.unwrap_err(), Status::HeadTooLarge);
        let many = format!("POST / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(200));
        assert_eq!(of(many.as_bytes()).await.unwrap_err(), Status::HeadTooLarge);
    }

    #[tokio::test]
    async fn a_header_that_is_given_twice_says_nothing() {
        let request =
            of(b"DELETE / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n").await.unwrap().unwrap();
        assert_eq!(request.header("host"), None);
    }
}
