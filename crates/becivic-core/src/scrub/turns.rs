//! Where each rule may match next: after its last match that counted.
//!
//! Of branches that are walked together, those of rules that may not match yet are known as a set: a walk that has nothing else under way
//! is over.

use super::branches::Branch;
use super::numbers::{Set, bits};

/// Where rules may match next.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// For each rule, the first place.
    next: Vec<usize>,
    /// Branches whose rules may not match yet, as far as it was looked.
    not_yet: Set,
    /// The first place where one of these may.
    until: usize,
}

/// The branches that are walked together, by their rules.
#[derive(Debug)]
pub(super) struct OfRules {
    /// Of each rule, its branches.
    branches: Vec<Set>,
    /// Of each branch, its rule.
    rules: Vec<usize>,
}

impl OfRules {
    /// Of so many rules.
    pub(super) fn new(rules: usize, walked: &[&Branch]) -> Self {
        let mut branches = vec![0; rules];
        for (bit, branch) in walked.iter().enumerate() {
            if let Some(branches) = branches.get_mut(branch.rule) {
                *branches |= 1 << bit;
            }
        }
        Self { branches, rules: walked.iter().map(|branch| branch.rule).collect() }
    }

    /// Whether some branches of a rule are.
    #[inline]
    pub(super) fn has(&self, rule: usize) -> bool {
        self.branches.get(rule).is_some_and(|branches| *branches != 0)
    }
}

impl Turns {
    /// Makes it ready for a text, in which so many rules may match anywhere.
    pub(super) fn start(&mut self, rules: usize) {
        self.next.clear();
        self.next.resize(rules, 0);
        (self.not_yet, self.until) = (0, usize::MAX);
    }

    /// Whether a rule may match at a place.
    #[inline]
    pub(super) fn may_match(&self, rule: usize, place: usize) -> bool {
        self.next.get(rule).is_some_and(|next| place >= *next)
    }

    /// Notes that a rule has matched, and may again from a place on, or that it may not before.
    pub(super) fn matched(&mut self, of: &OfRules, rule: usize, next: usize) {
        if let (Some(ours), Some(branches)) = (self.next.get_mut(rule), of.branches.get(rule)) {
            *ours = next;
            self.not_yet |= branches;
            self.until = self.until.min(next);
        }
    }

    /// The branches of rules that may not match at a place. Places are asked about in order.
    #[inline]
    pub(super) fn not_yet(&mut self, of: &OfRules, place: usize) -> Set {
        if place >= self.until {
            self.look(of, place);
        }
        self.not_yet
    }

    fn look(&mut self, of: &OfRules, place: usize) {
        let mut left = (0, usize::MAX);
        for bit in bits(self.not_yet) {
            let next = of.rules.get(bit).and_then(|rule| self.next.get(*rule)).copied().unwrap_or(0);
            if next > place {
                left = (left.0 | 1 << bit, left.1.min(next));
            }
        }
        (self.not_yet, self.until) = left;
    }
}
