//! Which golden set is asked: the user's own file, else the sample library's.

use std::path::{Path, PathBuf};

use plumbline_contract::{CommandError, GoldenSet, GoldenSetOrigin, HostErrorCode};
use plumbline_evaluation::golden::{GoldenFile, GoldenFileError};
use plumbline_telemetry::sha256_hex;

use crate::Host;
use crate::error::failed;
use crate::locks::lock;
use crate::numbers::count;
use crate::texts::Texts;

/// The fact that holds the file of the user's own golden set.
pub(crate) const GOLDEN_SET: &str = "golden_set";
/// The sample library's golden set, beside its folder.
const SAMPLE_SET: &str = "evaluation/golden_queries.jsonl";

/// Reads a golden set.
pub(crate) fn read_set(path: &Path, texts: Texts) -> Result<GoldenFile, CommandError> {
    GoldenFile::read(path).map_err(|problem| {
        let code = match problem {
            GoldenFileError::Unreadable { .. } => HostErrorCode::File,
            GoldenFileError::Invalid { .. } => HostErrorCode::InvalidInput,
        };
        failed(code, problem.detail().text(texts.language))
    })
}

/// A golden set as the window names it.
pub(crate) fn info_of(origin: GoldenSetOrigin, file: &GoldenFile) -> GoldenSet {
    GoldenSet {
        origin,
        path: file.path.display().to_string(),
        version: file.version.clone(),
        sha256: hash_of(file),
        questions: count(file.set.queries.len()),
    }
}

/// By this, runs of the same questions are known.
pub(crate) fn hash_of(file: &GoldenFile) -> String {
    sha256_hex(&file.text)
}

impl Host {
    /// The file of the golden set: the one that was chosen, else the sample's.
    pub(crate) fn golden_set_file(&self) -> Result<Option<(GoldenSetOrigin, PathBuf)>, CommandError> {
        let chosen = self.history()?.fact::<PathBuf>(GOLDEN_SET)?;
        let chosen = chosen.map(|file| (GoldenSetOrigin::Own, file));
        Ok(chosen.or_else(|| Some((GoldenSetOrigin::Sample, self.sample_golden_set()?))))
    }

    /// The sample library's golden set, where the library holds the sample.
    pub(crate) fn sample_golden_set(&self) -> Option<PathBuf> {
        let sample =
            self.inner.options.sample_library.as_ref().filter(|_| lock(&self.inner.state).sample_library);
        sample?.parent().map(|folder| folder.join(SAMPLE_SET)).filter(|file| file.is_file())
    }
}
