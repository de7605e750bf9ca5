//! The pages, one function each: ask the library, fill a template.

use super::page::{Page, Typed};
use super::{NEWEST, Which};
use crate::app::App;
use crate::db::desk::MOST_COUNTED;
use crate::http::ask::Ask;
use crate::review::artefacts::Target;
use crate::review::items::{self, PAGE};
use crate::review::triage::State;
use crate::review::{Refused, json as shown};
use serde_json::{Value, json};

/// One page, with what somebody typed into it before.
pub async fn page(ask: &Ask, which: Which, typed: &Typed) -> Result<Page, Refused> {
    let app = &ask.app;
    let mut page = match which {
        Which::Overview => overview(app).await,
        Which::Drafts => drafts(app, ask.query("after")).await,
        Which::Draft => draft(app, ask.param("number")).await,
        Which::Held => held(app, ask.query("after")).await,
        Which::OneHeld => one_held(app, ask.param("id")).await,
        Which::Flags => flags(app, ask.query("after")).await,
        Which::Look => look(app, &ask.query("target").unwrap_or_default()).await,
        Which::Artefact => artefact(app, ask.param("kind"), ask.param("id")).await,
        Which::Feedback => feedback(app, ask.query("state")).await,
        Which::Message => message(app, ask.param("handle")).await,
        Which::Log => log(app, ask.query("before")).await,
    }?;
    page.error = typed.error.clone();
    if let Some(fields) = page.content.as_object_mut() {
        fields.insert("why".to_owned(), json!(typed.why));
        fields.insert("edited".to_owned(), json!(typed.edited));
    }
    Ok(page)
}

async fn overview(app: &App) -> Result<Page, Refused> {
    let counts = items::counts(app).await?;
    let card = |name: &str, count: i64, (one, many): (&str, &str), about: &str| {
        let label = if count == 1 { one } else { many };
        let count = if count >= MOST_COUNTED { format!("{MOST_COUNTED}+") } else { count.to_string() };
        json!({"name": name, "count": count, "label": label, "about": about})
    };
    let cards = json!([
        card("drafts", counts.drafts, ("draft", "drafts"), "new skills and paths, to be merged or refused"),
        card("held", counts.held, ("held", "held"), "not public until somebody has looked"),
        card("flags", counts.flags, ("flag", "flags"), "artefacts that somebody says are not safe"),
        card("feedback", counts.feedback, ("message", "messages"), "about Be Civic itself"),
    ]);
    let nothing = [counts.drafts, counts.held, counts.flags, counts.feedback].iter().all(|count| *count == 0);
    Ok(Page::new("overview.html", "What waits", "", json!({"cards": cards, "nothing": nothing})))
}

/// Where the next page of a list begins, if this one is full.
fn more<T>(items: &[T], last: impl Fn(&T) -> String) -> Option<String> {
    items.last().filter(|_| i64::try_from(items.len()).is_ok_and(|length| length >= PAGE)).map(last)
}

async fn drafts(app: &App, after: Option<String>) -> Result<Page, Refused> {
    let after = after.and_then(|text| text.parse().ok()).unwrap_or(0);
    let pulls = items::pulls(app, after).await?;
    let content =
        json!({"pulls": shown::list(&pulls, shown::pull), "more": more(&pulls, |it| it.number.to_string())});
    Ok(Page::new("drafts.html", "Drafts", "drafts", content))
}

async fn draft(app: &App, number: &str) -> Result<Page, Refused> {
    let missing = || Refused::Missing("There is no such pull request.".to_owned());
    let it = items::pull(app, number.parse().map_err(|_| missing())?).await?;
    Ok(Page::new("draft.html", &it.pull.title.clone(), "drafts", shown::pull_shown(&it)))
}

async fn held(app: &App, after: Option<String>) -> Result<Page, Refused> {
    let after = after.unwrap_or_default();
    let (held, withdrawn) = items::held(app, &after).await?;
    let mut listed: Vec<Value> = held.iter().map(shown::held).collect();
    if after.is_empty() {
        listed.extend(withdrawn.iter().map(shown::withdrawn));
    }
    let content = json!({"held": listed, "more": more(&held, |it| it.id.clone())});
    Ok(Page::new("held.html", "Held", "held", content))
}

async fn one_held(app: &App, id: &str) -> Result<Page, Refused> {
    let it = items::one_held(app, id).await?;
    Ok(Page::new("one_held.html", &format!("A held {}", it.kind), "held", shown::held_shown(&it)))
}

async fn flags(app: &App, after: Option<String>) -> Result<Page, Refused> {
    let flagged = items::flags(app, &after.unwrap_or_default()).await?;
    let content =
        json!({"items": shown::list(&flagged, shown::item), "more": more(&flagged, |it| it.uid.clone())});
    Ok(Page::new("flags.html", "Flags and quarantines", "flags", content))
}

async fn look(app: &App, text: &str) -> Result<Page, Refused> {
    let missing = || Refused::Missing("Write skill:ID, path:ID or con-NNNNN.".to_owned());
    of_target(app, Target::read(text.trim()).ok_or_else(missing)?).await
}

async fn artefact(app: &App, kind: &str, id: &str) -> Result<Page, Refused> {
    let missing = || Refused::Missing("There is no such artefact.".to_owned());
    of_target(app, Target::new(kind, id).ok_or_else(missing)?).await
}

async fn of_target(app: &App, target: Target) -> Result<Page, Refused> {
    let it = items::artefact(app, target).await?;
    Ok(Page::new("artefact.html", &it.target.to_string(), "flags", shown::artefact(&it)))
}

fn states() -> Vec<&'static str> {
    State::ALL.iter().map(|state| state.as_str()).collect()
}

async fn feedback(app: &App, state: Option<String>) -> Result<Page, Refused> {
    let state = state.as_deref().and_then(State::named).unwrap_or(State::New);
    let messages = items::messages(app, state).await?;
    let content = json!({
        "messages": shown::list(&messages, shown::message), "state": state.as_str(), "states": states(),
    });
    Ok(Page::new("feedback.html", "Feedback", "feedback", content))
}

async fn message(app: &App, handle: &str) -> Result<Page, Refused> {
    let it = items::message(app, handle).await?;
    let mut content = shown::message(&it);
    content["states"] = json!(states());
    Ok(Page::new("message.html", &format!("Message {handle}"), "feedback", content))
}

async fn log(app: &App, before: Option<String>) -> Result<Page, Refused> {
    let before = before.and_then(|text| text.parse().ok()).unwrap_or(NEWEST);
    let entries = items::log(app, before).await?;
    let content = json!({
        "entries": shown::list(&entries, shown::entry), "more": more(&entries, |it| it.number.to_string()),
    });
    Ok(Page::new("audit.html", "Log", "log", content))
}
