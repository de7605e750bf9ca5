//! Resources: what the site serves, at its own addresses, as agents read it.
//!
//! 1. The list begins with what every agent should know (contract, manifest, rules), then every skill, then every path, in pages.
//! 2. Templates say how the address of a skill, a path, a value or a reference is made.
//! 3. To read one is to ask the site for its address, as markdown or as JSON; a skill's files are read as [`super::skills`] serves them.

use super::{Door, skills};
use crate::http::answer::Answer;
use crate::http::ask::{Ask, Told};
use crate::http::routes::Route;
use crate::http::site;
use crate::notice;
use axum::http::Method;
use becivic_core::schema::Schema;
use becivic_core::vocabulary::{Language, Status};
use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use std::sync::Arc;

/// Resources of a page of the list.
const PAGE: usize = 100;

/// What every agent should know, by its address.
const FIRST: &[(&str, &str, &str, &str)] = &[
    ("/agents", "agents", "How agents use Be Civic", MARKDOWN),
    ("/agents/manifest.json", "manifest", "Tools, endpoints, limits, capabilities", JSON),
    ("/agents/feedback-template", "feedback-template", "How to gather and send feedback", MARKDOWN),
    ("/scrub-rules.json", "scrub-rules", "The rules that find personal data before anything is sent", JSON),
    ("/communes.json", "communes", "Communes, their codes and languages", JSON),
    ("/paths/index.json", "path-directory", "The Path Directory as one file", JSON),
    ("/llms.txt", "llms", "What there is to read, as one list", TEXT),
];

const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";
const TEXT: &str = "text/plain";
const SCHEMA: &str = "application/schema+json";

/// A page of the list.
pub fn list(door: &Door, cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
    let base = door.base();
    let served = door.app.served();
    let mut found: Vec<Resource> = Vec::new();
    let (in_skills, in_paths) = match cursor {
        None => (Some(""), Some("")),
        Some(cursor) => match cursor.split_once(':') {
            Some(("skill", after)) => (Some(after), Some("")),
            Some(("path", after)) => (None, Some(after)),
            _ => {
                return Err(ErrorData::invalid_params(
                    "`cursor` is the `nextCursor` of the page before.",
                    None,
                ));
            }
        },
    };
    if cursor.is_none() {
        let pages = &served.files().corpus.pages;
        // A corpus of somebody else may have none of these pages.
        let first =
            FIRST.iter().filter(|(address, _, _, media)| *media != MARKDOWN || pages.contains_key(*address));
        found.extend(first.map(|(address, name, title, media)| {
            Resource::new(format!("{base}{address}"), *name).with_title(*title).with_mime_type(*media)
        }));
        let newest = served.files().corpus.contracts.keys().next_back();
        found.extend(newest.map(|major| {
            Resource::new(format!("{base}/docs/submission-contract-v{major}"), "submission-contract")
                .with_title("The contract of every submission")
                .with_mime_type(MARKDOWN)
        }));
        found.extend(
            [Schema::Concern, Schema::Amendment, Schema::Validation, Schema::Draft, Schema::FeedbackEnvelope]
                .map(schema_of(base)),
        );
    }
    let limit = found.len() + PAGE;
    let mut next = None;
    // What is put away cannot be read, and is not listed.
    let is_there = |status: Status| status != Status::Quarantined;
    let skills = in_skills.into_iter().flat_map(|after| served.skills(after));
    for skill in skills.filter(|skill| is_there(skill.status)) {
        if found.len() == limit {
            return Ok(page(found, next));
        }
        next = Some(format!("skill:{}", skill.id()));
        let mut one =
            Resource::new(format!("{base}/skills/{}", skill.id()), skill.id()).with_mime_type(MARKDOWN);
        if let Some(front) = skill.front() {
            one = one.with_title(&front.title);
            let summary = front.summary.as_deref().unwrap_or(&front.title);
            one = one.with_description(format!("{summary} ({})", skill.status));
        }
        found.push(one);
    }
    let paths = in_paths.into_iter().flat_map(|after| served.paths(after));
    for path in paths.filter(|path| is_there(path.status)) {
        if found.len() == limit {
            return Ok(page(found, next));
        }
        next = Some(format!("path:{}", path.id()));
        let mut one =
            Resource::new(format!("{base}/paths/{}", path.id()), path.id()).with_mime_type(MARKDOWN);
        let title =
            path.entry().and_then(|it| it.title.get(&Language::En).or_else(|| it.title.values().next()));
        if let Some(title) = title {
            one = one
                .with_title(title)
                .with_description(format!("A route to a document or a tool ({})", path.status));
        }
        found.push(one);
    }
    Ok(page(found, None))
}

fn page(found: Vec<Resource>, next: Option<String>) -> ListResourcesResult {
    ListResourcesResult { next_cursor: next, ..ListResourcesResult::with_all_items(found) }
}

fn schema_of(base: &str) -> impl Fn(Schema) -> Resource {
    move |schema| {
        let name = schema.name();
        Resource::new(format!("{base}/schemas/{name}.schema.json"), format!("{name}-schema"))
            .with_title(format!("The schema of: {name}"))
            .with_mime_type(SCHEMA)
    }
}

/// How addresses are made.
pub fn templates(door: &Door) -> Vec<ResourceTemplate> {
    let base = door.base();
    let of = |address: &str, name: &str, title: &str| {
        ResourceTemplate::new(format!("{base}{address}"), name).with_title(title).with_mime_type(MARKDOWN)
    };
    vec![
        of("/skills/{id}", "skill", "A procedure, with current values"),
        of("/skills/{id}/source.md", "skill-source", "A procedure as it was authored"),
        of("/paths/{id}", "path", "A route to a document or a tool"),
        of("/values/{name}", "value", "A fee, a deadline or another value, with its history"),
        of("/references/{name}", "reference", "A source, with its history"),
        ResourceTemplate::new(format!("{}{{id}}/SKILL.md", skills::SCHEME), "skill-file")
            .with_title("A procedure as an agent skill")
            .with_mime_type(MARKDOWN),
    ]
}

/// The text of a resource.
pub async fn read(door: &Door, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found("There is no resource at this address.", None);
    if uri.starts_with(skills::SCHEME) {
        let text = skills::file(door, uri).await?.ok_or_else(unknown)?;
        return Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(MARKDOWN)]));
    }
    let place = uri.strip_prefix(door.base()).filter(|place| place.starts_with('/')).ok_or_else(unknown)?;
    let mut place = place.to_owned();
    // An entry of the catalogue may be asked for by its name, and an address by another spelling.
    for _ in 0..3 {
        let answer = asked(door, &place).await.ok_or_else(unknown)?;
        match answer.leads_to() {
            Some(to) => place = to,
            None => {
                let (status, body) = answer.whole().ok_or_else(unknown)?;
                if !status.is_success() {
                    return Err(unknown());
                }
                let text = String::from_utf8(body.to_vec()).map_err(|_| unknown())?;
                let mut contents = vec![ResourceContents::text(text, uri).with_mime_type(media_of(&place))];
                if place.starts_with("/skills/") {
                    let id =
                        place.trim_start_matches("/skills/").split(['/', '.']).next().unwrap_or_default();
                    let served = door.app.served();
                    let front = served.skill(id);
                    let said = notice::of_page(front.as_ref().and_then(|it| it.front()));
                    contents = contents.into_iter().map(|it| it.with_meta(noticed(said))).collect();
                }
                return Ok(ReadResourceResult::new(contents));
            }
        }
    }
    Err(unknown())
}

/// What the text at an address is, as the list says it.
fn media_of(place: &str) -> &'static str {
    let listed = FIRST.iter().find(|(address, ..)| *address == place).map(|(_, _, _, media)| *media);
    listed.unwrap_or(match place.rsplit_once('.') {
        Some((rest, "json")) if rest.ends_with(".schema") => SCHEMA,
        Some((_, "json")) => JSON,
        Some((_, "txt")) => TEXT,
        _ => MARKDOWN,
    })
}

/// What is answered at an address: by a route of the programs' where it is one, by the site otherwise.
async fn asked(door: &Door, place: &str) -> Option<Answer> {
    // What is no address has no page.
    place.parse::<axum::http::Uri>().ok()?;
    let (path, params) = match place.strip_prefix("/schemas/") {
        Some(file) => ("/schemas/{file}", vec![("file".to_owned(), file.to_owned())]),
        None => (place, Vec::new()),
    };
    let told = Told { params, ..Told::default() };
    let ask = Ask::told(Arc::clone(&door.app), place, told, None).for_text();
    Some(match Route::at(&Method::GET, path).filter(|_| OF_PROGRAMS.contains(&path)) {
        Some(route) => (route.handler)(ask).await,
        None => site::answer(ask).await,
    })
}

/// Routes of programs that are texts for agents.
const OF_PROGRAMS: [&str; 2] = ["/schemas/{file}", "/scrub-rules.json"];

/// The notice, beside the text.
fn noticed(said: &str) -> rmcp::model::MetaObject {
    let mut meta = rmcp::model::MetaObject::new();
    meta.insert("be.becivic/notice".to_owned(), serde_json::json!(said));
    meta
}
