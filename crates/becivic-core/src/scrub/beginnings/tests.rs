//! Branches that each ask for a nought at another place: which of them could begin takes twice as many states for every digit.

use super::super::TooLarge;
use super::super::matcher::Plan;
use super::super::symbols::Alphabet;
use super::*;
use crate::jsregex::Regex;

/// So many that there are more states than there is room for.
const DIGITS: usize = 13;

/// What is needed to look at texts.
struct Noughts {
    plan: Plan,
    alphabet: Alphabet,
    beginnings: Beginnings,
}

impl Noughts {
    fn new() -> Result<Self, TooLarge> {
        let pattern = |place| format!(r"\d{{{place}}}0\d{{{}}}a", DIGITS - 1 - place);
        let parsed = |place| Regex::with_tree(&pattern(place), "u").expect("a pattern");
        let (plan, alphabet) = Plan::new((0..DIGITS).map(parsed).collect::<Vec<_>>().iter())?;
        let bodies: Vec<At> = plan.branches.iter().map(|branch| branch.body).collect();
        let beginnings = Beginnings::new(&plan.nfa, bodies.clone(), bodies);
        Ok(Self { plan, alphabet, beginnings })
    }

    /// How many branches are named at the beginning of a text.
    fn named(&self, looks: &mut Looks, text: &str) -> usize {
        let mut symbols = Vec::new();
        self.alphabet.read(text, DEPTH, &mut symbols);
        looks.named(&self.beginnings, &self.plan.nfa, &symbols, 0, DEPTH).len()
    }
}

#[test]
fn states_that_have_become_too_many_make_room_for_others() -> Result<(), TooLarge> {
    let (noughts, mut looks) = (Noughts::new()?, Looks::default());
    for number in 0..1 << DIGITS {
        let text = format!("{number:0DIGITS$b}a");
        let could_begin = noughts.named(&mut looks, &text);
        assert!(could_begin >= text.matches('0').count(), "{text}");
    }
    assert_eq!(looks.states.len(), MOST);
    while looks.cut_short < MOST {
        looks.make_room();
        assert!(noughts.named(&mut looks, "1x") > 0, "nothing begins so, but there is no state for it");
    }
    looks.make_room();
    assert_eq!(noughts.named(&mut looks, "1x"), 0);
    Ok(())
}
