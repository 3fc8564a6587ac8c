//! Changes of settings and thresholds: only what differs from the defaults is written, all of it or nothing.

use std::path::Path;

use plumbline_core::settings::{MeantFor, Settings, Sources, Thresholds};

use crate::{THRESHOLDS, WorkspaceError, WorkspaceOptions, text_if_there};

/// Writes settings, `section.key` and value; back to the default where there is no value. What the environment or a flag
/// gives stays there. Nothing is written where one of them is wrong.
pub fn change_settings(
    options: &WorkspaceOptions,
    changes: &[(String, Option<String>)],
) -> Result<(), WorkspaceError> {
    let path = options.settings_path()?;
    let user_file = options.user_file()?;
    let known = user_file.as_ref().map_or("", |(_, text)| text.as_str());
    let given: Vec<(String, String)> =
        changes.iter().filter_map(|(key, value)| Some((key.clone(), value.clone()?))).collect();
    let cleared: Vec<&str> =
        changes.iter().filter(|(_, value)| value.is_none()).map(|(key, _)| key.as_str()).collect();
    let written = Settings::changed_file(&path, known, &given, &cleared)?;
    // What is sound in the file alone may not be beside what the environment gives.
    Settings::resolve(Sources {
        user_file: Some((path.clone(), written.clone())),
        environment: options.environment.clone(),
        flags: options.flags.clone(),
    })?;
    replace(&path, &written)
}

/// Writes thresholds for an embedder: collection with scorer, name and value; back to the built-in one where there is no value.
pub fn change_thresholds(
    options: &WorkspaceOptions,
    embedder: MeantFor<'_>,
    changes: &[(String, String, Option<f64>)],
) -> Result<(), WorkspaceError> {
    let path = options.folder()?.join(THRESHOLDS);
    let known = text_if_there(&path)?.map(|(_, text)| text).unwrap_or_default();
    let written = Thresholds::changed_file(embedder, &path.to_string_lossy(), &known, changes)?;
    replace(&path, &written)
}

/// A reader sees the file as it was or as it is, never half of it.
fn replace(path: &Path, text: &str) -> Result<(), WorkspaceError> {
    let failed = |source| WorkspaceError::File { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let new = path.with_extension("new");
    std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, path)).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workspace;

    fn options(folder: &Path) -> WorkspaceOptions {
        WorkspaceOptions { folder: Some(folder.to_owned()), ..WorkspaceOptions::default() }
    }

    fn change(key: &str, value: Option<&str>) -> (String, Option<String>) {
        (key.to_owned(), value.map(str::to_owned))
    }

    #[test]
    fn only_what_differs_is_written_and_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path());
        change_settings(&options, &[change("general.language", Some("nl"))]).unwrap();
        change_settings(&options, &[change("retrieval.total_chunks", Some("8"))]).unwrap();
        let text = std::fs::read_to_string(folder.path().join("settings.toml")).unwrap();
        assert_eq!(text.lines().filter(|line| line.contains('=')).count(), 2, "{text}");
        let settings = Workspace::open(options.clone()).unwrap().settings().clone();
        assert_eq!((settings.general.language.code(), settings.retrieval.total_chunks), ("nl", 8));
        change_settings(&options, &[change("general.language", None)]).unwrap();
        assert_eq!(Workspace::open(options).unwrap().settings().general.language.code(), "en");
    }

    #[test]
    fn one_wrong_value_keeps_all_of_them_out() {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path());
        let changes =
            [change("general.privacy", Some("true")), change("vocabulary.timeout_ms", Some("soon"))];
        let problem = change_settings(&options, &changes).unwrap_err().to_string();
        assert!(problem.contains("vocabulary.timeout_ms"), "{problem}");
        assert!(!folder.path().join("settings.toml").exists());
        assert!(
            change_settings(&options, &[change("general.colour", None)]).is_err(),
            "nothing is silently ignored"
        );
    }

    #[test]
    fn what_the_environment_gives_stays_in_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let environment = vec![("RAG_TOTAL_CONTEXT_CHUNKS".to_owned(), "7".to_owned())];
        let options = WorkspaceOptions { environment, ..options(folder.path()) };
        change_settings(&options, &[change("general.privacy", Some("true"))]).unwrap();
        let text = std::fs::read_to_string(folder.path().join("settings.toml")).unwrap();
        assert!(!text.contains("total_chunks"), "{text}");
    }

    #[test]
    fn thresholds_are_changed_one_by_one_and_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path());
        let change = |field: &str, value| ("ADR_Local".to_owned(), field.to_owned(), value);
        let single_hit = || {
            let workspace = Workspace::open(options.clone()).unwrap();
            let rows = workspace.thresholds(None).unwrap().rows();
            rows.into_iter().find(|(name, _)| name == "ADR_Local").unwrap().1.single_hit
        };
        let before = single_hit();
        change_thresholds(&options, MeantFor::ANY, &[change("single_hit", Some(0.77))]).unwrap();
        assert!((single_hit() - 0.77).abs() < 1e-6);
        assert!(change_thresholds(&options, MeantFor::ANY, &[change("single_hit", Some(1.5))]).is_err());
        assert!(change_thresholds(&options, MeantFor::ANY, &[change("double_hit", Some(0.5))]).is_err());
        assert!((single_hit() - 0.77).abs() < 1e-6, "a refused change changes nothing");
        change_thresholds(&options, MeantFor::ANY, &[change("single_hit", None)]).unwrap();
        assert!((single_hit() - before).abs() < 1e-6);
    }
}
