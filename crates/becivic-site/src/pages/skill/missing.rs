//! What is missing for a skill's next step up: the numbers of the state machine in the reader's language, or its own sentence where
//! one of them is not known here.

use super::{Subject, authored};
use crate::doc::{Block, paragraph, text, woven};
use crate::facts::Explained;
use crate::words::{Words, fill};
use becivic_core::consensus::Rule;
use becivic_core::vocabulary::Status;
use serde_json::Value;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// What is missing, in a sentence.
pub fn block(subject: &Subject<'_>) -> Option<Block> {
    let explained = subject.standing()?.cohort.standing.as_ref()?;
    let next = match subject.seen.status {
        Status::Alpha => Status::Beta,
        Status::Beta => Status::Stable,
        Status::Draft | Status::Stable | Status::Quarantined | Status::Deprecated => return None,
    };
    let words = subject.words;
    if explained.rule == Rule::Contested.as_str() {
        return Some(paragraph([text(words.catalogue.contested)]));
    }
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
        "days" => Some(many(number, in_words.one_day_more, in_words.days_more)),
        "rate" => Some(many(number, in_words.one_for_the_rate, in_words.for_the_rate)),
        "rejects" => Some(many(number, in_words.one_rejection, in_words.rejections)),
        "time" => Some(wait(number, words)),
        _ => None,
    }
}

/// What is published of a wait are whole days, up to the end of the one on which it is over: so it takes at most that long.
fn wait(millis: i64, words: &Words) -> String {
    let days = millis.max(1).saturating_add(DAY - 1) / DAY;
    many(days, words.skill.one_day, words.skill.days)
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
        let missing = [json!({"confirms": 2}), json!({"submitters": 1}), json!({"time": 2 * DAY})];
        let says = |language| said(&missing, language).expect("all are known");
        assert_eq!(
            says(Language::En),
            "2 more confirmations, 1 more distinct person, a wait of at most 2 days"
        );
        assert_eq!(
            says(Language::Fr),
            "2 confirmations de plus, 1 autre personne, une attente d’au plus 2 jours"
        );
        let days = |number: i64| said(&[json!({ "days": number })], Language::Nl).expect("known");
        assert_eq!(
            (days(1).as_str(), days(3).as_str()),
            ("bevestigingen op nog 1 dag", "bevestigingen op nog 3 dagen")
        );
        assert_eq!(
            says(Language::Nl),
            "nog 2 bevestigingen, nog 1 andere persoon, hoogstens 2 dagen wachten"
        );
        assert_eq!(
            says(Language::De),
            "2 weitere Bestätigungen, 1 weitere Person, eine Wartezeit von höchstens 2 Tagen"
        );
    }

    #[test]
    fn waits_are_whole_days_and_never_nothing() {
        let says = |millis: i64| said(&[json!({ "time": millis })], Language::En).expect("known");
        assert_eq!(says(1), "a wait of at most 1 day");
        assert_eq!(says(DAY), "a wait of at most 1 day");
        assert_eq!(says(14 * DAY), "a wait of at most 14 days");
        assert_eq!(says(i64::MIN), "a wait of at most 1 day");
        assert!(says(i64::MAX).ends_with("days"));
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
