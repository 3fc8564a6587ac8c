//! The views of settings and thresholds.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumbline_contract::{
    CommandError, CommandErrorCode, ErrorCode, SettingChange, SettingOrigin, Settings, SettingsReport,
    ThresholdChange, ThresholdRow,
};
use plumbline_core::domain::{Collection, EmbedderFamily};
use plumbline_core::messages::Message;
use plumbline_core::ports::Catalogue;
use plumbline_core::settings::{CollectionThresholds, Origin, Thresholds};
use plumbline_workspace::{WorkspaceError, change_settings, change_thresholds};

use crate::Host;
use crate::error::{invalid, of_port, of_workspace};

impl Host {
    /// The settings in force.
    pub async fn settings(&self) -> Result<SettingsReport, CommandError> {
        let workspace = &self.open()?.workspace;
        let origins = workspace.setting_origins().iter().filter_map(|(key, origin)| {
            let origin = match origin {
                Origin::Default => return None,
                Origin::File(_) => SettingOrigin::File,
                Origin::Variable(_) => SettingOrigin::Environment,
                Origin::Flag(_) => SettingOrigin::Flag,
            };
            Some((key.clone(), origin))
        });
        Ok(SettingsReport {
            settings: workspace.given_settings().clone(),
            defaults: Settings::default(),
            origins: origins.collect(),
        })
    }

    /// Writes settings, all or none of them.
    pub async fn change_settings(&self, changes: Vec<SettingChange>) -> Result<SettingsReport, CommandError> {
        let before = self.open()?;
        for change in &changes {
            if let Some(origin @ (Origin::Variable(_) | Origin::Flag(_))) =
                before.workspace.setting_origins().get(&change.key)
            {
                let origin = origin.detail().text(self.texts().language);
                let values = [("key", change.key.as_str()), ("origin", origin.as_str())];
                let message = self.texts().say(Message::RefusedSettingFixed, &values);
                return Err(CommandError { code: CommandErrorCode::Engine(ErrorCode::Settings), message });
            }
        }
        let options = self.inner.options.workspace.clone();
        let changes: Vec<(String, Option<String>)> =
            changes.into_iter().map(|change| (change.key, change.value)).collect();
        let written = self.blocking(move || change_settings(&options, &changes)).await?;
        written.map_err(|problem| of_workspace(&problem, self.texts()))?;
        self.reopen_settings(false).await?;
        self.follow_own_model().await;
        let models = |settings: &Settings| settings.models.embedder.clone();
        if models(before.workspace.settings()) != models(self.open()?.workspace.settings()) {
            self.want_indexing_if_any_folder().await;
        }
        self.settings().await
    }

    /// The thresholds by collection and scorer.
    pub async fn thresholds(&self) -> Result<Vec<ThresholdRow>, CommandError> {
        let open = self.open()?;
        let built_in = Thresholds::default();
        let family = open.opened.embedder.as_ref().map_or(EmbedderFamily::Lexical, |one| one.key.family);
        let used = match open.library() {
            Some(library) => {
                library.collections(&self.scope()).await.map_err(|problem| of_port(&problem, self.texts()))?
            }
            None => Vec::new(),
        };
        let in_force = open
            .workspace
            .thresholds(open.opened.embedder.as_ref())
            .map_err(|problem| of_workspace(&problem, self.texts()))?;
        let mut rows: BTreeMap<String, ThresholdRow> = BTreeMap::new();
        let row = |name: &str, values: CollectionThresholds, defaults: CollectionThresholds| ThresholdRow {
            name: name.to_owned(),
            values,
            defaults,
            calibrated: None,
            in_use: used.iter().any(|collection| collection.qualified(family) == name),
        };
        for (name, values) in in_force.rows() {
            let defaults = defaults_of(&built_in, &name).unwrap_or(values);
            rows.insert(name.clone(), row(&name, values, defaults));
        }
        for collection in &used {
            let name = collection.qualified(family);
            let values = *in_force.for_collection(collection, family);
            let defaults = *built_in.for_collection(collection, family);
            rows.entry(name.clone()).or_insert_with(|| row(&name, values, defaults));
        }
        let mut rows: Vec<ThresholdRow> = rows.into_values().collect();
        rows.sort_by_key(|row| !row.in_use);
        Ok(rows)
    }

    /// Writes thresholds, all or none of them.
    pub async fn change_thresholds(
        &self,
        changes: Vec<ThresholdChange>,
    ) -> Result<Vec<ThresholdRow>, CommandError> {
        let opened = Arc::clone(&self.open()?.opened);
        let options = self.inner.options.workspace.clone();
        let changes: Vec<(String, String, Option<f64>)> =
            changes.into_iter().map(|change| (change.name, change.field, change.value)).collect();
        let written = self.blocking(move || change_thresholds(&options, opened.meant_for(), &changes));
        let written = written.await?;
        written.map_err(|problem| match problem {
            WorkspaceError::Settings(problem) => invalid(problem.detail().text(self.texts().language)),
            problem => of_workspace(&problem, self.texts()),
        })?;
        self.reopen_settings(false).await?;
        self.thresholds().await
    }
}

/// What holds for a name such as `ADR_Local` where no file says otherwise.
fn defaults_of(built_in: &Thresholds, name: &str) -> Option<CollectionThresholds> {
    let (collection, suffix) = name.rsplit_once('_')?;
    let families = [EmbedderFamily::Local, EmbedderFamily::Ollama, EmbedderFamily::Lexical];
    let family = families.into_iter().find(|family| family.as_str() == suffix)?;
    Some(*built_in.for_collection(&Collection::new(collection), family))
}
