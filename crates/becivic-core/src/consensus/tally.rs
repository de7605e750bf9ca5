//! Counting verdicts, one at a time.
//!
//! 1. Of each voter the latest verdict in the cohort counts; every record is counted beside it, for who shows them and for
//!    the reading in which each counts.
//! 2. On each verdict stands how it counted ([`Marks`]): the first of its voter, the latest, the first reject, the first flag.
//!    A sum over the marks is the tally, whether or not the voters' hashes are still there.
//! 3. A path's cohort holds the verdicts on the path and on its sources; of each voter the latest of them all counts for the
//!    path, and the latest on each source for that source.
//! 4. Probes are counted apart: of each source the latest.
//! 5. A reset carries rejects and flags into the new cohort ([`Marks::carried`]): a carried reject counts as it did, a carried
//!    confirm only for the flag it brings.
//! 6. A flag that was decided on loses its mark ([`Tally::settle_flag`]); a new one of the same voter counts again.
//!
//! 7. The days on which people's confirms landed are counted too. Days only grow: of a verdict that lands on a day before the
//!    last one counted (a clock was set back, two processes at midnight) that last day is taken for its own ([`Tally::day_of`]).
//!
//! Landing looks only at the marks of the earlier verdicts, never at their order, so that the tally and the sum over the marks
//! cannot drift apart.

use super::Millis;
use crate::vocabulary::words;
use rustc_hash::FxHashSet;

words! {
    /// What a verdict says.
    Verdict {
        /// It is right, or it works.
        Confirm = "confirm",
        /// It is not.
        Reject = "reject",
    }
}

/// One verdict that lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// What it says.
    pub verdict: Verdict,
    /// Whether it flags an injection.
    pub flag: bool,
    /// Whether a machine's probe says so.
    pub probe: bool,
    /// Whether it confirms what comes after a hand-over.
    pub handoff: bool,
}

/// How a verdict counted, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(pub i64);

impl Marks {
    /// The latest of its voter in the cohort.
    pub const LATEST: i64 = 1;
    /// The first of its voter in the cohort.
    pub const FIRST: i64 = 2;
    /// The first reject of its voter.
    pub const FIRST_REJECT: i64 = 4;
    /// The first flag of its voter; taken off when the flag is decided on.
    pub const FIRST_FLAG: i64 = 8;
    /// The latest of its voter on the source.
    pub const LATEST_OF_SOURCE: i64 = 16;
    /// The first of its voter on the source.
    pub const FIRST_OF_SOURCE: i64 = 32;
    /// The first confirm of its voter that saw what comes after the source's hand-over.
    pub const FIRST_HANDOFF: i64 = 64;
    /// Carried over from the cohort before: it confirms nothing any more.
    pub const CARRIED: i64 = 128;

    /// Whether a mark is there.
    pub fn has(self, mark: i64) -> bool {
        self.0 & mark != 0
    }

    /// These marks without some.
    pub fn without(self, marks: i64) -> Self {
        Self(self.0 & !marks)
    }

    /// The marks a verdict keeps when a reset carries it into the next cohort, or nothing where it stays behind.
    ///
    /// Each verdict is looked at alone. The first reject of a voter makes them a voter of the new cohort, since the verdict
    /// that did so in the old one may be a confirm that stays behind. Who rejected first and confirmed later is a voter whose
    /// standing verdict is gone: neither a confirm nor a reject, until they vote again.
    pub fn carried(self, ballot: Ballot) -> Option<Self> {
        match ballot.verdict {
            Verdict::Confirm if ballot.flag && !ballot.probe => {
                Some(Self(self.0 & Self::FIRST_FLAG | Self::CARRIED))
            }
            Verdict::Confirm => None,
            Verdict::Reject if ballot.probe => Some(Self(self.0 | Self::CARRIED)),
            Verdict::Reject => {
                let mut marks = self.without(Self::FIRST | Self::FIRST_OF_SOURCE).0 | Self::CARRIED;
                if self.has(Self::FIRST_REJECT) {
                    marks |= Self::FIRST;
                }
                if self.has(Self::LATEST_OF_SOURCE) {
                    marks |= Self::FIRST_OF_SOURCE;
                }
                Some(Self(marks))
            }
        }
    }

    /// What of these marks counts: of a carried confirm the flag alone.
    fn counting(self, ballot: Ballot) -> Self {
        if self.has(Self::CARRIED) && ballot.verdict == Verdict::Confirm {
            Self(self.0 & (Self::FIRST_FLAG | Self::CARRIED))
        } else {
            self
        }
    }
}

/// An earlier verdict of the same voter in the same cohort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// What it said, and whether it flagged.
    pub ballot: Ballot,
    /// How it counts.
    pub marks: Marks,
    /// Whether it is on the same source as the one that lands (or both on the artefact itself).
    pub same_source: bool,
}

/// The counts of a cohort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Tally {
    /// Voters whose latest verdict confirms, and rejects.
    pub confirms: i64,
    pub rejects: i64,
    /// Every record of people.
    pub confirm_records: i64,
    pub reject_records: i64,
    /// Distinct days on which a person's confirm landed, and the last of them.
    pub confirm_days: i64,
    pub confirm_day: Option<Millis>,
    /// Distinct voters; those who ever rejected; those with a flag that nobody has decided on.
    pub voters: i64,
    pub rejecters: i64,
    pub flaggers: i64,
    /// Those among them whose flag was raised before a reset.
    pub carried_flaggers: i64,
    /// Sources whose latest probe worked, and did not; every record of probes.
    pub probe_confirms: i64,
    pub probe_rejects: i64,
    pub probe_confirm_records: i64,
    pub probe_reject_records: i64,
}

/// The counts of one source of a path, in the path's cohort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct SourceTally {
    pub confirms: i64,
    pub rejects: i64,
    pub confirm_records: i64,
    pub reject_records: i64,
    pub voters: i64,
    /// Distinct voters who confirmed what comes after the hand-over.
    pub handoffs: i64,
    pub probe_confirms: i64,
    pub probe_rejects: i64,
}

/// What landing changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Landed {
    /// The marks of the new verdict.
    pub marks: Marks,
    /// The new marks of each earlier one, in the order they were given.
    pub earlier: Vec<Marks>,
}

impl Tally {
    /// Lands a verdict: the tally, the tally of the source it is on (any value where it is on none), and the marks.
    /// `earlier` holds every earlier verdict of the same voter in the cohort; for a probe, of the same source's probe. `day` is
    /// what [`Tally::day_of`] says, and what is kept with the verdict.
    pub fn land(
        &mut self,
        source: &mut SourceTally,
        ballot: Ballot,
        earlier: &[Earlier],
        day: Millis,
    ) -> Landed {
        let marks = marks_of_new(ballot, earlier);
        let mut left = Vec::with_capacity(earlier.len());
        for old in earlier {
            let lost = marks_lost(ballot, old);
            let counted = Marks(old.marks.counting(old.ballot).0 & (lost | Marks::CARRIED));
            self.add_marks(old.ballot, counted, -1);
            if old.same_source {
                source.add_marks(old.ballot, counted, -1);
            }
            left.push(old.marks.without(lost));
        }
        self.add_record(ballot, marks);
        self.add_marks(ballot, marks, 1);
        if confirms_as_a_person(ballot, marks) && self.confirm_day.is_none_or(|last| day > last) {
            self.confirm_days += 1;
            self.confirm_day = Some(day);
        }
        source.add_record(ballot, marks);
        source.add_marks(ballot, marks, 1);
        Landed { marks, earlier: left }
    }

    /// The day a verdict lands on: the one given, and never before the last that was counted.
    pub fn day_of(&self, day: Millis) -> Millis {
        self.confirm_day.map_or(day, |last| day.max(last))
    }

    /// A flag was decided on: it counts no more. Answers the marks its verdict has from then on.
    pub fn settle_flag(&mut self, marks: Marks) -> Marks {
        if marks.has(Marks::FIRST_FLAG) {
            self.flaggers -= 1;
            self.carried_flaggers -= i64::from(marks.has(Marks::CARRIED));
        }
        marks.without(Marks::FIRST_FLAG)
    }

    /// The tally of a cohort, counted from its verdicts, their marks and their days alone.
    pub fn recount(rows: impl Iterator<Item = (Ballot, Marks, Millis)>) -> Self {
        let mut tally = Self::default();
        let mut days = FxHashSet::default();
        for (ballot, marks, day) in rows {
            tally.add_record(ballot, marks);
            tally.add_marks(ballot, marks.counting(ballot), 1);
            if confirms_as_a_person(ballot, marks) && days.insert(day) {
                tally.confirm_days += 1;
                tally.confirm_day = tally.confirm_day.max(Some(day));
            }
        }
        tally
    }

    fn add_marks(&mut self, ballot: Ballot, marks: Marks, by: i64) {
        let of = |mark: i64| if marks.has(mark) { by } else { 0 };
        match (ballot.probe, ballot.verdict) {
            (false, Verdict::Confirm) => self.confirms += of(Marks::LATEST),
            (false, Verdict::Reject) => self.rejects += of(Marks::LATEST),
            (true, Verdict::Confirm) => self.probe_confirms += of(Marks::LATEST),
            (true, Verdict::Reject) => self.probe_rejects += of(Marks::LATEST),
        }
        if !ballot.probe {
            self.voters += of(Marks::FIRST);
            self.rejecters += of(Marks::FIRST_REJECT);
            self.flaggers += of(Marks::FIRST_FLAG);
            if marks.has(Marks::CARRIED) {
                self.carried_flaggers += of(Marks::FIRST_FLAG);
            }
        }
    }

    fn add_record(&mut self, ballot: Ballot, marks: Marks) {
        match (ballot.probe, ballot.verdict) {
            (_, Verdict::Confirm) if marks.has(Marks::CARRIED) => {}
            (false, Verdict::Confirm) => self.confirm_records += 1,
            (false, Verdict::Reject) => self.reject_records += 1,
            (true, Verdict::Confirm) => self.probe_confirm_records += 1,
            (true, Verdict::Reject) => self.probe_reject_records += 1,
        }
    }
}

impl SourceTally {
    /// The tally of one source, counted from the verdicts on it and their marks alone.
    pub fn recount(rows: impl Iterator<Item = (Ballot, Marks)>) -> Self {
        let mut tally = Self::default();
        for (ballot, marks) in rows {
            tally.add_record(ballot, marks);
            tally.add_marks(ballot, marks.counting(ballot), 1);
        }
        tally
    }

    fn add_marks(&mut self, ballot: Ballot, marks: Marks, by: i64) {
        let of = |mark: i64| if marks.has(mark) { by } else { 0 };
        match (ballot.probe, ballot.verdict) {
            (false, Verdict::Confirm) => self.confirms += of(Marks::LATEST_OF_SOURCE),
            (false, Verdict::Reject) => self.rejects += of(Marks::LATEST_OF_SOURCE),
            (true, Verdict::Confirm) => self.probe_confirms += of(Marks::LATEST_OF_SOURCE),
            (true, Verdict::Reject) => self.probe_rejects += of(Marks::LATEST_OF_SOURCE),
        }
        if !ballot.probe {
            self.voters += of(Marks::FIRST_OF_SOURCE);
            self.handoffs += of(Marks::FIRST_HANDOFF);
        }
    }

    fn add_record(&mut self, ballot: Ballot, marks: Marks) {
        match (ballot.probe, ballot.verdict) {
            (true, _) => {}
            (false, Verdict::Confirm) if marks.has(Marks::CARRIED) => {}
            (false, Verdict::Confirm) => self.confirm_records += 1,
            (false, Verdict::Reject) => self.reject_records += 1,
        }
    }
}

/// Whether a verdict is a confirm of somebody's, given in this cohort.
fn confirms_as_a_person(ballot: Ballot, marks: Marks) -> bool {
    ballot.verdict == Verdict::Confirm && !ballot.probe && !marks.has(Marks::CARRIED)
}

/// How a new verdict counts, by what already counts of its voter.
fn marks_of_new(ballot: Ballot, earlier: &[Earlier]) -> Marks {
    let mut marks = Marks::LATEST | Marks::LATEST_OF_SOURCE;
    if ballot.probe {
        return Marks(marks);
    }
    let of_people = || earlier.iter().filter(|old| !old.ballot.probe);
    let taken = |mark: i64| of_people().any(|old| old.marks.counting(old.ballot).has(mark));
    let taken_here =
        |mark: i64| of_people().any(|old| old.same_source && old.marks.counting(old.ballot).has(mark));
    if !taken(Marks::FIRST) {
        marks |= Marks::FIRST;
    }
    if ballot.verdict == Verdict::Reject && !taken(Marks::FIRST_REJECT) {
        marks |= Marks::FIRST_REJECT;
    }
    // A flag that was carried over gives way to one on what is there now.
    let flagged = |old: &Earlier| old.marks.has(Marks::FIRST_FLAG) && !old.marks.has(Marks::CARRIED);
    if ballot.flag && !of_people().any(flagged) {
        marks |= Marks::FIRST_FLAG;
    }
    if !taken_here(Marks::FIRST_OF_SOURCE) {
        marks |= Marks::FIRST_OF_SOURCE;
    }
    if ballot.handoff && ballot.verdict == Verdict::Confirm && !taken_here(Marks::FIRST_HANDOFF) {
        marks |= Marks::FIRST_HANDOFF;
    }
    Marks(marks)
}

/// The marks an earlier verdict of the same voter loses to a new one. People and probes leave each other alone, and so do
/// probes of two sources.
fn marks_lost(ballot: Ballot, old: &Earlier) -> i64 {
    let flag = if ballot.flag && old.marks.has(Marks::CARRIED) { Marks::FIRST_FLAG } else { 0 };
    flag | match (ballot.probe == old.ballot.probe, ballot.probe, old.same_source) {
        (false, _, _) | (true, true, false) => 0,
        (true, false, false) => Marks::LATEST,
        (true, _, true) => Marks::LATEST | Marks::LATEST_OF_SOURCE,
    }
}
