//! Countries are ISO 3166-1 alpha-2 codes, in lower case (§6.1, Rule 9).
//!
//! Looked at: `applies_to.origin_countries` and `selects_on.origin_country`.
//!
//! Example of a violation: `origin_countries: [uk]` (the United Kingdom is `gb`).

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::country;
use crate::skill::Selector;

/// The rule.
pub const RULE: Rule = Rule {
    id: "country_unknown",
    severity: Severity::Error,
    file: include_str!("country_unknown.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let applies = cx.front.applies_to.as_ref().and_then(|applies| applies.origin_countries.as_ref());
    unknown(cx, "/applies_to/origin_countries", applies, report);
    let requires = cx.front.requires().iter().map(|edge| &edge.selects_on).enumerate();
    let paths = cx.front.requires_paths().iter().map(|edge| &edge.selects_on).enumerate();
    let edges = requires.map(|edge| ("requires", edge)).chain(paths.map(|edge| ("requires_paths", edge)));
    for (list, (i, selects)) in edges {
        let codes = selects.as_ref().and_then(|selects| selects.get(&Selector::OriginCountry));
        unknown(cx, &format!("/{list}/{i}/selects_on/origin_country"), codes, report);
    }
}

fn unknown(cx: &SkillCx<'_>, pointer: &str, codes: Option<&Vec<String>>, report: &mut Report<'_>) {
    for (i, code) in codes.into_iter().flatten().enumerate() {
        if !country::is_known(code) {
            report.at(
                cx.source(),
                cx.skill.place(&format!("{pointer}/{i}")),
                format!("`{code}` is not the code of a country"),
                "Use the two-letter ISO 3166-1 code, in lower case.",
            );
        }
    }
}
