//! A tree as a program: single characters, forks, jumps, edges and lookarounds.
//!
//! Counts are written out. What is inside a lookbehind reads backwards: its sequences are reversed and its
//! characters are taken from before the place. A lookaround that may read far becomes a question to an
//! automaton (`jsregex/looks.rs`).

use super::first::{ascii, first, last};
use super::looks::FarLook;
use super::parse::Refused;
use super::tree::{Edge, Node};
use regex_syntax::hir::ClassUnicode;
use std::sync::Arc;

/// Instructions of one pattern at most.
const MAX_INSTRUCTIONS: usize = 20_000;

/// Characters a lookaround may read step by step.
const MAX_NEAR: u64 = 256;

/// Where an instruction is.
pub(crate) type At = u32;

/// One instruction; what follows it is the next one, unless it says otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction {
    /// Take one character of the set.
    One {
        /// Which set.
        set: u32,
        /// The character before rather than after.
        back: bool,
    },
    /// Take as many characters of the set as there are; nothing follows that could want fewer.
    Run {
        /// Which set.
        set: u32,
        /// The characters before rather than after.
        back: bool,
    },
    /// Try the first; if all that follows fails, the second.
    Fork(At, At),
    /// Try those of several that could begin with the next byte, in order.
    Switch(u32),
    /// Go on there.
    Jump(At),
    /// Be at such a place.
    Edge(Edge),
    /// Run what follows as a test; it ends in [`Instruction::Done`], and then `next` follows.
    Look {
        /// Whether it must fail.
        negated: bool,
        /// What comes after.
        next: At,
    },
    /// Ask an automaton about this place.
    FarLook {
        /// Which automaton.
        index: u32,
        /// Whether it must say no.
        negated: bool,
    },
    /// The whole fits.
    Done,
}

/// A set of characters, ASCII as bits.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    ascii: u128,
    wide: Box<[(char, char)]>,
}

impl Set {
    /// The set of a class.
    pub(crate) fn new(class: &ClassUnicode) -> Self {
        let ranges = || class.ranges().iter().map(|range| (range.start(), range.end()));
        Self {
            ascii: ascii(class).fold(0, |bits, byte| bits | 1 << byte),
            wide: ranges().filter(|(_, last)| !last.is_ascii()).collect(),
        }
    }

    /// Whether an ASCII byte is in it.
    pub(crate) fn has_ascii(&self, byte: u8) -> bool {
        self.ascii >> (byte & 0x7F) & 1 == 1
    }

    /// Whether a character is in it.
    pub(crate) fn has(&self, c: char) -> bool {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => self.has_ascii(byte),
            _ => {
                let at = self.wide.partition_point(|(_, last)| *last < c);
                self.wide.get(at).is_some_and(|(first, _)| *first <= c)
            }
        }
    }
}

/// Alternatives by the byte they could begin with, in the direction of reading.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    /// For each byte, and for the end of the text: which, as bits.
    pub(super) by_byte: Box<[u128; 257]>,
    /// Where each is.
    pub(super) targets: Vec<At>,
    /// The byte before rather than after.
    pub(super) back: bool,
}

/// Alternatives that are worth a switch, and that one can tell apart.
const SWITCHED: std::ops::RangeInclusive<usize> = 4..=128;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(super) instructions: Vec<Instruction>,
    pub(super) sets: Vec<Set>,
    pub(super) far: Vec<FarLook>,
    pub(super) switches: Vec<Switch>,
}

impl Program {
    pub(super) fn compile(tree: &Node) -> Result<Self, Refused> {
        let mut compiler = Compiler::default();
        compiler.node(tree, Place { back: false, last: true })?;
        compiler.push(Instruction::Done)?;
        let Compiler { instructions, sets, far, switches, .. } = compiler;
        Ok(Self { instructions, sets, far, switches })
    }
}

/// Where a part stands.
#[derive(Clone, Copy)]
struct Place {
    /// Inside a lookbehind: it reads backwards.
    back: bool,
    /// Nothing comes after it.
    last: bool,
}

#[derive(Default)]
struct Compiler {
    instructions: Vec<Instruction>,
    sets: Vec<Set>,
    far: Vec<FarLook>,
    switches: Vec<Switch>,
    classes: Vec<Arc<ClassUnicode>>,
}

impl Compiler {
    fn push(&mut self, instruction: Instruction) -> Result<At, Refused> {
        if self.instructions.len() >= MAX_INSTRUCTIONS {
            return Err(Refused::Size);
        }
        self.instructions.push(instruction);
        Ok(self.here() - 1)
    }

    fn here(&self) -> At {
        At::try_from(self.instructions.len()).unwrap_or(At::MAX)
    }

    fn set(&mut self, at: At, instruction: Instruction) {
        if let Some(place) = self.instructions.get_mut(at as usize) {
            *place = instruction;
        }
    }

    fn node(&mut self, node: &Node, place: Place) -> Result<(), Refused> {
        match node {
            Node::One(class) => {
                let set = self.set_of(class);
                self.push(Instruction::One { set, back: place.back })?;
            }
            Node::Sequence(parts) => {
                let count = parts.len();
                for index in 0..count {
                    let part = if place.back { count - 1 - index } else { index };
                    let last = place.last && index + 1 == count;
                    self.node(&parts[part], Place { last, ..place })?;
                }
            }
            Node::Choice(parts) if SWITCHED.contains(&parts.len()) => self.switch(parts, place)?,
            Node::Choice(parts) => self.choice(parts, place)?,
            Node::Repeat { child, least, most, greedy } => {
                let inner = Place { last: false, ..place };
                for _ in 0..*least {
                    self.node(child, inner)?;
                }
                match (most, &**child) {
                    (None, Node::One(class)) if *greedy && place.last => {
                        let set = self.set_of(class);
                        self.push(Instruction::Run { set, back: place.back })?;
                    }
                    (None, _) => self.endlessly(child, *greedy, inner)?,
                    (Some(most), _) => {
                        self.optionally(child, most.saturating_sub(*least), *greedy, inner)?;
                    }
                }
            }
            Node::Look { child, behind, negated } if reads_far(child) => {
                let look = FarLook::new(child, *behind).ok_or(Refused::Look)?;
                self.far.push(look);
                let index = u32::try_from(self.far.len() - 1).unwrap_or(u32::MAX);
                self.push(Instruction::FarLook { index, negated: *negated })?;
            }
            Node::Look { child, behind, negated } => {
                let look = self.push(Instruction::Done)?;
                self.node(child, Place { back: *behind, last: true })?;
                self.push(Instruction::Done)?;
                let next = self.here();
                self.set(look, Instruction::Look { negated: *negated, next });
            }
            Node::Edge(edge) => {
                self.push(Instruction::Edge(*edge))?;
            }
        }
        Ok(())
    }

    fn choice(&mut self, parts: &[Node], place: Place) -> Result<(), Refused> {
        let mut jumps = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if index + 1 == parts.len() {
                self.node(part, place)?;
            } else {
                let fork = self.push(Instruction::Done)?;
                self.node(part, place)?;
                jumps.push(self.push(Instruction::Done)?);
                self.set(fork, Instruction::Fork(fork + 1, self.here()));
            }
        }
        let end = self.here();
        jumps.into_iter().for_each(|jump| self.set(jump, Instruction::Jump(end)));
        Ok(())
    }

    fn switch(&mut self, parts: &[Node], place: Place) -> Result<(), Refused> {
        let index = u32::try_from(self.switches.len()).unwrap_or(u32::MAX);
        let mut by_byte = Box::new([0; 257]);
        for (bit, part) in parts.iter().enumerate() {
            let set = if place.back { last(part) } else { first::<1>(&[part])[0] };
            set.iter().for_each(|byte| by_byte[byte] |= 1 << bit);
        }
        self.switches.push(Switch { by_byte, targets: Vec::new(), back: place.back });
        self.push(Instruction::Switch(index))?;
        let (mut targets, mut jumps) = (Vec::new(), Vec::new());
        for part in parts {
            targets.push(self.here());
            self.node(part, place)?;
            jumps.push(self.push(Instruction::Done)?);
        }
        let end = self.here();
        jumps.into_iter().for_each(|jump| self.set(jump, Instruction::Jump(end)));
        if let Some(switch) = self.switches.get_mut(index as usize) {
            switch.targets = targets;
        }
        Ok(())
    }

    fn endlessly(&mut self, child: &Node, greedy: bool, place: Place) -> Result<(), Refused> {
        let fork = self.push(Instruction::Done)?;
        self.node(child, place)?;
        self.push(Instruction::Jump(fork))?;
        self.set(fork, forked(greedy, fork + 1, self.here()));
        Ok(())
    }

    fn optionally(&mut self, child: &Node, times: u32, greedy: bool, place: Place) -> Result<(), Refused> {
        let mut forks = Vec::new();
        for _ in 0..times {
            forks.push(self.push(Instruction::Done)?);
            self.node(child, place)?;
        }
        let end = self.here();
        forks.into_iter().for_each(|fork| self.set(fork, forked(greedy, fork + 1, end)));
        Ok(())
    }

    fn set_of(&mut self, class: &Arc<ClassUnicode>) -> u32 {
        let known = self.classes.iter().position(|known| known == class);
        let index = known.unwrap_or_else(|| {
            self.classes.push(Arc::clone(class));
            self.sets.push(Set::new(class));
            self.sets.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}

/// Whether a lookaround may read further than is worth walking at every place.
fn reads_far(child: &Node) -> bool {
    child.most().is_none_or(|most| most > MAX_NEAR)
}

fn forked(greedy: bool, into: At, past: At) -> Instruction {
    if greedy { Instruction::Fork(into, past) } else { Instruction::Fork(past, into) }
}
