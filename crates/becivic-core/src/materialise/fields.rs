//! One frontmatter field set in a skill's text; every other byte stays.
//!
//! 1. The field's lines end where the next key begins, less the comments and blank lines above that key.
//! 2. A new field goes before the first field that comes after it in the canonical order.

use crate::frontmatter;
use crate::skill::FIELD_ORDER;
use crate::yaml::write;
use serde_json::Value;

/// A skill's whole text, from its fields.
pub fn whole(fields: &serde_json::Map<String, Value>, body: &str) -> String {
    let mut ordered: Vec<(&String, &Value)> = fields.iter().collect();
    ordered.sort_by_key(|(key, _)| rank(key));
    let yaml: String = ordered.into_iter().map(|(key, value)| write::field(key, value)).collect();
    format!("---\n{yaml}---\n{body}")
}

/// The text with the field set; `None` when its frontmatter cannot be read.
pub fn set(text: &str, key: &str, value: &Value) -> Option<String> {
    let (node, parts) = frontmatter::read(text).ok()?;
    let starts: Vec<(&str, usize)> =
        node.entries().iter().map(|entry| (&*entry.key, entry.key_span.start as usize)).collect();
    let end = parts.yaml.end as usize;
    let (from, to) = match starts.iter().position(|(name, _)| *name == key) {
        Some(at) => {
            let (_, from) = *starts.get(at)?;
            let next = starts.get(at + 1).map_or(end, |(_, next)| *next);
            (from, from + own_lines(text.get(from..next)?))
        }
        None => {
            let later = starts.iter().find(|(name, _)| rank(name) > rank(key));
            let at = later.map_or(end, |(_, start)| *start);
            (at, at)
        }
    };
    Some(format!("{}{}{}", text.get(..from)?, write::field(key, value), text.get(to..)?))
}

/// How much of a field's region is its own: not the comments at the margin and blank lines above the next key.
fn own_lines(region: &str) -> usize {
    let mut own = region.len();
    for line in region.split_inclusive('\n').rev() {
        if !(line.starts_with('#') || line.trim().is_empty()) {
            break;
        }
        own -= line.len();
    }
    own
}

fn rank(key: &str) -> usize {
    FIELD_ORDER.iter().position(|field| *field == key).unwrap_or(FIELD_ORDER.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_field_changes_and_nothing_else() {
        let text = "---\nid: a\n# about the title\ntitle: T\nstatus: stable\ntags:\n  - x\n  - y\n\n# end\n---\nBody\n";
        assert_eq!(
            set(text, "tags", &json!(["z"])).as_deref(),
            Some("---\nid: a\n# about the title\ntitle: T\nstatus: stable\ntags: [z]\n\n# end\n---\nBody\n")
        );
        let with = set(text, "version", &json!("0.1.0")).expect("set");
        assert!(with.contains("title: T\nversion: 0.1.0\nstatus: stable\n"), "{with}");
        assert_eq!(set("no frontmatter", "id", &json!("x")), None);
    }
}
