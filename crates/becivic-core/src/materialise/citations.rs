//! Tags that cite values and references without a uid (§6.11, DECISIONS §9b).
//!
//! 1. A name that the catalogue knows gets its uid, and says what the catalogue says: the written value is ignored.
//! 2. A name it does not know is listed, with what its first row would hold; whoever merges mints it.

use crate::catalogue::{Catalogue, SeedCatalogue};
use crate::mdx::{self, tag::Tag, tag::TagKind};
use crate::text::{Source, Span};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// An entry of the catalogue that a text cites and nobody has made yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Citation {
    /// Whether it is a value; a reference otherwise.
    pub is_value: bool,
    /// Its name.
    pub name: String,
    /// What its first row holds.
    pub content: Map<String, Value>,
}

impl Citation {
    /// Adds a first row of the entry to a catalogue, under this uid.
    pub fn add_to(&self, catalogue: &mut SeedCatalogue, uid: &str, committed_at: &str) {
        let mut row = self.content.clone();
        for (name, value) in
            [("uid", uid), ("name", &self.name), ("status", "alpha"), ("committed_at", committed_at)]
        {
            row.insert(name.to_owned(), json!(value));
        }
        let row = Value::Object(row);
        // A row that lacks something is refused by the rules: its uid does not resolve then.
        let _added = if self.is_value {
            serde_json::from_value(row).map(|row| catalogue.add_value(row)).is_ok()
        } else {
            serde_json::from_value(row).map(|row| catalogue.add_reference(row)).is_ok()
        };
    }
}

/// The names a text cites that the catalogue does not know.
pub fn missing(text: &str, catalogue: &dyn Catalogue) -> Vec<Citation> {
    let (source, tags) = uncited(text);
    let mut seen = BTreeSet::new();
    let mut missing = Vec::new();
    for tag in &tags {
        let Some(name) = tag.value(&source, "name") else { continue };
        let is_value = tag.kind == TagKind::VV;
        let known = if is_value {
            catalogue.value_named(&name).is_some()
        } else {
            catalogue.reference_named(&name).is_some()
        };
        if known || !seen.insert((is_value, name.to_string())) {
            continue;
        }
        let content = if is_value { value_row(tag, &source) } else { reference_row(tag, &source) };
        missing.push(Citation { is_value, name: name.into_owned(), content });
    }
    missing
}

/// Every uid a text cites.
pub fn cited(text: &str) -> BTreeSet<String> {
    let start = crate::frontmatter::split(text).map_or(0, |parts| parts.body.start as usize);
    let (document, _) = mdx::parse(text, start);
    let source = Source::new("", text);
    document.tags.iter().filter_map(|tag| tag.value(&source, "uid").map(|uid| uid.into_owned())).collect()
}

/// The text with every uid filled in that the catalogue knows.
pub fn fill(text: &str, catalogue: &dyn Catalogue) -> String {
    let (source, tags) = uncited(text);
    let mut edits: Vec<(Span, String)> = Vec::new();
    for tag in &tags {
        let Some(name) = tag.value(&source, "name") else { continue };
        let mut attribute = |name: &str, value: &str| {
            let escaped = value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
            match (tag.attribute(&source, name), tag.attribute(&source, "name")) {
                (Some(there), _) => edits.push((there.value, escaped)),
                (None, Some(after)) => {
                    let at = Span { start: after.value.end + 1, end: after.value.end + 1 };
                    edits.push((at, format!(" {name}=\"{escaped}\"")));
                }
                (None, None) => {}
            }
        };
        if tag.kind == TagKind::VV {
            let Some(row) = catalogue.value_named(&name) else { continue };
            attribute("uid", &row.uid);
            if let Some(children) = tag.children() {
                edits.push((children, row.shown()));
            }
        } else {
            let Some(row) = catalogue.reference_named(&name) else { continue };
            attribute("uid", &row.uid);
            attribute("title", &row.title);
            attribute("url", &row.url);
            attribute("last_verified", row.last_verified.as_deref().unwrap_or_default());
        }
    }
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for (span, new) in edits {
        out.push_str(text.get(at..span.start as usize).unwrap_or_default());
        out.push_str(&new);
        at = span.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// The values and references that are cited without a uid.
fn uncited(text: &str) -> (Source, Vec<Tag>) {
    let start = crate::frontmatter::split(text).map_or(0, |parts| parts.body.start as usize);
    let (document, _) = mdx::parse(text, start);
    let source = Source::new("", text);
    let cites =
        |tag: &Tag| matches!(tag.kind, TagKind::VV | TagKind::Ref) && tag.value(&source, "uid").is_none();
    let tags = document.tags.iter().filter(|tag| cites(tag)).cloned().collect();
    (source, tags)
}

fn value_row(tag: &Tag, source: &Source) -> Map<String, Value> {
    let shown = tag.children().map_or("", |span| source.slice(span)).trim();
    let whole = shown.parse::<i64>().ok().filter(|n| n.to_string() == shown).map(|n| (json!(n), "integer"));
    let number =
        || shown.parse::<f64>().ok().filter(|n| n.to_string() == shown).map(|n| (json!(n), "number"));
    let (value, value_type) = whole.or_else(number).unwrap_or_else(|| (json!(shown), "string"));
    Map::from_iter([("value".to_owned(), value), ("value_type".to_owned(), json!(value_type))])
}

fn reference_row(tag: &Tag, source: &Source) -> Map<String, Value> {
    let mut row = Map::new();
    for name in ["title", "url", "last_verified"] {
        if let Some(value) = tag.value(source, name) {
            row.insert(name.to_owned(), json!(value));
        }
    }
    if !row.contains_key("title") {
        let label = tag.children().map_or("", |span| source.slice(span)).trim();
        row.insert("title".to_owned(), json!(label));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::ValueRow;

    #[test]
    fn known_names_get_their_uid_and_unknown_ones_are_listed() {
        let mut catalogue = SeedCatalogue::default();
        let row = json!({"uid": "val-00007", "name": "fee-eur", "value": 20, "value_type": "integer", "status": "alpha",
            "committed_at": "2026-11-15T00:00:00Z"});
        let row: ValueRow = serde_json::from_value(row).expect("a row");
        catalogue.add_value(row).expect("new");
        let text = "Pay <VV name=\"fee-eur\" uid=\"\">19</VV> or <VV name=\"fee-eur\">18</VV>, see \
            <Ref name=\"new-page\" title=\"T\" url=\"https://a.be/\" last_verified=\"\">T</Ref>.\n";
        assert_eq!(
            fill(text, &catalogue),
            "Pay <VV name=\"fee-eur\" uid=\"val-00007\">20</VV> or <VV name=\"fee-eur\" uid=\"val-00007\">20</VV>, see \
            <Ref name=\"new-page\" title=\"T\" url=\"https://a.be/\" last_verified=\"\">T</Ref>.\n"
        );
        let listed = missing(text, &catalogue);
        assert_eq!(listed.len(), 1);
        assert_eq!(listed.first().map(|it| (it.is_value, it.name.as_str())), Some((false, "new-page")));
        let twelve =
            missing("<VV name=\"n\">12</VV> <VV name=\"m\">1.5</VV> <VV name=\"o\">007</VV>\n", &catalogue);
        let types: Vec<&Value> = twelve.iter().filter_map(|it| it.content.get("value_type")).collect();
        assert_eq!(types, ["integer", "number", "string"]);
    }
}
