//! What each address may send: the server's own limits, on a virtual clock.

use super::cohort::Voter;
use crate::config::Limits;
use crate::db::limits::Rate;
use crate::limits::{Share, take_burst, take_day};
use crate::moment::{DAY, Moment};
use crate::pipeline::SANCTION_PERIOD;
use becivic_core::consensus::Millis;

/// One address: what it sent today, what it sent yesterday within the hour, and its bogus flags.
#[derive(Clone, Debug, Default)]
struct Address {
    /// The beginning of the day that `rate` is of.
    day: Millis,
    rate: Rate,
    before: Vec<u8>,
    bogus: i64,
    bogus_period: i64,
}

/// All addresses: of readers and of the attacker. A person has one.
#[derive(Clone, Debug)]
pub struct Addresses {
    all: Vec<Address>,
    /// Verdicts that were refused.
    pub refused: u64,
}

impl Addresses {
    /// So many.
    pub fn new(count: usize) -> Self {
        Self { all: vec![Address::default(); count], refused: 0 }
    }

    /// Takes a verdict from what an address may send; false when it may not.
    pub fn take(&mut self, voter: Voter, flag: bool, limits: &Limits, now: Millis) -> bool {
        let now = Moment(now);
        let Some(address) = self.all.get_mut(voter as usize) else { return false };
        if address.day != now.day().0 {
            let yesterday = address.day == now.day().0 - DAY;
            let sent = std::mem::take(&mut address.rate).recent;
            address.before = if yesterday { sent } else { Vec::new() };
            address.day = now.day().0;
        }
        let period = now.0.div_euclid(SANCTION_PERIOD);
        let bogus = if address.bogus_period == period { address.bogus } else { 0 };
        let share = Share { validation: true, flag };
        let taken = take_burst(&mut address.rate, &address.before, 1, limits, now)
            .and_then(|()| take_day(&mut address.rate, share, bogus, limits, now));
        self.refused += u64::from(taken.is_err());
        taken.is_ok()
    }

    /// A maintainer found a flag bogus.
    pub fn was_bogus(&mut self, voter: Voter, now: Millis) {
        let period = now.div_euclid(SANCTION_PERIOD);
        if let Some(address) = self.all.get_mut(voter as usize) {
            if address.bogus_period != period {
                (address.bogus, address.bogus_period) = (0, period);
            }
            address.bogus += 1;
        }
    }
}
