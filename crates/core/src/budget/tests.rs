use std::sync::Arc;
use std::thread;

use proptest::prelude::*;

use super::*;

const MODEL: &str = "llama3.2";

/// One token a character.
struct Chars;

impl TokenCounter for Chars {
    fn count(&self, _model: &str, text: &str) -> usize {
        text.chars().count()
    }

    fn learn(&self, _model: &str, _estimated: usize, _counted: usize) {}
}

fn limits(context_window: usize) -> TokenLimits {
    TokenLimits { context_window, max_response: 100, max_history: 1000, max_context: 3000, system_prompt: 0 }
}

fn history(messages: &[&str]) -> Vec<ChatMessage> {
    let speak = |(at, text): (usize, &&str)| {
        if at % 2 == 0 { ChatMessage::user(*text) } else { ChatMessage::assistant(*text) }
    };
    messages.iter().enumerate().map(speak).collect()
}

fn contents(messages: &[ChatMessage]) -> Vec<&str> {
    messages.iter().map(|message| message.content.as_str()).collect()
}

fn chunk(text: &str, score: f32) -> BudgetChunk<'_> {
    BudgetChunk { text, score }
}

#[test]
fn test_truncate_history_overflow() {
    let long = "x".repeat(92);
    let history = history(&["first", &long, "second", &long, "third", &long]);
    // 1000 - 100 - 14 - 16 = 870 are left, a third is 290.
    let allocation = allocate(&Chars, MODEL, &limits(1000), "system", "question", &history, &[]).unwrap();
    assert_eq!(
        contents(&allocation.history),
        ["second", &long, "third", &long],
        "the oldest messages are dropped first"
    );
    assert_eq!(allocation.history_tokens, 14 + 100 + 13 + 100);
}

#[test]
fn test_truncate_history_keeps_recent() {
    let flood = "y".repeat(5000);
    let followed = history(&["what does ADR-0012 decide?", &flood]);
    let allocation = allocate(&Chars, MODEL, &limits(1000), "s", "q", &followed, &[]).unwrap();
    assert_eq!(
        contents(&allocation.history),
        ["what does ADR-0012 decide?"],
        "the user's last message stays, whatever the assistant wrote after it"
    );

    let too_long = format!("{}and what about TLS?", "z".repeat(5000));
    let alone = [ChatMessage::user(too_long)];
    let allocation = allocate(&Chars, MODEL, &limits(1000), "s", "q", &alone, &[]).unwrap();
    let [kept] = allocation.history.as_slice() else { panic!("it must not be lost") };
    assert!(
        kept.content.starts_with('…') && kept.content.ends_with("and what about TLS?"),
        "cut at its front"
    );
    assert!(allocation.history_tokens <= 294, "a third of what is left: {}", allocation.history_tokens);
}

#[test]
fn the_lowest_scored_passages_go_first_and_the_rest_keep_their_order() {
    let text = "p".repeat(300);
    let chunks =
        [chunk(&text, 0.5), chunk(&text, 0.9), chunk(&text, 0.5), chunk(&text, f32::NAN), chunk(&text, 0.7)];
    let kept = |window| allocate(&Chars, MODEL, &limits(window), "s", "q", &[], &chunks).unwrap().kept;
    assert_eq!(kept(118 + 1500), [0, 1, 2, 3, 4]);
    assert_eq!(kept(118 + 1200), [0, 1, 2, 4], "a score that is no number is the worst");
    assert_eq!(kept(118 + 900), [0, 1, 4], "of two equal ones the later goes first");
    assert_eq!(kept(118 + 300), [1]);
}

#[test]
fn a_passage_that_cannot_go_alone_pushes_none_out() {
    let (huge, small) = ("h".repeat(4000), "s".repeat(100));
    let chunks = [chunk(&huge, 0.9), chunk(&small, 0.6)];
    let allocation = allocate(&Chars, MODEL, &limits(8192), "s", "q", &[], &chunks).unwrap();
    assert_eq!((allocation.kept, allocation.context_tokens), (vec![1], 100), "3000 tokens are for passages");
}

#[test]
fn without_room_for_one_passage_the_user_is_told_what_is_needed() {
    let question = "q".repeat(700);
    let text = "p".repeat(200);
    let error =
        allocate(&Chars, MODEL, &limits(1000), "s", &question, &[], &[chunk(&text, 0.9)]).unwrap_err();
    assert_eq!(
        error,
        AskError::TokenBudgetExceeded {
            model: MODEL.to_owned(),
            needed: 9 + 708 + 100 + 200,
            available: 1000
        }
    );
    let question = "q".repeat(2000);
    assert!(
        allocate(&Chars, MODEL, &limits(1000), "s", &question, &[], &[]).is_err(),
        "never cut, so refused"
    );
}

#[test]
fn limits_are_the_smallest_of_settings_allowlist_and_server() {
    let budget = BudgetSettings::default();
    let allowed = ModelAllowance { context_window: 32768, max_response: 2048 };
    let limits = TokenLimits::new(&budget, allowed, None);
    assert_eq!((limits.context_window, limits.max_response), (32768, 1024));
    let server = ModelInfo { context_window: 4096, max_response: 512 };
    let limits = TokenLimits::new(&budget, allowed, Some(server));
    assert_eq!((limits.context_window, limits.max_response, limits.system_prompt), (4096, 512, 500));
}

const PROSE: &str =
    "The gateway terminates TLS and forwards requests to the platform over the internal network.";

#[test]
fn prose_code_and_json_are_estimated_apart_and_with_a_reserve() {
    let counter = EstimatingCounter::new();
    let rate = |text: &str| f64::from(u32::try_from(text.len()).unwrap()) / counter.count(MODEL, text) as f64;
    let code = "let gateway = Gateway::new(config.address, Duration::from_secs(30))?;";
    let json = r#"{"id":"a1","scores":[0.12,0.5,0.77],"ok":true}"#;
    let dutch =
        "De gateway beëindigt TLS en stuurt verzoeken door naar het platform over het interne netwerk.";
    for (text, least, most) in [(PROSE, 3.4, 3.8), (code, 2.2, 2.5), (json, 1.4, 1.6), (dutch, 2.2, 2.9)] {
        let rate = rate(text);
        assert!((least..=most).contains(&rate), "{rate:.2} characters a token for {text}");
    }
    assert_eq!(counter.count(MODEL, ""), 0);
    assert!(
        counter.count(MODEL, "日本語の文書") >= 12,
        "a character of another script is more than one token"
    );
    assert!(counter.count(MODEL, &"QUJD".repeat(50)) >= 110, "unbroken text has no words to go by");
}

#[test]
fn the_counter_learns_from_the_server_and_stays_on_the_safe_side() {
    let counter = EstimatingCounter::new();
    let first = counter.count(MODEL, PROSE);
    assert!(!counter.is_corrected(MODEL));
    counter.learn(MODEL, first, first * 2);
    assert!(counter.is_corrected(MODEL));
    assert!(counter.count(MODEL, PROSE) >= first * 2, "the server counts more than was thought");
    assert_eq!(counter.count("qwen3:8b", PROSE), first, "another model is another tokenizer");

    for _ in 0..3 {
        let now = counter.count(MODEL, PROSE);
        counter.learn(MODEL, now, first / 2);
    }
    assert!(counter.count(MODEL, PROSE) >= first * 2, "the largest of the recent ratios holds");
    for _ in 0..8 {
        let now = counter.count(MODEL, PROSE);
        counter.learn(MODEL, now, first / 2);
    }
    let settled = counter.count(MODEL, PROSE);
    assert!(
        settled < first && settled > first / 2,
        "then it comes down, and keeps its reserve: {settled} of {first}"
    );

    for counted in [0, 1_000_000] {
        counter.learn(MODEL, settled, counted);
    }
    assert!(counter.correction(MODEL) <= 4.0, "a count that cannot be is bounded");
}

#[test]
fn the_counter_is_shared_between_threads() {
    let counter = Arc::new(EstimatingCounter::new());
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let estimated = counter.count(MODEL, PROSE);
                    counter.learn(MODEL, estimated, estimated);
                }
            });
        }
    });
    assert!((0.5..=4.0).contains(&counter.correction(MODEL)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn nothing_ever_exceeds_the_window(
        messages in prop::collection::vec(".{0,400}", 0..12),
        passages in prop::collection::vec((".{0,600}", prop::num::f32::ANY), 0..8),
        system in ".{0,200}",
        question in ".{0,200}",
        window in 0_usize..3000,
        response in 0_usize..600,
        reserved in 0_usize..100,
    ) {
        let counter = EstimatingCounter::new();
        let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
        let history = history(&messages);
        let chunks: Vec<_> = passages.iter().map(|(text, score)| chunk(text, *score)).collect();
        let limits = TokenLimits {
            context_window: window, max_response: response, max_history: 300, max_context: 900, system_prompt: reserved,
        };
        if let Ok(allocation) = allocate(&counter, MODEL, &limits, &system, &question, &history, &chunks) {
            let fixed = counter.count(MODEL, &system) + counter.count(MODEL, &question) + response;
            prop_assert!(fixed + allocation.history_tokens + allocation.context_tokens <= window);
            prop_assert!(allocation.prompt_tokens + response <= window);
            prop_assert!(allocation.kept.is_sorted() && (chunks.is_empty() || !allocation.kept.is_empty()));
            let newest = allocation.history.last().map(|message| message.content.as_str());
            prop_assert!(newest.is_none_or(|text| messages.iter().any(|m| m.ends_with(text.trim_start_matches('…')))));
        }
    }
}

#[test]
fn what_is_kept_free_for_the_system_prompt_is_not_taken_for_sent() {
    let kept_free = TokenLimits { system_prompt: 500, ..limits(2000) };
    let allocation = allocate(&Chars, MODEL, &kept_free, "system", "question", &[], &[]).unwrap();
    assert_eq!((allocation.prompt_tokens, allocation.sent_tokens), (500 + 16, 14 + 16));
}
