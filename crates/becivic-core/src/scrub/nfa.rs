//! Steps, and how one symbol is read from several of them at once.
//!
//! `scrub/steps.rs` makes them. What automata need to know of all steps is worked out here: which symbols some of
//! them take for each other, and which of them ask for the symbol read last.

use super::symbols::{INNER, MOST_SYMBOLS, Members, SetId, Symbol, VOID};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a step is.
pub(super) type At = u32;

/// As many symbols as there are.
pub(super) const EVER: usize = usize::MAX - 1;

/// A condition that has to hold, or must not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// Its number.
    pub(super) condition: u32,
    pub(super) negated: bool,
}

/// One step; the next one follows it, unless it says otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Read a symbol of the set.
    Take(SetId),
    /// The symbol to be read next is of the set.
    Next(SetId),
    /// The symbol read last is of the set.
    Last(SetId),
    /// A condition holds here. Where nobody is there to answer, it is taken to.
    Ask(Asked),
    /// Go on at both; the first comes first.
    Fork(At, At),
    /// Go on there.
    Jump(At),
    /// The whole fits.
    Done,
}

/// All steps.
#[derive(Debug)]
pub(super) struct Nfa {
    pub(super) steps: Vec<Step>,
    pub(super) members: Vec<Members>,
    /// Symbols there are.
    pub(super) symbols: usize,
    /// Symbols that all [`Step::Last`] take for each other have the same kind.
    kinds: Vec<Symbol>,
    /// A symbol of each kind.
    examples: Vec<Symbol>,
    /// Whether a [`Step::Last`] is asked before anything is read.
    asks_last: Vec<bool>,
    /// What each condition on what follows reads first.
    ahead: Vec<Option<Box<[First]>>>,
}

/// A set of symbols that a condition may read first, and whether it holds then, whatever follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    set: SetId,
    settles: bool,
}

impl Nfa {
    /// All steps over these sets of symbols.
    pub(super) fn new(steps: Vec<Step>, members: Vec<Members>, symbols: usize) -> Self {
        let mut asked: Vec<SetId> = steps
            .iter()
            .filter_map(|step| if let Step::Last(set) = step { Some(*set) } else { None })
            .collect();
        asked.sort_unstable();
        asked.dedup();
        let mut known: FxHashMap<Vec<bool>, Symbol> = FxHashMap::default();
        let (mut kinds, mut examples) = (Vec::new(), Vec::new());
        for symbol in (0..symbols).filter_map(|symbol| Symbol::try_from(symbol).ok()) {
            let answers = asked.iter().map(|set| members[*set as usize].has(symbol)).collect();
            let next = Symbol::try_from(known.len()).unwrap_or(Symbol::MAX);
            let kind = *known.entry(answers).or_insert(next);
            if kind == next {
                examples.push(symbol);
            }
            kinds.push(kind);
        }
        let asks_last = asking_last(&steps);
        Self { steps, members, symbols, kinds, examples, asks_last, ahead: Vec::new() }
    }

    /// Whether a symbol is in a set.
    #[inline]
    pub(super) fn has(&self, set: SetId, symbol: Symbol) -> bool {
        self.members.get(set as usize).is_some_and(|set| set.has(symbol))
    }

    /// The sets that patterns beginning here ask about within so many symbols, or [`EVER`].
    pub(super) fn sets_from(&self, starts: &[At], symbols: usize) -> Vec<SetId> {
        let mut sets = self.asked_from(starts, symbols);
        sets.dedup();
        sets
    }

    /// The same in order, each as often as steps ask about it.
    pub(super) fn asked_from(&self, starts: &[At], symbols: usize) -> Vec<SetId> {
        // For each step, the symbols that may still be read, and one for being there.
        let mut left = vec![0; self.steps.len()];
        let mut stack: Vec<(At, usize)> = starts.iter().map(|start| (*start, symbols + 1)).collect();
        while let Some((at, more)) = stack.pop() {
            match left.get_mut(at as usize) {
                Some(left) if *left < more => *left = more,
                _ => continue,
            }
            match self.steps[at as usize] {
                Step::Take(_) => stack.push((at + 1, if symbols == EVER { more } else { more - 1 })),
                Step::Next(_) | Step::Last(_) | Step::Ask(_) => stack.push((at + 1, more)),
                Step::Fork(a, b) => stack.extend([(a, more), (b, more)]),
                Step::Jump(to) => stack.push((to, more)),
                Step::Done => {}
            }
        }
        let reached = self.steps.iter().zip(left).filter(|(_, left)| *left > 0);
        let mut sets: Vec<SetId> = reached
            .filter_map(|(step, _)| match step {
                Step::Take(set) | Step::Next(set) | Step::Last(set) => Some(*set),
                Step::Ask(_) | Step::Fork(..) | Step::Jump(_) | Step::Done => None,
            })
            .collect();
        sets.sort_unstable();
        sets
    }

    /// Divides the symbols: those that these sets take for each other share a column. The first is that of [`INNER`], the second that of
    /// [`VOID`].
    pub(super) fn columns(&self, sets: &[SetId]) -> Columns {
        self.columns_in_order(sets, |_| 0)
    }

    /// The same, with the symbols in the order of a key.
    pub(super) fn columns_in_order<K: Ord>(&self, sets: &[SetId], key: impl Fn(Symbol) -> K) -> Columns {
        let mut known: FxHashMap<Vec<bool>, u16> = FxHashMap::default();
        let mut columns = Columns { of: vec![INNER_COLUMN; self.symbols], examples: vec![INNER, VOID] };
        let mut symbols: Vec<Symbol> = (0..).take(self.symbols).collect();
        symbols.sort_by_cached_key(|symbol| key(*symbol));
        for symbol in symbols {
            let column = match symbol {
                INNER => INNER_COLUMN,
                VOID => 1,
                _ => {
                    let answers = sets.iter().map(|set| self.has(*set, symbol)).collect();
                    let next = u16::try_from(columns.examples.len()).unwrap_or(u16::MAX);
                    let column = *known.entry(answers).or_insert(next);
                    if column == next {
                        columns.examples.push(symbol);
                    }
                    column
                }
            };
            columns.of[usize::from(symbol)] = column;
        }
        columns
    }

    /// The kind of the symbol read last, as far as these places can tell.
    pub(super) fn kind(&self, places: &[At], last: Symbol) -> Symbol {
        if self.asks_last(places) { self.any_kind(last) } else { 0 }
    }

    /// Whether one of these places asks for the symbol read last.
    pub(super) fn asks_last(&self, places: &[At]) -> bool {
        places.iter().any(|at| self.asks_last.get(*at as usize).is_some_and(|asks| *asks))
    }

    /// The symbols that a pattern could begin with; all, if it could fit without any.
    pub(super) fn beginnings(&self, start: At) -> Members {
        let mut all = Members::default();
        for at in self.reached(&[start], None) {
            match self.steps.get(at as usize) {
                Some(Step::Take(set)) => all.add_all(self.members.get(*set as usize)),
                _ => (0..self.symbols).for_each(|symbol| all.add(symbol)),
            }
        }
        all
    }

    /// Notes where the steps of each condition begin, if it is one on what follows.
    pub(super) fn note_conditions(&mut self, starts: impl Iterator<Item = Option<At>>) {
        self.ahead = starts.map(|start| self.first_of(start?)).collect();
    }

    /// What steps read first, unless they may fit without reading anything.
    pub(super) fn first_of(&self, start: At) -> Option<Box<[First]>> {
        let settled = self.reached_freely(start);
        let first = self.reached(&[start], None).into_iter().map(|at| match self.steps.get(at as usize) {
            Some(Step::Take(set)) => {
                let is_done = |at: &At| matches!(self.steps.get(*at as usize), Some(Step::Done));
                let settles = settled.contains(&at) && self.reached_freely(at + 1).iter().any(is_done);
                Some(First { set: *set, settles })
            }
            _ => None,
        });
        first.collect()
    }

    /// Whether a condition holds where this symbol follows, if that alone tells.
    fn told_by(&self, condition: u32, symbol: Symbol) -> Option<bool> {
        self.told_by_first(self.ahead.get(condition as usize)?.as_deref()?, symbol)
    }

    /// The same of one that reads these first.
    pub(super) fn told_by_first(&self, first: &[First], symbol: Symbol) -> Option<bool> {
        let mut reading = first.iter().filter(|first| self.has(first.set, symbol)).peekable();
        let is_read = reading.peek().is_some();
        let settles = reading.any(|first| first.settles);
        (settles || !is_read).then_some(settles)
    }

    /// The sets by which the next symbol may tell whether conditions hold that are asked by steps beginning here.
    pub(super) fn telling_sets(&self, start: At) -> Vec<SetId> {
        let (mut stack, mut seen, mut sets) = (vec![start], FxHashSet::default(), Vec::new());
        while let Some(at) = stack.pop() {
            if !seen.insert(at) {
                continue;
            }
            match self.steps.get(at as usize) {
                Some(Step::Ask(asked)) => {
                    let first = self.ahead.get(asked.condition as usize).and_then(Option::as_deref);
                    sets.extend(first.unwrap_or_default().iter().map(|first| first.set));
                    stack.push(at + 1);
                }
                Some(Step::Take(_) | Step::Next(_) | Step::Last(_)) => stack.push(at + 1),
                Some(Step::Fork(a, b)) => stack.extend([*a, *b]),
                Some(Step::Jump(to)) => stack.push(*to),
                Some(Step::Done) | None => {}
            }
        }
        sets
    }

    /// The steps that are reached without asking for anything.
    fn reached_freely(&self, from: At) -> FxHashSet<At> {
        let (mut stack, mut seen) = (vec![from], FxHashSet::default());
        while let Some(at) = stack.pop() {
            if seen.insert(at) {
                match self.steps.get(at as usize) {
                    Some(Step::Fork(a, b)) => stack.extend([*a, *b]),
                    Some(Step::Jump(to)) => stack.push(*to),
                    _ => {}
                }
            }
        }
        seen
    }

    /// Whether a step could lead on to a symbol, or to the end before it.
    fn goes_on(&self, from: At, last: Symbol, symbol: Symbol) -> bool {
        self.reached(&[from], Some(last)).iter().any(|at| match self.steps.get(*at as usize) {
            Some(Step::Take(set)) => self.has(*set, symbol),
            _ => true,
        })
    }

    /// The steps that read a symbol or are the end, before anything is read; conditions on what follows are taken to hold, and on what was
    /// read last where that is not known.
    pub(super) fn reached(&self, from: &[At], last: Option<Symbol>) -> Vec<At> {
        let (mut stack, mut seen, mut found) = (from.to_vec(), FxHashSet::default(), Vec::new());
        while let Some(at) = stack.pop() {
            if !seen.insert(at) {
                continue;
            }
            match self.steps.get(at as usize) {
                Some(Step::Take(_) | Step::Done) => found.push(at),
                Some(Step::Next(_) | Step::Ask(_)) => stack.push(at + 1),
                Some(Step::Last(set)) if last.is_none_or(|last| self.has(*set, last)) => stack.push(at + 1),
                Some(Step::Last(_)) | None => {}
                Some(Step::Fork(a, b)) => stack.extend([*a, *b]),
                Some(Step::Jump(to)) => stack.push(*to),
            }
        }
        found
    }

    /// Whether what a pattern asks of its first symbol, before anything else, lets it begin with this one.
    pub(super) fn lets_begin(&self, start: At, symbol: Symbol) -> bool {
        let steps = self.steps.get(start as usize..).unwrap_or_default();
        let asked = steps.iter().map_while(|step| match step {
            Step::Last(_) | Step::Ask(_) => Some(true),
            Step::Next(set) => Some(self.has(*set, symbol)),
            Step::Take(_) | Step::Fork(..) | Step::Jump(_) | Step::Done => None,
        });
        asked.into_iter().all(|fits| fits)
    }

    /// The kind of a symbol.
    pub(super) fn any_kind(&self, last: Symbol) -> Symbol {
        self.kinds.get(usize::from(last)).copied().unwrap_or(0)
    }
}

/// Of each step, whether the symbol read last may be asked for before anything else is read.
fn asking_last(steps: &[Step]) -> Vec<bool> {
    let mut asks = vec![false; steps.len()];
    loop {
        let mut changed = false;
        for at in (0..steps.len()).rev() {
            let to = |at: At| asks.get(at as usize).copied().unwrap_or(false);
            let now = match steps[at] {
                Step::Last(_) => true,
                Step::Next(_) | Step::Ask(_) => asks.get(at + 1).copied().unwrap_or(false),
                Step::Fork(a, b) => to(a) || to(b),
                Step::Jump(a) => to(a),
                Step::Take(_) | Step::Done => false,
            };
            changed |= now != asks[at];
            asks[at] = now;
        }
        if !changed {
            return asks;
        }
    }
}

/// The column of [`INNER`].
pub(super) const INNER_COLUMN: u16 = 0;

/// Symbols divided into the columns of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// The column of each symbol.
    of: Vec<u16>,
    /// A symbol of each column.
    examples: Vec<Symbol>,
}

impl Columns {
    /// The column of a symbol.
    #[inline]
    pub(super) fn of(&self, symbol: Symbol) -> u16 {
        self.of.get(usize::from(symbol)).copied().unwrap_or(INNER_COLUMN)
    }

    /// The same, if there is such a symbol.
    #[inline]
    pub(super) fn get(&self, symbol: Symbol) -> Option<u16> {
        self.of.get(usize::from(symbol)).copied()
    }

    /// The column of each symbol there could be, for whoever asks for many.
    pub(super) fn table(&self) -> Box<[u16; MOST_SYMBOLS]> {
        let mut table = Box::new([INNER_COLUMN; MOST_SYMBOLS]);
        table.iter_mut().zip(&self.of).for_each(|(column, of)| *column = *of);
        table
    }

    /// A symbol of a column.
    pub(super) fn example(&self, column: u16) -> Symbol {
        self.examples.get(usize::from(column)).copied().unwrap_or(VOID)
    }

    /// Columns there are.
    pub(super) fn count(&self) -> usize {
        self.examples.len()
    }
}

/// Takes steps; reused from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Stepper {
    stack: Vec<At>,
    seen: Vec<u32>,
    round: u32,
    /// Where one may be after the symbol.
    pub(super) after: Vec<At>,
    /// The [`Step::Done`]s reached before it.
    pub(super) done: Vec<At>,
}

impl Stepper {
    /// From all these places, with a symbol of this kind before, reads one symbol. Conditions are taken to hold.
    pub(super) fn step(&mut self, nfa: &Nfa, from: &[At], kind: Symbol, symbol: Symbol) {
        self.step_noting(nfa, from, kind, symbol, |_| ());
    }

    /// The same; `note` is told each set that the symbol was looked for in.
    pub(super) fn step_noting(
        &mut self,
        nfa: &Nfa,
        from: &[At],
        kind: Symbol,
        symbol: Symbol,
        note: impl FnMut(SetId),
    ) {
        self.walk(nfa, from, kind, symbol, None, note);
        self.after.sort_unstable();
    }

    /// The same with the places in order, the first one first: places after one that is done are given up. If a condition has to be asked
    /// that is not among the answers, its number; then nothing else is said.
    pub(super) fn step_in_order(
        &mut self,
        nfa: &Nfa,
        from: &[At],
        kind: Symbol,
        symbol: Symbol,
        answers: &[(u32, bool)],
    ) -> Option<u32> {
        self.walk(nfa, from, kind, symbol, Some(answers), |_| ())
    }

    /// With answers, in order and as long as they suffice.
    fn walk(
        &mut self,
        nfa: &Nfa,
        from: &[At],
        kind: Symbol,
        symbol: Symbol,
        answers: Option<&[(u32, bool)]>,
        mut note: impl FnMut(SetId),
    ) -> Option<u32> {
        self.seen.resize(nfa.steps.len(), 0);
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.seen.fill(0);
            self.round = 1;
        }
        self.after.clear();
        self.done.clear();
        self.stack.clear();
        self.stack.extend(from.iter().rev());
        let last = nfa.examples.get(usize::from(kind)).copied().unwrap_or_default();
        while let Some(at) = self.stack.pop() {
            match self.seen.get_mut(at as usize) {
                Some(seen) if *seen != self.round => *seen = self.round,
                _ => continue,
            }
            let step = nfa.steps[at as usize];
            if let Step::Take(set) | Step::Next(set) = step {
                note(set);
            }
            match step {
                Step::Take(set) if nfa.has(set, symbol) => self.after.push(at + 1),
                Step::Next(set) if nfa.has(set, symbol) => self.stack.push(at + 1),
                Step::Last(set) if nfa.has(set, last) => self.stack.push(at + 1),
                Step::Take(_) | Step::Next(_) | Step::Last(_) => {}
                Step::Ask(asked) => {
                    let answer = answers.map(|answers| {
                        let is_same = |(condition, _): &&(u32, bool)| *condition == asked.condition;
                        let given = answers.iter().find(is_same).map(|(_, fits)| *fits);
                        given.or_else(|| nfa.told_by(asked.condition, symbol))
                    });
                    match answer {
                        Some(None) if nfa.goes_on(at + 1, last, symbol) => return Some(asked.condition),
                        Some(Some(fits)) if fits == asked.negated => {}
                        Some(None) => {}
                        Some(Some(_)) | None => self.stack.push(at + 1),
                    }
                }
                Step::Fork(a, b) => self.stack.extend([b, a]),
                Step::Jump(to) => self.stack.push(to),
                Step::Done => {
                    self.done.push(at);
                    if answers.is_some() {
                        break;
                    }
                }
            }
        }
        None
    }
}
