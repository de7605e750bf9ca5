//! Answers within a budget of tokens, as [`tokens`] counts them: a page of a list ends where it does; and a skill as JSON.
//!
//! 1. What stands beside the text may take half of the budget: fields in their order, those of the frontmatter after the others, each
//!    where there is room for it. The answer names those that were left out.
//! 2. The text takes the rest. In JSON it is longer than by itself, for quotes and ends of lines are escaped: it is cut until it fits.

use becivic_core::pieces::{Piece, piece, tokens};
use serde_json::{Map, Value, json};

/// Where the frontmatter stands.
const FRONT: &str = "frontmatter";

/// What says which text it is.
const ALWAYS: [&str; 2] = ["id", "commit"];

/// Takes away what does not fit beside a text; the names of that.
pub fn without_what_does_not_fit(skill: &mut Map<String, Value>, budget: usize) -> Vec<String> {
    let (mut left, mut left_out) = (budget / 2, Vec::new());
    let mut fits = |name: &str, value: &Value| {
        let cost = tokens(&json!({ name: value }).to_string());
        let fits = cost <= left || ALWAYS.contains(&name);
        left = left.saturating_sub(if fits { cost } else { 0 });
        fits
    };
    let mut front = Map::new();
    skill.retain(|name, value| match value {
        Value::Object(fields) if name == FRONT => {
            front = std::mem::take(fields);
            true
        }
        value if fits(name, value) => true,
        _ => {
            left_out.push(name.clone());
            false
        }
    });
    front.retain(|name, value| {
        let fits = fits(name, value);
        if !fits {
            left_out.push(format!("{FRONT}.{name}"));
        }
        fits
    });
    if let Some(fields) = skill.get_mut(FRONT).and_then(Value::as_object_mut) {
        *fields = front;
    }
    left_out
}

/// The piece that begins at a place and fits a budget as a string of JSON.
pub fn piece_in_json(text: &str, from: usize, budget: usize) -> Option<Piece<'_>> {
    let mut most = budget.max(1);
    loop {
        let found = piece(text, from, most)?;
        let cost = tokens(&json!(found.text).to_string());
        if cost <= budget || most == 1 {
            return Some(found);
        }
        // Less by the share that was too much, and by one at least.
        most = (most.saturating_mul(budget) / cost).min(most - 1).max(1);
    }
}

/// Keeps of a page what fits a budget, one item at least; `next` goes on after the last.
pub fn keep_to(page: &mut Value, budget: usize) {
    let Some(items) = page.get_mut("items").and_then(Value::as_array_mut) else { return };
    let mut left = budget;
    let fits = |item: &&Value| {
        let cost = tokens(&item.to_string());
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    };
    let fitting = items.iter().take_while(fits).count().max(1);
    if fitting < items.len() {
        items.truncate(fitting);
        let last = items.last().and_then(|item| item.get("id")).cloned();
        page["next"] = last.unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill() -> Map<String, Value> {
        let front = json!({"id": "a", "title": "A title", "inputs": ["x".repeat(400)], "tags": ["b"]});
        let skill =
            json!({"id": "a", "frontmatter": front, "reports": "y".repeat(800), "commit": "c".repeat(40)});
        skill.as_object().cloned().expect("an object")
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (budget, expected) in [
            (2_000, &[][..]),
            (400, &["reports"]),
            (150, &["reports", "frontmatter.inputs"]),
            (10, &["reports", "frontmatter.title", "frontmatter.inputs", "frontmatter.tags"]),
        ] {
            let mut skill = skill();
            assert_eq!(without_what_does_not_fit(&mut skill, budget), expected, "{budget}");
            assert!(ALWAYS.iter().all(|name| skill.contains_key(*name)));
            assert!(
                budget < 100 || tokens(&json!(skill).to_string()) <= budget / 2 + 10,
                "{budget}: {skill:?}"
            );
        }
    }

    #[test]
    fn a_page_ends_where_the_budget_does() {
        let page = |count: usize| {
            let items: Vec<Value> =
                (0..count).map(|at| json!({"id": format!("item-{at}"), "text": "z".repeat(380)})).collect();
            json!({"items": items, "next": null})
        };
        for (budget, left, next) in
            [(1_000, 4, Value::Null), (250, 2, json!("item-1")), (1, 1, json!("item-0"))]
        {
            let mut page = page(4);
            keep_to(&mut page, budget);
            assert_eq!(
                (page["items"].as_array().map(Vec::len), &page["next"]),
                (Some(left), &next),
                "{budget}"
            );
        }
        let mut none = page(0);
        keep_to(&mut none, 100);
        assert_eq!(none, page(0));
    }

    #[test]
    fn pieces_fit_as_json_and_make_the_whole() {
        let text = "\"\n".repeat(500) + &"a word and another ".repeat(50);
        for budget in [1, 7, 60, 1_000] {
            let (mut from, mut whole) = (0, String::new());
            loop {
                let part = piece_in_json(&text, from, budget).expect("a place that was named");
                assert!(budget < 7 || tokens(&json!(part.text).to_string()) <= budget, "{budget}");
                whole.push_str(part.text);
                let Some(next) = part.next else { break };
                from = next;
            }
            assert_eq!(whole, text);
        }
    }
}
