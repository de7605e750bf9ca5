//! Pages of the site, made from what is served now and kept until that is something else.
//!
//! 1. A page that was made a moment ago is sent as it is: no database is asked.
//! 2. After that moment whoever asks next has its facts fetched again ([`gather`]). The same files and the same facts are the same
//!    page, so it is kept; otherwise it is made anew. A change in the catalogue thus shows on every page that cites it within that
//!    moment, and no other page is made again.
//! 3. Another commit, or a flag that puts something away, counts at once.
//!
//! Several who ask for the same page at the same time wait for one of them to make it. What is kept is bounded ([`mod@kept`]).

mod gather;
mod kept;

use kept::Slot;
pub use kept::{Kept, Pages};

use crate::app::App;
use crate::db::catalogue::{self, Prefix};
use crate::db::{DbError, transitions};
use crate::served::Served;
use becivic_core::vocabulary::Language;
use becivic_site::address::{Form, Which};
use becivic_site::files::{self, Made};
use becivic_site::version::Versions;
use becivic_site::{Facts, body, doc, frame, observations, pages, words};
use serde_json::{Value, json};
use std::sync::Arc;

/// What is kept: a page for somebody, or a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// A page.
    Page(Wanted),
    /// A file for agents or machines.
    File(Made),
}

impl Thing {
    /// Lists of everything are looked at less often: a page that shows one artefact shows a change at once.
    fn is_a_list(&self) -> bool {
        match self {
            Self::Page(wanted) => matches!(wanted.which, Which::Activity | Which::Log),
            Self::File(made) => {
                matches!(made, Made::LlmsFull | Made::LlmsFullPart(_) | Made::SkillsIndex | Made::PathsRollup)
            }
        }
    }

    /// Whether its facts say all of what it is made of; a file of pages has those of its pages besides.
    fn is_told_by_its_facts(&self) -> bool {
        !matches!(self, Self::File(Made::LlmsFull | Made::LlmsFullPart(_)))
    }
}

/// Which page, for whom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// The page.
    pub which: Which,
    /// Its form.
    pub form: Form,
    /// The language of the words around it.
    pub language: Language,
    /// Whether the language stands in the address.
    pub chosen: bool,
}

impl Wanted {
    /// Whether it is one of so few that they can all be kept: what depends on what somebody typed is not.
    fn is_kept(&self) -> bool {
        match &self.which {
            Which::SkillAt(..) | Which::SkillChange(..) | Which::SkillHistory(_) | Which::Search => false,
            Which::Authored(_)
            | Which::Folder(_)
            | Which::Values
            | Which::References
            | Which::Skills
            | Which::CategoryOf(..)
            | Which::Skill(_)
            | Which::Paths
            | Which::ThemeOf(_)
            | Which::Path(_)
            | Which::Value(_)
            | Which::Reference(_)
            | Which::Activity
            | Which::Log => true,
        }
    }
}

/// The page, kept or made.
pub async fn page(
    app: &Arc<App>,
    served: Served,
    wanted: Wanted,
    query: String,
) -> Result<Arc<Kept>, DbError> {
    if wanted.is_kept() {
        return kept(app, &served, Thing::Page(wanted)).await;
    }
    let made = async {
        let facts = gather::facts(app, &served, &wanted.which, query).await?;
        Ok(Arc::new(make(app, served, Thing::Page(wanted), facts).await))
    };
    Box::pin(made).await
}

/// The file, kept or made.
pub async fn file(app: &Arc<App>, made: Made) -> Result<Arc<Kept>, DbError> {
    let served = app.served();
    // Anybody can make such a name up.
    let is_kept = match &made {
        Made::LlmsPart(_) | Made::SitemapPart(_) | Made::Template(..) => false,
        Made::LlmsFullPart(_) => files::volume(&served.world(&app.config.server.public_url), &made).is_some(),
        _ => true,
    };
    match is_kept {
        true => kept(app, &served, Thing::File(made)).await,
        false => {
            let made = async {
                let facts = gather::of_file(app, &served, &made).await?;
                Ok(Arc::new(make(app, served, Thing::File(made), facts).await))
            };
            Box::pin(made).await
        }
    }
}

/// What is fresh is there at once. Everything else waits in a box of its own: whoever only fetches what is there would otherwise carry
/// the room for making it through every layer.
async fn kept(app: &Arc<App>, served: &Served, thing: Thing) -> Result<Arc<Kept>, DbError> {
    let slot = app.pages.slot(&thing);
    match slot.fresh(served) {
        Some(kept) => Ok(kept),
        None => Box::pin(renewed(app, slot, thing)).await,
    }
}

async fn renewed(app: &Arc<App>, slot: Arc<Slot>, thing: Thing) -> Result<Arc<Kept>, DbError> {
    let _making = slot.making.lock().await;
    // Whoever made it while this one waited, made it for both.
    let served = app.served();
    if let Some(kept) = slot.fresh(&served) {
        return Ok(kept);
    }
    let facts = match &thing {
        Thing::Page(wanted) => gather::facts(app, &served, &wanted.which, String::new()).await?,
        Thing::File(made) => gather::of_file(app, &served, made).await?,
    };
    if thing.is_told_by_its_facts()
        && let Some(kept) = slot.renewed(&served, &facts.digest())
    {
        return Ok(kept);
    }
    let made = Arc::new(make(app, served, thing, facts).await);
    app.pages.keep(&slot, Arc::clone(&made));
    Ok(made)
}

/// Makes a page or a file, on a thread that may take its time.
async fn make(app: &Arc<App>, served: Served, thing: Thing, facts: Facts) -> Kept {
    let app = Arc::clone(app);
    app.metrics.page_made();
    let digest = facts.digest();
    let is_a_list = thing.is_a_list();
    let work = tokio::task::spawn_blocking(move || {
        let (status, bytes) = match &thing {
            Thing::Page(wanted) => {
                let (status, text) = print(&app, &served, wanted, &facts);
                (status, text.into_bytes())
            }
            Thing::File(made) => print_file(&app, &served, made, &facts),
        };
        Kept::new(status, bytes.into(), &served, digest, is_a_list)
    });
    // A defect in a page is the guard's business, like one in a handler.
    work.await.unwrap_or_else(|defect| std::panic::resume_unwind(Box::new(defect.to_string())))
}

/// A file; 404 where this world has none of it.
fn print_file(app: &Arc<App>, served: &Served, made: &Made, facts: &Facts) -> (u16, Vec<u8>) {
    let world = served.world(&app.config.server.public_url);
    let runtime = tokio::runtime::Handle::current();
    let mut markdown = |which: &Which| {
        let facts = runtime.block_on(gather::facts(app, served, which, String::new())).ok()?;
        let shown = pages::show(&world, which, &facts, words::of(Language::En));
        (shown.status == 200).then(|| doc::markdown::blocks(&shown.doc.blocks, words::of(Language::En)))
    };
    made.make(&world, facts, &mut markdown).map_or((404, Vec::new()), |bytes| (200, bytes))
}

fn print(app: &App, served: &Served, wanted: &Wanted, facts: &Facts) -> (u16, String) {
    let world = served.world(&app.config.server.public_url);
    let words = words::of(wanted.language);
    if wanted.form == Form::Source
        && let Some(text) = pages::source(&world, &wanted.which, facts)
    {
        return (200, text.into_owned());
    }
    let shown = pages::show(&world, &wanted.which, facts, words);
    match wanted.form {
        Form::Html => {
            let place =
                frame::Place { chosen: wanted.chosen, ..frame::Place::of(&world, Some(&wanted.which)) };
            (shown.status, frame::page(&shown, &place, words))
        }
        Form::Markdown => (shown.status, doc::markdown::blocks(&shown.doc.blocks, words)),
        Form::Source => {
            let gone = pages::missing(&world, &wanted.which.address(), words);
            (404, doc::markdown::blocks(&gone.doc.blocks, words))
        }
    }
}

/// A skill for programs.
pub struct Resolved {
    /// Its text with the tags resolved, as in markdown; none of a quarantined one.
    pub body: Option<String>,
    /// What people said of it (§6.10).
    pub observations: Value,
}

/// A skill for programs: made of the same facts as its page.
pub async fn resolved(app: &Arc<App>, served: &Served, id: &str) -> Result<Resolved, DbError> {
    let facts = gather::facts(app, served, &Which::Skill(id.to_owned()), String::new()).await?;
    let world = served.world(&app.config.server.public_url);
    let status = facts.standing("skill", id).map(|it| it.status);
    let Some(seen) = world.skill(id).map(|seen| seen.beside(status)) else {
        return Ok(Resolved { body: None, observations: Value::Null });
    };
    let words = words::of(Language::En);
    let body = seen.skill().map(|skill| body::skill(&world, skill, &facts, words).markdown);
    Ok(Resolved { body, observations: observations::block(&world, &seen, &facts) })
}

/// What a skill said when it was stable, for readers of one that is quarantined now (DECISIONS §8); null where that is not there
/// any more, was not stable, or was flagged itself.
pub async fn previous_stable(
    app: &Arc<App>,
    served: &Served,
    id: &str,
    commit: &str,
) -> Result<Value, DbError> {
    let at = Which::SkillAt(id.to_owned(), commit.to_owned());
    let facts = gather::facts(app, served, &at, String::new()).await?;
    let world = served.world(&app.config.server.public_url);
    let Some(seen) = world.skill(id) else { return Ok(Value::Null) };
    let Some((commit, skill)) = Versions::new(seen, &facts).previous_stable() else { return Ok(Value::Null) };
    let body = body::skill(&world, &skill, &facts, words::of(Language::En)).markdown;
    Ok(json!({"commit": commit, "version": skill.front.as_ref().map(|front| &front.version), "body": body}))
}

/// A version of a skill for programs: what its page at that commit shows; nothing where readers may not see it.
pub async fn version(
    app: &Arc<App>,
    served: &Served,
    id: &str,
    commit: &str,
) -> Result<Option<Value>, DbError> {
    let at = Which::SkillAt(id.to_owned(), commit.to_owned());
    let facts = gather::facts(app, served, &at, String::new()).await?;
    let world = served.world(&app.config.server.public_url);
    let skill = world.skill(id).and_then(|seen| Versions::new(seen, &facts).at(commit));
    Ok(skill.map(|skill| {
        let body = body::skill(&world, &skill, &facts, words::of(Language::En)).markdown;
        json!({"id": id, "commit": commit, "frontmatter": skill.front, "body": body})
    }))
}

/// The numbers of the dashboard, for programs.
pub async fn activity(app: &Arc<App>) -> Result<Value, DbError> {
    let served = app.served();
    let facts = gather::facts(app, &served, &Which::Activity, String::new()).await?;
    Ok(pages::activity::json(&served.world(&app.config.server.public_url), &facts))
}

/// The address of an entry of the catalogue that somebody asks for by its name.
pub async fn named(app: &App, address: &str) -> Result<Option<String>, DbError> {
    let (prefix, name) = match address.split('/').collect::<Vec<_>>().as_slice() {
        ["", "values", name] => (Prefix::Value, name.to_ascii_lowercase()),
        ["", "references", name] => (Prefix::Reference, name.to_ascii_lowercase()),
        _ => return Ok(None),
    };
    let uid = app.db.read(move |tx| catalogue::uid_of_name(tx, prefix, &name)).await?;
    Ok(uid.map(|uid| match prefix {
        Prefix::Value => Which::Value(uid).address(),
        Prefix::Reference => Which::Reference(uid).address(),
    }))
}

/// Whether something was at an address once and is not any more: a skill or a path whose changes are written down.
pub async fn is_gone(app: &App, address: &str) -> Result<bool, DbError> {
    let target = match address.split('/').collect::<Vec<_>>().as_slice() {
        ["", "skills", id] => ("skill", (*id).to_owned()),
        ["", "paths", id] => ("path", (*id).to_owned()),
        _ => return Ok(false),
    };
    let read = app.db.read(move |tx| transitions::of_target(tx, (target.0, &target.1), i64::MAX, 1));
    Ok(!read.await?.is_empty())
}

/// The page of an address where there is none, or none any more.
pub fn missing(
    app: &App,
    served: &Served,
    address: &str,
    is_gone: bool,
    (form, language): (Form, Language),
) -> (u16, String) {
    let world = served.world(&app.config.server.public_url);
    let words = words::of(language);
    let shown = match is_gone {
        true => pages::gone(words),
        false => pages::missing(&world, address, words),
    };
    let text = match form {
        Form::Html => frame::page(&shown, &frame::Place::of(&world, None), words),
        Form::Markdown | Form::Source => doc::markdown::blocks(&shown.doc.blocks, words),
    };
    (shown.status, text)
}
