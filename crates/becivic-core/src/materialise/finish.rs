//! The second half: from a plan and its uids to every file of the commit.

use super::{
    Artefact, Citation, Ground, Plan, Texts, citations, diagram, fields, gone, seeds, set_in_entry, sidecar,
};
use crate::bump;
use crate::catalogue::Catalogue;
use crate::change::{BOT_EMAIL, BaseFile, Change, Step, edit_of};
use crate::corpus::{Content, Corpus, Input, Skill};
use crate::finding::{Finding, Severity};
use crate::preflight::Refusal;
use crate::rollup;
use crate::rules::{self, Touched};
use crate::version::Edit;
use crate::vocabulary::Status;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// A change as the files it writes, and the corpus it leads to.
pub struct Made {
    /// Every file that changes.
    pub texts: Texts,
    /// The corpus as it would be.
    pub corpus: Corpus,
    /// What changed, as the rules about history see it.
    pub change: Change,
    /// Whether the artefact's content changed, so that its cohort begins anew.
    pub resets: bool,
    touched: Option<Touched>,
}

impl Plan {
    /// Every file of the change. `ground.catalogue` knows the names that were missing by now.
    pub fn finish(&self, ground: Ground<'_>, path_uid: Option<&str>) -> Result<Made, Refusal> {
        let mut texts = Texts::new();
        let mut text = citations::fill(&self.text, ground.catalogue);
        if let (true, Some(uid), Artefact::Path(id)) = (self.needs_path_uid, path_uid, &self.artefact) {
            text = set_in_entry(&text, id, &[("uid", json!(uid))])?;
        }
        texts.insert(self.file.clone(), text);
        let resets = !self.is_new && self.back_to_alpha(ground, &mut texts)?;
        if let Some(notes) = &self.notes {
            let file = match &self.artefact {
                Artefact::Skill(id) => format!("skills/{id}/research-report.md"),
                Artefact::Path(id) => format!("paths/research-reports/{id}.md"),
            };
            let there = ground.corpus.sidecars.iter().find(|it| it.source.path() == file);
            let report = match (self.is_new, there) {
                (true, _) => sidecar::begun(notes, ground.day),
                (false, there) => {
                    sidecar::continued(there.map(|it| it.source.text()), notes, ground.day, ground.uid)
                }
            };
            texts.insert(file, report);
        }
        let mut made = make(ground.corpus, texts, ground.catalogue)?;
        made.resets = resets;
        Ok(made)
    }

    /// Takes an artefact whose content changed back to alpha; says whether it did change.
    fn back_to_alpha(&self, ground: Ground<'_>, texts: &mut Texts) -> Result<bool, Refusal> {
        let Some(text) = texts.get(&self.file) else { return Ok(false) };
        let after = patched(ground.corpus, texts)?;
        let status = match &self.artefact {
            Artefact::Skill(id) => {
                let before = ground.corpus.skills.get(id).ok_or_else(gone)?;
                let after = after.skills.get(id).ok_or_else(gone)?;
                if edit_of(before, after, ground.catalogue) != Edit::Content {
                    return Ok(false);
                }
                before.front.as_ref().ok_or_else(gone)?.status
            }
            Artefact::Path(id) => {
                let find = |corpus: &Corpus| {
                    corpus.paths.as_ref().and_then(|it| it.entries.get(id)).map(|it| it.entry.clone())
                };
                let before = find(ground.corpus).ok_or_else(gone)?;
                if find(&after).as_ref() == Some(&before) {
                    return Ok(false);
                }
                before.status
            }
        };
        let mut set = Vec::new();
        if matches!(status, Status::Beta | Status::Stable) {
            set.push(("status", json!(Status::Alpha)));
        }
        if status == Status::Stable {
            set.push(("previous_stable_sha", json!(ground.commit)));
        }
        let mut text = text.clone();
        match &self.artefact {
            Artefact::Skill(_) => {
                for (key, value) in set {
                    text = fields::set(&text, key, &value).ok_or_else(gone)?;
                }
            }
            Artefact::Path(id) if !set.is_empty() => text = set_in_entry(&text, id, &set)?,
            Artefact::Path(_) => {}
        }
        texts.insert(self.file.clone(), text);
        Ok(true)
    }
}

/// Completes a change with what follows from it: diagrams, categories, versions, rollups, the catalogue's files.
pub fn make(before: &Corpus, texts: Texts, catalogue: &dyn Catalogue) -> Result<Made, Refusal> {
    let corpus = patched(before, &texts)?;
    let mut more = Texts::new();
    for skill in texts.keys().filter_map(|file| skill_of(&corpus, file)) {
        if !corpus.diagrams.contains_key(&skill.folder)
            && let Some(text) = diagram::of(skill)
        {
            more.insert(format!("skills/{}/process.mmd", skill.folder), text);
        }
    }
    let change = by_bot(before, &texts);
    let changed: BTreeSet<String> = texts.keys().cloned().collect();
    let corpus = patched(&corpus, &more)?;
    let mut made = complete(before, corpus, change, changed, catalogue)?;
    for (file, text) in texts.into_iter().chain(more) {
        // What follows from a change was made of its text.
        made.texts.entry(file).or_insert(text);
    }
    made.texts.retain(|file, text| text_of(before, file).as_deref() != Some(text.as_str()));
    Ok(made)
}

/// Names of the catalogue that pushed files cite and nobody has made yet.
pub fn missing_in(after: &Corpus, changed: &[String], catalogue: &dyn Catalogue) -> Vec<Citation> {
    let mut missing: Vec<Citation> = Vec::new();
    for skill in changed.iter().filter_map(|file| skill_of(after, file)) {
        for citation in citations::missing(skill.source.text(), catalogue) {
            let known = |it: &Citation| it.is_value == citation.is_value && it.name == citation.name;
            if !missing.iter().any(known) {
                missing.push(citation);
            }
        }
    }
    missing
}

/// What must follow files that somebody pushed: uids, versions, rollups. Its texts are those of the bot alone.
pub fn pushed(
    before: &Corpus,
    after: &Corpus,
    changed: &[String],
    mut steps: BTreeMap<String, Vec<Step>>,
    catalogue: &dyn Catalogue,
) -> Result<Made, Refusal> {
    let files = changed.iter().map(|file| BaseFile {
        path: file.clone(),
        before: text_of(before, file).map(String::into_bytes),
        steps: steps.remove(file).unwrap_or_default(),
    });
    let removed = changed.iter().filter(|file| skill_of(after, file).is_none());
    let removed = removed.filter_map(|file| Some(skill_of(before, file)?.source.text().as_bytes().to_vec()));
    let change = Change::read(files.collect(), &removed.collect::<Vec<_>>());
    let mut filled = Texts::new();
    for skill in changed.iter().filter_map(|file| skill_of(after, file)) {
        let text = citations::fill(skill.source.text(), catalogue);
        if text != skill.source.text() {
            filled.insert(skill.source.path().to_owned(), text);
        }
    }
    let corpus = patched(after, &filled)?;
    let mut made = complete(before, corpus, change, changed.iter().cloned().collect(), catalogue)?;
    for (file, text) in filled {
        made.texts.entry(file).or_insert(text);
    }
    Ok(made)
}

/// Adds to a corpus what follows from a change of these files.
fn complete(
    before: &Corpus,
    corpus: Corpus,
    change: Change,
    mut changed: BTreeSet<String>,
    catalogue: &dyn Catalogue,
) -> Result<Made, Refusal> {
    let skills = changed.iter().filter_map(|file| skill_of(&corpus, file));
    let cited: BTreeSet<String> = skills.flat_map(|skill| citations::cited(skill.source.text())).collect();
    let mut texts = Texts::new();
    if let Some(text) = rollup::categories(&corpus).text {
        texts.insert("schemas/categories.json".to_owned(), text);
    }
    texts.extend(seeds::follow(&corpus, catalogue, &cited));
    texts.extend(bump::plan(&corpus, &change, catalogue).files);
    let mut corpus = patched(&corpus, &texts)?;
    let rollups = [
        ("skills/rollup.json", corpus.skills_rollup.as_ref(), rollup::skills(&corpus)),
        ("paths/rollup.json", corpus.paths_rollup.as_ref(), rollup::paths(&corpus)),
    ];
    let mut fresh = Texts::new();
    for (file, committed, text) in rollups {
        if let (Some(committed), Ok(text)) = (committed, text)
            && committed.text() != text
        {
            fresh.insert(file.to_owned(), text);
        }
    }
    corpus = patched(&corpus, &fresh)?;
    texts.append(&mut fresh);
    changed.extend(texts.keys().cloned());
    let touched = Touched::by(before, &corpus, changed.iter().map(String::as_str));
    let touched = touched.map(|touched| Touched { rollups_are_fresh: true, ..touched });
    Ok(Made { change, corpus, resets: false, touched, texts })
}

fn skill_of<'c>(corpus: &'c Corpus, file: &str) -> Option<&'c Skill> {
    let id = file.strip_prefix("skills/")?.strip_suffix("/canonical.md")?;
    corpus.skills.get(id).map(AsRef::as_ref)
}

impl Made {
    /// The first rule that the corpus would break and did not break before: `known` are findings that were there.
    pub fn broken_rule(
        &self,
        catalogue: &dyn Catalogue,
        known: &BTreeSet<(&'static str, String)>,
    ) -> Option<Finding> {
        self.new_findings(catalogue, known).into_iter().find(|it| it.severity == Severity::Error)
    }

    /// Everything, warnings too, that the rules would find and did not find before.
    pub fn new_findings(
        &self,
        catalogue: &dyn Catalogue,
        known: &BTreeSet<(&'static str, String)>,
    ) -> Vec<Finding> {
        let mut findings = match &self.touched {
            Some(touched) => rules::check_touched(&self.corpus, catalogue, Some(&self.change), touched),
            None => rules::check(&self.corpus, catalogue, Some(&self.change)),
        };
        findings.retain(|it| !known.contains(&(it.rule, it.message.clone())));
        findings
    }
}

/// The corpus with these texts in it.
fn patched(corpus: &Corpus, texts: &Texts) -> Result<Corpus, Refusal> {
    let inputs = texts
        .iter()
        .map(|(path, text)| Input { path: path.clone(), content: Content::Bytes(text.clone().into_bytes()) });
    corpus.patched(inputs.collect(), &[]).ok_or_else(gone)
}

/// What the rules about history are told: the bot did all of it, in one step.
fn by_bot(before: &Corpus, texts: &Texts) -> Change {
    let files = texts.iter().map(|(file, text)| {
        let before = text_of(before, file).map(String::into_bytes);
        let step = Step {
            author: Some(BOT_EMAIL.to_owned()),
            after: text.as_bytes().to_vec(),
            parents: before.iter().cloned().collect(),
        };
        BaseFile { path: file.clone(), before, steps: vec![step] }
    });
    Change::read(files.collect(), &[])
}

/// What a file says now, of the files that a proposal may write.
pub fn text_of(corpus: &Corpus, file: &str) -> Option<String> {
    use crate::layout::{FileKind, classify};
    let text = match classify(file) {
        FileKind::Skill(id) => corpus.skills.get(&id)?.source.text(),
        FileKind::PathsIndex => corpus.paths.as_ref()?.source.text(),
        FileKind::Diagram(id) => corpus.diagrams.get(&id)?.as_ref()?.text(),
        FileKind::SkillsRollup => corpus.skills_rollup.as_ref()?.text(),
        FileKind::PathsRollup => corpus.paths_rollup.as_ref()?.text(),
        FileKind::Categories => corpus.categories.as_ref()?.0.text(),
        FileKind::Values | FileKind::References => corpus.rows_text(file)?,
        _ => {
            return corpus
                .sidecars
                .iter()
                .find(|it| it.source.path() == file)
                .map(|it| it.source.text().to_owned());
        }
    };
    Some(text.to_owned())
}

/// Texts as the files of a commit.
pub fn texts_as_files(texts: &Texts) -> std::collections::BTreeMap<String, Option<Vec<u8>>> {
    texts.iter().map(|(path, text)| (path.clone(), Some(text.clone().into_bytes()))).collect()
}
