//! Why a status changed, in a sentence: the rule that decided or what somebody did, and the counts that rule looked at.
//!
//! A decision is stored with every number seen on the way to it, also those of rules that decided nothing: how many warnings a
//! quarantine would take says nothing about a promotion. So each rule names the few counts that made it decide. Spans are whole
//! days that have passed: a finer one would tell at which hour a count began.

use crate::doc::{Inline, code, text};
use crate::facts::Transition;
use crate::words::{Words, fill};
use becivic_core::consensus::Rule;
use becivic_core::vocabulary::Language;
use serde_json::Value;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The sentence; the stored word where nobody here knows it.
pub fn why(it: &Transition, words: &Words) -> Vec<Inline> {
    let Some(reason) = words.activity.reason(&it.rule) else { return vec![code(it.rule.clone())] };
    let counts = Rule::named(&it.rule).map(|rule| counts(rule, &it.numbers, words)).unwrap_or_default();
    let colon = words.catalogue.colon;
    vec![text(if counts.is_empty() {
        reason.to_owned()
    } else {
        format!("{reason}{colon} {}", counts.join(", "))
    })]
}

fn counts(rule: Rule, numbers: &Value, words: &Words) -> Vec<String> {
    let table = &words.activity;
    let number = |name: &str| numbers.get(name).and_then(Value::as_f64).map(|number| number as i64);
    // What a stable version was made stable with counts too.
    let with_base = |name: &str, base: &str| Some(number(name)?.saturating_add(number(base).unwrap_or(0)));
    let days = |name: &str| number(name).map(|span| span.max(0) / DAY_MS);
    let confirms = || (with_base("confirms", "base_confirms"), table.one_confirmation, table.confirmations);
    let rejects = || (with_base("rejects", "base_rejects"), table.one_rejection, table.rejections);
    let counted: Vec<(Option<i64>, &str, &str)> = match rule {
        Rule::AlphaToBeta | Rule::BetaToStable => vec![
            (number("confirms"), table.one_confirmation, table.confirmations),
            (number("rejects"), table.one_rejection, table.rejections),
            (number("submitters"), table.one_person, table.people),
            (days("age_ms"), table.in_one_day, table.in_days),
        ],
        Rule::InjectionFlags => vec![(number("flaggers"), table.one_person, table.people)],
        Rule::Rejected => vec![
            rejects(),
            confirms(),
            (number("probe_rejects").filter(|it| *it > 0), table.one_probe_failed, table.probes_failed),
        ],
        Rule::Contested => vec![rejects(), confirms()],
        Rule::AllSourcesRejected => vec![(number("sources_rejected"), table.one_way, table.ways)],
        Rule::NobodyConfirms => vec![(days("unconfirmed_ms"), table.for_one_day, table.for_days)],
        Rule::OutsideTheMachine | Rule::NotInTheLifecycle | Rule::WorksAgain | Rule::StableStays => {
            Vec::new()
        }
    };
    let said = |(number, one, several): (Option<i64>, &str, &str)| Some(many(number?, one, several, words));
    counted.into_iter().filter_map(said).collect()
}

/// A count in words. French speaks of nothing in the singular.
fn many(number: i64, one: &str, several: &str, words: &Words) -> String {
    let is_one = number == 1 || (number == 0 && words.language == Language::Fr);
    fill(if is_one { one } else { several }, &[&number.to_string()])
}
