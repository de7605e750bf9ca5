//! A GitHub that lives as long as the test: npm's `emulate`, started from `tools/emulate`.

use crate::recorded::patience;
use crate::suite::{Issues, NOW, Subject};
use becivic_server::forge::github::{GitHub, Settings};
use becivic_server::forge::{Files, ForgeError, Proposal, Proposed, PullState, Verdict};
use becivic_server::moment::{Clock, Moment};
use becivic_server::repository::Repository;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An emulated GitHub with one repository, and a local repository beside it.
pub struct Emulated {
    child: Child,
    /// Where it answers.
    pub base: String,
    folder: TempDir,
    pub github: GitHub,
    pub repository: Repository,
}

/// How it is started.
#[derive(Clone, Copy, Default)]
pub struct Setup {
    /// Whether the App may write check runs.
    pub checks: bool,
}

impl Emulated {
    pub fn start(setup: Setup) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let tool = root().join("tools/emulate");
        assert!(
            tool.join("node_modules/emulate").is_dir(),
            "the emulated GitHub is not installed: run `npm ci` in tools/emulate, or `cargo xtask test`"
        );
        let mut command = Command::new("node");
        command.arg(tool.join("serve.mjs")).arg(folder.path());
        if setup.checks {
            command.arg("--checks");
        }
        // It ends when its input does, also when the test is killed.
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let base = line.trim().to_owned();
        assert!(base.starts_with("http://"), "the emulated GitHub says {line:?}");
        let settings = settings(&base, &folder.path().join("app.pem"), "corpus");
        let github = GitHub::new(settings).expect("sound settings");
        let repository = fresh(folder.path(), "corpus.git");
        Self { child, base, folder, github, repository }
    }

    /// Another client, of another repository or with another key.
    pub fn client(&self, change: impl FnOnce(&mut Settings)) -> GitHub {
        let mut settings = settings(&self.base, &self.folder.path().join("app.pem"), "corpus");
        change(&mut settings);
        GitHub::new(settings).expect("sound settings")
    }

    /// Another local repository.
    pub fn another(&self, name: &str) -> Repository {
        fresh(self.folder.path(), name)
    }

    /// The App's private key.
    pub fn key(&self) -> PathBuf {
        self.folder.path().join("app.pem")
    }

    /// Puts the starter corpus on `main`, and nothing else.
    pub fn fill(&self) -> String {
        self.fill_with(becivic_server::bundled::files())
    }

    /// Puts a corpus on `main`, and nothing else.
    pub fn fill_with(&self, corpus: impl Iterator<Item = (String, Vec<u8>)>) -> String {
        let base = self.github.head().expect("main");
        let corpus = corpus.map(|(path, bytes)| (path, Some(bytes)));
        let files: Files = std::iter::once(("README.md".to_owned(), None)).chain(corpus).collect();
        self.github.commit(&base, &files, "The starter corpus", NOW).expect("committed")
    }

    /// Lets it deliver to an address what it tells of the repository.
    pub fn deliver_to(&self, url: &str, secret: &str) {
        let config = json!({"url": url, "secret": secret, "content_type": "json"});
        let made =
            self.by_hand("POST", "/hooks", &json!({"config": config, "events": ["push", "pull_request"]}));
        assert!(made["id"].is_number(), "{made}");
    }

    /// Where the local repository lies.
    pub fn place(&self) -> PathBuf {
        self.folder.path().join("corpus.git")
    }

    /// What GitHub shows of the repository to anybody.
    pub fn look(&self, path: &str) -> Value {
        let address = format!("{}/repos/be-civic/corpus{path}", self.base);
        let mut reply =
            ureq::get(&address).header("authorization", "Bearer maintainer").call().expect("an answer");
        let text = reply.body_mut().read_to_string().expect("text");
        serde_json::from_str(&text).expect("JSON")
    }

    /// What a maintainer does by hand.
    pub fn by_hand(&self, method: &str, path: &str, body: &Value) -> Value {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}/repos/be-civic/corpus{path}", self.base))
            .header("authorization", "Bearer maintainer")
            .header("content-type", "application/json")
            .body(body.to_string())
            .expect("a request");
        let mut reply = ureq::Agent::new_with_defaults().run(request).expect("an answer");
        let text = reply.body_mut().read_to_string().expect("text");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }
}

impl Drop for Emulated {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ended = self.child.wait();
    }
}

fn fresh(folder: &Path, name: &str) -> Repository {
    let files = [("README.md".to_owned(), b"starter\n".to_vec())].into_iter();
    Repository::open_or_create(&folder.join(name), files, Moment(1_763_000_000_000)).expect("a repository").0
}

/// Settings that reach a GitHub at some address.
pub fn settings(api: &str, key: &Path, repository: &str) -> Settings {
    Settings {
        api: api.to_owned(),
        owner: "be-civic".to_owned(),
        repository: repository.to_owned(),
        app_id: "12345".to_owned(),
        installation_id: "100".to_owned(),
        private_key_file: key.display().to_string(),
        webhook_secret_file: String::new(),
        patience: patience(),
        clock: Clock::System,
    }
}

impl Subject for Emulated {
    fn head(&self) -> Result<String, ForgeError> {
        self.github.head()
    }

    fn propose(&self, proposal: &Proposal<'_>) -> Result<Proposed, ForgeError> {
        self.github.propose(proposal, NOW)
    }

    fn report(&self, pull: &Proposed, verdict: Verdict, summary: &str) -> Result<(), ForgeError> {
        self.github.report(pull.forge_number, &pull.head, verdict, summary)
    }

    fn merge(&self, pull: &Proposed, subject: &str, message: &str) -> Result<String, ForgeError> {
        self.github.merge(pull.forge_number, &pull.head, subject, message)
    }

    fn state(&self, pull: &Proposed) -> Result<PullState, ForgeError> {
        self.github.state(pull.forge_number)
    }

    fn close(&self, pull: &Proposed, branch: &str) -> Result<(), ForgeError> {
        self.github.close(pull.forge_number, branch)
    }

    fn commit(&self, base: &str, files: &Files, message: &str) -> Result<String, ForgeError> {
        self.github.commit(base, files, message, NOW)
    }

    fn issues(&self) -> Option<&dyn Issues> {
        Some(self)
    }

    fn mirror(&self) -> Result<String, ForgeError> {
        self.github.mirror(&self.repository)
    }

    fn repository(&self) -> &Repository {
        &self.repository
    }
}

impl Issues for Emulated {
    fn open_issue(&self, title: &str, body: &str, labels: &[&str]) -> Result<i64, ForgeError> {
        self.github.open_issue(title, body, labels)
    }

    fn close_issue(&self, number: i64) -> Result<(), ForgeError> {
        self.github.close_issue(number)
    }
}
