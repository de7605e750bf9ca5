//! The research report beside an artefact (§9.6): begun by a draft, continued by amendments.
//!
//! Only days are written: nobody's session can be recognised by its hour.

use crate::submission::provenance::Provenance;
use crate::yaml::write;
use serde_json::{Value, json};

/// The text of a new report.
pub fn begun(notes: &Provenance, day: &str) -> String {
    format!("---\n{}---\n\n{}\n", header(notes, day), notes.research_notes_markdown.trim())
}

/// A report with a dated section added; `uid` is what the amendment is called in public.
pub fn continued(report: Option<&str>, notes: &Provenance, day: &str, uid: &str) -> String {
    let before = report.map(|text| format!("{}\n\n", text.trim_end())).unwrap_or_default();
    let body = notes.research_notes_markdown.trim();
    format!("{before}## {day} — amendment {uid}\n\n```yaml\n{}```\n\n{body}\n", header(notes, day))
}

fn header(notes: &Provenance, day: &str) -> String {
    let date = |at: &Option<String>| at.as_deref().map(|at| json!(at.get(..10).unwrap_or(at)));
    let fields: [(&str, Option<Value>); 7] = [
        ("kind", Some(json!(notes.kind))),
        ("submitted_at", Some(json!(day))),
        ("session_count", notes.session_count.map(|count| json!(count))),
        ("first_session_at", date(&notes.first_session_at)),
        ("last_session_at", date(&notes.last_session_at)),
        ("verified_corpus_refs", notes.verified_corpus_refs.as_ref().map(|refs| json!(refs))),
        ("research_sources", notes.research_sources.as_ref().map(|sources| json!(sources))),
    ];
    let written = fields.into_iter().filter_map(|(key, value)| Some(write::field(key, &value?)));
    written.collect()
}
