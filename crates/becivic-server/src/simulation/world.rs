//! One run: a virtual clock, people, an attacker, and the server's own rules.
//!
//! 1. Every day begins with what changes without anybody: content goes wrong. Then who reads is drawn, and the attacker plans.
//! 2. What happens during the day happens in the order of its time: verdicts pass the limits and land, amendments are merged a
//!    day after they were sent, maintainers look.
//! 3. A flag is decided on at once; everything else at the next tick of five minutes, or when an age is reached.
//! 4. Every day ends with a look at what readers get.
//!
//! Chance is drawn in streams that do not depend on what is decided: under another policy the same people read the same things.

use super::addresses::Addresses;
use super::agenda::{Agenda, Author, Event};
use super::artefact::{ContentId, Skill};
use super::attack::Attacker;
use super::cohort::Voter;
use super::content::{Content, Contents};
use super::policies::Rules;
use super::random::Random;
use super::readers::{Crowd, Reading};
use super::scenario::{Plan, Scenario, Starts};
use crate::erasure::SALT_OF_WHAT_LASTS;
use crate::moment::{DAY, HOUR, MINUTE};
use becivic_core::consensus::{Ballot, Millis, Outcome};
use becivic_core::vocabulary::Status;

/// The first day, so far from 1970 that nothing comes before it.
pub const FIRST_DAY: Millis = 20_000 * DAY;
/// How often the tick looks (`[jobs] tick_every`).
const TICK: Millis = 5 * MINUTE;
/// How long an amendment is staged (`[staging] window`).
const STAGED: Millis = 24 * HOUR;
/// An artefact takes two amendments in this time (`jobs/commit/turns.rs`).
const TURN: Millis = 48 * HOUR;

/// What readers got, in days of artefacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Offered {
    pub days: u64,
    /// Right content as stable; wrong content as stable; wrong content, but only as alpha or beta.
    pub right_stable: u64,
    pub wrong_stable: u64,
    pub wrong_below: u64,
}

/// One run.
pub struct World<'a> {
    scenario: &'a Scenario,
    rules: &'a Rules,
    /// Everything that was written.
    pub contents: Contents,
    /// The artefacts; `None` where one is yet to be written.
    pub skills: Vec<Option<Skill>>,
    /// What readers got.
    pub offered: Offered,
    /// Verdicts that landed.
    pub landed: u64,
    /// What each address sent.
    pub addresses: Addresses,
    /// The attack.
    pub attacker: Option<Attacker>,
    /// What each artefact's truth is drawn from.
    truths: Vec<Random>,
    crowd: Crowd,
    agenda: Agenda,
    /// The content of each artefact that went wrong while readers got it as stable, and still do.
    outdated: Vec<Option<ContentId>>,
}

impl<'a> World<'a> {
    /// Runs a scenario once.
    pub fn run(scenario: &'a Scenario, rules: &'a Rules, seed: u64) -> Self {
        let crowd = Crowd::new(scenario, seed);
        let attacker = scenario
            .attack
            .as_ref()
            .map(|attack| Attacker::new(attack, scenario, rules, crowd.people(), seed));
        let addresses = crowd.people() + attacker.as_ref().map_or(0, |it| it.addresses());
        let mut world = Self {
            scenario,
            rules,
            contents: Contents::default(),
            skills: Vec::new(),
            offered: Offered::default(),
            landed: 0,
            addresses: Addresses::new(addresses as usize),
            attacker,
            truths: (0..scenario.artefacts as u64).map(|it| Random::new(seed, "truth", it)).collect(),
            crowd,
            agenda: Agenda::default(),
            outdated: vec![None; scenario.artefacts as usize],
        };
        world.begin();
        for day in 0..scenario.days {
            world.day(FIRST_DAY + day * DAY);
        }
        world
    }

    fn begin(&mut self) {
        let truth = &self.scenario.truth;
        let to_be_planted =
            self.scenario.attack.as_ref().filter(|it| it.plan == Plan::Plant).map_or(0, |it| it.targets);
        let policy = &self.rules.policy;
        let (status, base) = match truth.starts {
            Starts::Alpha => (Status::Alpha, (0, 0)),
            Starts::Stable => (Status::Stable, (policy.stable_confirms.max(policy.stable_distinct), 0)),
        };
        for number in 0..self.scenario.artefacts {
            let is_right = self.truths.get_mut(number as usize).is_some_and(|it| it.share() >= truth.wrong);
            if number >= self.scenario.artefacts - to_be_planted {
                self.skills.push(None);
                continue;
            }
            let is_first = status == Status::Alpha;
            let content = self.contents.add(Content { is_first, ..Content::new(is_right, FIRST_DAY) });
            self.skills.push(Some(Skill::new(content, status, base, None, FIRST_DAY)));
            self.plan_amendment(number as usize, FIRST_DAY);
        }
    }

    fn day(&mut self, start: Millis) {
        self.truth_moves_on(start);
        for (at, reading) in self.crowd.day(start) {
            self.agenda.plan(at, Event::Read(reading));
        }
        self.attack(start);
        while let Some((at, event)) = self.agenda.next_before(start + DAY) {
            self.happens(event, at);
        }
        self.forget(start + DAY);
        self.look_at_what_is_offered(start + DAY);
        if let Some(attacker) = &mut self.attacker {
            attacker.day_is_over(&self.skills, &self.contents, start + DAY);
        }
    }

    fn truth_moves_on(&mut self, now: Millis) {
        let daily = self.scenario.truth.goes_wrong / 365.0;
        if daily <= 0.0 {
            return;
        }
        for number in 0..self.skills.len() {
            let goes_wrong = self.truths.get_mut(number).is_some_and(|it| it.share() < daily);
            let Some(skill) = self.skills.get(number).and_then(Option::as_ref).filter(|_| goes_wrong) else {
                continue;
            };
            // The world changes: what is there and what is offered besides both say what was true.
            let stable = skill.stable_content();
            for id in [Some(skill.content), stable.filter(|id| *id != skill.content)].into_iter().flatten() {
                if let Some(content) = self.contents.get_mut(id).filter(|it| it.is_right) {
                    content.is_right = false;
                    if stable == Some(id) {
                        content.outdated_at = Some(now);
                        if let Some(place) = self.outdated.get_mut(number) {
                            *place = Some(id);
                        }
                    }
                }
            }
            self.plan_amendment(number, now);
        }
    }

    /// Somebody is going to amend what is wrong.
    fn plan_amendment(&mut self, number: usize, now: Millis) {
        let Some(after) = self.scenario.truth.amended_after else { return };
        let Some(skill) = self.skills.get(number).and_then(Option::as_ref) else { return };
        if !self.contents.is_wrong(skill.content) {
            return;
        }
        let Some(truth) = self.truths.get_mut(number) else { return };
        // Between half and one and a half times as long.
        let wait = after * DAY as f64 * (0.5 + truth.share());
        self.agenda.plan(now + wait as Millis, Event::Amend(number));
    }

    fn happens(&mut self, event: Event, now: Millis) {
        match event {
            Event::Read(reading) => self.read(reading, now),
            Event::Attack(voter, number) => self.strike(voter, number, now),
            Event::Look(number) => self.look(number, now),
            Event::Amend(number) => self.send_amendment(number, now),
            Event::Merge { skill, is_right, author } => self.merge(skill, is_right, author, now),
            Event::Review(number) => self.review(number, now),
        }
    }

    fn read(&mut self, reading: Reading, now: Millis) {
        let Some(skill) = self.skills.get(reading.skill).and_then(Option::as_ref) else { return };
        let Some(content) = self.contents.0.get(skill.content) else { return };
        // Who reads the stable version while another is pending votes on something whose cohort has ended.
        if !skill.takes_votes() || (skill.is_pending() && !reading.tries_pending) {
            return;
        }
        let ballot = reading.ballot(content, &self.scenario.readers);
        self.vote(reading.voter, reading.skill, ballot, now);
    }

    fn strike(&mut self, voter: Voter, number: usize, now: Millis) {
        let Some(skill) = self.skills.get(number).and_then(Option::as_ref) else { return };
        let Some(attacker) = &mut self.attacker else { return };
        let Some(ballot) = attacker.ballot(skill, &self.contents) else { return };
        attacker.acted(number, voter, now);
        self.vote(voter, number, ballot, now);
    }

    fn vote(&mut self, voter: Voter, number: usize, ballot: Ballot, now: Millis) {
        let Some(skill) = self.skills.get_mut(number).and_then(Option::as_mut).filter(|it| it.takes_votes())
        else {
            return;
        };
        // A vote on one's own text is refused, and uses quota.
        if !self.addresses.take(voter, ballot.flag, &self.rules.limits, now) || skill.is_by(voter) {
            return;
        }
        skill.land(voter, ballot, now);
        self.landed += 1;
        if ballot.flag {
            if skill.decide(&self.rules.policy, now).outcome == Outcome::Quarantine {
                self.put_away(number, now);
            }
            self.plan_review(number, now);
        }
        self.look_by(number, (now / TICK + 1) * TICK);
    }

    fn look_by(&mut self, number: usize, at: Millis) {
        let Some(skill) = self.skills.get_mut(number).and_then(Option::as_mut) else { return };
        if skill.look_at.is_none_or(|planned| planned > at) {
            skill.look_at = Some(at);
            self.agenda.plan(at, Event::Look(number));
        }
    }

    fn look(&mut self, number: usize, now: Millis) {
        let Some(skill) = self.skills.get_mut(number).and_then(Option::as_mut) else { return };
        if skill.look_at != Some(now) {
            return;
        }
        skill.look_at = None;
        let decision = skill.decide(&self.rules.policy, now);
        match decision.outcome {
            Outcome::Stay => {
                if let Some(at) = decision.look_again_at {
                    self.look_by(number, at.max(now + 1));
                }
            }
            Outcome::Promote(to) => {
                skill.promote(to, now);
                let content = skill.content;
                self.promoted(number, content, to, now);
                self.look_by(number, now + TICK);
            }
            Outcome::RollBack => {
                let content = skill.content;
                skill.roll_back(now);
                let is_away = !skill.takes_votes();
                self.removed(number, content, now);
                if is_away {
                    self.plan_review(number, now);
                }
                self.plan_amendment(number, now);
            }
            Outcome::Quarantine => {
                self.put_away(number, now);
                self.plan_review(number, now);
            }
            // What only paths do.
            Outcome::Deprecate | Outcome::Return => {}
        }
    }

    fn put_away(&mut self, number: usize, now: Millis) {
        let Some(skill) = self.skills.get_mut(number).and_then(Option::as_mut) else { return };
        let content = skill.content;
        skill.put_away();
        self.removed(number, content, now);
    }

    fn promoted(&mut self, number: usize, id: ContentId, to: Status, now: Millis) {
        let Some(content) = self.contents.get_mut(id) else { return };
        match (to, content.is_right) {
            (Status::Stable, true) => content.stable_at = content.stable_at.or(Some(now)),
            (Status::Stable, false) => content.was_wrong_stable = true,
            (_, true) => {}
            (_, false) => content.was_wrong_beta = true,
        }
        if let Some(attacker) = &mut self.attacker {
            attacker.saw_promotion(number, to, &self.contents, id);
        }
    }

    fn removed(&mut self, number: usize, id: ContentId, now: Millis) {
        let Some(content) = self.contents.get_mut(id).filter(|it| it.is_right) else { return };
        content.was_removed_rightful = true;
        if let Some(attacker) = &mut self.attacker {
            attacker.saw_removal(number, now);
        }
    }

    fn send_amendment(&mut self, number: usize, now: Millis) {
        let Some(truth) = self.truths.get_mut(number) else { return };
        let is_right = truth.share() < self.scenario.truth.amended_rightly;
        let author = Author::Reader(truth.below(u64::from(self.crowd.people()).max(1)) as Voter);
        let wrong = |skill: &Skill| skill.takes_votes() && self.contents.is_wrong(skill.content);
        if self.skills.get(number).and_then(Option::as_ref).is_some_and(wrong) {
            self.agenda.plan(now + STAGED, Event::Merge { skill: number, is_right, author });
        }
    }

    fn merge(&mut self, number: usize, is_right: bool, author: Author, now: Millis) {
        let Some(skill) = self.skills.get_mut(number).and_then(Option::as_mut).filter(|it| it.takes_votes())
        else {
            // What is put away takes no amendment: the attacker may send another.
            if let (Author::Attacker(_), Some(attacker)) = (author, &mut self.attacker) {
                attacker.merged(number);
            }
            return;
        };
        // An amendment of a reader's no longer applies where somebody else was faster.
        if matches!(author, Author::Reader(_)) && !self.contents.is_wrong(skill.content) {
            return;
        }
        skill.merges.retain(|at| *at > now - TURN);
        if skill.merges.len() >= 2 {
            let at = skill.merges.iter().min().map_or(now, |at| at + TURN + 1);
            self.agenda.plan(at, Event::Merge { skill: number, is_right, author });
            return;
        }
        let mut content = Content::new(is_right, now);
        let voter = match author {
            Author::Reader(voter) => voter,
            Author::Attacker(voter) => {
                content.is_planted = true;
                content.is_harmful = self.scenario.attack.as_ref().is_some_and(|it| it.harmful);
                voter
            }
        };
        let id = self.contents.add(content);
        skill.amend(id, voter, now);
        if let (Author::Attacker(_), Some(attacker)) = (author, &mut self.attacker) {
            attacker.merged(number);
        }
        self.plan_amendment(number, now);
        self.look_by(number, (now / TICK + 1) * TICK);
    }

    fn plan_review(&mut self, number: usize, now: Millis) {
        let Some(skill) = self.skills.get_mut(number).and_then(Option::as_mut) else { return };
        if !skill.review_is_open {
            skill.review_is_open = true;
            let wait = (self.scenario.maintainers.days * DAY as f64) as Millis;
            self.agenda.plan(now + wait.max(1), Event::Review(number));
        }
    }

    /// A maintainer looks: what is right stays or comes back, and its flags were bogus; what is wrong goes.
    fn review(&mut self, number: usize, now: Millis) {
        let Some(skill) = self.skills.get_mut(number).and_then(Option::as_mut) else { return };
        skill.review_is_open = false;
        let is_right = self.contents.is_right(skill.content);
        let flaggers = skill.cohort.settle_flags();
        if is_right {
            if !skill.takes_votes() {
                skill.reinstate(now);
            }
            for voter in flaggers {
                self.addresses.was_bogus(voter, now);
            }
        } else if !skill.takes_votes() || !flaggers.is_empty() {
            skill.remove(now);
            self.plan_amendment(number, now);
        }
        self.look_by(number, (now / TICK + 1) * TICK);
    }

    fn attack(&mut self, start: Millis) {
        let Some(mut attacker) = self.attacker.take() else { return };
        if attacker.is_at_work(start) {
            for number in attacker.to_plant(start) {
                let planted = Content {
                    is_planted: true,
                    is_harmful: attacker.is_harmful(),
                    ..Content::new(false, start)
                };
                let content = self.contents.add(planted);
                let author = attacker.author(number, start);
                if let Some(place) = self.skills.get_mut(number) {
                    *place = Some(Skill::new(content, Status::Alpha, (0, 0), Some(author), start));
                }
                self.plan_amendment(number, start);
            }
            for (at, event) in attacker.plan_day(&self.skills, &self.contents, start, STAGED) {
                self.agenda.plan(at, event);
            }
        }
        self.attacker = Some(attacker);
    }

    /// On what is stable voters are forgotten every 90 days (`erasure.rs`).
    fn forget(&mut self, now: Millis) {
        for skill in self.skills.iter_mut().flatten().filter(|it| it.status == Status::Stable) {
            let age = now - skill.cohort.started_at;
            if age >= SALT_OF_WHAT_LASTS && age % SALT_OF_WHAT_LASTS < DAY {
                skill.cohort.forget_voters();
            }
        }
    }

    fn look_at_what_is_offered(&mut self, now: Millis) {
        for skill in self.skills.iter().flatten() {
            self.offered.days += 1;
            let stable = skill.stable_content();
            match stable {
                Some(id) if self.contents.is_right(id) => self.offered.right_stable += 1,
                Some(_) => self.offered.wrong_stable += 1,
                None => {}
            }
            let is_below = skill.takes_votes() && skill.status != Status::Stable;
            let has_wrong_stable = stable.is_some_and(|id| self.contents.is_wrong(id));
            if is_below && !has_wrong_stable && self.contents.is_wrong(skill.content) {
                self.offered.wrong_below += 1;
            }
        }
        for (skill, outdated) in self.skills.iter().zip(&mut self.outdated) {
            let stable = skill.as_ref().and_then(Skill::stable_content);
            if let Some(content) =
                outdated.take_if(|id| stable != Some(*id)).and_then(|id| self.contents.get_mut(id))
            {
                content.left_at = Some(now);
            }
        }
    }
}
