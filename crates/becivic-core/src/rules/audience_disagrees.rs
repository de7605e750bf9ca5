//! What a source shows of its audience agrees with its predicates (DECISIONS §14).
//!
//! `audience.regions` is display; the predicates decide. A region predicate and a different list of regions
//! mislead the reader. Without a region predicate every region may be shown.
//!
//! Example of a violation: `regions: ["flanders"]` with `user.region eq "Wallonia"`.

use super::{Check, PathCx, Report, Rule};
use crate::finding::Severity;
use crate::predicates::axis_of;
use crate::vocabulary::Region;
use serde_json::Value;
use std::collections::BTreeSet;

/// The rule.
pub const RULE: Rule = Rule {
    id: "audience_disagrees",
    severity: Severity::Warning,
    file: include_str!("audience_disagrees.rs"),
    check: Check::Path(check),
};

fn check(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (s, source) in cx.path.entry.sources.iter().enumerate() {
        let predicates = &source.audience.predicates;
        let region = predicates.iter().find(|predicate| axis_of(&predicate.field) == "region");
        let (Some(region), Some(shown)) = (region, &source.audience.regions) else {
            continue;
        };
        let decided: BTreeSet<Region> = words(&region.value).filter_map(as_commune_region).collect();
        let shown: BTreeSet<Region> = shown.iter().copied().collect();
        if !decided.is_empty() && decided != shown {
            report.at(
                &cx.paths.source,
                cx.place(&format!("/sources/{s}/audience/regions")),
                "the regions shown are not the regions the predicates decide on",
                "Make the two lists agree.",
            );
        }
    }
}

fn words(value: &Value) -> impl Iterator<Item = &str> {
    let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    list.iter().filter_map(Value::as_str)
}

/// DECISIONS §10: profiles and communes name regions differently. The German-speaking Community lies
/// in Wallonia.
fn as_commune_region(word: &str) -> Option<Region> {
    match word {
        "Brussels-Capital" => Some(Region::Brussels),
        "Wallonia" | "German-speaking-community" => Some(Region::Wallonia),
        "Flanders" => Some(Region::Flanders),
        _ => None,
    }
}
