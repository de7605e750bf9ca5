//! What is under way from one place: the steps that what began there has come to.
//!
//! 1. Such groups of steps are few, and are met again and again: each has a number, and what becomes of it on a symbol is worked
//!    out once.
//! 2. A group that has been read far enough names branches. Sets of branches have numbers too: many groups name the same.

use super::nfa::{At, Nfa, Step, Stepper};
use super::symbols::Symbol;
use rustc_hash::FxHashMap;

/// The number of a group.
pub(super) type Group = u32;

/// Nothing is under way.
pub(super) const NOTHING: Group = 0;

/// Everything begins.
pub(super) const START: Group = 1;

/// The groups met so far.
#[derive(Debug)]
pub(super) struct Groups {
    groups: Numbered<At>,
    /// By the group, the kind of the symbol before and the symbol: what it becomes.
    moves: FxHashMap<(Group, Symbol, Symbol), Group>,
    /// Sets of branches.
    names: Numbered<u16>,
    stepper: Stepper,
}

impl Groups {
    /// Nothing, and these steps.
    pub(super) fn new(starts: &[At]) -> Self {
        let mut groups = Numbered::default();
        groups.number(&[]);
        groups.number(starts);
        let mut names = Numbered::default();
        names.number(&[]);
        Self { groups, moves: FxHashMap::default(), names, stepper: Stepper::default() }
    }

    /// What a group becomes on a symbol. What is done stays so.
    pub(super) fn after(&mut self, nfa: &Nfa, group: Group, kind: Symbol, symbol: Symbol) -> Group {
        if group == NOTHING {
            return NOTHING;
        }
        let Self { groups, moves, stepper, .. } = self;
        *moves.entry((group, kind, symbol)).or_insert_with(|| {
            stepper.step(nfa, groups.get(group), kind, symbol);
            let is_end = |at: &&At| matches!(nfa.steps.get(**at as usize), Some(Step::Done));
            let mut after = std::mem::take(&mut stepper.after);
            after.extend(stepper.done.iter().filter(is_end));
            after.sort_unstable();
            let number = groups.number(&after);
            stepper.after = after;
            number
        })
    }

    /// The number of the branches that a group names, which `branch` tells of each step; none have number 0.
    pub(super) fn named(&mut self, group: Group, branch: impl Fn(At) -> u16) -> u32 {
        let mut named: Vec<u16> = self.groups.get(group).iter().map(|at| branch(*at)).collect();
        named.dedup();
        self.names.number(&named)
    }

    /// Branches by their number.
    pub(super) fn branches(&self, named: u32) -> &[u16] {
        self.names.get(named)
    }
}

/// Lists, each with a number.
#[derive(Debug)]
struct Numbered<T> {
    lists: Vec<Box<[T]>>,
    numbers: FxHashMap<Box<[T]>, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { lists: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Numbered<T> {
    fn number(&mut self, list: &[T]) -> u32 {
        if let Some(number) = self.numbers.get(list) {
            return *number;
        }
        let number = u32::try_from(self.lists.len()).unwrap_or(NOTHING);
        self.lists.push(list.into());
        self.numbers.insert(list.into(), number);
        number
    }

    fn get(&self, number: u32) -> &[T] {
        self.lists.get(number as usize).map_or(&[], |list| list)
    }
}
