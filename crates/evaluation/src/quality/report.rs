use std::collections::BTreeMap;

use plumbline_core::engine::Engine;
use plumbline_core::ports::Clock;
use plumbline_core::response::{Action, AskResponse};
use serde::{Deserialize, Serialize};

use super::verdict::{Fault, Path, Verdict, judge};
use super::{AskedQuestion, unresolved_citations, unsupported_tokens};
use crate::golden::{Category, GoldenFile, GoldenQuery, Language, Route, blob_hash};
use crate::halves::Half;
use crate::retrieval::{mean, percentile};

/// What `eval golden` writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QualityReport {
    /// What was measured, with what.
    pub meta: Meta,
    /// How well it did.
    pub metrics: Metrics,
    /// Each question that was not answered as expected.
    pub failures: Vec<Failure>,
    /// Every answer, for whoever compares two reports; left out of a baseline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answered>,
}

/// A question with what was answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// Its id.
    pub id: String,
    /// The question.
    pub query: String,
    /// What was answered; absent where there was no response at all.
    pub answer: Option<String>,
    /// The passages that it cites, in their order.
    pub passages: Vec<String>,
    /// The documents that it cites or lists.
    pub cited: Vec<String>,
    /// The share of them that belong there.
    pub precision: Option<f64>,
    /// The share of the expected documents that are among them.
    pub recall: Option<f64>,
}

/// What was measured, with what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// When.
    pub timestamp: String,
    /// Of settings and thresholds.
    pub config_hash: String,
    /// The git blob hash of the set's file.
    pub golden_set_hash: String,
    /// Its version.
    pub golden_set_version: String,
    /// The fingerprint of the embedder.
    pub embedder: String,
    /// The model that answered; absent where answers are extracts.
    pub model: Option<String>,
    /// How many questions were asked.
    pub total_queries: usize,
    /// How many were answered as expected.
    pub pass_count: usize,
    /// How many were not.
    pub fail_count: usize,
}

impl Meta {
    /// What is measured by asking an engine a set. The counts come with the answers.
    pub fn of(
        file: &GoldenFile,
        engine: &Engine,
        embedder: String,
        model: Option<String>,
        clock: &dyn Clock,
    ) -> Self {
        Self {
            timestamp: clock.now().to_string(),
            config_hash: engine.config_hash(),
            golden_set_hash: blob_hash(&file.text),
            golden_set_version: file.version.clone(),
            embedder,
            model: model.or_else(|| engine.settings().models.answer.clone()),
            total_queries: 0,
            pass_count: 0,
            fail_count: 0,
        }
    }
}

/// How well it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Over all questions.
    pub overall: Score,
    /// By the collection that has the answer.
    pub by_collection: BTreeMap<String, Score>,
    /// By language: `en`, `nl`, and `cross_language` for questions in another language than their answer.
    pub by_language: BTreeMap<String, Score>,
    /// By half of the set, as the names of the expected documents have it; reports of earlier versions do not tell.
    #[serde(default)]
    pub by_half: BTreeMap<Half, Score>,
    /// By kind of question.
    pub by_category: BTreeMap<Category, CategoryReport>,
    /// How often it refused, and why.
    pub abstention: AbstentionReport,
    /// How long a question took.
    pub latency: LatencyReport,
    /// The same by the way that it went.
    pub latency_by_path: BTreeMap<Path, LatencyReport>,
    /// What the seed document asks for, and whether it holds.
    pub success: Vec<SuccessMetric>,
    /// What a model wrote and what became of it; absent without one.
    pub model: Option<ModelReport>,
}

/// Precision and recall over the documents that answers cite, as means over questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Of what is cited, the share that belongs there.
    pub precision: f64,
    /// Of what should be cited, the share that is; a wrong refusal counts as nothing found.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// How many questions.
    pub count: usize,
    /// How many of them were answered as expected; reports of earlier versions do not tell.
    #[serde(default)]
    pub passed: usize,
}

/// One kind of question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CategoryReport {
    /// How many there are.
    pub count: usize,
    /// How many were answered as expected.
    pub passed: usize,
    /// How many were refused.
    pub refused: usize,
}

/// How often it refused, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AbstentionReport {
    /// Of all questions.
    pub total_rate: f64,
    /// By reason.
    pub by_reason: BTreeMap<String, f64>,
    /// Refused, where an answer exists, of those where one does.
    pub false_refusals: f64,
    /// Answered, where refusing is right, of those where it is.
    pub false_answers: f64,
}

/// Times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyReport {
    /// Half of the questions took no longer.
    pub p50_ms: f64,
    /// 95 in a hundred.
    pub p95_ms: f64,
    /// 99 in a hundred.
    pub p99_ms: f64,
    /// None did.
    pub max_ms: f64,
    /// How many questions.
    pub count: usize,
}

/// A figure that must hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SuccessMetric {
    /// What it is.
    pub name: String,
    /// What was measured.
    pub value: f64,
    /// What must hold, in words.
    pub target: String,
    /// Whether it does.
    pub holds: bool,
}

/// What a model wrote and what became of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelReport {
    /// Of the questions that documents answer, the share that was answered.
    pub answer_rate: f64,
    /// Of those again, the share for which the passages and their owner were shown instead.
    #[serde(default)]
    pub routed_rate: f64,
    /// Of the answers, the share in the model's own words; the others are extracts of passages it pointed at.
    #[serde(default)]
    pub written_share: f64,
    /// Of the sentences that the model wrote, the share that was withheld.
    pub withheld_share: f64,
    /// Of the questions that went to the model, the share that was refused.
    pub refusal_share: f64,
    /// How many questions went to the model.
    pub questions: usize,
    /// Numbers, ids and quotations in answers that no cited passage holds.
    pub unsupported_tokens: Vec<String>,
    /// Citations in answers that lead to no passage.
    #[serde(default)]
    pub unresolved_citations: Vec<String>,
}

/// A question that was not answered as expected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Its id.
    pub id: String,
    /// The question.
    pub query: String,
    /// What a right answer holds.
    pub expected: serde_json::Value,
    /// What came.
    pub actual: serde_json::Value,
    /// What is wrong with it.
    pub reason: Fault,
}

impl QualityReport {
    /// Judges all that was asked.
    pub fn of(asked: &[AskedQuestion<'_>], meta: Meta, family: &str) -> Self {
        let judged: Vec<Judged<'_>> =
            asked.iter().map(|asked| Judged { asked, verdict: judge(asked.query, &asked.answer) }).collect();
        let failures: Vec<Failure> = judged.iter().filter_map(Judged::failure).collect();
        let meta = Meta {
            total_queries: judged.len(),
            pass_count: judged.len() - failures.len(),
            fail_count: failures.len(),
            ..meta
        };
        let answers = judged.iter().map(Judged::answered).collect();
        Self { metrics: metrics(&judged, family, meta.model.is_some()), meta, failures, answers }
    }
}

struct Judged<'a> {
    asked: &'a AskedQuestion<'a>,
    verdict: Verdict,
}

impl Judged<'_> {
    fn query(&self) -> &GoldenQuery {
        self.asked.query
    }

    fn response(&self) -> Option<&AskResponse> {
        self.asked.answer.as_ref().ok()
    }

    fn refused(&self) -> bool {
        self.response().is_some_and(|response| response.refused)
    }

    fn answered(&self) -> Answered {
        let citations = self.response().map(|response| response.citations.as_slice()).unwrap_or_default();
        Answered {
            id: self.query().id.clone(),
            query: self.query().query.clone(),
            answer: self.response().map(|response| response.answer.clone()),
            passages: citations.iter().map(|citation| citation.snippet_full.clone()).collect(),
            cited: self.verdict.cited.iter().cloned().collect(),
            precision: self.verdict.precision,
            recall: self.verdict.recall,
        }
    }

    fn failure(&self) -> Option<Failure> {
        let reason = self.verdict.fault?;
        let actual = match &self.asked.answer {
            Ok(response) => serde_json::json!({
                "action": response.action.as_str(),
                "refusal_reason": response.refusal_reason.map(|reason| reason.as_str()),
                "cited": self.verdict.cited,
                "confidence": response.confidence.map(|confidence| confidence.adjusted),
                "answer": response.answer,
            }),
            Err(problem) => serde_json::json!({ "error": problem.to_string() }),
        };
        Some(Failure {
            id: self.query().id.clone(),
            query: self.query().query.clone(),
            expected: serde_json::to_value(&self.query().expected).unwrap_or_default(),
            actual,
            reason,
        })
    }

    /// The collections that the question is about.
    fn collections(&self) -> Vec<String> {
        let one = |name: &str| vec![name.to_owned()];
        match self.query().expected.route {
            Route::Skosmos => one("Vocabulary"),
            Route::Adr => one("ADR"),
            Route::Principle => one("Principle"),
            Route::Policy => one("Policy"),
            Route::Dar => one("DAR"),
            Route::Multi | Route::Catalogue => self.query().expected.doc_types.clone(),
        }
    }

    fn languages(&self) -> Vec<&'static str> {
        let own = match self.query().language {
            Language::En => "en",
            Language::Nl => "nl",
        };
        let crosses =
            self.query().has_tag("cross_language") || self.query().has_tag("cross_language_evidence");
        if crosses { vec![own, "cross_language"] } else { vec![own] }
    }
}

fn metrics(judged: &[Judged<'_>], family: &str, with_model: bool) -> Metrics {
    let overall = score(judged.iter());
    let abstention = abstention(judged);
    let latency_by_path = by_path(judged);
    let success = success(judged, overall, &latency_by_path);
    Metrics {
        overall,
        by_collection: grouped(judged, |one| {
            one.collections().into_iter().map(|name| format!("{name}_{family}")).collect()
        }),
        by_language: grouped(judged, |one| one.languages().into_iter().map(str::to_owned).collect()),
        by_half: grouped(judged, |one| vec![one.query().half()]),
        by_category: by_category(judged),
        abstention,
        latency: latency(judged.iter()),
        latency_by_path,
        success,
        model: with_model.then(|| model(judged)),
    }
}

fn score<'j>(judged: impl Iterator<Item = &'j Judged<'j>> + Clone) -> Score {
    let precisions: Vec<f64> = judged.clone().filter_map(|one| one.verdict.precision).collect();
    let recalls: Vec<f64> = judged.clone().filter_map(|one| one.verdict.recall).collect();
    let (precision, recall) = (mean(precisions.into_iter()), mean(recalls.into_iter()));
    let sum = precision + recall;
    let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
    let passed = judged.clone().filter(|one| one.verdict.fault.is_none()).count();
    Score { precision, recall, f1, count: judged.count(), passed }
}

fn grouped<K: Ord>(judged: &[Judged<'_>], names: impl Fn(&Judged<'_>) -> Vec<K>) -> BTreeMap<K, Score> {
    let mut groups: BTreeMap<K, Vec<&Judged<'_>>> = BTreeMap::new();
    for one in judged {
        for name in names(one) {
            groups.entry(name).or_default().push(one);
        }
    }
    groups.into_iter().map(|(name, group)| (name, score(group.iter().copied()))).collect()
}

fn by_category(judged: &[Judged<'_>]) -> BTreeMap<Category, CategoryReport> {
    let mut categories: BTreeMap<Category, CategoryReport> = BTreeMap::new();
    for one in judged {
        let category = categories.entry(one.query().category).or_default();
        category.count += 1;
        category.passed += usize::from(one.verdict.fault.is_none());
        category.refused += usize::from(one.refused());
    }
    categories
}

fn abstention(judged: &[Judged<'_>]) -> AbstentionReport {
    let share = |part: usize, of: usize| if of == 0 { 0.0 } else { part as f64 / of as f64 };
    let mut by_reason: BTreeMap<String, f64> = BTreeMap::new();
    for one in judged {
        if let Some(reason) = one.response().and_then(|response| response.refusal_reason) {
            *by_reason.entry(reason.as_str().to_owned()).or_default() += 1.0 / judged.len() as f64;
        }
    }
    let should = |abstain: bool| judged.iter().filter(move |one| one.query().expected.abstain == abstain);
    AbstentionReport {
        total_rate: share(judged.iter().filter(|one| one.refused()).count(), judged.len()),
        by_reason,
        false_refusals: share(should(false).filter(|one| one.refused()).count(), should(false).count()),
        false_answers: share(should(true).filter(|one| !one.refused()).count(), should(true).count()),
    }
}

fn latency<'j>(judged: impl Iterator<Item = &'j Judged<'j>>) -> LatencyReport {
    let mut times: Vec<f64> = judged.map(|one| one.asked.time.as_secs_f64() * 1000.0).collect();
    times.sort_by(f64::total_cmp);
    LatencyReport {
        p50_ms: percentile(&times, 0.50),
        p95_ms: percentile(&times, 0.95),
        p99_ms: percentile(&times, 0.99),
        max_ms: percentile(&times, 1.0),
        count: times.len(),
    }
}

fn by_path(judged: &[Judged<'_>]) -> BTreeMap<Path, LatencyReport> {
    let mut paths: BTreeMap<Path, Vec<&Judged<'_>>> = BTreeMap::new();
    for one in judged {
        paths.entry(one.verdict.path).or_default().push(one);
    }
    paths.into_iter().map(|(path, group)| (path, latency(group.into_iter()))).collect()
}

fn success(
    judged: &[Judged<'_>],
    overall: Score,
    latency: &BTreeMap<Path, LatencyReport>,
) -> Vec<SuccessMetric> {
    let terms: Vec<&Judged<'_>> =
        judged.iter().filter(|one| one.query().expected.route == Route::Skosmos).collect();
    // A definition where there is none, or another than the vocabulary's, is made up.
    let made_up = terms.iter().filter(|one| {
        let defined = one.response().and_then(|response| response.definition.as_ref());
        let expected = &one.query().expected;
        defined.is_some_and(|definition| {
            (expected.abstain && !definition.definitions.is_empty())
                || expected.quote.as_ref().is_some_and(|quote| {
                    !definition
                        .definitions
                        .iter()
                        .chain(definition.notes.iter().map(|note| &note.text))
                        .any(|text| text.contains(quote))
                })
        })
    });
    let hallucinated = if terms.is_empty() { 0.0 } else { made_up.count() as f64 / terms.len() as f64 };
    let look_up = latency.get(&Path::Terminology).map_or(0.0, |latency| latency.p95_ms);
    let row = |name: &str, value: f64, target: &str, holds: bool| SuccessMetric {
        name: name.to_owned(),
        value,
        target: target.to_owned(),
        holds,
    };
    vec![
        row("terminology hallucination", hallucinated, "0", hallucinated == 0.0),
        row("p95 of the look-up path in ms", look_up, "under 100", look_up < 100.0),
        row("precision", overall.precision, "over 0.85", overall.precision > 0.85),
        row("recall", overall.recall, "over 0.80", overall.recall > 0.80),
    ]
}

/// What the set says of a model: only questions that went as far as the model count.
fn model(judged: &[Judged<'_>]) -> ModelReport {
    let searched: Vec<&Judged<'_>> =
        judged.iter().filter(|one| matches!(one.verdict.path, Path::Extracts | Path::Model)).collect();
    let answerable: Vec<&&Judged<'_>> = searched
        .iter()
        .filter(|one| !one.query().expected.abstain && !one.query().expected.clarify)
        .collect();
    let share = |part: usize, of: usize| if of == 0 { 0.0 } else { part as f64 / of as f64 };
    let (mut withheld, mut shown) = (0, 0);
    let (mut unsupported, mut unresolved) = (Vec::new(), Vec::new());
    let responses = || searched.iter().filter_map(|one| one.response());
    for response in responses() {
        withheld += response.withheld.len();
        unsupported.extend(unsupported_tokens(response));
        unresolved.extend(unresolved_citations(response));
        if response.action == Action::Cite && response.model_used.is_some() {
            shown += plumbline_core::text::sentences(&response.answer).len();
        }
    }
    let took = |action: Action| move |one: &&&Judged<'_>| one.response().is_some_and(|r| r.action == action);
    let answers = responses().filter(|response| response.action == Action::Cite);
    let written = answers.clone().filter(|response| response.model_used.is_some());
    ModelReport {
        answer_rate: share(answerable.iter().copied().filter(took(Action::Cite)).count(), answerable.len()),
        routed_rate: share(answerable.iter().copied().filter(took(Action::Route)).count(), answerable.len()),
        written_share: share(written.count(), answers.count()),
        withheld_share: share(withheld, withheld + shown),
        refusal_share: share(searched.iter().filter(|one| one.refused()).count(), searched.len()),
        questions: searched.len(),
        unsupported_tokens: unsupported,
        unresolved_citations: unresolved,
    }
}
