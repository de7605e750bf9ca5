//! Whose turn it is (DECISIONS §5): an artefact takes at most two amendments in 48 hours, and one of each sender in a cohort.
//! The rest wait; a person can let them pass.

use crate::db::merges::Merge;
use crate::moment::{HOUR, Moment};

/// Amendments of one artefact within [`WITHIN`].
const MOST: usize = 2;

/// 48 hours, in milliseconds.
const WITHIN: i64 = 48 * HOUR;

/// When an amendment may be merged: now (`None`), or at a moment. `merges` are those of the artefact, oldest first.
pub fn next(merges: &[Merge], cohort: &str, author: Option<&[u8]>, now: Moment) -> Option<Moment> {
    let own = merges
        .iter()
        .rev()
        .find(|it| it.cohort == cohort && author.is_some() && it.author_hash.as_deref() == author);
    let again = own.map(|_| now.plus(WITHIN));
    let lately: Vec<Moment> =
        merges.iter().map(|it| it.merged_at).filter(|at| at.0 > now.0 - WITHIN).collect();
    let full = lately.len().checked_sub(MOST).and_then(|at| lately.get(at)).map(|at| at.plus(WITHIN));
    again.max(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(hours: i64, author: u8) -> Merge {
        Merge { cohort: "0.1".to_owned(), author_hash: Some(vec![author]), merged_at: Moment(hours * HOUR) }
    }

    #[test]
    fn two_in_48_hours_and_one_of_each_sender_in_a_cohort() {
        let at = |hours: i64| Moment(hours * HOUR);
        let next = |merges: &[Merge], cohort: &str, author: u8, hours: i64| {
            next(merges, cohort, Some(&[author]), at(hours))
        };
        assert_eq!(next(&[], "0.1", 1, 0), None);
        assert_eq!(next(&[merge(0, 1)], "0.1", 2, 1), None);
        assert_eq!(next(&[merge(0, 1), merge(5, 2)], "0.1", 3, 6), Some(at(48)));
        assert_eq!(next(&[merge(0, 1), merge(5, 2)], "0.1", 3, 48), None);
        assert_eq!(next(&[merge(0, 1), merge(5, 2), merge(49, 3)], "0.1", 4, 50), Some(at(53)));
        assert_eq!(next(&[merge(0, 1)], "0.1", 1, 100), Some(at(148)), "the same sender, the same cohort");
        assert_eq!(next(&[merge(0, 1)], "0.2", 1, 100), None, "another cohort");
        assert_eq!(super::next(&[merge(0, 1)], "0.1", None, at(1)), None, "nobody knows who");
    }
}
