//! What `becivic review` prints: lines for people, JSON for programs.

use super::wait;
use crate::{Outcome, say};
use becivic_server::app::App;
use becivic_server::review::artefacts::Target;
use becivic_server::review::items::{self, ArtefactShown, HeldShown, PullShown};
use becivic_server::review::json as shown;
use becivic_server::review::marks::{Field, visible};
use becivic_server::review::preview::Proposed;
use becivic_server::review::triage::State;
use serde_json::json;

/// Lists what waits.
pub fn list(app: &App, as_json: bool) -> anyhow::Result<Outcome> {
    let pulls = wait(items::pulls(app, 0))?;
    let (held, withdrawn) = wait(items::held(app, ""))?;
    let flags = wait(items::flags(app, ""))?;
    let messages = wait(items::messages(app, State::New))?;
    if as_json {
        let mut all_held: Vec<_> = held.iter().map(shown::held).collect();
        all_held.extend(withdrawn.iter().map(shown::withdrawn));
        say::json(&json!({
            "drafts": shown::list(&pulls, shown::pull),
            "held": all_held,
            "flags": shown::list(&flags, shown::item),
            "feedback": shown::list(&messages, shown::message),
        }))?;
        return Ok(Outcome::Fine);
    }
    if pulls.is_empty() && held.is_empty() && withdrawn.is_empty() && flags.is_empty() && messages.is_empty()
    {
        say::line("Nothing to review.")?;
        return Ok(Outcome::Fine);
    }
    for it in &pulls {
        let approved = if shown::pull(it)["approved"] == true { "  approved, being merged" } else { "" };
        say::line(format_args!(
            "draft     {}  {}  opened {}{approved}",
            it.number,
            it.title,
            it.opened.date()
        ))?;
    }
    for it in &held {
        let about = shown::held(it)["about"].as_str().unwrap_or_default().to_owned();
        let why = it.review.as_deref().unwrap_or("asked");
        say::line(format_args!("held      {}  {about}  {why}  since {}", it.id, it.day.date()))?;
    }
    for it in &withdrawn {
        say::line(format_args!(
            "held      {}  {}  asked, was public since {}",
            it.uid,
            it.kind,
            it.day.date()
        ))?;
    }
    for it in &flags {
        let target = format!("{}:{}", it.target_type, it.target_id);
        say::line(format_args!("flag      {}  {target}  {}  opened {}", it.uid, it.reason, it.day.date()))?;
    }
    for it in &messages {
        let topic = it.topic.as_deref().unwrap_or("no topic");
        say::line(format_args!("feedback  {}  {topic}  {}", it.handle(), it.day.date()))?;
    }
    say::aside("`becivic review show NAME` shows one of them.");
    Ok(Outcome::Fine)
}

/// Shows one thing.
pub fn show(app: &App, name: &str, as_json: bool) -> anyhow::Result<Outcome> {
    let (value, text) = if let Ok(number) = name.parse() {
        let it = wait(items::pull(app, number))?;
        (shown::pull_shown(&it), pull(&it))
    } else if name.starts_with("rev-") {
        let it = wait(items::artefact(app, wait(items::target_of(app, name))?))?;
        (shown::artefact(&it), artefact(&it))
    } else if let Some(target) = Target::read(name).filter(|_| !is_held(app, name)) {
        let it = wait(items::artefact(app, target))?;
        (shown::artefact(&it), artefact(&it))
    } else if name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let it = wait(items::message(app, name))?;
        (shown::message(&it), format!("{} on {}\n\n{}\n", it.state, it.day.date(), it.body))
    } else {
        let it = wait(items::one_held(app, name))?;
        (shown::held_shown(&it), held(&it))
    };
    if as_json {
        say::json(&value)?;
    } else {
        say::text(&visible(&text))?;
    }
    Ok(Outcome::Fine)
}

/// A concern may be looked at as what is held, or as what is published.
fn is_held(app: &App, name: &str) -> bool {
    wait(items::one_held(app, name)).is_ok()
}

/// Shows what was done.
pub fn log(app: &App, as_json: bool) -> anyhow::Result<Outcome> {
    let entries = wait(items::log(app, i64::MAX))?;
    if as_json {
        say::json(&shown::list(&entries, shown::entry))?;
        return Ok(Outcome::Fine);
    }
    if entries.is_empty() {
        say::line("Nothing was done yet.")?;
    }
    for it in &entries {
        let why = if it.why.is_empty() { "" } else { ": " };
        say::line(format_args!("{}  {}  {} {}{why}{}", it.at.text(), it.who, it.action, it.subject, it.why))?;
    }
    Ok(Outcome::Fine)
}

fn pull(it: &PullShown) -> String {
    let mut text = format!("{}\npull request {}, {}\n", it.pull.title, it.pull.number, it.pull.state);
    if let Some(failure) = &it.pull.failure {
        text.push_str(&format!("the last attempt to merge it failed: {failure}\n"));
    }
    text + &proposed(it.proposed.as_ref()) + &fields(&it.fields)
}

fn held(it: &HeldShown) -> String {
    let why = it.review.as_deref().unwrap_or("asked");
    let head = format!("{} {}, held since {}: {why}\n", it.kind, it.id, it.day.date());
    head + &fields(&it.fields) + &proposed(it.proposed.as_ref())
}

fn artefact(it: &ArtefactShown) -> String {
    let mut text = format!("{}\n", it.target);
    if let Some((status, version)) = &it.standing {
        text.push_str(&format!("{status}, version {version}\n"));
    }
    for item in &it.items {
        text.push_str(&format!(
            "{}: {}, {}, opened {}\n",
            item.uid,
            item.reason,
            item.state,
            item.day.date()
        ));
    }
    for flag in &it.raised {
        let reason = match (flag.reason.as_deref(), flag.words.as_deref()) {
            (Some(reason), _) => reason,
            (None, Some("words_held")) => "its words are held",
            (None, Some("words_discarded")) => "its words were discarded",
            (None, _) => "no reason given",
        };
        text.push_str(&format!("flagged {}: {reason}\n", flag.day.date()));
    }
    for commit in &it.history {
        let short = commit.sha.get(..10).unwrap_or_default();
        text.push_str(&format!("{} {short} {}\n", commit.at.date(), commit.subject));
    }
    text
}

/// Strings with their places; what is suspicious stands in ‹› with the reason after it.
fn fields(fields: &[Field]) -> String {
    let mut text = String::new();
    for field in fields {
        text.push_str(&format!("{}: ", field.pointer));
        for piece in &field.pieces {
            match &piece.mark {
                Some(mark) => text.push_str(&format!("‹{}›[{mark}]", piece.text)),
                None => text.push_str(&piece.text),
            }
        }
        text.push('\n');
    }
    text
}

fn proposed(it: Option<&Proposed>) -> String {
    let Some(it) = it else { return String::new() };
    let mut text = String::new();
    if let Some(broken) = &it.broken {
        text.push_str(&format!("cannot be worked out against the corpus as it is now: {broken}\n"));
    }
    for host in &it.unlisted {
        text.push_str(&format!("cites a host that nobody listed: {host}\n"));
    }
    for finding in &it.findings {
        text.push_str(&format!("{} {}: {}\n", finding.severity.as_str(), finding.rule, finding.message));
    }
    for file in &it.files {
        text.push_str(&format!("\n{}\n", file.path));
        for line in &file.diff {
            text.push_str(&format!("{}{}\n", line.side.sign(), line.text));
        }
    }
    text
}
