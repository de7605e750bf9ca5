//! Deliveries of GitHub at the door of a real server.

use crate::emulated::{Emulated, Setup};
use crate::suite::{Subject, files};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SECRET: &str = "It's a Secret to Everybody";

struct Server {
    child: Child,
    base: String,
    _folder: tempfile::TempDir,
}

impl Server {
    /// A server whose corpus lives on a GitHub, or in its data folder.
    fn start(kind: &str, github: &Emulated) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let secret = folder.path().join("webhook.secret");
        std::fs::write(&secret, format!("{SECRET}\n")).expect("written");
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("becivic"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.path().join("data"))
            .env("BECIVIC_FORGE__KIND", kind)
            .env("BECIVIC_FORGE__API", &github.base)
            .env("BECIVIC_FORGE__OWNER", "be-civic")
            .env("BECIVIC_FORGE__REPOSITORY", "corpus")
            .env("BECIVIC_FORGE__APP_ID", "12345")
            .env("BECIVIC_FORGE__INSTALLATION_ID", "100")
            .env("BECIVIC_FORGE__PRIVATE_KEY_FILE", github.key())
            .env("BECIVIC_FORGE__WEBHOOK_SECRET_FILE", &secret)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let output = child.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let base = lines.find(|line| line.starts_with("http://")).expect("its address");
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, base, _folder: folder }
    }

    fn deliver(&self, kind: &str, body: &str, signature: Option<&str>) -> (u16, String) {
        let mut request = ureq::http::Request::builder()
            .method("POST")
            .uri(format!("{}/api/_forge/webhook", self.base))
            .header("content-type", "application/json")
            .header("x-github-event", kind);
        if let Some(signature) = signature {
            request = request.header("x-hub-signature-256", signature);
        }
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        let agent = ureq::Agent::new_with_config(config);
        let mut reply = agent.run(request.body(body.to_owned()).expect("a request")).expect("an answer");
        (reply.status().as_u16(), reply.body_mut().read_to_string().expect("text"))
    }

    fn metrics(&self) -> String {
        let mut reply = ureq::get(format!("{}/metrics", self.base)).call().expect("an answer");
        reply.body_mut().read_to_string().expect("text")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

fn signature(body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).expect("any length");
    mac.update(body.as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

#[test]
fn only_what_is_signed_is_heard() {
    let github = Emulated::start(Setup::default());
    github.fill();
    let server = Server::start("github", &github);
    let push = r#"{"ref":"refs/heads/main"}"#;
    let good = signature(push);
    assert_eq!(server.deliver("push", push, Some(&good)), (200, r#"{"looking":true}"#.to_owned()));
    let other = r#"{"ref":"refs/heads/other"}"#;
    assert_eq!(
        server.deliver("push", other, Some(&signature(other))),
        (200, r#"{"looking":false}"#.to_owned())
    );
    let ping = r#"{"zen":"Design for failure."}"#;
    assert_eq!(server.deliver("ping", ping, Some(&signature(ping))).0, 200);
    for wrong in [None, Some(""), Some("sha256="), Some("sha256=00"), Some(signature(other).as_str())] {
        let (status, said) = server.deliver("push", push, wrong);
        assert_eq!(status, 401, "{wrong:?}");
        assert!(said.contains("unauthorized"), "{said}");
    }
    let long = format!(r#"{{"ref":"{}"}}"#, "x".repeat(2 * 1024 * 1024));
    assert_eq!(server.deliver("push", &long, Some(&signature(&long))).0, 413);
}

#[test]
fn without_a_forge_elsewhere_there_is_no_such_door() {
    let server = Server::start("local", &Emulated::start(Setup::default()));
    let push = r#"{"ref":"refs/heads/main"}"#;
    assert_eq!(server.deliver("push", push, Some(&signature(push))).0, 404);
}

#[test]
fn what_github_delivers_is_understood() {
    let github = Emulated::start(Setup::default());
    let base = github.fill();
    let server = Server::start("github", &github);
    github.deliver_to(&format!("{}/api/_forge/webhook", server.base), SECRET);
    github.commit(&base, &files(&[("a.md", Some("a\n"))]), "Push").expect("committed");
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let metrics = server.metrics();
        let line = metrics.lines().find(|line| line.contains("/api/_forge/webhook") && line.contains("2xx"));
        if line.is_some() {
            break;
        }
        assert!(!metrics.contains("/api/_forge/webhook"), "it was refused: {metrics}");
        assert!(Instant::now() < deadline, "nothing was delivered");
        std::thread::yield_now();
    }
}
