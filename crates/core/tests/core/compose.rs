use std::collections::HashMap;

use plumbline_core::answer::compose::{Composition, Measured, compose, promising};
use plumbline_core::domain::{Chunk, DocumentId, Kind, Language, Nearness};
use plumbline_core::intent::Question;
use plumbline_testkit::documents::{adr, chunk, dutch_policy};
use plumbline_testkit::prng::Prng;
use plumbline_testkit::rig::edit;
use plumbline_testkit::turns::World;
use regex::Regex;

fn wanted(question: &str, language: Language) -> Question {
    Question::read(question, language)
}

fn backup() -> Vec<Chunk> {
    let backup = adr(33, "Backup of the metering platform");
    let keys = adr(34, "Rotation of signing keys");
    vec![
        chunk(
            &backup,
            0,
            &["Context"],
            "The metering platform holds readings of all customers. Losing them would be expensive.",
        ),
        chunk(
            &backup,
            1,
            &["Decision Outcome"],
            "Backups of the metering platform are kept for 35 days. Restoring takes at most 4 hours.\n\n| Tier | Restore time |\n|---|---|\n| gold | 4 hours |\n| silver | 12 hours |\n\n- Backups are encrypted before they leave the site.\n\n```\nbackup --tier gold --keep 35d\n```\n",
        ),
        chunk(&backup, 2, &["Consequences"], "Storage becomes more expensive. The operators need training."),
        chunk(
            &keys,
            0,
            &["Decision Outcome"],
            "Signing keys rotate every 90 days. Expired keys stay readable for one year.",
        ),
    ]
}

fn composed(question: &str, chunks: &[Chunk]) -> Composition {
    compose(&wanted(question, Language::EN), &chunks.iter().collect::<Vec<_>>(), Measured::default()).unwrap()
}

fn marker() -> Regex {
    Regex::new(r"\s*\[(\d+)\](?: \|)?$").unwrap()
}

/// Every block of the answer without its marker, with the alias it cites.
fn blocks(composition: &Composition) -> Vec<(String, usize)> {
    let marker = marker();
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut unmarked = String::new();
    for block in composition.answer.split("\n\n") {
        let Some(captures) = marker.captures(block) else {
            unmarked.push_str(block);
            unmarked.push_str("\n\n");
            continue;
        };
        let number: usize = captures[1].parse().unwrap();
        let text = format!("{}{}", std::mem::take(&mut unmarked), marker.replace(block, ""));
        found.push((text.trim().to_owned(), composition.cited[number - 1]));
    }
    assert!(unmarked.trim().is_empty(), "without a citation: {unmarked}");
    found
}

fn assert_verbatim(composition: &Composition, chunks: &[&Chunk]) {
    let marker = marker();
    for (block, alias) in blocks(composition) {
        for line in block.lines().filter(|line| !line.trim_matches(['|', '-', ' ']).is_empty()) {
            let line = marker.replace(line, "");
            assert!(
                chunks[alias - 1].text.contains(line.as_ref()),
                "{line:?} is not in passage {alias}:\n{}",
                chunks[alias - 1].text
            );
        }
    }
}

#[test]
fn extracts_are_verbatim_tables_and_code_included() {
    let chunks = backup();
    let borrowed: Vec<&Chunk> = chunks.iter().collect();
    for (question, expected) in [
        (
            "How long are backups of the metering platform kept?",
            "Backups of the metering platform are kept for 35 days.",
        ),
        (
            "What is the restore time of silver?",
            "| Tier | Restore time |\n|---|---|\n| silver | 12 hours [1] |",
        ),
        ("Which backup command keeps tier gold for 35d?", "```\nbackup --tier gold --keep 35d\n```"),
        (
            "Are backups encrypted before they leave the site?",
            "Backups are encrypted before they leave the site.",
        ),
    ] {
        let composition = composed(question, &chunks);
        assert!(composition.answer.contains(expected), "{question}: {}", composition.answer);
        assert_verbatim(&composition, &borrowed);
    }
}

#[test]
fn rows_of_one_table_stand_under_one_head() {
    let tiers =
        "| Tier | Restore time |\n|---|---|\n| gold | 4 hours |\n| silver | 12 hours |\n| bronze | a week |";
    let chunks = [chunk(&adr(33, "Backup"), 0, &["Decision Outcome"], tiers)];
    let answer = composed("How long for gold and how long for silver?", &chunks).answer;
    assert_eq!(
        answer,
        "| Tier | Restore time |\n|---|---|\n| gold | 4 hours [1] |\n| silver | 12 hours [1] |"
    );
}

#[test]
fn extracts_of_generated_passages_are_verbatim() {
    for seed in 0..200 {
        let world = World::generate(&mut Prng::new(seed));
        let chunks = world.chunks();
        for passage in &world.passages {
            let fact = &passage.facts[0];
            let composition =
                compose(&wanted(&fact.source(), fact.language), &chunks, Measured::default()).unwrap();
            assert_verbatim(&composition, &chunks);
            assert_eq!(composition.coverage.clamp(0.0, 1.0), composition.coverage);
        }
    }
}

#[test]
fn numbers_start_at_one_in_order_of_appearance() {
    let chunks = backup();
    let composition = composed("What about signing keys and backups of the metering platform?", &chunks);
    let marker = Regex::new(r"\[(\d+)\]").unwrap();
    let mut seen: Vec<usize> = Vec::new();
    for found in marker.captures_iter(&composition.answer) {
        let number = found[1].parse().unwrap();
        if !seen.contains(&number) {
            seen.push(number);
        }
    }
    assert_eq!(seen, (1..=composition.cited.len()).collect::<Vec<_>>(), "{}", composition.answer);
    assert!(composition.cited.len() > 1);
}

#[test]
fn coverage_rises_with_what_is_covered() {
    let chunks = backup();
    let whole = composed("How long are backups of the metering platform kept?", &chunks).coverage;
    let half =
        composed("How long are backups of the metering platform kept by submarine volcanoes?", &chunks)
            .coverage;
    let none = composed("Which submarine volcanoes erupted near Iceland?", &chunks).coverage;
    assert!(whole > half && half > none, "{whole} {half} {none}");
    assert!(whole >= 0.8, "all but the word `long`: {whole}");
    assert!(none < 0.2, "an unanswerable question is hardly covered: {none}");
}

#[test]
fn heavier_words_weigh_more_in_the_coverage() {
    let chunks: Vec<Chunk> = backup();
    let borrowed: Vec<&Chunk> = chunks.iter().collect();
    let with = |weights: Vec<f32>| {
        let words = vec!["backups".to_owned(), "volcanoes".to_owned()];
        let mut wanted = wanted("", Language::EN);
        (wanted.words, wanted.weights) = (words, weights);
        compose(&wanted, &borrowed, Measured::default()).unwrap().coverage
    };
    assert!(with(vec![3.0, 1.0]) > with(vec![1.0, 3.0]));
}

#[test]
fn a_question_about_consequences_prefers_that_section() {
    let chunks = backup();
    let composition = composed("What are the consequences of the backup of the metering platform?", &chunks);
    assert!(composition.cited.contains(&3), "{}", composition.answer);
    assert!(composition.answer.contains("Storage becomes more expensive."));
    let decision = composed("What was decided about the backup of the metering platform?", &chunks);
    assert!(decision.cited.contains(&2), "{}", decision.answer);
}

#[test]
fn a_dutch_question_finds_the_section_of_an_english_record() {
    let chunks = backup();
    let borrowed: Vec<&Chunk> = chunks.iter().collect();
    let composition =
        compose(&wanted("Wat zijn de gevolgen van de backup?", Language::NL), &borrowed, Measured::default())
            .unwrap();
    assert!(composition.cited.contains(&3), "{}", composition.answer);
}

#[test]
fn ties_are_stable_and_twins_are_said_once() {
    let document = dutch_policy("tweeling", "Tweeling");
    let twins: Vec<Chunk> =
        (0..3).map(|at| chunk(&document, at, &[], "De klok loopt gelijk met de zon.")).collect();
    let borrowed: Vec<&Chunk> = twins.iter().collect();
    let wanted = wanted("Loopt de klok gelijk?", Language::NL);
    let first = compose(&wanted, &borrowed, Measured::default()).unwrap();
    assert_eq!(first.answer, "De klok loopt gelijk met de zon. [1]");
    assert_eq!(first.cited, [1]);
    for _ in 0..5 {
        assert_eq!(compose(&wanted, &borrowed, Measured::default()).unwrap(), first);
    }
}

#[test]
fn nothing_to_quote_gives_no_composition() {
    assert_eq!(compose(&wanted("How long?", Language::EN), &[], Measured::default()), None);
    let headings = chunk(&adr(1, "Empty"), 0, &[], "# Heading\n\n## Another");
    assert_eq!(compose(&wanted("How long?", Language::EN), &[&headings], Measured::default()), None);
}

#[test]
fn a_question_for_a_number_is_not_answered_without_one() {
    let owner = adr(35, "Ownership of databases");
    let subject = chunk(&owner, 0, &["Context"], "Who manages a database knows how often it is backed up.");
    let number = chunk(&owner, 1, &["Decision Outcome"], "A database is backed up every 6 hours.");
    let asked = wanted("How often is a database backed up?", Language::EN);
    assert_eq!(compose(&asked, &[&subject], Measured::default()), None);
    let answer = compose(&asked, &[&subject, &number], Measured::default()).unwrap().answer;
    assert!(answer.contains("every 6 hours"), "{answer}");
    let other =
        chunk(&adr(36, "Retention of logs"), 0, &["Decision Outcome"], "Logs are deleted after 180 days.");
    let asked = wanted("How many times a day is a database backed up?", Language::EN);
    assert_eq!(compose(&asked, &[&other], Measured::default()), None, "a number of something else");
    assert!(
        compose(
            &wanted("Who knows about backups of a database?", Language::EN),
            &[&subject],
            Measured::default()
        )
        .is_some()
    );
}

#[test]
fn what_answers_by_the_reader_comes_before_what_shares_more_words() {
    let record = adr(35, "Backup windows");
    let near = chunk(&record, 0, &["Context"], "When backups of the database run has been asked often.");
    let answer = chunk(&record, 1, &["Decision"], "They start each Sunday at two.");
    let asked = wanted("When do backups of the database run?", Language::EN);
    let first = |answers: &[Nearness]| {
        compose(&asked, &[&near, &answer], Measured { nearness: &[], answers }).unwrap().cited[0]
    };
    assert_eq!(first(&[]), 1, "by its words");
    assert_eq!(first(&[HashMap::from([(0, -9.0)]), HashMap::from([(0, 9.0)])]), 2);
    let vague = chunk(&record, 0, &["Context"], "Backups of the database may run.");
    let clear = chunk(&record, 1, &["Decision"], "Backups run each Sunday at two.");
    let first = |answers: &[Nearness]| {
        compose(&asked, &[&vague, &clear], Measured { nearness: &[], answers }).unwrap().cited[0]
    };
    assert_eq!(first(&[]), 1, "by its words");
    let unsure = [HashMap::from([(0, -12.0)]), HashMap::from([(0, -5.0)])];
    assert_eq!(first(&unsure), 2, "the reader is sure of none: the one that comes nearest to answering");
    let read = promising(&asked, &[&near, &answer], &[]);
    assert_eq!(read[0].passage, 0, "what shares more words is read first");
    assert!(read[1].text.ends_with("They start each Sunday at two."), "{read:?}");
    assert!(read[1].text.starts_with("Backup windows"), "below its headings: {read:?}");
}

#[test]
fn of_what_surely_answers_the_surest_comes_first_and_none_of_the_same_document_is_left_out() {
    let record = adr(35, "Backup windows");
    let near = chunk(&record, 0, &["Context"], "Much has been said of it.");
    let answer = chunk(&record, 1, &["Decision"], "They start each Sunday at two.");
    let doubtful = chunk(&record, 2, &["Context"], "They took very long in the past.");
    let asked = wanted("When do backups of the database run?", Language::EN);
    let cited = |cosines: [f32; 3], odds: [f32; 3]| {
        let nearness = cosines.map(|cosine| HashMap::from([(0, cosine)]));
        let answers = odds.map(|odds| HashMap::from([(0, odds)]));
        let measured = Measured { nearness: &nearness, answers: &answers };
        compose(&asked, &[&near, &answer, &doubtful], measured).unwrap().cited
    };
    assert_eq!(cited([0.4, 0.4, 0.1], [3.0, 11.0, -9.0]), [2, 1], "of a passage that was found later");
    assert_eq!(cited([0.4, 0.1, 0.1], [9.0, 8.0, -9.0]), [1, 2], "far as it is");
}

#[test]
fn what_stands_under_a_status_answers_where_the_reader_is_sure_of_it() {
    let record = adr(35, "Backup windows");
    let idea = chunk(&record, 0, &["Decision"], "Backups of the database run during office hours.");
    let remark = chunk(&record, 1, &["Status"], "Backups during office hours are not worth their price.");
    let asked = wanted("Why were backups during office hours turned down?", Language::EN);
    let cited = |odds: [f32; 2]| {
        let answers = odds.map(|odds| HashMap::from([(0, odds)]));
        compose(&asked, &[&idea, &remark], Measured { nearness: &[], answers: &answers }).unwrap().cited
    };
    assert_eq!(cited([-2.0, 6.0])[0], 2);
    assert_eq!(cited([2.0, -2.0]), [1]);
    let read = promising(&asked, &[&idea, &remark], &[]);
    assert_eq!(read.len(), 2, "it is read: {read:?}");
    let by_words = compose(&asked, &[&idea, &remark], Measured::default()).unwrap();
    assert_eq!(by_words.cited, [1], "words alone do not tell a reason from a status line");
}

#[test]
fn who_approved_what_is_in_no_answer_about_something_else() {
    let record = adr(35, "Backup windows");
    let approval = edit(adr(35, "Approval of backup windows"), |document| {
        document.id = DocumentId::new("adr-0035d").unwrap();
        document.kind = Kind::Dar;
    });
    let decided = chunk(&record, 0, &["Decision"], "Backups of the database start each Sunday at two.");
    let approved = chunk(
        &approval,
        0,
        &["First version of the record"],
        "| Name | Comments |\n|---|---|\n| Eva de Wit | Look at the backups of the database again in a year |",
    );
    let row = approved.text.find("| Eva").unwrap();
    let asked = wanted("When do backups of the database run?", Language::EN);
    let cited = |of_the_approval: f32| {
        let answers = [HashMap::from([(0, 9.0)]), HashMap::from([(row, of_the_approval)])];
        let nearness = [HashMap::from([(0, 0.5)]), HashMap::from([(row, 0.5)])];
        let measured = Measured { nearness: &nearness, answers: &answers };
        compose(&asked, &[&decided, &approved], measured).unwrap().cited
    };
    assert_eq!(cited(-9.0), [1]);
    assert_eq!(cited(8.0), [1, 2], "what surely answers is told wherever it stands");
}

#[test]
fn where_nothing_surely_answers_more_is_shown_of_the_same_document() {
    let (record, other) = (adr(35, "Backup windows"), adr(36, "Pumps"));
    let near = chunk(&record, 0, &["Context"], "Much has been said of it.");
    let beside = chunk(&record, 1, &["Decision"], "They start each Sunday at two.");
    let elsewhere = chunk(&other, 0, &["Context"], "They took very long in the past.");
    let asked = wanted("When do backups of the database run?", Language::EN);
    let cited = |odds: f32| {
        let nearness = [0.5, 0.34, 0.34].map(|cosine| HashMap::from([(0, cosine)]));
        let answers = [odds, -9.0, -9.0].map(|odds| HashMap::from([(0, odds)]));
        let measured = Measured { nearness: &nearness, answers: &answers };
        compose(&asked, &[&near, &beside, &elsewhere], measured).unwrap().cited
    };
    assert_eq!(cited(-9.0), [1, 2], "what was asked for may stand beside what was found, and not elsewhere");
    assert_eq!(cited(9.0), [1], "what surely answers needs nothing beside it");
}

#[test]
fn a_list_goes_with_the_sentence_that_announces_it_and_is_whole_where_it_is_asked_for() {
    let record = adr(35, "Exceptions");
    let long =
        "which the board looks at again every year together with the owner of the system and the supplier";
    let items = ["camera", "robot", "planner", "analyser"].map(|name| format!("- the {name}, {long}"));
    let announced = format!("There are four exceptions at the moment:\n\n{}", items.join("\n"));
    let list = chunk(&record, 0, &["Exceptions"], &announced);
    let others = chunk(
        &record,
        1,
        &["Decision"],
        &format!(
            "Exceptions are granted by the board, {long}. Exceptions end at some moment, {long}. Which exceptions there are at the moment is published, {long}."
        ),
    );
    let asked = wanted("Which exceptions are there at the moment?", Language::EN);
    let answer = compose(&asked, &[&others, &list], Measured::default()).unwrap().answer;
    assert!(answer.contains("four exceptions at the moment:\n\n- the camera"), "{answer}");
    assert!(answer.contains("- the analyser"), "{answer}");

    let rows = "| Event | Term |\n|---|---|\n| Complaint | 10 working days |\n| Statement | 12 months |\n| Blockade | 2 working days |\n| Other | next release |";
    let table = chunk(&adr(36, "Terms"), 0, &["Terms"], rows);
    let answer = |question: &str, answers: &[usize]| {
        let odds: Nearness =
            answers.iter().map(|row| (rows.match_indices("\n|").nth(*row).unwrap().0 + 1, 6.0)).collect();
        let asked = wanted(question, Language::EN);
        compose(&asked, &[&table], Measured { nearness: &[], answers: &[odds] }).unwrap().answer
    };
    let all = answer("Which terms are there for a complaint, a statement and a blockade?", &[1, 2, 3]);
    assert!(all.contains("next release"), "three of its rows were asked for: {all}");
    let one = answer("What is the term for a complaint?", &[1]);
    assert!(one.contains("10 working days") && !one.contains("next release"), "{one}");
}
