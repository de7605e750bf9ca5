//! `docs/consensus.md` shows the policy, the rules and the explanations as they are.

use super::{DAY, HOUR, START, of};
use becivic_core::consensus::{Kind, Policy, Rule};
use becivic_core::vocabulary::Status;

fn document() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/consensus.md");
    std::fs::read_to_string(path).expect("docs/consensus.md")
}

#[test]
fn the_table_in_the_document_is_the_table_in_the_code() {
    let document = document();
    let written: Vec<&str> = document
        .lines()
        .skip_while(|line| !line.starts_with("| setting |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let rows = Policy::default().rows();
    let expected: Vec<String> =
        rows.iter().map(|row| format!("| `{}` | `{}` | {} |", row.name, row.default, row.means)).collect();
    assert_eq!(written, expected, "the table should read:\n{}", expected.join("\n"));
}

#[test]
fn every_rule_is_in_the_document() {
    let document = document();
    for rule in Rule::ALL {
        assert!(document.contains(&format!("`{rule}`")), "docs/consensus.md does not tell of `{rule}`");
    }
}

#[test]
fn the_explanations_in_the_document_are_given() {
    let skill = |status| of(Kind::Skill, status);
    let path = |status| of(Kind::Path, status);
    let on_two_days =
        skill(Status::Alpha).people(3, 0).age(48 * HOUR).tallied(|tally| tally.confirm_days = 2);
    let days = on_two_days.under(|policy| policy.beta_days = 3);
    let contested = skill(Status::Alpha).people(3, 2).under(|policy| policy.freeze_distinct = 2);
    let expected = [
        skill(Status::Alpha).people(1, 0).age(17 * HOUR).decide().explain(),
        skill(Status::Alpha).people(3, 1).age(48 * HOUR).decide().to_string(),
        skill(Status::Beta).people(17, 3).decide().to_string(),
        days.decide().to_string(),
        contested.decide().to_string(),
        skill(Status::Beta).people(12, 1).age(20 * DAY).decide().to_string(),
        path(Status::Alpha).people(0, 3).probes(0, 1).decide().to_string(),
        path(Status::Stable).alive_at(START - 90 * DAY).decide().to_string(),
    ];
    let document = document();
    let (_, section) = document.split_once("## Explanations").expect("the section");
    let block: Vec<&str> = section.split("```").nth(1).expect("a block").trim().lines().collect();
    assert_eq!(block, expected);
}
