//! The steps of a submission that need no store. Server and client run the same code.
//!
//! 1. Identity: no field anywhere bears an identity name (`preflight/identity.rs`).
//! 2. Shape: the schema of the type. A violation that is only the ban again is not said twice. The body
//!    of a proposed skill is inert text with authored tags, like any skill's (`preflight/body.rs`).
//! 3. Capability: what §6.7 asks is declared. Looked at only when the shape is right.
//! 4. Scrub: nothing personal in any string (`preflight/scrub.rs`).
//! 5. Cross-reference: what the submission names exists (`preflight/cross_reference.rs`); the caller
//!    brings what it knows as [`Targets`]. What an amendment would make of its target is worked out too
//!    (`preflight/amended.rs`).
//! 6. Doubts: who is named, which hosts are led to (`preflight/doubts.rs`). They refuse nothing: a person looks first.
//!
//! [`check`] says everything that is wrong in steps 1 to 3. [`Raw`], [`Shaped`], [`Permitted`] and
//! [`Scrubbed`] are steps 1 to 4 as types: whoever holds a [`Scrubbed`] knows they were taken, in order.

pub mod amended;
mod body;
pub mod cross_reference;
pub mod doubts;
pub mod field_path;
pub mod free_text;
pub mod identity;
mod scrub;

pub use cross_reference::{Targets, cross_reference};
pub use doubts::{Doubt, Why, doubts};
pub use identity::banned_fields;
pub use scrub::scrub;

use crate::capability;
use crate::schema::{Schema, Violation};
use crate::scrub::Scrubber;
use crate::submission::{Kind, Submission, TargetType};
use crate::vocabulary::words;
use serde_json::Value;

words! {
    /// Why a submission is refused before anything is stored: the error names of the HTTP contract.
    Category {
        /// A field bears an identity name.
        IdentityFieldBanned = "identity_field_banned",
        /// The shape is wrong.
        SchemaFail = "schema_fail",
        /// The agent does not declare what the type asks for.
        CapabilityMismatch = "capability_mismatch",
        /// A string holds something personal.
        RegexFail = "regex_fail",
        /// So does the provenance of a draft.
        Layer2ScrubFailure = "layer2_scrub_failure",
        /// Something named does not exist, or may not be changed.
        CrossRefFail = "cross_ref_fail",
        /// A diff does not fit the text it is for.
        DiffApplyFailed = "diff_apply_failed",
    }
}

/// One reason for refusing. Category, pointer and missing name go into answers over the wire; the
/// sentences are for the person at the keyboard. None of them holds a value of the submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The category.
    pub category: Category,
    /// Where, as a JSON pointer. It ends above the first name that no schema knows.
    pub pointer: String,
    /// What is missing: a field's name, or capabilities joined by commas.
    pub missing: Option<String>,
    /// The scrub rules that fired, by name.
    pub detectors: Vec<String>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// Everything that is wrong with a document of this schema: all steps for a submission, its shape for
/// anything else. This is how fixtures are judged.
pub fn judge(schema: Schema, value: &Value, targets: &dyn Targets) -> Vec<Refusal> {
    let Some(kind) = Kind::ALL.iter().copied().find(|kind| kind.schema() == schema) else {
        return shape(schema, value);
    };
    let mut refusals = check(kind, value);
    if refusals.is_empty() {
        refusals = match Scrubber::bundled() {
            Ok(scrubber) => scrub(value, scrubber),
            Err(_) => vec![unscrubbed()],
        };
    }
    if refusals.is_empty() { cross_reference(kind, value, targets) } else { refusals }
}

/// Steps 1 to 3; an empty list means the submission may go on to scrubbing.
pub fn check(kind: Kind, value: &Value) -> Vec<Refusal> {
    let refusals = shape(kind.schema(), value);
    if refusals.is_empty() { capability(kind, value).into_iter().collect() } else { refusals }
}

/// Steps 1 and 2 for any document with a schema.
pub fn shape(schema: Schema, value: &Value) -> Vec<Refusal> {
    let banned = banned_fields(value);
    let violations = schema.violations(value);
    let repeated = |violation: &&Violation| identity::repeats(violation, &banned);
    let mut refusals: Vec<Refusal> = banned.iter().map(|pointer| identity::refusal(pointer)).collect();
    refusals.extend(violations.iter().filter(|violation| !repeated(violation)).map(schema_refusal));
    if refusals.is_empty() && schema == Schema::Draft {
        refusals = body::refusals(value);
    }
    refusals
}

fn schema_refusal(violation: &Violation) -> Refusal {
    let missing = (violation.keyword == "required").then(|| violation.field.clone()).flatten();
    let pointer = match missing {
        Some(_) => violation.pointer.clone(),
        None => violation.field_pointer(),
    };
    Refusal {
        category: Category::SchemaFail,
        pointer: identity::known_part(&pointer),
        missing,
        detectors: Vec::new(),
        message: violation.message.clone(),
        help: violation.help.clone(),
    }
}

/// Step 3, on a submission whose shape is right.
fn capability(kind: Kind, value: &Value) -> Option<Refusal> {
    let target = value.get("target_type").and_then(Value::as_str).and_then(TargetType::named);
    let declared: Vec<&str> = value
        .get("declared_capabilities")
        .and_then(Value::as_array)
        .map(|tokens| tokens.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let missing: Vec<&str> = capability::required(kind, target)
        .iter()
        .map(|token| token.as_str())
        .filter(|token| !declared.contains(token))
        .collect();
    if missing.is_empty() {
        return None;
    }
    let missing = missing.join(", ");
    Some(Refusal {
        category: Category::CapabilityMismatch,
        pointer: "/declared_capabilities".to_owned(),
        message: format!(
            "a submission of type {kind} with this target needs more capabilities than are declared"
        ),
        help: format!("Declare {missing} if the agent has them; otherwise do not send this."),
        missing: Some(missing),
        detectors: Vec::new(),
    })
}

/// A submission as it was received: a kind and a value, nothing known.
#[derive(Clone, Debug)]
pub struct Raw {
    kind: Kind,
    value: Value,
}

impl Raw {
    /// Takes a received value.
    pub fn new(kind: Kind, value: Value) -> Self {
        Self { kind, value }
    }

    /// Identity and shape.
    pub fn shape(self) -> Result<Shaped, Vec<Refusal>> {
        let refusals = shape(self.kind.schema(), &self.value);
        if !refusals.is_empty() {
            return Err(refusals);
        }
        match Submission::read(self.kind, &self.value) {
            Ok(submission) => Ok(Shaped { submission: Box::new(submission), value: self.value }),
            Err(_) => Err(vec![unreadable(self.kind)]),
        }
    }
}

/// A test proves that the rules we bring along are sound; should that ever fail, nothing passes.
fn unscrubbed() -> Refusal {
    Refusal {
        category: Category::RegexFail,
        pointer: String::new(),
        missing: None,
        detectors: Vec::new(),
        message: "the scrub rules cannot be run".to_owned(),
        help: "Run `becivic check` on the corpus.".to_owned(),
    }
}

/// A test proves that what the schema accepts can be read; should that ever fail, it is a refusal.
fn unreadable(kind: Kind) -> Refusal {
    Refusal {
        category: Category::SchemaFail,
        pointer: String::new(),
        missing: None,
        detectors: Vec::new(),
        message: format!("the document cannot be read as a submission of type {kind}"),
        help: "Compare it with the schema.".to_owned(),
    }
}

/// A submission whose shape is right and which bears no identity name.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// Large, and handed from step to step.
    submission: Box<Submission>,
    value: Value,
}

impl Shaped {
    /// The submission, typed.
    pub fn submission(&self) -> &Submission {
        &self.submission
    }

    /// The submission as it was received.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Capability.
    pub fn permit(self) -> Result<Permitted, Vec<Refusal>> {
        match capability(self.submission.kind(), &self.value) {
            None => Ok(Permitted { shaped: self }),
            Some(refusal) => Err(vec![refusal]),
        }
    }
}

/// A submission that an agent with the right capabilities sent in the right shape.
#[derive(Clone, Debug)]
pub struct Permitted {
    shaped: Shaped,
}

impl Permitted {
    /// The submission, typed.
    pub fn submission(&self) -> &Submission {
        &self.shaped.submission
    }

    /// The submission as it was received.
    pub fn value(&self) -> &Value {
        &self.shaped.value
    }

    /// Scrub.
    pub fn scrub(self, scrubber: &Scrubber) -> Result<Scrubbed, Vec<Refusal>> {
        let refusals = scrub(&self.shaped.value, scrubber);
        if refusals.is_empty() { Ok(Scrubbed { permitted: self }) } else { Err(refusals) }
    }
}

/// A submission in which the rules find nothing personal.
#[derive(Clone, Debug)]
pub struct Scrubbed {
    permitted: Permitted,
}

impl Scrubbed {
    /// The submission, typed.
    pub fn submission(&self) -> &Submission {
        self.permitted.submission()
    }

    /// The submission as it was received.
    pub fn value(&self) -> &Value {
        self.permitted.value()
    }
}

#[cfg(test)]
mod tests;
