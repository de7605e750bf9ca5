//! The dashboard and the log.

use crate::given::{Given, Printed};
use becivic_core::vocabulary::Language;
use becivic_site::facts::{Activity, Facts, Logged, Transition};
use becivic_site::pages;
use serde_json::json;
use std::collections::BTreeMap;

fn counts<const N: usize>(counts: [(&str, i64); N]) -> BTreeMap<String, i64> {
    counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

fn busy() -> Facts {
    let by_status = [
        ("skill", counts([("alpha", 3), ("stable", 2)])),
        ("path", counts([("alpha", 2), ("deprecated", 1)])),
        ("volatile_value", counts([("beta", 40)])),
    ];
    let activity = Activity {
        by_status: by_status.into_iter().map(|(kind, counts)| (kind.to_owned(), counts)).collect(),
        verdicts_by_day: counts([("2026-10-01", 9), ("2026-11-14", 4), ("2026-11-16", 1)]),
        concerns_by_day: counts([("2026-11-15", 2)]),
        transitions_by_day: BTreeMap::new(),
        concerns: 7,
        pending_amendments: 1,
        busiest: vec![("arrival-declaration".to_owned(), 5), ("gone".to_owned(), 1)],
    };
    Facts { today: "2026-11-16".to_owned(), activity: Some(activity), ..Facts::default() }
}

fn transition(target: (&str, &str), change: (&str, &str), rule: &str) -> Transition {
    Transition {
        target_type: target.0.to_owned(),
        target_id: target.1.to_owned(),
        from_status: change.0.to_owned(),
        to_status: change.1.to_owned(),
        rule: rule.to_owned(),
        // As the state machine stores them: with what it looked at before it decided.
        numbers: json!({"flaggers": 1, "flaggers_needed": 1, "confirms": 3, "rejects": 0, "base_confirms": 11,
                        "base_rejects": 1, "margin": -3, "margin_needed": 2, "rejecting_people": 0,
                        "rejecting_people_needed": 2, "sources": 2, "sources_rejected": 2, "unconfirmed_ms": 7_862_400_000_i64,
                        "unconfirmed_ms_needed": 7_776_000_000_i64, "confirms_needed": 3, "submitters": 3,
                        "submitters_needed": 3, "age_ms": 172_999_000, "age_ms_needed": 172_800_000}),
        day: "2026-11-14".to_owned(),
        ..Transition::default()
    }
}

fn checked(address: &str, facts: &Facts, language: Language) -> Printed {
    let given = Given::fixtures();
    let page = given.page(address, facts, language);
    page.agrees();
    given.leads_somewhere(&page);
    page
}

#[test]
fn the_dashboard_has_numbers_plots_and_their_words() {
    let page = checked("/activity", &busy(), Language::En);
    assert_eq!(page.html.matches("<svg").count(), 3, "a plot of nothing is not drawn");
    assert!(!page.html.contains("style="), "colours come from classes");
    page.expect("activity/busy.en");
    for language in Language::ALL {
        checked("/activity", &busy(), *language);
    }
}

#[test]
fn a_dashboard_of_nothing_says_so() {
    let by_status = [("skill".to_owned(), counts([("alpha", 3)]))].into_iter().collect();
    let activity = Activity { by_status, ..Activity::default() };
    let facts = Facts { activity: Some(activity), ..Facts::default() };
    let page = checked("/activity", &facts, Language::En);
    assert!(page.html.contains("Nobody has sent anything yet."));
    page.expect("activity/quiet.en");
    checked("/activity", &Facts::default(), Language::Fr).expect("activity/not-counted.fr");
}

#[test]
fn absurd_counts_draw_nothing_absurd() {
    let mut facts = busy();
    if let Some(activity) = &mut facts.activity {
        activity.verdicts_by_day = counts([("2026-11-14", i64::MAX / 4), ("2026-11-15", -3), ("no day", 1)]);
        activity.by_status.insert("skill".to_owned(), counts([("alpha", i64::MAX / 4), ("beta", -9)]));
    }
    let page = checked("/activity", &facts, Language::En);
    assert!(!page.html.contains("width=\"-") && !page.html.contains("height=\"-"));
}

#[test]
fn programs_get_the_same_numbers() {
    let given = Given::fixtures();
    let found = pages::activity::json(&given.world(), &busy());
    assert_eq!(found["total_concerns"], 7);
    assert_eq!(found["by_status"]["volatile_value"]["beta"], 40);
    assert_eq!(found["busiest_skills"][0], json!({"skill": "arrival-declaration", "concerns_30d": 5}));
    assert_eq!(found["paths"], 3);
    let nothing = pages::activity::json(&given.world(), &Facts::default());
    assert_eq!((&nothing["day"], &nothing["total_concerns"]), (&json!(null), &json!(0)));
}

#[test]
fn the_log_says_what_changed_and_why() {
    let transitions = vec![
        transition(("skill", "arrival-declaration"), ("alpha", "beta"), "alpha_to_beta"),
        transition(("path", "retired-portal-form"), ("alpha", "deprecated"), "nobody_confirms"),
        transition(("volatile_value", "val-00001"), ("stable", "alpha"), "corrected"),
        transition(("reference", "ref-00001"), ("", "alpha"), "maintainer"),
        transition(("path", "household-certificate"), ("alpha", "quarantined"), "injection_flags"),
        transition(("path", "household-certificate"), ("stable", "alpha"), "rejected"),
        transition(("path", "household-certificate"), ("alpha", "deprecated"), "all_sources_rejected"),
        transition(("skill", "gone"), ("odd", "alpha"), "a_rule_of_tomorrow"),
    ];
    let facts = Facts { transitions, ..Facts::default() };
    let page = checked("/log", &facts, Language::En);
    let promoted = "A few people confirmed it: 3 confirmations, 0 rejections, 3 people, in 2 days";
    assert!(page.html.contains(&format!("<td>{promoted}</td>")), "{}", page.html);
    assert!(!page.html.contains("needed") && !page.html.contains("2.0"), "no threshold and no hour");
    page.expect("activity/log.en");
    for language in Language::ALL {
        checked("/log", &facts, *language);
    }
    checked("/log", &Facts::default(), Language::Nl).expect("activity/log-empty.nl");
}

#[test]
fn nothing_is_counted_as_each_language_does() {
    let facts = Facts {
        transitions: vec![transition(("skill", "arrival-declaration"), ("alpha", "beta"), "alpha_to_beta")],
        ..Facts::default()
    };
    let french = checked("/log", &facts, Language::Fr).html;
    assert!(french.contains("3 confirmations, 0 rejet, 3 personnes, en 2 jours"), "{french}");
    assert!(checked("/log", &facts, Language::De).html.contains("0 Ablehnungen"));
}

/// A skill whose latest entry is known, with its proof.
fn with_log() -> Facts {
    let entry = r#"{"v":1,"artefact":"skill:arrival-declaration","what":"promotion","from":"alpha","to":"beta","version":"0.2.0","rule":"alpha_to_beta","numbers":{"confirms":3,"confirms_needed":3,"rejects":0,"submitters":3,"submitters_needed":3,"age_ms":172800000,"age_ms_needed":172800000},"policy":"1-0a1b2c3d","day":"2026-11-14"}"#;
    let logged = Logged {
        index: 41,
        entry: entry.to_owned(),
        nonce: Some("00ff".to_owned()),
        proof: vec!["Zm9v".to_owned(), "YmFy".to_owned()],
        checkpoint: "becivic.be/log\n42\nYmF6\n\n\u{2014} becivic.be/log c2ln\n".to_owned(),
    };
    let logged = [("skill:arrival-declaration".to_owned(), logged)].into();
    Facts { today: "2026-11-16".to_owned(), logged, ..Facts::default() }
}

#[test]
fn a_page_carries_its_latest_entry_in_words_with_the_policy_and_the_proof() {
    let given = Given::fixtures();
    for (language, title, reason) in [
        (
            Language::En,
            "In the transparency log: entry 41",
            "A few people confirmed it: 3 confirmations, 0 rejections, 3 people, in 2 days",
        ),
        (
            Language::Fr,
            "Dans le journal de transparence\u{202f}: entrée 41",
            "Quelques personnes l’ont confirmé",
        ),
        (Language::Nl, "In het transparantielogboek: vermelding 41", "Enkele mensen bevestigden het"),
        (Language::De, "Im Transparenzprotokoll: Eintrag 41", "Einige Menschen haben es bestätigt"),
    ] {
        let page = given.page("/skills/arrival-declaration", &with_log(), language);
        for form in [&page.html, &page.markdown] {
            for part in [title, reason, "1-0a1b2c3d", "Zm9v", "YmFy", "nonce 00ff", "c2ln", "alpha_to_beta"] {
                assert!(form.contains(part), "{language:?} lacks {part}");
            }
        }
    }
    let without = given.page("/skills/arrival-declaration", &Facts::default(), Language::En);
    assert!(!without.html.contains("transparency log"), "where there is no log, nothing is said of one");
}
