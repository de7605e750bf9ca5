//! The versions of a skill, newest first, with its changes of status. A version that is withheld is named, and leads nowhere.

use super::{Section, Subject, authored, push_section, title};
use crate::address::Which;
use crate::doc::{Block, Inline, code, link, paragraph, text, woven};
use crate::facts::{Commit, Facts, Needs, Transition};
use crate::pages::Shown;
use crate::pages::why::why;
use crate::version::{Versions, file_of};
use crate::words::{Words, fill};
use crate::world::World;
use becivic_core::vocabulary::Status;

/// What it needs: commits, what is known of the versions, changes of status, and where the skill stands.
pub fn needs(id: &str) -> Needs {
    Needs {
        commits_of: Some(file_of(id)),
        versions_of: Some(id.to_owned()),
        transitions_of: Some(("skill", id.to_owned())),
        standings: [("skill", id.to_owned())].into(),
        ..Needs::default()
    }
}

/// The page.
pub fn show(world: &World<'_>, id: &str, facts: &Facts, words: &Words) -> Option<Shown> {
    let subject = Subject::new(world, id, facts, words)?;
    let name = subject.seen.title();
    let mut shown = Shown::new(fill(words.skill.history_of, &[name]), words.skill.history_intro, words);
    shown.indexed = false;
    let heading = woven(words.skill.history_of, [authored(name)]);
    shown.doc.push(title(heading));
    shown.doc.push(paragraph([
        link(Which::Skill(id.to_owned()).address(), words.skill.current_page),
        text(" "),
        Inline::Status(subject.seen.status),
    ]));
    push_section(&mut shown, versions(&subject));
    if let Some(section) = transitions(&subject) {
        push_section(&mut shown, section);
    }
    Some(shown)
}

fn versions(subject: &Subject<'_>) -> Section {
    let words = &subject.words.skill;
    let versions = Versions::new(subject.seen, subject.facts);
    let head = [words.day, words.version, words.status, words.what, words.look];
    let table = Block::Table {
        caption: words.history_intro.to_owned(),
        head: head.map(|title| vec![text(title)]).to_vec(),
        rows: subject.facts.commits.iter().map(|commit| row(subject, &versions, commit)).collect(),
    };
    let is_empty = subject.facts.commits.is_empty();
    let block = if is_empty { paragraph([text(words.history_empty)]) } else { table };
    Section { name: "versions", title: words.versions, blocks: vec![block] }
}

fn row(subject: &Subject<'_>, versions: &Versions<'_>, commit: &Commit) -> Vec<Vec<Inline>> {
    let words = &subject.words.skill;
    let known = versions.of(commit);
    let number = known.map(|it| it.number.as_str()).filter(|number| !number.is_empty());
    let status = known.and_then(|it| it.status);
    vec![
        vec![Inline::Day(commit.day.clone())],
        vec![text(number.unwrap_or(words.unknown))],
        vec![status.map_or_else(|| text(words.unknown), Inline::Status)],
        vec![authored(&commit.subject)],
        ways(subject, versions.is_shown(commit), commit),
    ]
}

/// To the change and to the text; of what is withheld to neither.
fn ways(subject: &Subject<'_>, is_shown: bool, commit: &Commit) -> Vec<Inline> {
    let (id, sha, words) = (subject.seen.id().to_owned(), commit.sha.clone(), &subject.words.skill);
    if !is_shown {
        return vec![text(words.withheld)];
    }
    let change = Which::SkillChange(id.clone(), sha.clone()).address();
    let version = Which::SkillAt(id, sha).address();
    vec![link(change, words.the_change), text(" · "), link(version, words.the_text)]
}

fn transitions(subject: &Subject<'_>) -> Option<Section> {
    let words = &subject.words.skill;
    let is_own = |it: &&Transition| it.target_type == "skill" && it.target_id == subject.seen.id();
    let rows: Vec<_> =
        subject.facts.transitions.iter().filter(is_own).map(|it| transition(it, subject.words)).collect();
    let head = [words.day, words.from, words.to, subject.words.activity.why];
    let is_empty = rows.is_empty();
    let table = Block::Table {
        caption: words.transitions_are.to_owned(),
        head: head.map(|title| vec![text(title)]).to_vec(),
        rows,
    };
    (!is_empty).then(|| Section { name: "transitions", title: words.transitions, blocks: vec![table] })
}

fn transition(it: &Transition, words: &Words) -> Vec<Vec<Inline>> {
    vec![
        vec![Inline::Day(it.day.clone())],
        vec![status(&it.from_status)],
        vec![status(&it.to_status)],
        why(it, words),
    ]
}

/// A status by its word; what is none as it is written.
fn status(word: &str) -> Inline {
    Status::named(word).map_or_else(|| code(word), Inline::Status)
}
