//! Old spellings of profile fields, moved to the present ones (§8.7.4, DECISIONS §14).
//!
//! A new name that is already there wins; the old one is dropped.

use serde_json::{Map, Value};

/// The profile with present names, and one warning per old name met.
pub(super) fn to_current(value: &Value) -> (Value, Vec<&'static str>) {
    let mut value = value.clone();
    let mut warnings = Vec::new();
    if let Value::Object(profile) = &mut value {
        if let Some(old) = profile.remove("civil_status") {
            put(profile, "civic_status", old);
            warnings.push("civil_status is now civic_status");
        }
        if let Some(old) = profile.remove("other_languages") {
            // The first entry was the language of the conversation; the others decided nothing.
            if let Some(first) = old.get(0) {
                put(profile, "conversation_language", first.clone());
            }
            warnings.push("other_languages is now conversation_language");
        }
        if let Some(Value::Object(documents)) = profile.get_mut("document_inventory") {
            for name in ["has_eID", "has_eid"] {
                if let Some(old) = documents.remove(name) {
                    let word = match old {
                        Value::Bool(true) => Value::from("yes"),
                        Value::Bool(false) => Value::from("no"),
                        other => other,
                    };
                    put(documents, "has_id_card", word);
                    warnings.push("document_inventory.has_eID is now document_inventory.has_id_card");
                }
            }
        }
    }
    (value, warnings)
}

fn put(fields: &mut Map<String, Value>, name: &str, value: Value) {
    fields.entry(name).or_insert(value);
}

#[cfg(test)]
mod tests {
    use crate::profile::{CivicStatus, HasIdCard, Profile};
    use serde_json::json;

    #[test]
    fn old_spellings_are_read_and_never_kept() {
        let (profile, warnings) = Profile::read(&json!({
            "profile_schema_version": "1",
            "last_updated_at": "2026-05-12T10:00:00Z",
            "civil_status": "married",
            "other_languages": ["English", "Tagalog"],
            "document_inventory": {"has_eID": true},
        }))
        .expect("old, but readable");
        assert_eq!(profile.civic_status, Some(CivicStatus::Married));
        assert_eq!(profile.conversation_language.as_deref(), Some("English"));
        let card = profile.document_inventory.as_ref().and_then(|documents| documents.has_id_card);
        assert_eq!(card, Some(HasIdCard::Yes));
        assert_eq!(warnings.len(), 3);
        let written = serde_json::to_string(&profile).expect("JSON");
        assert!(!written.contains("has_eID") && !written.contains("civil_status"));
    }
}
