//! Where everything stands, from the log alone.

use becivic_core::consensus::{Artefact, Kind, Policy, Tally, decide};
use becivic_core::log::{Amiss, ENTRY_VERSION, Entry, Replay, What};
use becivic_core::vocabulary::Status;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const DAY: i64 = 24 * 60 * 60 * 1000;

fn entry(what: What, from: Option<Status>, to: Option<Status>, rule: &str) -> Entry {
    Entry {
        v: ENTRY_VERSION,
        artefact: "skill:a".to_owned(),
        what,
        from,
        to,
        version: Some("0.1.0".to_owned()),
        rule: rule.to_owned(),
        numbers: Map::new(),
        policy: None,
        day: "2026-11-16".to_owned(),
        inputs: Some("1".repeat(64)),
        content: Some("0".repeat(64)),
    }
}

fn policy(policy: &Policy) -> Entry {
    let table = policy.rows().into_iter().map(|row| (row.name.to_owned(), Value::from(row.value)));
    Entry {
        artefact: "policy".to_owned(),
        numbers: table.collect(),
        policy: Some(policy.version()),
        version: None,
        ..entry(What::Policy, None, None, "policy")
    }
}

fn began() -> Entry {
    entry(What::Began, None, Some(Status::Alpha), "began")
}

/// The step from alpha to beta as the state machine takes it.
fn promoted() -> Entry {
    let tally = Tally { confirms: 3, confirm_records: 3, voters: 3, ..Tally::default() };
    let artefact = Artefact::new(Kind::Skill, Status::Alpha, 0, (0, 0));
    let decision = decide(&artefact, &tally, &Policy::default(), 3 * DAY);
    Entry {
        numbers: decision.numbers_json(),
        policy: Some("1".to_owned()),
        ..entry(What::Promotion, Some(Status::Alpha), Some(Status::Beta), decision.rule.as_str())
    }
}

fn replayed(entries: &[Entry]) -> (Replay, Vec<Amiss>) {
    let mut replay = Replay::default();
    let amiss = entries.iter().filter_map(|it| replay.read(&it.bytes()).err()).collect();
    (replay, amiss)
}

fn served(artefacts: &[(&str, Status)]) -> BTreeMap<String, (Status, Option<String>)> {
    artefacts.iter().map(|(name, status)| ((*name).to_owned(), (*status, None))).collect()
}

#[test]
fn what_was_decided_follows_and_what_is_served_agrees() {
    let (replay, amiss) = replayed(&[policy(&Policy::default()), began(), promoted()]);
    assert_eq!(amiss, []);
    assert_eq!(replay.size(), 3);
    assert_eq!(replay.compare(&served(&[("skill:a", Status::Beta)])), []);
    let amiss = replay.compare(&served(&[("skill:a", Status::Stable), ("skill:b", Status::Alpha)]));
    assert!(
        matches!(amiss[..], [Amiss::ServedOtherwise { index: 2, .. }, Amiss::NotInLog { .. }]),
        "{amiss:?}"
    );
    assert!(matches!(replay.compare(&served(&[]))[..], [Amiss::NotServed { index: 2, .. }]));
    let gone = entry(What::Removal, Some(Status::Beta), None, "pushed");
    let (replay, amiss) = replayed(&[policy(&Policy::default()), began(), promoted(), gone]);
    assert_eq!((amiss, replay.compare(&served(&[]))), (vec![], vec![]));
}

#[test]
fn a_chain_that_breaks_is_named() {
    let (_, amiss) = replayed(&[entry(What::Merge, Some(Status::Beta), Some(Status::Alpha), "amendment")]);
    assert!(matches!(amiss[..], [Amiss::BrokenChain { index: 0, .. }]), "{amiss:?}");
    assert_eq!(amiss[0].to_string(), "entry 0 says that skill:a was beta; before it, it was not there");
    let (_, amiss) = replayed(&[began(), began()]);
    assert!(matches!(amiss[..], [Amiss::BrokenChain { index: 1, .. }]), "{amiss:?}");
}

#[test]
fn a_decision_that_does_not_follow_from_its_numbers_is_named() {
    let changed: [(&str, Value, &str); 7] = [
        ("confirms", json!(2), "the margin is -2, not -3"),
        ("submitters", json!(1), "`submitters` is 1; 3 are needed"),
        ("rejects", json!(1), "the margin is -2, not -3"),
        ("age_ms", json!(0), "0 days passed; 2 are needed"),
        ("confirms_needed", json!(1), "`confirms` is held against 1; the policy's `beta_confirms` is 3"),
        ("age_ms_needed", Value::Null, "it does not say what `age_ms` is held against"),
        ("submitters", Value::Null, "it does not say `submitters`"),
    ];
    for (name, value, why) in changed {
        let mut wrong = promoted();
        wrong.numbers.insert(name.to_owned(), value);
        let (_, amiss) = replayed(&[policy(&Policy::default()), began(), wrong]);
        assert!(
            matches!(&amiss[..], [Amiss::DoesNotFollow { index: 2, why: told, .. }] if told == why),
            "{name}: {amiss:?}"
        );
    }
    let jump = Entry { to: Some(Status::Stable), ..promoted() };
    let (_, amiss) = replayed(&[policy(&Policy::default()), began(), jump]);
    assert!(matches!(amiss[..], [Amiss::DoesNotFollow { .. }]), "{amiss:?}");
    let idle = Entry { rule: "stable_stays".to_owned(), ..promoted() };
    let (_, amiss) = replayed(&[policy(&Policy::default()), began(), idle]);
    assert!(matches!(amiss[..], [Amiss::DoesNotFollow { .. }]), "{amiss:?}");
}

#[test]
fn rollbacks_quarantines_and_deprecations_follow_from_what_decide_says() {
    let now = 200 * DAY;
    let cases = [
        (
            Kind::Skill,
            Status::Alpha,
            Tally { rejects: 2, reject_records: 2, voters: 2, rejecters: 2, ..Tally::default() },
            What::Rollback,
        ),
        (
            Kind::Path,
            Status::Stable,
            Tally { rejects: 14, voters: 14, probe_rejects: 3, ..Tally::default() },
            What::Rollback,
        ),
        (Kind::Value, Status::Beta, Tally { flaggers: 1, ..Tally::default() }, What::Quarantine),
        (Kind::Value, Status::Stable, Tally { flaggers: 2, ..Tally::default() }, What::Quarantine),
        (
            Kind::Skill,
            Status::Alpha,
            Tally { flaggers: 2, carried_flaggers: 2, ..Tally::default() },
            What::Quarantine,
        ),
        (Kind::Path, Status::Alpha, Tally::default(), What::Deprecation),
        (
            Kind::Skill,
            Status::Beta,
            Tally { confirms: 18, confirm_records: 18, rejects: 1, voters: 19, ..Tally::default() },
            What::Promotion,
        ),
    ];
    for (kind, status, tally, what) in cases {
        let mut artefact = Artefact::new(kind, status, 0, (12, 0));
        artefact.last_sign_of_life = (kind == Kind::Path).then_some(0);
        let decision = decide(&artefact, &tally, &Policy::default(), now);
        let to = match what {
            What::Promotion => Status::Stable,
            What::Deprecation => Status::Deprecated,
            _ => Status::Quarantined,
        };
        let numbers = decision.numbers_json();
        let first = Entry { to: Some(status), ..began() };
        let it = Entry {
            numbers,
            policy: Some("1".to_owned()),
            ..entry(what, Some(status), Some(to), decision.rule.as_str())
        };
        let (_, amiss) = replayed(&[policy(&Policy::default()), first.clone(), it.clone()]);
        assert_eq!(amiss, [], "{kind:?} {status} {decision}");
        for name in ["margin", "flaggers", "rate", "unconfirmed_ms"] {
            let mut wrong = it.clone();
            if wrong.numbers.insert(name.to_owned(), json!(0)).is_none()
                || (name == "flaggers" && what != What::Quarantine)
            {
                continue;
            }
            if matches!(
                (name, what),
                ("margin", What::Rollback)
                    | ("flaggers", _)
                    | ("rate", _)
                    | ("unconfirmed_ms", What::Deprecation)
            ) {
                let (_, amiss) = replayed(&[policy(&Policy::default()), first.clone(), wrong]);
                assert!(matches!(amiss[..], [Amiss::DoesNotFollow { .. }]), "{name}: {amiss:?}");
            }
        }
    }
}

#[test]
fn policies_are_what_they_are_called_and_the_one_in_force_decides() {
    let (_, amiss) = replayed(&[began(), promoted()]);
    assert!(matches!(amiss[..], [Amiss::OtherPolicy { index: 1, .. }]), "no table was logged: {amiss:?}");
    let stricter = Policy { beta_confirms: 4, ..Policy::default() };
    let (_, amiss) = replayed(&[policy(&stricter), began(), promoted()]);
    assert!(matches!(amiss[..], [Amiss::OtherPolicy { index: 2, .. }]), "{amiss:?}");
    let lie = Entry { policy: Some("1".to_owned()), ..policy(&stricter) };
    let (_, amiss) = replayed(&[lie]);
    assert!(matches!(amiss[..], [Amiss::MisnamedPolicy { index: 0, .. }]), "{amiss:?}");
}

#[test]
fn what_is_no_entry_is_unreadable_and_the_rest_is_still_read() {
    let mut replay = Replay::default();
    for wrong in [&b""[..], b"{}", b"[]", b"\xff", br#"{"v":1}"#] {
        assert!(matches!(replay.read(wrong), Err(Amiss::Unreadable { .. })), "{wrong:?}");
    }
    let newer = Entry { v: ENTRY_VERSION + 1, ..began() };
    assert!(matches!(replay.read(&newer.bytes()), Err(Amiss::Unreadable { .. })));
    assert_eq!(replay.read(&began().bytes()), Ok(()));
    assert_eq!(replay.size(), 7);
}

#[test]
fn an_entry_that_is_not_what_it_is_called_is_named() {
    let stable = Some(Status::Stable);
    let alpha = Some(Status::Alpha);
    let raised = |what: What, rule: &str| entry(what, alpha, stable, rule);
    let cases = [
        (raised(What::Promotion, "maintainer"), "it is called promotion, and is a merge"),
        (raised(What::Deprecation, "nonsense"), "there is no such rule"),
        (raised(What::Reinstatement, "maintainer"), "it is called reinstatement"),
        (raised(What::Supersession, "corrected"), "what strangers send enters as alpha"),
        (raised(What::Merge, "amendment"), "what strangers send enters as alpha"),
        (raised(What::Began, "began"), "it began before"),
        (
            Entry { day: "9999-99-99".to_owned(), ..entry(What::Merge, alpha, alpha, "pushed") },
            "its day is none",
        ),
        (
            Entry { content: None, ..entry(What::Merge, alpha, alpha, "pushed") },
            "it does not say what is published",
        ),
        (Entry { inputs: None, ..promoted() }, "it does not say what it was decided on"),
    ];
    for (it, why) in cases {
        let (_, amiss) = replayed(&[policy(&Policy::default()), began(), it.clone()]);
        let told = amiss.iter().map(Amiss::to_string).collect::<Vec<_>>().join("; ");
        assert!(told.contains(why), "{it:?}: {told}");
    }
    let gone = entry(What::Removal, alpha, None, "pushed");
    let again = Entry { to: stable, ..began() };
    let (_, amiss) = replayed(&[began(), gone, again]);
    assert!(
        matches!(&amiss[..], [Amiss::DoesNotFollow { why, .. }] if why == "it began before"),
        "{amiss:?}"
    );
    let (_, amiss) = replayed(&[began(), entry(What::Correction, alpha, stable, "corrected_log")]);
    assert!(matches!(amiss[..], [Amiss::Corrected { index: 1, .. }]), "{amiss:?}");
    let (replay, amiss) = replayed(&[began(), entry(What::Merge, alpha, stable, "pushed")]);
    assert_eq!((amiss, replay.by_hand()), (vec![], 1), "a maintainer may, and it is counted");
    for (name, value, why) in [("flaggers", 5, "enough people flagged it"), ("margin", -100, "the margin is")]
    {
        let mut wrong = promoted();
        wrong.numbers.insert(name.to_owned(), json!(value));
        let (_, amiss) = replayed(&[policy(&Policy::default()), began(), wrong]);
        assert!(
            matches!(&amiss[..], [Amiss::DoesNotFollow { why: told, .. }] if told.contains(why)),
            "{amiss:?}"
        );
    }
}
