//! Whether what a submission names exists, and whether it may be done to it (§6.2 table, Rule 15,
//! DECISIONS §5, §7 and §9b).
//!
//! 1. The submission contract exists.
//! 2. The target resolves, by its type, and its status admits the submission. A concern about the skill
//!    graph short-circuits here: it speaks of what does not exist.
//! 3. What lies inside is consistent with the target: uids repeated in the content, keys of the skill's
//!    `applies_to`, fields that may be changed, ids that must be new.
//!
//! The caller brings what it knows as [`Targets`]: a database and a Git tree on the server, a cached
//! corpus on the client, a folder in tests. Whether a body diff applies is `diff.rs`'s question.

mod amendments;
mod drafts;

use super::{Category, Refusal, unreadable};
use crate::submission::concern::{self, Scope};
use crate::submission::{Concern, Kind, Rating, Submission, TargetType, Validation};
use crate::vocabulary::Status;
use serde_json::Value;

/// What exists, as far as the caller knows.
pub trait Targets {
    /// The status of a skill.
    fn skill(&self, id: &str) -> Option<Status>;
    /// Whether a skill is about the corpus itself.
    fn is_meta(&self, id: &str) -> bool;
    /// The contract version a skill was written for.
    fn contract_of(&self, skill: &str) -> Option<String>;
    /// The keys of a skill's `applies_to`.
    fn applies_to_keys(&self, skill: &str) -> Vec<String>;
    /// The status of a path.
    fn path(&self, id: &str) -> Option<Status>;
    /// Whether a path has a source.
    fn has_source(&self, path: &str, source: &str) -> bool;
    /// The status of a volatile value's current row.
    fn value(&self, uid: &str) -> Option<Status>;
    /// The status of a reference's current row.
    fn reference(&self, uid: &str) -> Option<Status>;
    /// Whether a concern is committed.
    fn concern(&self, uid: &str) -> bool;
    /// Whether a version of the submission contract exists.
    fn contract(&self, version: &str) -> bool;
    /// Whether a commune exists, by NIS code or slug.
    fn commune(&self, nis_or_slug: &str) -> bool;
    /// Whether an authority exists.
    fn authority(&self, id: &str) -> bool;
}

/// Step 4, on a submission whose shape is right.
pub fn cross_reference(kind: Kind, value: &Value, targets: &dyn Targets) -> Vec<Refusal> {
    match Submission::read(kind, value) {
        Ok(submission) => resolve(&submission, targets),
        Err(_) => vec![unreadable(kind)],
    }
}

/// Step 4 on a typed submission.
pub fn resolve(submission: &Submission, targets: &dyn Targets) -> Vec<Refusal> {
    let mut step = Step { targets, refusals: Vec::new() };
    match submission {
        Submission::Concern(it) => step.concern(it),
        Submission::Amendment(it) => step.amendment(it),
        Submission::Validation(it) => step.validation(it),
        Submission::Draft(it) => step.draft(it),
        Submission::Rating(it) => step.rating(it),
        Submission::Feedback(it) => step.contract(&it.submission_contract_version),
        Submission::Analytics(it) => step.contract(&it.submission_contract_version),
    }
    step.refusals
}

const TARGET: &str = "/target_id";
const CONTRACT: &str = "/submission_contract_version";

/// What the submission is about to do with its target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Speak of it: anything that exists.
    Mention,
    /// Vote on it: current content only (DECISIONS §5).
    Vote,
    /// Change it: not what is retired, not what is about the corpus (DECISIONS §9b).
    Change,
}

struct Step<'a> {
    targets: &'a dyn Targets,
    refusals: Vec<Refusal>,
}

impl Step<'_> {
    fn concern(&mut self, it: &Concern) {
        self.contract(&it.submission_contract_version);
        let found = self.target(it.target_type, &it.target_id, Use::Mention);
        if found && it.target_type == TargetType::Skill {
            self.contract_fits(&it.target_id, &it.submission_contract_version);
        }
        if let Some(context) = &it.context {
            if let Some(Some(commune)) = &context.commune {
                self.must(
                    self.targets.commune(commune),
                    "/context/commune",
                    "the commune is not in the list of communes",
                    "Use the NIS code or the slug of a commune, or leave it out.",
                );
            }
            if let (Some(matched), TargetType::Skill, true) =
                (&context.applies_to_match, it.target_type, found)
            {
                let keys = self.targets.applies_to_keys(&it.target_id);
                let known = matched.keys().all(|key| keys.contains(key));
                self.must(
                    known,
                    "/context/applies_to_match",
                    "a key is not among the skill's `applies_to`",
                    "Name only keys that the skill's `applies_to` has.",
                );
            }
        }
        match &it.content {
            concern::Content::Skill(issue) => self.specifier(issue.scope, issue.specifier.as_deref()),
            concern::Content::Path(report) => self.specifier(report.scope, report.specifier.as_deref()),
            concern::Content::VolatileValue(issue) => {
                self.same(&issue.vv_uid, &it.target_id, "/content/vv_uid")
            }
            concern::Content::Reference(issue) => {
                self.same(&issue.ref_uid, &it.target_id, "/content/ref_uid")
            }
            concern::Content::PathSource(_) | concern::Content::SkillGraph(_) => {}
        }
    }

    fn specifier(&mut self, scope: Scope, specifier: Option<&str>) {
        match scope {
            Scope::Commune => {
                let known = specifier.is_some_and(|code| self.targets.commune(code));
                self.must(
                    known,
                    "/content/specifier",
                    "the commune is not in the list of communes",
                    "Use the NIS code of a commune.",
                );
            }
            Scope::General | Scope::Regional | Scope::Role => {}
        }
    }

    fn validation(&mut self, it: &Validation) {
        self.contract(&it.submission_contract_version);
        let found = self.target(it.target_type, &it.target_id, Use::Vote);
        if found && it.target_type == TargetType::Skill {
            self.contract_fits(&it.target_id, &it.submission_contract_version);
        }
    }

    fn rating(&mut self, it: &Rating) {
        self.contract(&it.submission_contract_version);
        self.target(it.target_type, &it.target_id, Use::Mention);
    }

    /// Whether the target resolves and admits the use; says why when it does not.
    fn target(&mut self, target_type: TargetType, id: &str, purpose: Use) -> bool {
        let targets = self.targets;
        match target_type {
            TargetType::SkillGraph | TargetType::Session => true,
            TargetType::Skill => {
                if purpose == Use::Change && targets.is_meta(id) {
                    self.refuse(
                        TARGET,
                        "skills of the category meta take no amendments",
                        "Tell the maintainers through the feedback channel.",
                    );
                    return false;
                }
                self.admits(targets.skill(id), purpose)
            }
            TargetType::Path => self.admits(targets.path(id), purpose),
            TargetType::PathSource => {
                let (path, source) = id.split_once(':').unwrap_or((id, ""));
                let status = targets.path(path).filter(|_| targets.has_source(path, source));
                self.admits(status, purpose)
            }
            TargetType::VolatileValue => self.admits(targets.value(id), purpose),
            TargetType::Reference => self.admits(targets.reference(id), purpose),
            TargetType::Observation => self.exists(targets.concern(id)),
            TargetType::AgentProtocol => self.exists(targets.contract(id)),
        }
    }

    fn admits(&mut self, status: Option<Status>, purpose: Use) -> bool {
        let Some(status) = status else {
            return self.exists(false);
        };
        let (admitted, message) = match purpose {
            Use::Mention => (true, ""),
            Use::Vote => (status.is_published(), "only alpha, beta and stable artefacts take validations"),
            Use::Change => (!status.is_retired(), "quarantined and deprecated artefacts take no amendments"),
        };
        self.must(admitted, TARGET, message, "Look up the target's status and its successor.");
        admitted
    }

    fn exists(&mut self, found: bool) -> bool {
        self.must(
            found,
            TARGET,
            "the target does not exist",
            "Take the id from the artefact as it is published now.",
        );
        found
    }

    fn contract(&mut self, version: &str) {
        self.must(
            self.targets.contract(version),
            CONTRACT,
            "there is no such version of the submission contract",
            "Use a version that the contract page lists.",
        );
    }

    /// A submission is made under the same major version as the skill it speaks of (DECISIONS §7).
    fn contract_fits(&mut self, skill: &str, version: &str) {
        let major = |text: &str| text.split('.').next().map(str::to_owned);
        let fits = !self.targets.contract(version) // said already
            || self.targets.contract_of(skill).is_none_or(|of_skill| major(&of_skill) == major(version));
        self.must(
            fits,
            CONTRACT,
            "the skill was written for another major version of the contract",
            "Use the contract version of the skill.",
        );
    }

    fn authority(&mut self, id: &str, pointer: &str) {
        self.must(
            self.targets.authority(id),
            pointer,
            "the authority is not in the list of authorities",
            "Use an id of data/authorities.json.",
        );
    }

    fn skills(&mut self, ids: &[String], pointer: &str) {
        for (index, id) in ids.iter().enumerate() {
            self.must(
                self.targets.skill(id).is_some(),
                &format!("{pointer}/{index}"),
                "the skill does not exist",
                "Name a skill of the corpus.",
            );
        }
    }

    fn same(&mut self, inner: &str, outer: &str, pointer: &str) {
        self.must(
            inner == outer,
            pointer,
            "the same id is written differently in two places",
            "Write the id of the target in both.",
        );
    }

    fn must(&mut self, holds: bool, pointer: &str, message: &str, help: &str) {
        if !holds {
            self.refuse(pointer, message, help);
        }
    }

    fn refuse(&mut self, pointer: &str, message: &str, help: &str) {
        self.refusals.push(Refusal {
            category: Category::CrossRefFail,
            pointer: pointer.to_owned(),
            missing: None,
            detectors: Vec::new(),
            message: message.to_owned(),
            help: help.to_owned(),
        });
    }
}
