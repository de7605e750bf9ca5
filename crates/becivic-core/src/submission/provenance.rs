//! Research notes that travel with an amendment or a draft (§6.2.2x).

use crate::vocabulary::words;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

words! {
    /// What produced the notes.
    ProvenanceKind {
        /// A session in which the procedure was worked out.
        DiscoverySession = "discovery_session",
    }
}

/// Where a change comes from. The server writes the sidecar; it is never served inside a skill.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Provenance {
    pub kind: ProvenanceKind,
    pub research_notes_markdown: String,
    pub session_count: Option<u32>,
    pub first_session_at: Option<String>,
    pub last_session_at: Option<String>,
    pub verified_corpus_refs: Option<Vec<String>>,
    pub research_sources: Option<Vec<ResearchSource>>,
}

/// A page behind a claim. Never fetched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ResearchSource {
    pub url: String,
    pub kind: String,
    pub claim: String,
}
