//! What waits, as JSON: what `becivic review --json` prints and what the pages are made of.

use super::items::{ArtefactShown, HeldShown, PullShown, Withdrawn};
use super::marks::Field;
use super::preview::Proposed;
use super::states::ASKED;
use crate::db::audit::Entry;
use crate::db::desk::{Held, Pull};
use crate::db::feedback::Message;
use crate::db::flags::{Flag, Item};
use crate::repository::Commit;
use becivic_core::submission::Kind;
use serde_json::{Value, json};

/// A pull request in a list.
pub fn pull(it: &Pull) -> Value {
    json!({
        "number": it.number,
        "purpose": it.purpose,
        "uid": it.public_uid,
        "target_type": it.target_type,
        "target_id": it.target_id,
        "title": it.title,
        "state": it.state,
        "outcome": it.outcome,
        "forge_number": it.forge_number,
        "opened": it.opened.date(),
        "approved": it.review.as_deref() == Some(super::pulls::APPROVED),
        "failure": it.failure,
    })
}

/// A pull request with what it would do.
pub fn pull_shown(it: &PullShown) -> Value {
    json!({
        "pull": pull(&it.pull),
        "proposed": it.proposed.as_ref().map(proposed),
        "fields": list(&it.fields, field),
        "log": list(&it.log, entry),
    })
}

/// What a proposal would do.
pub fn proposed(it: &Proposed) -> Value {
    let line = |line: &super::preview::Line| json!({"sign": line.side.sign(), "text": line.text});
    let finding = |it: &becivic_core::finding::Finding| {
        json!({
            "rule": it.rule, "severity": it.severity.as_str(), "file": it.file, "line": it.line,
            "message": it.message, "help": it.help,
        })
    };
    json!({
        "body": it.body,
        "files": list(&it.files, |file| json!({"path": file.path, "diff": list(&file.diff, line)})),
        "unlisted_hosts": it.unlisted,
        "findings": list(&it.findings, finding),
        "broken": it.broken,
    })
}

/// A string of a submission, in pieces. What every submission has is not what somebody wants to read, unless it is marked.
pub fn field(it: &Field) -> Value {
    let piece = |piece: &super::marks::Piece| json!({"text": piece.text, "mark": piece.mark});
    let first = it.pointer.split('/').nth(1).unwrap_or_default();
    let usual = USUAL.contains(&first) || Kind::ALL.iter().any(|kind| kind.id_field() == first);
    let marked = it.pieces.iter().any(|piece| piece.mark.is_some());
    json!({"pointer": it.pointer, "pieces": list(&it.pieces, piece), "usual": usual && !marked})
}

/// Fields that every submission has.
const USUAL: &[&str] = &[
    "schema_version",
    "submitted_at",
    "submitting_agent",
    "submission_contract_version",
    "declared_capabilities",
];

/// A held submission in a list.
pub fn held(it: &Held) -> Value {
    let target = serde_json::from_str::<Value>(&it.payload).ok().and_then(|value| {
        let about = value.get("target_id").or_else(|| value.get("proposed_id"))?.as_str()?.to_owned();
        Some(match value.get("target_type").and_then(Value::as_str) {
            Some(kind) => format!("{kind}:{about}"),
            None => about,
        })
    });
    json!({"id": it.id, "kind": it.kind, "about": target, "review": it.review, "held": it.day.date()})
}

/// What was published and is held now, in the same list.
pub fn withdrawn(it: &Withdrawn) -> Value {
    json!({"id": it.uid, "kind": it.kind, "about": null, "review": ASKED, "held": it.day.date()})
}

/// Why something is held, in words.
fn why_held(review: Option<&str>, was_committed: bool) -> &'static str {
    match review {
        Some("name") => "somebody seems to be named in it",
        Some("unlisted_host") => "it leads to a host that nobody listed, or that looks like another",
        Some("draft_target") => "what it amends is still a draft",
        Some("not_https") => "it leads to a listed host without encryption",
        Some(_) | None if was_committed => "a maintainer took it back after it was committed",
        Some(_) | None => "a maintainer asked for a look",
    }
}

/// A held submission.
pub fn held_shown(it: &HeldShown) -> Value {
    json!({
        "id": it.id,
        "kind": it.kind,
        "review": it.review,
        "was_committed": it.was_committed,
        "why_held": why_held(it.review.as_deref(), it.was_committed),
        "held": it.day.date(),
        "fields": list(&it.fields, field),
        "json": it.json,
        "proposed": it.proposed.as_ref().map(proposed),
        "subject": it.subject,
        "log": list(&it.log, entry),
    })
}

/// A review item.
pub fn item(it: &Item) -> Value {
    json!({
        "uid": it.uid,
        "reason": it.reason,
        "target_type": it.target_type,
        "target_id": it.target_id,
        "state": it.state,
        "opened": it.day.date(),
        "forge_number": it.forge_number,
    })
}

/// An artefact.
pub fn artefact(it: &ArtefactShown) -> Value {
    let flag = |it: &Flag| {
        json!({
            "verdict": it.verdict, "reason": it.reason, "words": it.words, "rationale": it.rationale, "version": it.cohort_anchor,
            "state": it.state, "day": it.day.date(),
        })
    };
    let commit = |it: &Commit| json!({"sha": it.sha, "subject": it.subject, "day": it.at.date()});
    json!({
        "target": it.target.to_string(),
        "target_type": it.target.kind.as_str(),
        "target_id": it.target.id,
        "status": it.standing.as_ref().map(|(status, _)| status),
        "version": it.standing.as_ref().map(|(_, version)| version),
        "text": it.text,
        "items": list(&it.items, item),
        "flags": list(&it.raised, flag),
        "history": list(&it.history, commit),
        "log": list(&it.log, entry),
    })
}

/// A message.
pub fn message(it: &Message) -> Value {
    json!({
        "handle": it.handle(),
        "topic": it.topic,
        "pointer": it.pointer,
        "body": it.body,
        "state": it.state,
        "day": it.day.date(),
    })
}

/// A line of the audit log.
pub fn entry(it: &Entry) -> Value {
    json!({
        "number": it.number, "at": it.at.text(), "who": it.who, "action": it.action, "subject": it.subject,
        "why": it.why,
    })
}

/// A list of anything.
pub fn list<T>(items: &[T], one: impl Fn(&T) -> Value) -> Value {
    items.iter().map(one).collect()
}
