//! Points in time, as milliseconds since 1970, UTC. Nothing here looks at a clock: [`Clock`] does, for whoever serves.

use jiff::Timestamp;
use jiff::tz::Offset;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// One UTC day.
pub const DAY: i64 = 24 * HOUR;
/// One hour.
pub const HOUR: i64 = 60 * MINUTE;
/// One minute.
pub const MINUTE: i64 = 60_000;

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

impl Moment {
    /// Reads RFC 3339, with any offset.
    pub fn read(text: &str) -> Option<Self> {
        text.parse::<Timestamp>().ok().map(|it| Self(it.as_millisecond()))
    }

    /// RFC 3339 in UTC, to the second where nothing is lost.
    pub fn text(self) -> String {
        Timestamp::from_millisecond(self.0).map_or_else(|_| String::new(), |it| it.to_string())
    }

    /// The beginning of its UTC day: the finest time that is kept or shown of what was committed.
    pub fn day(self) -> Self {
        Self(self.0.div_euclid(DAY) * DAY)
    }

    /// The beginning of its hour.
    pub fn hour(self) -> Self {
        Self(self.0.div_euclid(HOUR) * HOUR)
    }

    /// Its day as `YYYY-MM-DD`.
    pub fn date(self) -> String {
        let date = |it| Offset::UTC.to_datetime(it).date().to_string();
        Timestamp::from_millisecond(self.0).map_or_else(|_| String::new(), date)
    }

    /// The minute it lies in, counted from 1970.
    pub fn minute(self) -> i64 {
        self.0.div_euclid(MINUTE)
    }

    /// Later by some milliseconds.
    pub fn plus(self, milliseconds: i64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }

    /// Whole seconds from here to a later moment, at least one.
    pub fn seconds_until(self, later: Self) -> i64 {
        ((later.0 - self.0 + 999) / 1_000).max(1)
    }
}

/// Where the time comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that a test moves.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// The clock that commands run by. A test may start one at another time; released programs have no such switch.
    pub fn of_this_process() -> Self {
        #[cfg(debug_assertions)]
        if let Some(at) = std::env::var("SET_BECIVIC_CLOCK").ok().and_then(|at| at.parse().ok()) {
            return Self::Set(Arc::new(AtomicI64::new(at)));
        }
        Self::System
    }

    /// The time now.
    pub fn now(&self) -> Moment {
        match self {
            Self::System => Moment(Timestamp::now().as_millisecond()),
            Self::Set(at) => Moment(at.load(Ordering::SeqCst)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_any_offset_and_written_in_utc() {
        let at = Moment::read("2026-11-15T14:48:00+01:00").expect("a time");
        assert_eq!(at.text(), "2026-11-15T13:48:00Z");
        assert_eq!(at.day().text(), "2026-11-15T00:00:00Z");
        assert_eq!(at.date(), "2026-11-15");
        assert_eq!(at.seconds_until(at.plus(1_500)), 2);
        assert_eq!(Moment::read("yesterday"), None);
    }
}
