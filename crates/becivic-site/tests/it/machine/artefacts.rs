//! Rollups, the Path Directory, triggers.

use super::Given;
use becivic_core::vocabulary::Status;
use becivic_site::Facts;
use becivic_site::facts::{Cohort, Concerns, Standing};
use serde_json::{Value, json};

fn value(text: Option<String>) -> Value {
    serde_json::from_str(&text.expect("made")).expect("JSON")
}

#[test]
fn the_rollups_hold_what_the_committed_ones_do_and_what_was_counted() {
    let given = Given::of("corpus");
    let cohort = Cohort {
        affirms: 12,
        rejects: 1,
        distinct_ips: 11,
        cohort_started_at: "2026-04-26T00:00:00Z".to_owned(),
        last_validation_at: Some("2026-05-01T00:00:00Z".to_owned()),
        ..Cohort::default()
    };
    let standing = Standing { status: Status::Alpha, flagged: false, stable_is_flagged: false, cohort };
    let mut facts = Facts::default();
    facts.standings.insert("skill:change-of-address".to_owned(), standing.clone());
    facts.standings.insert("path:commune-desk".to_owned(), standing);
    facts.concerns.insert("skill:change-of-address".to_owned(), Concerns { total: 47, last_30_days: 18 });
    for (address, committed, name, id) in [
        ("/skills/index.json", "corpus/skills/rollup.json", "skills", "change-of-address"),
        ("/paths/rollup.json", "corpus/paths/rollup.json", "paths", "commune-desk"),
    ] {
        let mut live = value(given.file(address, &facts));
        let committed: Value =
            serde_json::from_str(&std::fs::read_to_string(super::repository(committed)).expect("read"))
                .expect("JSON");
        assert_eq!(live["generated_at"], "2026-05-01T00:00:00Z");
        let entries = live[name].as_array_mut().expect("entries");
        let one = entries.iter().find(|entry| entry["id"] == id).expect("there");
        let counts = json!({"confirms": 12, "rejects": 1, "distinct_ips": 11, "cohort_started_at": "2026-04-26T00:00:00Z"});
        assert_eq!(one["validation"], counts);
        let concerns = if name == "skills" { (47, 18) } else { (0, 0) };
        assert_eq!(one["activity"], json!({"total_concerns": concerns.0, "concerns_30d": concerns.1}));
        for entry in entries.iter_mut().filter_map(Value::as_object_mut) {
            for counted in ["validation", "activity", "commit"] {
                entry.shift_remove(counted);
            }
            entry.retain(|_, value| !value.is_null());
        }
        assert_eq!(live[name], committed[name], "{address}");
        assert_eq!(live["schema_version"], committed["schema_version"]);
    }
}

#[test]
fn what_is_put_away_shows_little() {
    let given = Given::of("corpus").without("skill", "change-of-address").without("path", "commune-desk");
    let skills = value(given.file("/skills/index.json", &Facts::default()));
    let one = skills["skills"].as_array().expect("skills").iter().find(|it| it["id"] == "change-of-address");
    let expected = json!({"id": "change-of-address", "version": "0.1.0", "status": "quarantined"});
    assert_eq!(one, Some(&expected));
    let index = value(given.file("/paths/index.json", &Facts::default()));
    assert_eq!(index["paths"]["commune-desk"], json!({"id": "commune-desk", "status": "quarantined"}));
    assert!(index["paths"]["birth-certificate"]["sources"].is_array());
    let triggers = value(given.file("/agents/triggers.json", &Facts::default()));
    assert!(
        triggers["skills"]["change-of-address"].is_null()
            && triggers["skills"]["criminal-record-extract"].is_object()
    );
}

#[test]
fn what_is_whole_is_served_byte_for_byte() {
    let given = Given::of("corpus");
    for (address, file) in [
        ("/paths/index.json", "corpus/paths/index.json"),
        ("/agents/triggers.json", "corpus/agents/triggers.json"),
        ("/communes.json", "corpus/data/communes.json"),
        ("/scrub-rules.json", "corpus/scrub/regex-rules.json"),
    ] {
        let authored = std::fs::read_to_string(super::repository(file)).expect("read");
        assert!(given.file(address, &Facts::default()) == Some(authored), "{address}");
    }
}
