//! Whether the evidence is enough: cuts, gates and a second look, all of them functions of the thresholds.

use plumbline_telemetry::audit::{AuditCandidate, AuditGate};
use plumbline_telemetry::{names, sha256_hex};
use tracing::info;

use super::evidence::Evidence;
use super::reason::Outcome;
use super::refuse::refuse_near;
use super::sentences::{read_sentences, support_of};
use super::services::Services;
use super::step::{Step, respond};
use super::turn::Turn;
use crate::domain::{Candidate, EmbedderFamily};
use crate::gates::{GateInput, GateRefusal, GateReport, run_gates};
use crate::intent::Question;
use crate::numbers::numbers;
use crate::refusal::RefusalFacts;
use crate::response::{AskResponse, RefusalReason, Stage};
use crate::retrieval::{Cut, FilterRules, Filtered, apply_filters};
use crate::settings::{RetrievalSettings, Thresholds};
use crate::text::stem;

/// Evidence that is good enough to answer from.
pub(super) struct Gated {
    pub evidence: Evidence,
    /// The passages that an answer may rest on, best first.
    pub kept: Vec<Candidate>,
    /// Words of the question that none of them holds.
    pub missing_words: Vec<String>,
    /// How likely the library holds an answer, where that can be told.
    pub likelihood: Option<f64>,
}

/// What cuts and gates make of the evidence.
pub(super) struct Decision {
    pub filtered: Filtered,
    pub report: GateReport,
}

/// The gates. Before they refuse, passages are read sentence by sentence, those that were cut for their distance as well.
/// `read_first` reads the kept ones beforehand: whoever makes extracts of them needs them anyway.
pub(super) async fn gate(
    services: &Services,
    turn: &mut Turn<'_>,
    evidence: Evidence,
    total: usize,
    read_first: bool,
) -> Step<Gated> {
    let thresholds = services.thresholds();
    let started = turn.begin(Stage::Filters);
    let filtered = cut(&evidence, &services.settings().retrieval, total, thresholds);
    turn.end(started, Outcome::Ok);
    let vector = evidence.vector.as_deref();
    // A model that writes needs no sentence singled out for it: embedding them all would only delay it.
    if read_first {
        read_sentences(services, turn, vector, evidence.nearest()).await;
        read_sentences(services, turn, vector, &filtered.kept).await;
    }
    let started = turn.begin(Stage::Gates);
    let mut decision = decide(&evidence, filtered, thresholds);
    let is_refused = |decision: &Decision| decision.report.refusal.is_some();
    if is_refused(&decision) && read_sentences(services, turn, vector, evidence.nearest()).await {
        decision = decide(&evidence, decision.filtered, thresholds);
    }
    if is_refused(&decision) && read_sentences(services, turn, vector, &decision.filtered.kept).await {
        decision = decide(&evidence, decision.filtered, thresholds);
    }
    if is_refused(&decision) && read_sentences(services, turn, vector, &too_far(&decision.filtered)).await {
        decision = decide(&evidence, decision.filtered, thresholds);
    }
    record(turn, &decision);
    turn.end(started, Outcome::Ok);
    let Decision { filtered, report } = decision;
    if let Some(refusal) = report.refusal {
        return respond(refused(services, turn, &refusal, &evidence, &filtered));
    }
    // Where a record's own sections tell what is asked of it, no word is missing: its other passages are not what is shown.
    let missing_words = match evidence.told.is_empty() {
        true => without_headings(report.missing_words, &evidence.question, &filtered.kept),
        false => Vec::new(),
    };
    let likelihood = deciding_likelihood(&evidence, thresholds);
    Step::Continue(Gated { kept: filtered.kept, missing_words, likelihood, evidence })
}

/// Floor, distance, near-duplicates and shares. Where the likelihood of an answer decides, what comes about as near as the nearest
/// stays, however far away that is.
pub(super) fn cut(
    evidence: &Evidence,
    settings: &RetrievalSettings,
    total: usize,
    thresholds: &Thresholds,
) -> Filtered {
    let of = |candidate: &Candidate| {
        thresholds.for_collection(&candidate.chunk.document.collection, evidence.family)
    };
    // Where several documents are asked for, one that holds most of the subject is heard, however far away its passage is.
    let most = if evidence.question.wish.is_for_several() {
        numbers().evidence.several_witness
    } else {
        f64::INFINITY
    };
    let marked = evidence.candidates.iter().map(|candidate| Candidate {
        witness: candidate.adds
            || (candidate.named && evidence.question.names_something_of(&candidate.chunk))
            || evidence.question.has_words() && candidate.coverage >= of(candidate).lexical_witness.min(most),
        ..candidate.clone()
    });
    let as_near = about_as_near(evidence, thresholds);
    let too_far = |candidate: &Candidate| {
        candidate.score() < as_near && 1.0 - candidate.score() > of(candidate).distance_threshold
    };
    apply_filters(
        marked.collect(),
        filter_rules(evidence, settings, total, as_near),
        &evidence.question.kinds,
        too_far,
    )
}

/// The score from which on a passage is about as near as the nearest; none is, where the likelihood of an answer does not decide.
fn about_as_near(evidence: &Evidence, thresholds: &Thresholds) -> f32 {
    if deciding_likelihood(evidence, thresholds).is_none() {
        return f32::INFINITY;
    }
    let best = evidence.nearest().iter().map(Candidate::score).fold(0.0, f32::max);
    numbers().evidence.about_as_near * best
}

/// How likely the library holds an answer, where the collection that comes first asks for it.
fn deciding_likelihood(evidence: &Evidence, thresholds: &Thresholds) -> Option<f64> {
    let first = evidence.candidates.first()?;
    let needed = thresholds.for_collection(&first.chunk.document.collection, evidence.family);
    if needed.answerability <= 0.0 {
        return None;
    }
    let likelihood = evidence.likelihood()?;
    Some(if is_wished_by_name(evidence, needed.lexical_witness) { 1.0 } else { likelihood })
}

/// Whether a record is wished for, and not an answer out of it, that is called what the question calls it. Nothing is asked of it that it might not say,
/// and to vectors a name that nobody else uses is far from everything.
fn is_wished_by_name(evidence: &Evidence, witness: f64) -> bool {
    let question = &evidence.question;
    let is_called_so = |candidate: &Candidate| {
        let chunk = &candidate.chunk;
        // "Our decision about it" stands under "Decision".
        let called = format!("{} {}", chunk.document.title, chunk.section_path.join(" "));
        question.share(&question.covered(&called, chunk.language)) >= witness
    };
    question.has_words() && question.wish.is_for_a_record() && evidence.nearest().iter().any(is_called_so)
}

/// The numbers of the filters for this evidence.
pub(super) fn filter_rules(
    evidence: &Evidence,
    settings: &RetrievalSettings,
    total: usize,
    as_near: f32,
) -> FilterRules {
    let floor = match evidence.family {
        EmbedderFamily::Lexical => 0.0,
        _ if evidence.reranked => settings.rerank_floor,
        _ => settings.min_similarity,
    };
    FilterRules {
        floor: floor.min(as_near),
        overlap: settings.overlap_threshold,
        per_document: if evidence.question.wish.is_for_several() {
            settings.max_chunks_per_doc.min(numbers().evidence.several_per_document)
        } else {
            settings.max_chunks_per_doc
        },
        total,
        further: numbers().evidence.further_documents,
        surely: numbers().reader.surely,
    }
}

/// The gates, and a second look where they refuse: what was cut for its distance comes back, as a witness, if one of its
/// sentences says what is asked. It knows of sentences as far as they were read.
pub(super) fn decide(evidence: &Evidence, mut filtered: Filtered, thresholds: &Thresholds) -> Decision {
    let report = gates(evidence, &filtered.kept, thresholds);
    if report.refusal.is_none() || deciding_likelihood(evidence, thresholds).is_some() {
        return Decision { filtered, report };
    }
    let mut back = too_far(&filtered);
    back.retain(|candidate| {
        let needed = thresholds.for_collection(&candidate.chunk.document.collection, evidence.family);
        let support = support_of(&evidence.question, std::slice::from_ref(candidate), None);
        support.self_contained.is_some_and(|cosine| cosine >= needed.several_hits)
    });
    if back.is_empty() {
        return Decision { filtered, report };
    }
    let is_back = |cut: &Candidate| back.iter().any(|back| back.chunk.source_id == cut.chunk.source_id);
    filtered.cut.retain(|(cut, _)| !is_back(cut));
    filtered.kept.extend(back.into_iter().map(|candidate| Candidate { witness: true, ..candidate }));
    let report = gates(evidence, &filtered.kept, thresholds);
    Decision { filtered, report }
}

fn gates(evidence: &Evidence, kept: &[Candidate], thresholds: &Thresholds) -> GateReport {
    run_gates(&GateInput {
        kept,
        question: &evidence.question,
        family: evidence.family,
        thresholds,
        support: support_of(&evidence.question, kept, evidence.margin),
        likelihood: deciding_likelihood(evidence, thresholds),
    })
}

/// The best of what was cut for its distance.
pub(super) fn too_far(filtered: &Filtered) -> Vec<Candidate> {
    let far = filtered.cut.iter().filter(|(_, cut)| matches!(cut, Cut::Noise | Cut::Distance));
    far.map(|(candidate, _)| candidate.clone()).take(numbers().evidence.second_look).collect()
}

/// "Decide" asks for the section "Decision": where there is one, nothing is missing.
fn without_headings(mut missing: Vec<String>, question: &Question, kept: &[Candidate]) -> Vec<String> {
    let headings = || kept.iter().flat_map(|candidate| &candidate.chunk.section_path);
    missing.retain(|word| {
        let stem = stem(word, question.language);
        let asked_for = question.aspects.iter().filter(|aspect| aspect.stems.contains(&stem));
        !asked_for.into_iter().any(|aspect| headings().any(|heading| aspect.is_in_section(heading)))
    });
    missing
}

fn refused(
    services: &Services,
    turn: &mut Turn<'_>,
    refusal: &GateRefusal,
    evidence: &Evidence,
    filtered: &Filtered,
) -> AskResponse {
    services.metrics.inc(&names::GATE_REFUSAL_TOTAL, [refusal.gate.as_str()]);
    info!(target: "gates", event = "refused", gate = refusal.gate.as_str(), value = refusal.value, threshold = refusal.threshold);
    let cut = filtered.cut.iter().map(|(candidate, _)| candidate);
    let nearest: Vec<Candidate> = filtered.kept.iter().chain(cut).cloned().collect();
    let searched = evidence.searched_names();
    let question = &evidence.question;
    // Who asks for "our policy" on something asks the library, whatever the something is; and which words occur in no
    // document, nobody knows of a library of which a part could not be searched.
    let whole = turn.out_of_reach.is_empty();
    if whole && question.has_words() && evidence.known_words == Some(0) && question.kinds.is_empty() {
        let facts = RefusalFacts { searched, count: Some(question.words.len()), ..RefusalFacts::default() };
        return refuse_near(turn, RefusalReason::OffTopic, &facts, &nearest);
    }
    let measured = refusal.reason != RefusalReason::NoResults;
    let facts = RefusalFacts {
        searched,
        measure: refusal.measure,
        value: measured.then_some(refusal.value),
        threshold: measured.then_some(refusal.threshold),
        ..RefusalFacts::default()
    };
    refuse_near(turn, refusal.reason, &facts, &nearest)
}

fn record(turn: &mut Turn<'_>, Decision { filtered, report }: &Decision) {
    let candidate = |candidate: &Candidate, outcome: &str| AuditCandidate {
        source_id: candidate.chunk.source_id.to_string(),
        text_sha256: sha256_hex(&candidate.chunk.text),
        cosine: candidate.cosine.map(f64::from),
        lexical: candidate.lexical.map(f64::from),
        lanes: candidate.ranks.iter().map(|rank| format!("{}#{}", rank.lane.as_str(), rank.rank)).collect(),
        forced: candidate.forced,
        witness: candidate.witness,
        outcome: outcome.to_owned(),
    };
    let retrieval = &mut turn.audit.retrieval;
    retrieval.hits += (filtered.kept.len() + filtered.cut.len()) as u64;
    retrieval.mean_score = (!filtered.kept.is_empty()).then(|| {
        filtered.kept.iter().map(|kept| f64::from(kept.score())).sum::<f64>() / filtered.kept.len() as f64
    });
    let kept = filtered.kept.iter().map(|kept| candidate(kept, "kept"));
    let cut = filtered.cut.iter().map(|(cut, why)| candidate(cut, why.as_str()));
    // A text that asks two questions passes here twice.
    retrieval.candidates.extend(kept.chain(cut));
    let outcomes = report.outcomes.iter();
    turn.audit.gates.extend(outcomes.map(|outcome| AuditGate {
        gate: outcome.gate.as_str().to_owned(),
        outcome: if outcome.passed { "passed" } else { "stopped" }.to_owned(),
        value: Some(outcome.value),
        threshold: Some(outcome.threshold),
    }));
}
