//! Old texts and their commits, from the repository: on a thread that may take its time.
//!
//! Only what is on `main` is given: whoever names another commit gets nothing. A commit may be named by its beginning.

use crate::app::App;
use crate::repository::Repository;
use becivic_site::facts::Commit;
use becivic_site::version::{Version, file_of};
use becivic_site::{Facts, Needs};

/// Old texts that are read for one page at most.
const FILES_AT_MOST: usize = 4;

/// Versions that are looked at for one page at most.
const VERSIONS_AT_MOST: usize = 300;

/// Adds what is needed to the facts.
pub async fn read(app: &App, needs: &Needs, facts: &mut Facts) {
    if needs.commits_of.is_none() && needs.file_at.is_empty() && needs.versions_of.is_none() {
        return;
    }
    let (repository, needs) = (app.repository.clone(), needs.clone());
    let work = tokio::task::spawn_blocking(move || found(&repository, &needs));
    if let Ok(found) = work.await {
        facts.add(found);
    }
}

fn found(repository: &Repository, needs: &Needs) -> Facts {
    let mut facts = Facts::default();
    if let Some(path) = &needs.commits_of {
        facts.commits = commits(repository, path);
    }
    if let Some(id) = &needs.versions_of {
        let path = file_of(id);
        let known = if facts.commits.is_empty() { commits(repository, &path) } else { facts.commits.clone() };
        for commit in known.iter().take(VERSIONS_AT_MOST) {
            if let Some(text) = text(repository, &commit.sha, &path) {
                facts.versions.insert(commit.sha.clone(), Version::read(id, &text));
            }
        }
    }
    for (commit, path) in needs.file_at.iter().take(FILES_AT_MOST) {
        let text = on_main(repository, commit).and_then(|sha| text(repository, &sha, path));
        facts.files.extend(text.map(|text| (format!("{commit}:{path}"), text)));
    }
    facts
}

fn commits(repository: &Repository, path: &str) -> Vec<Commit> {
    let history = repository.history(path).unwrap_or_default().into_iter();
    history.map(|it| Commit { sha: it.sha, subject: it.subject, day: it.at.date() }).collect()
}

/// The commit of `main` that a name stands for; nothing where two could be meant.
fn on_main(repository: &Repository, named: &str) -> Option<String> {
    let head = repository.head().ok()?;
    let line = repository.first_parents(&head.sha).ok()?;
    let mut meant = line.into_iter().filter(|sha| sha.starts_with(named));
    meant.next().filter(|_| meant.next().is_none())
}

fn text(repository: &Repository, commit: &str, path: &str) -> Option<String> {
    String::from_utf8(repository.file(commit, path).ok().flatten()?).ok()
}
