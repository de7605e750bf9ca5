//! A proposal as it would be published: the file it writes, what that changes, and what the rules say.

use super::Refused;
use crate::app::App;
use crate::pipeline;
use becivic_core::finding::Finding;
use becivic_core::submission::{Kind, Submission};
use serde_json::Value;

/// What a proposal would do.
#[derive(Clone, Debug, Default)]
pub struct Proposed {
    /// The body of the skill it writes, without its frontmatter.
    pub body: Option<String>,
    /// What it changes, file by file; nothing where it changes the catalogue.
    pub files: Vec<Changed>,
    /// Hosts it would newly cite that nobody listed.
    pub unlisted: Vec<String>,
    /// What the rules would newly find.
    pub findings: Vec<Finding>,
    /// Why it cannot be worked out, if it cannot: its diff does not fit any more, for instance.
    pub broken: Option<String>,
}

/// A file that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The file.
    pub path: String,
    /// How it changes.
    pub diff: Vec<Line>,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How it stands in both texts.
    pub side: Side,
    /// Without its end.
    pub text: String,
}

/// How a line stands in the two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In both.
    Both,
    /// Only in what is published now.
    Removed,
    /// Only in what is proposed.
    Added,
    /// In neither: where a piece of the diff begins.
    Place,
}

impl Side {
    /// As unified diffs write it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Both => " ",
            Self::Removed => "-",
            Self::Added => "+",
            Self::Place => "@",
        }
    }
}

/// Works out what a kept submission would do to the corpus as it is now; nothing for one that proposes nothing.
pub async fn proposed(app: &App, kind: Kind, value: &Value) -> Result<Option<Proposed>, Refused> {
    if !matches!(kind, Kind::Amendment | Kind::Draft) {
        return Ok(None);
    }
    let unreadable = |_| Refused::Conflict("What is kept of it cannot be read any more.".to_owned());
    let submission = Submission::read(kind, value).map_err(unreadable)?;
    let preview = match pipeline::preview(app, &submission).await {
        Ok(preview) => preview,
        Err(rejection) => {
            let broken = Some(Refused::from(rejection).to_string());
            return Ok(Some(Proposed { broken, ..Proposed::default() }));
        }
    };
    let skill = preview.files.iter().find(|(path, ..)| path.ends_with("/canonical.md"));
    let body = skill.map(|(_, _, text)| body(text).to_owned());
    let changed = preview
        .files
        .iter()
        .map(|(path, before, after)| Changed { path: path.clone(), diff: diff(before, after) });
    let (unlisted, findings, mut files) = (preview.unlisted, preview.findings, changed.collect::<Vec<_>>());
    // What was written by somebody before what follows from it.
    files.sort_by_key(|file| GENERATED.contains(&file.path.as_str()));
    Ok(Some(Proposed { body, files, unlisted, findings, broken: None }))
}

/// Files that follow from others.
const GENERATED: &[&str] = &[
    "skills/rollup.json",
    "paths/rollup.json",
    "catalogue/volatile-values.jsonl",
    "catalogue/references.jsonl",
];

/// A skill's text after its frontmatter.
fn body(text: &str) -> &str {
    text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map_or(text, |(_, body)| body)
}

/// The difference of two texts, line by line, with three lines around each change.
pub fn diff(before: &str, after: &str) -> Vec<Line> {
    let patch = diffy::create_patch(before, after);
    let mut lines = Vec::new();
    for hunk in patch.hunks() {
        let (old, new) = (hunk.old_range(), hunk.new_range());
        let place = format!("-{},{} +{},{}", old.start(), old.len(), new.start(), new.len());
        lines.push(Line { side: Side::Place, text: place });
        lines.extend(hunk.lines().iter().map(|line| {
            let (side, text) = match line {
                diffy::Line::Context(text) => (Side::Both, text),
                diffy::Line::Delete(text) => (Side::Removed, text),
                diffy::Line::Insert(text) => (Side::Added, text),
            };
            Line { side, text: text.trim_end_matches('\n').to_owned() }
        }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_a_sign_for_every_line() {
        let shown: Vec<String> = diff("a\nb\nc\n", "a\nx\nc\n")
            .iter()
            .map(|line| format!("{}{}", line.side.sign(), line.text))
            .collect();
        assert_eq!(shown, ["@-1,3 +1,3", " a", "-b", "+x", " c"]);
        assert!(diff("a\n", "a\n").is_empty());
    }

    #[test]
    fn a_body_begins_after_its_frontmatter() {
        assert_eq!(body("---\nid: a\n---\nText.\n---\n"), "Text.\n---\n");
        assert_eq!(body("Text.\n"), "Text.\n");
    }
}
