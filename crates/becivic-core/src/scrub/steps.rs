//! Patterns as steps that an automaton can take, in one list for all rules.
//!
//! Every lookaround at a single character, and every edge, is a question about the symbol just read or about
//! the one to be read next; an automaton that looks one symbol ahead answers these exactly. Other lookarounds
//! become steps that ask a condition, if there is one for them. The rest are left out, which makes the pattern fit
//! more; whoever asks for the steps is told.

use super::TooLarge;
use super::nfa::{Asked, At, Nfa, Step};
use super::symbols::{Alphabet, SetId, Sets};
use crate::jsregex::first::{Bytes, NOTHING};
use crate::jsregex::tree::{Edge, Node};
use crate::jsregex::{line_ends, negated, words};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// Steps of all rules at most.
const MOST: usize = 2_000_000;

/// A repetition that may vary by more is not counted in wide steps.
pub(super) const MAX_COUNTED: u32 = 3;

/// Makes steps.
#[derive(Debug, Default)]
pub(super) struct Builder {
    steps: Vec<Step>,
    sets: Sets,
    /// Whether wide ranges of counts are left open. Counting makes many states where a pattern can have begun to
    /// count at many places.
    pub(super) is_wide: bool,
    /// Other lookarounds that can be asked about: what each holds, whether it looks behind, the number of the condition.
    pub(super) asks: Vec<(Node, bool, u32)>,
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

    /// Goes on only after a character that ends with one of these bytes.
    pub(super) fn after(&mut self, bytes: &Bytes) {
        let ascii =
            bytes.iter().filter_map(|byte| u8::try_from(byte).ok()).filter(u8::is_ascii).map(char::from);
        let mut class = ClassUnicode::new(ascii.map(|c| ClassUnicodeRange::new(c, c)));
        if (0x80..NOTHING).any(|byte| bytes.has(byte)) {
            class.push(ClassUnicodeRange::new('\u{80}', char::MAX));
        }
        self.peek(Peek { class, void: bytes.has(NOTHING) }, true, Direction::Forwards);
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

    /// Asks a condition.
    pub(super) fn ask(&mut self, asked: Asked) {
        self.steps.push(Step::Ask(asked));
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
                None => {
                    let is_same = |known: &&(Node, bool, u32)| known.1 == *behind && known.0 == **child;
                    let Some((.., condition)) = self.asks.iter().find(is_same) else { return Ok(false) };
                    self.ask(Asked { condition: *condition, negated: *is_negated });
                    Ok(true)
                }
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
    pub(super) fn finish(self) -> Result<(Nfa, Alphabet), TooLarge> {
        let (alphabet, members) = Alphabet::new(self.sets)?;
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
            Node::One(class) => Some(Self { class: ClassUnicode::clone(class), void: false }),
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
