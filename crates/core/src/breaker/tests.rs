use std::sync::Barrier;
use std::thread;

use plumbline_telemetry::ManualClock;

use super::*;

struct Bench {
    breaker: Breaker,
    clock: Arc<ManualClock>,
    metrics: Metrics,
}

const SETTINGS: BreakerSettings =
    BreakerSettings { failure_threshold: 5, success_threshold: 2, timeout_seconds: 30 };

fn bench() -> Bench {
    let clock = Arc::new(ManualClock::new(jiff::Timestamp::UNIX_EPOCH));
    let metrics = Metrics::new();
    let breaker = Breaker::new("embeddings", SETTINGS, clock.clone(), metrics.clone());
    Bench { breaker, clock, metrics }
}

impl Bench {
    fn fail(&self, times: usize) {
        for _ in 0..times {
            self.breaker.permit().expect("a closed breaker lets calls through").failure();
        }
    }

    fn gauge(&self) -> f64 {
        self.metrics.value(&names::CIRCUIT_BREAKER_STATE, ["embeddings"])
    }

    fn trips(&self) -> f64 {
        self.metrics.value(&names::CIRCUIT_BREAKER_TRIP_TOTAL, ["embeddings"])
    }
}

#[test]
fn circuit_opens_after_failures() {
    let bench = bench();
    bench.fail(4);
    assert_eq!(bench.breaker.state(), BreakerState::Closed, "four failures are not yet five");
    bench.fail(1);
    assert_eq!((bench.breaker.state(), bench.gauge(), bench.trips()), (BreakerState::Open, 2.0, 1.0));
    let open = bench.breaker.permit().unwrap_err();
    assert_eq!(open, CircuitOpen { service: "embeddings", retry_in: Duration::from_secs(30) });
    assert_eq!(open.to_string(), "embeddings failed repeatedly and is left alone; the next try is in 30 s");
}

#[test]
fn circuit_enters_half_open_after_timeout() {
    let bench = bench();
    bench.fail(5);
    bench.clock.advance(Duration::from_millis(29_500));
    assert_eq!(bench.breaker.permit().unwrap_err().retry_in, Duration::from_millis(500));

    bench.clock.advance(Duration::from_millis(500));
    let probe = bench.breaker.permit().expect("after 30 seconds one request is attempted");
    assert_eq!((bench.breaker.state(), bench.gauge()), (BreakerState::HalfOpen, 1.0));
    assert!(bench.breaker.permit().is_err(), "and only one");
    drop(probe);
}

#[test]
fn circuit_closes_after_recovery() {
    let bench = bench();
    bench.fail(5);
    bench.clock.advance(Duration::from_secs(30));
    bench.breaker.permit().unwrap().success();
    assert_eq!(bench.breaker.state(), BreakerState::HalfOpen, "one success is not yet two");
    bench.breaker.permit().unwrap().success();
    assert_eq!((bench.breaker.state(), bench.gauge(), bench.trips()), (BreakerState::Closed, 0.0, 1.0));
    bench.fail(4);
    assert_eq!(bench.breaker.state(), BreakerState::Closed, "the count begins anew after recovery");
}

#[test]
fn circuit_reopens_when_the_probe_fails() {
    let bench = bench();
    bench.fail(5);
    bench.clock.advance(Duration::from_secs(31));
    bench.breaker.permit().unwrap().success();
    bench.breaker.permit().unwrap().failure();
    assert_eq!((bench.breaker.state(), bench.gauge(), bench.trips()), (BreakerState::Open, 2.0, 2.0));
    assert_eq!(bench.breaker.retry_in(), Some(Duration::from_secs(30)), "the wait begins anew");
}

#[test]
fn only_consecutive_failures_count() {
    let bench = bench();
    for _ in 0..3 {
        bench.fail(4);
        bench.breaker.permit().unwrap().success();
    }
    assert_eq!(bench.breaker.state(), BreakerState::Closed);
}

#[test]
fn a_cancelled_request_is_no_outcome_and_frees_the_probe() {
    let bench = bench();
    bench.fail(4);
    drop(bench.breaker.permit().unwrap());
    assert_eq!(bench.breaker.state(), BreakerState::Closed, "a cancelled request is not the fifth failure");
    bench.fail(1);
    bench.clock.advance(Duration::from_secs(30));
    drop(bench.breaker.permit().unwrap());
    assert_eq!(bench.breaker.state(), BreakerState::HalfOpen);
    assert!(bench.breaker.permit().is_ok(), "a user who stops the probe must not block every later one");
}

#[test]
fn a_late_outcome_from_an_earlier_state_changes_nothing() {
    let bench = bench();
    let (slow_success, slow_failure) = (bench.breaker.permit().unwrap(), bench.breaker.permit().unwrap());
    bench.fail(5);
    slow_success.success();
    assert_eq!(bench.breaker.state(), BreakerState::Open, "it began before the circuit opened");
    bench.clock.advance(Duration::from_secs(30));
    let probe = bench.breaker.permit().unwrap();
    slow_failure.failure();
    assert_eq!(bench.breaker.state(), BreakerState::HalfOpen, "only the probe decides");
    assert!(bench.breaker.permit().is_err(), "and its place is still taken");
    probe.success();
    assert_eq!(bench.trips(), 1.0);
}

#[test]
fn half_open_lets_one_of_64_threads_through() {
    let bench = bench();
    bench.fail(5);
    bench.clock.advance(Duration::from_secs(30));
    let barrier = Barrier::new(64);
    let granted: Vec<Permit> = thread::scope(|scope| {
        let threads: Vec<_> = (0..64)
            .map(|_| {
                scope.spawn(|| {
                    barrier.wait();
                    bench.breaker.permit().ok()
                })
            })
            .collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(granted.len(), 1, "a service that is coming back must not be hit by everyone at once");
}

#[test]
fn the_banner_names_what_is_off_and_until_when() {
    let clock = Arc::new(ManualClock::new(jiff::Timestamp::UNIX_EPOCH));
    let port: Arc<dyn Clock> = clock.clone();
    let breakers = Breakers::new(SETTINGS, &port, &Metrics::new());
    assert_eq!(breakers.banner(), [], "nothing to tell when all is well");
    for _ in 0..5 {
        breakers.generation.permit().unwrap().failure();
    }
    clock.advance(Duration::from_millis(10_400));
    let item =
        |state, retry_in_seconds| BannerItem { service: "generation".to_owned(), state, retry_in_seconds };
    assert_eq!(breakers.banner(), [item(BreakerState::Open, 20)]);

    clock.advance(Duration::from_secs(20));
    for _ in 0..2 {
        breakers.generation.permit().unwrap().success();
    }
    assert_eq!(breakers.banner(), [], "recovery removes it by itself");
}
