//! Pages of the site, made from what is served now and kept until that is something else.
//!
//! 1. A page that was made a moment ago is sent as it is: no database is asked.
//! 2. After that moment whoever asks next has its facts fetched again ([`gather`]). The same files and the same facts are the same
//!    page, so it is kept; otherwise it is made anew. A change in the catalogue thus shows on every page that cites it within that
//!    moment, and no other page is made again.
//! 3. Another commit, or a flag that puts something away, counts at once.
//!
//! Several who ask for the same page at the same time wait for one of them to make it. What is kept is bounded ([`kept`]).

mod gather;
mod kept;

pub use kept::{Kept, Pages};

use crate::app::App;
use crate::db::DbError;
use crate::served::Served;
use becivic_core::vocabulary::{Language, Status};
use becivic_site::address::{Form, Which};
use becivic_site::{Facts, doc, frame, pages, words};
use std::sync::Arc;

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
            | Which::Skills
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
pub async fn page(app: &Arc<App>, wanted: Wanted, query: String) -> Result<Arc<Kept>, DbError> {
    if !wanted.is_kept() {
        let served = app.served();
        let facts = gather::facts(app, &served, &wanted.which, query).await?;
        return Ok(Arc::new(make(app, served, wanted, facts).await));
    }
    let slot = app.pages.slot(&wanted);
    if let Some(kept) = slot.fresh(&app.served()) {
        return Ok(kept);
    }
    let _making = slot.making.lock().await;
    // Whoever made it while this one waited, made it for both.
    let served = app.served();
    if let Some(kept) = slot.fresh(&served) {
        return Ok(kept);
    }
    let facts = gather::facts(app, &served, &wanted.which, query).await?;
    if let Some(kept) = slot.renewed(&served, &facts.digest()) {
        return Ok(kept);
    }
    let made = Arc::new(make(app, served, wanted, facts).await);
    app.pages.keep(&slot, Arc::clone(&made));
    Ok(made)
}

/// Makes a page, on a thread that may take its time.
async fn make(app: &Arc<App>, served: Served, wanted: Wanted, facts: Facts) -> Kept {
    let app = Arc::clone(app);
    app.metrics.page_made();
    let digest = facts.digest();
    let work = tokio::task::spawn_blocking(move || {
        let (status, text) = print(&app, &served, &wanted, &facts);
        Kept::new(status, text.into(), &served, digest)
    });
    // A defect in a page is the guard's business, like one in a handler.
    work.await.unwrap_or_else(|defect| std::panic::resume_unwind(Box::new(defect.to_string())))
}

fn print(app: &App, served: &Served, wanted: &Wanted, facts: &Facts) -> (u16, String) {
    let world = served.world(&app.config.server.public_url);
    let words = words::of(wanted.language);
    if wanted.form == Form::Source {
        let is_put_away = match &wanted.which {
            Which::Skill(id) => {
                facts.standing("skill", id).is_some_and(|it| it.status == Status::Quarantined)
            }
            _ => false,
        };
        if let Some(text) = pages::source(&world, &wanted.which).filter(|_| !is_put_away) {
            return (200, text.to_owned());
        }
    }
    let shown = pages::show(&world, &wanted.which, facts, words);
    match wanted.form {
        Form::Html => {
            let place = frame::Place { base: world.base, which: Some(&wanted.which), chosen: wanted.chosen };
            (shown.status, frame::page(&shown, &place, words))
        }
        Form::Markdown => (shown.status, doc::markdown::blocks(&shown.doc.blocks, words)),
        Form::Source => {
            let gone = pages::missing(&world, &wanted.which.address(), words);
            (404, doc::markdown::blocks(&gone.doc.blocks, words))
        }
    }
}

/// The page of an address where there is none.
pub fn missing(app: &App, served: &Served, address: &str, form: Form, language: Language) -> String {
    let world = served.world(&app.config.server.public_url);
    let words = words::of(language);
    let shown = pages::missing(&world, address, words);
    match form {
        Form::Html => {
            frame::page(&shown, &frame::Place { base: world.base, which: None, chosen: false }, words)
        }
        Form::Markdown | Form::Source => doc::markdown::blocks(&shown.doc.blocks, words),
    }
}
