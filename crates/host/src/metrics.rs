//! The view of metrics.

mod curves;

use plumbline_contract::{
    BreakerStatus, CommandError, IndexFigures, Latency, LookupTally, MetricsFormat, MetricsSample,
    MetricsSnapshot, StageLatency, Tally, WatchedRates,
};
use plumbline_core::breaker::BreakerState;
use plumbline_telemetry::metrics::{CounterDef, HistogramDef, HistogramValue};
use plumbline_telemetry::{Snapshot, names};

use crate::Host;
use crate::clock::now;
use crate::error::{internal, of_library, of_workspace};

pub(crate) use curves::FILE as CURVES;

impl Host {
    /// All metrics at this moment.
    pub async fn metrics(&self) -> Result<MetricsSnapshot, CommandError> {
        let open = self.open()?;
        let counted = open.workspace.counted().map_err(|problem| of_workspace(&problem, self.texts()))?;
        let banner = open.engine().banner();
        let breakers = names::SERVICES.map(|service| {
            let off = banner.iter().find(|item| item.service == service);
            BreakerStatus {
                service: service.to_owned(),
                state: off.map_or(BreakerState::Closed, |item| item.state),
                trips: counted.value(&names::CIRCUIT_BREAKER_TRIP_TOTAL, [service]).unwrap_or(0.0),
                retry_in_seconds: off.map_or(0, |item| item.retry_in_seconds),
            }
        });
        let rates = counted.rates();
        let taken_at = now();
        let requests = tallies(&counted, &names::RAG_REQUEST_TOTAL);
        let latency = counted.histogram_total(&names::REQUEST_LATENCY_MS).as_ref().and_then(latency);
        let sample = MetricsSample {
            at: taken_at.clone(),
            requests: requests.iter().map(|tally| tally.count).sum(),
            p50: latency.as_ref().map(|latency| latency.p50),
            p95: latency.as_ref().map(|latency| latency.p95),
        };
        Ok(MetricsSnapshot {
            samples: curves::with(open.workspace.folder(), sample),
            taken_at,
            requests,
            answers: tallies(&counted, &names::RAG_ANSWER_TOTAL),
            latency,
            stages: stages(&counted, &names::STAGE_LATENCY_MS),
            abstentions: tallies(&counted, &names::RAG_ABSTENTION_TOTAL),
            lookups: lookups(&counted),
            breakers: breakers.into(),
            citations_kept: tallies(&counted, &names::CITATION_KEPT_TOTAL),
            citations_dropped: tallies(&counted, &names::CITATION_DROPPED_TOTAL),
            withheld: tallies(&counted, &names::SENTENCE_WITHHELD_TOTAL),
            feedback: tallies(&counted, &names::FEEDBACK_TOTAL),
            rates: WatchedRates {
                no_context: rates.no_context,
                fact_lookups_ok: rates.fact_lookups_ok,
                answers_with_sources: rates.answers_with_sources,
                mean_routing_confidence: rates.mean_routing_confidence,
                feedback_positive: rates.feedback_positive,
            },
            index: self.index_figures().await?,
        })
    }

    /// Asks where to, and writes the metrics there; the path, or nothing where the user changed their mind.
    pub async fn export_metrics(&self, format: MetricsFormat) -> Result<Option<String>, CommandError> {
        let open = self.open()?;
        let counted = open.workspace.counted().map_err(|problem| of_workspace(&problem, self.texts()))?;
        let (name, text) = match format {
            MetricsFormat::Json => ("plumbline-metrics.json", counted.to_json().map_err(internal)?),
            MetricsFormat::Prometheus => ("plumbline-metrics.prom", counted.to_prometheus_text()),
        };
        self.save(name, text).await
    }

    async fn index_figures(&self) -> Result<IndexFigures, CommandError> {
        let open = self.open()?;
        let embedder = open.opened.embedder.as_ref();
        let embedder = embedder.map_or_else(String::new, |one| one.name.text(self.texts().language));
        let Some(library) = open.library() else {
            return Ok(IndexFigures { documents: 0, passages: 0, generation: 0, embedder, bytes: 0 });
        };
        let status = library.status().await.map_err(|problem| of_library(&problem, self.texts()))?;
        Ok(IndexFigures {
            documents: status.documents.values().sum::<usize>() as u64,
            passages: status.chunks.values().sum(),
            generation: status.generation,
            embedder,
            bytes: status.bytes.values().sum(),
        })
    }
}

/// What a counter has counted, by its label.
fn tallies(counted: &Snapshot, counter: &CounterDef<1>) -> Vec<Tally> {
    let counts = counted.by_label(counter).into_iter().filter(|(_, count)| *count > 0.0);
    counts.map(|(label, count)| Tally { label, count }).collect()
}

fn stages(counted: &Snapshot, histogram: &HistogramDef<1>) -> Vec<StageLatency> {
    let stages = counted.histograms_by_label(histogram).into_iter();
    stages.filter_map(|(stage, value)| Some(StageLatency { stage, latency: latency(value)? })).collect()
}

fn latency(value: &HistogramValue) -> Option<Latency> {
    let percentiles = value.percentiles()?;
    Some(Latency { p50: percentiles.p50, p95: percentiles.p95, count: value.count })
}

fn lookups(counted: &Snapshot) -> Vec<LookupTally> {
    let of = |backend: &str| {
        let value = |counter: &CounterDef<1>| counted.value(counter, [backend]).unwrap_or(0.0);
        LookupTally {
            backend: backend.to_owned(),
            lookups: value(&names::SKOSMOS_LOOKUP_TOTAL),
            hits: value(&names::SKOSMOS_HIT_TOTAL),
            misses: value(&names::SKOSMOS_MISS_TOTAL),
            timeouts: value(&names::SKOSMOS_TIMEOUT_TOTAL),
            errors: value(&names::SKOSMOS_ERROR_TOTAL),
            cache_hits: value(&names::SKOSMOS_CACHE_HIT_TOTAL),
        }
    };
    ["embedded", "skosmos"]
        .map(of)
        .into_iter()
        .filter(|tally| tally.lookups > 0.0 || tally.cache_hits > 0.0)
        .collect()
}
