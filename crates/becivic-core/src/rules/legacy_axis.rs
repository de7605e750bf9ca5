//! Profile axes carry their current names (DECISIONS §14).
//!
//! `civil_status` is read as `civic_status` and `has_eID` as `has_id_card == "yes"`, but neither is written
//! any more.
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
    ("document_inventory.has_eID", "document_inventory.has_id_card"),
];

fn message(old: &str) -> String {
    format!("`{old}` is an old name")
}
