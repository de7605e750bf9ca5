//! What an amendment's reset carries into the next cohort (DECISIONS §5): rejects and flags, never confirms.
//!
//! 1. Of each voter, the latest reject (on the artefact or on a source) and every flag that nobody has decided on go over.
//! 2. They are marked as carried, and marked anew as the first of their voter, who keeps being one and the same: whoever
//!    rejected may still change their mind.

use super::{Marks, Verdict};
use std::collections::BTreeSet;

/// A verdict of a cohort that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept<'a> {
    /// Whose it is; unknown where voters were forgotten, and then nobody else's.
    pub voter: Option<&'a [u8]>,
    /// What it is about: the artefact or one source.
    pub target: &'a str,
    /// What it says.
    pub verdict: Verdict,
    /// How it counted.
    pub marks: Marks,
}

/// Which verdicts go over, by their place in the list, each with its marks there.
pub fn carry(rows: &[Kept<'_>]) -> Vec<(usize, Marks)> {
    let (mut known, mut rejecting) = (BTreeSet::new(), BTreeSet::new());
    let mut on_source = BTreeSet::new();
    let mut carried = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let latest = row.marks.0 & (Marks::LATEST | Marks::LATEST_OF_SOURCE);
        let rejects = row.verdict == Verdict::Reject;
        let flag = row.marks.0 & Marks::FIRST_FLAG;
        if flag == 0 && !(rejects && latest != 0) {
            continue;
        }
        let who = (row.voter, if row.voter.is_none() { at } else { 0 });
        let mut marks = Marks::CARRIED | latest | flag;
        if known.insert(who) {
            marks |= Marks::FIRST;
        }
        if on_source.insert((who, row.target)) {
            marks |= Marks::FIRST_OF_SOURCE;
        }
        if rejects && rejecting.insert(who) {
            marks |= Marks::FIRST_REJECT;
        }
        carried.push((at, Marks(marks)));
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: i64 = Marks::LATEST | Marks::FIRST | Marks::LATEST_OF_SOURCE | Marks::FIRST_OF_SOURCE;

    fn row<'a>(voter: &'a [u8], target: &'a str, verdict: Verdict, marks: i64) -> Kept<'a> {
        Kept { voter: Some(voter), target, verdict, marks: Marks(marks) }
    }

    #[test]
    fn rejects_and_flags_go_over_and_confirms_do_not() {
        let rows = [
            row(b"a", "x", Verdict::Confirm, ALL),
            row(b"b", "x", Verdict::Reject, ALL | Marks::FIRST_REJECT),
            // Changed their mind: an old reject, then a confirm.
            row(b"c", "x", Verdict::Reject, Marks::FIRST | Marks::FIRST_OF_SOURCE | Marks::FIRST_REJECT),
            row(b"c", "x", Verdict::Confirm, Marks::LATEST | Marks::LATEST_OF_SOURCE),
            // Rejected twice: the second counts, and is the first there.
            row(b"d", "x", Verdict::Reject, Marks::FIRST | Marks::FIRST_OF_SOURCE | Marks::FIRST_REJECT),
            row(b"d", "x", Verdict::Reject, Marks::LATEST | Marks::LATEST_OF_SOURCE),
            // Confirmed and flagged: the flag goes over.
            row(b"e", "x", Verdict::Confirm, ALL | Marks::FIRST_FLAG),
        ];
        let carried = carry(&rows);
        let places: Vec<usize> = carried.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [1, 5, 6]);
        let whole = ALL | Marks::FIRST_REJECT | Marks::CARRIED;
        assert_eq!(carried.first().map(|(_, marks)| marks.0), Some(whole));
        assert_eq!(carried.get(1).map(|(_, marks)| marks.0), Some(whole));
        assert_eq!(carried.get(2).map(|(_, marks)| marks.0), Some(ALL | Marks::CARRIED | Marks::FIRST_FLAG));
    }

    #[test]
    fn forgotten_voters_are_each_their_own() {
        let one = Kept { voter: None, target: "x", verdict: Verdict::Reject, marks: Marks(Marks::LATEST) };
        let carried = carry(&[one, one]);
        assert_eq!(carried.iter().filter(|(_, marks)| marks.has(Marks::FIRST)).count(), 2);
    }
}
