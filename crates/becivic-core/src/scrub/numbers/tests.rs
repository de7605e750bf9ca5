//! A transition is worked out for one symbol and taken by others; here each of these works it out for itself. And branches that each ask
//! for a nought at another place: which of them fit takes twice as many states for every digit.

use super::super::matcher::Plan;
use super::super::symbols::{Alphabet, INNER};
use super::super::{BUNDLED, ScrubRules};
use super::*;
use crate::jsregex::Regex;
use std::error::Error;

const TEXT: &str =
    "12.345.678,90 BE68 5390-0754 7034 0470/00.00.01 (85.07.30-951.80) 2024/12/31 +32 470 00 00 01
    AB123456 \u{660}4\u{665} 1a2b3c 0032(0)2/123 45 67 12-34-56 1234 5678 9012 3456 50.8466, 4.3528 12 rue 3";

/// Some of our own branches, as many as are walked together, and what reads texts.
fn ours() -> Result<(Plan, Alphabet, Numbers), Box<dyn Error>> {
    let rules: ScrubRules = serde_json::from_str(BUNDLED)?;
    let parsed = rules.rules.iter().filter_map(|rule| Regex::with_tree(&rule.pattern, &rule.flags).ok());
    let patterns: Vec<_> = parsed.filter(|(regex, _)| regex.is_unicode()).collect();
    let (plan, alphabet) = Plan::new(patterns.iter()).map_err(|_| "too large")?;
    let is_plain = |(_, branch): &(u16, &Branch)| !branch.is_word && branch.pivot.is_none();
    let plain: Vec<_> = (0..).zip(&plan.branches).filter(is_plain).take(MOST_BRANCHES).collect();
    let numbers = Numbers::new(&plan.nfa, &plain);
    Ok((plan, alphabet, numbers))
}

/// What is under way or fits at the beginning of a text.
fn walked(plan: &Plan, alphabet: &Alphabet, numbers: &Numbers, walks: &mut Walks, text: &str) -> usize {
    let (mut symbols, mut begun, mut fitting) = (Vec::new(), Vec::new(), Vec::new());
    alphabet.read(text, SOON, &mut symbols);
    walks.begin(numbers, &plan.nfa, &symbols, &[0], &mut begun);
    for begun in begun.into_iter().filter(|begun| !begun.is_over()) {
        walks.walk(numbers, &plan.nfa, &symbols, begun, |_| true, &mut fitting);
    }
    fitting.len()
}

#[test]
fn states_that_have_become_too_many_make_room_for_others() -> Result<(), Box<dyn Error>> {
    const DIGITS: usize = 14;
    let pattern = |place| format!(r"\d{{{place}}}0\d{{{}}}a", DIGITS - 1 - place);
    let parsed = |place| Regex::with_tree(&pattern(place), "u").expect("a pattern");
    let patterns: Vec<_> = (0..DIGITS).map(parsed).collect();
    let (plan, alphabet) = Plan::new(patterns.iter()).map_err(|_| "too large")?;
    let branches: Vec<_> = (0..).zip(&plan.branches).collect();
    let numbers = Numbers::new(&plan.nfa, &branches);
    let mut walks = Walks::default();
    let fits = |walks: &mut Walks, text: &str| walked(&plan, &alphabet, &numbers, walks, text);
    for number in 0..1 << DIGITS {
        let text = format!("{number:0DIGITS$b}a");
        assert!(fits(&mut walks, &text) >= text.matches('0').count(), "{text}");
    }
    assert_eq!(walks.states.len(), MOST);
    while walks.cut_short < MOST {
        assert!(fits(&mut walks, "1x") > 0, "nothing goes on so, but there is no state for it");
    }
    assert_eq!(fits(&mut walks, "1x"), 0);
    Ok(())
}

#[test]
fn what_one_symbol_leads_to_holds_for_all_that_took_it() -> Result<(), Box<dyn Error>> {
    let (plan, alphabet, numbers) = ours()?;
    let nfa = &plan.nfa;
    let (mut symbols, mut walks) = (Vec::new(), Walks::default());
    alphabet.read(TEXT, SOON, &mut symbols);
    let mut learnt = 0;
    for place in 0..TEXT.len() {
        let begun = Begun { place, state: UNKNOWN };
        walks.walk(&numbers, nfa, &symbols, begun, |_| true, &mut Vec::new());
    }
    let mut stepper = Stepper::default();
    for symbol in (0..).take(nfa.symbols).filter(|symbol| !matches!(*symbol, INNER)) {
        for (number, state) in walks.states.iter().enumerate().skip(1) {
            let found = walks.rows[numbers.cell(number, symbol)];
            if found == UNKNOWN {
                continue;
            }
            let (kind, steps) = state.split_last().ok_or("a state has a kind")?;
            stepper.step(nfa, steps, Symbol::try_from(*kind)?, symbol);
            let (to, fits) = match found.checked_sub(FITS) {
                Some(number) => walks.fits[usize::from(number)],
                None => (found, 0),
            };
            assert_eq!(
                fits,
                numbers.set(&stepper.done),
                "what fits before symbol {symbol} in state {number}"
            );
            let (kind, steps) = walks.states[usize::from(to)].split_last().ok_or("a state has a kind")?;
            assert_eq!(steps, stepper.after, "where symbol {symbol} leads from state {number}");
            assert_eq!(*kind, At::from(nfa.kind(&stepper.after, symbol)));
            learnt += 1;
        }
    }
    assert!(walks.states.len() > 300, "too few states to tell: {}", walks.states.len());
    assert!(learnt > 10 * walks.states.len(), "too few transitions to tell: {learnt}");
    Ok(())
}
