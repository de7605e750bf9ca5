//! `becivic retract` with the real binary: what is taken out is in no object, name, row or byte afterwards; and whatever is
//! not confirmed changes nothing.

mod desk;

use crate::git_http::{git, says};
use crate::harness::{Engine, Server, Setup};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::db::{corpus_commits, pulls};
use becivic_server::jobs::commit;
use becivic_server::moment::Moment;
use desk::{Desk, PLANTED, SIDECAR, SKILL, confirmed, contents, holders, holds, said};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const ROWS: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM concerns";

fn a_text_is_taken_out(engine: Engine) {
    let desk = Desk::new(engine);
    desk.plant();
    let text = desk.text();
    let log = "log --format=%an|%ae|%ad|%cd|%s main";
    let log: Vec<&str> = log.split(' ').collect();
    let before = (contents(&desk.bare()), desk.names(), says(&desk.bare(), &log));
    assert!(holders(&desk.bare()).len() > 5, "it was not planted");

    // A rehearsal changes nothing, and says what it found in counts and names.
    let rehearsed = desk.command(&["--text", &text, "--github-plan"], "");
    let words = said(&rehearsed);
    assert!(rehearsed.status.success(), "{words}");
    for part in [
        "files: 2 in",
        SKILL,
        SIDECAR,
        "messages of commits: 1",
        "refs/heads/main",
        "refs/pull/3/head",
        "objects without a name: 1",
        "rows: 7",
        "concerns: 1",
        "catalogue_rows: 1",
        "Nothing was changed",
        "On GitHub",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert_eq!(contents(&desk.bare()), before.0);
    assert_eq!(desk.count(ROWS), 2);

    // Nor does what is not confirmed.
    for typed in ["", "yes\n", "retract 2001-01-01-01\n"] {
        let refused = desk.command(&["--text", &text, "--apply", "--who", "anna"], typed);
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        assert!(said(&refused).contains("nothing was changed"), "{}", said(&refused));
    }
    let nobody = desk.command(&["--text", &text, "--apply"], "");
    assert_eq!(nobody.status.code(), Some(2), "{}", said(&nobody));
    assert_eq!(contents(&desk.bare()), before.0);
    assert_eq!(desk.count(ROWS), 2);

    let typed = format!("{}\n", confirmed(&words));
    let done = desk.command(&["--text", &text, "--apply", "--who", "anna"], &typed);
    assert!(done.status.success(), "{}", said(&done));

    // No object, name, message or byte holds it.
    let objects = git(&desk.bare(), &["cat-file", "--batch-all-objects", "--batch"]);
    assert!(objects.status.success() && !holds(&objects.stdout), "an object holds it");
    assert_eq!(holders(&desk.place.data(0)), Vec::<PathBuf>::new());
    says(&desk.bare(), &["fsck", "--strict"]);
    if engine == Engine::Sqlite {
        for file in ["becivic.db", "becivic.db-wal", "becivic-fleeting.db", "becivic-fleeting.db-wal"] {
            let bytes = std::fs::read(desk.place.folder().join(file)).unwrap_or_default();
            assert!(!holds(&bytes), "{file} holds it");
        }
    }
    // Authors, times and other messages are as before; one commit more, with the note.
    let (note, after) =
        says(&desk.bare(), &log).split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(note.contains("Be Civic Bot|bot@becivic.be") && note.contains("Incident"), "{note}");
    assert_eq!(after, before.2.replace(PLANTED, "(retracted)"));
    assert_eq!(desk.names().lines().count(), before.1.lines().count());
    assert_ne!(desk.names(), before.1);
    // A file that named a commit names what it is called now.
    let report = says(&desk.bare(), &["show", &format!("main:{SIDECAR}")]);
    let named = report.rsplit("see ").next().unwrap().trim_end_matches('.').to_owned();
    assert_eq!(named, says(&desk.bare(), &["rev-parse", "main~3"]));

    for (sql, left) in [
        (ROWS, 1),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM staged", 0),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM amendments", 0),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM feedback_channel", 0),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM validations WHERE rationale IS NULL", 1),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM ratings WHERE would_be_5_stars IS NULL AND stars = 4", 1),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM catalogue_rows WHERE content LIKE '%(retracted)%'", 1),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM audit WHERE who = 'anna' AND action = 'retract'", 1),
    ] {
        assert_eq!(desk.count(sql), left, "{sql}");
    }
    let (line, pull) = desk.place.write(|tx| Ok((corpus_commits::after(tx, 0, 10)?, pulls::find(tx, 1)?)));
    let shas: Vec<&str> = line.iter().map(|commit| commit.sha.as_str()).collect();
    let expected = ["main~4", "main~1", "main"].map(|name| says(&desk.bare(), &["rev-parse", name]));
    assert_eq!(shas, expected);
    assert_eq!(line[2].parent, expected[1]);
    assert_eq!(pull.and_then(|pull| pull.head), Some(expected[1].clone()));

    // It is served again, consumers are told, and the corpus is as sound as before.
    let server = Server::start(&desk.place, &Setup::fixtures());
    let notices = server.get("/corpus-notices.json").json();
    assert_eq!(notices["items"].as_array().map(Vec::len), Some(1), "{notices}");
    assert_eq!(
        (&notices["items"][0]["action"], &notices["items"][0]["reason"], &notices["next"]),
        (&"refresh".into(), &"retraction".into(), &serde_json::Value::Null)
    );
    let id = notices["items"][0]["id"].as_str().expect("an id").to_owned();
    let clone = desk.place.folder().join("fresh");
    says(desk.place.folder(), &["clone", "-q", &format!("{}/corpus.git", server.base()), "fresh"]);
    assert_eq!(holders(&clone), Vec::<PathBuf>::new());
    let note = std::fs::read_to_string(clone.join(format!("docs/incidents/{id}.md"))).expect("the note");
    let old_head = before.1.lines().find(|line| line.ends_with("refs/heads/main")).unwrap()[..40].to_owned();
    assert!(note.contains(&format!("| `{old_head}` | `{}` |", expected[1])), "{note}");
    let checked =
        Command::new(env!("CARGO_BIN_EXE_becivic")).arg("check").arg(&clone).output().expect("it runs");
    assert!(checked.status.success(), "{}", said(&checked));

    // While it is served, nothing is taken out.
    let refused = desk.command(&["--text", &text], "");
    assert_eq!(refused.status.code(), Some(3), "{}", said(&refused));
    assert!(said(&refused).contains("another becivic serves"), "{}", said(&refused));
    assert!(server.stop().success());
    // Nothing is left to be taken out.
    let nothing = desk.command(&["--text", &text], "");
    assert_eq!(nothing.status.code(), Some(1), "{}", said(&nothing));
    assert!(said(&nothing).contains("Nothing holds it"), "{}", said(&nothing));
}

#[test]
fn a_text_is_taken_out_on_sqlite() {
    a_text_is_taken_out(Engine::Sqlite);
}

#[test]
fn a_text_is_taken_out_on_postgres() {
    a_text_is_taken_out(Engine::Postgres);
}

/// A file goes from every version; the others stay.
#[test]
fn a_file_is_taken_out() {
    let desk = Desk::new(Engine::Sqlite);
    desk.plant();
    says(&desk.bare(), &["gc", "-q"]);
    let versions = says(&desk.bare(), &["rev-list", "--count", "--all", "--", SIDECAR]);
    assert_ne!(versions, "0");
    let rehearsed = desk.command(&["--path", SIDECAR], "");
    let words = said(&rehearsed);
    assert!(words.contains("files: 1 in") && words.contains("rows: 0"), "{words}");
    let done =
        desk.command(&["--path", SIDECAR, "--apply", "--who", "anna", "--confirm", &confirmed(&words)], "");
    assert!(done.status.success(), "{}", said(&done));
    assert_eq!(says(&desk.bare(), &["rev-list", "--count", "--all", "--", SIDECAR]), "0");
    assert!(says(&desk.bare(), &["show", &format!("main:{SKILL}")]).contains("Nothing of note."));
    says(&desk.bare(), &["fsck", "--strict"]);
    let nothing = desk.command(&["--path", SIDECAR], "");
    assert_eq!(nothing.status.code(), Some(1), "{}", said(&nothing));
}

/// What an amendment and a draft brought is undone; what others brought before and after stays.
#[test]
fn a_submission_is_taken_out() {
    let desk = Desk::new(Engine::Sqlite);
    desk.commit(SKILL, "A line of somebody else.", "Before");
    let report = "skills/arrival-declaration/research-report.md";
    let file = desk.desk().join(SKILL);
    let text = std::fs::read_to_string(&file).expect("the skill");
    let changed =
        text.replace("Test data, not guidance. Every", "Changed data. Every").replace("0.1.0", "0.1.1");
    assert_ne!(text, changed);
    std::fs::write(&file, changed).expect("written");
    desk.commit(report, "# Where it comes from", "Change a skill\n\nSubmission: amd-00007");
    desk.commit(SKILL, "A line that came later.", "After\n\nSubmission: amd-00008");
    desk.push("HEAD:refs/heads/main");
    desk.push("HEAD:refs/pull/1/head");
    desk.place.write(|tx| {
        let number = pulls::open(tx, "amendment", Some("amd-00007"), ("skill", "x"), "t", Moment(0))?;
        assert_eq!(number, 1);
        tx.execute(
            "INSERT INTO amendments (uid, target_type, target_id, state, rationale, content, day) \
             VALUES ('amd-00007', 'skill', 'x', 'merged', 'r', '', 0), ('amd-00008', 'skill', 'x', 'merged', 'r', '', 0)",
            &[],
        )
    });
    let rehearsed = desk.command(&["--uid", "amd-00007"], "");
    let words = said(&rehearsed);
    assert!(words.contains("files: 2 in") && words.contains("amendments: 1"), "{words}");
    assert!(words.contains("refs/pull/1/head"), "{words}");
    let apply = ["--uid", "amd-00007", "--apply", "--who", "anna", "--confirm", &confirmed(&words)];
    let done = desk.command(&apply, "");
    assert!(done.status.success(), "{}", said(&done));
    let skill = says(&desk.bare(), &["show", &format!("main:{SKILL}")]);
    for stays in ["Test data, not guidance.", "somebody else", "came later", "version: 0.1.1"] {
        assert!(skill.contains(stays), "{stays}: {skill}");
    }
    let objects = git(&desk.bare(), &["cat-file", "--batch-all-objects", "--batch"]);
    let objects = String::from_utf8_lossy(&objects.stdout).into_owned();
    assert!(!objects.contains("Changed data.") && !objects.contains("# Where it comes from"));
    assert!(!desk.names().contains("refs/pull/1/head"), "{}", desk.names());
    assert_eq!(desk.count("SELECT CAST(COUNT(*) AS BIGINT) FROM amendments WHERE uid = 'amd-00008'"), 1);
    assert_eq!(desk.count("SELECT CAST(COUNT(*) AS BIGINT) FROM amendments"), 1);
    assert_eq!(desk.count("SELECT CAST(COUNT(*) AS BIGINT) FROM pulls WHERE state = 'closing'"), 1);
    says(&desk.bare(), &["fsck", "--strict"]);
}

/// Where others wrote on the same lines since, nothing is guessed.
#[test]
fn what_was_built_upon_is_not_undone_blindly() {
    let desk = Desk::new(Engine::Sqlite);
    let file = desk.desk().join(SKILL);
    for (from, to, message) in [
        ("Test data, not guidance.", "One wording.", "First\n\nSubmission: amd-00001"),
        ("One wording.", "Another wording.", "Second"),
    ] {
        let text = std::fs::read_to_string(&file).expect("the skill");
        std::fs::write(&file, text.replace(from, to)).expect("written");
        says(&desk.desk(), &["commit", "-qam", message]);
    }
    desk.push("HEAD:refs/heads/main");
    let names = desk.names();
    let rehearsed = desk.command(&["--uid", "amd-00001"], "");
    assert!(said(&rehearsed).contains("--apply would refuse: later commits"), "{}", said(&rehearsed));
    let confirm = confirmed(&said(&rehearsed));
    let refused =
        desk.command(&["--uid", "amd-00001", "--apply", "--who", "anna", "--confirm", &confirm], "");
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert_eq!(desk.names(), names);
}

/// A text that stands everywhere, one that files cannot do without, and what is no text at all.
#[test]
fn what_would_do_harm_is_refused() {
    let desk = Desk::new(Engine::Sqlite);
    let rows = |count: usize| {
        desk.place.write(move |tx| {
            for _ in 0..count {
                let (target_type, target_id) = ("skill".to_owned(), "arrival-declaration".to_owned());
                let (body, evidence_month) = ("Long queues everywhere.".to_owned(), "2026-10".to_owned());
                let concern = Concern { target_type, target_id, body, evidence_month, ..Concern::default() };
                concerns::insert(tx, &concern)?;
            }
            Ok(())
        });
    };
    rows(101);
    let names = desk.names();
    let id = confirmed(&said(&desk.command(&["--path", SIDECAR], "")));
    let apply = |more: &[&str], text: &str| {
        let arguments = [&["--text", "-", "--apply", "--who", "anna", "--confirm", &id], more].concat();
        desk.command(&arguments, text)
    };
    let many = apply(&[], "Long queues everywhere.");
    assert_eq!(many.status.code(), Some(2), "{}", said(&many));
    assert!(
        said(&many).contains("101 files and rows") && said(&many).contains("--yes-all"),
        "{}",
        said(&many)
    );
    let needed = apply(&[], "id: arrival-declaration");
    assert_eq!(needed.status.code(), Some(2), "{}", said(&needed));
    assert!(said(&needed).contains("would break"), "{}", said(&needed));
    for (arguments, typed) in [
        (vec!["--text", "-"], "a b"),
        (vec!["--text", "-"], ""),
        (vec!["--path", "../becivic.db"], ""),
        (vec!["--path", ""], ""),
        (vec!["--uid", "val-00001"], ""),
        (vec!["--uid", "con-1"], ""),
        (vec!["--uid", "con-00001", "--path", "x"], ""),
        (vec![], ""),
    ] {
        let refused = desk.command(&arguments, typed);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {}", said(&refused));
    }
    // While somebody commits, nothing is rewritten.
    let job = desk.place.holds(commit::NAME);
    let busy = apply(&["--yes-all"], "Long queues everywhere.");
    assert_eq!(busy.status.code(), Some(3), "{}", said(&busy));
    assert!(said(&busy).contains("being committed right now"), "{}", said(&busy));
    job.give_back("done");
    assert_eq!((desk.names(), desk.count(ROWS)), (names, 101));
    let all = apply(&["--yes-all"], "Long  queues\neverywhere.");
    assert!(all.status.success(), "{}", said(&all));
    assert_eq!(desk.count(ROWS), 0);
}

/// A crash between the transaction and the end is finished at the next start; one before it leaves everything as it was.
#[test]
fn what_a_crash_interrupted_is_finished_or_forgotten() {
    let desk = Desk::new(Engine::Sqlite);
    desk.plant();
    let (data, text) = (desk.place.data(0), desk.text());
    let (place, waiting) = (desk.bare(), data.join("corpus.git.rewritten"));
    let before = says(&place, &["rev-parse", "main"]);
    let copy = |from: &Path, to: &Path| {
        assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().expect("cp runs").success());
    };
    // Before: the copy is there, and the database knows nothing of it.
    copy(&place, &waiting);
    assert!(Server::start(&desk.place, &Setup::fixtures()).stop().success());
    assert!(!waiting.exists());
    assert_eq!(says(&place, &["rev-parse", "main"]), before);
    // After: the old repository is still in its place, or half removed.
    let old = data.with_extension("old");
    copy(&place, &old);
    let confirm = confirmed(&said(&desk.command(&["--text", &text], "")));
    let done = desk.command(&["--text", &text, "--apply", "--who", "anna", "--confirm", &confirm], "");
    assert!(done.status.success(), "{}", said(&done));
    let after = says(&place, &["rev-parse", "main"]);
    for half_removed in [false, true] {
        std::fs::rename(&place, &waiting).expect("moved");
        copy(&old, &place);
        if half_removed {
            std::fs::remove_dir_all(place.join("objects")).expect("removed");
        }
        assert!(Server::start(&desk.place, &Setup::fixtures()).stop().success());
        assert!(!waiting.exists());
        assert_eq!(says(&place, &["rev-parse", "main"]), after);
        assert_eq!(holders(&data), Vec::<PathBuf>::new());
    }
}

/// Another process on the same database holds the old history; at its start it takes the rewritten one.
#[test]
fn other_folders_follow() {
    let desk = Desk::new(Engine::Postgres);
    let setup = Setup::fixtures().with("JOBS__COMMIT_EVERY", "1s");
    let other = desk.place.data(1);
    assert!(Server::start(&desk.place, &setup.clone().number(1)).stop().success());
    let taken_in = |server: &Server, what: &str| {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !server.get(&format!("/api/skills/arrival-declaration{what}")).text.contains("Odalys") {
            assert!(Instant::now() < deadline, "it was not taken in: {}", server.log());
            std::thread::yield_now();
        }
    };
    desk.commit(SKILL, &format!("Said by {PLANTED}."), "Plant it");
    desk.push("HEAD:refs/heads/main");
    let first = Server::start(&desk.place, &setup);
    taken_in(&first, "");
    let second = Server::start(&desk.place, &setup.clone().number(1));
    taken_in(&second, "");
    assert!(first.stop().success() && second.stop().success());
    assert!(!holders(&other).is_empty(), "the other folder never had it");
    let text = desk.text();
    let confirm = confirmed(&said(&desk.command(&["--text", &text], "")));
    let done = desk.command(&["--text", &text, "--apply", "--who", "anna", "--confirm", &confirm], "");
    assert!(done.status.success(), "{}", said(&done));
    for index in [1, 0, 1] {
        let server = Server::start(&desk.place, &setup.clone().number(index));
        assert_eq!(server.get("/corpus-notices.json").json()["items"].as_array().map(Vec::len), Some(1));
        assert!(!server.get("/api/skills/arrival-declaration").text.contains("Odalys"));
        assert!(server.stop().success());
        assert_eq!(holders(&desk.place.data(index)), Vec::<PathBuf>::new());
    }
    let bare = other.join("corpus.git");
    says(&bare, &["fsck", "--strict"]);
    assert_eq!(says(&bare, &["rev-parse", "main"]), says(&desk.bare(), &["rev-parse", "main"]));
}
