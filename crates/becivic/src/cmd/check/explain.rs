//! `becivic check --explain` and `--rules`: the rules' own pages.

use crate::Outcome;
use anyhow::bail;
use becivic_core::rules::{RULES, Rule};

/// Prints one rule's page.
pub fn run(id: &str) -> anyhow::Result<Outcome> {
    match Rule::find(id) {
        Some(rule) => {
            println!("{} ({})\n\n{}", rule.id, rule.severity.as_str(), rule.page().trim_end());
            Ok(Outcome::Fine)
        }
        None => {
            let near = RULES.iter().filter(|rule| rule.id.contains(id) || id.contains(rule.id));
            let near: Vec<&str> = near.map(|rule| rule.id).collect();
            let hint = match near.as_slice() {
                [] => "`becivic check --rules` lists them".to_owned(),
                near => format!("did you mean {}?", near.join(" or ")),
            };
            bail!("there is no rule `{id}`; {hint}")
        }
    }
}

/// Lists every rule.
pub fn list() -> anyhow::Result<Outcome> {
    for rule in RULES {
        println!("{:<38} {:<8} {}", rule.id, rule.severity.as_str(), rule.title());
    }
    Ok(Outcome::Fine)
}
