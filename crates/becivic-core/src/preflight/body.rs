//! The body of a proposed skill is held to what `becivic check` asks of any body (DECISIONS §9b): CommonMark
//! and the six authored tags, no raw HTML, expressions, imports, remote images or invisible characters.

use super::{Category, Refusal};
use crate::mdx;
use serde_json::Value;

/// One refusal per kind of problem: the pointer cannot say more than where the body is.
pub fn refusals(draft: &Value) -> Vec<Refusal> {
    let Some(body) = draft.pointer("/content/body").and_then(Value::as_str) else {
        return Vec::new();
    };
    let (_, mut problems) = mdx::parse(body, 0);
    problems.sort_by_key(|problem| problem.rule);
    problems.dedup_by_key(|problem| problem.rule);
    problems
        .into_iter()
        .map(|problem| Refusal {
            category: Category::SchemaFail,
            pointer: "/content/body".to_owned(),
            missing: None,
            detectors: Vec::new(),
            message: problem.message,
            help: problem.help,
        })
        .collect()
}
