//! The suite on the forge that is a repository and rows.

use crate::suite::{CASES, Issues, NOW, Subject, files, proposal};
use becivic_server::db::{Db, DbError, pulls};
use becivic_server::forge::{Files, ForgeError, Local, Proposal, Proposed, PullState, Verdict};
use becivic_server::repository::Repository;
use std::process::Command;
use tempfile::TempDir;

struct Here {
    folder: TempDir,
    forge: Local,
}

impl Here {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let starter = [("README.md".to_owned(), b"starter\n".to_vec())].into_iter();
        let place = folder.path().join("corpus.git");
        let (repository, _) = Repository::open_or_create(&place, starter, NOW).expect("a repository");
        let url = format!("sqlite://{}", folder.path().join("becivic.db").display());
        let db = Db::open(&url, 1).expect("a database");
        Self { folder, forge: Local { db, repository } }
    }

    /// A pull request begins as a row; the commit job draws its number.
    fn row(&self, number: i64) {
        let made = self.forge.db.write_now(move |tx| {
            if pulls::find(tx, number)?.is_none() {
                let drawn = pulls::open(tx, "amendment", None, ("skill", "residence"), "A title", NOW.day())?;
                tx.execute("UPDATE pulls SET number = $1 WHERE number = $2", &[number.into(), drawn.into()])?;
            }
            Ok(())
        });
        made.expect("a row");
    }
}

impl Subject for Here {
    fn head(&self) -> Result<String, ForgeError> {
        self.forge.head()
    }

    fn propose(&self, proposal: &Proposal<'_>) -> Result<Proposed, ForgeError> {
        self.row(proposal.number);
        self.forge.propose(proposal, NOW)
    }

    fn report(&self, _: &Proposed, _: Verdict, _: &str) -> Result<(), ForgeError> {
        // What the rules say of it decides whether it gets a branch at all.
        Ok(())
    }

    fn merge(&self, pull: &Proposed, subject: &str, message: &str) -> Result<String, ForgeError> {
        self.forge.merge(pull, &format!("{subject}\n\n{message}\n"), NOW, |_, _| Ok(()))
    }

    fn state(&self, pull: &Proposed) -> Result<PullState, ForgeError> {
        self.forge.state(pull.forge_number)
    }

    fn close(&self, pull: &Proposed, _: &str) -> Result<(), ForgeError> {
        self.forge.close(pull.forge_number, NOW)
    }

    fn commit(&self, base: &str, files: &Files, message: &str) -> Result<String, ForgeError> {
        self.forge.commit(base, files, message, NOW)
    }

    fn issues(&self) -> Option<&dyn Issues> {
        None
    }

    fn mirror(&self) -> Result<String, ForgeError> {
        self.forge.head()
    }

    fn repository(&self) -> &Repository {
        &self.forge.repository
    }
}

#[test]
fn the_local_forge_passes_the_suite() {
    let here = Here::new();
    for (name, run) in CASES {
        println!("{name}");
        run(&here);
    }
    let mut fsck = Command::new("git");
    let fsck = fsck.arg("-C").arg(here.folder.path().join("corpus.git")).args(["fsck", "--strict"]).output();
    let fsck = fsck.expect("git");
    assert!(fsck.status.success(), "{}", String::from_utf8_lossy(&fsck.stderr));
}

/// What goes with a merge is stored with it, or `main` stays.
#[test]
fn a_merge_and_what_goes_with_it_happen_together() {
    let here = Here::new();
    let base = here.head().expect("main");
    let change = files(&[("skills/a/canonical.md", Some("a\n"))]);
    let pull = here.propose(&proposal(1, &base, &change)).expect("proposed");
    let refused = here.forge.merge(&pull, "x\n", NOW, |_, _| Err(DbError::Collision));
    assert!(matches!(refused, Err(ForgeError::Unavailable(_))), "{refused:?}");
    assert_eq!((here.head(), here.state(&pull)), (Ok(base), Ok(PullState::Open)));
    let sha = here.forge.merge(&pull, "x\n", NOW, |tx, sha| {
        tx.execute("UPDATE pulls SET title = $1 WHERE number = 1", &[sha.into()]).map(drop)
    });
    let sha = sha.expect("merged");
    assert_eq!((here.head(), here.state(&pull)), (Ok(sha.clone()), Ok(PullState::Merged(sha.clone()))));
    let row = here.forge.db.write_now(|tx| pulls::find(tx, 1)).expect("read").expect("a row");
    assert_eq!(row.title, sha);
}
