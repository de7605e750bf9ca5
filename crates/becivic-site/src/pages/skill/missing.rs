//! What is missing for a skill's next step up: the numbers of the state machine in the reader's language, or its own sentence where
//! one of them is not known here.

use super::{Subject, authored};
use crate::doc::{Block, paragraph, text, woven};
use crate::facts::Explained;
use crate::words::{Words, fill};
use becivic_core::vocabulary::Status;
use serde_json::Value;

const HOUR: i64 = 60 * 60 * 1000;

/// Spans up to three days are said in hours, like the state machine does.
const HOURS_SAID: i64 = 72;

/// What is missing, in a sentence.
pub fn block(subject: &Subject<'_>) -> Option<Block> {
    let explained = subject.standing()?.cohort.standing.as_ref()?;
    let next = match subject.seen.status {
        Status::Alpha => Status::Beta,
        Status::Beta => Status::Stable,
        Status::Draft | Status::Stable | Status::Quarantined | Status::Deprecated => return None,
    };
    let words = subject.words;
    match all(explained, words) {
        Some(missing) => {
            Some(paragraph([text(fill(words.skill.still_missing, &[words.status(next), &missing]))]))
        }
        None if explained.explanation.is_empty() => None,
        None => Some(paragraph(woven(words.skill.where_it_stands, [authored(&explained.explanation)]))),
    }
}

/// Everything that is missing; nothing where nothing is, or where something is not known here.
fn all(explained: &Explained, words: &Words) -> Option<String> {
    let items: Option<Vec<String>> = explained.missing.iter().map(|item| one(item, words)).collect();
    items.filter(|items| !items.is_empty()).map(|items| items.join(", "))
}

fn one(item: &Value, words: &Words) -> Option<String> {
    let (name, number) = item.as_object()?.iter().next()?;
    let in_words = &words.skill;
    if name == "rate" && number.is_null() {
        return Some(in_words.rate_out_of_reach.to_owned());
    }
    let number = number.as_i64()?;
    match name.as_str() {
        "confirms" => Some(many(number, in_words.one_confirmation, in_words.confirmations)),
        "submitters" => Some(many(number, in_words.one_person, in_words.people)),
        "rate" => Some(many(number, in_words.one_for_the_rate, in_words.for_the_rate)),
        "rejects" => Some(many(number, in_words.one_rejection, in_words.rejections)),
        "time" => Some(span(number, words)),
        _ => None,
    }
}

/// A span of time, rounded up so that what is left never reads as nothing.
fn span(millis: i64, words: &Words) -> String {
    let words = &words.skill;
    let hours = millis.max(1).saturating_add(HOUR - 1) / HOUR;
    let (days, rest) = (hours / 24, hours % 24);
    if hours < HOURS_SAID {
        return many(hours, words.one_hour, words.hours);
    }
    let days = many(days, words.one_day, words.days);
    match rest {
        0 => days,
        rest => format!("{days} {}", many(rest, words.one_hour, words.hours)),
    }
}

fn many(number: i64, one: &str, several: &str) -> String {
    if number == 1 { one.to_owned() } else { fill(several, &[&number.to_string()]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::of;
    use becivic_core::vocabulary::Language;
    use serde_json::json;

    fn said(missing: &[Value], language: Language) -> Option<String> {
        all(&Explained { missing: missing.to_vec(), ..Explained::default() }, of(language))
    }

    #[test]
    fn numbers_become_words_in_each_language() {
        let missing = [json!({"confirms": 2}), json!({"submitters": 1}), json!({"time": 31 * HOUR})];
        let says = |language| said(&missing, language).expect("all are known");
        assert_eq!(says(Language::En), "2 more confirmations, 1 more distinct person, 31 hours");
        assert_eq!(says(Language::Fr), "2 confirmations de plus, 1 autre personne, 31 heures");
        assert_eq!(says(Language::Nl), "nog 2 bevestigingen, nog 1 andere persoon, 31 uur");
        assert_eq!(says(Language::De), "2 weitere Bestätigungen, 1 weitere Person, 31 Stunden");
    }

    #[test]
    fn spans_are_rounded_up_and_long_ones_are_days() {
        let says = |millis: i64| said(&[json!({ "time": millis })], Language::En).expect("known");
        assert_eq!(says(1), "1 hour");
        assert_eq!(says(HOUR + 1), "2 hours");
        assert_eq!(says(71 * HOUR), "71 hours");
        assert_eq!(says(14 * 24 * HOUR), "14 days");
        assert_eq!(says(73 * HOUR), "3 days 1 hour");
        assert_eq!(says(i64::MIN), "1 hour");
        assert!(says(i64::MAX).ends_with("hours"));
    }

    #[test]
    fn what_is_not_known_here_leaves_the_sentence_to_the_state_machine() {
        assert_eq!(said(&[json!({"confirms": 2}), json!({"moons": 3})], Language::En), None);
        assert_eq!(said(&[json!({"confirms": "two"})], Language::En), None);
        assert_eq!(said(&[json!(7)], Language::En), None);
        assert_eq!(said(&[], Language::En), None);
        assert_eq!(
            said(&[json!({"rate": null})], Language::En).as_deref(),
            Some("a share in favour that cannot be reached")
        );
    }
}
