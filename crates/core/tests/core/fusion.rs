//! How cosine and words become one order. The lanes are as they are in practice: each ranks by its own score, and the
//! lexical lane's hits bring their cosine.

use plumbline_core::domain::{Candidate, Chunk, Kind, Lane};
use plumbline_core::ports::Hit;
use plumbline_core::retrieval::{FusionRules, Pool, WordsShared};
use plumbline_core::settings::Settings;
use plumbline_testkit::documents::{adr, chunk, principle};
use proptest::prelude::*;

fn rules() -> FusionRules {
    let settings = Settings::default().retrieval;
    FusionRules {
        lexical_weight: settings.lexical_weight,
        kind_boost: settings.kind_boost_fused,
        kind_boost_rerank: settings.kind_boost_rerank,
    }
}

fn passage(number: u32) -> Chunk {
    chunk(&adr(number, "Title"), 0, &[], "text")
}

fn hit(chunk: Chunk, cosine: f32, lexical: Option<f32>) -> Hit {
    Hit { chunk: chunk.into(), cosine: Some(cosine), lexical }
}

fn ids(candidates: &[Candidate]) -> Vec<String> {
    candidates.iter().map(|candidate| candidate.chunk.source_id.to_string()).collect()
}

fn fused(dense: Vec<Hit>, lexical: Vec<Hit>) -> Vec<String> {
    let mut pool = Pool::default();
    pool.add(Lane::Dense, dense);
    pool.add(Lane::Lexical, lexical);
    ids(&pool.fuse(rules(), &[], |_| WordsShared::default()))
}

#[test]
fn a_useless_lexical_lane_cannot_push_a_dense_winner_down() {
    // A Dutch question over English text: what the lexical lane finds shares one word of several by chance.
    let dense = (1..=15).map(|n| hit(passage(n), 0.62 - 0.02 * n as f32, None)).collect();
    let lexical = (21..=35).map(|n| hit(passage(n), 0.20, Some(0.20 - 0.01 * (n - 21) as f32))).collect();
    let order = fused(dense, lexical);
    let nearest: Vec<String> = (1..=15).map(|n| format!("adr-{n:04}:0")).collect();
    assert_eq!(order[..15], nearest, "a first place among chance matches is worth nothing");
}

#[test]
fn a_useless_dense_lane_cannot_push_an_exact_name_down() {
    // A code that the embedder has never seen: everything is about as far away as everything else. BM25 gives 0.45 of
    // its bound for one mention in a chunk of average length, and less in a longer one.
    let dense = (1..=15).map(|n| hit(passage(n), 0.38 - 0.005 * n as f32, None)).collect();
    let lexical = vec![hit(passage(40), 0.10, Some(0.55)), hit(passage(41), 0.15, Some(0.42))];
    assert_eq!(fused(dense, lexical)[..2], ["adr-0040:0", "adr-0041:0"]);
}

#[test]
fn an_embedder_that_uses_another_part_of_the_scale_gives_the_same_order() {
    let found =
        [(1, 0.62, 0.0), (2, 0.55, 0.30), (3, 0.50, 0.44), (4, 0.31, 0.50), (5, 0.30, 0.12), (6, 0.12, 0.60)];
    let order = |squeeze: fn(f32) -> f32| {
        let hits = found.map(|(n, cosine, share)| hit(passage(n), squeeze(cosine), Some(share)));
        fused(hits.to_vec(), hits.to_vec())
    };
    assert_eq!(
        order(|cosine| cosine),
        order(|cosine| 0.6 + 0.4 * cosine),
        "its cosines lie between 0.6 and 1"
    );
}

#[test]
fn words_of_another_language_count_for_little() {
    let mut pool = Pool::default();
    pool.add(Lane::Dense, vec![hit(passage(1), 0.50, None)]);
    pool.add(Lane::Lexical, vec![hit(passage(2), 0.38, Some(0.45))]);
    assert_eq!(ids(&pool.fuse(rules(), &[], |_| WordsShared::default())), ["adr-0002:0", "adr-0001:0"]);
    assert_eq!(
        ids(&pool.fuse(rules(), &[], |_| WordsShared { is_foreign: true, is_named: false })),
        ["adr-0001:0", "adr-0002:0"]
    );
}

#[test]
fn a_document_that_holds_a_name_of_the_question_comes_before_one_that_is_somewhat_nearer() {
    let mut pool = Pool::default();
    pool.add(Lane::Dense, vec![hit(passage(1), 0.35, None), hit(passage(2), 0.25, None)]);
    let named = |holder: &'static str| {
        move |chunk: &Chunk| WordsShared {
            is_named: chunk.document.id.to_string() == holder,
            ..WordsShared::default()
        }
    };
    assert_eq!(ids(&pool.fuse(rules(), &[], named("adr-0002"))), ["adr-0002:0", "adr-0001:0"]);
    assert_eq!(ids(&pool.fuse(rules(), &[], named("none"))), ["adr-0001:0", "adr-0002:0"]);
}

#[test]
fn what_a_curator_chose_does_not_silence_the_words() {
    let mut pool = Pool::default();
    pool.add(Lane::Curated, vec![hit(passage(9), 0.95, None)]);
    pool.add(Lane::Dense, vec![hit(passage(1), 0.40, None)]);
    pool.add(Lane::Lexical, vec![hit(passage(2), 0.20, Some(0.5))]);
    assert_eq!(
        ids(&pool.fuse(rules(), &[], |_| WordsShared::default())),
        ["adr-0009:0", "adr-0002:0", "adr-0001:0"]
    );
}

#[test]
fn where_both_lanes_are_good_what_both_find_comes_first() {
    let dense = vec![hit(passage(1), 0.66, None), hit(passage(2), 0.63, None), hit(passage(3), 0.60, None)];
    let lexical = vec![
        hit(passage(4), 0.35, Some(0.62)),
        hit(passage(2), 0.63, Some(0.58)),
        hit(passage(5), 0.2, Some(0.5)),
    ];
    assert_eq!(fused(dense, lexical)[0], "adr-0002:0", "second in both, and better than either first");
}

#[test]
fn without_vectors_the_order_is_that_of_the_words() {
    let words = [(7, 0.9), (3, 0.5), (5, 0.2), (1, 0.0)];
    let mut pool = Pool::default();
    let hits = words.map(|(n, share)| Hit { chunk: passage(n).into(), cosine: None, lexical: Some(share) });
    pool.add(Lane::Lexical, hits.to_vec());
    assert_eq!(
        ids(&pool.fuse(rules(), &[], |_| WordsShared::default())),
        ["adr-0007:0", "adr-0003:0", "adr-0005:0", "adr-0001:0"]
    );
}

#[test]
fn a_named_kind_is_boosted_by_a_factor() {
    let mut pool = Pool::default();
    let named = chunk(&principle(4, "Title"), 0, &[], "text");
    pool.add(
        Lane::Dense,
        vec![hit(passage(1), 0.60, None), hit(passage(2), 0.56, None), hit(named, 0.54, None)],
    );
    assert_eq!(ids(&pool.fuse(rules(), &[], |_| WordsShared::default()))[2], "pcp-0004:0");
    let boosted = pool.fuse(rules(), &[Kind::Principle], |_| WordsShared::default());
    assert_eq!(ids(&boosted)[0], "pcp-0004:0");
    assert!((boosted[0].fused - 0.54 * 1.15).abs() < 1e-6);
}

#[test]
fn scores_that_are_no_numbers_count_for_nothing() {
    let dense = vec![
        hit(passage(1), f32::NAN, None),
        hit(passage(2), 0.1, None),
        hit(passage(3), f32::INFINITY, None),
    ];
    let lexical = vec![hit(passage(4), 0.1, Some(f32::NAN)), hit(passage(5), -0.3, Some(0.5))];
    let order = fused(dense, lexical);
    assert_eq!(order, ["adr-0005:0", "adr-0002:0", "adr-0004:0", "adr-0001:0", "adr-0003:0"]);
}

#[test]
fn each_lane_keeps_its_own_order() {
    let mut pool = Pool::default();
    pool.add(
        Lane::Dense,
        vec![hit(passage(3), 0.9, None), hit(passage(1), 0.5, None), hit(passage(2), 0.4, None)],
    );
    pool.add(Lane::Lexical, vec![hit(passage(2), 0.4, Some(0.9)), hit(passage(9), 0.1, Some(0.2))]);
    let lanes = pool.lanes();
    assert_eq!(lanes.keys().copied().collect::<Vec<_>>(), [Lane::Dense, Lane::Lexical]);
    assert_eq!(ids(&lanes[&Lane::Dense]), ["adr-0003:0", "adr-0001:0", "adr-0002:0"]);
    assert_eq!(ids(&lanes[&Lane::Lexical]), ["adr-0002:0", "adr-0009:0"]);
}

proptest! {
    /// However the hits come in, equal scores stand in the order of their ids, and the order is the same each time.
    #[test]
    fn the_order_depends_on_scores_and_ids_alone(
        scores in proptest::collection::vec((0_u8..4, 0_u8..4), 1..20),
        swap in any::<proptest::sample::Index>(),
    ) {
        let mut hits: Vec<Hit> = scores.iter().zip(1..)
            .map(|((cosine, share), n)| hit(passage(n), f32::from(*cosine) / 4.0, Some(f32::from(*share) / 4.0)))
            .collect();
        let order = |hits: &[Hit]| {
            let mut pool = Pool::default();
            pool.add(Lane::Lexical, hits.to_vec());
            pool.fuse(rules(), &[], |_| WordsShared::default())
        };
        let first = order(&hits);
        let middle = swap.index(hits.len());
        hits.rotate_left(middle);
        let second = order(&hits);
        prop_assert_eq!(ids(&first), ids(&second));
        for pair in first.windows(2) {
            prop_assert!(pair[0].fused > pair[1].fused
                || (pair[0].fused == pair[1].fused && pair[0].chunk.source_id < pair[1].chunk.source_id));
        }
    }

    /// A better score in either lane never costs a place.
    #[test]
    fn more_is_never_less(cosine in 0.0_f32..1.0, share in 0.0_f32..1.0, nearer in 0.0_f32..0.5, fuller in 0.0_f32..0.5) {
        let order = fused(
            vec![],
            vec![hit(passage(1), cosine, Some(share)), hit(passage(2), cosine + nearer + 0.001, Some(share + fuller))],
        );
        prop_assert_eq!(&order[0], "adr-0002:0");
    }
}
