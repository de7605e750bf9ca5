//! The commit job is cut off at the boundary of every two of its steps, as a power cut would, and run again: everything
//! happens exactly once.

use crate::commit::{repository, sent};
use crate::emulated::Emulated;
use crate::harness::{Engine, Place, Server, Setup, make, propose};
use crate::on_github;
use becivic_core::corpus::Content;
use becivic_server::db::pulls;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

/// The boundaries, by the names that the program knows them by.
const STEPS: &[&str] = &[
    "begun",
    "closed",
    "row-stored",
    "refused",
    "opened",
    "branched",
    "reported",
    "written",
    "stored",
    "moved",
];

/// Those that only a corpus on GitHub has.
const STEPS_ON_GITHUB: &[&str] = &["given-out", "moved-there"];

/// A place, and the GitHub that its corpus lives on, where it does.
struct Stand {
    place: Place,
    github: Option<Emulated>,
}

impl Stand {
    fn new(engine: Engine, is_on_github: bool) -> Self {
        Self { place: Place::new(engine), github: is_on_github.then(on_github::filled) }
    }

    fn settings(&self) -> Vec<(String, String)> {
        let corpus_on = |github: &Emulated| on_github::settings(&github.base, &github.key());
        self.github.as_ref().map_or_else(Vec::new, corpus_on)
    }
}

/// Runs `becivic commit` at a place.
fn commit(stand: &Stand, cut_off_at: Option<&str>) -> Output {
    let place = &stand.place;
    let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
    command.arg("commit").arg("--data").arg(place.data(0)).args(["--database", &place.url()]);
    command.env("BECIVIC_SERVER__PEPPER_FILE", place.folder().join("pepper.key"));
    for (name, value) in stand.settings() {
        command.env(format!("BECIVIC_{name}"), value);
    }
    if let Some(step) = cut_off_at {
        command.env("ABORT_BECIVIC_AT", step);
    }
    command.output().expect("becivic runs")
}

/// Something of every kind is due: rows, an amendment that mints a uid, a draft that was approved, one that was taken back,
/// and a diff that applies no more.
fn prepared(engine: Engine, is_on_github: bool) -> Stand {
    let stand = Stand::new(engine, is_on_github);
    let place = &stand.place;
    let mut setup =
        Setup::fixtures().unlimited().with("STAGING__WINDOW", "1ms").with("JOBS__COMMIT_EVERY", "1h");
    setup.settings.extend(stand.settings());
    let server = Server::start(place, &setup);
    // The run at the start is over when its lease is free again.
    crate::commit::until("the first run is over", || {
        place.write(|tx| {
            let free =
                "SELECT name FROM jobs WHERE name = 'commit' AND holder IS NULL AND ended_at IS NOT NULL";
            Ok(tx.first(free, &[])?.map(drop))
        })
    });
    sent(&server, "/api/drafts", &propose::path_draft("compost-permit"));
    let (taken_back, reply) = sent(&server, "/api/drafts", &propose::draft("lost-keys"));
    let opened = commit(&stand, None);
    assert!(opened.status.success(), "{opened:?}");
    assert_eq!(
        String::from_utf8_lossy(&opened.stdout),
        "0 committed, 2 waiting for review, 0 queued, 0 held, 0 rejected, 0 to be tried again\n"
    );
    place.write(|tx| {
        let found = pulls::in_state(tx, "open", 0, 10)?;
        let number = found.iter().find(|pull| pull.target_id == "compost-permit").map(|pull| pull.number);
        let sql = "UPDATE staged SET review = 'approved', due_at = 0 WHERE pull = $1";
        tx.execute(sql, &[number.into()]).map(drop)
    });
    let token = reply.json()["cancel_token"].as_str().expect("a token").to_owned();
    assert_eq!(server.delete(&taken_back, &token).status, 200);
    sent(
        &server,
        "/api/concerns",
        &make::concern("arrival-declaration", "The desk asked for two photographs."),
    );
    sent(&server, "/api/ratings", &make::rating("arrival-declaration", 4));
    sent(&server, "/api/amendments", &make::value_amendment("val-00002", json!("9 working days")));
    let cite = "\nIt costs <VV name=\"card-fee-eur\" uid=\"\">€20</VV>.";
    sent(&server, "/api/amendments", &propose::line(&server, "renew-residence-card", "## Process", cite));
    let doomed = propose::line(&server, "arrival-declaration", "## Process", "\nx");
    let (address, _) = sent(&server, "/api/amendments", &doomed);
    let id = address.rsplit('/').next().expect("an id").to_owned();
    place.write(move |tx| {
        let sql =
            "UPDATE staged SET payload = REPLACE(payload, ' ## Process', ' ## Elsewhere') WHERE id = $1";
        tx.execute(sql, &[(&id).into()]).map(drop)
    });
    assert!(server.stop().success());
    stand
}

/// What can be seen of a place that does not depend on when and in which order things happened.
fn seen(stand: &Stand) -> BTreeMap<&'static str, Vec<String>> {
    let place = &stand.place;
    let mut seen = BTreeMap::new();
    let tables: [(&str, &'static str); 9] = [
        ("staged", "SELECT kind FROM staged ORDER BY kind"),
        ("ledger", "SELECT kind || ' ' || state || ' ' || COALESCE(category, '') FROM ledger ORDER BY 1"),
        ("concerns", "SELECT uid || ' ' || target_id FROM concerns ORDER BY 1"),
        ("ratings", "SELECT target_id FROM ratings"),
        ("rows", "SELECT row_key || ' ' || content || ' ' || status FROM catalogue_rows ORDER BY 1"),
        (
            "amendments",
            "SELECT uid || ' ' || target_id || ' ' || state FROM amendments WHERE target_type = 'skill' ORDER BY 1",
        ),
        ("drafts", "SELECT uid || ' ' || proposed_id || ' ' || state FROM drafts ORDER BY 1"),
        ("pulls", "SELECT purpose || ' ' || target_id || ' ' || state FROM pulls ORDER BY 1"),
        ("counters", "SELECT prefix FROM uid_counters WHERE last > 0 ORDER BY 1"),
    ];
    for (name, sql) in tables {
        let rows = place.write(move |tx| {
            tx.query(sql, &[])?.iter().map(|row| row.text(0)).collect::<Result<Vec<_>, _>>()
        });
        seen.insert(name, rows);
    }
    // Which of two proposals came first, and so its number, is drawn by lot.
    for table in ["amendments", "drafts"] {
        let rows = seen.get_mut(table).expect("there");
        rows.iter_mut().for_each(|row| *row = row.split_once(' ').expect("a uid").1.to_owned());
    }
    let repository = repository(place);
    let head = repository.head().expect("a head").sha;
    let files = repository.files(&head).expect("files");
    let texts = files.iter().map(|input| match &input.content {
        Content::Bytes(bytes) => {
            // A commit that a text names depends on what was merged before it.
            let text = String::from_utf8_lossy(bytes).into_owned();
            let lines = text.lines().filter(|line| !line.starts_with("previous_stable_sha: "));
            format!("{}: {}", input.path, lines.collect::<Vec<_>>().join("\n"))
        }
        other => panic!("{} is {other:?}", input.path),
    });
    seen.insert("files", texts.collect());
    let commits = place.write(|tx| Ok(tx.query("SELECT sha FROM corpus_commits", &[])?.len()));
    seen.insert("commits", vec![commits.to_string()]);
    let newest = place.write(|tx| Ok(becivic_server::db::corpus_commits::newest(tx)?.map(|it| it.1)));
    assert_eq!(newest, Some(head), "the repository is where the database says");
    seen.insert(
        "branches",
        (1..=9)
            .filter_map(|n| repository.pointed(&format!("refs/pull/{n}/head")).map(|_| "there".to_owned()))
            .collect(),
    );
    if let Some(github) = &stand.github {
        let there = github.github.head().expect("main");
        assert_eq!(there, repository.head().expect("a head").sha, "GitHub is where the repository is");
        let names = |path: &str, field: fn(&Value) -> String| -> Vec<String> {
            let listed = github.look(path);
            let mut names: Vec<String> = listed.as_array().expect("a list").iter().map(field).collect();
            names.sort();
            names
        };
        seen.insert("main on GitHub", names("/commits?per_page=100", |_| "a commit".to_owned()));
        seen.insert("branches on GitHub", names("/branches?per_page=100", |it| it["name"].to_string()));
        let pulls = names("/pulls?state=all&per_page=100", |it| {
            let title = it["title"].as_str().expect("a title");
            format!("{} {}", title.split(" (").next().unwrap_or_default(), it["state"])
        });
        seen.insert("pull requests on GitHub", pulls);
    }
    seen
}

fn exactly_once(engine: Engine, is_on_github: bool) {
    let reference = prepared(engine, is_on_github);
    let ended = commit(&reference, None);
    assert!(ended.status.success(), "{ended:?}");
    let expected = seen(&reference);
    assert_eq!(expected.get("staged"), Some(&Vec::new()));
    assert_eq!(expected.get("commits"), Some(&vec!["3".to_owned()]), "the beginning, an amendment, a draft");
    let more = if is_on_github { STEPS_ON_GITHUB } else { &[] };
    for step in STEPS.iter().chain(more) {
        let stand = prepared(engine, is_on_github);
        let cut_off = commit(&stand, Some(step));
        assert_eq!(cut_off.status.signal(), Some(6), "{step} is never reached: {cut_off:?}");
        // The lease of the dead ends by itself (`replicas.rs` waits for it); here it has ended.
        stand.place.write(|tx| tx.execute("UPDATE jobs SET held_until = 0", &[]).map(drop));
        let again = commit(&stand, None);
        assert!(again.status.success(), "after {step}: {again:?}");
        for (what, rows) in seen(&stand) {
            let wanted = expected.get(what).expect("the same things are seen");
            let other: Vec<_> = rows.iter().filter(|row| !wanted.contains(row)).collect();
            assert!(
                rows == *wanted,
                "cut off at {step}, {what}: {} not {}: {other:?}",
                rows.len(),
                wanted.len()
            );
        }
    }
}

#[test]
fn everything_happens_once_on_sqlite() {
    exactly_once(Engine::Sqlite, false);
}

#[test]
fn everything_happens_once_on_postgres() {
    exactly_once(Engine::Postgres, false);
}

#[test]
fn everything_happens_once_on_github() {
    exactly_once(Engine::Sqlite, true);
}
