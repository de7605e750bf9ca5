//! Runs a program at one place of a text.
//!
//! 1. A stack holds what is still to be tried; the latest is tried first, as in any backtracking engine.
//! 2. An attempt of [`FREE_STEPS`] remembers nothing. Most end within a dozen.
//! 3. An attempt that takes longer starts again with a memory of the (fork, place) pairs that failed. What
//!    has been entered and not yet failed is on a trail; when the machine goes back to an earlier choice,
//!    everything on the trail since then has failed. Pairs that led to a match are never remembered.
//! 4. Whether a pair fails does not depend on where the attempt began, so the memory is kept for all
//!    attempts on the same text: together they try each pair once.

use super::Regex;
use super::first::NOTHING;
use super::looks::Answers;
use super::program::{At, Instruction, Program, Set, Switch};
use super::tree::Edge;
use rustc_hash::FxHashSet;

/// Steps of an attempt before it starts to remember.
const FREE_STEPS: u32 = 2_000;

/// The state of a search with one pattern over one text. Use a new one, or [`Machine::forget`], for another.
#[derive(Debug, Default)]
pub struct Machine {
    stack: Vec<Choice>,
    trail: Vec<(At, u32)>,
    failed: FxHashSet<(At, u32)>,
    answers: Vec<Answers>,
    free: u32,
    steps: u64,
}

#[derive(Debug)]
struct Choice {
    at: At,
    place: usize,
    trail: usize,
}

/// More steps than are free.
struct OutOfSteps;

impl Machine {
    /// A machine that remembers nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes it ready for another pattern or text.
    pub fn forget(&mut self) {
        if !self.failed.is_empty() {
            self.failed = FxHashSet::default();
        }
        self.answers.iter_mut().for_each(Answers::forget);
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the match that begins at `start` ends, if there is one. `start` is a border between characters.
    pub fn match_at(&mut self, regex: &Regex, text: &str, start: usize) -> Option<usize> {
        let program = regex.program()?;
        self.answers.resize_with(program.far.len(), Answers::default);
        self.free = FREE_STEPS;
        match self.run::<false>(program, text, 0, start) {
            Ok(found) => found,
            Err(OutOfSteps) => {
                self.stack.clear();
                self.run::<true>(program, text, 0, start).ok().flatten()
            }
        }
    }

    fn run<const MEMORY: bool>(
        &mut self,
        program: &Program,
        text: &str,
        mut at: At,
        mut place: usize,
    ) -> Result<Option<usize>, OutOfSteps> {
        let (bottom, trail_start) = (self.stack.len(), self.trail.len());
        loop {
            self.steps += 1;
            if !MEMORY {
                self.free = self.free.checked_sub(1).ok_or(OutOfSteps)?;
            }
            let goes_on = match program.instructions.get(at as usize).copied() {
                Some(Instruction::One { set, back }) => match program.sets.get(set as usize) {
                    Some(set) => {
                        let taken = if back { before(text, place) } else { after(text, place) };
                        match taken {
                            Some(Taken::Ascii(byte, next)) if set.has_ascii(byte) => Some((at + 1, next)),
                            Some(Taken::Wide(c, next)) if set.has(c) => Some((at + 1, next)),
                            _ => None,
                        }
                    }
                    None => None,
                },
                Some(Instruction::Run { set, back }) => {
                    let end = program.sets.get(set as usize).map_or(place, |set| run(set, text, place, back));
                    Some((at + 1, end))
                }
                Some(Instruction::Fork(first, second)) => {
                    if MEMORY && self.failed.contains(&pair(at, place)) {
                        None
                    } else {
                        if MEMORY {
                            self.trail.push(pair(at, place));
                        }
                        self.stack.push(Choice { at: second, place, trail: self.trail.len() });
                        Some((first, place))
                    }
                }
                Some(Instruction::Switch(index)) => {
                    let known = MEMORY && self.failed.contains(&pair(at, place));
                    match program.switches.get(index as usize) {
                        Some(switch) if !known => {
                            if MEMORY {
                                self.trail.push(pair(at, place));
                            }
                            self.take(switch, text, place).map(|first| (first, place))
                        }
                        _ => None,
                    }
                }
                Some(Instruction::Jump(to)) => Some((to, place)),
                Some(Instruction::Edge(edge)) => is_at(edge, text, place).then_some((at + 1, place)),
                Some(Instruction::Look { negated, next }) => {
                    let fits = self.run::<MEMORY>(program, text, at + 1, place)?.is_some();
                    (fits != negated).then_some((next, place))
                }
                Some(Instruction::FarLook { index, negated }) => {
                    let index = index as usize;
                    let fits = match (program.far.get(index), self.answers.get_mut(index)) {
                        (Some(look), Some(answers)) => look.fits(answers, text, place),
                        _ => false,
                    };
                    (fits != negated).then_some((at + 1, place))
                }
                Some(Instruction::Done) => {
                    self.stack.truncate(bottom);
                    self.trail.truncate(trail_start);
                    return Ok(Some(place));
                }
                None => None,
            };
            (at, place) = match goes_on {
                Some(next) => next,
                None => {
                    let choice = if self.stack.len() > bottom { self.stack.pop() } else { None };
                    let failed_from = choice.as_ref().map_or(trail_start, |choice| choice.trail);
                    if MEMORY {
                        self.failed.extend(self.trail.drain(failed_from..));
                    }
                    match choice {
                        Some(choice) => (choice.at, choice.place),
                        None => return Ok(None),
                    }
                }
            };
        }
    }
}

impl Machine {
    /// The first alternative that could begin here; the others are left for later.
    fn take(&mut self, switch: &Switch, text: &str, place: usize) -> Option<At> {
        let read = if switch.back { place.checked_sub(1) } else { Some(place) };
        let byte = read.and_then(|at| text.as_bytes().get(at)).map_or(NOTHING, |byte| usize::from(*byte));
        let mut bits = switch.by_byte[byte];
        while bits != 0 {
            let last = 127 - bits.leading_zeros();
            bits ^= 1 << last;
            let at = switch.targets.get(last as usize).copied()?;
            if bits == 0 {
                return Some(at);
            }
            self.stack.push(Choice { at, place, trail: self.trail.len() });
        }
        None
    }
}

fn pair(at: At, place: usize) -> (At, u32) {
    (at, u32::try_from(place).unwrap_or(u32::MAX))
}

/// A character and the place behind it, seen in the direction of reading.
enum Taken {
    Ascii(u8, usize),
    Wide(char, usize),
}

#[inline]
fn after(text: &str, place: usize) -> Option<Taken> {
    match text.as_bytes().get(place) {
        Some(byte) if byte.is_ascii() => Some(Taken::Ascii(*byte, place + 1)),
        Some(_) => text.get(place..)?.chars().next().map(|c| Taken::Wide(c, place + c.len_utf8())),
        None => None,
    }
}

#[inline]
fn before(text: &str, place: usize) -> Option<Taken> {
    let last = place.checked_sub(1)?;
    match text.as_bytes().get(last) {
        Some(byte) if byte.is_ascii() => Some(Taken::Ascii(*byte, last)),
        Some(_) => text.get(..place)?.chars().next_back().map(|c| Taken::Wide(c, place - c.len_utf8())),
        None => None,
    }
}

/// Where a run of characters of the set ends.
fn run(set: &Set, text: &str, mut place: usize, back: bool) -> usize {
    loop {
        place = match if back { before(text, place) } else { after(text, place) } {
            Some(Taken::Ascii(byte, next)) if set.has_ascii(byte) => next,
            Some(Taken::Wide(c, next)) if set.has(c) => next,
            _ => return place,
        };
    }
}

fn is_at(edge: Edge, text: &str, place: usize) -> bool {
    let word = |taken: Option<Taken>| match taken {
        Some(Taken::Ascii(byte, _)) => byte.is_ascii_alphanumeric() || byte == b'_',
        Some(Taken::Wide(..)) | None => false,
    };
    let line_end = |taken: Option<Taken>| match taken {
        Some(Taken::Ascii(byte, _)) => matches!(byte, b'\n' | b'\r'),
        Some(Taken::Wide(c, _)) => matches!(c, '\u{2028}' | '\u{2029}'),
        None => true,
    };
    match edge {
        Edge::Start => place == 0,
        Edge::End => place == text.len(),
        Edge::LineStart => line_end(before(text, place)),
        Edge::LineEnd => line_end(after(text, place)),
        Edge::Word => word(before(text, place)) != word(after(text, place)),
        Edge::NotWord => word(before(text, place)) == word(after(text, place)),
    }
}
