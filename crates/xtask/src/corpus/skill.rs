//! One skill's files: frontmatter, body and, where it forks, the drawing.
//!
//! 1. Write the frontmatter in the canonical order; what a skill requires becomes an input
//!    where the required skill has an output, so types match along the graph.
//! 2. A draft is a title and nothing else.
//! 3. The fallback has sections of its own; every other body is built by [`super::body`].

use std::fmt::Write as _;

use super::body::{self, Sources};
use super::dates;
use super::plan::{FALLBACK, Plan, Skill, Status, stream};
use super::rng::Rng;

/// What is written under `skills/<id>/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// `canonical.md`.
    pub canonical: String,
    /// `process.mmd`, when the body has a branching layer.
    pub process: Option<String>,
}

const CATEGORIES: &[&str] = &[
    "belgium-federal",
    "belgium-federal-civil-status",
    "belgium-flemish-region",
    "belgium-walloon-region",
    "belgium-brussels-region",
    "belgium-german-speaking-community",
    "origin-foreign-documents",
];

const CAPABILITIES: &[&str] = &["structured_output", "web_fetch", "path_traversal", "file_read"];
const CONTEXT: &[&str] = &["region", "commune_nis5", "nationality_status", "residency_status"];
const RESIDENCY: &[&str] = &["registered", "registering", "EU-citizen", "non-EU-permit"];
const COUNTRIES: &[&str] = &["us", "gb", "in", "ma", "tr", "br", "cn", "cd", "ua", "jp"];
const NOTES: &str = "Generated for tests and measurements, not guidance: nothing was checked against a live page, and every fee and delay is invented.";

/// Writes skill `index` of the plan.
pub fn files(plan: &Plan, sources: &Sources, index: usize) -> Files {
    let skill = &plan.skills[index];
    let mut rng = Rng::stream(plan.seed, stream::TEXT, index);
    let mut text = frontmatter(plan, skill, &mut rng);
    let _ = write!(text, "\n# {}\n", skill.title);
    if skill.status == Status::Draft {
        return Files { canonical: text, process: None };
    }
    text.push_str("\nGenerated text, not guidance. Every step below must be verified with the commune.\n");
    if skill.id == FALLBACK {
        body::fallback(&mut text, skill, sources, &mut rng);
        return Files { canonical: text, process: None };
    }
    let branches = rng.chance(30);
    body::sections(&mut text, plan, skill, sources, &mut rng, branches);
    Files { canonical: text, process: branches.then(|| body::drawing(&mut rng)) }
}

fn frontmatter(plan: &Plan, skill: &Skill, rng: &mut Rng) -> String {
    let mut yaml = String::with_capacity(16 << 10);
    let fallback = skill.id == FALLBACK;
    let draft = skill.status == Status::Draft;
    let category = if fallback { "meta" } else { rng.pick(CATEGORIES) };
    let origin = if fallback || draft || rng.chance(70) { "be-civic" } else { "community" };
    let verified = dates::day(rng);
    let _ = write!(
        yaml,
        "---\nid: {}\ntitle: {}\nsummary: {}, step by step, with the documents to bring.\nschema_version: 4\nversion: {}\nstatus: {}\norigin: {origin}\n",
        skill.id,
        skill.title,
        skill.title,
        skill.status.version(rng),
        skill.status.name(),
    );
    if let Some(successor) = skill.superseded_by {
        let _ = writeln!(yaml, "superseded_by: {}", plan.skills[successor].id);
    }
    let _ = write!(yaml, "category: {category}\ndomain: {}\n", skill.domain);
    if !draft && !fallback {
        flags(&mut yaml, &verified, rng);
        applies_to(&mut yaml, rng);
        edges(&mut yaml, plan, skill, rng);
        inputs_and_outputs(&mut yaml, plan, skill);
        let _ = write!(yaml, "requires_capabilities:\n  - multi_turn\n  - {}\n", rng.pick(CAPABILITIES));
    }
    if !draft {
        let _ = writeln!(yaml, "last_verified: {verified}");
    }
    let _ = writeln!(yaml, "verification_notes: \"{NOTES}\"");
    if !draft && !fallback {
        let first = rng.below(CONTEXT.len() - 1);
        let _ = write!(yaml, "user_context_needed:\n  - {}\n  - {}\n", CONTEXT[first], CONTEXT[first + 1]);
    }
    let contract = if rng.chance(80) { "2.1.0" } else { "2.0.0" };
    let _ = write!(yaml, "submission_contract_version: {contract}\n---\n");
    yaml
}

fn flags(yaml: &mut String, walked: &str, rng: &mut Rng) {
    let _ = write!(
        yaml,
        "regional_variation: {}\nrecurring: {}\nwalked_at: {walked}\nauthority_id: {}\n",
        rng.chance(30),
        rng.chance(30),
        rng.pick(super::data::AUTHORITIES).0,
    );
}

fn applies_to(yaml: &mut String, rng: &mut Rng) {
    if rng.chance(40) {
        return;
    }
    let first = rng.below(RESIDENCY.len() - 1);
    let _ =
        write!(yaml, "applies_to:\n  residency_status: [{}, {}]\n", RESIDENCY[first], RESIDENCY[first + 1]);
    if rng.chance(40) {
        let country = rng.below(COUNTRIES.len() - 2);
        let countries = COUNTRIES[country..country + 3].join(", ");
        let _ = writeln!(yaml, "  origin_countries: [{countries}]");
    }
    if rng.chance(20) {
        let commune = rng.below(super::data::COMMUNES - 1);
        let _ = writeln!(
            yaml,
            "  communes: [\"{}\", \"{}\"]",
            super::data::nis(commune),
            super::data::nis(commune + 1)
        );
    }
}

fn edges(yaml: &mut String, plan: &Plan, skill: &Skill, rng: &mut Rng) {
    if !skill.requires.is_empty() {
        yaml.push_str("requires:\n");
    }
    for required in &skill.requires {
        let _ = writeln!(yaml, "  - id: {}", plan.skills[*required].id);
        match rng.below(5) {
            0 => yaml.push_str("    selects_on:\n      origin_country: [us, gb, in]\n"),
            1 => yaml.push_str("    selects_on:\n      region: [brussels, wallonia]\n"),
            _ => {}
        }
    }
    if !skill.paths.is_empty() {
        yaml.push_str("requires_paths:\n");
    }
    for path in &skill.paths {
        let _ = write!(
            yaml,
            "  - id: {}\n    role: {}\n    timing: {}\n",
            plan.routes[*path].id,
            rng.pick(&["submission", "preparation", "check-only", "informational"]),
            rng.pick(&["pre-filing", "months-before-filing", "at-filing", "post-filing", "any"]),
        );
        if rng.chance(40) {
            yaml.push_str("    notes: Only when the household has changed since the last request.\n");
        }
    }
}

fn inputs_and_outputs(yaml: &mut String, plan: &Plan, skill: &Skill) {
    yaml.push_str("inputs:\n  - name: residence_commune\n    type: commune\n");
    let documents = skill
        .requires
        .iter()
        .map(|required| &plan.skills[*required])
        .filter(|required| required.status != Status::Draft);
    for required in documents.take(2) {
        let _ = write!(yaml, "  - name: {}\n    type: document_artefact\n", output(required));
    }
    let _ = write!(
        yaml,
        "outputs:\n  - name: {}\n    type: document_artefact\n    description: What the procedure hands over at its end.\n",
        output(skill)
    );
}

fn output(skill: &Skill) -> String {
    skill.id.replace('-', "_")
}
