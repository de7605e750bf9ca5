//! What could match in a block of a text, put in order by rule.
//!
//! At each place a few branches of a few rules could match. To try them place by place would need the automata of all these rules at
//! once, and they would push each other out of what lies close at hand. Rules do not depend on each other, so all places of one are
//! tried before those of the next.

use super::numbers::Fitting;

/// Where rules could match.
#[derive(Debug, Default)]
pub(super) struct Batches {
    of_rules: Vec<Batch>,
    /// The rules that could somewhere.
    rules: Vec<usize>,
}

/// Where one could.
#[derive(Clone, Debug, Default)]
struct Batch {
    /// The places, in order, and up to where the branches of each go.
    places: Vec<(usize, usize)>,
    /// The branches, those of a place in order.
    branches: Vec<Fitting>,
}

impl Batches {
    /// None of so many rules.
    pub(super) fn new(rules: usize) -> Self {
        Self { of_rules: vec![Batch::default(); rules], ..Self::default() }
    }

    /// Notes that these branches of a rule could match at a place, which comes after all others that were noted of it.
    #[inline]
    pub(super) fn add(&mut self, rule: usize, place: usize, branches: &[Fitting]) {
        let Some(batch) = self.of_rules.get_mut(rule) else { return };
        if batch.places.is_empty() {
            self.rules.push(rule);
        }
        batch.branches.extend_from_slice(branches);
        batch.places.push((place, batch.branches.len()));
    }

    /// Tries rule by rule what could match, until `goes_on` says no; then nothing is left.
    pub(super) fn try_all(&mut self, mut goes_on: impl FnMut(usize, &[Fitting], usize) -> bool) {
        let mut is_going_on = true;
        for rule in self.rules.drain(..) {
            let Some(batch) = self.of_rules.get_mut(rule) else { continue };
            let mut from = 0;
            for (place, to) in batch.places.drain(..) {
                let branches = batch.branches.get(from..to).unwrap_or_default();
                is_going_on = is_going_on && goes_on(rule, branches, place);
                from = to;
            }
            batch.branches.clear();
        }
    }
}
