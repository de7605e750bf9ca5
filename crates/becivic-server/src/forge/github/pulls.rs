//! Pull requests: proposed, reported on, merged, closed; each of it as often as one likes.

use super::issues::encoded;
use super::wire::{Comparison, GitCommit, Pull};
use super::{GitHub, MAIN};
use crate::forge::{ForgeError, Proposal, Proposed, PullState, Verdict};
use crate::moment::Moment;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use ureq::http::Method;

/// The name of the check.
const CHECK: &str = "Be Civic";

/// What a pull request is marked with where check runs may not be written.
const GREEN: &str = "checks: green";
const RED: &str = "checks: red";

/// What a pull request is marked with that is part of `main` as another commit than its own.
const MERGED: &str = "merged";

impl GitHub {
    /// Makes or renews a pull request. It is found by its branch. Of `at` the day is public.
    pub fn propose(&self, proposal: &Proposal<'_>, at: Moment) -> Result<Proposed, ForgeError> {
        let branch = format!("becivic/{}", proposal.number);
        let found = self.find_pull(&branch)?;
        if let Some(pull) = found.as_ref().filter(|pull| !pull.is_open() && pull.merged().is_none()) {
            tracing::debug!(number = pull.number, "closed by somebody");
            return Err(ForgeError::Closed);
        }
        if let Some((pull, merged)) = found.as_ref().and_then(|pull| Some((pull, pull.merged()?))) {
            return Ok(Proposed { forge_number: pull.number, head: merged.to_owned() });
        }
        let tree = self.tree(proposal.base, proposal.files)?;
        let head = self.push(&branch, &tree, proposal, at)?;
        let pull = match found {
            Some(pull) => self.renewed(pull, proposal)?,
            None => self.make_pull(&branch, proposal)?,
        };
        let missing: Vec<&str> =
            proposal.labels.iter().copied().filter(|label| !pull.has_label(label)).collect();
        self.add_labels(pull.number, &missing)?;
        Ok(Proposed { forge_number: pull.number, head })
    }

    /// Brings a branch to where its head holds the tree and has the base as its last parent.
    fn push(
        &self,
        branch: &str,
        tree: &str,
        proposal: &Proposal<'_>,
        at: Moment,
    ) -> Result<String, ForgeError> {
        let (base, message) = (proposal.base, proposal.message);
        let mut there = self.branch(branch)?;
        if there.is_none() {
            let made = self.make_commit(tree, &[base], message, at)?;
            if self.make_branch(branch, &made)? {
                return Ok(made);
            }
            // Somebody was faster, or we were and did not hear of it.
            there = self.branch(branch)?;
        }
        let there = there.ok_or_else(|| ForgeError::Defect(format!("the branch {branch} cannot be made")))?;
        let head = self.git_commit(&there)?;
        let is_it = head.tree.sha == tree
            && base_of(&head) == Some(base)
            && head.message.trim_end() == message.trim_end();
        if is_it {
            return Ok(there);
        }
        let made = self.make_commit(tree, &[&there, base], message, at)?;
        self.advance(branch, &made)?;
        Ok(made)
    }

    /// The pull request of a branch: the open one, or else the newest.
    fn find_pull(&self, branch: &str) -> Result<Option<Pull>, ForgeError> {
        let query = format!("state=all&head={}:{}", self.owner, encoded(branch));
        let listed: Vec<Pull> = self.client.list("pull request", "/pulls", &query, |_| false)?;
        let ours = listed.into_iter().filter(|pull| pull.head.name == branch);
        Ok(ours.max_by_key(|pull| (pull.is_open(), pull.number)))
    }

    fn make_pull(&self, branch: &str, proposal: &Proposal<'_>) -> Result<Pull, ForgeError> {
        let body = json!({"title": proposal.title, "body": proposal.body, "head": branch, "base": MAIN, "draft": false});
        // Asked twice, the second is refused: a branch has one open pull request.
        let answer = self.client.send(Method::POST, "/pulls", &body)?;
        if answer.status == 422
            && let Some(pull) = self.find_pull(branch)?
        {
            return Ok(pull);
        }
        answer.read("pull request")
    }

    fn renewed(&self, pull: Pull, proposal: &Proposal<'_>) -> Result<Pull, ForgeError> {
        if pull.title == proposal.title && pull.body.as_deref().unwrap_or_default() == proposal.body {
            return Ok(pull);
        }
        let body = json!({"title": proposal.title, "body": proposal.body});
        let path = format!("/pulls/{}", pull.number);
        self.client.send(Method::PATCH, &path, &body)?.read("pull request")
    }

    fn pull(&self, number: i64) -> Result<Pull, ForgeError> {
        self.client.get(&format!("/pulls/{number}"))?.read("pull request")
    }

    /// What became of a pull request.
    ///
    /// One that was merged as another commit than its own is closed to GitHub, and told apart by whoever knows its commit.
    pub fn state(&self, forge_number: i64) -> Result<PullState, ForgeError> {
        let pull = self.pull(forge_number)?;
        Ok(match pull.merged() {
            Some(sha) => PullState::Merged(sha.to_owned()),
            None if pull.is_open() => PullState::Open,
            None => PullState::Closed,
        })
    }

    /// Says on the forge what the rules say of a pull request: with a check run, or with a label where the App may not
    /// write check runs, and then with a comment where something is wrong.
    pub fn report(
        &self,
        forge_number: i64,
        head: &str,
        verdict: Verdict,
        summary: &str,
    ) -> Result<(), ForgeError> {
        if !self.without_checks.load(Ordering::Relaxed) {
            let (conclusion, title) = match verdict {
                Verdict::Green => ("success", "Every rule holds"),
                Verdict::Red => ("failure", "Rules are broken"),
            };
            // The newest run of a name is the one that counts: told twice, it is told.
            let body = json!({
                "name": CHECK, "head_sha": head, "status": "completed", "conclusion": conclusion,
                "output": {"title": title, "summary": summary},
            });
            let answer = self.client.send(Method::POST, "/check-runs", &body)?;
            if answer.status != 403 {
                return answer.done("check run");
            }
            self.without_checks.store(true, Ordering::Relaxed);
        }
        let (label, other) = match verdict {
            Verdict::Green => (GREEN, RED),
            Verdict::Red => (RED, GREEN),
        };
        self.add_labels(forge_number, &[label])?;
        self.remove_label(forge_number, other)?;
        if verdict == Verdict::Red {
            self.comment_once(forge_number, &format!("<!-- becivic checks {head} -->"), summary)?;
        }
        Ok(())
    }

    /// Merges a pull request as one commit, where `head` is the head of its branch and was made against the head of
    /// `main`; otherwise `Moved`. Merged before, it says as which commit.
    pub fn merge(
        &self,
        forge_number: i64,
        head: &str,
        subject: &str,
        message: &str,
    ) -> Result<String, ForgeError> {
        let pull = self.pull(forge_number)?;
        if let Some(merged) = pull.merged() {
            return Ok(merged.to_owned());
        }
        let commit = self.git_commit(head)?;
        let squashed = self.squashed(&commit, &joined(subject, message))?;
        let main = self.head()?;
        // A child of the head of `main` cannot be part of it yet; anything else may have been merged before.
        let is_next = base_of(&commit) == Some(main.as_str());
        if is_next || !self.is_in(&squashed, &main)? {
            if !pull.is_open() {
                return Err(ForgeError::Closed);
            }
            if !is_next || self.branch(&pull.head.name)?.as_deref() != Some(head) {
                return Err(ForgeError::Moved);
            }
            self.advance(MAIN, &squashed)?;
        }
        match self.settle(&pull, squashed == head) {
            // It is merged, whatever its page on GitHub says; what heals by itself is tried again all the same.
            Err(error @ (ForgeError::Wait(_) | ForgeError::Unavailable(_))) => Err(error),
            Err(error) => {
                tracing::warn!(%error, number = forge_number, "a merged pull request stays open on GitHub");
                Ok(squashed)
            }
            Ok(()) => Ok(squashed),
        }
    }

    /// The commit that a branch is merged as. It follows from the head of the branch alone, so that it can be found again.
    fn squashed(&self, head: &GitCommit, message: &str) -> Result<String, ForgeError> {
        let Some(base) = base_of(head) else {
            return Err(ForgeError::Defect("a proposed commit has no parent".to_owned()));
        };
        let unreadable = || ForgeError::Defect("a proposed commit has no date".to_owned());
        let at = Moment::read(&head.author.date).ok_or_else(unreadable)?;
        self.make_commit(&head.tree.sha, &[base], message, at)
    }

    /// Whether a commit is `main` or part of what led to it.
    fn is_in(&self, sha: &str, main: &str) -> Result<bool, ForgeError> {
        if sha == main {
            return Ok(true);
        }
        let answer = self.client.get(&format!("/compare/{sha}...{main}?per_page=1"))?;
        if answer.status == 404 {
            return Ok(false);
        }
        let status = answer.read::<Comparison>("comparison")?.status;
        Ok(matches!(status.as_str(), "ahead" | "identical"))
    }

    /// After a merge: sees to it that the pull request is not open any more and its branch is gone.
    fn settle(&self, pull: &Pull, marks_itself: bool) -> Result<(), ForgeError> {
        // GitHub notices by itself that a branch is part of `main`, a little later. Closing it before would call it
        // "closed" for ever.
        let mut open = pull.is_open();
        if marks_itself {
            for attempt in 0..self.client.attempts() {
                if attempt > 0 {
                    self.client.pause();
                }
                open = self.pull(pull.number)?.is_open();
                if !open {
                    break;
                }
            }
        }
        if open {
            self.add_labels(pull.number, &[MERGED])?;
        }
        self.end(pull.number, open, &pull.head.name)
    }

    /// Closes a pull request and removes its branch; what is done already stays done.
    pub fn close(&self, forge_number: i64, branch: &str) -> Result<(), ForgeError> {
        let pull = self.pull(forge_number)?;
        self.end(forge_number, pull.is_open(), branch)
    }

    fn end(&self, number: i64, is_open: bool, branch: &str) -> Result<(), ForgeError> {
        if is_open {
            let path = format!("/pulls/{number}");
            let answer = self.client.send(Method::PATCH, &path, &json!({"state": "closed"}))?;
            answer.read::<Value>("pull request")?;
        }
        // Nobody else's branch is ours to remove.
        if branch.starts_with("becivic/") { self.remove_branch(branch) } else { Ok(()) }
    }
}

/// What a proposed commit was made against: its last parent.
fn base_of(commit: &GitCommit) -> Option<&str> {
    commit.parents.last().map(|parent| parent.sha.as_str())
}

/// A commit message of a subject and what follows it.
fn joined(subject: &str, message: &str) -> String {
    match message.trim() {
        "" => subject.to_owned(),
        message => format!("{subject}\n\n{message}"),
    }
}
