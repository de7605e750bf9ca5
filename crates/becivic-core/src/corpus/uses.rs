//! Who names whom: the edges of the frontmatter, backwards.
//!
//! Every page of a skill shows who needs it. Walking all skills for each would make ten thousand pages cost a hundred million
//! looks, so the edges are turned around once per corpus.

use super::Corpus;
use std::collections::HashMap;
use std::sync::Arc;

/// The skills that name something, by what they name; each list in the order of ids.
#[derive(Debug, Default)]
pub struct Uses {
    needed: HashMap<String, Vec<String>>,
    related: HashMap<String, Vec<String>>,
    paths: HashMap<String, Vec<String>>,
}

impl Corpus {
    /// Who names whom.
    pub fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| Arc::new(Uses::of(self)))
    }
}

impl Uses {
    fn of(corpus: &Corpus) -> Self {
        let mut uses = Self::default();
        for (id, skill) in &corpus.skills {
            let Some(front) = &skill.front else { continue };
            let required = front.requires().iter().map(|it| it.id.as_str());
            let before = front.prerequisites.iter().flatten().map(String::as_str);
            note(&mut uses.needed, required.chain(before), id);
            note(&mut uses.related, front.related.iter().flatten().map(String::as_str), id);
            note(&mut uses.paths, front.requires_paths().iter().map(|it| it.id.as_str()), id);
        }
        uses
    }

    /// The skills that require this one, or ask for it first.
    pub fn needing(&self, skill: &str) -> &[String] {
        self.needed.get(skill).map_or(&[], Vec::as_slice)
    }

    /// The skills that say they are related to this one.
    pub fn relating_to(&self, skill: &str) -> &[String] {
        self.related.get(skill).map_or(&[], Vec::as_slice)
    }

    /// The skills that require this path.
    pub fn needing_path(&self, path: &str) -> &[String] {
        self.paths.get(path).map_or(&[], Vec::as_slice)
    }
}

fn note<'n>(by: &mut HashMap<String, Vec<String>>, named: impl Iterator<Item = &'n str>, id: &str) {
    for name in named {
        let users = by.entry(name.to_owned()).or_default();
        if users.last().is_none_or(|last| last != id) {
            users.push(id.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Content, Input};
    use super::*;

    fn skill(id: &str, extra: &str) -> Input {
        let text = format!(
            "---\nid: {id}\ntitle: T\nschema_version: 4\nversion: 0.0.0\nstatus: draft\norigin: be-civic\ncategory: belgium-federal\nsubmission_contract_version: 2.0.0\n{extra}---\n"
        );
        Input { path: format!("skills/{id}/canonical.md"), content: Content::Bytes(text.into_bytes()) }
    }

    #[test]
    fn edges_are_turned_around_once_and_again_after_a_change() {
        let corpus = Corpus::from_inputs(vec![
            skill("a", "requires: [{id: c}]\nprerequisites: [c]\nrequires_paths: [{id: p}]\n"),
            skill("b", "requires: [{id: c}]\nrelated: [a]\n"),
            skill("c", ""),
        ]);
        assert_eq!(corpus.uses().needing("c"), ["a", "b"]);
        assert_eq!(corpus.uses().relating_to("a"), ["b"]);
        assert_eq!(corpus.uses().needing_path("p"), ["a"]);
        assert!(corpus.uses().needing("a").is_empty());
        let changed = corpus.patched(vec![skill("b", "")], &[]).expect("patched");
        assert_eq!(changed.uses().needing("c"), ["a"]);
        assert!(changed.uses().relating_to("a").is_empty());
    }
}
