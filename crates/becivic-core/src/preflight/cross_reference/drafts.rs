//! Drafts: the id is new and the same everywhere, and what the proposal names exists.

use super::Step;
use crate::submission::Draft;
use crate::submission::draft::{self, PathDraft, SkillDraft};
use crate::vocabulary::Status;

impl Step<'_> {
    pub(super) fn draft(&mut self, it: &Draft) {
        self.contract(&it.submission_contract_version);
        match &it.content {
            draft::Content::Skill(content) => self.skill_draft(&it.proposed_id, content),
            draft::Content::Path(content) => self.path_draft(&it.proposed_id, content),
        }
    }

    fn skill_draft(&mut self, proposed: &str, SkillDraft { frontmatter, .. }: &SkillDraft) {
        let top = "/content/frontmatter";
        self.must(
            self.targets.skill(proposed).is_none(),
            "/proposed_id",
            "a skill with this id exists",
            "Amend it, or choose another id.",
        );
        self.same(&frontmatter.id, proposed, &format!("{top}/id"));
        self.must(
            !frontmatter.is_meta(),
            &format!("{top}/category"),
            "skills of the category meta are not drafted",
            "Choose another category.",
        );
        self.must(
            self.targets.contract(&frontmatter.submission_contract_version),
            &format!("{top}/submission_contract_version"),
            "there is no such version of the submission contract",
            "Use a version that the contract page lists.",
        );
        if let Some(authority) = &frontmatter.authority_id {
            self.authority(authority, &format!("{top}/authority_id"));
        }
        for (index, required) in frontmatter.requires().iter().enumerate() {
            let usable = self.targets.skill(&required.id).is_some_and(|status| !status.is_retired());
            self.must(
                usable,
                &format!("{top}/requires/{index}/id"),
                "the required skill does not exist or is retired",
                "Require a skill that is in use.",
            );
        }
        for (index, required) in frontmatter.requires_paths().iter().enumerate() {
            let usable = self.targets.path(&required.id).is_some_and(|status| status != Status::Quarantined);
            self.must(
                usable,
                &format!("{top}/requires_paths/{index}/id"),
                "the required path does not exist or is quarantined",
                "Require a path of the directory.",
            );
        }
        let prerequisites = frontmatter.prerequisites.as_deref().unwrap_or_default();
        self.skills(prerequisites, &format!("{top}/prerequisites"));
        self.skills(frontmatter.related.as_deref().unwrap_or_default(), &format!("{top}/related"));
    }

    fn path_draft(&mut self, proposed: &str, PathDraft { entry }: &PathDraft) {
        let top = "/content/entry";
        self.must(
            self.targets.path(proposed).is_none(),
            "/proposed_id",
            "a path with this id exists",
            "Amend it, or choose another id.",
        );
        self.same(&entry.id, proposed, &format!("{top}/id"));
        self.authority(&entry.authority_id, &format!("{top}/authority_id"));
        self.skills(&entry.related_skills, &format!("{top}/related_skills"));
    }
}
