//! The states of an automaton: how a transition is worked out that nobody has taken yet.
//!
//! An automaton that has got too many states throws them away and goes on. If it has got them too soon, it says so.

use super::super::nfa::{At, EVER, INNER_COLUMN, Nfa, Stepper};
use super::super::symbols::Symbol;
use super::{ASKS, Automaton, DEAD, FITS, UNKNOWN};
use rustc_hash::FxHashMap;

/// Rows of an automaton at most.
const MOST: usize = 32_768;

/// Symbols read for each row, on average, which make it worth while to throw the rows away and begin anew.
const WORTH: u64 = 64;

/// Rows of an automaton of several patterns at most.
const MOST_OF_SEVERAL: usize = 4_096;

/// Cells that tell which of several patterns are under way.
const UNDER_WAY: usize = 2;

/// Conditions that one transition may depend on.
const MOST_ANSWERS: usize = 64;

/// What is needed only when a row is filled in.
#[derive(Clone, Debug, Default)]
pub(super) struct Learnt {
    pub(super) start: At,
    pub(super) states: Vec<Box<[At]>>,
    pub(super) kinds: Vec<Symbol>,
    pub(super) known: FxHashMap<(Symbol, Box<[At]>), u32>,
    /// Symbols read in order since there were no rows.
    pub(super) read: u64,
    /// Whether there have been too many rows or questions, too soon.
    pub(super) is_overfull: bool,
    /// Whether a state's steps are in the order in which they are tried.
    pub(super) is_in_order: bool,
    /// Where the steps of several patterns end, if it is an automaton of several.
    pub(super) ends: Vec<At>,
    /// Which of these fit on a transition.
    pub(super) fitting: FxHashMap<(u32, u16), u64>,
    pub(super) questions: Vec<Question>,
    /// What conditions are taken to be without being asked.
    pub(super) assumed: Vec<(u32, bool)>,
    /// How often all rows have been thrown away.
    pub(super) thrown_away: u32,
}

/// A condition on which a transition depends.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The transition.
    pub(super) row: u32,
    pub(super) column: u16,
    /// The condition, by its number.
    pub(super) condition: u32,
    /// Whether others fit, which were asked before.
    pub(super) answers: Vec<(u32, bool)>,
    /// The transition if it does not fit and if it does.
    pub(super) to: [u32; 2],
}

impl Learnt {
    /// Patterns that are done, as bits.
    pub(super) fn bits(&self, done: &[At]) -> u64 {
        done.iter().filter_map(|at| self.ends.binary_search(at).ok()).fold(0, |bits, index| bits | 1 << index)
    }

    /// Patterns to which these steps belong, as bits: the steps of each come before its end. All begin at the last step.
    fn bits_of(&self, steps: &[At]) -> u64 {
        let bits = |at: &At| match self.ends.partition_point(|end| end < at) {
            index if index < self.ends.len() => 1 << index,
            _ => u64::MAX,
        };
        steps.iter().fold(0, |all, at| all | bits(at))
    }
}

impl Automaton {
    #[cold]
    pub(super) fn learn_start(&mut self, nfa: &Nfa, last: Symbol) -> u32 {
        if self.starts.is_empty() {
            self.starts = vec![UNKNOWN; nfa.symbols];
            let mut sets = nfa.sets_from(&[self.learnt.start], EVER);
            if self.learnt.is_in_order {
                sets.extend(nfa.telling_sets(self.learnt.start));
                sets.sort_unstable();
                sets.dedup();
            }
            self.columns = nfa.columns(&sets);
            self.clear();
        }
        let start = self.learnt.start;
        let row = self.state(nfa.kind(&[start], last), Box::new([start]));
        if let Some(start) = self.starts.get_mut(usize::from(last)) {
            *start = row;
        }
        row
    }

    /// Throws all states away but the dead one, which is the first.
    fn clear(&mut self) {
        let Learnt { start, is_overfull, is_in_order, ends, assumed, thrown_away, .. } =
            std::mem::take(&mut self.learnt);
        let thrown_away = thrown_away + 1;
        self.learnt =
            Learnt { start, is_overfull, is_in_order, ends, assumed, thrown_away, ..Learnt::default() };
        self.rows.clear();
        self.starts.fill(UNKNOWN);
        self.add(0, Box::default());
    }

    #[cold]
    pub(super) fn learn(&mut self, nfa: &Nfa, stepper: &mut Stepper, row: u32, symbol: Symbol) -> u32 {
        let column = self.columns.of(symbol);
        let assumed = self.learnt.assumed.clone();
        let (to, is_kept) = self.transition(nfa, stepper, row, column, assumed);
        if is_kept {
            self.put(row, column, to);
        }
        to
    }

    #[cold]
    pub(super) fn learn_answer(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        number: usize,
        fits: bool,
    ) -> Option<u32> {
        let Question { row, column, condition, answers, .. } = self.learnt.questions.get(number)?.clone();
        let answers = answers.into_iter().chain([(condition, fits)]).collect();
        let (to, is_kept) = self.transition(nfa, stepper, row, column, answers);
        if is_kept {
            self.learnt.questions.get_mut(number)?.to[usize::from(fits)] = to;
        }
        Some(to)
    }

    /// The question on which a transition depends. If there are too many, nobody knows: with one after another there always will be,
    /// otherwise the next walk begins anew.
    fn question(&mut self, row: u32, column: u16, condition: u32, answers: Vec<(u32, bool)>) -> (u32, bool) {
        let number = self.learnt.questions.len();
        if answers.len() >= MOST_ANSWERS || number >= MOST {
            self.learnt.is_overfull = answers.len() >= MOST_ANSWERS || self.learnt.read < WORTH * MOST as u64;
            self.clear();
            return (UNKNOWN, false);
        }
        self.learnt.questions.push(Question { row, column, condition, answers, to: [UNKNOWN; 2] });
        (ASKS | u32::try_from(number).unwrap_or(0), true)
    }

    /// Works a transition out, after these answers; and whether the row that it is from is still there.
    fn transition(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        row: u32,
        column: u16,
        answers: Vec<(u32, bool)>,
    ) -> (u32, bool) {
        let Learnt { states, kinds, .. } = &self.learnt;
        let most = if self.learnt.ends.is_empty() { MOST } else { MOST_OF_SEVERAL };
        let is_full = states.len() >= most;
        let state = row as usize / self.width();
        let symbol = self.columns.example(column);
        let (Some(places), Some(kind)) = (states.get(state), kinds.get(state)) else { return (DEAD, false) };
        if !self.learnt.is_in_order {
            stepper.step(nfa, places, *kind, symbol);
        } else if let Some(condition) = stepper.step_in_order(nfa, places, *kind, symbol, &answers) {
            return self.question(row, column, condition, answers);
        }
        let fits = if stepper.done.is_empty() { 0 } else { FITS };
        if fits != 0 && !self.learnt.ends.is_empty() {
            let bits = self.learnt.bits(&stepper.done);
            self.learnt.fitting.insert((row, column), bits);
        }
        if stepper.after.is_empty() {
            return (DEAD | fits, true);
        }
        let kind = nfa.kind(&stepper.after, symbol);
        let after: Box<[At]> = stepper.after.as_slice().into();
        if is_full {
            self.learnt.is_overfull = self.learnt.read < WORTH * most as u64;
            self.clear();
        }
        (self.state(kind, after) | fits, !is_full)
    }

    /// Cells of a row: its columns, and of an automaton of several what is under way.
    fn width(&self) -> usize {
        self.columns.count() + if self.learnt.ends.is_empty() { 0 } else { UNDER_WAY }
    }

    fn put(&mut self, row: u32, column: u16, to: u32) {
        if let Some(place) = self.rows.get_mut(row as usize + usize::from(column)) {
            *place = to;
        }
    }

    /// The row of a state.
    fn state(&mut self, kind: Symbol, places: Box<[At]>) -> u32 {
        let key = (kind, places);
        match self.learnt.known.get(&key) {
            Some(row) => *row,
            None => self.add(key.0, key.1),
        }
    }

    fn add(&mut self, kind: Symbol, places: Box<[At]>) -> u32 {
        let row = u32::try_from(self.rows.len()).unwrap_or(DEAD);
        let fresh = if places.is_empty() { DEAD } else { UNKNOWN };
        self.rows.resize(self.rows.len() + self.columns.count(), fresh);
        self.put(row, INNER_COLUMN, row);
        if !self.learnt.ends.is_empty() {
            let bits = self.learnt.bits_of(&places);
            self.rows.extend([bits as u32, (bits >> 32) as u32]);
        }
        self.learnt.states.push(places.clone());
        self.learnt.kinds.push(kind);
        self.learnt.known.insert((kind, places), row);
        row
    }
}
