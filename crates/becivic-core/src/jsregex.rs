//! Regular expressions with JavaScript's meaning, in time linear in the text.
//!
//! Rules and signals are written for any JavaScript engine; ours gives the same matches without its risk.
//!
//! 1. `oxc_regular_expression` parses (`jsregex/parse.rs`), sets of characters are worked out once, case and
//!    all (`jsregex/sets.rs`), and what is left is a small tree (`jsregex/tree.rs`).
//! 2. The tree becomes a program of forks and single characters (`jsregex/program.rs`). A lookbehind is
//!    compiled to read backwards; a lookaround that may read far becomes a table of answers for the whole
//!    text (`jsregex/looks.rs`).
//! 3. A backtracking machine runs it in the order JavaScript tries things (`jsregex/machine.rs`). After a
//!    fixed number of steps it starts to remember which (fork, place) have failed and never tries one twice:
//!    every place of the text costs at most a constant.
//!
//! What could not be bounded so is refused when the pattern is read: references to groups, far lookarounds
//! within each other, repetitions of what may be empty, and patterns that grow too large.
//! `jsregex/backtracking.rs` judges something else: what the pattern would cost in an engine without memory.
//!
//! Without the flag `u` JavaScript sees UTF-16 units, so a character above U+FFFF is two of them. Such a
//! pattern is run on a text where each of these units stands as a character of its own, in a plane that is
//! empty then ([`units`]).

pub mod backtracking;
pub(crate) mod first;
mod looks;
mod machine;
mod parse;
pub(crate) mod program;
mod sets;
pub(crate) mod tree;

pub use machine::Machine;
pub use parse::Refused;
pub(crate) use sets::{line_ends, negated, words};

use program::Program;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use tree::Node;

/// A pattern ready to run.
#[derive(Clone, Debug)]
pub struct Regex(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    /// The pattern and its flags as they are written: little beside the tree they are read into, which few need.
    pattern: String,
    flags: String,
    /// Characters of the shortest match, and of the longest.
    least: u64,
    most: Option<u64>,
    /// Compiled when it first runs: automata leave most patterns nothing to run.
    program: OnceLock<Option<Program>>,
}

impl Regex {
    /// Reads a pattern with its flags: any of `i`, `m`, `s`, `u`.
    pub fn new(pattern: &str, flags: &str) -> Result<Self, Refused> {
        Self::with_tree(pattern, flags).map(|(regex, _)| regex)
    }

    /// The same, and the tree that was read.
    pub(crate) fn with_tree(pattern: &str, flags: &str) -> Result<(Self, Node), Refused> {
        let tree = parse::parse(pattern, flags)?;
        // Whoever gets a pattern can run it.
        Program::compile(&tree)?;
        let parts = Parts {
            pattern: pattern.to_owned(),
            flags: flags.to_owned(),
            least: tree.least(),
            most: tree.most(),
            program: OnceLock::new(),
        };
        Ok((Self(Arc::new(parts)), tree))
    }

    /// Whether the flag `u` is set; if not, the pattern reads [`units`].
    pub fn is_unicode(&self) -> bool {
        self.0.flags.contains('u')
    }

    /// Whether some match may be empty.
    pub fn may_be_empty(&self) -> bool {
        self.0.least == 0
    }

    /// Characters of the longest match, if there is one.
    pub fn longest(&self) -> Option<u64> {
        self.0.most
    }

    /// Whether the pattern is found anywhere.
    pub fn is_match(&self, text: &str) -> bool {
        let text = if self.is_unicode() { Cow::Borrowed(text) } else { units(text) };
        let mut machine = Machine::new();
        borders(&text).any(|start| machine.match_at(self, &text, start).is_some())
    }

    /// The tree, read once more.
    fn tree(&self) -> Result<Node, Refused> {
        parse::parse(&self.0.pattern, &self.0.flags)
    }

    pub(crate) fn program(&self) -> Option<&Program> {
        self.0.program.get_or_init(|| Program::compile(&self.tree().ok()?).ok()).as_ref()
    }
}

/// Every place between characters, the end included.
fn borders(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()])
}

/// Where the stand-ins for UTF-16 surrogates begin.
const STAND_INS: u32 = 0xF_0000;

/// The first surrogate.
const SURROGATES: u32 = 0xD800;

/// The stand-in for a UTF-16 unit, or the unit as the character it is.
fn unit(value: u32) -> Option<char> {
    char::from_u32(value).or_else(|| char::from_u32(STAND_INS + value.checked_sub(SURROGATES)?))
}

/// The text as UTF-16 units: each character above U+FFFF becomes two stand-ins. Offsets change: a
/// character of four bytes becomes eight.
pub fn units(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte < 0xF0) {
        return Cow::Borrowed(text);
    }
    let mut buffer = [0; 2];
    let write =
        |c: char| c.encode_utf16(&mut buffer).iter().filter_map(|value| unit(u32::from(*value))).collect();
    Cow::Owned(text.chars().map(write).collect::<Vec<String>>().concat())
}

#[cfg(test)]
mod tests;
