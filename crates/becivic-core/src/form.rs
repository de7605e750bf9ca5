//! The onboarding form: what a person is asked before a procedure, composed from the skill's `inputs:` (§6.1, §24.5,
//! §24.6.1).
//!
//! 1. A request names a skill, the host that shows the form, a language, and how well the person is known
//!    ([`FormRequest`]). What is known may come along as a profile, which has to be a valid one (`form/known.rs`).
//! 2. The universal questions are the same for every procedure (`form/universal.rs`); the others are the skill's inputs
//!    (`form/asked.rs`). An input with `render: profile` whose answer fits the profile is kept there; any other is for the
//!    session only, and so is everything that is exact to the day.
//! 3. `first_contact` asks everything; `returning` asks what is not known and shows what is; `continuing` asks only what
//!    the skill still lacks.
//! 4. The languages of the administration come from the communes (`form/languages.rs`).
//! 5. Below stand one consent, which is never needed, and why it is done this way, in four clauses.
//! 6. What the form yields is said as a JSON Schema (`form/payload.rs`): a part of a profile, answers for the session, and
//!    markers for rows that come later. A marker never stands inside the profile, which could not hold it.
//!
//! Nothing here keeps or repeats what a request brought, except as the answers it is shown to have been.

mod answer_schema;
mod asked;
mod known;
mod languages;
mod payload;
mod request;
mod shape;
mod universal;
mod words;

pub use answer_schema::answer_schema;
pub use languages::{AdministrationLanguages, CommuneChoice, commune_choices};
pub use request::{App, FormRequest, Mode, request_schema};
pub use shape::{
    CaptureMode, Choice, Clause, ConsentBox, Field, FieldColumn, Form, Keep, Pending, Range, Section,
    SectionId, SkillLabel, Trust, Way,
};

use crate::corpus::Corpus;
use crate::skill::Frontmatter;
use crate::vocabulary::Status;
use known::Known;
use words::Words;

/// The version of the consent's words: another text is another question.
pub const CONSENT_VERSION: &str = "alpha-1";

/// The version of the form's shape.
pub const FORM_VERSION: u32 = 1;

/// Why there is no form. None of them repeats what was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The request has another shape.
    #[error("the request does not have the right shape")]
    Request {
        /// Where, as a JSON pointer into the request.
        pointer: String,
        /// What to do.
        help: String,
    },
    /// There is no such skill.
    #[error("there is no skill with this id")]
    UnknownSkill,
    /// The skill was put away.
    #[error("this skill was put away, and nothing of it is shown")]
    Quarantined,
    /// The snapshot is not a profile.
    #[error("the profile snapshot is not a valid profile")]
    Snapshot {
        /// Where, as a JSON pointer into the snapshot, as far as its fields are known.
        pointer: String,
    },
}

/// Composes a form.
pub fn compose(corpus: &Corpus, request: &FormRequest) -> Result<Form, FormError> {
    let skill = request.skill_id.as_deref().map(|id| skill(corpus, id)).transpose()?;
    let known = Known::of(request.profile_snapshot.as_ref())?;
    let words = words::of(request.locale);
    let administration_languages = languages::map(corpus, words);
    let mut sections = sections(skill, request, &known, words);
    languages::narrow(&mut sections, &administration_languages, &known);
    let consent = ConsentBox::of(words, &known);
    let trust = Trust::of(words);
    let intro = match (sections.is_empty(), request.mode) {
        (true, _) => words.nothing_missing,
        (false, Mode::FirstContact) => words.intro,
        (false, Mode::Returning) => words.intro_returning,
        (false, Mode::Continuing) => words.intro_continuing,
    };
    Ok(Form {
        form_version: FORM_VERSION,
        app: request.app,
        locale: request.locale,
        mode: request.mode,
        skill: skill.map(SkillLabel::of),
        title: words.title.to_owned(),
        intro: intro.to_owned(),
        payload_schema: payload::schema(&sections),
        administration_languages,
        sections,
        consent,
        trust,
    })
}

fn skill<'c>(corpus: &'c Corpus, id: &str) -> Result<&'c Frontmatter, FormError> {
    let skill = corpus.skills.get(id).and_then(|skill| skill.front.as_ref());
    let front = skill.ok_or(FormError::UnknownSkill)?;
    match front.status {
        Status::Quarantined => Err(FormError::Quarantined),
        Status::Draft | Status::Alpha | Status::Beta | Status::Stable | Status::Deprecated => Ok(front),
    }
}

/// The fields of the form, by section; sections without fields are left out.
fn sections(
    skill: Option<&Frontmatter>,
    request: &FormRequest,
    known: &Known,
    words: &Words,
) -> Vec<Section> {
    let inputs = skill.map(Frontmatter::inputs).unwrap_or_default();
    let universal = universal::fields(words, request.locale);
    let is_universal = |name: &str| universal.iter().any(|field| field.name == name);
    // What a continuing person is asked in general is what the skill itself wants to know.
    let is_wanted = |field: &Field| match (request.mode, skill) {
        (Mode::FirstContact | Mode::Returning, _) | (Mode::Continuing, None) => true,
        (Mode::Continuing, Some(_)) => inputs.iter().any(|input| input.name == field.name),
    };
    let about_you: Vec<Field> = universal.iter().filter(|field| is_wanted(field)).cloned().collect();
    let of_skill = inputs.iter().filter(|input| !is_universal(&input.name));
    let of_skill = of_skill.map(|input| asked::field(input, words));
    let (kept, procedure): (Vec<Field>, Vec<Field>) = of_skill.partition(|field| field.keep == Keep::Profile);
    let mut earlier = Vec::new();
    let mut sections = Vec::new();
    for (id, fields) in
        [(SectionId::AboutYou, about_you), (SectionId::Kept, kept), (SectionId::Procedure, procedure)]
    {
        let fields = fields.into_iter().map(|field| known.filled(field));
        let (answered, open): (Vec<Field>, Vec<Field>) = match request.mode {
            Mode::FirstContact => (Vec::new(), fields.collect()),
            Mode::Returning | Mode::Continuing => fields.partition(|field| known.answers(field)),
        };
        earlier.extend(answered);
        sections.push(Section::of(id, open, words));
    }
    if request.mode == Mode::Returning {
        sections.push(Section::of(SectionId::Known, earlier, words));
    }
    sections.retain(|section| !section.fields.is_empty());
    sections
}
