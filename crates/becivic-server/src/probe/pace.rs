//! Politeness: between two requests to one host lies a pause, whatever they are for. There is one asker, so there are never two
//! at once.

use crate::moment::Clock;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

/// How long is waited before somebody looks whether to go on.
const NAP: Duration = Duration::from_millis(200);

/// When each host was last asked.
pub struct Pace {
    pause: Duration,
    time: Time,
    last: HashMap<String, Duration>,
}

/// Time that only goes forward.
enum Time {
    /// The machine's, which no clock can set back.
    Since(Instant),
    /// A test's: waiting moves it.
    Set(Arc<AtomicI64>),
}

impl Time {
    fn now(&self) -> Duration {
        match self {
            Self::Since(start) => start.elapsed(),
            Self::Set(at) => Duration::from_millis(at.load(Ordering::SeqCst).unsigned_abs()),
        }
    }

    fn wait(&self, time: Duration) {
        match self {
            Self::Since(_) => std::thread::sleep(time),
            Self::Set(at) => {
                at.fetch_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX).max(1), Ordering::SeqCst);
            }
        }
    }
}

impl Pace {
    /// With a pause between two requests to one host.
    pub fn new(pause: Duration, clock: &Clock) -> Self {
        let time = match clock {
            Clock::System => Time::Since(Instant::now()),
            Clock::Set(at) => Time::Set(Arc::clone(at)),
        };
        Self { pause, time, last: HashMap::new() }
    }

    /// Waits until a host may be asked again, at least as long as the host itself wishes; false when it was told not to go on.
    pub fn wait(&self, host: &str, wished: Option<Duration>, go_on: &dyn Fn() -> bool) -> bool {
        let pause = wished.map_or(self.pause, |wished| wished.max(self.pause));
        let until = self.last.get(host).map_or(Duration::ZERO, |last| *last + pause);
        loop {
            if !go_on() {
                return false;
            }
            match until.checked_sub(self.time.now()).filter(|left| !left.is_zero()) {
                Some(left) => self.time.wait(left.min(NAP)),
                None => return true,
            }
        }
    }

    /// Notes that a host has been asked.
    pub fn asked(&mut self, host: &str) {
        self.last.insert(host.to_owned(), self.time.now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_left_in_peace_between_two_requests() {
        let at = Arc::new(AtomicI64::new(1_000));
        let mut pace = Pace::new(Duration::from_secs(5), &Clock::Set(Arc::clone(&at)));
        let now = || at.load(Ordering::SeqCst);
        assert!(pace.wait("a.be", None, &|| true));
        assert_eq!(now(), 1_000, "the first is not waited for");
        pace.asked("a.be");
        at.fetch_add(2_000, Ordering::SeqCst);
        assert!(pace.wait("b.be", None, &|| true));
        assert_eq!(now(), 3_000, "another host is not waited for");
        assert!(pace.wait("a.be", None, &|| true));
        assert_eq!(now(), 6_000);
        assert!(pace.wait("a.be", Some(Duration::from_secs(30)), &|| true));
        assert_eq!(now(), 31_000, "a host may wish for more");
        assert!(pace.wait("a.be", Some(Duration::from_secs(1)), &|| true));
        assert_eq!(now(), 31_000);
        pace.asked("a.be");
        assert!(!pace.wait("a.be", None, &|| false), "told to stop, it does not wait");
        assert_eq!(now(), 31_000);
    }
}
