//! Step 4: nothing personal in any string, key or number (§6.8).
//!
//! One refusal per place, with the names of the rules that fired and nothing of the text. Provenance has a
//! category of its own, because only its author can rewrite it (§6.2.3).

use super::{Category, Refusal, identity};
use crate::scrub::Scrubber;
use serde_json::Value;

/// What the rules find in a submission.
pub fn scrub(value: &Value, scrubber: &Scrubber) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = Vec::new();
    for found in scrubber.scan_value(value) {
        let pointer = identity::known_part(&found.pointer);
        let name = scrubber.rules().get(found.hit.rule).map_or("", |rule| rule.name.as_str());
        match refusals.last_mut().filter(|last| last.pointer == pointer) {
            Some(last) if last.detectors.iter().any(|known| known == name) => {}
            Some(last) => last.detectors.push(name.to_owned()),
            None => refusals.push(refusal(pointer, name)),
        }
    }
    for refusal in &mut refusals {
        let place = if refusal.detectors.len() > 1 { "rules" } else { "rule" };
        refusal.message = format!("the scrub {place} {} fired here", refusal.detectors.join(", "));
    }
    refusals
}

fn refusal(pointer: String, rule: &str) -> Refusal {
    let in_provenance = pointer == "/provenance" || pointer.starts_with("/provenance/");
    let category = if in_provenance { Category::Layer2ScrubFailure } else { Category::RegexFail };
    Refusal {
        category,
        pointer,
        missing: None,
        detectors: vec![rule.to_owned()],
        message: String::new(),
        help: "Write it without what points at a person: no number, name, address or contact.".to_owned(),
    }
}
