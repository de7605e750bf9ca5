//! A submission as maintainers read it: every string with its place, and what is suspicious in it marked.
//!
//! 1. What the scrub rules find, by the name of the rule.
//! 2. Names of people, with how sure the recogniser is; where anybody's own words stand.
//! 3. Addresses of hosts that nobody listed.
//!
//! Characters that do not show, or that turn the direction of others, are made visible by whoever prints a text
//! ([`visible`]).

use crate::app::App;
use crate::pipeline::look::KnownHosts;
use becivic_core::addresses;
use becivic_core::preflight::{self, Doubt, Why, doubts};
use becivic_core::submission::Kind;
use serde_json::Value;
use std::collections::HashMap;
use std::ops::Range;

/// One string of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Where it stands, as a JSON pointer.
    pub pointer: String,
    /// Its text in pieces.
    pub pieces: Vec<Piece>,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Why it is marked, if it is.
    pub mark: Option<String>,
}

/// Every string and number of a submission, in its order.
pub fn fields(kind: Kind, value: &Value, app: &App) -> Vec<Field> {
    let (scrubber, known) = (app.scrubber, KnownHosts::of(app));
    let mut named: HashMap<String, Vec<Doubt>> = HashMap::new();
    for doubt in
        preflight::doubts(kind, value, app.names, |_| true).into_iter().filter(|it| it.why == Why::Name)
    {
        named.entry(doubt.pointer.clone()).or_default().push(doubt);
    }
    let mut fields = Vec::new();
    walk(value, String::new(), &mut |pointer, text| {
        let mut marks: Vec<(Range<usize>, String)> = scrubber
            .scan(text)
            .into_iter()
            .map(|hit| {
                let rule = scrubber.rules().get(hit.rule).map_or("scrub rule", |rule| rule.name.as_str());
                (hit.span, rule.to_owned())
            })
            .collect();
        marks.extend(named.get(&pointer).into_iter().flatten().map(name));
        marks.extend(unlisted(text, &known));
        fields.push(Field { pointer, pieces: pieces(text, marks) });
    });
    fields
}

fn walk(value: &Value, pointer: String, found: &mut impl FnMut(String, &str)) {
    match value {
        Value::String(text) => found(pointer, text),
        Value::Number(number) => found(pointer, &number.to_string()),
        Value::Bool(yes) => found(pointer, if *yes { "true" } else { "false" }),
        Value::Null => found(pointer, "null"),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| walk(item, format!("{pointer}/{at}"), found));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, inner)| {
                walk(inner, format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), found)
            });
        }
    }
}

fn name(doubt: &Doubt) -> (Range<usize>, String) {
    let sure = (doubt.score.unwrap_or_default() * 100.0).floor();
    (doubt.start..doubt.end, format!("name, {sure}% sure"))
}

/// Addresses of hosts that nobody listed.
fn unlisted(text: &str, known: &KnownHosts) -> Vec<(Range<usize>, String)> {
    let found = addresses::named(text).into_iter();
    found
        .filter_map(|it| {
            let mark = match doubts::of_address(&it, |host| known.holds(host))? {
                Why::NotHttps => "not https",
                Why::UnlistedHost | Why::Name if it.host.is_some() => "unlisted host",
                Why::UnlistedHost | Why::Name => "odd address",
            };
            Some((it.span, mark.to_owned()))
        })
        .collect()
}

/// Cuts a text at marks, which may overlap: what lies in several is named by all of them.
fn pieces(text: &str, marks: Vec<(Range<usize>, String)>) -> Vec<Piece> {
    let mut cuts: Vec<usize> = marks.iter().flat_map(|(range, _)| [range.start, range.end]).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |start: usize, end: usize| {
        let over: Vec<&str> = marks
            .iter()
            .filter(|(range, _)| range.start <= start && end <= range.end)
            .map(|(_, name)| name.as_str())
            .collect();
        let mark = (!over.is_empty()).then(|| over.join(", "));
        text.get(start..end).map(|text| Piece { text: text.to_owned(), mark })
    };
    cuts.iter().zip(cuts.iter().skip(1)).filter_map(|(start, end)| piece(*start, *end)).collect()
}

/// Whether a character does not show, or changes how its neighbours do.
fn is_hidden(c: char) -> bool {
    let direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let width =
        matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}');
    let tags = matches!(c, '\u{e0000}'..='\u{e007f}' | '\u{fff9}'..='\u{fffb}' | '\u{2028}' | '\u{2029}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || direction || width || tags
}

/// A text in which every character shows: those that would not are written as their numbers.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// A value as JSON in which every character shows.
pub fn visible_json(value: &Value) -> String {
    json_made_visible(&format!("{value:#}"))
}

/// JSON in which every character shows, and that still says the same.
pub fn json_made_visible(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_is_cut_at_its_marks() {
        let cut = |marks: &[(Range<usize>, &str)]| {
            let marks = marks.iter().map(|(range, name)| (range.clone(), (*name).to_owned())).collect();
            let pieces = pieces("abcdef", marks);
            pieces
                .iter()
                .map(|it| format!("{}:{}", it.text, it.mark.as_deref().unwrap_or("-")))
                .collect::<Vec<_>>()
        };
        assert_eq!(cut(&[]), ["abcdef:-"]);
        assert_eq!(cut(&[(1..3, "x")]), ["a:-", "bc:x", "def:-"]);
        assert_eq!(cut(&[(0..4, "x"), (2..6, "y")]), ["ab:x", "cd:x, y", "ef:y"]);
    }

    #[test]
    fn what_does_not_show_is_shown() {
        assert_eq!(visible("a\u{202e}b\u{7}c\nd\u{200b}"), "a⟨U+202E⟩b⟨U+0007⟩c\nd⟨U+200B⟩");
        let value = json!({"a": "x\u{202e}\u{e0041}\u{1b}y"});
        let shown = visible_json(&value);
        assert!(shown.is_ascii(), "{shown}");
        assert_eq!(serde_json::from_str::<Value>(&shown).expect("JSON"), value);
    }
}
