//! Incident notes: `docs/incidents/<day>-<number>.md`, one for each time the history was rewritten. They say what was done
//! and nothing of what was taken out. `/corpus-notices.json` is made of them.

use super::Plan;
use crate::moment::Moment;
use crate::repository::Repository;
use anyhow::anyhow;
use gix::bstr::ByteSlice;
use std::fmt::Write;

const FOLDER: &str = "docs/incidents";

/// Pairs of commits that a note lists; who needs more finds them by their order.
const MOST_LISTED: usize = 500;

/// One note, as consumers read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The day.
    pub date: String,
    /// Its name.
    pub id: String,
}

/// Where a note lies.
pub fn path(id: &str) -> String {
    format!("{FOLDER}/{id}.md")
}

/// The notes at the head of a repository, newest first.
pub fn all(repository: &Repository) -> anyhow::Result<Vec<Notice>> {
    let git = repository.local();
    let head =
        gix::ObjectId::from_hex(repository.head()?.sha.as_bytes()).map_err(|error| anyhow!("{error}"))?;
    let tree = git.find_commit(head).and_then(|commit| commit.tree()).map_err(|error| anyhow!("{error}"))?;
    let Some(folder) = tree.lookup_entry_by_path(FOLDER).map_err(|error| anyhow!("{error}"))? else {
        return Ok(Vec::new());
    };
    let folder = folder.object().map_err(|error| anyhow!("{error}"))?;
    let Ok(folder) = folder.try_into_tree() else { return Ok(Vec::new()) };
    let mut notices = Vec::new();
    for entry in folder.iter() {
        let entry = entry.map_err(|error| anyhow!("{error}"))?;
        let name = entry.filename().to_str_lossy().into_owned();
        notices.extend(name.strip_suffix(".md").and_then(named));
    }
    notices.sort_by(|a, b| b.id.cmp(&a.id));
    Ok(notices)
}

/// The notice of a name like `2026-11-15-01`.
fn named(id: &str) -> Option<Notice> {
    let (date, number) = (id.get(..10)?, id.get(10..)?.strip_prefix('-')?);
    Moment::read(&format!("{date}T00:00:00Z"))?;
    let counts = number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
    counts.then(|| Notice { date: date.to_owned(), id: id.to_owned() })
}

/// The name of the next note.
pub fn next_id(repository: &Repository, now: Moment) -> anyhow::Result<String> {
    let today = now.date();
    let numbers = all(repository)?.into_iter().filter(|notice| notice.date == today);
    let last = numbers.filter_map(|notice| notice.id.rsplit('-').next()?.parse::<u32>().ok()).max();
    Ok(format!("{today}-{:02}", last.unwrap_or(0) + 1))
}

/// The text of a note.
pub fn text(id: &str, kind: &str, plan: &Plan) -> String {
    let date = id.get(..10).unwrap_or_default();
    let rows: u64 = plan.rows.values().sum();
    let mut text = format!(
        "---\ndate: {date}\nid: {id}\naction: refresh\nreason: retraction\n---\n\n# Incident {id}\n\n\
         Something that must not be public was taken out of the corpus and of its history: {kind}. What it was does not \
         stand here.\n\n\
         - Files touched: {}, in {} versions.\n- Messages of commits touched: {}.\n- Rows of the database erased or \
         blanked: {rows}.\n- Commits that have other names now: {}.\n\n\
         Whoever keeps a copy made before: remove it and clone again. A pull brings back what was taken out.\n",
        plan.found.paths.len(),
        plan.found.versions,
        plan.found.messages,
        plan.found.renamed.len(),
    );
    if !plan.found.renamed.is_empty() {
        text.push_str("\n| before | now |\n|---|---|\n");
        for (before, now) in plan.found.renamed.iter().take(MOST_LISTED) {
            let _memory = writeln!(text, "| `{before}` | `{now}` |");
        }
        if plan.found.renamed.len() > MOST_LISTED {
            let _memory =
                writeln!(text, "\nThese are the first {MOST_LISTED}; the others follow in the same order.");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_notes_are_notices() {
        assert_eq!(named("2026-11-15-01").map(|notice| notice.date), Some("2026-11-15".to_owned()));
        for other in
            ["README", "2026-11-15", "2026-13-40-01", "2026-11-15-x", "2026-11-15-1", "é2026-11-15-01"]
        {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
