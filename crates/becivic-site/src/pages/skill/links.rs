//! The other forms of a skill, and where its history is. Where only files are there, history and addresses for programs are not.

use super::{Section, Subject};
use crate::address::{Form, Which};
use crate::doc::{Inline, lines, link};

/// The links. Of a quarantined skill there is no source to be read.
pub fn section(subject: &Subject<'_>) -> Section {
    let (id, words) = (subject.seen.id(), &subject.words.skill);
    let page = Which::Skill(id.to_owned());
    let source = subject.seen.skill().map(|_| (page.address_as(Form::Source), words.as_source));
    let is_live = subject.world.is_live;
    let history = is_live.then(|| (Which::SkillHistory(id.to_owned()).address(), words.history));
    let concerns = is_live.then(|| (format!("/api/skills/{id}/concerns"), words.as_concerns));
    let links = history
        .into_iter()
        .chain([(page.address_as(Form::Markdown), words.as_markdown)])
        .chain(source)
        .chain(concerns);
    let list: Vec<Vec<Inline>> = links.map(|(to, label)| vec![link(to, label)]).collect();
    Section { name: "more", title: words.more, blocks: vec![lines(list)] }
}
