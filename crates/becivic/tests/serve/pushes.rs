//! Maintainers push to the repository with the real `git`: versions, uids and rollups follow, and what breaks a rule is never
//! served.

use crate::commit::{file, quick, until};
use crate::harness::{Engine, Place, Server, propose};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A clone of the repository of the first server, with a maintainer's name.
pub fn clone(place: &Place) -> PathBuf {
    let work = place.folder().join("maintainer");
    let from = place.data(0).join("corpus.git");
    git(place.folder(), &["clone", "--quiet", &from.display().to_string(), "maintainer"]);
    git(&work, &["config", "user.name", "A Maintainer"]);
    git(&work, &["config", "user.email", "maintainer@becivic.be"]);
    work
}

/// Runs git, which must succeed; what it printed.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let ran = Command::new("git").current_dir(folder).args(arguments).output().expect("git runs");
    assert!(ran.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// Commits everything and pushes it; the commit.
pub fn push(work: &Path, message: &str) -> String {
    git(work, &["add", "--all"]);
    git(work, &["commit", "--quiet", "--message", message]);
    git(work, &["push", "--quiet", "origin", "main"]);
    git(work, &["rev-parse", "HEAD"]).trim().to_owned()
}

/// Changes a file.
pub fn edit(work: &Path, path: &str, change: impl Fn(&str) -> String) {
    let file = work.join(path);
    let text = std::fs::read_to_string(&file).expect("the file");
    let changed = change(&text);
    assert_ne!(text, changed, "the edit changes something");
    std::fs::write(file, changed).expect("written");
}

fn a_push_is_taken_in(engine: Engine) {
    let place = Place::new(engine);
    let server = Server::start(&place, &quick());
    let work = clone(&place);
    let skill = "skills/legalise-foreign-document/canonical.md";
    let cite = "\nThe fee is <VV name=\"legalisation-fee-eur\" uid=\"\">€20</VV>.\n";
    edit(&work, skill, |text| text.replacen("## Process\n", &format!("## Process\n{cite}"), 1));
    let pushed = push(&work, "Say what it costs");
    let after = until("what was pushed is served", || {
        file(&server, &place, skill).filter(|text| text.contains("legalisation-fee-eur"))
    });
    assert!(after.contains("uid=\"val-00003\"") && after.contains("version: 0.1.3\n"), "{after}");
    let row = server.get("/api/volatile-values/val-00003").json();
    assert_eq!((row["name"].as_str(), row["value"].as_str()), (Some("legalisation-fee-eur"), Some("€20")));
    git(&work, &["pull", "--quiet"]);
    let log = git(&work, &["log", "--format=%an <%ae>|%s|%P", "-1"]);
    assert_eq!(
        log.trim(),
        format!("Be Civic Bot <bot@becivic.be>|version-bump: 1 artefacts follow what was pushed|{pushed}")
    );

    // A push that breaks a rule: what was served stays, and says so where maintainers look.
    let before = propose::commit(&server);
    edit(&work, skill, |text| {
        text.replacen("category: origin-foreign-documents", "category: Not A Category", 1)
    });
    push(&work, "Break it");
    until("the alarm is raised", || {
        server.get("/metrics").text.contains("becivic_main_broken 1").then_some(())
    });
    assert_eq!(propose::commit(&server), before);
    let noted = place.write(|tx| {
        Ok(tx
            .query("SELECT uid FROM review_items WHERE reason = 'main_broken' AND state = 'open'", &[])?
            .len())
    });
    assert_eq!(noted, 1);
    edit(&work, skill, |text| {
        text.replacen("category: Not A Category", "category: origin-foreign-documents", 1)
    });
    edit(&work, skill, |text| text.replacen("## Process\n", "## Process\n\nMended.\n", 1));
    push(&work, "Mend it");
    until("what was mended is served", || {
        file(&server, &place, skill)
            .filter(|text| text.contains("Mended.") && text.contains("version: 0.1.4\n"))
    });
    until("the alarm is over", || {
        server.get("/metrics").text.contains("becivic_main_broken 0").then_some(())
    });
    git(&work, &["pull", "--quiet"]);
    git(&work, &["fsck", "--strict"]);
    assert!(server.stop().success());
}

#[test]
fn a_push_is_taken_in_on_sqlite() {
    a_push_is_taken_in(Engine::Sqlite);
}

#[test]
fn a_push_is_taken_in_on_postgres() {
    a_push_is_taken_in(Engine::Postgres);
}
