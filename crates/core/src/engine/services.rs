//! What the stages reach the world through: ports, settings, counters and breakers.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use plumbline_telemetry::{Metrics, sha256_hex};

use super::reading_rates::ReadingRates;
use super::{Configuration, Ports};
use crate::breaker::Breakers;
use crate::error::AskError;
use crate::ports::{LanguageModel, PortError};
use crate::request::AskRequest;
use crate::settings::{ModelAllowance, Settings, Thresholds};

/// All that is shared by the questions of one engine.
pub(super) struct Services {
    pub ports: Ports,
    pub configuration: Configuration,
    pub metrics: Metrics,
    pub breakers: Breakers,
    pub reading_rates: ReadingRates,
}

impl Services {
    pub fn new(ports: Ports, configuration: Configuration, metrics: Metrics) -> Self {
        let breakers = Breakers::new(configuration.settings.breaker, &ports.clock, &metrics);
        Self { ports, configuration, metrics, breakers, reading_rates: ReadingRates::default() }
    }

    pub fn settings(&self) -> &Settings {
        &self.configuration.settings
    }

    pub fn thresholds(&self) -> &Thresholds {
        &self.configuration.thresholds
    }

    /// A digest of settings and thresholds.
    pub fn config_hash(&self) -> String {
        let parts = [self.settings().config_hash(), self.thresholds().config_hash()];
        sha256_hex(parts.concat())
    }

    /// The model that is to write the answer, where there is one.
    pub fn writer(&self, request: &AskRequest) -> Option<(String, Arc<dyn LanguageModel>)> {
        let wanted = request.model.clone().or_else(|| self.settings().models.answer.clone());
        wanted.zip(self.ports.model.clone())
    }

    pub fn check_allowed(&self, model: &str) -> Result<ModelAllowance, AskError> {
        let allowed = &self.settings().models.allow;
        allowed.get(model).copied().ok_or_else(|| AskError::ModelNotAllowed {
            model: model.to_owned(),
            allowed: allowed.keys().cloned().collect(),
        })
    }

    /// A search, within the time that a lane has.
    pub async fn within_deadline<T>(
        &self,
        service: &'static str,
        work: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        within(self.settings().retrieval.lane_deadline_ms, service, work).await
    }

    /// Reading dozens of passages or sentences takes longer than a search.
    pub async fn within_reading_deadline<T>(
        &self,
        service: &'static str,
        work: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        within(self.settings().retrieval.rerank_deadline_ms, service, work).await
    }

    /// Today by the library's own account, or by the clock.
    pub fn today(&self) -> jiff::civil::Date {
        let clock = || self.ports.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date();
        self.ports.catalogue.as_of().unwrap_or_else(clock)
    }
}

async fn within<T>(
    ms: u64,
    service: &'static str,
    work: impl Future<Output = Result<T, PortError>>,
) -> Result<T, PortError> {
    tokio::time::timeout(Duration::from_millis(ms), work)
        .await
        .unwrap_or(Err(PortError::Timeout { service, ms }))
}
