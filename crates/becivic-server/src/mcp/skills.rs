//! The skills extension (`io.modelcontextprotocol/skills`): every skill as a folder of files that a host can load natively.
//!
//! 1. A skill is `skill://<id>/SKILL.md`: a frontmatter of names that every host knows, then the text as it is served, with current
//!    values; beside it the text files under `templates/`.
//! 2. `skills/list` and `skills/get` give the frontmatter and, for each file, its size and its digest. They are made of the same bytes
//!    as [`file()`] gives out, so that a host can check what it reads.
//! 3. What is put away is not there.

use super::Door;
use crate::pages::{self, Wanted};
use crate::served::ServedSkill;
use becivic_core::vocabulary::{Language, Status};
use becivic_site::address::{Form, Which};
use rmcp::ErrorData;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// How addresses of files begin.
pub const SCHEME: &str = "skill://";

/// Skills of a page: each is made to be counted.
const PAGE: usize = 50;

/// How long a list may be kept: as long as a page of the site.
const FRESH_MS: u32 = 60_000;

/// Most files of a skill, and most bytes, that every host takes.
const MOST_FILES: usize = 512;
const MOST_BYTES: usize = 16 << 20;

/// The longest description that a frontmatter may have.
const LONGEST: usize = 1_024;

/// A page of the skills.
pub async fn list(door: &Door, params: Option<&Value>) -> Result<Value, ErrorData> {
    let after = match params.and_then(|params| params.get("cursor")) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(cursor)) if cursor.len() <= 200 => cursor.clone(),
        Some(_) => {
            return Err(ErrorData::invalid_params("`cursor` is the `nextCursor` of the page before.", None));
        }
    };
    let served = door.app.served();
    let ids: Vec<String> =
        served.skills(&after).filter(is_there).map(|it| it.id().to_owned()).take(PAGE + 1).collect();
    let mut entries = Vec::new();
    for id in ids.iter().take(PAGE) {
        entries.extend(entry(door, id).await?);
    }
    let mut answer = cacheable(json!({"skills": entries}));
    if let (true, Some(last)) = (ids.len() > PAGE, ids.get(PAGE - 1)) {
        answer["nextCursor"] = json!(last);
    }
    Ok(answer)
}

/// One skill.
pub async fn get(door: &Door, params: Option<&Value>) -> Result<Value, ErrorData> {
    let uri = params.and_then(|params| params.get("uri")).and_then(Value::as_str).unwrap_or_default();
    let id = uri.strip_prefix(SCHEME).and_then(|rest| rest.strip_suffix("/SKILL.md"));
    let entry = match id {
        Some(id) => entry(door, id).await?,
        None => None,
    };
    let unknown = || ErrorData::invalid_params("`uri` names no skill: skill://<id>/SKILL.md.", None);
    Ok(cacheable(json!({"skill": entry.ok_or_else(unknown)?})))
}

/// A file of a skill.
pub async fn file(door: &Door, uri: &str) -> Result<Option<String>, ErrorData> {
    let Some((id, file)) = uri.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/')) else {
        return Ok(None);
    };
    let files = files(door, id).await?;
    Ok(files.and_then(|(_, files)| files.into_iter().find(|(name, _)| name == file)).map(|(_, text)| text))
}

fn cacheable(mut answer: Value) -> Value {
    answer["resultType"] = json!("complete");
    answer["ttlMs"] = json!(FRESH_MS);
    answer["cacheScope"] = json!("public");
    answer
}

fn is_there(skill: &ServedSkill<'_>) -> bool {
    !matches!(skill.status, Status::Quarantined)
}

async fn entry(door: &Door, id: &str) -> Result<Option<Value>, ErrorData> {
    let Some((front, files)) = files(door, id).await? else { return Ok(None) };
    let resources: Vec<Value> = files
        .iter()
        .map(|(name, text)| {
            let digest: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
            json!({"uri": format!("{SCHEME}{id}/{name}"), "digest": format!("sha256:{digest}"), "size": text.len()})
        })
        .collect();
    let uri = format!("{SCHEME}{id}/SKILL.md");
    Ok(Some(json!({"uri": uri, "frontmatter": front, "resources": resources})))
}

/// The frontmatter and the files of a skill, `SKILL.md` first.
async fn files(
    door: &Door,
    id: &str,
) -> Result<Option<(Map<String, Value>, Vec<(String, String)>)>, ErrorData> {
    let served = door.app.served();
    let Some(skill) = served.skill(id).filter(is_there) else { return Ok(None) };
    let Some(front) = frontmatter(door, &skill) else { return Ok(None) };
    let templates = served.files().corpus.templates.get(id);
    let templates: Vec<(String, String)> = templates
        .into_iter()
        .flatten()
        .filter_map(|(name, text)| Some((format!("templates/{name}"), text.as_ref()?.to_string())))
        .take(MOST_FILES - 1)
        .collect();
    let which = Which::Skill(id.to_owned());
    let wanted = Wanted { which, form: Form::Markdown, language: Language::En, chosen: false };
    let unavailable = |_| ErrorData::internal_error("The store cannot be reached; try again.", None);
    let kept = pages::page(&door.app, door.app.served(), wanted, String::new()).await.map_err(unavailable)?;
    if kept.status != 200 {
        return Ok(None);
    }
    let body = String::from_utf8_lossy(&kept.sent.plain.bytes);
    let mut files = vec![("SKILL.md".to_owned(), format!("---\n{}---\n\n{body}", yaml(&front)))];
    files.extend(templates);
    let total: usize = files.iter().map(|(_, text)| text.len()).sum();
    Ok((total <= MOST_BYTES).then_some((front, files)))
}

/// What every host knows of a skill.
fn frontmatter(door: &Door, skill: &ServedSkill<'_>) -> Option<Map<String, Value>> {
    let front = skill.front()?;
    let about = front.description.as_ref().or(front.summary.as_ref()).unwrap_or(&front.title);
    let mut about = format!("{}. {about}", front.title.trim_end_matches('.'));
    while about.len() > LONGEST {
        about.pop();
    }
    let metadata = json!({
        "status": skill.status,
        "version": front.version,
        "origin": front.origin,
        "canonical_url": format!("{}/skills/{}", door.base(), front.id),
    });
    let fields =
        json!({"name": front.id, "description": about, "license": "CC-BY-4.0", "metadata": metadata});
    fields.as_object().cloned()
}

/// A text in quotes as JSON writes it is one as YAML reads it.
fn yaml(front: &Map<String, Value>) -> String {
    let mut lines = String::new();
    for (name, value) in front {
        match value {
            Value::Object(fields) => {
                lines.push_str(&format!("{name}:\n"));
                fields.iter().for_each(|(name, value)| lines.push_str(&format!("  {name}: {value}\n")));
            }
            value => lines.push_str(&format!("{name}: {value}\n")),
        }
    }
    lines
}
