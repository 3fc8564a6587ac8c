//! Documents in one file: an archive of a text with a line for each, and of all their vectors.

use std::io::{Cursor, Read, Write};

use thiserror::Error;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::SharedDocument;

const DOCUMENTS: &str = "documents.jsonl";
const VECTORS: &str = "vectors.f32";
/// More than this is not unpacked: parts are made far smaller, and an archive may be made to burst.
pub(super) const MOST_BYTES: u64 = 1 << 30;

/// Why a part cannot be used.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct PartError(String);

impl PartError {
    pub(super) fn of(problem: impl ToString) -> Self {
        Self(problem.to_string())
    }
}

/// Writes documents into one file. The same documents give the same bytes.
pub fn pack(documents: &[SharedDocument]) -> Result<Vec<u8>, PartError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let text = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    archive.start_file(DOCUMENTS, text).map_err(PartError::of)?;
    for document in documents {
        archive.write_all(document.line.as_bytes()).map_err(PartError::of)?;
        archive.write_all(b"\n").map_err(PartError::of)?;
    }
    // Vectors are as good as random: packing them takes long and saves nothing.
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    archive.start_file(VECTORS, plain).map_err(PartError::of)?;
    for value in documents.iter().flat_map(|document| &document.vectors).flatten() {
        archive.write_all(&value.to_le_bytes()).map_err(PartError::of)?;
    }
    Ok(archive.finish().map_err(PartError::of)?.into_inner())
}

/// Reads the documents of a part.
pub fn unpack(bytes: &[u8]) -> Result<Vec<SharedDocument>, PartError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(PartError::of)?;
    let text = String::from_utf8(entry(&mut archive, DOCUMENTS)?).map_err(PartError::of)?;
    let vectors = entry(&mut archive, VECTORS)?;
    let mut documents = Vec::new();
    for line in text.lines() {
        documents.push(SharedDocument::new(line.to_owned(), Vec::new()).map_err(PartError::of)?);
    }
    let passages: usize = documents.iter().map(|document| document.content.passages.len()).sum();
    if passages == 0 {
        return Ok(documents);
    }
    let each = vectors.len() / passages;
    if each == 0 || !each.is_multiple_of(size_of::<f32>()) || each * passages != vectors.len() {
        return Err(PartError(format!("{passages} passages and {} bytes of vectors", vectors.len())));
    }
    let mut vectors = vectors.chunks_exact(each);
    for document in &mut documents {
        let own = vectors.by_ref().take(document.content.passages.len());
        document.vectors = own
            .map(values)
            .collect::<Option<_>>()
            .ok_or_else(|| PartError("a vector holds something that is no number".to_owned()))?;
    }
    Ok(documents)
}

fn values(bytes: &[u8]) -> Option<Vec<f32>> {
    let (values, _) = bytes.as_chunks::<{ size_of::<f32>() }>();
    let values = values.iter().map(|bytes| f32::from_le_bytes(*bytes));
    values.map(|value| value.is_finite().then_some(value)).collect()
}

fn entry(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str) -> Result<Vec<u8>, PartError> {
    let file = archive.by_name(name).map_err(PartError::of)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(PartError::of)?;
    Ok(bytes)
}
