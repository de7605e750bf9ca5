//! `becivic serve` with its corpus on an (emulated) GitHub: what is sent becomes pull requests and commits there, and what
//! maintainers do there is followed.

use crate::commit::{quick, reaches, sent, until};
use crate::emulated::{self, Emulated};
use crate::harness::{Engine, Place, Reply, Server, Setup, make, propose};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A GitHub with the corpus of the fixtures on its `main`.
pub fn filled() -> Emulated {
    let github = Emulated::start(emulated::Setup::default());
    github.fill_with(crate::many::corpus().into_iter());
    github
}

/// What a server is told of a GitHub.
pub fn settings(api: &str, key: &Path) -> Vec<(String, String)> {
    let settings = [
        ("KIND", "github"),
        ("API", api),
        ("OWNER", "be-civic"),
        ("REPOSITORY", "corpus"),
        ("APP_ID", "12345"),
        ("INSTALLATION_ID", "100"),
        ("PRIVATE_KEY_FILE", &key.display().to_string()),
    ];
    settings.map(|(name, value)| (format!("FORGE__{name}"), value.to_owned())).to_vec()
}

fn on(github: &Emulated, api: &str) -> Setup {
    let mut setup = quick();
    setup.settings.extend(settings(api, &github.key()));
    setup
}

/// The pull request about something, when it is in a state on GitHub.
fn pull(github: &Emulated, about: &str, state: &str) -> Option<Value> {
    let listed = github.look("/pulls?state=all&per_page=100");
    let is_it =
        |it: &&Value| it["title"].as_str().is_some_and(|title| title.contains(about)) && it["state"] == state;
    listed.as_array().expect("a list").iter().find(is_it).cloned()
}

fn labels(pull: &Value) -> Vec<&str> {
    pull["labels"].as_array().expect("labels").iter().filter_map(|it| it["name"].as_str()).collect()
}

/// The commit that is served, once it is also the one at the head of GitHub's `main`: its JSON there.
fn served_head(server: &Server, github: &Emulated) -> Value {
    let sha = github.github.head().expect("main");
    until("GitHub's main is served", || (propose::commit(server) == sha).then_some(()));
    github.look(&format!("/git/commits/{sha}"))
}

fn skill(server: &Server, id: &str) -> Value {
    until(&format!("{id} is served"), || {
        let reply = server.get(&format!("/api/skills/{id}"));
        (reply.status == 200).then(|| reply.json())
    })
}

/// Waits until what became of a pull request is noted here. (GitHub counts who asks it how often.)
fn noted(place: &Place, about: &str, sql: &'static str) {
    until(&format!("{about}: {sql}"), || {
        let about = about.to_owned();
        place.write(move |tx| Ok(tx.first(sql, &[(&about).into()])?.map(drop)))
    });
}

const IS_THERE: &str = "SELECT number FROM pulls WHERE target_id = $1 AND head IS NOT NULL";
const IS_CLOSED: &str = "SELECT number FROM pulls WHERE target_id = $1 AND state = 'closed'";

/// Sends a draft and waits for its pull request on GitHub; its address here, the answer, and the pull request there.
fn drafted(on: (&Server, &Place, &Emulated), draft: &Value, id: &str) -> (String, Reply, Value) {
    let (server, place, github) = on;
    let (address, reply) = sent(server, "/api/drafts", draft);
    noted(place, id, IS_THERE);
    let found = pull(github, &format!(" {id} ("), "open");
    (address, reply, found.expect("there is a pull request on GitHub"))
}

/// Approves what waits in a pull request, as the desk does.
fn approve(place: &Place, id: &str) {
    let id = id.to_owned();
    until("it waits for a person", || {
        let id = id.clone();
        place.write(move |tx| {
            let sql = "UPDATE staged SET review = 'approved', due_at = 0 WHERE due_at IS NULL AND pull = \
                       (SELECT number FROM pulls WHERE target_id = $1)";
            Ok((tx.execute(sql, &[(&id).into()])? == 1).then_some(()))
        })
    });
}

fn merge_by_hand(github: &Emulated, pull: &Value) -> String {
    // What GitHub suggests for a pull request of one commit: its own message.
    let head = pull["head"]["sha"].as_str().expect("a head");
    let message = github.look(&format!("/git/commits/{head}"))["message"].clone();
    let (title, rest) = message.as_str().and_then(|it| it.split_once("\n\n")).expect("a message");
    let path = format!("/pulls/{}/merge", pull["number"]);
    let body = json!({"merge_method": "squash", "commit_title": title, "commit_message": rest});
    let merged = github.by_hand("PUT", &path, &body);
    merged["sha"].as_str().unwrap_or_else(|| panic!("it is merged: {merged}")).to_owned()
}

/// A maintainer's push of one changed file.
fn push(github: &Emulated, path: &str, text: &str, message: &str) -> String {
    let base = github.github.head().expect("main");
    let tree = github.look(&format!("/git/commits/{base}"))["tree"]["sha"].clone();
    let entry = json!({"path": path, "mode": "100644", "type": "blob", "content": text});
    let tree = github.by_hand("POST", "/git/trees", &json!({"base_tree": tree, "tree": [entry]}));
    let ann =
        json!({"name": "Ann Peeters", "email": "maintainer@becivic.be", "date": "2026-11-15T10:11:12Z"});
    let commit =
        json!({"message": message, "tree": tree["sha"], "parents": [base], "author": ann, "committer": ann});
    let commit = github.by_hand("POST", "/git/commits", &commit);
    github.by_hand("PATCH", "/git/refs/heads/main", &json!({"sha": commit["sha"]}));
    commit["sha"].as_str().expect("a commit").to_owned()
}

fn from_post_to_github(engine: Engine) {
    let github = filled();
    let place = Place::new(engine);
    let server = Server::start(&place, &on(&github, &github.base));
    assert_eq!(propose::commit(&server), github.github.head().expect("main"), "it begins with what is there");

    // An amendment is merged by itself.
    let change = propose::line(&server, "renew-residence-card", "## Process", "\nBring a spare photograph.");
    let (address, _) = sent(&server, "/api/amendments", &change);
    reaches(&server, &address, "committed");
    let head = served_head(&server, &github);
    let message = head["message"].as_str().expect("a message");
    assert!(
        message.ends_with("\n\nSubmission: amd-00001\nCohort: reset skill:renew-residence-card\n")
            || message.ends_with("\n\nSubmission: amd-00001\nCohort: reset skill:renew-residence-card"),
        "{message}"
    );
    for who in ["author", "committer"] {
        let who = &head[who];
        assert_eq!((&who["name"], &who["email"]), (&json!("Be Civic Bot"), &json!("bot@becivic.be")));
        assert!(who["date"].as_str().is_some_and(|date| date.contains("T00:00:00")), "{who}");
    }
    let merged = pull(&github, "renew-residence-card", "closed").expect("its pull request is not open");
    assert!(labels(&merged).contains(&"amendment"), "{}", merged["labels"]);
    assert!(skill(&server, "renew-residence-card")["body"].to_string().contains("spare photograph"));

    // A draft waits for a person.
    let on = (&server, &place, &github);
    let (address, _, open) = drafted(on, &propose::draft("compost-collection"), "compost-collection");
    assert!(
        labels(&open).contains(&"draft") && labels(&open).contains(&"checks: green"),
        "{}",
        open["labels"]
    );
    assert_eq!(server.get("/api/skills/compost-collection").status, 404);
    approve(&place, "compost-collection");
    reaches(&server, &address, "committed");
    assert_eq!(skill(&server, "compost-collection")["status"], "alpha");
    served_head(&server, &github);
    assert!(pull(&github, "compost-collection", "closed").is_some());

    // One that a maintainer closes there is refused.
    let (address, _, open) = drafted(on, &propose::draft("lost-keys"), "lost-keys");
    github.by_hand("PATCH", &format!("/pulls/{}", open["number"]), &json!({"state": "closed"}));
    assert_eq!(reaches(&server, &address, "rejected")["category"], "review_rejected");
    noted(&place, "lost-keys", IS_CLOSED);
    assert_eq!(github.look("/branches?per_page=100").as_array().map(Vec::len), Some(1), "its branch is gone");

    // One that a maintainer merges there is committed; the uids it was made with are given out with it.
    let cites = "It costs <VV name=\"stray-dog-fee-eur\" uid=\"\">€20</VV>.";
    let (address, _, open) = drafted(on, &propose::draft_saying("stray-dogs", cites), "stray-dogs");
    merge_by_hand(&github, &open);
    reaches(&server, &address, "committed");
    assert!(skill(&server, "stray-dogs")["body"].to_string().contains("val-00003"));
    assert_eq!(server.get("/api/volatile-values/val-00003").json()["name"], "stray-dog-fee-eur");
    served_head(&server, &github);
    let (address, _, open) = drafted(on, &propose::path_draft("compost-permit"), "compost-permit");
    merge_by_hand(&github, &open);
    reaches(&server, &address, "committed");
    let last = place.write(|tx| becivic_server::db::uids::last(tx, "pth"));
    let index = crate::commit::file(&server, &place, "paths/index.json").expect("the directory");
    let index: Value = serde_json::from_str(&index).expect("JSON");
    assert_eq!(index["paths"]["compost-permit"]["uid"], format!("pth-{last:05}"));

    // What is pushed there is brought here, and versions, uids and rollups follow.
    let path = "skills/legalise-foreign-document/canonical.md";
    let text = crate::commit::file(&server, &place, path).expect("the skill");
    let cite = "## Process\n\nThe fee is <VV name=\"legalisation-fee-eur\" uid=\"\">€20</VV>.\n";
    let pushed = push(&github, path, &text.replacen("## Process\n", cite, 1), "Say what it costs");
    let after = until("what was pushed is served", || {
        crate::commit::file(&server, &place, path).filter(|text| text.contains("legalisation-fee-eur"))
    });
    assert!(after.contains("uid=\"val-00004\"") && after.contains("version: 0.1.3\n"), "{after}");
    let head = served_head(&server, &github);
    assert_eq!(head["parents"][0]["sha"], pushed.as_str(), "{head}");
    assert!(head["message"].as_str().is_some_and(|it| it.starts_with("version-bump: 1 ")), "{head}");

    // What a maintainer merges without its rollups, because `main` has moved since, gets them as well.
    let (address, _, open) = drafted(on, &propose::draft("found-keys"), "found-keys");
    let branch = open["head"]["ref"].as_str().expect("a branch");
    let path = "skills/found-keys/canonical.md";
    let proposed = github.look(&format!("/contents/{path}?ref={branch}"))["content"].to_string();
    let proposed = proposed.trim_matches('"').replace("\\n", "");
    let text = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, proposed).expect("base64");
    let uid =
        open["title"].as_str().and_then(|it| it.rsplit_once('(')).expect("a uid").1.trim_end_matches(')');
    let message = format!("Merge it by hand\n\nSubmission: {uid}\n");
    let pushed = push(&github, path, &String::from_utf8(text).expect("text"), &message);
    reaches(&server, &address, "committed");
    assert_eq!(skill(&server, "found-keys")["version"], "0.1.0");
    let rollup = until("the rollup follows", || {
        crate::commit::file(&server, &place, "skills/rollup.json").filter(|it| it.contains("found-keys"))
    });
    assert!(rollup.contains("stray-dogs"), "{rollup}");
    assert_eq!(served_head(&server, &github)["parents"][0]["sha"], pushed.as_str());

    crate::pushes::git(&place.data(0).join("corpus.git"), &["fsck", "--strict"]);
    assert!(server.stop().success());
}

#[test]
fn from_post_to_github_on_sqlite() {
    from_post_to_github(Engine::Sqlite);
}

#[test]
fn from_post_to_github_on_postgres() {
    from_post_to_github(Engine::Postgres);
}

/// A way to GitHub that can be cut.
struct Way {
    base: String,
    cut: Arc<Mutex<Cut>>,
}

#[derive(Default)]
struct Cut {
    is_cut: bool,
    open: Vec<TcpStream>,
}

impl Way {
    fn to(github: &Emulated) -> Self {
        let there = github.base.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let cut = Arc::new(Mutex::new(Cut::default()));
        let shared = Arc::clone(&cut);
        std::thread::spawn(move || {
            for coming in listener.incoming().flatten() {
                let mut cut = shared.lock().expect("nobody panics");
                if cut.is_cut {
                    std::thread::spawn(move || unavailable(coming));
                } else {
                    let going = TcpStream::connect(&there).expect("GitHub is there");
                    cut.open.extend([&coming, &going].map(|it| it.try_clone().expect("a socket")));
                    for (mut from, mut to) in
                        [(coming.try_clone(), going.try_clone()), (Ok(going), Ok(coming))]
                            .map(|(from, to)| (from.expect("a socket"), to.expect("a socket")))
                    {
                        std::thread::spawn(move || {
                            let _how_much = std::io::copy(&mut from, &mut to);
                            let _was_open = to.shutdown(Shutdown::Both);
                        });
                    }
                }
            }
        });
        Self { base, cut }
    }

    fn set(&self, is_cut: bool) {
        let mut cut = self.cut.lock().expect("nobody panics");
        cut.is_cut = is_cut;
        for open in cut.open.drain(..) {
            let _was_open = open.shutdown(Shutdown::Both);
        }
    }
}

/// Reads a request and answers that nobody is there.
fn unavailable(mut stream: TcpStream) {
    let _read = stream.read(&mut [0; 65_536]);
    let said = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let _written = stream.write_all(said.as_bytes());
    let _closed = stream.shutdown(Shutdown::Write);
}

#[test]
fn what_waits_for_github_is_stamped_and_heals() {
    let github = filled();
    let way = Way::to(&github);
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &on(&github, &way.base));
    let (taken_back, cancelled, _) =
        drafted((&server, &place, &github), &propose::draft("lost-keys"), "lost-keys");
    way.set(true);
    let change = propose::line(&server, "renew-residence-card", "## Process", "\nBring a spare photograph.");
    let (address, _) = sent(&server, "/api/amendments", &change);
    let token = cancelled.json()["cancel_token"].as_str().expect("a token").to_owned();
    assert_eq!(server.delete(&taken_back, &token).status, 200);
    // What needs no GitHub does not wait for it.
    let (concern, _) = sent(
        &server,
        "/api/concerns",
        &make::concern("arrival-declaration", "The desk asked for two photographs."),
    );
    reaches(&server, &concern, "committed");
    let stamped = || {
        place.write(|tx| {
            let row =
                tx.first("SELECT failure FROM staged WHERE failure IS NOT NULL AND attempts > 0", &[])?;
            row.map(|row| row.text(0)).transpose()
        })
    };
    assert_eq!(until("the failure is stamped", stamped), "forge");
    assert_eq!(server.get(&address).json()["state"], "staged");
    assert_eq!(server.get("/api/skills/renew-residence-card").status, 200, "what is here is served");
    way.set(false);
    // Its next try is minutes away; here it has come.
    place.write(|tx| tx.execute("UPDATE staged SET due_at = 0 WHERE failure IS NOT NULL", &[]).map(drop));
    reaches(&server, &address, "committed");
    served_head(&server, &github);
    noted(&place, "lost-keys", IS_CLOSED);
    assert!(pull(&github, "lost-keys", "closed").is_some(), "what was taken back meanwhile");
    assert!(server.stop().success());
}

#[test]
fn a_first_start_without_github_serves_nothing() {
    let github = filled();
    let way = Way::to(&github);
    way.set(true);
    let place = Place::new(Engine::Sqlite);
    let said = Server::refused(&place, &on(&github, &way.base));
    assert!(said.contains("cannot begin with the corpus on the forge"), "{said}");
    way.set(false);
    let server = Server::start(&place, &on(&github, &way.base));
    assert_eq!(propose::commit(&server), github.github.head().expect("main"));
    assert!(server.stop().success());
    // Later, what was brought here is enough.
    way.set(true);
    let server = Server::start(&place, &on(&github, &way.base));
    assert_eq!(server.get("/api/skills/renew-residence-card").status, 200);
    assert!(server.stop().success());
}
