//! The corpus on GitHub, through a GitHub App and over REST alone.
//!
//! 1. **Reading**: [`GitHub::mirror`] brings `main` into the local repository (`github/mirror.rs`); everything else reads there.
//! 2. **Proposing**: files become a tree, the tree a commit by the bot, the commit the branch `becivic/<number>`, the
//!    branch a pull request (`github/pulls.rs`). A branch whose base is not the head of `main` any more gets a further
//!    commit with two parents: its own head, and last the new base. The last parent of a branch's head is always the base
//!    that it was made against.
//! 3. **Merging**: the squashed commit is made here, as a child of that base, and `main` is moved to it, forward only. So
//!    what was checked is what is merged, to the byte, or nothing is: GitHub's own merge would merge into whatever `main`
//!    is by then, and would put its own name on it. Where the branch has one commit and the message is the same, the
//!    squashed commit *is* that commit, and GitHub marks the pull request as merged by itself; otherwise it gets the label
//!    `merged` and is closed.
//! 4. **The dates** of commits are those of their UTC day: nothing finer is public.
//!
//! The App needs to write Contents, Pull requests and Issues, and where `main` is protected it has to be among those who
//! may pass by the protection. With the permission to write Checks it reports with check runs; without, with labels.

mod changes;
mod client;
mod issues;
mod mirror;
mod pulls;
mod rebuild;
mod token;
mod webhook;
mod wire;

use super::{Files, ForgeError};
use crate::config;
use crate::moment::{Clock, Moment};
use anyhow::{Context, bail, ensure};
use client::Client;
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub use client::Patience;
pub use mirror::{forge_sha, local_sha};
pub use webhook::{Event, Hook};

/// The branch that is the corpus.
const MAIN: &str = "main";

/// What is needed to reach a repository on GitHub.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the interface is.
    pub api: String,
    /// Whose repository it is.
    pub owner: String,
    /// Its name.
    pub repository: String,
    /// The App.
    pub app_id: String,
    /// Its installation on the repository.
    pub installation_id: String,
    /// Its private key, as GitHub gives it out.
    pub private_key_file: String,
    /// What its webhooks are signed with; empty where there are none.
    pub webhook_secret_file: String,
    /// How long is waited for what.
    pub patience: Patience,
    /// Where the time comes from.
    pub clock: Clock,
}

impl From<&config::Forge> for Settings {
    fn from(forge: &config::Forge) -> Self {
        Self {
            api: forge.api.clone(),
            owner: forge.owner.clone(),
            repository: forge.repository.clone(),
            app_id: forge.app_id.clone(),
            installation_id: forge.installation_id.clone(),
            private_key_file: forge.private_key_file.clone(),
            webhook_secret_file: forge.webhook_secret_file.clone(),
            patience: Patience { answering: forge.timeout, ..Patience::default() },
            clock: Clock::System,
        }
    }
}

/// A repository on GitHub.
pub struct GitHub {
    client: Client,
    owner: String,
    /// Whether check runs were refused once: then they are not tried again.
    without_checks: AtomicBool,
}

impl GitHub {
    /// Checks the settings and reads the keys. Nothing is asked of GitHub yet.
    pub fn new(settings: Settings) -> anyhow::Result<Self> {
        for (name, value) in [
            ("owner", &settings.owner),
            ("repository", &settings.repository),
            ("app_id", &settings.app_id),
            ("installation_id", &settings.installation_id),
        ] {
            let is_word = !value.is_empty()
                && !value.bytes().all(|b| b == b'.')
                && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
            ensure!(is_word, "`{name}` in [forge] is not one of GitHub's names or numbers");
        }
        ensure!(
            is_safe(&settings.api),
            "`api` in [forge] begins with https://, or with http:// for an address of this machine"
        );
        let key = Path::new(&settings.private_key_file);
        let keys = token::Keys::read(&settings.app_id, key, settings.clock)?;
        let place = (settings.owner.as_str(), settings.repository.as_str());
        let client = Client::new(&settings.api, place, &settings.installation_id, keys, settings.patience);
        Ok(Self { client, owner: settings.owner, without_checks: AtomicBool::new(false) })
    }

    /// The commit at the head of `main`.
    pub fn head(&self) -> Result<String, ForgeError> {
        self.branch(MAIN)?.ok_or(ForgeError::Missing("branch main"))
    }

    /// One commit by the bot directly on `main`, which has to be at `base`. Of `at` the day is public.
    ///
    /// Made again with the same day, it is found again rather than made twice.
    pub fn commit(&self, base: &str, files: &Files, message: &str, at: Moment) -> Result<String, ForgeError> {
        let tree = self.tree(base, files)?;
        let made = self.make_commit(&tree, &[base], message, at)?;
        let head = self.head()?;
        if head != made {
            if head != base {
                return Err(ForgeError::Moved);
            }
            self.advance(MAIN, &made)?;
        }
        Ok(made)
    }
}

/// Reads a secret of one line.
fn read_secret(name: &str, file: &str) -> anyhow::Result<Vec<u8>> {
    let read = std::fs::read(file).with_context(|| format!("cannot read `{name}` in [forge], {file}"))?;
    let secret = read.trim_ascii();
    if secret.is_empty() {
        bail!("{file}, which `{name}` in [forge] names, is empty");
    }
    Ok(secret.to_vec())
}

/// Whether a token may be sent there: encrypted, or not leaving the machine.
fn is_safe(api: &str) -> bool {
    if api.starts_with("https://") {
        return api.len() > "https://".len();
    }
    let Some(rest) = api.strip_prefix("http://") else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    matches!(host, "127.0.0.1" | "localhost" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever runs jobs on several threads shares one.
    #[allow(dead_code)]
    fn is_shared(github: GitHub) -> impl Send + Sync {
        github
    }

    #[test]
    fn tokens_leave_the_machine_encrypted_or_not_at_all() {
        for api in
            ["https://api.github.com", "http://127.0.0.1:4001", "http://localhost:1/x", "http://[::1]:9"]
        {
            assert!(is_safe(api), "{api}");
        }
        for api in [
            "",
            "https://",
            "http://api.github.com",
            "http://127.0.0.1.example",
            "http://localhost@evil",
            "ftp://x",
        ] {
            assert!(!is_safe(api), "{api}");
        }
    }
}
