//! What a draft or an amendment would make of the corpus: worked out, judged by the schemas and by every rule, and thrown
//! away again. What is left is whether a person must look at it first: addresses of hosts that nobody listed
//! (DECISIONS §9b).

use crate::app::App;
use crate::live::Live;
use crate::rejection::{Category, Rejection};
use becivic_core::catalogue::{Catalogue, SeedCatalogue};
use becivic_core::corpus::{Content as Bytes, Input};
use becivic_core::preflight::amended;
use becivic_core::schema::Schema;
use becivic_core::submission::amendment::{self, FieldChange, PathChange, SkillChange, SourceChange};
use becivic_core::submission::draft::{self, SkillDraft};
use becivic_core::submission::{Amendment, Draft, Submission, TargetType};
use becivic_core::vocabulary::Status;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The reason of a review: a host that is not listed.
const UNLISTED_HOST: &str = "unlisted_host";

/// The reason of a review: what is amended is still a draft itself.
const DRAFT_TARGET: &str = "draft_target";

/// What would be written, and the hosts it would newly cite.
struct Proposal {
    file: Option<Input>,
    pointer: &'static str,
    hosts: BTreeSet<String>,
}

/// Judges what the submission would make of the corpus; says why a person must look at it, if one must.
pub async fn review(
    app: &App,
    live: &Arc<Live>,
    submission: &Submission,
    catalogue: SeedCatalogue,
) -> Result<Option<&'static str>, Rejection> {
    let proposal = match submission {
        Submission::Amendment(it) => amendment(app, live, it, &catalogue)?,
        Submission::Draft(it) => draft(live, it, &catalogue)?,
        Submission::Concern(_)
        | Submission::Validation(_)
        | Submission::Feedback(_)
        | Submission::Rating(_)
        | Submission::Analytics(_) => return Ok(None),
    };
    let on_draft = is_on_draft(live, submission, &catalogue);
    if let Some(file) = proposal.file {
        keeps_the_rules(app, live, file, catalogue, proposal.pointer).await?;
    }
    if proposal.hosts.iter().any(|host| !live.is_listed(host)) {
        return Ok(Some(UNLISTED_HOST));
    }
    Ok(on_draft.then_some(DRAFT_TARGET))
}

/// Whether an amendment is about something that is still a draft.
fn is_on_draft(live: &Live, submission: &Submission, catalogue: &dyn Catalogue) -> bool {
    let Submission::Amendment(it) = submission else { return false };
    let status = match it.target_type {
        TargetType::Skill => live.skill(&it.target_id).map(|(_, front)| front.status),
        TargetType::Path | TargetType::PathSource => {
            live.path(it.target_id.split(':').next().unwrap_or_default()).map(|path| path.entry.status)
        }
        TargetType::VolatileValue => {
            catalogue.value(&it.target_id).and_then(|row| Status::named(&row.status))
        }
        TargetType::Reference => {
            catalogue.reference(&it.target_id).and_then(|row| Status::named(&row.status))
        }
        TargetType::Observation
        | TargetType::SkillGraph
        | TargetType::AgentProtocol
        | TargetType::Session => None,
    };
    status == Some(Status::Draft)
}

fn amendment(
    app: &App,
    live: &Live,
    it: &Amendment,
    catalogue: &dyn Catalogue,
) -> Result<Proposal, Rejection> {
    match &it.content {
        amendment::Content::Skill(SkillChange::Body { skill_commit, body_diff }) => {
            if !app.repository.knows(skill_commit) {
                let help = "Name the commit that the skill was read at; `commit` in its JSON is one.";
                return Err(Rejection::at(Category::CrossRefFail, "/content/skill_commit", help));
            }
            let (skill, _) = live.skill(&it.target_id).ok_or_else(gone)?;
            let pointer = "/content/body_diff";
            let body = amended::body(skill.body(), body_diff)?;
            amended::tags(&body, pointer, catalogue).map_or(Ok(()), Err)?;
            let hosts = amended::new_hosts(&[skill.body()], &[&body], pointer)?;
            let text = skill.source.text();
            let head = text.strip_suffix(skill.body()).unwrap_or(text);
            Ok(Proposal { file: Some(skill_file(&it.target_id, format!("{head}{body}"))), pointer, hosts })
        }
        amendment::Content::Skill(SkillChange::Frontmatter { frontmatter_change }) => {
            let (skill, front) = live.skill(&it.target_id).ok_or_else(gone)?;
            let front = serde_json::to_value(front).map_err(|_| gone())?;
            let changed = field(Schema::Skill, &front, frontmatter_change)?;
            let file = skill_file(&it.target_id, skill_text(&changed, skill.body()));
            changed_field(Some(file), &front, &changed)
        }
        amendment::Content::Path(PathChange::FieldEdit { frontmatter_change }) => {
            let path = live.path(&it.target_id).ok_or_else(gone)?;
            let entry = serde_json::to_value(&path.entry).map_err(|_| gone())?;
            let changed = field(Schema::Path, &entry, frontmatter_change)?;
            changed_field(with_entry(live, &it.target_id, changed.clone()), &entry, &changed)
        }
        amendment::Content::PathSource(SourceChange::FieldEdit { frontmatter_change }) => {
            let (path, source) = it.target_id.split_once(':').ok_or_else(gone)?;
            let mut entry =
                serde_json::to_value(&live.path(path).ok_or_else(gone)?.entry).map_err(|_| gone())?;
            let sources = entry.get_mut("sources").and_then(Value::as_array_mut).ok_or_else(gone)?;
            let slot = sources.iter_mut().find(|it| it["id"] == *source).ok_or_else(gone)?;
            let before = slot.clone();
            let changed = field(Schema::PathSource, &before, frontmatter_change)?;
            *slot = changed.clone();
            changed_field(with_entry(live, path, entry), &before, &changed)
        }
        amendment::Content::PathSource(SourceChange::SourceAdd { source_add }) => {
            let mut entry = serde_json::to_value(&live.path(&it.target_id).ok_or_else(gone)?.entry)
                .map_err(|_| gone())?;
            let source = serde_json::to_value(source_add).map_err(|_| gone())?;
            let pointer = "/content/source_add";
            let hosts = amended::new_hosts(&[], &amended::strings(&source), pointer)?;
            entry.get_mut("sources").and_then(Value::as_array_mut).ok_or_else(gone)?.push(source);
            Ok(Proposal { file: with_entry(live, &it.target_id, entry), pointer, hosts })
        }
        amendment::Content::Reference(change) => {
            let addresses: Vec<&str> = [&change.proposed_url, &change.archived_url]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect();
            let hosts = amended::new_hosts(&[], &addresses, "/content/proposed_url")?;
            Ok(Proposal { file: None, pointer: "/content", hosts })
        }
        amendment::Content::VolatileValue(change) => {
            let value = serde_json::to_value(&change.proposed_value).map_err(|_| gone())?;
            let hosts = amended::new_hosts(&[], &amended::strings(&value), "/content/proposed_value")?;
            Ok(Proposal { file: None, pointer: "/content", hosts })
        }
    }
}

fn draft(live: &Live, it: &Draft, catalogue: &dyn Catalogue) -> Result<Proposal, Rejection> {
    match &it.content {
        draft::Content::Skill(skill) => {
            let SkillDraft { frontmatter, body } = skill.as_ref();
            amended::tags(body, "/content/body", catalogue).map_or(Ok(()), Err)?;
            let front = serde_json::to_value(frontmatter).map_err(|_| gone())?;
            let mut texts = amended::strings(&front);
            texts.push(body);
            let hosts = amended::new_hosts(&[], &texts, "/content/body")?;
            let file = skill_file(&it.proposed_id, skill_text(&front, body));
            Ok(Proposal { file: Some(file), pointer: "/content", hosts })
        }
        draft::Content::Path(path) => {
            let mut entry = serde_json::to_value(&path.entry).map_err(|_| gone())?;
            let hosts = amended::new_hosts(&[], &amended::strings(&entry), "/content/entry")?;
            // The uid comes with the merge; the rules are asked as if it had.
            if let Some(fields) = entry.as_object_mut() {
                fields.entry("uid").or_insert_with(|| json!("pth-99999"));
            }
            Ok(Proposal { file: with_entry(live, &it.proposed_id, entry), pointer: "/content/entry", hosts })
        }
    }
}

fn changed_field(file: Option<Input>, before: &Value, after: &Value) -> Result<Proposal, Rejection> {
    let pointer = "/content/frontmatter_change/proposed_value";
    let hosts = amended::new_hosts(&amended::strings(before), &amended::strings(after), pointer)?;
    Ok(Proposal { file, pointer, hosts })
}

fn field(schema: Schema, artefact: &Value, change: &FieldChange) -> Result<Value, Rejection> {
    Ok(amended::field(schema, artefact, &change.field_path, &change.proposed_value)?)
}

/// The target was there a moment ago.
fn gone() -> Rejection {
    Rejection::at(
        Category::CrossRefFail,
        "/target_id",
        "Take the id from the artefact as it is published now.",
    )
}

fn skill_file(id: &str, text: String) -> Input {
    Input { path: format!("skills/{id}/canonical.md"), content: Bytes::Bytes(text.into_bytes()) }
}

/// A skill's file: JSON is YAML too, so each field is written as it came.
fn skill_text(front: &Value, body: &str) -> String {
    let fields = front.as_object().into_iter().flatten();
    let yaml: String = fields.map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("---\n{yaml}---\n{body}")
}

/// The Path Directory with one entry put in or replaced.
fn with_entry(live: &Live, id: &str, entry: Value) -> Option<Input> {
    let mut index: Value = serde_json::from_str(live.corpus.paths.as_ref()?.source.text()).ok()?;
    index.get_mut("paths")?.as_object_mut()?.insert(id.to_owned(), entry);
    let text = format!("{index:#}\n");
    Some(Input { path: "paths/index.json".to_owned(), content: Bytes::Bytes(text.into_bytes()) })
}

/// Runs every rule over the corpus as it would be, off the threads that answer requests.
async fn keeps_the_rules(
    app: &App,
    live: &Arc<Live>,
    file: Input,
    catalogue: SeedCatalogue,
    pointer: &str,
) -> Result<(), Rejection> {
    // Whoever would wait longer than a sender does is told to come back.
    let turn = tokio::time::timeout(app.config.server.request_timeout / 3, app.heavy.acquire()).await;
    let Ok(Ok(_turn)) = turn else { return Err(Rejection::unavailable()) };
    let (live, repository) = (Arc::clone(live), app.repository.clone());
    let checked = tokio::task::spawn_blocking(move || live.broken_rule(&repository, &catalogue, file)).await;
    match checked {
        Ok(Ok(None)) => Ok(()),
        Ok(Ok(Some(rule))) => {
            let help = "Run `becivic check --explain` with this rule, mend the proposal, and send it again.";
            let mut rejection = Rejection::at(Category::CrossRefFail, pointer, help);
            rejection.rule = Some(rule);
            Err(rejection)
        }
        Ok(Err(_)) | Err(_) => Err(Rejection::unavailable()),
    }
}
