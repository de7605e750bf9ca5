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
    /// The file it writes; `None` where it changes the catalogue.
    pub path: Option<String>,
    /// The body of the skill it writes, without its frontmatter.
    pub body: Option<String>,
    /// What it changes.
    pub diff: Vec<Line>,
    /// Hosts it would newly cite that nobody listed.
    pub unlisted: Vec<String>,
    /// What the rules would newly find.
    pub findings: Vec<Finding>,
    /// Why it cannot be worked out, if it cannot: its diff does not fit any more, for instance.
    pub broken: Option<String>,
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
    let (unlisted, findings) = (preview.unlisted, preview.findings);
    let Some((path, text)) = preview.file else {
        return Ok(Some(Proposed { unlisted, findings, ..Proposed::default() }));
    };
    let before = published(app, &path);
    let diff = diff(&before, &text);
    let body = path.starts_with("skills/").then(|| body(&text).to_owned());
    Ok(Some(Proposed { path: Some(path), body, diff, unlisted, findings, broken: None }))
}

/// The file as it is published now; empty where there is none.
fn published(app: &App, path: &str) -> String {
    let live = app.live.load();
    let skill = path.strip_prefix("skills/").and_then(|rest| rest.strip_suffix("/canonical.md"));
    match skill {
        Some(id) => live.corpus.skills.get(id).map(|skill| skill.source.text().to_owned()),
        None => live.corpus.paths.as_ref().map(|paths| paths.source.text().to_owned()),
    }
    .unwrap_or_default()
}

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
