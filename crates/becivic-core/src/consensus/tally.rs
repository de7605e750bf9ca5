//! Counting verdicts, one at a time.
//!
//! 1. Of each voter the latest verdict in the cohort counts; every record is counted beside it, for who shows them and for
//!    the reading in which each counts.
//! 2. On each verdict stands how it counted ([`Marks`]): the first of its voter, the latest, the first reject, the first flag.
//!    A sum over the marks is the tally, whether or not the voters' hashes are still there.
//! 3. A path's cohort holds the verdicts on the path and on its sources; of each voter the latest of them all counts for the
//!    path, and the latest on each source for that source.
//! 4. Probes are counted apart: of each source the latest.

/// What a verdict says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Verdict {
    Confirm,
    Reject,
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
    /// Distinct voters; those who ever rejected; those with a flag that nobody has decided on.
    pub voters: i64,
    pub rejecters: i64,
    pub flaggers: i64,
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
    /// `earlier` holds every earlier verdict of the same voter in the cohort; for a probe, of the same source's probe.
    pub fn land(&mut self, source: &mut SourceTally, ballot: Ballot, earlier: &[Earlier]) -> Landed {
        let _ = (source, ballot, earlier);
        Landed::default()
    }
}
