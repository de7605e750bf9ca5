//! The boundaries between the steps of the jobs that change the corpus. A test ends the process at each of them and runs the job again.

/// A boundary: everything before it has happened, nothing after it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The run has begun; nothing was touched.
    Begun,
    /// A row was stored in the database and left staging; rows were decided on.
    RowStored,
    /// A proposal got its public name and its pull request.
    Opened,
    /// The pull request's branch is on the forge.
    Branched,
    /// The forge was told what the rules say.
    Reported,
    /// The commit is written; nothing points to it.
    Written,
    /// On GitHub: the uids are given out; nothing cites them yet.
    GivenOut,
    /// On GitHub: `main` has moved there; nobody here knows.
    MovedThere,
    /// The database knows that `main` has moved; the repository does not yet.
    Stored,
    /// The repository has moved too; the old corpus is still served.
    Moved,
    /// A refused proposal left staging; its pull request is still open on the forge.
    Refused,
    /// The pull request is closed on the forge; the database does not know yet.
    Closed,
}

/// Names by which tests ask for a boundary.
pub const STEPS: &[(&str, Step)] = &[
    ("begun", Step::Begun),
    ("row-stored", Step::RowStored),
    ("opened", Step::Opened),
    ("branched", Step::Branched),
    ("reported", Step::Reported),
    ("written", Step::Written),
    ("given-out", Step::GivenOut),
    ("moved-there", Step::MovedThere),
    ("stored", Step::Stored),
    ("moved", Step::Moved),
    ("refused", Step::Refused),
    ("closed", Step::Closed),
];

/// Ends the process here when a test asks for it, as a power cut would. Released programs have no such switch.
pub fn reached(step: Step) {
    #[cfg(debug_assertions)]
    {
        let asked = std::env::var("ABORT_BECIVIC_AT").ok();
        if asked.is_some_and(|asked| STEPS.iter().any(|(name, it)| *name == asked && *it == step)) {
            std::process::abort();
        }
    }
    #[cfg(not(debug_assertions))]
    let _ = (step, STEPS);
}
