//! No document carries a field that names a person or a device (§6.2, §6.12.9).
//!
//! The list: submitter_name, submitter_email, session_correlation_id, device_id, user_id, user_email,
//! user_name, ip_address, github_login. In submissions they are refused at any depth.
//!
//! Example of a violation: `submitter_email: …` on a path entry.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "identity_field_banned",
    severity: Severity::Error,
    file: include_str!("identity_field_banned.rs"),
    check: Check::Reading,
};
