//! One skill of a simulated corpus: its content, its cohort, and what becomes of both (`consensus/follow.rs` and
//! `jobs/tick/files.rs` do the same with files and tables).
//!
//! 1. A step up begins the next cohort; at stable the counts are frozen as the base, and the authors forgotten.
//! 2. An amendment returns it to alpha and carries rejections and flags over. What was stable stays the one offered.
//! 3. A rollback goes where the core says, with what that version was made stable with.
//! 4. What is quarantined waits for a maintainer, who brings it back or not.

use super::cohort::{Cohort, Voter};
use becivic_core::consensus::{
    Artefact, Ballot, Decision, Kind, Millis, Past, Policy, Target, decide, rollback_target,
};
use becivic_core::vocabulary::Status;

/// Which content, among all there ever was.
pub type ContentId = usize;

/// Versions of an artefact that are remembered, as the server looks through.
const REMEMBERED: usize = 1_000;

/// A version that was on `main`.
#[derive(Clone, Debug)]
struct Version {
    content: ContentId,
    status: Status,
    base: (i64, i64),
    was_rejected: bool,
}

/// An artefact.
#[derive(Clone, Debug)]
pub struct Skill {
    /// What it says.
    pub content: ContentId,
    /// Where it stands.
    pub status: Status,
    /// The open cohort.
    pub cohort: Cohort,
    /// When the tick looks next.
    pub look_at: Option<Millis>,
    /// Whether a maintainer is going to look.
    pub review_is_open: bool,
    /// When amendments were merged lately.
    pub merges: Vec<Millis>,
    /// What it was made stable with.
    base: (i64, i64),
    /// The stable content that readers are offered while something else is pending or put away.
    offered_besides: Option<(ContentId, (i64, i64))>,
    /// Who wrote what is there: they have no vote on it.
    authors: Vec<Voter>,
    /// The status before it was put away.
    before: Status,
    versions: Vec<Version>,
}

impl Skill {
    /// One that begins.
    pub fn new(
        content: ContentId,
        status: Status,
        base: (i64, i64),
        author: Option<Voter>,
        now: Millis,
    ) -> Self {
        let mut skill = Self {
            content,
            status,
            cohort: Cohort::new(now),
            look_at: None,
            review_is_open: false,
            merges: Vec::new(),
            base,
            offered_besides: None,
            authors: author.into_iter().collect(),
            before: status,
            versions: Vec::new(),
        };
        skill.remember();
        skill
    }

    /// Whether people can vote on it.
    pub fn takes_votes(&self) -> bool {
        self.status.is_published()
    }

    /// Whether somebody wrote what is there.
    pub fn is_by(&self, voter: Voter) -> bool {
        self.authors.contains(&voter)
    }

    /// The content that readers get as stable.
    pub fn stable_content(&self) -> Option<ContentId> {
        match self.status {
            Status::Stable => Some(self.content),
            Status::Draft | Status::Alpha | Status::Beta | Status::Quarantined | Status::Deprecated => {
                self.offered_besides.map(|(content, _)| content)
            }
        }
    }

    /// Whether what is there waits beside a stable version.
    pub fn is_pending(&self) -> bool {
        self.status != Status::Stable && self.offered_besides.is_some()
    }

    /// What is to be done.
    pub fn decide(&self, policy: &Policy, now: Millis) -> Decision {
        let artefact = Artefact::new(Kind::Skill, self.status, self.cohort.started_at, self.base);
        decide(&artefact, &self.cohort.tally, policy, now)
    }

    /// Lands a verdict.
    pub fn land(&mut self, voter: Voter, ballot: Ballot, now: Millis) {
        self.cohort.land(voter, ballot, now);
    }

    /// A step up.
    pub fn promote(&mut self, to: Status, now: Millis) {
        self.base = match to {
            Status::Stable => (
                self.base.0.saturating_add(self.cohort.tally.confirms),
                self.base.1.saturating_add(self.cohort.tally.rejects),
            ),
            Status::Draft | Status::Alpha | Status::Beta | Status::Quarantined | Status::Deprecated => (0, 0),
        };
        self.status = to;
        if to == Status::Stable {
            self.authors.clear();
            self.offered_besides = None;
        }
        self.cohort = Cohort::new(now);
        self.remember();
    }

    /// An amendment is merged.
    pub fn amend(&mut self, content: ContentId, author: Voter, now: Millis) {
        if self.status == Status::Stable {
            self.offered_besides = Some((self.content, self.base));
        }
        self.content = content;
        self.status = Status::Alpha;
        self.base = (0, 0);
        // Whoever wrote something in the open cohort is remembered until it ends.
        self.authors.push(author);
        self.cohort = self.cohort.carried(now);
        self.merges.push(now);
        self.remember();
    }

    /// Rejected: goes back to what it was, or away.
    pub fn roll_back(&mut self, now: Millis) {
        if let Some(version) = self.versions.last_mut() {
            version.was_rejected = true;
        }
        match self.earlier() {
            Some(version) => {
                (self.content, self.status, self.base) = (version.content, version.status, version.base);
                if version.status == Status::Stable
                    || self.offered_besides.is_some_and(|(content, _)| content == version.content)
                {
                    self.offered_besides = None;
                }
                self.cohort = Cohort::new(now);
                self.authors.clear();
                self.remember();
            }
            None => self.put_away(),
        }
    }

    /// Taken from readers until a maintainer has looked.
    pub fn put_away(&mut self) {
        self.before = self.status;
        if self.status == Status::Stable {
            let stable = self.earlier().filter(|it| it.status == Status::Stable);
            self.offered_besides = stable.map(|it| (it.content, it.base));
        }
        self.status = Status::Quarantined;
    }

    /// A maintainer brings it back, as it was; its cohort begins anew.
    pub fn reinstate(&mut self, now: Millis) {
        self.status = self.before;
        if self.status == Status::Stable {
            self.offered_besides = None;
        } else {
            self.base = (0, 0);
        }
        self.cohort = Cohort::new(now);
        self.authors.clear();
        self.remember();
    }

    /// A maintainer agrees that it has to go: what was stable before takes its place, where there is something.
    pub fn remove(&mut self, now: Millis) {
        if self.status != Status::Quarantined {
            self.put_away();
        }
        if let Some(version) = self.versions.last_mut() {
            version.was_rejected = true;
        }
        let Some((content, base)) = self.offered_besides.take() else { return };
        (self.content, self.base, self.status) = (content, base, Status::Stable);
        self.cohort = Cohort::new(now);
        self.authors.clear();
        self.remember();
    }

    fn remember(&mut self) {
        let (content, status, base) = (self.content, self.status, self.base);
        self.versions.push(Version { content, status, base, was_rejected: false });
        if self.versions.len() >= 2 * REMEMBERED {
            self.versions.drain(..REMEMBERED);
        }
    }

    /// The earlier version that the core would go back to.
    fn earlier(&self) -> Option<Version> {
        let history: Vec<Past> = self
            .versions
            .iter()
            .enumerate()
            .rev()
            .map(|(place, it)| Past {
                commit: place.to_string(),
                status: it.status,
                digest: it.content.to_string(),
                was_rejected: it.was_rejected,
            })
            .collect();
        match rollback_target(Kind::Skill, &self.content.to_string(), &history) {
            Target::Content(past) => self.versions.get(past.commit.parse::<usize>().ok()?).cloned(),
            Target::Deprecated | Target::Quarantined | Target::Stays => None,
        }
    }
}
