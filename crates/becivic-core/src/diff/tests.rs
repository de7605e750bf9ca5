//! Diffs that apply and diffs that do not.

use super::*;
use proptest::prelude::*;

const BODY: &str = "one\ntwo\nthree\nfour\nfive\n";

#[test]
fn a_right_diff_applies() {
    let diff = "--- a/canonical.md\n+++ b/canonical.md\n@@ -2,3 +2,4 @@\n two\n-three\n+3\n+3b\n four\n";
    assert_eq!(apply(BODY, diff).as_deref(), Ok("one\ntwo\n3\n3b\nfour\nfive\n"));
    let git = format!("diff --git a/c.md b/c.md\nindex 1234567..89abcde 100644\n{diff}");
    assert_eq!(apply(BODY, &git), apply(BODY, diff));
    let end = "@@ -5 +5 @@\n-five\n+5\n\\ No newline at end of file\n";
    assert_eq!(apply(BODY, end).as_deref(), Ok("one\ntwo\nthree\nfour\n5"));
}

#[test]
fn wrong_diffs_are_refused_with_their_reason() {
    let long = format!("@@ -1 +1 @@\n-one\n+{}\n", "x".repeat(MAX_BYTES));
    let many = "@@ -1 +1 @@\n-a\n+b\n".repeat(MAX_HUNKS + 1);
    let cases: [(&str, DiffError); 16] = [
        ("", DiffError::Empty),
        (" \n\n", DiffError::Empty),
        ("please change two to 2\n", DiffError::NoHunk),
        ("--- a\n+++ b\n", DiffError::NoHunk),
        ("@@ -2 +2 @@\r\n-two\r\n+2\r\n", DiffError::CarriageReturn),
        ("Binary files a and b differ\n", DiffError::Binary),
        ("@@ -2,2 +2 @@\n-two\n+2\n", DiffError::Malformed),
        ("@@ -2 +2 @@\n-two\n+2\nand so on\n", DiffError::Stray),
        ("hello\n@@ -2 +2 @@\n-two\n+2\n", DiffError::Stray),
        ("@@ -3 +3 @@\n-two\n+2\n", DiffError::Mismatch(1)),
        ("@@ -2 +9 @@\n-two\n+2\n", DiffError::Mismatch(1)),
        ("@@ -9 +9 @@\n-two\n+2\n", DiffError::Mismatch(1)),
        ("@@ -2,2 +2,2 @@\n-two\n+2\n  three\n", DiffError::Mismatch(1)),
        ("@@ -2 +2 @@\n-two\n+two\n", DiffError::NoChange),
        (&long, DiffError::TooLong),
        (&many, DiffError::TooManyHunks),
    ];
    for (diff, expected) in cases {
        assert_eq!(apply(BODY, diff), Err(expected), "{:?}", diff.get(..60.min(diff.len())));
    }
}

#[test]
fn a_line_feed_cannot_vanish_in_the_middle() {
    let diff = "@@ -2 +2 @@\n-two\n+2\n\\ No newline at end of file\n";
    assert_eq!(apply(BODY, diff), Err(DiffError::Mismatch(1)));
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![Just("a"), Just("b"), Just(""), Just("- item"), Just("@@ x"), Just("+ é")];
    (prop::collection::vec(line, 0..30), any::<bool>()).prop_map(|(lines, ends)| {
        let mut text = lines.join("\n");
        if ends && !text.is_empty() {
            text.push('\n');
        }
        text
    })
}

proptest! {
    #[test]
    fn what_diffy_writes_applies_and_gives_the_second_text(old in text(), new in text()) {
        prop_assume!(old != new);
        let diff = diffy::create_patch(&old, &new).to_string();
        prop_assert_eq!(apply(&old, &diff), Ok(new));
    }

    #[test]
    fn a_changed_line_under_a_hunk_refuses(old in text(), new in text(), pick in any::<prop::sample::Index>()) {
        prop_assume!(old != new);
        let diff = diffy::create_patch(&old, &new).to_string();
        let patch = parse(&diff).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let touched: Vec<usize> = patch
            .hunks()
            .iter()
            .flat_map(|hunk| hunk.old_range().range())
            .filter(|line| *line > 0)
            .collect();
        prop_assume!(!touched.is_empty());
        let line = touched[pick.index(touched.len())] - 1;
        let mut lines: Vec<String> = old.split_inclusive('\n').map(str::to_owned).collect();
        prop_assume!(line < lines.len());
        lines[line].insert(0, 'Z');
        prop_assert!(matches!(apply(&lines.concat(), &diff), Err(DiffError::Mismatch(_))));
    }

    #[test]
    fn nothing_panics(body in ".{0,200}", diff in "(?s).{0,200}") {
        let _ = apply(&body, &diff);
        let _ = apply(&body, &format!("@@ -1 +1 @@\n{diff}"));
    }
}
