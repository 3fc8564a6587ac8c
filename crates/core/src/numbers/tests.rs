use super::*;

#[test]
fn the_committed_numbers_hold() {
    assert_eq!(check(), Ok(()), "assets/numbers.toml");
    assert!(std::ptr::eq(numbers(), NUMBERS.as_ref().unwrap()));
}

#[test]
fn a_number_that_is_missing_unknown_unexplained_or_out_of_range_is_named() {
    let weight = "[confidence.judge_weight]\nvalue = 30\n";
    assert!(SOURCE.contains(weight), "the tests below change it");
    let changed = |from: &str, to: &str| {
        let text = SOURCE.replacen(from, to, 1);
        assert_ne!(text, SOURCE, "`{from}` is in the file");
        Numbers::parse(&text).unwrap_err().to_string()
    };
    for (from, to, message) in [
        (
            weight,
            "[confidence.judge_weight]\nvalue = 130\n",
            "`confidence.judge_weight` is 130, and must be a number from 0 to 100",
        ),
        (weight, "[confidence.judge_wait]\nvalue = 30\n", "`confidence.judge_weight` is missing"),
        (
            "[budget.history_part]\nvalue = 3\n",
            "[budget.history_part]\nvalue = 3.5\n",
            "`budget.history_part` is 3.5, and must be a whole number",
        ),
        ("source = \"seed: overall", "source = \"overall", "must say what it means"),
        ("[refusal.shown_chars]", "[refusal.shown_charts]", "`refusal.shown_chars` is missing"),
        ("\n[confidence.retrieval_weight]\n", "\n[confidence.retrieval_weight\n", "TOML parse error"),
    ] {
        let error = changed(from, to);
        assert!(error.starts_with("assets/numbers.toml: ") && error.contains(message), "{error}");
    }
    let more =
        format!("{SOURCE}\n[refusal.more]\nvalue = 1\nrange = [0, 1]\nmeans = \"m\"\nsource = \"seed: s\"\n");
    let error = Numbers::parse(&more).unwrap_err().to_string();
    assert_eq!(error, "assets/numbers.toml: nothing reads `refusal.more`");
}

#[test]
fn a_broken_file_gives_no_confidence() {
    let broken = Numbers::BROKEN;
    assert!(broken.confidence.retrieval_weight.is_nan() && broken.confidence.coverage_weight.is_nan());
    assert_eq!(
        (f64::NAN.clamp(0.0, 100.0) as u8, broken.budget.history_part),
        (0, 1),
        "and divides by nothing"
    );
}

#[test]
fn numbers_that_belong_together_hold_together() {
    let Numbers { confidence, intent, tokens, .. } = numbers();
    let whole = confidence.retrieval_weight + confidence.coverage_weight + confidence.judge_weight;
    assert!((whole - 100.0).abs() < confidence.rounding, "the weights make a hundred");
    assert!(confidence.medium_from < confidence.high_from);
    assert!(tokens.code_marks < tokens.json_marks && tokens.least_correction < tokens.most_correction);
    let sure = [intent.explicit, intent.catalogue, intent.question, intent.fragment_in_context];
    assert!(sure.is_sorted_by(|a, b| a > b) && sure.iter().all(|sure| *sure >= intent.picker_below));
    assert!(intent.fragment < intent.picker_below, "a fragment alone gets the picker");
}
