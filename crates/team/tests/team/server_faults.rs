//! A real server that fails, forbids, is slow, full or away: the last generation stays, and the next try gets through.

use std::time::Duration;

use crate::proxy::Proxy;
use crate::server::{ROOT, Server, free_port, run};
use crate::support::Desk;

/// A reader has what is published, and more of it has changed since.
fn changed(server: &Server) -> (Desk, Desk) {
    let (publisher, reader) = (Desk::new(), Desk::new());
    publisher.write_records(1..=20, "We settle matter");
    publisher.index();
    for (role, desk) in [("publish", &publisher), ("subscribe", &reader)] {
        let (done, said) = run(role, desk, &server.keys(ROOT));
        assert!(done, "{said}");
    }
    publisher.write_records(1..=20, "We unsettle matter");
    publisher.index();
    (publisher, reader)
}

/// Both get through once the server is as it should be.
fn in_the_end(server: &Server, publisher: &Desk, reader: &Desk) {
    for (role, desk) in [("publish", publisher), ("subscribe", reader)] {
        let (done, said) = run(role, desk, &server.keys(ROOT));
        assert!(done, "{said}");
    }
    assert!(reader.finds("We unsettle matter 7."));
    reader.check();
}

#[test]
fn a_server_that_fails_is_slow_or_away_costs_no_generation() {
    let Some(server) = Server::start() else { return };
    let (publisher, reader) = (Desk::new(), Desk::new());
    publisher.write_records(1..=20, "We settle matter");
    publisher.index();
    // Every other connection is answered with an error in the server's name; the rest take 30 ms more.
    let proxy = Proxy::start(server.port, Duration::from_millis(30), 2, "500 Internal Server Error");
    for (role, desk) in [("publish", &publisher), ("subscribe", &reader)] {
        let (done, said) = run(role, desk, &Server::keys_at(proxy.port, ROOT));
        assert!(done, "a request that the server failed is made again: {said}");
    }
    assert!(proxy.failed() > 0, "the server failed some");
    publisher.write_records(1..=20, "We unsettle matter");
    publisher.index();
    let forbidding = Proxy::start(server.port, Duration::ZERO, 1, "403 Forbidden");
    let gone = free_port();
    for (port, word) in [(forbidding.port, "keys"), (gone, "cannot be reached")] {
        for (role, desk) in [("publish", &publisher), ("subscribe", &reader)] {
            let (done, said) = run(role, desk, &Server::keys_at(port, ROOT));
            assert!(!done && said.contains(word), "{role}: {said}");
            assert!(!said.contains(ROOT.1), "no secret is told");
        }
    }
    let (done, said) = run("subscribe", &reader, &server.keys((ROOT.0, "another-secret")));
    assert!(!done && !said.contains("another-secret"), "{said}");
    assert!(reader.finds("We settle matter 7."), "the last good generation answers");
    for (role, desk) in [("publish", &publisher), ("subscribe", &reader)] {
        let (done, said) = run(role, desk, &server.keys(ROOT));
        assert!(done, "{said}");
    }
    assert!(reader.finds("We unsettle matter 7."));
}

#[test]
fn a_server_that_is_full_takes_no_generation_and_keeps_the_last_one() {
    let Some(server) = Server::start() else { return };
    let (publisher, reader) = changed(&server);
    let full = Proxy::full(server.port);
    let (done, said) = run("publish", &publisher, &Server::keys_at(full.port, ROOT));
    assert!(!done && said.contains("cannot be reached"), "{said}");
    assert!(full.failed() > 0, "it was tried to write");
    let (done, said) = run("subscribe", &reader, &Server::keys_at(full.port, ROOT));
    assert!(done, "a reader writes nothing: {said}");
    assert!(reader.finds("We settle matter 7."), "the last generation is in force");
    in_the_end(&server, &publisher, &reader);
}

#[test]
fn a_server_that_was_away_for_a_while_is_found_again() {
    let Some(mut server) = Server::start() else { return };
    let (publisher, reader) = changed(&server);
    server.go_away();
    for (role, desk) in [("publish", &publisher), ("subscribe", &reader)] {
        let (done, said) = run(role, desk, &server.keys(ROOT));
        assert!(!done && said.contains("cannot be reached"), "{role}: {said}");
    }
    assert!(reader.finds("We settle matter 7."), "the last good generation answers meanwhile");
    server.come_back();
    in_the_end(&server, &publisher, &reader);
}
