//! Every fixture of a submission through the real endpoints: the good ones are stored, the bad ones are refused with the
//! category in their name, and nothing of them is kept.
//!
//! Fixtures were written once: their times are moved to now, their ids made fresh and their commits replaced by the
//! server's own, each only where it is well-formed, so that a field that is wrong on purpose stays wrong.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make, root};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::moment::Moment;
use serde_json::Value;
use std::path::{Path, PathBuf};

on_both_engines!(
    Setup::fixtures().unlimited().with("CONSENSUS__QUARANTINE_FLAGS", "1000"),
    cases![
        known_concerns,
        concern_fixtures,
        amendment_fixtures,
        validation_fixtures,
        draft_fixtures,
        feedback_fixtures,
        rating_fixtures,
        analytics_fixtures,
        envelope_fixtures,
    ]
);

/// The status of each category (DECISIONS §7).
pub fn status_of(category: &str) -> u16 {
    match category {
        "malformed_json" | "schema_fail" | "identity_field_banned" | "timing_fail" | "invalid_transition" => {
            400
        }
        "unauthorized" => 401,
        "capability_mismatch" | "self_validation_blocked" => 403,
        "not_found" => 404,
        "method_not_allowed" => 405,
        "diff_apply_failed" | "duplicate_id_different_submitter" => 409,
        "payload_too_large" => 413,
        "unsupported_media_type" => 415,
        "regex_fail" | "cross_ref_fail" | "layer2_scrub_failure" => 422,
        "rate_limit_exceeded" => 429,
        "staging_unavailable" => 503,
        other => panic!("{other} is no category"),
    }
}

/// The concerns that fixtures take for committed are put there as the commit job would.
fn known_concerns(_: &Server, place: &Place) {
    let text = std::fs::read_to_string(root().join("fixtures/known-concerns.json")).expect("the list");
    let listed: Vec<String> = serde_json::from_str(&text).expect("uids");
    assert!(!listed.is_empty());
    let count = listed.len();
    let given = place.write(move |tx| {
        let concern = Concern {
            target_type: "skill".to_owned(),
            target_id: "arrival-declaration".to_owned(),
            scope: Some("general".to_owned()),
            body: "The desk asked for two photographs.".to_owned(),
            evidence_month: "2026-10".to_owned(),
            day: Moment(1_790_000_000_000).day().0,
            ..Concern::default()
        };
        (0..count).map(|_| concerns::insert(tx, &concern)).collect::<Result<Vec<String>, _>>()
    });
    assert_eq!(given, listed);
}

fn concern_fixtures(server: &Server, _: &Place) {
    submissions(server, "concerns", "/api/concerns", "concern_id", "con_");
}

fn amendment_fixtures(server: &Server, _: &Place) {
    submissions(server, "amendments", "/api/amendments", "amendment_id", "amd_");
}

fn validation_fixtures(server: &Server, _: &Place) {
    submissions(server, "validations", "/api/validations", "validation_id", "val_");
}

fn draft_fixtures(server: &Server, _: &Place) {
    submissions(server, "drafts", "/api/drafts", "draft_id", "drf_");
}

fn feedback_fixtures(server: &Server, _: &Place) {
    submissions(server, "feedback_channel", "/api/feedback-channel", "feedback_id", "fbk_");
}

fn rating_fixtures(server: &Server, _: &Place) {
    submissions(server, "ratings", "/api/ratings", "rating_id", "rtg_");
}

fn analytics_fixtures(server: &Server, _: &Place) {
    submissions(server, "analytics", "/api/analytics", "analytics_event_id", "anl_");
}

/// Sends every fixture of one folder to one endpoint, and says all that went wrong together.
fn submissions(server: &Server, folder: &str, endpoint: &str, id_field: &str, prefix: &str) {
    let mut wrong = Vec::new();
    for file in files(&root().join("fixtures").join(folder)) {
        let mut value = read(&file);
        freshen(server, &mut value, id_field, prefix);
        let reply = server.post(endpoint, &value);
        let stored = match value[id_field].as_str() {
            // Analytics cannot be read back by anybody.
            Some(id) if is_id(id, prefix) && folder != "analytics" => {
                Some(server.get(&format!("{endpoint}/{id}")).status)
            }
            _ => None,
        };
        // An address that nobody listed is accepted, and looked at first.
        let addresses = ["/content/proposed_url", "/content/archived_url"];
        let led = addresses.iter().any(|pointer| value.pointer(pointer).is_some());
        let accepted = if led { reply.status == 202 } else { reply.status == 201 };
        let fine = match expected(&file) {
            None => accepted && stored.is_none_or(|status| status == 200),
            Some(category) => refused(&reply, &category) && stored.is_none_or(|status| status == 404),
        };
        if !fine {
            wrong.push(format!("{}: {} {} then GET {stored:?}", file.display(), reply.status, reply.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn refused(reply: &Reply, category: &str) -> bool {
    reply.error() == category && reply.status == status_of(category)
}

fn envelope_fixtures(server: &Server, _: &Place) {
    let mut wrong = Vec::new();
    for file in files(&root().join("fixtures/envelopes")) {
        let mut envelope = read(&file);
        freshen(server, &mut envelope, "none", "none");
        for item in envelope["items"].as_array_mut().into_iter().flatten() {
            let kind = item["type"].as_str().unwrap_or_default().to_owned();
            for (name, prefix) in IDS {
                if *name == format!("{kind}_id") {
                    freshen(server, item, name, prefix);
                }
            }
        }
        let reply = server.post("/api/feedback", &envelope);
        let results = reply.json()["results"].as_array().cloned().unwrap_or_default();
        let sent = envelope["items"].as_array().map_or(0, Vec::len);
        let a_bad_item_on_purpose = file.to_string_lossy().contains("a-bad-item");
        let fine = match expected(&file) {
            None => {
                let good = |result: &Value| result["ok"] == true || a_bad_item_on_purpose;
                reply.status == 200 && results.len() == sent && results.iter().all(good)
            }
            Some(category) => {
                let item_refused = |result: &Value| {
                    result["ok"] == false
                        && result["status"] == "rejected"
                        && result["error"] == category.as_str()
                };
                refused(&reply, &category) || (reply.status == 200 && results.iter().any(item_refused))
            }
        };
        if !fine {
            wrong.push(format!("{}: {} {}", file.display(), reply.status, reply.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The id field of each type that an envelope may hold, and how its ids begin.
const IDS: &[(&str, &str)] = &[
    ("concern_id", "con_"),
    ("amendment_id", "amd_"),
    ("validation_id", "val_"),
    ("draft_id", "drf_"),
    ("feedback_id", "fbk_"),
    ("rating_id", "rtg_"),
];

/// Moves a fixture to now and to this server; what is not well-formed is left as it is.
fn freshen(server: &Server, value: &mut Value, id_field: &str, prefix: &str) {
    if value[id_field].as_str().is_some_and(|id| is_id(id, prefix)) {
        value[id_field] = make::id(prefix).into();
    }
    if value["submitted_at"].as_str().is_some_and(|at| Moment::read(at).is_some()) {
        value["submitted_at"] = make::time(0).into();
    }
    if value["content"]["skill_commit"].as_str().is_some_and(|it| it.bytes().all(|b| b.is_ascii_hexdigit())) {
        value["content"]["skill_commit"] = server.get("/readyz").json()["commit"].clone();
    }
}

/// A fixture made fresh, to be changed by a test of something else.
pub fn fresh(server: &Server, file: &str, id_field: &str, prefix: &str) -> Value {
    let mut value = read(&root().join("fixtures").join(file));
    freshen(server, &mut value, id_field, prefix);
    value
}

/// Whether a text is an id: the prefix and a UUIDv7 in lower case.
fn is_id(text: &str, prefix: &str) -> bool {
    let Some(uuid) = text.strip_prefix(prefix) else { return false };
    let fits = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        14 => byte == b'7',
        19 => matches!(byte, b'8' | b'9' | b'a' | b'b'),
        _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
    };
    uuid.len() == 36 && uuid.bytes().enumerate().all(fits)
}

/// The category a bad fixture is named after; none for a good one.
fn expected(file: &Path) -> Option<String> {
    let bad = file.components().any(|part| part.as_os_str() == "invalid");
    let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
    bad.then(|| name.split('.').next().expect("a category").to_owned())
}

fn read(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).expect("a fixture");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let list = if entry.path().is_dir() { &mut open } else { &mut found };
            list.push(entry.path());
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{} is empty", folder.display());
    found
}
