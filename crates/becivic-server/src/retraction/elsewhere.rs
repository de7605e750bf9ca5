//! Repositories of other processes on the same database: they hold the old history, and take the rewritten one at their
//! start. The line of commits in the database brings what they lack.

use super::{FACT, new_repository, write_ref};
use crate::db::{Db, corpus_commits, facts};
use crate::git::ask::Ask;
use crate::git::history::History;
use crate::git::objects;
use crate::git::refs::MAIN;
use crate::moment::Moment;
use crate::repository::Repository;
use anyhow::{Context, anyhow, ensure};
use gix::ObjectId;
use std::collections::HashMap;
use std::path::Path;

/// Commits fetched at a time.
const PAGE: i64 = 50;

/// What each renamed commit of the line brings, by its new name, as commits travel; the first brings everything.
pub fn line(
    copy: &Path,
    db: &Db,
    names: &HashMap<String, String>,
    below: &str,
    head: &str,
) -> anyhow::Result<HashMap<String, Vec<u8>>> {
    let (copied, _) = Repository::open_or_create(copy, std::iter::empty(), Moment(0))?;
    let mut brought = HashMap::new();
    let mut number = 0;
    loop {
        let page = db.write_now(move |tx| corpus_commits::after(tx, number, PAGE))?;
        let Some(last) = page.last() else { break };
        number = last.number;
        for commit in &page {
            if let Some(now) = names.get(&commit.sha) {
                let parent = names.get(&commit.parent).unwrap_or(&commit.parent);
                brought.insert(now.clone(), packed(&copied, parent, now)?);
            }
        }
    }
    brought.insert(head.to_owned(), packed(&copied, below, head)?);
    Ok(brought)
}

fn id(sha: &str) -> anyhow::Result<ObjectId> {
    ObjectId::from_hex(sha.as_bytes()).map_err(|error| anyhow!("{error}"))
}

/// The objects that came to a commit after another, which may be none.
fn between(git: &gix::Repository, from: &str, to: &str) -> anyhow::Result<Vec<ObjectId>> {
    let ask = Ask { wants: [id(to)?].into(), ..Ask::default() };
    let common = if from.is_empty() { Vec::new() } else { vec![id(from)?] };
    let missing = History::default().missing(git, &ask, &common, None)?;
    Ok(objects::of(git, &missing)?.into_iter().map(|object| object.id).collect())
}

fn packed(copied: &Repository, from: &str, to: &str) -> anyhow::Result<Vec<u8>> {
    copied.packed_objects(to, between(&copied.local(), from, to)?)
}

/// The repository of a folder, made anew where it holds a history from before a rewrite. Nobody may serve the folder.
pub fn follow(data: &Path, db: &Db, repository: Repository) -> anyhow::Result<Repository> {
    let Some(rewritten) = db.write_now(|tx| facts::find(tx, FACT))? else { return Ok(repository) };
    let head = repository.head()?.sha;
    if repository.knows(&rewritten) && repository.descends(&head, &rewritten)? {
        return Ok(repository);
    }
    let (place, copy) = (data.join("corpus.git"), data.join("corpus.git.rewriting"));
    if copy.exists() {
        std::fs::remove_dir_all(&copy)?;
    }
    let made = new_repository(&copy)?;
    let mut number = 0;
    let mut newest = None;
    let mut first = true;
    let (copied, _) = {
        write_ref(&copy, MAIN, id(&rewritten)?)?;
        Repository::open_or_create(&copy, std::iter::empty(), Moment(0))?
    };
    loop {
        let page = db.write_now(move |tx| corpus_commits::after(tx, number, PAGE))?;
        let Some(last) = page.last() else { break };
        (number, newest) = (last.number, Some(last.sha.clone()));
        for commit in page {
            match commit.objects {
                Some(objects) => copied.unpack(&objects)?,
                // The commit that every repository was made with.
                None if first => copy_commit(&repository.local(), &made, &commit.sha)?,
                None => {}
            }
            first = false;
        }
    }
    let newest = newest.context("the line of commits has no beginning")?;
    ensure!(
        copied.knows(&newest) && copied.descends(&newest, &rewritten)?,
        "the history was rewritten; replace {} by the repository of the folder in which that was done",
        place.display()
    );
    write_ref(&copy, MAIN, id(&newest)?)?;
    drop((made, copied, repository));
    std::fs::remove_dir_all(&place)?;
    std::fs::rename(&copy, &place)?;
    Ok(Repository::open_or_create(&place, std::iter::empty(), Moment(0))?.0)
}

fn copy_commit(from: &gix::Repository, to: &gix::Repository, sha: &str) -> anyhow::Result<()> {
    use gix::objs::Write;
    for object in between(from, "", sha)? {
        let found = from.find_object(object).map_err(|error| anyhow!("{error}"))?;
        to.objects.write_buf(found.kind, &found.data).map_err(|error| anyhow!("{error}"))?;
    }
    Ok(())
}
