use super::*;
use crate::skill::FIELD_ORDER;
use proptest::prelude::*;

const SKILL: &str = "skills/x/canonical.md";

fn skill(yaml: &str) -> String {
    let file = format!("---\n{yaml}---\n\nBody  \nline\n");
    let once = canonical(SKILL, file.as_bytes()).expect("readable").expect("has a form");
    let twice = canonical(SKILL, once.as_bytes()).expect("readable").expect("has a form");
    assert_eq!(once, twice, "formatting is idempotent");
    assert!(once.ends_with("---\n\nBody  \nline\n"), "the body is untouched");
    let end = once.find("---\n\nBody").expect("closing fence");
    once.get(4..end).expect("yaml").to_owned()
}

#[test]
fn keys_are_ordered_and_comments_move_with_the_key_below() {
    assert_eq!(
        skill(
            "# about the title\ntitle: T\nzeta: 1\n\nid: x   \n# why these\ntags:\n  - a\n  # not b\nalpha: 2\n# the end\n"
        ),
        "\nid: x\n# about the title\ntitle: T\n# why these\ntags:\n  - a\n  # not b\nzeta: 1\nalpha: 2\n# the end\n"
    );
}

#[test]
fn values_keep_their_spelling() {
    let cases = [
        ("title: >-\n  two \n  lines\nid: 'x'\n", "id: 'x'\ntitle: >-\n  two \n  lines\n"),
        ("title: |+\n  kept\n\nid: x\n", "id: x\ntitle: |+\n  kept\n\n"),
        ("title: \"a\n  # no comment\"\nid: x\n", "id: x\ntitle: \"a\n  # no comment\"\n"),
        ("{title: T, id: x}\n", "{title: T, id: x}\n"),
        ("title: T # said\nid: x\n", "id: x\ntitle: T # said\n"),
    ];
    for (before, after) in cases {
        assert_eq!(skill(before), after);
    }
}

#[test]
fn line_ends_marks_and_the_last_newline_are_healed() {
    let file = "\u{feff}---\r\ntitle: T\r\nid: x\r\n---\r\n\r\nBody  \r\n\r\n\r\n";
    let healed = canonical(SKILL, file.as_bytes()).expect("readable");
    assert_eq!(healed.as_deref(), Some("---\nid: x\ntitle: T\n---\n\nBody  \n"));
    let diagram = canonical("skills/x/process.mmd", b"graph TD\r\n  a --> b").expect("readable");
    assert_eq!(diagram.as_deref(), Some("graph TD\n  a --> b\n"));
    assert_eq!(canonical("skills/x/templates/a.bin", b"\xff"), Ok(None));
    assert_eq!(canonical(SKILL, b"\xff").map_err(|e| e.rule), Err("not_utf8"));
    assert_eq!(canonical(SKILL, b"no fence").map_err(|e| e.rule), Err("frontmatter_fence"));
}

#[test]
fn json_is_laid_out_and_paths_are_ordered() {
    let text = r#"{"version":"0.1.0","paths":{"b":{"uid":"u","id":"b"},"a":{"x":1.50,"id":"\u00e9","title":{"nl":"n","fr":[]}}}}"#;
    let laid = canonical("paths/index.json", text.as_bytes()).expect("readable").expect("form");
    assert_eq!(
        laid,
        "{\n  \"version\": \"0.1.0\",\n  \"paths\": {\n    \"a\": {\n      \"id\": \"\\u00e9\",\n      \"title\": {\n        \"nl\": \"n\",\n        \"fr\": []\n      },\n      \"x\": 1.50\n    },\n    \"b\": {\n      \"id\": \"b\",\n      \"uid\": \"u\"\n    }\n  }\n}\n"
    );
    assert_eq!(canonical("paths/index.json", laid.as_bytes()), Ok(Some(laid)));
    let types = canonical("schemas/types.json", b"{\"b\": {}, \"a\": [ ]}").expect("readable");
    assert_eq!(types.as_deref(), Some("{\n  \"b\": {},\n  \"a\": []\n}\n"));
}

#[test]
fn json_lines_are_one_object_each() {
    let lines = canonical("catalogue/references.jsonl", b"{\"a\":[1,2],\n\n").map_err(|e| e.offset);
    assert_eq!(lines, Err(12));
    let text = b"{\"a\":[1,2],\"b\":{\"c\":null}}\n\n  {\"a\": \"x\"}";
    let lines = canonical("catalogue/references.jsonl", text).expect("readable");
    assert_eq!(lines.as_deref(), Some("{\"a\": [1, 2], \"b\": {\"c\": null}}\n{\"a\": \"x\"}\n"));
}

/// One key with a value and the comments above it.
fn piece() -> impl Strategy<Value = (String, String)> {
    let value = prop_oneof![
        Just(" plain words".to_owned()),
        Just(" \"quoted: text\"  ".to_owned()),
        Just(" [a, b]".to_owned()),
        Just("\n  - id: a\n    # inside\n  - id: b\n  # indented".to_owned()),
        Just(" |\n  literal \n\n  more".to_owned()),
        Just(" >+\n  folded\n\n".to_owned()),
        Just(" # only a comment".to_owned()),
        "[ ]{0,2}[a-z#:'\"{\\[|>-]{0,6}",
    ];
    let above = prop_oneof![Just(""), Just("# above\n"), Just("\n"), Just("\n# one\n\n# two\n")];
    (value, above).prop_map(|(value, above)| (above.to_owned(), value))
}

proptest! {
    #[test]
    fn shuffled_keys_keep_their_meaning(
        keys in Just(FIELD_ORDER.iter().map(|k| k.to_string()).chain(["zz".into(), "aa".into()]).collect::<Vec<_>>()).prop_shuffle(),
        values in prop::collection::vec(piece(), 1..12),
        tail in prop_oneof![Just(""), Just("# last\n"), Just("\n")],
    ) {
        let mut yaml = String::new();
        for (key, (above, value)) in keys.iter().zip(&values) {
            yaml.push_str(&format!("{above}{key}:{value}\n"));
        }
        yaml.push_str(tail);
        let file = format!("---\n{yaml}---\nBody\n");
        let before = crate::frontmatter::read(&file);
        prop_assume!(before.is_ok());
        let (before, _) = before.expect("assumed");
        let once = canonical(SKILL, file.as_bytes()).expect("readable").expect("form");
        let (after, _) = crate::frontmatter::read(&once).expect("still readable");
        prop_assert_eq!(before.to_value(), after.to_value());
        let twice = canonical(SKILL, once.as_bytes()).expect("readable").expect("form");
        prop_assert_eq!(once, twice);
    }
}
