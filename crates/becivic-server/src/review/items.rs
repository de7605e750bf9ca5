//! What waits for a maintainer, as it is listed and shown: by commands as JSON, by pages as HTML.

use super::artefacts::{self, Target};
use super::held::withdrawn;
use super::marks::{self, Field};
use super::preview::{self, Proposed};
use super::states::ASKED;
use super::{Refused, standalone, subject};
use crate::app::App;
use crate::db::desk::{self, Counts, Held, Pull};
use crate::db::feedback::{self, Message};
use crate::db::flags::{self, Flag, Item};
use crate::db::{audit, concerns};
use crate::moment::Moment;
use crate::repository::Commit;
use becivic_core::submission::{Kind, TargetType};
use serde_json::Value;

/// Items of a page.
pub const PAGE: i64 = 50;

/// How much waits.
pub async fn counts(app: &App) -> Result<Counts, Refused> {
    Ok(app.db.read(|tx| desk::counts(tx)).await?)
}

/// Pull requests that wait, after a number.
pub async fn pulls(app: &App, after: i64) -> Result<Vec<Pull>, Refused> {
    Ok(app.db.read(move |tx| desk::pulls(tx, after, PAGE)).await?)
}

/// A pull request with what it would do.
#[derive(Clone, Debug)]
pub struct PullShown {
    /// The pull request.
    pub pull: Pull,
    /// What it would do, as long as what it comes from is kept.
    pub proposed: Option<Proposed>,
    /// Every string of the submission.
    pub fields: Vec<Field>,
    /// What was done to it.
    pub log: Vec<audit::Entry>,
}

/// One pull request.
pub async fn pull(app: &App, number: i64) -> Result<PullShown, Refused> {
    let found = app
        .db
        .read(move |tx| {
            let Some(pull) = desk::find_pull(tx, number)? else { return Ok(None) };
            let payload = match &pull.id {
                Some(id) => desk::staged_payload(tx, id)?,
                None => None,
            };
            Ok(Some((pull, payload, audit::about(tx, &format!("pull request {number}"))?)))
        })
        .await?;
    let missing = || Refused::Missing(format!("There is no pull request {number}."));
    let (pull, payload, log) = found.ok_or_else(missing)?;
    let kind = pull.kind.as_deref().and_then(Kind::named);
    let value: Option<Value> = payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let (proposed, fields) = match (kind, &value) {
        (Some(kind), Some(value)) => {
            (preview::proposed(app, kind, value).await?, marks::fields(kind, value, app))
        }
        _ => (None, Vec::new()),
    };
    Ok(PullShown { pull, proposed, fields, log })
}

/// What was published and is held now.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // as they are listed
pub struct Withdrawn {
    pub uid: String,
    pub kind: String,
    pub day: Moment,
}

/// Held submissions, and what was published and is held now.
pub async fn held(app: &App, after: &str) -> Result<(Vec<Held>, Vec<Withdrawn>), Refused> {
    let after = after.to_owned();
    let listed = app.db.read(move |tx| Ok((desk::held(tx, &after, PAGE)?, desk::withdrawn(tx, "", PAGE)?)));
    let (held, withdrawn) = listed.await?;
    let withdrawn = withdrawn.into_iter().map(|(uid, kind, day)| Withdrawn { uid, kind, day });
    Ok((held, withdrawn.collect()))
}

/// A held submission with what is suspicious in it.
#[derive(Clone, Debug)]
pub struct HeldShown {
    /// Its id, or the name it has in public.
    pub id: String,
    /// What kind of submission it is.
    pub kind: String,
    /// Why somebody has to look.
    pub review: Option<String>,
    /// Whether it was committed before it was held.
    pub was_committed: bool,
    /// When it was held, to the day.
    pub day: Moment,
    /// Every string of it.
    pub fields: Vec<Field>,
    /// The whole of it, to be edited; `None` for what was committed before.
    pub json: Option<String>,
    /// What it would do.
    pub proposed: Option<Proposed>,
    /// What it is called in the audit log.
    pub subject: String,
    /// What was done to it.
    pub log: Vec<audit::Entry>,
}

/// One held submission.
pub async fn one_held(app: &App, id: &str) -> Result<HeldShown, Refused> {
    let (asked, pepper) = (id.to_owned(), app.pepper.clone());
    let missing = || Refused::Missing(format!("Nothing is held under {id}."));
    let found = app
        .db
        .read(move |tx| {
            if let Some(held) = desk::find_held(tx, &asked)? {
                let Some(kind) = Kind::named(&held.kind) else { return Ok(None) };
                let subject = subject(kind, &pepper.id(&asked));
                let log = audit::about(tx, &subject)?;
                return Ok(Some((held, subject, log, None)));
            }
            let Some(it) = withdrawn(tx, &pepper, &asked)? else { return Ok(None) };
            let concern = concerns::find(tx, &it.uid)?;
            let subject = subject(it.kind, &it.digest);
            let log = audit::about(tx, &subject)?;
            let day = Moment(concern.as_ref().map_or(0, |concern| concern.day));
            let (id, kind, payload) = (asked.clone(), it.kind.as_str().to_owned(), String::new());
            let held = Held { id, kind, review: Some(ASKED.to_owned()), day, commit_eta: day, payload };
            Ok(Some((held, subject, log, Some(concern))))
        })
        .await?;
    let (held, subject, log, published) = found.ok_or_else(missing)?;
    let value: Option<Value> = match &published {
        None => serde_json::from_str(&held.payload).ok(),
        Some(concern) => concern.as_ref().map(concerns::shown),
    };
    let kind = Kind::named(&held.kind).ok_or_else(missing)?;
    let was_committed = published.is_some() || value.as_ref().is_some_and(standalone::is_row);
    let proposed = match &value {
        Some(value) if !was_committed => preview::proposed(app, kind, value).await?,
        _ => None,
    };
    Ok(HeldShown {
        fields: value.as_ref().map(|value| marks::fields(kind, value, app)).unwrap_or_default(),
        json: value.filter(|_| !was_committed).map(|value| marks::visible_json(&value)),
        id: held.id,
        kind: held.kind,
        review: held.review,
        was_committed,
        day: held.day,
        proposed,
        subject,
        log,
    })
}

/// Open items about artefacts, after a uid.
pub async fn flags(app: &App, after: &str) -> Result<Vec<Item>, Refused> {
    let after = after.to_owned();
    Ok(app.db.read(move |tx| flags::open(tx, &after, PAGE)).await?)
}

/// The artefact that a review item is about.
pub async fn target_of(app: &App, uid: &str) -> Result<Target, Refused> {
    let asked = uid.to_owned();
    let item = app.db.read(move |tx| flags::find(tx, &asked)).await?;
    if let Some(item) = item.as_ref().filter(|item| item.target_type == "corpus") {
        return Err(Refused::Conflict(format!(
            "{uid} is about main itself: what was pushed is not served ({0}; `becivic check --explain {0}` says more where that is a rule). Push a commit that mends it.",
            item.target_id
        )));
    }
    item.and_then(|item| Target::new(&item.target_type, &item.target_id))
        .ok_or_else(|| Refused::Missing(format!("There is no review item {uid}.")))
}

/// An artefact with what is said of it.
#[derive(Clone, Debug)]
pub struct ArtefactShown {
    /// The artefact.
    pub target: Target,
    /// Status and version on `main`, of a skill or a path.
    pub standing: Option<(String, String)>,
    /// Its text on `main`, of a skill.
    pub text: Option<String>,
    /// Items about it, open and decided.
    pub items: Vec<Item>,
    /// Flags raised on it.
    pub raised: Vec<Flag>,
    /// Commits that changed its file.
    pub history: Vec<Commit>,
    /// What was done to it.
    pub log: Vec<audit::Entry>,
}

/// One artefact.
pub async fn artefact(app: &App, target: Target) -> Result<ArtefactShown, Refused> {
    let asked = target.clone();
    let (items, raised, log, concern) = app
        .db
        .read(move |tx| {
            let (kind, id) = (asked.kind.as_str(), asked.id.as_str());
            let concern = match asked.kind {
                TargetType::Observation => concerns::find(tx, id)?,
                _ => None,
            };
            let log = audit::about(tx, &asked.to_string())?;
            Ok((flags::of_target(tx, kind, id)?, flags::raised(tx, kind, id)?, log, concern))
        })
        .await?;
    let standing = artefacts::standing(app, &target);
    if standing.is_none() && items.is_empty() && concern.is_none() && log.is_empty() {
        return Err(Refused::Missing(format!("There is no {target}.")));
    }
    let history = match target.file() {
        Some(file) => {
            let repository = app.repository.clone();
            let read = tokio::task::spawn_blocking(move || repository.history(&file)).await;
            read.ok().and_then(Result::ok).ok_or(Refused::Unavailable)?
        }
        None => Vec::new(),
    };
    let live = app.live.load();
    let text = match (&concern, target.kind) {
        (Some(concern), _) => Some(concern.body.clone()),
        (None, TargetType::Skill) => live.skill(&target.id).map(|(skill, _)| skill.source.text().to_owned()),
        (None, _) => None,
    };
    let standing = standing.map(|(status, version)| (status.to_string(), version.to_string()));
    Ok(ArtefactShown { target, standing, text, items, raised, history, log })
}

/// Messages in a state.
pub async fn messages(app: &App, state: super::triage::State) -> Result<Vec<Message>, Refused> {
    Ok(app.db.read(move |tx| feedback::list(tx, state.as_str(), PAGE)).await?)
}

/// One message.
pub async fn message(app: &App, handle: &str) -> Result<Message, Refused> {
    let asked = handle.to_owned();
    let found = app.db.read(move |tx| feedback::find(tx, &asked)).await?;
    found.ok_or_else(|| Refused::Missing(format!("There is no message {handle}.")))
}

/// Lines of the audit log before a number, newest first.
pub async fn log(app: &App, before: i64) -> Result<Vec<audit::Entry>, Refused> {
    Ok(app.db.read(move |tx| audit::list(tx, before, PAGE)).await?)
}
