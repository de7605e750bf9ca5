//! Issues, labels and comments.
//!
//! An issue is found again by its title among the open ones with the label [`MARK`]: opened twice, it is there once. What
//! the title says is made of ids.

use super::GitHub;
use super::wire::{Comment, Issue};
use crate::forge::ForgeError;
use serde_json::json;
use ureq::http::Method;

/// The label of every issue of ours.
pub(super) const MARK: &str = "becivic";

impl GitHub {
    /// Opens an issue, or finds the open one of that title.
    pub fn open_issue(&self, title: &str, body: &str, labels: &[&str]) -> Result<i64, ForgeError> {
        let is_it = |issue: &Issue| issue.pull_request.is_none() && issue.title == title;
        let query = format!("state=open&labels={MARK}");
        let listed: Vec<Issue> =
            self.client.list("issue", "/issues", &query, |page| page.iter().any(is_it))?;
        if let Some(issue) = listed.into_iter().find(is_it) {
            return Ok(issue.number);
        }
        let labels: Vec<&str> = std::iter::once(MARK).chain(labels.iter().copied()).collect();
        let made =
            self.client.send_once("/issues", &json!({"title": title, "body": body, "labels": labels}))?;
        Ok(made.read::<Issue>("issue")?.number)
    }

    /// Closes an issue; one that is closed stays so.
    pub fn close_issue(&self, number: i64) -> Result<(), ForgeError> {
        let body = json!({"state": "closed"});
        self.client.send(Method::PATCH, &format!("/issues/{number}"), &body)?.done("issue")
    }

    /// Adds labels to an issue or a pull request. GitHub makes those that are new, and where it does not we do.
    pub(super) fn add_labels(&self, number: i64, labels: &[&str]) -> Result<(), ForgeError> {
        if labels.is_empty() {
            return Ok(());
        }
        let (path, body) = (format!("/issues/{number}/labels"), json!({"labels": labels}));
        let answer = self.client.send(Method::POST, &path, &body)?;
        if !matches!(answer.status, 404 | 422) {
            return answer.done("label");
        }
        for label in labels {
            // 422: it is there.
            let made =
                self.client.send(Method::POST, "/labels", &json!({"name": label, "color": "ededed"}))?;
            if made.status != 422 {
                made.done("label")?;
            }
        }
        self.client.send(Method::POST, &path, &body)?.done("label")
    }

    /// Takes a label away that may not be there.
    pub(super) fn remove_label(&self, number: i64, label: &str) -> Result<(), ForgeError> {
        let answer = self.client.delete(&format!("/issues/{number}/labels/{}", encoded(label)))?;
        if answer.status == 404 { Ok(()) } else { answer.done("label") }
    }

    /// Leaves a comment that carries a mark, unless one does already.
    pub(super) fn comment_once(&self, number: i64, mark: &str, text: &str) -> Result<(), ForgeError> {
        let path = format!("/issues/{number}/comments");
        let is_it = |comment: &Comment| comment.body.as_deref().is_some_and(|body| body.contains(mark));
        let listed: Vec<Comment> = self.client.list("comment", &path, "", |page| page.iter().any(is_it))?;
        if listed.iter().any(is_it) {
            return Ok(());
        }
        self.client.send_once(&path, &json!({"body": format!("{mark}\n{text}")}))?.done("comment")
    }
}

/// A word as a part of an address.
pub(super) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
