//! Profile axes carry their current names (DECISIONS §14).
//!
//! `civil_status` is read as `civic_status`, `commune.region` as `region`, and `has_eID` (or `has_eid`) as
//! `has_id_card == "yes"`, but none of them is written any more.
//!
//! Example of a violation: a predicate on `user.document_inventory.has_eID`.

use super::{Check, PathCx, Report, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "legacy_axis",
    severity: Severity::Warning,
    file: include_str!("legacy_axis.rs"),
    check: Check::Path(check),
};

fn check(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (old, new) in OLD_NAMES {
        if cx.path.entry.applies_to.contains_key(*old) {
            let place = cx.place(&format!("/applies_to/{old}"));
            report.at(&cx.paths.source, place, message(old), format!("Write `{new}`."));
        }
        for (s, source) in cx.path.entry.sources.iter().enumerate() {
            let predicates = source.audience.predicates.iter().enumerate();
            for (p, _) in predicates.filter(|(_, p)| p.field.strip_prefix("user.") == Some(*old)) {
                let place = cx.place(&format!("/sources/{s}/audience/predicates/{p}/field"));
                report.at(&cx.paths.source, place, message(old), format!("Write `user.{new}`."));
            }
        }
    }
}

const OLD_NAMES: &[(&str, &str)] = &[
    ("civil_status", "civic_status"),
    ("commune.region", "region"),
    ("document_inventory.has_eID", "document_inventory.has_id_card"),
    ("document_inventory.has_eid", "document_inventory.has_id_card"),
];

fn message(old: &str) -> String {
    format!("`{old}` is an old name")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Content, Corpus, Input};
    use crate::schema::Schema;
    use serde_json::{Value, json};

    const INDEX: &str = include_str!("../../../../fixtures/corpus/paths/index.json");

    /// The rule's messages on a paths index whose one predicate has this field.
    fn messages(field: &str, value: Value) -> Vec<String> {
        let mut index: Value = serde_json::from_str(INDEX).expect("JSON");
        let predicates = "/paths/household-certificate/sources/0/audience/predicates";
        *index.pointer_mut(predicates).expect("a source") =
            json!([{"field": field, "op": "eq", "value": value}]);
        let text = format!("{index:#}\n");
        let input = Input { path: "paths/index.json".to_owned(), content: Content::Bytes(text.into_bytes()) };
        let corpus = Corpus::from_inputs(vec![input]);
        assert_eq!(corpus.findings, []);
        let findings = crate::rules::check(&corpus, &corpus.catalogue, None);
        findings
            .into_iter()
            .filter(|finding| finding.rule == RULE.id)
            .map(|finding| finding.message)
            .collect()
    }

    #[test]
    fn old_spellings_are_accepted_and_warned_about() {
        assert_eq!(messages("user.region", json!("Wallonia")), [""; 0]);
        assert_eq!(messages("user.commune.region", json!("Wallonia")), [message("commune.region")]);
        assert_eq!(messages("user.civil_status", json!("married")), [message("civil_status")]);
        let card = "document_inventory.has_eid";
        assert_eq!(messages(&format!("user.{card}"), json!(true)), [message(card)]);
    }

    #[test]
    fn the_schema_reads_every_old_name() {
        let schema: Value = serde_json::from_str(Schema::PathSource.text()).expect("JSON");
        let fields = schema.pointer("/$defs/predicate/properties/field/enum").and_then(Value::as_array);
        let fields = fields.expect("a closed list");
        for (old, new) in OLD_NAMES {
            assert!(fields.contains(&json!(format!("user.{old}"))), "{old}");
            assert!(fields.contains(&json!(format!("user.{new}"))), "{new}");
        }
    }
}
