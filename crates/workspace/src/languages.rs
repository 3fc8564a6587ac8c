//! Languages beside the program's own: a folder with a folder for each, read for core.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use plumbline_core::language::{self, AddedLanguages, FOLDER_VARIABLE, LanguageFiles, PackError};

/// Takes the program's own languages, and those in the folder that `PLUMBLINE_LANGUAGES` names. Called before anything else.
pub fn start_languages() -> Result<(), PackError> {
    let folder = std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    language::start(folder.as_deref().map(languages_in).transpose()?)
}

/// The languages in a folder, each a folder of its own, in the order of their codes.
pub fn languages_in(folder: &Path) -> Result<AddedLanguages, PackError> {
    let mut languages = Vec::new();
    for path in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        let mut files = BTreeMap::new();
        let is_toml = |file: &PathBuf| file.extension().is_some_and(|end| end == "toml");
        for file in entries(&path)?.into_iter().filter(is_toml) {
            let text = fs::read_to_string(&file).map_err(|problem| unreadable(&file, &problem))?;
            files.insert(name(&file), text);
        }
        languages.push(LanguageFiles { code: name(&path), folder: path.display().to_string(), files });
    }
    Ok(AddedLanguages { folder: folder.display().to_string(), languages })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, PackError> {
    let read = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>();
    let mut paths = read().map_err(|problem: io::Error| unreadable(folder, &problem))?;
    paths.sort();
    Ok(paths)
}

fn unreadable(path: &Path, problem: &io::Error) -> PackError {
    PackError::Unreadable { path: path.display().to_string(), problem: problem.to_string() }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
