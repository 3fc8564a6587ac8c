use std::collections::HashMap;
use std::sync::Arc;

use plumbline_core::domain::{Candidate, Chunk, Document, EmbedderFamily, Kind, Lane, Language};
use plumbline_core::intent::Question;
use plumbline_core::ports::{Hit, Index, LexicalQuery, Reranker, Scope};
use plumbline_core::retrieval::{
    Cut, FilterRules, Filtered, FusionRules, Pool, WordsShared, apply_filters, order_by_rerank,
    text_similarity,
};
use plumbline_core::settings::Thresholds;
use plumbline_testkit::documents::{adr, candidate, chunk, dutch_policy, policy, principle};
use plumbline_testkit::embedder::ToyEmbedding;
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::reranker::FakeReranker;
use proptest::prelude::*;

/// RAG2's numbers.
const RULES: FilterRules =
    FilterRules { floor: 0.30, overlap: 0.9, per_document: 3, total: 5, further: 1, surely: 5.0 };
const FUSION: FusionRules = FusionRules { lexical_weight: 0.8, kind_boost: 1.15, kind_boost_rerank: 0.15 };

fn filter(ranked: Vec<Candidate>, kinds: &[Kind]) -> Filtered {
    apply_filters(ranked, RULES, kinds, |_| false)
}

/// Twenty words that stand in no other text.
fn text(number: usize) -> String {
    (0..20).map(|word| format!("w{number}x{word}")).collect::<Vec<_>>().join(" ")
}

/// The n-th of several unlike candidates, each of a record of its own.
fn other(number: u32, cosine: f32) -> Candidate {
    candidate(chunk(&adr(number, "Title"), 0, &[], &text(number as usize)), cosine)
}

fn ids(candidates: &[Candidate]) -> Vec<String> {
    candidates.iter().map(|candidate| candidate.chunk.source_id.to_string()).collect()
}

fn cuts(filtered: &Filtered) -> HashMap<String, Cut> {
    filtered.cut.iter().map(|(candidate, cut)| (candidate.chunk.source_id.to_string(), *cut)).collect()
}

fn forced(candidate: Candidate) -> Candidate {
    Candidate { forced: true, ..candidate }
}

fn witness(candidate: Candidate) -> Candidate {
    Candidate { witness: true, ..candidate }
}

fn hit(chunk: Chunk, cosine: f32) -> Hit {
    Hit { chunk: chunk.into(), cosine: Some(cosine), lexical: None }
}

#[test]
fn test_deduplicate_chunks() {
    let words = text(1);
    let words: Vec<&str> = words.split(' ').collect();
    let ending = |kept: usize| format!("{} {}", words[..kept].join(" "), text(9).split_at(5 * (20 - kept)).0);
    let of = |number: u32, text: &str, cosine| candidate(chunk(&adr(number, "Title"), 0, &[], text), cosine);
    let filtered = filter(
        vec![
            of(1, &words.join(" "), 0.9),
            of(2, &words.join(" "), 0.8),
            of(3, &format!("{}!", words.join(" \n").to_uppercase()), 0.7),
            of(4, &format!("{} changed", words[..19].join(" ")), 0.6),
            of(5, &format!("{} two changed", words[..18].join(" ")), 0.5),
            of(6, &ending(10), 0.4),
        ],
        &[],
    );
    assert_eq!(
        ids(&filtered.kept),
        ["adr-0001:0", "adr-0005:0", "adr-0006:0"],
        "the best of near-duplicates stays; 18 of 20 pairs are 0.9 and not more than 0.9"
    );
    assert!(cuts(&filtered).values().all(|cut| *cut == Cut::Duplicate));
}

#[test]
fn test_limit_per_document() {
    let long = adr(1, "Title");
    let mut ranked: Vec<Candidate> =
        (0..5).map(|at| candidate(chunk(&long, at, &[], &text(at as usize)), 0.9)).collect();
    ranked.push(other(8, 0.5));
    let filtered = filter(ranked, &[]);
    assert_eq!(
        ids(&filtered.kept),
        ["adr-0001:0", "adr-0001:1", "adr-0001:2", "adr-0008:0"],
        "3 of one document"
    );
    assert_eq!(cuts(&filtered)["adr-0001:3"], Cut::PerDocument);
}

#[test]
fn five_of_fifteen_are_kept_in_the_order_they_came() {
    let ranked: Vec<Candidate> = (1..=15).map(|number| other(number, 0.9)).collect();
    let filtered = filter(ranked.clone(), &[]);
    assert_eq!(filtered.kept, ranked[..5], "over-fetched threefold, cut to five, order untouched");
    assert!(filtered.cut.iter().all(|(_, cut)| *cut == Cut::Total));
}

#[test]
fn a_document_that_surely_answers_is_heard_beside_them() {
    let mut ranked: Vec<Candidate> = (1..=8).map(|number| other(number, 0.9)).collect();
    ranked[6].read = Some(7.0);
    ranked[7].read = Some(8.0);
    let kept = ids(&filter(ranked.clone(), &[]).kept);
    assert_eq!(kept[5..], ["adr-0007:0"], "one more, and no more");
    ranked[6].read = Some(4.0);
    assert_eq!(ids(&filter(ranked, &[]).kept)[5..], ["adr-0008:0"], "not what only may answer");
    let record = adr(1, "Title");
    let mut same: Vec<Candidate> = (1..=5).map(|number| other(number, 0.9)).collect();
    same.push(Candidate { read: Some(9.0), ..candidate(chunk(&record, 1, &[], &text(9)), 0.8) });
    assert_eq!(filter(same, &[]).kept.len(), 5, "its document is heard already");
}

#[test]
fn filters_run_in_the_order_noise_distance_duplicate_document_total() {
    let one = adr(1, "Title");
    let of = |at: u32, words: usize, cosine| candidate(chunk(&one, at, &[], &text(words)), cosine);
    let ranked = vec![
        of(0, 0, 0.29),
        of(1, 1, 0.35),
        // The same words again: what was cut as noise or as too far shadows nothing.
        of(2, 0, 0.90),
        of(3, 1, 0.80),
        // Doubles take no share of their document.
        of(4, 0, 0.79),
        of(5, 1, 0.78),
        of(6, 2, 0.77),
        of(7, 3, 0.76),
    ];
    let filtered = apply_filters(ranked, RULES, &[], |candidate| candidate.score() < 0.40);
    assert_eq!(ids(&filtered.kept), ["adr-0001:2", "adr-0001:3", "adr-0001:6"]);
    let cuts = cuts(&filtered);
    for (source, cut) in [
        ("adr-0001:0", Cut::Noise),
        ("adr-0001:1", Cut::Distance),
        ("adr-0001:4", Cut::Duplicate),
        ("adr-0001:5", Cut::Duplicate),
        ("adr-0001:7", Cut::PerDocument),
    ] {
        assert_eq!(cuts[source], cut, "{source}");
    }
}

#[test]
fn a_score_on_the_floor_is_not_noise_and_one_that_is_no_number_is() {
    let filtered = filter(vec![other(1, 0.30), other(2, 0.299_999), other(3, f32::NAN)], &[]);
    assert_eq!(ids(&filtered.kept), ["adr-0001:0"]);
    assert_eq!(cuts(&filtered)["adr-0003:0"], Cut::Noise);
}

#[test]
fn a_named_kind_keeps_a_place() {
    let mut ranked: Vec<Candidate> = (1..=6).map(|number| other(number, 0.9)).collect();
    ranked.push(candidate(chunk(&principle(4, "Title"), 0, &[], &text(40)), 0.5));
    ranked.push(candidate(chunk(&principle(5, "Title"), 0, &[], &text(50)), 0.5));
    ranked.push(candidate(chunk(&policy("a", "Title"), 0, &[], &text(60)), 0.5));
    assert!(
        ids(&filter(ranked.clone(), &[]).kept).iter().all(|id| id.starts_with("adr")),
        "nothing is named"
    );
    let kept = filter(ranked, &[Kind::Principle, Kind::Policy]).kept;
    assert_eq!(
        ids(&kept),
        ["adr-0001:0", "adr-0002:0", "adr-0003:0", "pcp-0004:0", "policy-a:0"],
        "the best of each named kind, and the order of the ranking"
    );
}

#[test]
fn an_addressed_document_keeps_a_place() {
    let mut ranked: Vec<Candidate> = (1..=6).map(|number| other(number, 0.9)).collect();
    ranked.push(forced(other(12, 0.05)));
    ranked.push(forced(other(21, 0.05)));
    let kept = filter(ranked, &[Kind::Adr]).kept;
    assert_eq!(ids(&kept), ["adr-0001:0", "adr-0002:0", "adr-0003:0", "adr-0012:0", "adr-0021:0"]);
}

#[test]
fn with_more_reserves_than_places_the_best_of_the_addressed_come_first() {
    let mut ranked: Vec<Candidate> = [9, 3, 7, 1, 5, 2, 8].map(|number| forced(other(number, 0.1))).into();
    ranked.push(candidate(chunk(&principle(4, "Title"), 0, &[], &text(40)), 0.9));
    let kept = filter(ranked, &[Kind::Adr, Kind::Principle]).kept;
    assert_eq!(
        ids(&kept),
        ["adr-0009:0", "adr-0003:0", "adr-0007:0", "adr-0001:0", "adr-0005:0"],
        "by rank, not by id, and before named kinds"
    );
}

#[test]
fn forced_hits_and_witnesses_pass_floor_and_distance_and_nothing_else() {
    let one = adr(1, "Title");
    let of = |at: u32, words: usize| candidate(chunk(&one, at, &[], &text(words)), 0.01);
    let ranked = vec![
        forced(of(0, 0)),
        witness(of(1, 1)),
        forced(of(2, 0)),
        witness(of(3, 3)),
        witness(of(4, 4)),
        of(5, 5),
    ];
    let filtered = apply_filters(ranked, RULES, &[], |_| true);
    assert_eq!(ids(&filtered.kept), ["adr-0001:0", "adr-0001:1", "adr-0001:3"]);
    let cuts = cuts(&filtered);
    let expected =
        [("adr-0001:2", Cut::Duplicate), ("adr-0001:4", Cut::PerDocument), ("adr-0001:5", Cut::Noise)];
    for (source, cut) in expected {
        assert_eq!(cuts[source], cut, "{source}");
    }
}

#[test]
fn an_addressed_record_is_not_lost_to_its_double() {
    let words = text(1);
    let of = |number: u32| candidate(chunk(&adr(number, "Title"), 0, &[], &words), 0.9);
    let filtered = filter(vec![of(21), forced(of(12)), other(3, 0.5)], &[]);
    assert_eq!(
        ids(&filtered.kept),
        ["adr-0012:0", "adr-0003:0"],
        "the record that was named, in its double's place"
    );
    assert_eq!(cuts(&filtered)["adr-0021:0"], Cut::Duplicate);
    let both = filter(vec![forced(of(21)), forced(of(12))], &[]);
    assert_eq!(both.kept.len(), 2, "two records that were named both stay, however alike they are");
}

#[test]
fn edges_do_not_panic() {
    let ranked =
        || vec![forced(other(1, 0.9)), other(2, f32::NAN), witness(other(3, f32::INFINITY)), other(4, -1.0)];
    for total in [0, 1, usize::MAX] {
        for per_document in [0, 1, usize::MAX] {
            for overlap in [0.0, 1.0, f64::NAN] {
                let rules =
                    FilterRules { floor: f32::NAN, overlap, per_document, total, further: 0, surely: 5.0 };
                let filtered = apply_filters(ranked(), rules, &Kind::ALL, |_| false);
                assert!(filtered.kept.len() <= total);
                assert_eq!(filtered.kept.len() + filtered.cut.len(), 4, "nothing disappears");
            }
        }
    }
    assert!(filter(Vec::new(), &[Kind::Adr]).kept.is_empty());
}

#[test]
fn similar_texts_are_measured_by_neighbouring_words() {
    assert!((text_similarity("a b c", "A, b; c.") - 1.0).abs() < f64::EPSILON, "case and marks do not count");
    assert!(text_similarity("a b c d", "d c b a") < 0.3, "order counts");
    assert!(text_similarity("a b", "c d").abs() < f64::EPSILON);
    assert!(
        (text_similarity("", "") - 1.0).abs() < f64::EPSILON && text_similarity("", "a").abs() < f64::EPSILON
    );
}

fn order_of(pool: Pool, kinds: &[Kind]) -> Vec<Candidate> {
    pool.fuse(FUSION, kinds, |_| WordsShared::default())
}

#[test]
fn a_chunk_keeps_its_best_place_in_each_lane_and_its_best_scores() {
    let twice = chunk(&adr(1, "Title"), 0, &[], &text(1));
    let filler = |number: u32| hit(chunk(&adr(number, "Title"), 0, &[], &text(number as usize)), 0.2);
    let mut pool = Pool::default();
    pool.add(
        Lane::Lexical,
        vec![filler(2), filler(3), Hit { lexical: Some(0.3), ..hit(twice.clone(), 0.4) }],
    );
    pool.add(
        Lane::Lexical,
        vec![filler(4), Hit { cosine: None, lexical: Some(0.7), ..hit(twice.clone(), 0.0) }],
    );
    pool.add(Lane::Lexical, vec![filler(4), filler(2), filler(3), hit(twice.clone(), 0.1)]);
    pool.add(Lane::Dense, vec![hit(twice.clone(), f32::NAN)]);
    assert_eq!(pool.len(), 4, "each chunk once");
    let found = order_of(pool.clone(), &[]).into_iter().find(|found| *found.chunk == twice).unwrap();
    let ranks: Vec<(Lane, u32)> = found.ranks.iter().map(|rank| (rank.lane, rank.rank)).collect();
    assert_eq!(ranks, [(Lane::Lexical, 2), (Lane::Dense, 1)], "a rewrite's worse place does not count");
    assert_eq!((found.cosine, found.lexical, found.forced), (Some(0.4), Some(0.7), false));
    assert_eq!(found.best_lane(), Some(Lane::Dense));

    pool.add(Lane::Address, vec![hit(twice.clone(), 0.4)]);
    let found = order_of(pool, &[]).into_iter().find(|found| *found.chunk == twice).unwrap();
    assert!(found.forced, "an address forces what another lane had found already");
}

#[test]
fn only_the_address_lane_forces() {
    for lane in [Lane::Curated, Lane::Dense, Lane::Lexical, Lane::Address] {
        let mut pool = Pool::default();
        pool.add(lane, vec![hit(chunk(&adr(1, "Title"), 0, &[], "text"), 0.1)]);
        assert_eq!(order_of(pool, &[])[0].forced, lane == Lane::Address, "{}", lane.as_str());
    }
}

#[test]
fn the_reranker_reads_the_best_by_cosine_and_whatever_the_floor_spares() {
    let mut pool = Pool::default();
    let far = adr(98, "Title");
    pool.add(Lane::Dense, (1..=70).map(|number| other_hit(number, 0.01 * number as f32)).collect());
    pool.add(Lane::Address, vec![hit(chunk(&far, 0, &[], &text(98)), 0.001)]);
    pool.add(Lane::Lexical, vec![hit(chunk(&adr(99, "Title"), 0, &[], "The kestrel gateway"), 0.002)]);
    pool.mark_witnesses(&Question::read("What about the kestrel gateway?", Language::EN), |_| 0.8);
    let read = ids(&pool.best_by_score(60));
    assert_eq!(read.len(), 60);
    assert_eq!(read[..3], ["adr-0098:0", "adr-0099:0", "adr-0070:0"]);
    assert_eq!(read[59], "adr-0013:0", "the 58 best by cosine beside the two");
}

fn other_hit(number: u32, cosine: f32) -> Hit {
    hit(chunk(&adr(number, "Title"), 0, &[], &text(number as usize)), cosine)
}

#[test]
fn the_reranker_decides_the_order_by_rank_with_no_absolute_cut_off() {
    let candidates: Vec<Candidate> = (1..=20).map(|number| other(number, 0.9)).collect();
    // All scores are bad in absolute terms; the last is the best of them, and two tie.
    let scores: Vec<f32> =
        (1..=20).map(|number| if number <= 2 { -9.0 } else { -8.0 + 0.1 * number as f32 }).collect();
    let kept = order_by_rerank(candidates.clone(), &scores, FUSION, &[], 16);
    assert_eq!(kept.len(), 16, "the best 16 stay, however low their scores are");
    assert_eq!(ids(&kept)[..2], ["adr-0020:0", "adr-0019:0"]);
    assert_eq!(kept[0].rerank, Some(scores[19]), "the score itself is kept without boost");
    assert_eq!(kept[0].cosine, Some(0.9), "cosine is left untouched for the gates");
    let all = order_by_rerank(candidates, &scores, FUSION, &[], 20);
    assert_eq!(ids(&all)[18..], ["adr-0001:0", "adr-0002:0"], "ties break by chunk id");
}

#[test]
fn the_reranker_adds_its_boost_to_a_named_kind() {
    let named = candidate(chunk(&principle(4, "Title"), 0, &[], &text(4)), 0.5);
    let of = |score: f32| {
        let ranked = order_by_rerank(
            vec![other(1, 0.9), named.clone()],
            &[0.5, score],
            FUSION,
            &[Kind::Principle],
            16,
        );
        ids(&ranked)[0].clone()
    };
    assert_eq!((of(0.36).as_str(), of(0.34).as_str()), ("pcp-0004:0", "adr-0001:0"), "0.15 and no more");
}

#[test]
fn reserves_survive_the_cut_to_sixteen() {
    let mut candidates: Vec<Candidate> = (1..=20).map(|number| other(number, 0.9)).collect();
    candidates.push(forced(other(31, 0.1)));
    candidates.push(witness(other(32, 0.1)));
    candidates.push(candidate(chunk(&principle(33, "Title"), 0, &[], &text(33)), 0.5));
    candidates.push(candidate(chunk(&principle(34, "Title"), 0, &[], &text(34)), 0.5));
    let scores: Vec<f32> = (0..24).map(|at| 10.0 - at as f32).collect();
    let kept = order_by_rerank(candidates, &scores, FUSION, &[Kind::Principle, Kind::Adr], 16);
    assert_eq!(
        ids(&kept)[16..],
        ["adr-0031:0", "adr-0032:0", "pcp-0033:0"],
        "else the final cut has nothing to reserve"
    );
    let filtered = apply_filters(kept, RULES, &[Kind::Principle, Kind::Adr], |_| false);
    let kept = ids(&filtered.kept);
    assert!(kept.contains(&"adr-0031:0".to_owned()) && kept.contains(&"pcp-0033:0".to_owned()), "{kept:?}");
}

#[test]
fn a_reranker_without_sense_ranks_nothing_first() {
    let candidates: Vec<Candidate> = (1..=3).map(|number| other(number, 0.9)).collect();
    let ranked = order_by_rerank(candidates.clone(), &[f32::NAN, -3.0, -4.0], FUSION, &[], 16);
    assert_eq!(ids(&ranked), ["adr-0002:0", "adr-0003:0", "adr-0001:0"], "what is no number comes last");
    let ranked = order_by_rerank(candidates, &[-3.0], FUSION, &[], 16);
    assert_eq!(ids(&ranked)[0], "adr-0001:0", "what it did not score comes behind what it did");
}

/// A bug of peers (anything-llm#4080): with a reranker on, the similarity threshold stopped working there.
#[tokio::test]
async fn the_similarity_threshold_works_when_reranking_is_on() {
    let texts =
        ["The kestrel gateway is open.", "The kestrel gateway is closed.", "The kestrel gateway is old."];
    let cosines = [0.17, 0.40, 0.60];
    let candidates: Vec<Candidate> = texts
        .iter()
        .zip(cosines)
        .zip(1..)
        .map(|((text, cosine), number)| candidate(chunk(&adr(number, "Title"), 0, &[], text), cosine))
        .collect();
    let read: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let scores = FakeReranker::new().rerank("Is the kestrel gateway open?", &read).await.unwrap();
    let ranked = order_by_rerank(candidates, &scores, FUSION, &[], 16);
    assert_eq!(ids(&ranked)[0], "adr-0001:0", "the reranker likes the noise best");
    let thresholds = Thresholds::default();
    let filtered = apply_filters(ranked, FilterRules { floor: 0.18, ..RULES }, &[], |candidate| {
        let collection = &candidate.chunk.document.collection;
        1.0 - candidate.score()
            > thresholds.for_collection(collection, EmbedderFamily::Ollama).distance_threshold
    });
    assert_eq!(
        ids(&filtered.kept),
        ["adr-0003:0"],
        "cosine decides what may stay, whatever the reranker said"
    );
    let cuts = cuts(&filtered);
    assert_eq!((cuts["adr-0001:0"], cuts["adr-0002:0"]), (Cut::Noise, Cut::Distance));
}

#[test]
fn a_witness_covers_the_question_by_itself_weighted_by_idf() {
    let mut question = Question::read("Which kestrel gateway settings apply to pumps?", Language::EN);
    assert_eq!(question.words, ["kestrel", "gateway", "settings", "apply", "pumps"]);
    question.weights = vec![6.0, 2.0, 1.0, 0.5, 0.5];
    let of = |text: &str| question.covered_by(&chunk(&adr(1, "Title"), 0, &[], text));
    assert!((of("A kestrel gateway") - 0.8).abs() < 1e-9, "8 of 10 by weight, although 2 of 5 by number");
    assert!(of("Gateway settings that apply to pumps") < 0.5, "4 of 5 by number");
    let titled = chunk(&adr(1, "The kestrel"), 0, &["Gateways"], "It is open.");
    assert!((question.covered_by(&titled) - 0.8).abs() < 1e-9, "title and section path count");

    let mut pool = Pool::default();
    pool.add(Lane::Lexical, vec![hit(titled, 0.1), other_hit(2, 0.9)]);
    pool.mark_witnesses(&question, |_| 0.80);
    let witnesses: Vec<Candidate> = order_of(pool.clone(), &[]).into_iter().filter(|c| c.witness).collect();
    assert_eq!(ids(&witnesses), ["adr-0001:0"], "however near the other one is");
    pool.mark_witnesses(&Question::read("What is it?", Language::EN), |_| 0.0);
    assert!(
        order_of(pool, &[]).iter().all(|c| !c.witness),
        "a question without content words has no witness"
    );
}

#[test]
fn shares_reach_the_threshold_that_they_equal() {
    let words: Vec<String> = (0..10).map(|at| format!("subject{at}")).collect();
    for all in 1..=10 {
        let question = Question::read(&words[..all].join(" "), Language::EN);
        for held in 0..=all {
            let passage = chunk(&adr(1, "Title"), 0, &[], &words[..held].join(" "));
            let (share, missing) = question.coverage([&passage].into_iter());
            let exact = held as f64 / all as f64;
            let written: f64 = format!("{exact:.2}").parse().unwrap();
            assert!(
                (written - exact).abs() > 1e-9 || share >= written,
                "{held} of {all}: {share} < {written}"
            );
            let alone = question.covered_by(&passage);
            assert!(
                (written - exact).abs() > 1e-9 || alone >= written,
                "{held} of {all} alone: {alone} < {written}"
            );
            assert_eq!(missing.len(), all - held);
        }
    }
}

#[test]
fn words_of_another_language_prove_nothing() {
    let question = Question::read("Welke TLS gateway gebruiken we?", Language::NL);
    let english = chunk(&adr(1, "TLS gateway"), 0, &[], "The TLS gateway.");
    let dutch = chunk(&dutch_policy("tls", "TLS"), 0, &[], "De TLS gateway.");
    assert!(question.covered_by(&english).abs() < f64::EPSILON);
    assert!(question.covered_by(&dutch) > 0.6);
    let (share, missing) = question.coverage([&english].into_iter());
    assert!(share.abs() < f64::EPSILON && missing.len() == question.words.len());
}

#[test]
fn references_are_no_content_words() {
    let question = Question::read("What does ADR-0012 say about certificates?", Language::EN);
    assert!(question.words.contains(&"certificates".to_owned()));
    assert!(!question.words.iter().any(|word| word.contains("12") || word == "adr"), "{:?}", question.words);
    let bare = Question::read("ADR.12", Language::EN);
    assert!(!bare.has_words() && !bare.aspects.is_empty(), "a record alone asks for its decision");
}

#[tokio::test]
async fn a_lexical_hit_enters_the_pool_with_its_own_cosine() {
    let library = FakeLibrary::new(vec![
        chunk(&adr(1, "Gateway"), 0, &[], "Partners reach us through the kestrel gateway."),
        chunk(&adr(2, "Events"), 0, &[], "Applications exchange events."),
    ]);
    let scope = Scope::default();
    let vector = ToyEmbedding::default().embed("kestrel gateway");
    let query = LexicalQuery { text: "kestrel gateway".to_owned(), language: Language::EN };
    let mut pool = Pool::default();
    pool.add(Lane::Dense, Index::dense(&library, &vector, &scope, 1).await.unwrap());
    pool.add(Lane::Lexical, Index::lexical(&library, &query, Some(&vector), &scope, 15).await.unwrap());
    let found = order_of(pool, &[]);
    assert_eq!(ids(&found), ["adr-0001:0"], "found twice, pooled once");
    assert!(found[0].cosine > Some(0.5) && found[0].lexical > Some(0.3), "{found:?}");
}

fn any_candidate() -> impl Strategy<Value = Candidate> {
    (0..4_u32, 0..6_u32, 0..8_usize, prop::num::f32::ANY, any::<bool>(), any::<bool>(), 0..3_u8).prop_map(
        |(number, at, words, cosine, forced, witness, kind)| {
            let document = match kind {
                0 => adr(number, "Title"),
                1 => principle(number, "Title"),
                _ => policy(&format!("p{number}"), "Title"),
            };
            Candidate { forced, witness, ..candidate(chunk(&document, at, &[], &text(words)), cosine) }
        },
    )
}

proptest! {
    #[test]
    fn filters_keep_their_limits_and_lose_nothing(
        ranked in prop::collection::vec(any_candidate(), 0..30),
        total in 0..8_usize,
        per_document in 0..5_usize,
        kinds in prop::sample::subsequence(Kind::ALL.to_vec(), 0..=6),
    ) {
        let rules = FilterRules { per_document, total, ..RULES };
        let run = || apply_filters(ranked.clone(), rules, &kinds, |candidate| candidate.score() < 0.5);
        let (filtered, again) = (run(), run());
        prop_assert_eq!(ids(&filtered.kept), ids(&again.kept), "the same input gives the same passages");
        prop_assert_eq!(filtered.kept.len() + filtered.cut.len(), ranked.len());
        prop_assert!(filtered.kept.len() <= total);
        let mut shares: HashMap<&str, usize> = HashMap::new();
        for kept in &filtered.kept {
            prop_assert!(kept.is_exempt() || kept.score() >= 0.5, "only what is spared passes floor and distance");
            *shares.entry(kept.chunk.document.id.as_str()).or_default() += 1;
        }
        prop_assert!(shares.values().all(|share| *share <= per_document));
        let lost = filtered.cut.iter().filter(|(_, cut)| *cut == Cut::Total).count();
        prop_assert!(lost == 0 || filtered.kept.len() == total, "no place stays empty while something waits");
    }

    #[test]
    fn similarity_is_a_share_and_works_both_ways(a in ".{0,80}", b in ".{0,80}") {
        let similarity = text_similarity(&a, &b);
        prop_assert!((0.0..=1.0).contains(&similarity));
        prop_assert!((similarity - text_similarity(&b, &a)).abs() < 1e-12);
        prop_assert!((text_similarity(&a, &a) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_lead_is_measured_against_the_next_five_documents() {
    let mut pool = Pool::default();
    let first = adr(1, "Title");
    let hits = [0.6, 0.55]
        .iter()
        .zip(0..)
        .map(|(cosine, at)| hit(chunk(&first, at, &[], &text(at as usize)), *cosine));
    pool.add(Lane::Dense, hits.collect());
    assert_eq!(pool.margin(), None, "there is nothing to compare with");
    let others = (2..7).map(|number| hit(chunk(&adr(number, "Title"), 0, &[], &text(number as usize)), 0.2));
    pool.add(Lane::Lexical, others.collect());
    assert!(
        (pool.margin().unwrap() - 0.4).abs() < 1e-6,
        "its second passage is no rival: {:?}",
        pool.margin()
    );
}

#[test]
fn the_record_in_force_goes_before_what_it_replaced_and_before_its_approval() {
    let edit = |number, change: fn(&mut Document)| {
        let mut document = (*adr(number, "Title")).clone();
        change(&mut document);
        Arc::new(document)
    };
    let replaced = edit(7, |document| document.status = Some("superseded by ADR-0021".to_owned()));
    let approval = edit(8, |document| document.kind = Kind::Dar);
    let mut pool = Pool::default();
    let all = [(replaced, 0.62), (approval, 0.61), (adr(21, "Title"), 0.60), (adr(22, "Title"), 0.40)];
    let hits =
        all.iter().zip(1..).map(|((document, cosine), at)| hit(chunk(document, 0, &[], &text(at)), *cosine));
    pool.add(Lane::Dense, hits.collect());
    let order = |kinds: &[Kind]| ids(&pool.fuse(FUSION, kinds, |_| WordsShared::default()));
    assert_eq!(
        order(&[]),
        ["adr-0021:0", "adr-0007:0", "adr-0008:0", "adr-0022:0"],
        "and both stay before the rest"
    );
    assert_eq!(order(&[Kind::Dar])[0], "adr-0008:0", "who asks for the approval gets it");
}
