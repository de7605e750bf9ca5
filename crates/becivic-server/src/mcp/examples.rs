//! Examples of what the tools that send take. Each is whole: it fits the schema of its kind, and with the time of today a server that
//! holds the public corpus says that it would be accepted.

use becivic_core::submission::Kind;

/// The arguments of a call that rehearses a submission of a kind.
pub fn of(kind: Kind) -> &'static str {
    match kind {
        Kind::Concern => CONCERN,
        Kind::Amendment => AMENDMENT,
        Kind::Validation => VALIDATION,
        Kind::Draft => DRAFT,
        Kind::Feedback => FEEDBACK,
        Kind::Rating => RATING,
        // Nothing of this kind is sent by a tool.
        Kind::Analytics => "{}",
    }
}

const CONCERN: &str = r#"{"mode": "validate", "submission": {"schema_version": 4, "concern_id": "con_019a813c-72a2-711e-931a-9cb0e3f05b6b", "submitted_at": "2026-01-15T09:30:00Z", "submitting_agent": "example-runtime/1.4.0", "submission_contract_version": "2.1.0", "declared_capabilities": ["multi_turn", "structured_output"], "target_type": "skill", "target_id": "change-of-address", "context": {"language_used": "fr", "country": "be", "region": "brussels", "commune": "21009"}, "content": {"scope": "commune-specific", "specifier": "21009", "body": "The desk asked for the lease as well; the page does not list it among the documents.", "evidence_date": "2026-01-10", "evidence_source": "customer-report"}}}"#;

const AMENDMENT: &str = r#"{"mode": "validate", "submission": {"schema_version": 4, "amendment_id": "amd_019a813c-4d67-7bbb-9db7-deb6626c2dc4", "submitted_at": "2026-01-15T09:30:00Z", "submitting_agent": "example-runtime/1.4.0", "submission_contract_version": "2.1.0", "declared_capabilities": ["multi_turn", "structured_output"], "target_type": "volatile_value", "target_id": "val-00092", "rationale": "The list of fees on the official page shows another amount.", "content": {"proposed_value": 25, "value_type": "integer"}}}"#;

const VALIDATION: &str = r#"{"mode": "validate", "submission": {"schema_version": 4, "validation_id": "val_019a813c-4915-73b1-9383-4e9bfc95a727", "submitted_at": "2026-01-15T09:30:00Z", "submitting_agent": "example-runtime/1.4.0", "submission_contract_version": "2.1.0", "declared_capabilities": ["multi_turn", "structured_output", "web_fetch", "tool_execution"], "target_type": "skill", "target_id": "change-of-address", "verdict": "confirm", "injection_flag": false}}"#;

const DRAFT: &str = r##"{"mode": "validate", "submission": {"schema_version": 4, "draft_id": "drf_019a813c-5d88-706b-9ef6-d583904299ef", "submitted_at": "2026-01-15T09:30:00Z", "submitting_agent": "example-runtime/1.4.0", "submission_contract_version": "2.1.0", "declared_capabilities": ["multi_turn", "structured_output", "web_fetch", "tool_execution", "file_read"], "target_type": "skill", "proposed_id": "certificate-of-life", "commit_message": "Propose a skill for the certificate of life", "provenance": null, "content": {"frontmatter": {"id": "certificate-of-life", "title": "Get a certificate of life", "schema_version": 4, "version": "0.1.0", "status": "alpha", "origin": "community", "category": "belgium-federal-civil-status", "submission_contract_version": "2.1.0"}, "body": "# Get a certificate of life\n\n## Authoritative basis\n\n- What communes issue is listed by <Ref name=\"be-brussels-administrative-documents\" uid=\"ref-00003\" title=\"Brussels-Capital Region: administrative documents\" url=\"https://be.brussels/fr/identite-nationalite/documents-administratifs\" last_verified=\"\">the regional portal</Ref>.\n\n## Required documents\n\n- An identity card [be-brussels-administrative-documents].\n\n## Process\n\n1. Ask the population desk of your commune [be-brussels-administrative-documents].\n\n## Community observations\n\n<Observations skill=\"certificate-of-life\" />\n\n## Requests for contributions\n\n- Which communes issue it online?\n"}}}"##;

const FEEDBACK: &str = r#"{"mode": "validate", "submission": {"schema_version": 1, "feedback_id": "fbk_019a813c-d31f-7223-af4d-b27c617b6f3e", "submitted_at": "2026-01-15T09:30:00Z", "submitting_agent": "example-runtime/1.4.0", "submission_contract_version": "2.1.0", "declared_capabilities": ["multi_turn", "structured_output"], "topic": "confusion", "pointer": "change-of-address", "body": "The banner about the alpha status was read as a warning about the procedure."}}"#;

const RATING: &str = r#"{"mode": "validate", "submission": {"schema_version": 1, "rating_id": "rtg_019a813c-28b3-7c78-99d3-2563721c1beb", "submitted_at": "2026-01-15T09:30:00Z", "submitting_agent": "example-runtime/1.4.0", "submission_contract_version": "2.1.0", "declared_capabilities": ["multi_turn", "structured_output"], "target_type": "skill", "target_id": "change-of-address", "skill_quality_stars": 4, "would_be_5_stars": "A list of what to bring on one page."}}"#;

/// An envelope of two: what they share stands around them.
pub const ENVELOPE: &str = r#"{"envelope": {"schema_version": 1, "session_id": "ses_019a813c-56de-7698-a6a9-b027fe4b8ffb", "submitted_at": "2026-01-15T09:30:00Z", "submitting_agent": "example-runtime/1.4.0", "submission_contract_version": "2.1.0", "declared_capabilities": ["multi_turn", "structured_output", "web_fetch", "tool_execution"], "items": [{"type": "validation", "schema_version": 4, "validation_id": "val_019a813c-2853-7937-a664-32d3234ca894", "target_type": "skill", "target_id": "change-of-address", "verdict": "confirm", "injection_flag": false}, {"type": "rating", "schema_version": 1, "rating_id": "rtg_019a813c-b2fa-79ce-9310-08700049cbe9", "target_type": "agent_protocol", "target_id": "2.1.0", "agent_protocol_stars": 5}]}}"#;

#[cfg(test)]
mod tests {
    use super::*;
    use becivic_core::preflight::shape;
    use becivic_core::schema::Schema;
    use serde_json::{Value, json};

    #[test]
    fn whoever_copies_an_example_is_told_to_stamp_it_anew() {
        let sending = crate::mcp::tools::TOOLS.iter().filter(|tool| tool.example.contains("submitted_at"));
        let about: Vec<_> = sending.filter_map(|tool| tool.listed.description.as_deref()).collect();
        assert_eq!(about.len(), 8);
        assert!(about.iter().all(|it| it.contains("set `submitted_at` to the time of sending")), "{about:?}");
    }

    #[test]
    fn every_example_fits_the_whole_schema_of_its_kind() {
        for kind in Kind::ALL.iter().filter(|kind| **kind != Kind::Analytics) {
            let arguments: Value = serde_json::from_str(of(*kind)).expect("JSON");
            assert_eq!(shape(kind.schema(), &arguments["submission"]), [], "{kind:?}");
        }
        let mut arguments: Value = serde_json::from_str(ENVELOPE).expect("JSON");
        arguments["envelope"]["mode"] = json!("validate");
        assert_eq!(shape(Schema::FeedbackEnvelope, &arguments["envelope"]), []);
    }
}
