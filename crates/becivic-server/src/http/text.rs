//! The text of a skill, in pieces of a size that the reader chooses.
//!
//! 1. The text is the page's own: resolved markdown, or the authored source; of the version that is served, or of an older one, which
//!    is named by its commit or by its number.
//! 2. A section is what stands under one heading; the answer lists them all with what each costs.
//! 3. What does not fit the budget comes in the next piece: `next` names the place and the text, so that a text that has changed in
//!    between is not mistaken for the one that was begun.
//! 4. The first piece of what is served carries the skill's latest entry in the transparency log.
//! 5. As JSON, the skill is what `/api/skills/{id}` answers, with the piece as its `body`; all of it keeps to the budget
//!    ([`fitting`](super::fitting)).

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::fitting::{piece_in_json, without_what_does_not_fit};
use super::paging::word;
use super::routes::param::{Param, Takes};
use super::skills;
use crate::db::log_entries;
use crate::notice;
use crate::pages::{self, Wanted};
use crate::rejection::{Category, Rejection};
use crate::repository::Repository;
use crate::transparency::proved;
use axum::http::StatusCode;
use becivic_core::pieces::{self, Piece, Section, piece, sections};
use becivic_core::version::Version;
use becivic_core::vocabulary::Language;
use becivic_site::address::{Form, Which};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The budget when nobody says one: what a page of an ordinary skill takes.
const USUAL: u64 = 8_000;

/// Less could not hold a paragraph.
const LEAST: u64 = 100;

/// More is in no page.
const MOST: u64 = 100_000;

/// In which form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Markdown,
    Json,
    Source,
}

impl Format {
    const ALL: [(&'static str, Self); 3] =
        [("markdown", Self::Markdown), ("json", Self::Json), ("source", Self::Source)];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(word, _)| *word == name).map(|(_, format)| format)
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Source => "source",
        }
    }
}

/// What can be asked.
pub fn params() -> Vec<Param> {
    let formats = Format::ALL.map(|(word, _)| word).to_vec();
    vec![
        Param::new(
            "format",
            "`markdown` with current values, the default; `source` as it was authored; `json` with frontmatter and community reports.",
            Takes::Word(formats),
        ),
        Param::new(
            "version",
            "An older version: the commit, 40 hex digits, such as `previous_stable_sha`; or a number such as `0.1.0`, for the newest commit of it.",
            Takes::Text,
        ),
        Param::new(
            "section",
            "Only what stands under this heading: an `id` of `sections` in an answer, such as `process`.",
            Takes::Text,
        ),
        Param::new(
            "token_budget",
            "At most about this many tokens of text, or of `skill` with `json`, counted as 4 bytes each; 8000 when left out.",
            Takes::Count(LEAST, MOST),
        ),
        Param::new("after", "The `next` of the answer before, to go on reading.", Takes::Text),
    ]
}

/// The piece.
pub async fn show(ask: Ask) -> Answer {
    answered(try_show(&ask).await)
}

async fn try_show(ask: &Ask) -> Result<Answer, Rejection> {
    let wrong = |pointer: &str, help: &str| Rejection::at(Category::SchemaFail, pointer, help);
    let format = word(ask, "format", Format::named)?.unwrap_or(Format::Markdown);
    let budget = count(ask, "token_budget", (LEAST, MOST))?.unwrap_or(USUAL);
    let version = match ask.query("version") {
        Some(asked) => commit_of(ask, &asked).await?,
        None => None,
    };
    let (text, mut skill) = read(ask, format, version.as_deref()).await?;
    let all = sections(&text);
    let part = match ask.query("section") {
        None => 0..text.len(),
        Some(asked) => {
            let found = all.iter().find(|it| it.id == asked).or_else(|| titled(&all, &asked));
            let range = found.map(|section| section.range.clone());
            range
                .ok_or_else(|| wrong("/section", "`section` is an `id` of `sections`, listed without it."))?
        }
    };
    let part = text.get(part).unwrap_or_default();
    let name = name_of(part);
    let from = match ask.query("after") {
        None => 0,
        Some(cursor) => begun(&cursor, &name).ok_or_else(|| {
            wrong("/after", "The text has changed, or this is no `next`: begin again without `after`.")
        })?,
    };
    let budget = usize::try_from(budget).unwrap_or(usize::MAX);
    let fields = skill.as_object_mut().ok_or_else(|| Rejection::new(Category::Internal))?;
    let found = match fields.get_mut("skill").and_then(Value::as_object_mut) {
        None => piece(part, from, budget).map(|piece| (piece, Vec::new())),
        Some(skill) => with_body(skill, part, from, budget),
    };
    let Some((Piece { text: piece, next }, left_out)) = found else {
        return Err(wrong("/after", "This is no `next` of this text: begin again without `after`."));
    };
    let cost =
        fields.get("skill").map_or_else(|| pieces::tokens(piece), |it| pieces::tokens(&it.to_string()));
    fields.insert("format".to_owned(), json!(format.as_str()));
    fields.insert("sections".to_owned(), json!(all));
    fields.insert("tokens".to_owned(), json!(cost));
    fields.insert("next".to_owned(), json!(next.map(|next| format!("{name}.{next}"))));
    // JSON has it in the skill, where it fits.
    if format != Format::Json && version.is_none() && from == 0 {
        fields.insert("log".to_owned(), logged(ask).await?);
    }
    match format {
        Format::Json => drop(fields.insert("fields_left_out".to_owned(), json!(left_out))),
        Format::Markdown | Format::Source => drop(fields.insert("text".to_owned(), json!(piece))),
    }
    Ok(Answer::json(StatusCode::OK, skill, Cache::Minute))
}

/// The skill's latest entry in the transparency log, with its proof.
async fn logged(ask: &Ask) -> Result<Value, Rejection> {
    let id = ask.param("id").to_owned();
    let latest = ask.app.db.read(move |tx| log_entries::latest(tx, ("skill", &id))).await?;
    Ok(latest.map_or(Value::Null, |logged| proved::shown(&ask.app.log_key, &logged)))
}

/// Commits of a skill that are looked through for a version at most.
const LOOKED_THROUGH: usize = 500;

/// The commit that a version names: itself, or the newest of this number; none for the version that is served.
async fn commit_of(ask: &Ask, asked: &str) -> Result<Option<String>, Rejection> {
    let wrong = |help: &str| Rejection::at(Category::SchemaFail, "/version", help);
    if asked.len() == 40 && asked.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Ok(Some(asked.to_ascii_lowercase()));
    }
    let help = "`version` is a commit, 40 hex digits, or a number such as 0.1.0.";
    let version: Version = asked.parse().map_err(|_| wrong(help))?;
    let (id, served) = (ask.param("id").to_owned(), ask.app.served());
    let skill = served.skill(&id).ok_or_else(|| Rejection::new(Category::NotFound))?;
    if skill.front().is_some_and(|front| front.version.parse() == Ok(version)) {
        return Ok(None);
    }
    let repository = ask.app.repository.clone();
    let found = tokio::task::spawn_blocking(move || newest_of(&repository, &id, version)).await;
    let found = found.ok().and_then(Result::ok).ok_or_else(Rejection::unavailable)?;
    let help = "No commit of this skill has this version. Pass the commit itself, 40 hex digits: `history_url` of the skill lists them.";
    found.map(Some).ok_or_else(|| wrong(help))
}

/// The newest commit in which a skill had a version.
fn newest_of(repository: &Repository, id: &str, version: Version) -> anyhow::Result<Option<String>> {
    let path = format!("skills/{id}/canonical.md");
    for commit in repository.history(&path)?.into_iter().take(LOOKED_THROUGH) {
        let bytes = repository.file(&commit.sha, &path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let line = text
            .lines()
            .skip(1)
            .take_while(|line| *line != "---")
            .find_map(|line| line.strip_prefix("version:"));
        let written = line.map(|line| line.trim().trim_matches(['"', '\'']));
        if written.is_some_and(|written| written.parse() == Ok(version)) {
            return Ok(Some(commit.sha));
        }
    }
    Ok(None)
}

/// Puts a piece into a skill as its body, with what fits beside it; on pages after the first that is only which skill it is.
fn with_body<'t>(
    skill: &mut Map<String, Value>,
    text: &'t str,
    from: usize,
    budget: usize,
) -> Option<(Piece<'t>, Vec<String>)> {
    skill.shift_remove("body");
    if from > 0 {
        skill.retain(|name, _| matches!(name.as_str(), "id" | "commit"));
    }
    let left_out = without_what_does_not_fit(skill, budget);
    skill.insert("body".to_owned(), json!(""));
    let beside = pieces::tokens(&Value::Object(skill.clone()).to_string());
    let piece = piece_in_json(text, from, budget.saturating_sub(beside))?;
    skill.insert("body".to_owned(), json!(piece.text));
    Some((piece, left_out))
}

/// The whole text, and what is said of it beside.
async fn read(ask: &Ask, format: Format, version: Option<&str>) -> Result<(String, Value), Rejection> {
    let not_found = || Rejection::new(Category::NotFound);
    let id = ask.param("id").to_owned();
    let served = ask.app.served();
    let skill = served.skill(&id).ok_or_else(not_found)?;
    let commit = version.unwrap_or(served.commit()).to_owned();
    let mut about = json!({
        "id": id,
        "title": skill.front().map(|front| &front.title),
        "status": skill.status,
        "commit": commit,
        "notice": notice::of_page(skill.front()),
    });
    if format == Format::Json {
        let shown = match version {
            None => skills::shown(ask, &id).await?,
            Some(commit) => pages::version(&ask.app, &served, &id, commit).await?.ok_or_else(not_found)?,
        };
        let body = shown.get("body").and_then(Value::as_str).unwrap_or_default().to_owned();
        about["skill"] = shown;
        return Ok((body, about));
    }
    let which = match version {
        None => Which::Skill(id),
        Some(commit) => Which::SkillAt(id, commit.to_owned()),
    };
    let form = if format == Format::Source { Form::Source } else { Form::Markdown };
    let wanted = Wanted { which, form, language: Language::En, chosen: false };
    let kept = pages::page(&ask.app, served, wanted, String::new()).await?;
    if kept.status != 200 {
        return Err(not_found());
    }
    let text = String::from_utf8(kept.sent.plain.bytes.to_vec());
    Ok((text.map_err(|_| Rejection::new(Category::Internal))?, about))
}

/// A section by its title, as people write it.
fn titled<'s>(all: &'s [Section], asked: &str) -> Option<&'s Section> {
    all.iter().find(|section| section.title.to_lowercase() == asked.trim().to_lowercase())
}

/// What tells one text from another.
fn name_of(text: &str) -> String {
    Sha256::digest(text).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// The place that a cursor names, in a text of this name.
fn begun(cursor: &str, name: &str) -> Option<usize> {
    cursor.strip_prefix(name)?.strip_prefix('.')?.parse().ok()
}

/// A whole number within bounds.
pub fn count(ask: &Ask, name: &str, (least, most): (u64, u64)) -> Result<Option<u64>, Rejection> {
    let Some(text) = ask.query(name) else { return Ok(None) };
    let help = format!("`{name}` is a whole number from {least} to {most}.");
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.map(Some).ok_or_else(|| Rejection::at(Category::SchemaFail, &format!("/{name}"), &help))
}
