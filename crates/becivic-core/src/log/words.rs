//! An entry in a sentence, for people: what happened, by which numbers, under which policy.

use super::entry::{Entry, What};
use crate::consensus::Rule;
use serde_json::Value;

const DAY: f64 = 24.0 * 60.0 * 60.0 * 1000.0;

/// The sentence.
pub fn sentence(entry: &Entry) -> String {
    let mut told = format!("{} {}", entry.artefact, happened(entry));
    if let Some(why) = because(entry) {
        told.push_str(&format!(": {why}"));
    }
    if let Some(policy) = entry.policy.as_ref().filter(|_| entry.what != What::Policy) {
        told.push_str(&format!(" (policy {policy})"));
    }
    told.push('.');
    told
}

fn happened(entry: &Entry) -> String {
    let to = entry.to.map_or("gone", |it| it.as_str());
    let moved = entry.from != entry.to;
    match entry.what {
        What::Began => format!("was {to} when the log met it"),
        What::Promotion => format!("became {to}"),
        What::Rollback => format!("was rejected and is {to}"),
        What::Quarantine => String::from("was put away"),
        What::Deprecation => String::from("was deprecated"),
        What::Reinstatement => format!("came back as {to}"),
        What::Merge if entry.from.is_none() => format!("was added as {to}"),
        What::Merge if moved => format!("changed by a commit and is {to}"),
        What::Merge => format!("changed by a commit and stays {to}"),
        What::Supersession if moved => format!("was corrected and is {to}"),
        What::Supersession => format!("was corrected and stays {to}"),
        What::Removal => String::from("was removed"),
        What::Policy => format!("is {} from here on", entry.policy.as_deref().unwrap_or_default()),
        What::Correction => format!("was logged wrong and is {to}"),
    }
}

fn because(entry: &Entry) -> Option<String> {
    if entry.rule == "maintainer" {
        return Some(String::from("a maintainer decided so"));
    }
    let number = |name: &str| entry.numbers.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let of = |name: &str, what: &str| {
        format!("{} {what} ({} needed)", number(name), number(&format!("{name}_needed")))
    };
    let days = |name: &str| (number(name) / DAY).floor();
    Some(match Rule::named(&entry.rule)? {
        Rule::AlphaToBeta | Rule::BetaToStable => format!(
            "{} by {}, {} rejections, {} days",
            of("confirms", "confirmations"),
            of("submitters", "distinct people"),
            number("rejects"),
            days("age_ms")
        ),
        Rule::Rejected => format!(
            "{}, {}",
            of("margin", "more rejections than confirmations"),
            of("rejecting_people", "people reject it")
        ),
        Rule::AllSourcesRejected => {
            format!("{} of {} sources are rejected", number("sources_rejected"), number("sources"))
        }
        Rule::InjectionFlags => of("flaggers", "people flagged it"),
        Rule::NobodyConfirms => format!("nothing confirmed it for {} days", days("unconfirmed_ms")),
        Rule::WorksAgain => String::from("a probe found it working"),
        _ => return None,
    })
}
