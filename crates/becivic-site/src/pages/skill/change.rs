//! What a commit changed in a skill: the file before and after, line by line.
//!
//! 1. The commits of the file say which version came before; only then both files can be asked for ([`needs_then`]).
//! 2. Both versions must be ones that readers may see: a line that was taken out with a quarantined text is part of it.
//! 3. Of both files the author's copies of what was put away elsewhere are left out ([`crate::withheld`]).
//! 4. Very long texts are not compared: the time that takes can grow with the product of their lengths.

use super::{Section, Subject, authored, push_section, title};
use crate::address::Which;
use crate::dates;
use crate::doc::{Block, Inline, Side, code, link, paragraph, text, woven};
use crate::facts::{Commit, Facts, Needs};
use crate::pages::Shown;
use crate::version::{Versions, file_of};
use crate::words::{Words, fill};
use crate::world::World;

/// The most lines of a text that is compared: nine times the longest skill of the public corpus (429 lines). Two such texts that
/// share nothing take at most (2 × 4,000)² / 2 = 32 million steps.
const MAX_LINES: usize = 4_000;

/// A commit, and the one before it that changed the same file.
struct Change<'c> {
    after: &'c Commit,
    before: Option<&'c Commit>,
}

/// What it needs first: what the history needs.
pub fn needs(id: &str) -> Needs {
    Needs { transitions_of: None, ..super::history::needs(id) }
}

/// What it needs once the commits are known: both files, and what they cite.
pub fn needs_then(id: &str, sha: &str, facts: &Facts) -> Needs {
    let commits = find(facts, sha).map(|change| [Some(change.after), change.before]);
    let commits: Vec<&Commit> = commits.into_iter().flatten().flatten().collect();
    let versions = commits.iter().filter_map(|commit| facts.versions.get(&commit.sha));
    Needs {
        entries: versions.flat_map(|version| version.cites.iter().cloned()).collect(),
        file_at: commits.iter().map(|commit| (commit.sha.clone(), file_of(id))).collect(),
        ..Needs::default()
    }
}

/// The change that a commit made; its name may be cut short.
fn find<'f>(facts: &'f Facts, sha: &str) -> Option<Change<'f>> {
    let at = facts.commits.iter().position(|commit| commit.sha.starts_with(sha))?;
    Some(Change { after: facts.commits.get(at)?, before: facts.commits.get(at + 1) })
}

/// The page.
pub fn show(world: &World<'_>, id: &str, sha: &str, facts: &Facts, words: &Words) -> Option<Shown> {
    let subject = Subject::new(world, id, facts, words)?;
    let change = find(facts, sha)?;
    let (name, day) = (subject.seen.title(), change.after.day.as_str());
    let in_words = dates::in_words(day, words);
    let mut shown = Shown::new(fill(words.skill.change_of, &[&in_words, name]), &change.after.subject, words);
    shown.indexed = false;
    let heading = woven(words.skill.change_of, [Inline::Day(day.to_owned()), authored(name)]);
    shown.doc.push(title(heading));
    shown.doc.push(about(&subject, &change));
    let section =
        Section { name: "difference", title: words.skill.difference, blocks: difference(&subject, &change) };
    push_section(&mut shown, section);
    Some(shown)
}

fn about(subject: &Subject<'_>, change: &Change<'_>) -> Block {
    let (id, words) = (subject.seen.id().to_owned(), &subject.words.skill);
    let before = change.before.map(|commit| version(subject, commit));
    let before = before.unwrap_or_else(|| vec![text(words.nothing_before)]);
    let all = link(Which::SkillHistory(id.clone()).address(), words.versions);
    let current = link(Which::Skill(id).address(), words.current_page);
    Block::Facts(vec![
        (vec![text(words.commit)], vec![code(&change.after.sha)]),
        (vec![text(words.what)], vec![authored(&change.after.subject)]),
        (vec![text(words.before)], before),
        (vec![text(words.after)], version(subject, change.after)),
        (vec![text(words.history)], vec![all, text(" · "), current]),
    ])
}

/// A version by its number, its status and its day; with a link where it can be read.
fn version(subject: &Subject<'_>, commit: &Commit) -> Vec<Inline> {
    let versions = Versions::new(subject.seen, subject.facts);
    let number = versions.of(commit).map(|it| it.number.clone()).filter(|number| !number.is_empty());
    let number = number.unwrap_or_else(|| subject.words.skill.unknown.to_owned());
    let address = Which::SkillAt(subject.seen.id().to_owned(), commit.sha.clone()).address();
    let name = if versions.is_shown(commit) { link(address, number) } else { text(number) };
    let status = versions.of(commit).and_then(|it| it.status).map(Inline::Status);
    let status = status.into_iter().flat_map(|status| [text(" "), status]);
    [name].into_iter().chain(status).chain([text(" · "), Inline::Day(commit.day.clone())]).collect()
}

fn difference(subject: &Subject<'_>, change: &Change<'_>) -> Vec<Block> {
    let words = &subject.words.skill;
    let versions = Versions::new(subject.seen, subject.facts);
    let both = [Some(change.after), change.before];
    if !both.into_iter().flatten().all(|commit| versions.is_shown(commit)) {
        return vec![paragraph([text(words.difference_withheld)])];
    }
    let after = versions.shown_file(&change.after.sha);
    let before = change.before.map_or(Some(String::new()), |commit| versions.shown_file(&commit.sha));
    match (before, after) {
        (Some(before), Some(after)) => compared(&before, &after, subject.words),
        (None, _) | (_, None) => vec![paragraph([text(words.difference_unknown)])],
    }
}

fn compared(before: &str, after: &str, words: &Words) -> Vec<Block> {
    let words = &words.skill;
    if before.lines().count().max(after.lines().count()) > MAX_LINES {
        return vec![paragraph([text(words.difference_too_long)])];
    }
    let lines = line_by_line(before, after);
    if lines.is_empty() {
        return vec![paragraph([text(words.difference_none)])];
    }
    vec![paragraph([text(words.difference_marks)]), Block::Difference(lines)]
}

/// The difference of two texts, with three lines around each change.
fn line_by_line(before: &str, after: &str) -> Vec<(Side, String)> {
    let patch = diffy::create_patch(before, after);
    let mut lines = Vec::new();
    for hunk in patch.hunks() {
        let (old, new) = (hunk.old_range(), hunk.new_range());
        let place = format!("@@ -{},{} +{},{} @@", old.start(), old.len(), new.start(), new.len());
        lines.push((Side::Place, place));
        lines.extend(hunk.lines().iter().map(|line| match line {
            diffy::Line::Context(text) => (Side::Both, bare(text)),
            diffy::Line::Delete(text) => (Side::Removed, bare(text)),
            diffy::Line::Insert(text) => (Side::Added, bare(text)),
        }));
    }
    lines
}

fn bare(line: &str) -> String {
    line.trim_end_matches('\n').to_owned()
}
