//! Submissions that are accepted, with fresh ids and the time of now.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The time, moved by some seconds, as submissions write it.
pub fn time(seconds: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64;
    becivic_server::moment::Moment(now + seconds * 1_000).text()
}

/// A new id with this prefix: a UUIDv7 of now.
pub fn id(prefix: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let random = u64::from(std::process::id()).rotate_left(40) ^ count.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (high, low) = (now >> 16, now & 0xffff);
    format!(
        "{prefix}{high:08x}-{low:04x}-7{:03x}-8{:03x}-{:012x}",
        count & 0xfff,
        (random >> 48) & 0xfff,
        random & 0xffff_ffff_ffff
    )
}

fn base(version: u32, capabilities: &[&str]) -> Value {
    json!({
        "schema_version": version,
        "submitted_at": time(0),
        "submitting_agent": "example-runtime/1.4.0",
        "submission_contract_version": "2.1.0",
        "declared_capabilities": capabilities,
    })
}

fn with(mut value: Value, more: Value) -> Value {
    if let (Some(fields), Value::Object(more)) = (value.as_object_mut(), more) {
        fields.extend(more);
    }
    value
}

const LIGHT: &[&str] = &["multi_turn", "structured_output"];
const FULL: &[&str] = &["multi_turn", "structured_output", "web_fetch", "tool_execution", "file_read"];

/// A concern about a skill.
pub fn concern(skill: &str, body: &str) -> Value {
    with(
        base(4, LIGHT),
        json!({
            "concern_id": id("con_"),
            "target_type": "skill",
            "target_id": skill,
            "content": {"scope": "general", "body": body, "evidence_date": "2026-10-28", "evidence_source": "customer-report"},
        }),
    )
}

/// A verdict.
pub fn validation(target_type: &str, target_id: &str, verdict: &str) -> Value {
    let rationale = (verdict == "reject").then_some("The counter asked for another document.");
    let value = with(
        base(4, FULL),
        json!({
            "validation_id": id("val_"),
            "target_type": target_type,
            "target_id": target_id,
            "verdict": verdict,
        }),
    );
    match rationale {
        Some(rationale) => with(value, json!({"rationale": rationale})),
        None => value,
    }
}

/// A message about Be Civic.
pub fn feedback(body: &str) -> Value {
    with(base(1, LIGHT), json!({"feedback_id": id("fbk_"), "topic": "suggestion", "body": body}))
}

/// Stars for a skill.
pub fn rating(skill: &str, stars: u8) -> Value {
    with(
        base(1, LIGHT),
        json!({
            "rating_id": id("rtg_"), "target_type": "skill", "target_id": skill, "skill_quality_stars": stars,
        }),
    )
}

/// An event.
pub fn analytics() -> Value {
    json!({
        "schema_version": 1,
        "analytics_event_id": id("anl_"),
        "submitted_at": time(0),
        "submitting_agent": "example-runtime/1.4.0",
        "submission_contract_version": "2.1.0",
        "opt_in_consent": true,
        "event_type": "session_start",
        "content": {},
    })
}

/// A correction of a value.
pub fn value_amendment(uid: &str, value: Value) -> Value {
    let value_type = if value.is_string() { "string" } else { "integer" };
    with(
        base(4, LIGHT),
        json!({
            "amendment_id": id("amd_"),
            "target_type": "volatile_value",
            "target_id": uid,
            "rationale": "The counter asked for another amount.",
            "content": {"proposed_value": value, "value_type": value_type},
        }),
    )
}

/// An envelope around items; each brings its type and its own id.
pub fn envelope(mode: &str, items: Vec<Value>) -> Value {
    with(base(1, FULL), json!({"session_id": id("ses_"), "mode": mode, "items": items}))
}

/// A submission as an item: without what the envelope declares once.
pub fn item(kind: &str, mut submission: Value) -> Value {
    let fields = submission.as_object_mut().expect("an object");
    for name in ["submitted_at", "submitting_agent", "submission_contract_version", "declared_capabilities"] {
        fields.remove(name);
    }
    with(json!({"type": kind}), submission)
}
