//! What the first symbol that a condition reads tells of it.
//!
//! Of most conditions that is all there is to know: what must not follow cannot begin so, or has to be a single character and is.
//! The answers are worked out once for each symbol and condition. Those of one symbol stand together: at a place several conditions are asked.

use super::nfa::{At, Nfa};
use super::symbols::{INNER, Symbol};

/// Answers at most; foreign rules may have more, and are then asked without them.
const MOST: usize = 1 << 20;

/// The answers.
#[derive(Debug)]
pub(super) struct Firsts {
    conditions: usize,
    /// For each symbol, whether each condition fits where it comes first; `None` if it depends on what follows.
    fits: Box<[Option<bool>]>,
}

impl Firsts {
    /// Of conditions whose steps begin here.
    pub(super) fn new(nfa: &Nfa, starts: &[At]) -> Self {
        let conditions = starts.len();
        if nfa.symbols.saturating_mul(conditions) > MOST {
            return Self { conditions, fits: Box::default() };
        }
        let firsts: Vec<_> = starts.iter().map(|start| nfa.first_of(*start)).collect();
        let mut fits = Vec::new();
        for symbol in (0..).take(nfa.symbols) {
            // The bytes after the first of a character do not tell which it is.
            let firsts = firsts.iter().map(|first| first.as_deref().filter(|_| symbol != INNER));
            fits.extend(firsts.map(|first| nfa.told_by_first(first?, symbol)));
        }
        Self { conditions, fits: fits.into() }
    }

    /// Whether a condition fits where this symbol is the first that it reads, if that alone tells.
    #[inline]
    pub(super) fn fits(&self, condition: usize, symbol: Symbol) -> Option<bool> {
        self.fits.get(usize::from(symbol) * self.conditions + condition).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::automaton::{Automaton, Gear, MAX_WALK, Reading};
    use super::super::matcher::Plan;
    use super::super::symbols::VOID;
    use super::*;
    use crate::jsregex::Regex;
    use crate::scrub::Scrubber;

    #[test]
    fn what_the_first_symbol_tells_is_so_whatever_stands_around_it() {
        let rules = Scrubber::bundled().expect("sound").rules();
        let patterns: Vec<_> = rules
            .iter()
            .map(|rule| Regex::with_tree(&rule.pattern, &rule.flags).expect("bounded"))
            .filter(|(pattern, _)| pattern.is_unicode())
            .collect();
        let Ok((plan, _)) = Plan::new(patterns.iter()) else { panic!("the rules are small enough") };
        let count = plan.nfa.symbols as Symbol;
        let (mut told, mut gear) = ([0, 0], Gear::default());
        for (number, condition) in plan.conditions.iter().enumerate() {
            let mut automaton = Automaton::new(condition.start);
            for first in (0..count).filter(|symbol| *symbol != INNER) {
                let Some(expected) = plan.firsts.fits(number, first) else { continue };
                told[usize::from(expected)] += 1;
                for other in (0..count).filter(|symbol| *symbol != INNER).step_by(9) {
                    let symbols = [VOID, other, other, first, other, other, VOID];
                    let reading = Reading { nfa: &plan.nfa, symbols: &symbols };
                    let fits = match condition.behind {
                        true => automaton.fits_before(&reading, 3, MAX_WALK, &mut gear),
                        false => automaton.fits_after(&reading, 2, MAX_WALK, &mut gear),
                    };
                    assert!(fits == Some(expected), "condition {number}, {other} {first} {other}: {fits:?}");
                }
            }
        }
        assert!(told[0] > 1000 && told[1] > 10, "hardly anything is told: {told:?}");
    }
}
