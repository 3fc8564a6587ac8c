//! Publisher and subscriber are killed at random instants. A reader never gets half a generation, and in the end nothing is lost.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use plumbline_core::ports::Scope;
use plumbline_team::{Address, Remote};
use plumbline_testkit::prng::Prng;

use crate::in_place::ask_in_place;
use crate::support::{Desk, Shared, number_or};

const ROLE: &str = "PLUMBLINE_TEAM_ROLE";
const DESK: &str = "PLUMBLINE_TEAM_DESK";
const ADDRESS: &str = "PLUMBLINE_TEAM_ADDRESS";
/// How many of each are killed; more where this says so.
const KILLS: &str = "PLUMBLINE_TEAM_KILLS";
const DEFAULT_KILLS: usize = 8;
const RECORDS: u32 = 40;

/// Not a test of its own: the process that publishes or subscribes, and is killed.
#[test]
#[ignore = "the process that is killed"]
fn child() {
    let given = |name| std::env::var(name).ok();
    let (Some(role), Some(desk), Some(address)) = (given(ROLE), given(DESK), given(ADDRESS)) else { return };
    let desk = Desk::at(Path::new(&desk));
    let remote = Remote::open(&Address::parse(&address).unwrap(), None).unwrap();
    let done = match role.as_str() {
        "publish" => desk.publish(&remote).map(|report| {
            println!("published {} {} {:?}", report.generation, report.new, report.traffic);
        }),
        "publish-in-place" => desk.publish_in_place(&remote, false).map(|report| {
            println!("published {} {} {:?}", report.generation, report.new, report.traffic);
        }),
        "ask-in-place" => ask_in_place(&desk, remote).map(|said| println!("{said}")),
        _ => desk.subscribe(&remote).map(|report| {
            println!("subscribed {:?} {:?}", report, remote.traffic());
        }),
    };
    if let Err(problem) = done {
        println!("problem: {problem}");
        std::process::exit(3);
    }
}

/// A process with a role at a desk, and the keys that it has.
pub fn spawn(role: &str, desk: &Desk, address: &str, keys: &[(&str, String)]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "kills::child", "--ignored", "--nocapture"])
        .env(ROLE, role)
        .env(DESK, &desk.folder)
        .env(ADDRESS, address)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    for (name, value) in keys {
        command.env(name, value);
    }
    command.spawn().unwrap()
}

/// What a process said, once it has ended, and whether it got through.
pub fn ended(child: Child) -> (bool, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn kill_after(mut child: Child, span: Duration, chance: &mut Prng) -> bool {
    std::thread::sleep(span.mul_f64(chance.below(1_000) as f64 / 1_000.0));
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    running
}

#[test]
fn killed_at_any_instant_no_generation_is_torn_and_nothing_is_lost() {
    let shared = Shared::new();
    killed_at_any_instant(&shared.address().to_string(), &[], DEFAULT_KILLS);
}

/// The same at any address. All of a round's records say the round, so that a torn generation shows.
pub fn killed_at_any_instant(address: &str, keys: &[(&str, String)], kills: usize) {
    let kills = number_or(KILLS, kills);
    let (publisher, reader) = (Desk::new(), Desk::new());
    let mut chance = Prng::new(kills as u64);
    let write = |round: usize| {
        publisher.write_records(1..=RECORDS, &format!("In round {round} we settle matter"));
        publisher.index();
    };
    let run = |role, desk: &Desk| {
        let began = Instant::now();
        let (done, said) = ended(spawn(role, desk, address, keys));
        assert!(done, "{said}");
        began.elapsed()
    };
    write(0);
    let publishing = run("publish", &publisher);
    let following = run("subscribe", &reader);
    let (mut met, mut seen) = (0, 0);
    for kill in 1..=kills {
        write(kill);
        met += usize::from(kill_after(spawn("publish", &publisher, address, keys), publishing, &mut chance));
        met += usize::from(kill_after(spawn("subscribe", &reader, address, keys), following, &mut chance));
        reader.check();
        let round = round_of(&reader);
        assert!(round >= seen && round <= kill, "kill {kill}: from round {seen} to {round}");
        seen = round;
    }
    assert!(met > kills / 4, "only {met} of {} kills met a running process", 2 * kills);
    run("publish", &publisher);
    run("subscribe", &reader);
    assert_eq!(round_of(&reader), kills, "in the end all of it is there");
    reader.check();
    println!("{} kills, {met} met a running process", 2 * kills);
}

/// The round that all records of a reader's library say.
fn round_of(reader: &Desk) -> usize {
    assert_eq!(reader.ids(&Scope::default()).len(), RECORDS as usize, "all records are there");
    let texts = reader.texts();
    assert_eq!(texts.len(), RECORDS as usize);
    let round = |text: &String| -> usize {
        let said = text.split("In round ").nth(1).unwrap();
        said.split(' ').next().unwrap().parse().unwrap()
    };
    let rounds: std::collections::BTreeSet<usize> = texts.iter().map(round).collect();
    assert_eq!(rounds.len(), 1, "a torn generation: {rounds:?}");
    rounds.into_iter().next().unwrap()
}
