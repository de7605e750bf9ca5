//! The forms: which action a button stands for, and where one goes after it.

use super::session::Session;
use super::{Which, value};
use crate::http::ask::Ask;
use crate::review::artefacts::Target;
use crate::review::marks::json_made_visible;
use crate::review::triage::State;
use crate::review::{Action, By, Refused, act as carry_out};

/// Does what a form asks for; says where to go then.
pub async fn act(
    ask: &Ask,
    session: &Session,
    which: Which,
    fields: &[(String, String)],
) -> Result<String, Refused> {
    let action = action(ask, which, fields)?;
    let by = By::new(&ask.app, &session.who, value(fields, "why"), action.needs_reason())?;
    let name = action.name();
    carry_out(&ask.app, by, action).await?;
    ask.app.wake.notify_one();
    let place = match which {
        Which::Draft => format!("/review/drafts/{}", ask.param("number")),
        Which::OneHeld => "/review/held".to_owned(),
        Which::Artefact => format!("/review/artefacts/{}/{}", ask.param("kind"), ask.param("id")),
        Which::Message => "/review/feedback".to_owned(),
        Which::Overview
        | Which::Drafts
        | Which::Held
        | Which::Flags
        | Which::Look
        | Which::Feedback
        | Which::Log => "/review".to_owned(),
    };
    Ok(format!("{place}?done={name}"))
}

fn action(ask: &Ask, which: Which, fields: &[(String, String)]) -> Result<Action, Refused> {
    let unknown = || Refused::Invalid("Use one of the buttons.".to_owned());
    let number = || ask.param("number").parse().map_err(|_| unknown());
    let id = || ask.param("id").to_owned();
    let target = || Target::new(ask.param("kind"), ask.param("id")).ok_or_else(unknown);
    match (which, value(fields, "action")) {
        (Which::Draft, "merge") => Ok(Action::Merge { number: number()? }),
        (Which::Draft, "reject") => Ok(Action::Reject { number: number()? }),
        (Which::OneHeld, "release") => Ok(Action::Release { id: id() }),
        (Which::OneHeld, "discard") => Ok(Action::Discard { id: id() }),
        (Which::OneHeld, "edit-and-release") => {
            Ok(Action::EditAndRelease { id: id(), edited: edited(fields) })
        }
        (Which::Artefact, "reinstate") => {
            Ok(Action::Reinstate { target: target()?, bogus: value(fields, "bogus") == "1" })
        }
        (Which::Artefact, "deprecate") => Ok(Action::Deprecate { target: target()? }),
        (Which::Artefact, "quarantine") => Ok(Action::Quarantine { target: target()? }),
        (Which::Message, state) => {
            let state = State::named(state).ok_or_else(unknown)?;
            Ok(Action::Triage { handle: ask.param("handle").to_owned(), state })
        }
        _ => Err(unknown()),
    }
}

/// An edited submission: browsers end lines with two characters, and what would not show again is written out.
pub fn edited(fields: &[(String, String)]) -> String {
    json_made_visible(&value(fields, "edited").replace("\r\n", "\n"))
}

/// What is said on the page one comes to; the address names it, and only these are believed.
pub fn said(done: &str) -> Option<&'static str> {
    match done {
        "merge" => Some("Approved. The commit job merges it in a moment; open this page again to see."),
        "reject" => Some("Refused; its text is erased."),
        "release" => Some("Released. It is committed when its window has ended."),
        "edit-and-release" => Some("Released after an edit. It is committed when its window has ended."),
        "discard" => Some("Discarded; its text is erased."),
        "reinstate" => Some("Reinstated; what was open about it is decided."),
        "reinstate-bogus" => Some("Reinstated; the flag is remembered as bogus."),
        "deprecate" => Some("Deprecated."),
        "quarantine" => Some("Quarantined."),
        "triage" => Some("The message is moved."),
        _ => None,
    }
}
