//! `becivic check --explain` and `--rules`: the rules' own pages.

use crate::{Outcome, UsageError, say};
use becivic_core::rules::{RULES, Rule};

/// Prints one rule's page.
pub fn run(id: &str) -> anyhow::Result<Outcome> {
    match Rule::find(id) {
        Some(rule) => {
            say::text(&format!("{} ({})\n\n{}\n", rule.id, weight(rule), rule.page().trim_end()))?;
            Ok(Outcome::Fine)
        }
        None => {
            let is_near = |rule: &&&Rule| {
                rule.id.contains(id) || id.contains(rule.id) || strsim::levenshtein(rule.id, id) <= 2
            };
            let near = RULES.iter().filter(is_near);
            let near: Vec<&str> = near.map(|rule| rule.id).collect();
            let hint = match near.as_slice() {
                [] => "`becivic check --rules` lists them".to_owned(),
                near => format!("did you mean {}?", near.join(" or ")),
            };
            Err(UsageError(format!("there is no rule `{id}`; {hint}")).into())
        }
    }
}

/// How much a rule matters, and when.
fn weight(rule: &Rule) -> &'static str {
    if rule.is_strict() { "strict" } else { rule.severity.as_str() }
}

/// Lists every rule.
pub fn list() -> anyhow::Result<Outcome> {
    let lines = RULES.iter().map(|rule| format!("{:<38} {:<8} {}\n", rule.id, weight(rule), rule.title()));
    say::text(&lines.collect::<String>())?;
    Ok(Outcome::Fine)
}
