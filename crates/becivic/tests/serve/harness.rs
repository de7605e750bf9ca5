//! A server process, a database for it, and a client.
//!
//! 1. [`Engine`] is one of the two databases; [`Place`] is an empty database and data folder on one of them.
//! 2. [`Server::start`] starts `becivic serve` there and waits for the line that says where it answers.
//! 3. [`Server::post`] and its like give back a [`Reply`]: status, headers, body.

mod cluster;
pub mod make;
pub mod propose;
pub mod raw;
pub mod table;

use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

pub use cluster::Cluster;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One of the two databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Embedded.
    Sqlite,
    /// A server that the test starts.
    Postgres,
}

/// An empty database and data folder; several servers may share one on PostgreSQL.
pub struct Place {
    folder: TempDir,
    cluster: Option<Cluster>,
}

impl Place {
    /// Makes one.
    pub fn new(engine: Engine) -> Self {
        let folder = TempDir::new().expect("a folder");
        let cluster = (engine == Engine::Postgres).then(Cluster::start);
        Self { folder, cluster }
    }

    /// The data folder of server number `index`; all of them share the pepper.
    pub fn data(&self, index: usize) -> PathBuf {
        self.folder.path().join(format!("data-{index}"))
    }

    /// The database, as `--database` takes it.
    pub fn url(&self) -> String {
        match &self.cluster {
            Some(cluster) => cluster.url(),
            None => format!("sqlite://{}", self.folder.path().join("becivic.db").display()),
        }
    }

    /// The folder everything lies in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The PostgreSQL server, where there is one.
    pub fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_ref()
    }

    /// The database, opened beside the server as `becivic` itself opens it.
    pub fn db(&self) -> becivic_server::db::Db {
        becivic_server::db::Db::open(&self.url(), 1).expect("the database opens")
    }

    /// Takes a job as soon as nobody has it, so that no server does it until this is given back.
    pub fn holds(&self, job: &'static str) -> becivic_server::jobs::Lease {
        crate::commit::until("the job is ours", || {
            let clock = becivic_server::moment::Clock::System;
            becivic_server::jobs::Lease::take_over(self.db(), clock, job).expect("asked")
        })
    }

    /// Does something in the database, beside the server.
    pub fn write<T, F>(&self, work: F) -> T
    where
        T: Send + 'static,
        F: FnMut(&mut dyn becivic_server::db::Tx) -> Result<T, becivic_server::db::DbError> + Send + 'static,
    {
        let db = self.db();
        let done = db.write_now(work).expect("the database does it");
        db.close();
        done
    }

    /// The key that the servers hash with.
    pub fn pepper(&self) -> becivic_server::secrets::Pepper {
        becivic_server::secrets::Pepper::load(&self.folder.path().join("pepper.key")).expect("the pepper")
    }

    /// The token that the first server wrote down when it made the database.
    pub fn operator_token(&self) -> String {
        let file = self.data(0).join("operator.token");
        std::fs::read_to_string(file).expect("the first token").trim().to_owned()
    }
}

/// How a server is started.
#[derive(Clone, Default)]
pub struct Setup {
    /// The corpus it begins with, instead of the bundled one.
    pub corpus: Option<PathBuf>,
    /// Settings, as environment variables without the leading `BECIVIC_`.
    pub settings: Vec<(String, String)>,
    /// Which of the servers at one place it is.
    pub index: usize,
    /// The boundary of the commit job at which it is cut off.
    pub cut_off_at: Option<&'static str>,
}

impl Setup {
    /// The corpus that the fixtures speak of.
    pub fn fixtures() -> Self {
        Self { corpus: Some(root().join("fixtures/corpus")), ..Self::default() }
    }

    /// With one more setting, as `("LIMITS__PER_DAY", "7")`.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// As server number `index` of its place.
    pub fn number(mut self, index: usize) -> Self {
        self.index = index;
        self
    }

    /// Without limits that many tests from one address would meet.
    pub fn unlimited(self) -> Self {
        let names = ["PER_DAY", "VALIDATIONS_PER_DAY", "FLAGS_PER_DAY", "BURST_PER_HOUR", "GLOBAL_PER_HOUR"];
        names.iter().fold(self, |setup, name| setup.with(&format!("LIMITS__{name}"), "1000000000"))
    }
}

/// A running server.
pub struct Server {
    child: Child,
    base: String,
    log: PathBuf,
    agent: ureq::Agent,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub text: String,
}

impl Reply {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// A refusal without its help, which it must have and which is the same for everybody.
    pub fn refusal(&self) -> Value {
        let mut body = self.json();
        let help = body.as_object_mut().and_then(|fields| fields.remove("help"));
        assert!(help.is_some_and(|help| help.is_string()), "a refusal says what to do: {self:?}");
        body
    }

    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The `error` of a refusal; empty where it is none.
    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}

impl Server {
    /// Starts a server that must not start; what it says.
    pub fn refused(place: &Place, setup: &Setup) -> String {
        let ended = Self::command(place, setup).output().expect("becivic runs");
        assert!(!ended.status.success(), "it started: {ended:?}");
        String::from_utf8_lossy(&ended.stderr).into_owned()
    }

    fn command(place: &Place, setup: &Setup) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(place.data(setup.index));
        command.args(["--database", &place.url()]);
        command.env("BECIVIC_SERVER__PEPPER_FILE", place.folder().join("pepper.key"));
        command.env("BECIVIC_SERVER__TRUSTED_PROXIES", "[\"127.0.0.1/32\"]");
        if let Some(corpus) = &setup.corpus {
            command.arg("--corpus").arg(corpus);
        }
        for (name, value) in &setup.settings {
            command.env(format!("BECIVIC_{name}"), value);
        }
        if let Some(step) = setup.cut_off_at {
            command.env("ABORT_BECIVIC_AT", step);
        }
        command
    }

    /// Starts a server and waits until it answers.
    pub fn start(place: &Place, setup: &Setup) -> Self {
        let log = place.folder().join(format!("log-{}.txt", setup.index));
        let lines = File::options().create(true).append(true).open(&log).expect("a log");
        let mut command = Self::command(place, setup);
        let mut child = command.stdout(Stdio::piped()).stderr(lines).spawn().expect("becivic starts");
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        let base = loop {
            line.clear();
            let read = said.read_line(&mut line).expect("its output");
            assert_ne!(read, 0, "becivic ended: {}", std::fs::read_to_string(&log).unwrap_or_default());
            if line.starts_with("http://") {
                break line.trim().to_owned();
            }
        };
        // The rest is read and dropped, so that the server is never stopped by a full pipe.
        std::thread::spawn(move || said.lines().for_each(drop));
        let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build();
        Self { child, base, log, agent: config.into() }
    }

    /// Where it answers.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Its process, for a test that ends it while others are still talking to it.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<std::process::ExitStatus> {
        self.child.try_wait().expect("it was started")
    }

    /// What it logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Sends a request with any method, headers and body.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
        self.try_send(method, path, headers, body).unwrap_or_else(|| panic!("no answer to {method} {path}"))
    }

    /// The same; `None` when the server went away.
    pub fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Option<Reply> {
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.unwrap_or_default().to_vec()).expect("a request");
        let mut answer = self.agent.run(request).ok()?;
        let headers = answer.headers().iter();
        let headers = headers
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
        let headers = headers.collect();
        let bytes = answer.body_mut().with_config().limit(64 << 20).read_to_vec().ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(Reply { status: answer.status().as_u16(), headers, text })
    }

    /// Reads.
    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }

    /// Posts JSON.
    pub fn post(&self, path: &str, value: &Value) -> Reply {
        self.post_from("127.0.0.1", path, value)
    }

    /// Posts JSON as if from another address.
    pub fn post_from(&self, address: &str, path: &str, value: &Value) -> Reply {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", address)];
        self.send("POST", path, &headers, Some(value.to_string().as_bytes()))
    }

    /// Cancels with a token.
    pub fn delete(&self, path: &str, token: &str) -> Reply {
        self.send("DELETE", path, &[("authorization", &format!("Bearer {token}"))], None)
    }

    /// Patches JSON with an operator token.
    pub fn patch(&self, path: &str, token: &str, value: &Value) -> Reply {
        let bearer = format!("Bearer {token}");
        let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
        self.send("PATCH", path, &headers, Some(value.to_string().as_bytes()))
    }

    /// Ends the process at once, as a power cut would.
    pub fn kill(mut self) {
        self.child.kill().expect("it was running");
        self.child.wait().expect("it ended");
    }

    /// Asks the process to stop, waits until it has, and says how it ended.
    pub fn stop(mut self) -> std::process::ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        self.child.wait().expect("it ended")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _ended_already = self.child.wait();
    }
}
