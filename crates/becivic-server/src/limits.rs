//! How much may be sent: the arithmetic, without a store.
//!
//! A rolling hour is counted in minutes: the current one and the [`WINDOW`] before it. That is up to a minute more than an
//! hour, so no hour ever holds more than the limit, and what is kept per address stays small whatever the limit is.

use crate::config::Limits;
use crate::db::limits::Rate;
use crate::moment::{DAY, MINUTE, Moment};

/// Minutes before the current one that still count.
pub const WINDOW: i64 = 60;

/// What a submission takes of its sender's day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Whether it is a validation.
    pub validation: bool,
    /// Whether it flags an injection.
    pub flag: bool,
}

/// Why no more is taken, and when to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// When there is room again.
    pub until: Moment,
}

/// Minutes and counts, as they are kept: eight bytes each, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent(Vec<(i64, i64)>);

impl Recent {
    /// Reads what was kept, without what no longer counts.
    pub fn read(bytes: &[u8], now: Moment) -> Self {
        let number = |part: &[u8]| part.try_into().map_or(0, |four| i64::from(u32::from_be_bytes(four)));
        let pairs = bytes.chunks_exact(8).map(|pair| {
            let (minute, count) = pair.split_at(4);
            (number(minute), number(count))
        });
        Self(pairs.filter(|(minute, _)| *minute >= now.minute() - WINDOW).collect())
    }

    /// What is kept.
    pub fn write(&self) -> Vec<u8> {
        let number = |it: i64| u32::try_from(it).unwrap_or(u32::MAX).to_be_bytes();
        self.0.iter().flat_map(|(minute, count)| [number(*minute), number(*count)].concat()).collect()
    }

    /// How many were sent.
    pub fn sum(&self) -> i64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// Notes that some were sent now.
    pub fn add(&mut self, now: Moment, count: i64) {
        match self.0.last_mut() {
            Some((minute, sum)) if *minute >= now.minute() => *sum += count,
            _ => self.0.push((now.minute(), count)),
        }
    }

    /// When `wanted` more will be within the limit: once the oldest minutes have left the window.
    fn room_at(&self, before: &Self, wanted: i64, limit: i64, now: Moment) -> Moment {
        let mut left = self.sum() + before.sum() + wanted - limit;
        for (minute, count) in before.0.iter().chain(&self.0) {
            left -= count;
            if left <= 0 {
                return Moment((minute + WINDOW + 1) * MINUTE);
            }
        }
        now.plus((WINDOW + 1) * MINUTE)
    }
}

/// Takes `wanted` of an address's hour. `before` is what it sent under the salt of the day before.
pub fn take_burst(
    rate: &mut Rate,
    before: &[u8],
    wanted: i64,
    limits: &Limits,
    now: Moment,
) -> Result<(), Exceeded> {
    let mut recent = Recent::read(&rate.recent, now);
    let before = Recent::read(before, now);
    let limit = i64::from(limits.burst_per_hour);
    if recent.sum() + before.sum() + wanted > limit {
        return Err(Exceeded { until: recent.room_at(&before, wanted, limit, now) });
    }
    recent.add(now, wanted);
    rate.recent = recent.write();
    Ok(())
}

/// Takes one submission's share of an address's day. `bogus` is how many of its flags were found bogus: one halves its
/// quota of flags, a second ends it (DECISIONS §6).
pub fn take_day(
    rate: &mut Rate,
    share: Share,
    bogus: i64,
    limits: &Limits,
    now: Moment,
) -> Result<(), Exceeded> {
    let flags = match bogus {
        0 => i64::from(limits.flags_per_day),
        1 => i64::from(limits.flags_per_day) / 2,
        _ => 0,
    };
    let over = rate.total >= i64::from(limits.per_day)
        || (share.validation && rate.validations >= i64::from(limits.validations_per_day))
        || (share.flag && rate.flags >= flags);
    if over {
        return Err(Exceeded { until: now.day().plus(DAY) });
    }
    rate.total += 1;
    rate.validations += i64::from(share.validation);
    rate.flags += i64::from(share.flag);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::HOUR;
    use proptest::prelude::*;

    fn limits(burst: u32, day: u32) -> Limits {
        Limits {
            per_day: day,
            validations_per_day: day / 5,
            flags_per_day: 2,
            burst_per_hour: burst,
            global_per_hour: 1000,
        }
    }

    proptest! {
        #[test]
        fn no_hour_holds_more_than_the_limit(
            gaps in proptest::collection::vec((0_i64..20 * MINUTE, 1_i64..5), 1..400),
            limit in 1_u32..40,
        ) {
            let limits = limits(limit, u32::MAX);
            let mut rate = Rate::default();
            let mut now = Moment(1_000 * DAY);
            let mut admitted: Vec<(i64, i64)> = Vec::new();
            for (gap, wanted) in gaps {
                now = now.plus(gap);
                match take_burst(&mut rate, &[], wanted, &limits, now) {
                    Ok(()) => admitted.push((now.0, wanted)),
                    Err(exceeded) => prop_assert!(exceeded.until > now),
                }
                let hour: i64 = admitted.iter().filter(|(at, _)| *at > now.0 - HOUR).map(|(_, count)| count).sum();
                prop_assert!(hour <= i64::from(limit));
                prop_assert!(rate.recent.len() <= 8 * (WINDOW as usize + 1));
            }
        }

        #[test]
        fn whoever_waits_as_told_is_let_in(
            gaps in proptest::collection::vec(0_i64..3 * MINUTE, 1..200),
            limit in 1_u32..20,
        ) {
            let limits = limits(limit, u32::MAX);
            let mut rate = Rate::default();
            let mut now = Moment(1_000 * DAY);
            for gap in gaps {
                now = now.plus(gap);
                if let Err(exceeded) = take_burst(&mut rate, &[], 1, &limits, now) {
                    let mut later = rate.clone();
                    prop_assert!(take_burst(&mut later, &[], 1, &limits, exceeded.until).is_ok());
                }
            }
        }

        #[test]
        fn no_day_holds_more_than_its_quotas(shares in proptest::collection::vec((any::<bool>(), any::<bool>()), 1..200)) {
            let limits = limits(60, 50);
            let mut rate = Rate::default();
            for (validation, flag) in shares {
                let share = Share { validation, flag: validation && flag };
                let _refused_is_fine = take_day(&mut rate, share, 0, &limits, Moment(0));
                prop_assert!(rate.total <= 50 && rate.validations <= 10 && rate.flags <= 2);
            }
        }
    }

    #[test]
    fn yesterday_counts_and_a_day_ends_at_midnight() {
        let limits = limits(2, 1);
        let now = Moment(1_000 * DAY + 10 * MINUTE);
        let mut yesterday = Rate::default();
        take_burst(&mut yesterday, &[], 1, &limits, now.plus(-20 * MINUTE)).expect("room");
        let mut today = Rate::default();
        take_burst(&mut today, &yesterday.recent, 1, &limits, now).expect("room");
        assert!(take_burst(&mut today, &yesterday.recent, 1, &limits, now).is_err());
        let share = Share { validation: false, flag: false };
        take_day(&mut today, share, 0, &limits, now).expect("room");
        let exceeded = take_day(&mut today, share, 0, &limits, now).expect_err("full");
        assert_eq!(exceeded.until, Moment(1_001 * DAY));
    }

    #[test]
    fn bogus_flags_halve_and_then_end_the_quota() {
        let limits = limits(60, 50);
        let share = Share { validation: true, flag: true };
        for (bogus, admitted) in [(0, 2), (1, 1), (2, 0), (3, 0)] {
            let mut rate = Rate::default();
            let taken =
                (0..5).filter(|_| take_day(&mut rate, share, bogus, &limits, Moment(0)).is_ok()).count();
            assert_eq!(taken, admitted, "{bogus} bogus flags");
        }
    }
}
