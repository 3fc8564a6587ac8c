use plumbline_core::answer::{ReplyKind, ReplyOutcome, Shown};
use plumbline_core::domain::Chunk;
use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::liar::Turn;
use plumbline_testkit::prng::Prng;
use proptest::prelude::*;

use crate::checker::{run, run_in_cuts, shown_texts};

fn passages() -> Vec<Chunk> {
    let film = adr(31, "Snow White and the Huntsman");
    let islands = adr(32, "New Amsterdam");
    let backup = adr(33, "Backup of the metering platform");
    vec![
        chunk(&film, 0, &[], "The film was shot in Wales. Warren Beatty was considered for a role."),
        chunk(
            &islands,
            0,
            &[],
            "New Netherland was provisionally ceded by Stuyvesant in 1664. The crossing took 40 minutes.",
        ),
        chunk(
            &backup,
            0,
            &["Consequences"],
            "Backups are kept for 35 days. Restoring takes 4 hours.\n\n| Tier | Restore |\n|---|---|\n| gold | 4 hours |\n| silver | 12 hours |",
        ),
    ]
}

fn reply(text: &str, question: &str) -> (Vec<Shown>, ReplyOutcome) {
    let owned = passages();
    let chunks: Vec<&Chunk> = owned.iter().collect();
    let whole = run(&chunks, question, text);
    assert_eq!(run_in_cuts(&chunks, question, text.as_bytes(), 1), whole, "byte by byte: {text:?}");
    whole
}

fn outcome(text: &str) -> ReplyOutcome {
    reply(text, "Who gave the colony away?").1
}

#[test]
fn a_reply_of_markers_alone_points_at_passages() {
    for (text, pointers) in [
        ("[1]", &[1][..]),
        ("[2].", &[2]),
        ("[3]\n[1]", &[3, 1]),
        (" [2] [3] ", &[2, 3]),
        ("[[2]]", &[2]),
        ("Passage 2[2] and Passage 3[3]", &[2, 3]),
        ("See passages 1 and 3.", &[1, 3]),
    ] {
        let outcome = outcome(text);
        assert_eq!((outcome.kind, outcome.pointers.as_slice()), (ReplyKind::Pointers, pointers), "{text}");
        assert!(outcome.answer.is_empty(), "{text}");
    }
}

#[test]
fn a_reply_of_nothing_is_empty() {
    for text in ["", "  \n ", "[9]", "...", "[4] [5] [6]\n[22] [23]"] {
        assert_eq!(outcome(text).kind, ReplyKind::Empty, "{text:?}");
    }
}

#[test]
fn no_answer_is_a_refusal() {
    for text in [
        "NO_ANSWER",
        "NO_ANSWER.",
        " NO_ANSWER [1]",
        "I don't have enough information to answer this.",
        "Er is onvoldoende informatie.",
    ] {
        assert_eq!(outcome(text).kind, ReplyKind::NoAnswer, "{text:?}");
    }
}

#[test]
fn a_bare_phrase_that_a_passage_holds_is_an_answer_with_its_source() {
    for (text, answer, cited) in [
        ("40 minutes", "40 minutes [1]", 2),
        ("Stuyvesant [2]", "Stuyvesant [1]", 2),
        ("Stuyvesant", "Stuyvesant [1]", 2),
        ("Warren Beatty [2]", "Warren Beatty [1]", 1),
        ("4 hours [3].", "4 hours [1].", 3),
    ] {
        let outcome = outcome(text);
        assert_eq!(outcome.kind, ReplyKind::Answered, "{text}: {outcome:?}");
        assert_eq!((outcome.answer.as_str(), outcome.cited.as_slice()), (answer, &[cited][..]), "{text}");
    }
}

#[test]
fn a_bare_phrase_that_no_passage_holds_is_withheld() {
    for text in ["41 minutes", "Minuit [2]", "2016-17 [3]", "forty islands"] {
        assert_eq!(outcome(text).kind, ReplyKind::Unsupported, "{text}");
    }
}

#[test]
fn a_reply_that_says_no_more_than_the_question_points_at_its_passage() {
    let outcome = |text: &str, question: &str| reply(text, question).1;
    let echo = outcome(
        "Backup of the metering platform [3]",
        "What was decided about Backup of the metering platform, and why?",
    );
    assert_eq!((echo.kind, echo.pointers.as_slice()), (ReplyKind::Pointers, &[3][..]));
    let answer = outcome("Backups are kept for 35 days [3].", "How long are backups kept?");
    assert_eq!(answer.kind, ReplyKind::Answered, "35 days is new");
    let yes = outcome("Backups are kept for 35 days [3].", "Are backups kept for 35 days?");
    assert_eq!(yes.kind, ReplyKind::Answered, "what is asked may be affirmed");
    let choice = outcome("4 hours [3]", "Which is it, 4 hours or 12 hours?");
    assert_eq!(choice.kind, ReplyKind::Answered, "a choice repeats the question");
}

#[test]
fn a_reply_without_the_number_that_is_asked_for_is_no_answer() {
    let question = "How long are backups of the metering platform kept?";
    let kind = |text: &str| reply(text, question).1.kind;
    assert_eq!(kind("Warren Beatty was considered for a role [1]."), ReplyKind::Evaded);
    assert_eq!(kind("Backups are kept for 35 days [3]."), ReplyKind::Answered);
}

#[test]
fn what_is_asked_is_affirmed_only_where_a_passage_says_it() {
    let privacy = adr(36, "Privacy by design");
    let passages = [
        chunk(
            &privacy,
            0,
            &["Consequences"],
            "We test with made-up data. A copy of production data may be used only to replay an incident, and tests never see it.",
        ),
        chunk(&privacy, 1, &["Consequences"], "A copy of production data may be used for training."),
    ];
    let chunks: Vec<&Chunk> = passages.iter().collect();
    let kind = |asked: &str, text: &str| run(&chunks, asked, text).1.kind;
    assert_ne!(
        kind(
            "May I use a copy of production data to replay tests?",
            "Yes, you may use a copy of production data to replay tests [1]."
        ),
        ReplyKind::Answered
    );
    assert_eq!(
        kind(
            "May I use a copy of production data for training?",
            "Yes, a copy of production data may be used for training [2]."
        ),
        ReplyKind::Answered
    );
}

#[test]
fn a_yes_or_no_that_no_passage_supports_goes_and_its_sentence_stays() {
    let outcome = reply("Yes, backups are kept for 35 days [3].", "Are backups kept?").1;
    assert_eq!(outcome.answer, "Backups are kept for 35 days [1].");
}

#[test]
fn citations_are_numbered_by_appearance_and_tables_keep_their_head() {
    let text = "Backups are kept for 35 days [3]. The film was shot in Wales [1].\n\n| Tier | Restore |\n|---|---|\n| gold | 4 hours [3] |\n| bronze | 9 hours [3] |\n| silver | 12 hours [3] |";
    let (shown, outcome) = reply(text, "What do we know?");
    assert_eq!(
        outcome.answer,
        "Backups are kept for 35 days [1]. The film was shot in Wales [2].\n\n| Tier | Restore |\n|---|---|\n| gold | 4 hours [1] |\n| silver | 12 hours [1] |"
    );
    assert_eq!(outcome.cited, [3, 1]);
    assert_eq!(outcome.withheld.len(), 1, "the bronze row is made up");
    assert_eq!(shown_texts(&shown).concat(), outcome.answer);
}

#[test]
fn a_passage_named_in_words_is_shown_under_the_readers_number() {
    let outcome = outcome(
        "According to passage 3, restoring takes 4 hours. Passage 1 says that the film was shot in Wales.",
    );
    assert_eq!(outcome.answer, "Restoring takes 4 hours [1]. The film was shot in Wales [2].");
    assert_eq!(outcome.cited, [3, 1]);
}

#[test]
fn a_sentence_that_is_quoted_whole_needs_no_other_support() {
    let outcome = outcome("The passage explicitly states that \"Restoring takes 4 hours.\" [3]");
    assert_eq!((outcome.answer.as_str(), outcome.withheld.len()), ("\"Restoring takes 4 hours.\" [1]", 0));
}

#[test]
fn a_marker_that_is_never_closed_leaves_no_trace() {
    let outcome = outcome("The crossing took 40 minutes [2 and more [2]. Backups are kept for 35 days [3");
    assert!(!outcome.answer.contains("[2 and"), "{}", outcome.answer);
    assert!(outcome.dropped.iter().any(|dropped| dropped.marker == "[3"));
}

#[test]
fn headings_appear_only_above_something_that_was_kept() {
    let text = "## Film\nThe hero is a dragon from Norway.\n\n## Backup\nBackups are kept for 35 days [3].";
    assert_eq!(outcome(text).answer, "## Backup\n\nBackups are kept for 35 days [1].");
}

#[test]
fn what_is_missing_becomes_a_remark_and_no_answer() {
    let outcome = outcome("Backups are kept for 35 days [3]. The passages do not mention who pays.");
    assert_eq!(outcome.kind, ReplyKind::Answered);
    assert_eq!(outcome.remarks, ["The passages do not mention who pays."]);
    assert!(outcome.withheld.is_empty());
}

#[test]
fn huge_and_hostile_replies_pass_in_time() {
    let owned = passages();
    let chunks: Vec<&Chunk> = owned.iter().collect();
    for text in [
        "a".repeat(100_000),
        "[".repeat(100_000),
        "[1]".repeat(33_000),
        "| x ".repeat(25_000),
        "Backups are kept for 35 days [3]. ".repeat(3_000),
        "\u{202E}\u{200F}[3]\u{0}\u{7}\r\n".repeat(5_000),
        "\"".repeat(100_000),
        "- ```\n".repeat(15_000),
        "1. 20. ".repeat(14_000),
        "word ".repeat(20_000),
    ] {
        let (shown, outcome) = run(&chunks, "How long?", &text);
        assert_eq!(shown_texts(&shown).concat(), outcome.answer);
    }
}

fn scraps() -> impl Strategy<Value = Vec<String>> {
    let fixed = prop::sample::select(vec![
        "Backups are kept for 35 days",
        "The film was shot in Wales",
        "Warren Beatty",
        " [1]",
        "[2]",
        " [3].",
        "[9]",
        ". ",
        ".",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "| gold | 4 hours |",
        "\n| Tier | Restore |\n",
        "|---|---|\n",
        "```",
        "## Backup\n",
        "\"",
        "“",
        "NO_ANSWER",
        "The passages do not mention it.",
        "[[",
        "]]",
        "[",
        "]",
        "(source 2)",
        "[SourceId: adr-0031:0]",
        "adr-0031:0",
        "\u{202E}",
        "\u{0}",
        "é",
        " not ",
        " and ",
        ", while ",
        "; ",
        "40 minutes",
        "2027-12-31",
    ])
    .prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![12 => fixed, 1 => "\\PC{0,8}"], 0..30)
}

#[test]
fn what_follows_code_with_a_blank_line_in_it_is_read_however_it_comes() {
    let owned = passages();
    let chunks: Vec<&Chunk> = owned.iter().collect();
    let reply = "```\nlet a = 1;\n\nlet b = 2;\n```\n\nThe film was shot in Wales [1].\n\nIt is long.";
    let whole = run(&chunks, "Where was the film shot?", reply);
    assert!(whole.1.answer.contains("The film was shot in Wales [1]."), "{}", whole.1.answer);
    assert_eq!(run_in_cuts(&chunks, "Where was the film shot?", reply.as_bytes(), 1), whole);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn how_a_reply_is_cut_does_not_matter(scraps in scraps(), cut in 1_usize..12) {
        let owned = passages();
        let chunks: Vec<&Chunk> = owned.iter().collect();
        let text = scraps.concat();
        let whole = run(&chunks, "How long?", &text);
        prop_assert_eq!(&run_in_cuts(&chunks, "How long?", text.as_bytes(), cut), &whole, "{:?} in pieces of {}", text, cut);
        prop_assert_eq!(shown_texts(&whole.0).concat(), whole.1.answer);
    }

    #[test]
    fn how_a_liars_reply_is_cut_does_not_matter(seed in any::<u64>(), cut in 1_usize..40) {
        let turn = Turn::generate(&mut Prng::new(seed));
        let chunks = turn.world.chunks();
        let whole = run(&chunks, "What was decided?", &turn.reply);
        prop_assert_eq!(&run_in_cuts(&chunks, "What was decided?", turn.reply.as_bytes(), cut), &whole);
        prop_assert_eq!(shown_texts(&whole.0).concat(), whole.1.answer);
    }

    #[test]
    fn any_bytes_pass_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 1_usize..9) {
        let owned = passages();
        let chunks: Vec<&Chunk> = owned.iter().collect();
        let whole = run_in_cuts(&chunks, "How long?", &bytes, bytes.len().max(1));
        prop_assert_eq!(run_in_cuts(&chunks, "How long?", &bytes, cut), whole);
    }
}
