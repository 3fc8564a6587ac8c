//! The numbers that decide answers and that nobody sets, read once from `assets/numbers.toml`, which explains each.

mod file;

#[cfg(test)]
mod tests;

pub use file::NumbersError;

use std::sync::LazyLock;

use file::File;

const SOURCE: &str = include_str!("../../../assets/numbers.toml");

static NUMBERS: LazyLock<Result<Numbers, NumbersError>> = LazyLock::new(|| Numbers::parse(SOURCE));

/// Whether every number is there and within its range. Asked when settings are resolved, so that a program that was built with a
/// broken file does not start.
pub fn check() -> Result<(), NumbersError> {
    NUMBERS.as_ref().map(|_| ()).map_err(Clone::clone)
}

/// The numbers. Of a broken file, which [`check`] tells of, they are such that every answer is refused.
pub(crate) fn numbers() -> &'static Numbers {
    static BROKEN: Numbers = Numbers::BROKEN;
    NUMBERS.as_ref().unwrap_or(&BROKEN)
}

/// So many bytes of published libraries that are read in place stay on disk.
pub fn in_place_cache_bytes() -> u64 {
    numbers().in_place.cache_mb as u64 * 1_000_000
}

/// What a number of the file becomes.
trait Number: Sized {
    fn of(value: f64) -> Option<Self>;
}

impl Number for f64 {
    fn of(value: f64) -> Option<Self> {
        Some(value)
    }
}

impl Number for f32 {
    fn of(value: f64) -> Option<Self> {
        Some(value as Self)
    }
}

impl Number for usize {
    fn of(value: f64) -> Option<Self> {
        (value.fract() == 0.0 && value >= 0.0).then_some(value as Self)
    }
}

/// Declares which numbers there are, by section. What they are and mean is for the file to say.
macro_rules! numbers {
    ($($section:ident: $Section:ident { $($name:ident: $type:ident,)+ })+) => {
        $(
            #[derive(Debug, PartialEq)]
            pub(crate) struct $Section {
                $(pub $name: $type,)+
            }
        )+

        #[derive(Debug, PartialEq)]
        pub(crate) struct Numbers {
            $(pub $section: $Section,)+
        }

        impl Numbers {
            /// Weights that are no numbers give no confidence, and without confidence there is no answer.
            const BROKEN: Self = Self { $($section: $Section { $($name: broken!($type),)+ },)+ };

            fn parse(text: &str) -> Result<Self, NumbersError> {
                let mut file = File::parse(text)?;
                let numbers = Self {
                    $($section: $Section {
                        $($name: file.take(stringify!($section), stringify!($name))?,)+
                    },)+
                };
                file.is_used_up()?;
                Ok(numbers)
            }
        }
    };
}

macro_rules! broken {
    (usize) => {
        1
    };
    ($float:ident) => {
        $float::NAN
    };
}

numbers! {
    contradictions: Contradictions {
        common: usize,
        words: usize,
        least_weight: f64,
        same_value: f64,
        gone: f64,
        demand: f64,
        allowance: f64,
        practice: f64,
        practice_held: f64,
        counted: f64,
        answer: f64,
        answer_asked: f64,
        telling_statements: usize,
        value: f64,
        value_of_cases: f64,
        choice: f64,
        rule: f64,
        bound_reach: usize,
        bound_behind: usize,
        standing_reach: usize,
        standing_words: usize,
        near: f64,
        nearest: usize,
        near_named: f64,
        choosing_reach: usize,
        follows: f64,
        follows_told: f64,
    }
    draft: RecordDrafts {
        records: usize,
        layout_records: usize,
        layout_sample: usize,
        layout_share: f64,
        term_words: usize,
    }
    confidence: Confidence {
        retrieval_weight: f64,
        coverage_weight: f64,
        judge_weight: f64,
        high_from: f64,
        medium_from: f64,
        rounding: f64,
    }
    budget: Budget {
        message_overhead: usize,
        history_part: usize,
        cut_part: usize,
    }
    tokens: Tokens {
        code: f64,
        json: f64,
        code_marks: f64,
        json_marks: f64,
        longest_word: usize,
        reserve: f64,
        recent: usize,
        least_correction: f64,
        most_correction: f64,
    }
    intent: Intent {
        longest_term: usize,
        title_words: usize,
        picker_below: f32,
        explicit: f32,
        catalogue: f32,
        question: f32,
        fragment_in_context: f32,
        fragment: f32,
        fragment_words: usize,
        words_before_aside: usize,
        words_before_list: usize,
        listed_terms: usize,
        topic_share: f64,
        list_told: usize,
        list_likely: f64,
        list_word: f64,
        several_likely: f64,
        relation_likely: f64,
        field_likely: f64,
        words_of_a_role: usize,
        source_letters: usize,
        number_digits: usize,
    }
    retrieval: Retrieval {
        bm25_k1: f32,
        foreign_words: f32,
        most_names: usize,
        name_passages: usize,
        name_weight: f32,
        runners_up: usize,
        second_hand: f32,
    }
    answerability: Answerability {
        passages: usize,
        nearness: f64,
        margin: f64,
        words: f64,
        constant: f64,
        prior_odds: f64,
        named_margin: f64,
    }
    answerability_read: AnswerabilityRead {
        possible: f64,
        read: f64,
        margin: f64,
        constant: f64,
        prior_odds: f64,
    }
    reader: ReaderNumbers {
        window_chars: usize,
        before_share: f64,
        follows: f64,
        follows_without_words: f64,
        follows_against_words: f64,
        contradicted: f64,
        further_passages: usize,
        follows_though_denied: f64,
        ordered: usize,
        listed: usize,
        speaks: f32,
        surely: f32,
        order_weight: f32,
        denied: f64,
    }
    gates: Gates {
        passages_for_mean: usize,
    }
    several: Several {
        documents: usize,
        added: f64,
        adds: f64,
        left: f64,
    }
    compose: Compose {
        most_sentences: usize,
        fewest_words: usize,
        longest_unit: usize,
        near_best: f64,
        elsewhere: f64,
        heard: f64,
        nearness: f64,
        words: f64,
        words_above: f64,
        asked_section: f64,
        asked_quantity: f64,
        opened_passages: usize,
        answers: f64,
        odds_spread: f64,
        answers_too: f64,
        most_read: usize,
        named_kind: f64,
        rank: f64,
        place: f64,
        answer_chars: usize,
        block_chars: usize,
        heard_of_several: f64,
        filled_chars: usize,
        filled_near: f64,
        sure: f64,
        list_chars: usize,
        items_of_a_list: usize,
        summary_chars: usize,
        summary_lead_chars: usize,
        section_chars: usize,
    }
    prompt: Prompt {
        rewrites: usize,
        line_chars: usize,
    }
    refusal: Refusal {
        ways_on: usize,
        shown_chars: usize,
    }
    grounding: Grounding {
        bare_phrase_words: usize,
        fewest_items: usize,
        quotation_words: usize,
        longest_item: usize,
        pointing_words: usize,
        same_thing: f64,
        short_statement_words: usize,
        shortest_undone: usize,
        unit_reach: usize,
        window: usize,
        content_share: f64,
        local_share: f64,
        kept_share: f64,
    }
    evidence: Evidence {
        about_as_near: f32,
        second_look: usize,
        further_documents: usize,
        several_passages: usize,
        several_per_document: usize,
        several_witness: f64,
        most_sentences: usize,
        self_contained: f64,
        most_passages: usize,
    }
    check: Check {
        passages: usize,
        text_chars: usize,
    }
    jobs: Jobs {
        rewrite_tokens: usize,
        context: usize,
        reply_tokens: usize,
    }
    generation: Generation {
        measurable_prompt: usize,
        instruction_words: usize,
        truncation_share: f64,
    }
    follow_up: FollowUp {
        longest: usize,
        most_named: usize,
    }
    in_place: InPlace {
        cache_mb: usize,
    }
    language: Language {
        function_words: f64,
        longest_short_word: usize,
        enough_words: usize,
    }
}
