//! Amendments: the target may be changed, the field exists and is not protected, the value fits, a new
//! source is new (DECISIONS §9b).

use super::{Step, Use};
use crate::preflight::field_path::{self, Artefact, FieldError};
use crate::skill::META_CATEGORY;
use crate::submission::amendment::{self, FieldChange, PathChange, SkillChange, SourceChange};
use crate::submission::{Amendment, TargetType};

const FIELD: &str = "/content/frontmatter_change/field_path";
const VALUE: &str = "/content/frontmatter_change/proposed_value";

impl Step<'_> {
    pub(super) fn amendment(&mut self, it: &Amendment) {
        self.contract(&it.submission_contract_version);
        let adds_source = match &it.content {
            amendment::Content::PathSource(SourceChange::SourceAdd { source_add }) => Some(source_add),
            amendment::Content::PathSource(SourceChange::FieldEdit { .. })
            | amendment::Content::Skill(_)
            | amendment::Content::VolatileValue(_)
            | amendment::Content::Reference(_)
            | amendment::Content::Path(_) => None,
        };
        // A new source names its path alone.
        let target_type = if adds_source.is_some() { TargetType::Path } else { it.target_type };
        if !self.target(target_type, &it.target_id, Use::Change) {
            return;
        }
        match &it.content {
            amendment::Content::Skill(change) => {
                self.contract_fits(&it.target_id, &it.submission_contract_version);
                match change {
                    SkillChange::Frontmatter { frontmatter_change } => {
                        self.field(Artefact::Skill, frontmatter_change)
                    }
                    SkillChange::Body { .. } => {}
                }
            }
            amendment::Content::Path(PathChange::FieldEdit { frontmatter_change }) => {
                self.field(Artefact::Path, frontmatter_change)
            }
            amendment::Content::PathSource(SourceChange::FieldEdit { frontmatter_change }) => {
                self.field(Artefact::Source, frontmatter_change)
            }
            amendment::Content::PathSource(SourceChange::SourceAdd { source_add }) => {
                let is_new = !self.targets.has_source(&it.target_id, &source_add.id);
                self.must(
                    is_new,
                    "/content/source_add/id",
                    "the path already has a source with this id",
                    "Choose another id, or amend the existing source.",
                );
            }
            amendment::Content::VolatileValue(_) | amendment::Content::Reference(_) => {}
        }
    }

    fn field(&mut self, artefact: Artefact, change: &FieldChange) {
        match field_path::judge(artefact, &change.field_path, &change.proposed_value) {
            Ok(()) => {
                let becomes_meta = change.field_path == "category" && change.proposed_value == META_CATEGORY;
                self.must(
                    !becomes_meta,
                    VALUE,
                    "a submission cannot make an artefact part of the category meta",
                    "Choose another category.",
                );
            }
            Err(FieldError::Protected) => self.refuse(
                FIELD,
                "a submission may never change this field",
                "Propose another field; maintainers and the state machine set this one.",
            ),
            Err(FieldError::Unknown) => self.refuse(
                FIELD,
                "the target has no such field",
                "Compare the path with the schema of the target.",
            ),
            Err(FieldError::Misfit { help, .. }) => {
                self.refuse(VALUE, "the proposed value does not fit the field", &help)
            }
        }
    }
}
