//! An attacker with some addresses and some days, who knows the rules.
//!
//! 1. The targets are the artefacts that are read least. Whoever wrote something has no vote on it: one address writes, the others
//!    vote.
//! 2. Each day, on each target, those addresses vote that have not voted in its cohort: all at once, or as few a day as the days
//!    of the attack allow. Where every record counts, each votes as often as the limits do.
//! 3. Who amends does it again when somebody else's content is back.
//! 4. The cost of a success is the number of addresses that acted on the target, times the days from the first time one of them
//!    did to the last: that long somebody has to have them.

use super::agenda::{Author, Event};
use super::artefact::{ContentId, Skill};
use super::cohort::Voter;
use super::content::Contents;
use super::policies::Rules;
use super::random::Random;
use super::readers::ballot;
use super::scenario::{Attack, Pace, Plan, Scenario};
use super::world::FIRST_DAY;
use crate::moment::{DAY, HOUR};
use becivic_core::consensus::{Ballot, Count, Millis, Verdict};
use becivic_core::vocabulary::Status;
use std::collections::BTreeSet;

/// What became of a target.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// Whether there was anything to attack.
    pub counts: bool,
    /// Addresses times days until what the attacker wrote became beta.
    pub beta: Option<u64>,
    /// The same until the goal was reached.
    pub reached: Option<u64>,
    used: BTreeSet<Voter>,
    /// When an address acted first, and last.
    acted: Option<(Millis, Millis)>,
    /// Amendments sent so far, and whether one waits to be merged.
    amendments: u32,
    is_waiting: bool,
}

impl Target {
    /// Addresses that acted so far, times the days from the first time to the last.
    fn spent(&self) -> u64 {
        let day = |at: Millis| at.div_euclid(DAY);
        let days = self.acted.map_or(0, |(first, last)| day(last) - day(first) + 1);
        self.used.len() as u64 * days as u64
    }
}

/// The attacker.
pub struct Attacker {
    attack: Attack,
    first_address: Voter,
    first_target: usize,
    starts_at: Millis,
    ends_at: Millis,
    /// Votes of an address on a target and day.
    repeats: i64,
    /// Addresses that vote on a target on a day.
    a_day: usize,
    random: Random,
    /// The targets.
    pub targets: Vec<Target>,
}

impl Attacker {
    /// The attacker of a scenario; addresses are numbered after the people.
    pub fn new(attack: &Attack, scenario: &Scenario, rules: &Rules, people: Voter, seed: u64) -> Self {
        let starts_at = FIRST_DAY + attack.starts * DAY;
        let repeats = match (rules.policy.count, attack.plan) {
            (Count::Latest, _) | (Count::Raw, Plan::Flag | Plan::Hold) => 1,
            (Count::Raw, Plan::Plant | Plan::Amend | Plan::Reject) => {
                (i64::from(rules.limits.validations_per_day) / attack.targets).max(1)
            }
        };
        let a_day = match attack.pace {
            Pace::Burst => attack.addresses as usize,
            Pace::Patient => (attack.addresses as usize).div_ceil(attack.days as usize),
        };
        Self {
            attack: attack.clone(),
            first_address: people,
            first_target: (scenario.artefacts - attack.targets) as usize,
            starts_at,
            ends_at: starts_at + attack.days * DAY,
            repeats,
            a_day,
            random: Random::new(seed, "attack", 0),
            targets: vec![Target::default(); attack.targets as usize],
        }
    }

    /// How many addresses there are.
    pub fn addresses(&self) -> u32 {
        self.attack.addresses as u32
    }

    /// Whether what is written does harm.
    pub fn is_harmful(&self) -> bool {
        self.attack.harmful
    }

    /// Whether the attack goes on at a moment.
    pub fn is_at_work(&self, now: Millis) -> bool {
        (self.starts_at..self.ends_at).contains(&now)
    }

    /// The artefacts that are new on a day.
    pub fn to_plant(&self, start: Millis) -> std::ops::Range<usize> {
        let is_now = self.attack.plan == Plan::Plant && start == self.starts_at;
        let from = self.first_target;
        if is_now { from..from + self.targets.len() } else { from..from }
    }

    /// Who writes what is planted.
    pub fn author(&mut self, number: usize, now: Millis) -> Voter {
        self.acted(number, self.first_address, now);
        self.first_address
    }

    /// What is said of an artefact as it is now.
    pub fn ballot(&self, skill: &Skill, contents: &Contents) -> Option<Ballot> {
        let is_right = contents.is_right(skill.content);
        match self.attack.plan {
            Plan::Plant | Plan::Amend => {
                contents.is_planted(skill.content).then(|| ballot(Verdict::Confirm, false))
            }
            Plan::Reject => is_right.then(|| ballot(Verdict::Reject, false)),
            Plan::Flag => is_right.then(|| ballot(Verdict::Reject, true)),
            Plan::Hold => (is_right && skill.status == Status::Alpha).then(|| ballot(Verdict::Reject, false)),
        }
    }

    /// What is done on a day.
    pub fn plan_day(
        &mut self,
        skills: &[Option<Skill>],
        contents: &Contents,
        start: Millis,
        staged: Millis,
    ) -> Vec<(Millis, Event)> {
        let mut planned = Vec::new();
        for place in 0..self.targets.len() {
            let number = self.first_target + place;
            let Some(skill) = skills.get(number).and_then(Option::as_ref) else { continue };
            if start == self.starts_at {
                let needs_right = matches!(self.attack.plan, Plan::Reject | Plan::Flag | Plan::Hold);
                let counts = !needs_right || contents.is_right(skill.content);
                if let Some(target) = self.targets.get_mut(place) {
                    target.counts = counts;
                }
            }
            if !skill.takes_votes() {
                continue;
            }
            if self.attack.plan == Plan::Amend && !contents.is_planted(skill.content) {
                planned.extend(self.amendment(place, start, staged));
                continue;
            }
            if self.ballot(skill, contents).is_some() {
                self.votes(skill, number, start, &mut planned);
            }
        }
        planned
    }

    fn amendment(&mut self, place: usize, now: Millis, staged: Millis) -> Option<(Millis, Event)> {
        let addresses = self.addresses();
        let (first_address, number) = (self.first_address, self.first_target + place);
        let target = self.targets.get_mut(place).filter(|it| !it.is_waiting)?;
        let author = first_address + target.amendments % addresses;
        target.is_waiting = true;
        target.amendments += 1;
        self.acted(number, author, now);
        Some((
            now + staged,
            Event::Merge { skill: number, is_right: false, author: Author::Attacker(author) },
        ))
    }

    fn votes(&mut self, skill: &Skill, number: usize, start: Millis, planned: &mut Vec<(Millis, Event)>) {
        let ours = self.first_address..self.first_address + self.addresses();
        let wanted = match self.attack.plan {
            // One rejection that stands is enough.
            Plan::Hold if ours.clone().any(|it| skill.cohort.knows(it)) => 0,
            Plan::Hold => 1,
            Plan::Plant | Plan::Amend | Plan::Reject | Plan::Flag => self.a_day,
        };
        // Other targets begin with other addresses, so that quotas last longer.
        let shift = (number as u32).wrapping_mul(7) % self.addresses();
        let turned = (ours.start + shift..ours.end).chain(ours.start..ours.start + shift);
        let may_vote = turned.filter(|it| !skill.is_by(*it));
        let (known, fresh): (Vec<Voter>, Vec<Voter>) = may_vote.partition(|it| skill.cohort.knows(*it));
        // Who voted already changes something only where every record counts.
        let again = known.into_iter().filter(|_| self.repeats > 1);
        let chosen: Vec<Voter> = fresh.into_iter().chain(again).take(wanted).collect();
        let span = match self.attack.pace {
            Pace::Burst => HOUR,
            Pace::Patient => DAY,
        };
        for voter in chosen {
            for _ in 0..self.repeats {
                let at = start + self.random.below(span as u64) as Millis;
                planned.push((at, Event::Attack(voter, number)));
            }
        }
    }

    /// An address acted on a target.
    pub fn acted(&mut self, number: usize, voter: Voter, now: Millis) {
        if let Some(target) = self.target(number) {
            target.used.insert(voter);
            let first = target.acted.map_or(now, |(first, _)| first);
            target.acted = Some((first, now));
        }
    }

    /// An amendment of the attacker's was merged, or dropped.
    pub fn merged(&mut self, number: usize) {
        if let Some(target) = self.target(number) {
            target.is_waiting = false;
        }
    }

    /// Something took a step up.
    pub fn saw_promotion(&mut self, number: usize, to: Status, contents: &Contents, id: ContentId) {
        if !contents.is_planted(id) || contents.is_right(id) {
            return;
        }
        if to == Status::Stable {
            self.reached(number);
        } else if let Some(target) = self.target(number).filter(|it| it.beta.is_none()) {
            target.beta = Some(target.spent());
        }
    }

    /// Something right was rolled back or put away.
    pub fn saw_removal(&mut self, number: usize, now: Millis) {
        if matches!(self.attack.plan, Plan::Reject | Plan::Flag) && now >= self.starts_at {
            self.reached(number);
        }
    }

    /// A day is over.
    pub fn day_is_over(&mut self, skills: &[Option<Skill>], contents: &Contents, now: Millis) {
        if self.attack.plan != Plan::Hold || now != self.ends_at {
            return;
        }
        for number in self.first_target..self.first_target + self.targets.len() {
            let held = |it: &Skill| it.status == Status::Alpha && contents.is_right(it.content);
            if skills.get(number).and_then(Option::as_ref).is_some_and(held) {
                self.reached(number);
            }
        }
    }

    fn reached(&mut self, number: usize) {
        if let Some(target) = self.target(number).filter(|it| it.counts && it.reached.is_none()) {
            target.reached = Some(target.spent());
        }
    }

    fn target(&mut self, number: usize) -> Option<&mut Target> {
        self.targets.get_mut(number.checked_sub(self.first_target)?)
    }
}
