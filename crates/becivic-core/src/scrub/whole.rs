//! A long text of which conditions have to see all, as several readers share it.
//!
//! 1. It is read into symbols once.
//! 2. What a condition that reads far answers is worked out by the reader that wants it first. Others wait for it: to work it out
//!    themselves would take them as long.

use super::automaton::Everywhere;
use super::symbols::Symbol;
use std::sync::{Arc, OnceLock};

/// The text.
#[derive(Debug)]
pub(super) struct Whole {
    /// All of it, with one symbol before it.
    pub(super) symbols: Vec<Symbol>,
    /// By the condition, what it answers.
    answers: Vec<OnceLock<Arc<Everywhere>>>,
}

impl Whole {
    /// One about which so many conditions may be asked.
    pub(super) fn new(symbols: Vec<Symbol>, conditions: usize) -> Self {
        Self { symbols, answers: (0..conditions).map(|_| OnceLock::new()).collect() }
    }

    /// Whether what a condition answers is known.
    pub(super) fn is_known(&self, condition: usize) -> bool {
        self.answers.get(condition).is_some_and(|answers| answers.get().is_some())
    }

    /// What a condition answers, which `fill` works out.
    pub(super) fn answers(
        &self,
        condition: usize,
        fill: impl FnOnce(&mut Everywhere),
    ) -> Option<Arc<Everywhere>> {
        let work_out = || {
            let mut answers = Everywhere::default();
            fill(&mut answers);
            Arc::new(answers)
        };
        self.answers.get(condition).map(|answers| Arc::clone(answers.get_or_init(work_out)))
    }
}
