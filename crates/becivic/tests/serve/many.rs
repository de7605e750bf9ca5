//! Five hundred commits of every kind, made by the commit job: `git` finds nothing wrong with the repository, and every commit
//! passes `becivic check --base` against the one before.

use crate::git_http::says;
use crate::harness::{Engine, Place, Server, Setup, make, propose, root};
use becivic_core::change::{BaseFile, Change};
use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::finding::Severity;
use becivic_core::{rollup, rules};
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::db::salts;
use becivic_server::db::staged::{self, Staged};
use becivic_server::jobs::Lease;
use becivic_server::jobs::commit::{self, Mode};
use becivic_server::moment::{Clock, Moment};
use becivic_server::repository::Repository;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Proposed first, and amended then: one of each in every round.
const SKILLS: usize = 52;
const PATHS: usize = 8;

/// How many are made.
const COMMITS: usize = 500;

/// Commits looked at by the program itself, in a working copy.
const LOOKED_AT: usize = 10;

/// The corpus that the fixtures speak of, with the rollups that a published one has.
pub fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut files = becivic_server::bundled::files_of(&root().join("fixtures/corpus")).expect("the fixtures");
    let inputs = files.iter().map(|(path, bytes)| {
        let content = Content::Bytes(bytes.clone());
        Input { path: path.clone(), content }
    });
    let corpus = Corpus::from_inputs(inputs.collect());
    let rollups =
        [("skills/rollup.json", rollup::skills(&corpus)), ("paths/rollup.json", rollup::paths(&corpus))];
    for (path, text) in rollups {
        files.push((path.to_owned(), text.expect("a rollup").into_bytes()));
    }
    files
}

fn app(place: &Place) -> Arc<App> {
    let folder = place.folder().join("corpus");
    for (path, bytes) in corpus() {
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(file, bytes).expect("written");
    }
    let mut config = Config::load(None, std::iter::empty()).expect("the defaults");
    config.server.data = place.data(0).display().to_string();
    config.server.database = place.url();
    config.server.pepper_file = place.folder().join("pepper.key").display().to_string();
    config.server.corpus = folder.display().to_string();
    App::open(config, crate::names::bundled().expect("sound weights"), Clock::System, Role::Serve)
        .expect("everything opens")
        .0
}

/// Stages something that a person has let pass: it is due, and not kept to its turn.
fn stage(app: &App, kind: &'static str, submission: &Value) {
    let id = submission[format!("{kind}_id")].as_str().expect("an id").to_owned();
    let target = submission["target_id"].as_str().filter(|_| kind == "amendment");
    let row = Staged {
        id: id.clone(),
        kind,
        payload: submission.to_string(),
        payload_digest: [0; 32],
        submitter_hash: [0; 32],
        cancel_hash: [0; 32],
        received_at: app.clock.now(),
        commit_eta: Moment(0),
        cohort_anchor: target.map(|id| format!("{id}@0.1.0")),
        review: Some("approved"),
        session_id: None,
    };
    let staged = app.db.write_now(move |tx| {
        salts::keep_submission(tx, &id, &[0; 32])?;
        staged::insert(tx, &row, None)
    });
    assert!(staged.expect("staged"));
}

/// Runs the job, which commits this many.
fn commit(app: &App, expected: usize) {
    let lease = Lease::take(app, commit::NAME).expect("asked").expect("the job is free");
    let summary = commit::run(app, &lease, Mode::Carry).expect("it runs");
    lease.give_back("well");
    assert_eq!(summary.committed, expected, "{summary}");
}

fn skill(index: usize) -> String {
    format!("skill-number-{index}")
}

fn path(index: usize) -> String {
    format!("path-number-{index}")
}

/// An amendment of a skill's text: more lines at the beginning of its process.
fn more(app: &App, id: &str, lines: &str) -> Value {
    let live = app.live.load_full();
    let body = live.corpus.skills.get(id).expect("the skill").body();
    let at = body.lines().position(|line| line.starts_with("## Process")).expect("a process");
    let added: String = lines.lines().map(|line| format!("+{line}\n")).collect();
    let count = lines.lines().count();
    let diff = format!("@@ -{0},1 +{0},{1} @@\n ## Process\n{added}", at + 1, count + 1);
    propose::body_diff(id, &live.commit, &diff)
}

/// What happens to a skill in a round.
fn amended_skill(app: &App, index: usize, round: usize) -> Value {
    let id = skill(index);
    match (index + round) % 5 {
        0 => more(app, &id, &format!("\nBring paper number {round}.")),
        1 => {
            let day = format!("2026-{:02}-{:02}", round + 1, index % 28 + 1);
            propose::field("skill", &id, "last_verified", json!(day))
        }
        2 => {
            let cites = format!(
                "\nIt costs <VV name=\"fee-{round}-of-{index}-eur\" uid=\"\">€{}</VV>.",
                index + round + 5
            );
            more(app, &id, &cites)
        }
        3 => {
            let url =
                format!("https://www.ejustice.just.fgov.be/eli/loi/19{:02}/0{}/01", index + 40, round + 1);
            let cites = format!(
                "\nIt rests on a <Ref name=\"law-{round}-of-{index}\" uid=\"\" title=\"A law\" url=\"{url}\" last_verified=\"2026-05-12\">law</Ref>."
            );
            more(app, &id, &cites)
        }
        _ => {
            let mut change = more(app, &id, &format!("\nAsk at desk number {round}."));
            change["provenance"] = json!({
                "kind": "discovery_session", "research_notes_markdown": format!("# Notes\n\nDesk {round} asked."),
                "session_count": 2, "first_session_at": "2026-10-01T10:11:12Z",
                "research_sources": [{"url": "https://www.ejustice.just.fgov.be/eli/loi/1991/07/19", "kind": "citation-grade", "claim": "It is asked for."}],
            });
            change
        }
    }
}

/// What happens to a path in a round.
fn amended_path(index: usize, round: usize) -> Value {
    if round.is_multiple_of(2) {
        let text = format!("Certificate number {round} of the nationality entered in the register.");
        return propose::field("path", &path(index), "description.en", json!(text));
    }
    let file = root().join("fixtures/amendments/valid/path_source/source-add.json");
    let text = std::fs::read_to_string(file).expect("a fixture");
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    value["amendment_id"] = make::id("amd_").into();
    value["target_id"] = path(index).into();
    value["content"]["source_add"]["id"] = format!("counter-{round}").into();
    value
}

fn make_them(app: &App) {
    for index in 0..SKILLS {
        stage(app, "draft", &propose::draft(&skill(index)));
    }
    for index in 0..PATHS {
        stage(app, "draft", &propose::path_draft(&path(index)));
    }
    commit(app, SKILLS + PATHS);
    let mut made = SKILLS + PATHS;
    for round in 0.. {
        let count = (COMMITS - made).min(SKILLS + PATHS);
        if count == 0 {
            break;
        }
        for index in 0..count {
            let change = match index.checked_sub(PATHS) {
                Some(index) => amended_skill(app, index, round),
                None => amended_path(index, round),
            };
            stage(app, "amendment", &change);
        }
        commit(app, count);
        made += count;
    }
}

/// Every rule, as `becivic check --base` runs them, on each commit and the one before it.
fn every_commit_passes(repository: &Repository, first: &str, commits: &[String]) {
    let read = |sha: &str| Corpus::from_inputs(repository.files(sha).expect("files"));
    let mut corpus = read(first);
    let mut parent = first.to_owned();
    for sha in commits {
        let (changed, removed) = repository.changed(&parent, sha).expect("a difference");
        let files: Vec<String> =
            changed.iter().map(|input| input.path.clone()).chain(removed.iter().cloned()).collect();
        let steps = repository.steps(&parent, std::slice::from_ref(sha), &files).expect("the step");
        let files = steps.into_iter().map(|(path, steps)| {
            let before = steps.first().and_then(|step| step.parents.first().cloned());
            BaseFile { path, before, steps }
        });
        let change = Change::read(files.collect(), &[]);
        corpus = corpus.patched(changed, &removed).unwrap_or_else(|| read(sha));
        let findings = rules::check(&corpus, &*corpus.catalogue, Some(&change));
        let errors: Vec<_> = findings.iter().filter(|it| it.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", repository.message(sha).expect("a message"));
        parent.clone_from(sha);
    }
}

/// The program itself, on a commit in a working copy.
fn passes_by_command(work: &Path, sha: &str) {
    says(work, &["checkout", "--quiet", sha]);
    let mut check = Command::new(env!("CARGO_BIN_EXE_becivic"));
    let ended = check.current_dir(work).args(["check", ".", "--base", &format!("{sha}^")]).output();
    let ended = ended.expect("becivic runs");
    assert!(ended.status.success(), "{sha}: {}", String::from_utf8_lossy(&ended.stdout));
    assert!(says(work, &["show", "--stat", sha]).contains("Be Civic Bot <bot@becivic.be>"));
}

#[test]
fn five_hundred_commits_are_sound_and_pass_every_rule() {
    let place = Place::new(Engine::Sqlite);
    let app = app(&place);
    let first = app.live.load().commit.clone();
    make_them(&app);
    let repository = app.repository.clone();
    let head = repository.head().expect("a head").sha;
    assert_eq!(app.live.load().commit, head);
    let commits = repository.between(&first, &head).expect("asked").expect("one line");
    assert_eq!(commits.len(), COMMITS);
    app.db.close();
    drop(app);

    every_commit_passes(&repository, &first, &commits);
    let server = Server::start(&place, &Setup::fixtures().with("JOBS__COMMIT_EVERY", "1h"));
    let folder = place.folder();
    let bare = place.data(0).join("corpus.git");
    says(&bare, &["fsck", "--strict"]);
    for (from, name) in
        [(bare.display().to_string(), "file"), (format!("{}/corpus.git", server.base()), "http")]
    {
        says(folder, &["clone", "--quiet", &from, name]);
        let work = folder.join(name);
        says(&work, &["fsck", "--strict"]);
        assert_eq!(says(&work, &["rev-parse", "HEAD"]), head);
        assert_eq!(says(&work, &["log", "--format=%H"]).lines().count(), COMMITS + 1);
        assert_eq!(says(&work, &["status", "--porcelain"]), "");
    }
    let work = folder.join("http");
    // Some of everything is there: new citations of both kinds, reports of research, sources.
    let text = says(
        &work,
        &["grep", "--untracked", "--no-color", "-hoE", "(fee|law)-[0-9]+-of-[0-9]+|counter-[0-9]+"],
    );
    for (what, least) in [("fee-", 50), ("law-", 50), ("counter-", PATHS)] {
        let found = text.lines().filter(|line| line.starts_with(what)).count();
        assert!(found >= least, "{what}: {found}");
    }
    let reports = says(&work, &["ls-files", "skills/*/research-report.md"]).lines().count();
    assert!(reports > SKILLS / 2, "{reports} reports");
    assert!(says(&work, &["show", "HEAD:skills/rollup.json"]).contains(&skill(SKILLS - 1)));
    for sha in commits.iter().step_by(COMMITS / LOOKED_AT) {
        passes_by_command(&work, sha);
    }
    assert!(server.stop().success());
}
