//! Documents without their passages, for those who read these where they lie.

use std::io::{Cursor, Read, Write};

use serde::{Deserialize, Serialize};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::part::{MOST_BYTES, PartError};
use super::{SharedContent, SharedDocument};

const OUTLINES: &str = "outlines.jsonl";

/// A line of such a file.
#[derive(Serialize, Deserialize)]
struct Outline {
    /// The digest of the whole document.
    digest: String,
    document: SharedContent,
}

/// Writes what documents say of themselves into one file. The same documents give the same bytes.
pub fn pack_outlines(documents: &[SharedDocument], fingerprint: &str) -> Result<Vec<u8>, PartError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let text = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    archive.start_file(OUTLINES, text).map_err(PartError::of)?;
    for document in documents {
        let content = SharedContent { passages: Vec::new(), ..document.content.clone() };
        let outline = Outline { digest: document.digest(fingerprint), document: content };
        let line = serde_json::to_string(&outline).map_err(PartError::of)?;
        archive.write_all(line.as_bytes()).and_then(|()| archive.write_all(b"\n")).map_err(PartError::of)?;
    }
    Ok(archive.finish().map_err(PartError::of)?.into_inner())
}

/// Reads such a file: documents that have the digests of whole ones and no passages.
pub fn unpack_outlines(bytes: &[u8]) -> Result<Vec<SharedDocument>, PartError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(PartError::of)?;
    let mut text = String::new();
    let file = archive.by_name(OUTLINES).map_err(PartError::of)?;
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(PartError::of)?;
    let outline = |line: &str| -> Result<SharedDocument, serde_json::Error> {
        let Outline { digest, document } = serde_json::from_str(line)?;
        Ok(SharedDocument {
            line: line.to_owned(),
            content: document,
            vectors: Vec::new(),
            outline_of: Some(digest),
        })
    };
    text.lines().map(|line| outline(line).map_err(PartError::of)).collect()
}
