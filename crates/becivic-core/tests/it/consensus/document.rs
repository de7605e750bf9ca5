//! `docs/consensus.md` shows the policy as it is.

use becivic_core::consensus::{Policy, Rule};

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
