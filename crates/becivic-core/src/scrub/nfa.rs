//! Patterns as steps that an automaton can take, in one list for all rules.
//!
//! Every lookaround at a single character, and every edge, is a question about the symbol just read or about
//! the one to be read next; an automaton that looks one symbol ahead answers these exactly. Other lookarounds
//! are left out, which makes the pattern fit more; whoever asks for the steps is told.

use super::TooLarge;
use super::symbols::{Members, SetId, Sets, Symbol};
use crate::jsregex::tree::{Edge, Node};
use crate::jsregex::{line_ends, negated, words};
use regex_syntax::hir::ClassUnicode;
use rustc_hash::FxHashMap;

/// Where a step is.
pub(super) type At = u32;

/// Steps of all rules at most.
const MOST: usize = 2_000_000;

/// One step; the next one follows it, unless it says otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Read a symbol of the set.
    Take(SetId),
    /// The symbol to be read next is of the set.
    Next(SetId),
    /// The symbol read last is of the set.
    Last(SetId),
    /// Go on at both; the first comes first.
    Fork(At, At),
    /// Go on there.
    Jump(At),
    /// The whole fits.
    Done,
}

/// A repetition that may vary by more is not counted in wide steps.
const MAX_COUNTED: u32 = 3;

/// Makes steps.
#[derive(Debug, Default)]
pub(super) struct Builder {
    steps: Vec<Step>,
    sets: Sets,
    /// Whether wide ranges of counts are left open. Counting makes many states where a pattern can have begun to
    /// count at many places.
    pub(super) is_wide: bool,
}

/// The direction of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the first character to the last.
    Forwards,
    /// From the last to the first, as in a lookbehind.
    Backwards,
}

impl Direction {
    /// The other one.
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Forwards => Self::Backwards,
            Self::Backwards => Self::Forwards,
        }
    }
}

impl Builder {
    /// Where the next step will be.
    pub(super) fn here(&self) -> At {
        At::try_from(self.steps.len()).unwrap_or(At::MAX)
    }

    /// The number of a set.
    pub(super) fn set(&mut self, class: &ClassUnicode) -> SetId {
        self.sets.id(class, false)
    }

    /// What a part asks of the character before it, if it asks nothing else.
    pub(super) fn last_asked(&mut self, part: &Node) -> Option<SetId> {
        let Node::Look { child, behind: true, negated } = part else { return None };
        let peek = Peek::of(child, true)?;
        let peek = if *negated { peek.negated() } else { peek };
        Some(self.sets.id(&peek.class, peek.void))
    }

    /// Steps that begin anew at every character; what follows is read from each.
    pub(super) fn anywhere(&mut self) {
        let any = self.set(&negated(ClassUnicode::empty()));
        let here = self.here();
        self.steps.extend([Step::Fork(here + 3, here + 1), Step::Take(any), Step::Jump(here)]);
    }

    /// Forgets all steps from this one on.
    pub(super) fn truncate(&mut self, to: At) {
        self.steps.truncate(to as usize);
    }

    /// Marks the end of a pattern.
    pub(super) fn done(&mut self) {
        self.steps.push(Step::Done);
    }

    /// A step from which all of these are reached.
    pub(super) fn fork(&mut self, starts: &[At]) -> At {
        let mut all = starts.iter().copied();
        let mut here = all.next().unwrap_or_else(|| self.here());
        for start in all {
            self.steps.push(Step::Fork(start, here));
            here = self.here() - 1;
        }
        here
    }

    /// Steps for a part; whether they say all that the part says.
    pub(super) fn add(&mut self, node: &Node, direction: Direction) -> Result<bool, TooLarge> {
        if self.steps.len() > MOST {
            return Err(TooLarge);
        }
        match node {
            Node::One(class) => {
                let set = self.set(class);
                self.steps.push(Step::Take(set));
                Ok(true)
            }
            Node::Sequence(parts) if direction == Direction::Backwards => {
                self.add_all(parts.iter().rev(), direction)
            }
            Node::Sequence(parts) => self.add_all(parts.iter(), direction),
            Node::Choice(parts) => {
                self.choice(parts.len(), |steps, index| steps.add(&parts[index], direction))
            }
            Node::Repeat { child, least, most, greedy } => {
                self.repeat(child, (*least, *most), *greedy, direction)
            }
            Node::Look { child, behind, negated: is_negated } => match Peek::of(child, *behind) {
                Some(peek) => {
                    self.peek(if *is_negated { peek.negated() } else { peek }, *behind, direction);
                    Ok(true)
                }
                None => Ok(false),
            },
            Node::Edge(edge) => self.edge(*edge, direction),
        }
    }

    fn add_all<'n>(
        &mut self,
        parts: impl Iterator<Item = &'n Node>,
        direction: Direction,
    ) -> Result<bool, TooLarge> {
        let mut is_exact = true;
        for part in parts {
            is_exact &= self.add(part, direction)?;
        }
        Ok(is_exact)
    }

    /// So many alternatives, each made by `add`.
    fn choice(
        &mut self,
        count: usize,
        mut add: impl FnMut(&mut Self, usize) -> Result<bool, TooLarge>,
    ) -> Result<bool, TooLarge> {
        let (mut is_exact, mut ends) = (true, Vec::new());
        for index in 0..count {
            let fork = self.here();
            if index + 1 < count {
                self.steps.push(Step::Jump(0));
            }
            is_exact &= add(self, index)?;
            if index + 1 < count {
                ends.push(self.here());
                self.steps.push(Step::Jump(0));
                let next = self.here();
                self.put(fork, Step::Fork(fork + 1, next));
            }
        }
        let end = self.here();
        ends.into_iter().for_each(|at| self.put(at, Step::Jump(end)));
        Ok(is_exact)
    }

    fn repeat(
        &mut self,
        child: &Node,
        (least, most): (u32, Option<u32>),
        greedy: bool,
        direction: Direction,
    ) -> Result<bool, TooLarge> {
        let fork = |again: At, end: At| if greedy { Step::Fork(again, end) } else { Step::Fork(end, again) };
        let varies = most.is_none_or(|most| most.saturating_sub(least) > MAX_COUNTED);
        if self.is_wide && varies && most.is_some() {
            let least = if matches!(child, Node::One(_)) { least } else { least.min(2) };
            return self.repeat(child, (least, None), greedy, direction).map(|_| false);
        }
        // The commonest case by far: the set is looked up once.
        let single = if let Node::One(class) = child { Some(self.set(class)) } else { None };
        let mut is_exact = true;
        let mut once = |steps: &mut Self| match single {
            Some(set) => {
                steps.steps.push(Step::Take(set));
                Ok(())
            }
            None => steps.add(child, direction).map(|exact| is_exact &= exact),
        };
        for _ in 0..least {
            once(self)?;
        }
        match most {
            None => {
                let at = self.here();
                self.steps.push(Step::Jump(0));
                once(self)?;
                self.steps.push(Step::Jump(at));
                let end = self.here();
                self.put(at, fork(at + 1, end));
            }
            Some(most) => {
                let mut forks = Vec::new();
                for _ in least..most {
                    forks.push(self.here());
                    self.steps.push(Step::Jump(0));
                    once(self)?;
                }
                let end = self.here();
                forks.into_iter().for_each(|at| self.put(at, fork(at + 1, end)));
            }
        }
        Ok(is_exact)
    }

    fn put(&mut self, at: At, step: Step) {
        if let Some(place) = self.steps.get_mut(at as usize) {
            *place = step;
        }
    }

    fn peek(&mut self, peek: Peek, behind: bool, direction: Direction) {
        let set = self.sets.id(&peek.class, peek.void);
        let is_last = behind == (direction == Direction::Forwards);
        self.steps.push(if is_last { Step::Last(set) } else { Step::Next(set) });
    }

    fn edge(&mut self, edge: Edge, direction: Direction) -> Result<bool, TooLarge> {
        let word = || Peek { class: words(false), void: false };
        let same = match edge {
            Edge::Start | Edge::LineStart | Edge::End | Edge::LineEnd => {
                let behind = matches!(edge, Edge::Start | Edge::LineStart);
                if let Some(peek) = Peek::of(&Node::Edge(edge), behind) {
                    self.peek(peek, behind, direction);
                }
                return Ok(true);
            }
            Edge::Word => false,
            Edge::NotWord => true,
        };
        self.choice(2, |steps, index| {
            let before = index == 0;
            for (behind, is_word) in [(true, before), (false, before == same)] {
                steps.peek(if is_word { word() } else { word().negated() }, behind, direction);
            }
            Ok(true)
        })
    }

    /// The steps, with the sets of this alphabet.
    pub(super) fn finish(self) -> Result<(Nfa, super::symbols::Alphabet), TooLarge> {
        let (alphabet, members) = super::symbols::Alphabet::new(self.sets)?;
        Ok((Nfa::new(self.steps, members, alphabet.count()), alphabet))
    }
}

/// A question about one character.
struct Peek {
    class: ClassUnicode,
    /// Whether the end of the text will do.
    void: bool,
}

impl Peek {
    /// What a lookaround asks, where that is one character.
    fn of(child: &Node, behind: bool) -> Option<Self> {
        match child {
            Node::One(class) => Some(Self { class: class.clone(), void: false }),
            Node::Sequence(parts) => match parts.as_slice() {
                [only] => Self::of(only, behind),
                _ => None,
            },
            Node::Choice(parts) => {
                let mut all = Self { class: ClassUnicode::empty(), void: false };
                for part in parts {
                    let peek = Self::of(part, behind)?;
                    all.class.union(&peek.class);
                    all.void |= peek.void;
                }
                Some(all)
            }
            Node::Repeat { child, least: 1, .. } => Self::of(child, behind).filter(|peek| !peek.void),
            Node::Edge(Edge::Start) if behind => Some(Self { class: ClassUnicode::empty(), void: true }),
            Node::Edge(Edge::End) if !behind => Some(Self { class: ClassUnicode::empty(), void: true }),
            Node::Edge(Edge::LineStart) if behind => Some(Self { class: line_ends(), void: true }),
            Node::Edge(Edge::LineEnd) if !behind => Some(Self { class: line_ends(), void: true }),
            Node::Repeat { .. } | Node::Look { .. } | Node::Edge(_) => None,
        }
    }

    fn negated(self) -> Self {
        Self { class: negated(self.class), void: !self.void }
    }
}

/// Whether a lookaround is one that steps can say.
pub(super) fn is_single(child: &Node, behind: bool) -> bool {
    Peek::of(child, behind).is_some()
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
}

impl Nfa {
    fn new(steps: Vec<Step>, members: Vec<Members>, symbols: usize) -> Self {
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
        let asks_last = asks_last(&steps);
        Self { steps, members, symbols, kinds, examples, asks_last }
    }

    /// Whether a symbol is in a set.
    #[inline]
    pub(super) fn has(&self, set: SetId, symbol: Symbol) -> bool {
        self.members.get(set as usize).is_some_and(|set| set.has(symbol))
    }

    /// Whether a pattern can begin with this symbol, as far as its sets tell.
    pub(super) fn begins(&self, start: At, symbol: Symbol) -> bool {
        let mut seen = vec![start];
        let mut next = 0;
        while let Some(at) = seen.get(next).copied() {
            next += 1;
            let mut more = |at: At| {
                if !seen.contains(&at) {
                    seen.push(at);
                }
            };
            match self.steps.get(at as usize) {
                Some(Step::Take(set)) if self.has(*set, symbol) => return true,
                Some(Step::Next(_) | Step::Last(_)) => more(at + 1),
                Some(Step::Fork(a, b)) => [*a, *b].into_iter().for_each(more),
                Some(Step::Jump(to)) => more(*to),
                Some(Step::Take(_) | Step::Done) | None => {}
            }
        }
        false
    }

    /// The sets that the pattern beginning here asks about.
    pub(super) fn sets_from(&self, start: At) -> Vec<SetId> {
        let mut seen = vec![false; self.steps.len()];
        let (mut sets, mut stack) = (Vec::new(), vec![start]);
        while let Some(at) = stack.pop() {
            match seen.get_mut(at as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            match self.steps[at as usize] {
                Step::Take(set) | Step::Next(set) | Step::Last(set) => {
                    sets.push(set);
                    stack.push(at + 1);
                }
                Step::Fork(a, b) => stack.extend([a, b]),
                Step::Jump(to) => stack.push(to),
                Step::Done => {}
            }
        }
        sets.sort_unstable();
        sets.dedup();
        sets
    }

    /// The kind of the symbol read last, as far as these places can tell.
    pub(super) fn kind(&self, places: &[At], last: Symbol) -> Symbol {
        let asks = places.iter().any(|at| self.asks_last.get(*at as usize).is_some_and(|asks| *asks));
        if asks { self.kinds.get(usize::from(last)).copied().unwrap_or(0) } else { 0 }
    }

    /// The kind of a symbol.
    pub(super) fn any_kind(&self, last: Symbol) -> Symbol {
        self.kinds.get(usize::from(last)).copied().unwrap_or(0)
    }
}

fn asks_last(steps: &[Step]) -> Vec<bool> {
    let mut asks = vec![false; steps.len()];
    loop {
        let mut changed = false;
        for at in (0..steps.len()).rev() {
            let to = |at: At| asks.get(at as usize).copied().unwrap_or(false);
            let now = match steps[at] {
                Step::Last(_) => true,
                Step::Next(_) => asks.get(at + 1).copied().unwrap_or(false),
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
    /// The same with the places in order, the first one first: places after one that is done are given up.
    pub(super) fn step_in_order(&mut self, nfa: &Nfa, from: &[At], kind: Symbol, symbol: Symbol) {
        self.walk(nfa, from, kind, symbol, true);
    }

    /// From all these places, with a symbol of this kind before, reads one symbol.
    pub(super) fn step(&mut self, nfa: &Nfa, from: &[At], kind: Symbol, symbol: Symbol) {
        self.walk(nfa, from, kind, symbol, false);
        self.after.sort_unstable();
    }

    fn walk(&mut self, nfa: &Nfa, from: &[At], kind: Symbol, symbol: Symbol, in_order: bool) {
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
            match nfa.steps[at as usize] {
                Step::Take(set) if nfa.has(set, symbol) => self.after.push(at + 1),
                Step::Next(set) if nfa.has(set, symbol) => self.stack.push(at + 1),
                Step::Last(set) if nfa.has(set, last) => self.stack.push(at + 1),
                Step::Take(_) | Step::Next(_) | Step::Last(_) => {}
                Step::Fork(a, b) => self.stack.extend([b, a]),
                Step::Jump(to) => self.stack.push(to),
                Step::Done => {
                    self.done.push(at);
                    if in_order {
                        return;
                    }
                }
            }
        }
    }
}
