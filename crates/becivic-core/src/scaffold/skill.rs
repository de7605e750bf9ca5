//! A new skill: a draft with the seven sections of §6.1 and a diagram for its branches.

use super::{NewFile, Refused, fits, usable_category, usable_id, words};
use crate::corpus::Corpus;
use crate::site::OPENING_LINE;
use crate::version::Version;
use crate::yaml::write::scalar;

/// What the author says about a new skill.
#[derive(Clone, Debug, Default)]
pub struct NewSkill {
    /// Its id, which is the name of its folder.
    pub id: String,
    /// Its formal label; made from the id when absent.
    pub title: Option<String>,
    /// One conversational line.
    pub summary: Option<String>,
    /// Its category.
    pub category: String,
}

/// The body below the title. Guidance is plain words: what stands in a section is replaced, the
/// headings stay.
const BODY: &str = include_str!("skill.md");

/// The diagram that goes with a `Branching layer`.
const DIAGRAM: &str = include_str!("process.mmd");

/// The files of a new skill.
pub fn skill(corpus: &Corpus, new: &NewSkill) -> Result<Vec<NewFile>, Refused> {
    usable_id(&new.id)?;
    usable_category(corpus, &new.category)?;
    let id = &new.id;
    if corpus.has_skill(id) || corpus.diagrams.contains_key(id) || corpus.templates.contains_key(id) {
        return Err(Refused::Taken { what: "skill", id: id.clone() });
    }
    let contract = newest_contract(corpus).ok_or(Refused::NoContract)?;
    let title = new.title.clone().unwrap_or_else(|| words(id));
    let summary = match &new.summary {
        None => String::new(),
        Some(summary) => format!("summary: {}\n", scalar(summary)),
    };
    let text = format!(
        "---\nid: {}\ntitle: {}\n{summary}schema_version: 4\nversion: 0.0.0\nstatus: draft\norigin: be-civic\ncategory: {}\nverification_notes: Not written yet; nothing here was checked against a source.\nsubmission_contract_version: {contract}\n---\n\n# {title}\n\n{OPENING_LINE}\n\n{}",
        scalar(id),
        scalar(&title),
        scalar(&new.category),
        BODY.replace("SKILL-ID", id),
    );
    let path = format!("skills/{id}/canonical.md");
    let canonical = fits(NewFile { path, text }, None)?;
    let diagram = NewFile { path: format!("skills/{id}/process.mmd"), text: DIAGRAM.to_owned() };
    Ok(vec![canonical, diagram])
}

/// The newest version any contract lists; a contract that lists none counts as its first version.
fn newest_contract(corpus: &Corpus) -> Option<Version> {
    let (major, versions) = corpus.contracts.last_key_value()?;
    let listed = versions.iter().filter_map(|version| version.parse::<Version>().ok());
    Some(listed.max().unwrap_or(Version { major: *major, minor: 0, patch: 0 }))
}
