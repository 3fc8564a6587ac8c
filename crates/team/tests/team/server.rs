//! A real S3 server: versitygw over a folder of this machine. Where it is missing, these tests are skipped and counted.
//! `go install github.com/versity/versitygw/cmd/versitygw@v1.8.0` gets it.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use plumbline_core::ports::Scope;
use plumbline_telemetry::sha256_hex;
use plumbline_testkit::skipping::skip;
use tempfile::TempDir;

use crate::kills::{ended, killed_at_any_instant, spawn};
use crate::support::Desk;

/// Where the server's program is, if not on the path.
const PROGRAM: &str = "PLUMBLINE_VERSITYGW";
pub const BUCKET: &str = "records";
pub const ROOT: (&str, &str) = ("publisher", "publishers-secret");
const READER: (&str, &str) = ("reader", "readers-secret");

pub struct Server {
    child: Child,
    program: PathBuf,
    pub port: u16,
    folder: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nobody listens on.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until a server listens there.
pub fn wait_for(port: u16, name: &str) {
    for _ in 0..400 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{name} does not answer");
}

/// The program that a variable names, or that lies on the path or where Go puts its own.
pub fn program(variable: &str, name: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    let of_go = std::env::home_dir().map(|home| home.join("go/bin").join(name));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join(name));
    named.into_iter().chain(of_go).chain(on_path).find(|path| path.is_file())
}

impl Server {
    /// A server with a bucket; none where it is not installed.
    pub fn start() -> Option<Self> {
        let Some(program) = program(PROGRAM, "versitygw") else {
            skip("versitygw is not installed: the tests of a real S3 server need it");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        for name in ["data", "data/records", "accounts"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let port = free_port();
        let child = Self::spawn(&program, port, &folder);
        let server = Self { child, program, port, folder };
        server.answers();
        Some(server)
    }

    fn spawn(program: &Path, port: u16, folder: &TempDir) -> Child {
        Command::new(program)
            .args(["--port", &format!("127.0.0.1:{port}"), "--quiet", "--access-log"])
            .arg(folder.path().join("access.log"))
            .arg("--iam-dir")
            .arg(folder.path().join("accounts"))
            .arg("posix")
            .arg(folder.path().join("data"))
            .env("ROOT_ACCESS_KEY", ROOT.0)
            .env("ROOT_SECRET_KEY", ROOT.1)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    fn answers(&self) {
        wait_for(self.port, "versitygw");
    }

    /// Ends it, as a machine does that is shut down.
    pub fn go_away(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Begins it anew at the same place, over what it had.
    pub fn come_back(&mut self) {
        self.child = Self::spawn(&self.program, self.port, &self.folder);
        self.answers();
    }

    pub fn address() -> String {
        format!("s3://{BUCKET}/team")
    }

    pub fn keys(&self, (id, secret): (&str, &str)) -> Vec<(&'static str, String)> {
        Self::keys_at(self.port, (id, secret))
    }

    pub fn keys_at(port: u16, (id, secret): (&str, &str)) -> Vec<(&'static str, String)> {
        vec![
            ("AWS_ACCESS_KEY_ID", id.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", secret.to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{port}")),
            ("AWS_EC2_METADATA_DISABLED", "true".to_owned()),
        ]
    }

    /// A signed request that the product never makes: accounts and access rules are the administrator's.
    fn administer(&self, method: &str, path: &str, body: &str) -> Option<String> {
        let output = Command::new("curl")
            .args(["--silent", "--show-error", "--fail-with-body", "--aws-sigv4", "aws:amz:us-east-1:s3"])
            .args(["--user", &format!("{}:{}", ROOT.0, ROOT.1), "--request", method, "--data-binary", body])
            .args(["--header", &format!("x-amz-content-sha256: {}", sha256_hex(body))])
            .args(["--header", "content-type: application/octet-stream"])
            .arg(format!("http://127.0.0.1:{}{path}", self.port))
            .output()
            .ok()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{method} {path}: {said}");
        Some(said)
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("access.log")).unwrap_or_default()
    }
}

pub fn run(role: &str, desk: &Desk, keys: &[(&str, String)]) -> (bool, String) {
    ended(spawn(role, desk, &Server::address(), keys))
}

#[test]
fn what_is_published_at_a_server_is_found_and_a_change_costs_what_changed() {
    let Some(server) = Server::start() else { return };
    let (publisher, reader) = (Desk::new(), Desk::new());
    let keys = server.keys(ROOT);
    publisher.write_records(1..=500, "We settle matter");
    publisher.index();
    for (role, desk) in [("publish", &publisher), ("subscribe", &reader)] {
        let (done, said) = run(role, desk, &keys);
        assert!(done, "{said}");
        println!("500 documents: {said}");
    }
    assert_eq!(reader.ids(&Scope::default()).len(), 500);
    publisher.write_records(7..=9, "We unsettle matter");
    publisher.index();
    for (role, desk) in [("publish", &publisher), ("subscribe", &reader)] {
        let (done, said) = run(role, desk, &keys);
        assert!(done, "{said}");
        println!("3 of 500 changed: {said}");
    }
    assert!(reader.finds("We unsettle matter 8.") && !reader.finds("We settle matter 8."));
    reader.check();
}

#[test]
fn at_a_server_a_library_is_read_in_place_and_only_read() {
    let Some(server) = Server::start() else { return };
    let (publisher, reader) = (Desk::new(), Desk::new());
    publisher.write_records(1..=60, "We settle matter");
    publisher.index();
    let (done, said) = run("publish-in-place", &publisher, &server.keys(ROOT));
    assert!(done, "{said}");
    let logged = server.log().lines().count();
    let (done, said) = run("ask-in-place", &reader, &server.keys(ROOT));
    assert!(done && said.contains("We settle matter 7.") && said.contains("[] missed"), "{said}");
    println!("{said}");
    let log = server.log();
    let asked: Vec<&str> = log.lines().skip(logged).collect();
    assert!(asked.len() > 3, "the server wrote down what was asked");
    let reads = ["s3_GetObject ", "s3_HeadObject ", "s3_ListObjectsV2 ", "s3_ListObjects ", "s3_HeadBucket "];
    for line in asked {
        assert!(reads.iter().any(|read| line.contains(read)), "a reader only reads: {line}");
    }
}

#[test]
fn killed_at_any_instant_over_a_server_nothing_is_torn() {
    let Some(server) = Server::start() else { return };
    killed_at_any_instant(&Server::address(), &server.keys(ROOT), 4);
}

#[test]
fn of_publishers_at_a_server_each_makes_a_generation_or_says_that_it_did_not() {
    let Some(server) = Server::start() else { return };
    several_publish_at_once(&server.keys(ROOT), 6);
}

/// Each of three publishers makes a generation or says that another was first, and a reader finds the library of one of them whole.
pub fn several_publish_at_once(keys: &[(&str, String)], rounds: usize) {
    let desks = [Desk::new(), Desk::new(), Desk::new()];
    for (desk, last) in desks.iter().zip([3, 5, 7]) {
        desk.write_records(1..=last, "We settle matter");
        desk.index();
    }
    let (mut made, mut outrun) = (0_u64, 0);
    for round in 0..rounds {
        let running = desks.each_ref().map(|desk| spawn("publish", desk, &Server::address(), keys));
        for child in running {
            let (done, said) = ended(child);
            if done {
                made += u64::from(said.contains(" true "));
            } else {
                assert!(said.contains("somebody else published generation"), "{said}");
                outrun += 1;
            }
        }
        let reader = Desk::new();
        let (done, said) = run("subscribe", &reader, keys);
        assert!(done, "{said}");
        let held = reader.ids(&Scope::default()).len();
        assert!([3, 5, 7].contains(&held), "round {round}: {held} is the library of none of them");
        assert_eq!(reader.in_force(&Server::address()).unwrap().generation, made, "none is lost or doubled");
    }
    println!("{made} generations, {outrun} were outrun");
}

#[test]
fn keys_that_may_only_read_suffice_and_open_only_their_shelves() {
    let Some(server) = Server::start() else { return };
    let (publisher, reader) = (Desk::new(), Desk::new());
    publisher.write_records(1..=3, "We settle matter");
    publisher.write(
        "adr/0009-secret.md",
        "---\ntitle: Secret\nstatus: accepted\naccess_tags: [board]\n---\n\n# Secret\n\n## Decision\n\nWe hide matter 9.\n",
    );
    publisher.index();
    let (done, said) = run("publish", &publisher, &server.keys(ROOT));
    assert!(done, "{said}");
    let data = server.folder.path().join("data/records/team/shelves");
    let shelves: Vec<(String, String)> = std::fs::read_dir(&data)
        .unwrap()
        .map(|shelf| {
            let shelf = shelf.unwrap();
            let manifest =
                std::fs::read_dir(shelf.path().join("manifests")).unwrap().next().unwrap().unwrap();
            let id = shelf.file_name().to_string_lossy().into_owned();
            (id, std::fs::read_to_string(manifest.path()).unwrap())
        })
        .collect();
    assert_eq!(shelves.len(), 2);
    let open = &shelves.iter().find(|(_, manifest)| manifest.contains("\"access_tags\":[]")).unwrap().0;
    let account = format!(
        "<Account><Access>{}</Access><Secret>{}</Secret><Role>user</Role></Account>",
        READER.0, READER.1
    );
    if server.administer("PATCH", "/create-user", &account).is_none() {
        skip("curl is not installed: accounts of the server cannot be made");
        return;
    }
    let policy = format!(
        r#"{{"Statement":[
          {{"Effect":"Allow","Principal":"{0}","Action":"s3:ListBucket","Resource":"arn:aws:s3:::{BUCKET}"}},
          {{"Effect":"Allow","Principal":"{0}","Action":"s3:GetObject","Resource":["arn:aws:s3:::{BUCKET}/team/generations/*","arn:aws:s3:::{BUCKET}/team/shelves/{open}/*"]}}]}}"#,
        READER.0
    );
    server.administer("PUT", &format!("/{BUCKET}?policy="), &policy);
    let logged = server.log().lines().count();
    let (done, said) = run("subscribe", &reader, &server.keys(READER));
    assert!(done, "{said}");
    let everything = Scope { user_tags: vec!["board".to_owned()], ..Scope::default() };
    assert_eq!(reader.ids(&everything).len(), 3, "the closed shelf does not exist for these keys");
    assert!(reader.finds("We settle matter 2.") && !reader.finds("We hide matter 9."));
    let log = server.log();
    let asked: Vec<&str> = log.lines().skip(logged).collect();
    assert!(!asked.is_empty(), "the server wrote down what was asked");
    for line in asked {
        let reads =
            ["s3_GetObject ", "s3_HeadObject ", "s3_ListObjectsV2 ", "s3_ListObjects ", "s3_HeadBucket "];
        assert!(reads.iter().any(|read| line.contains(read)), "a reader only reads: {line}");
        assert!(!line.contains(READER.1), "no secret is in a log");
    }
    let (done, said) = run("publish", &publisher_of_another(&reader), &server.keys(READER));
    assert!(!done && said.contains("keys"), "a reader's keys publish nothing: {said}");
}

fn publisher_of_another(reader: &Desk) -> Desk {
    let desk = Desk::at(&reader.folder);
    desk.write_records(1..=1, "I settle matter");
    desk.index();
    desk
}
