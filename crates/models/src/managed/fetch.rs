//! A download that goes on where it broke off, and that is kept only where it is what it should be.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, Response, StatusCode, Url, redirect};
use sha2::{Digest, Sha256};

use super::{Download, ManagedError};

const CONNECT: Duration = Duration::from_secs(15);
/// Nothing arrives for so long: the connection is given up and made anew.
const STALL: Duration = Duration::from_secs(60);
/// Connections in a row that bring nothing.
const FRUITLESS: usize = 3;
const PAUSE: Duration = Duration::from_millis(500);
/// As many as browsers follow, about.
const REDIRECTS: usize = 10;

/// How far a download is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchProgress {
    /// Bytes arrive.
    Fetching {
        /// How many are here.
        done: u64,
        /// How many there are, where that is known.
        total: Option<u64>,
    },
    /// What arrived is held against its hash.
    Checking,
}

/// Downloads a file, or what is missing of it. Dropping this stops it; what is here stays for the next time.
pub async fn fetch(wanted: &Download, progress: &(dyn Fn(FetchProgress) + Sync)) -> Result<(), ManagedError> {
    let part = wanted.file.with_extension("part");
    if !wanted.file.is_file() {
        if let Some(folder) = part.parent() {
            std::fs::create_dir_all(folder).map_err(|problem| ManagedError::file(folder, &problem))?;
        }
        let client = client().map_err(|problem| wanted.failed(problem.to_string()))?;
        let mut fruitless = 0;
        loop {
            let before = length(&part);
            match arrive(&client, wanted, &part, progress).await {
                Ok(()) => break,
                Err(Broken::ForGood(problem)) => return Err(problem),
                Err(Broken::Connection(why)) => {
                    fruitless = if length(&part) > before { 0 } else { fruitless + 1 };
                    if fruitless >= FRUITLESS {
                        return Err(wanted.failed(why));
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        progress(FetchProgress::Checking);
        keep_if_right(wanted, part).await?;
    }
    Ok(())
}

enum Broken {
    /// Another connection may bring the rest.
    Connection(String),
    ForGood(ManagedError),
}

fn client() -> reqwest::Result<Client> {
    // Where another part of the program was first, its provider is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("plumbline/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .read_timeout(STALL)
        // Stores of models send on to others. What comes from there is known by its hash, but nobody on the way need see more
        // than they must.
        .redirect(redirect::Policy::custom(|attempt| {
            let was_secure = attempt.previous().last().is_some_and(|url| url.scheme() == "https");
            if was_secure && attempt.url().scheme() != "https" {
                return attempt.error("a redirect to an address that is not encrypted");
            }
            if attempt.previous().len() > REDIRECTS {
                attempt.error("too many redirects")
            } else {
                attempt.follow()
            }
        }))
        .build()
}

/// One connection: as much as it brings is appended to the part.
async fn arrive(
    client: &Client,
    wanted: &Download,
    part: &Path,
    progress: &(dyn Fn(FetchProgress) + Sync),
) -> Result<(), Broken> {
    let address =
        Url::parse(&wanted.address).map_err(|problem| Broken::ForGood(wanted.failed(problem.to_string())))?;
    let here = length(part);
    let mut request = client.get(address);
    if here > 0 {
        request = request.header(RANGE, format!("bytes={here}-"));
    }
    let mut response = request.send().await.map_err(|problem| Broken::Connection(cause(&problem)))?;
    let failed = |problem: std::io::Error| Broken::ForGood(ManagedError::file(part, &problem));
    let mut done = match response.status() {
        StatusCode::PARTIAL_CONTENT if begins_at(&response) == Some(here) => here,
        // It sends all of it again, or another part than was asked for.
        StatusCode::OK => 0,
        // All of it is here, or more than there is: the hash tells.
        StatusCode::RANGE_NOT_SATISFIABLE if here > 0 => return Ok(()),
        status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
            return Err(Broken::Connection(status.to_string()));
        }
        status => return Err(Broken::ForGood(wanted.failed(status.to_string()))),
    };
    let total = response.content_length().map(|rest| done + rest);
    let mut file =
        OpenOptions::new().create(true).write(true).truncate(done == 0).append(done > 0).open(part);
    let file =
        file.as_mut().map_err(|problem| failed(std::io::Error::new(problem.kind(), problem.to_string())))?;
    loop {
        progress(FetchProgress::Fetching { done, total });
        match response.chunk().await {
            Ok(Some(bytes)) => {
                file.write_all(&bytes).map_err(failed)?;
                done += bytes.len() as u64;
            }
            Ok(None) if total.is_none_or(|total| done >= total) => return file.sync_all().map_err(failed),
            Ok(None) => return Err(Broken::Connection("the connection ended".to_owned())),
            Err(problem) => return Err(Broken::Connection(cause(&problem))),
        }
    }
}

fn begins_at(response: &Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split('-').next()?.trim().parse().ok()
}

/// What lies at the bottom of a failure; the layers above it say less.
fn cause(problem: &reqwest::Error) -> String {
    let mut deepest: &dyn std::error::Error = problem;
    while let Some(below) = deepest.source() {
        deepest = below;
    }
    deepest.to_string()
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map(|found| found.len()).unwrap_or_default()
}

async fn keep_if_right(wanted: &Download, part: PathBuf) -> Result<(), ManagedError> {
    let (file, expected) = (wanted.file.clone(), wanted.sha256.clone());
    let checking = tokio::task::spawn_blocking(move || {
        let failed = |problem: std::io::Error| ManagedError::file(&part, &problem);
        let found = hash(&part).map_err(failed)?;
        if found == expected {
            return std::fs::rename(&part, &file).map_err(failed);
        }
        std::fs::remove_file(&part).map_err(failed)?;
        Err(ManagedError::WrongHash { expected, found })
    });
    checking.await.unwrap_or_else(|problem| Err(wanted.failed(problem.to_string())))
}

fn hash(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut block = vec![0; 1 << 20];
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            Ok(read) => digest.update(&block[..read]),
            Err(problem) if problem.kind() == ErrorKind::Interrupted => {}
            Err(problem) => return Err(problem),
        }
    }
}

impl Download {
    fn failed(&self, why: String) -> ManagedError {
        // An address may hold a secret behind its question mark.
        let address = self.address.split(['?', '#']).next().unwrap_or_default().to_owned();
        ManagedError::Download { address, why: why.into() }
    }
}
