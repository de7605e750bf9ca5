//! Whether a person has to look first: who is named, and which hosts are led to (§8.5). A doubt never refuses anything; it
//! decides where the submission waits. The commit job asks the same before anything is published.

use super::timing::Timed;
use crate::app::App;
use crate::live::Live;
use crate::rejection::Rejection;
use becivic_core::names::Names;
use becivic_core::preflight::doubts::{self, Doubt, Why};
use becivic_core::submission::Kind;
use becivic_core::url_policy;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// A submission that was made at a plausible time, and what somebody has to look at in it.
pub struct Looked {
    timed: Timed,
    doubts: Vec<Doubt>,
}

impl Looked {
    /// The submission.
    pub fn timed(&self) -> &Timed {
        &self.timed
    }

    /// What somebody has to look at.
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// Why it is held, if it is.
    pub fn hold(&self) -> Option<Why> {
        doubts::gravest(&self.doubts)
    }
}

/// Payloads above this are read off the threads that answer requests: a note takes a fraction of a millisecond, a whole
/// skill some tens.
const SHORT: usize = 4 << 10;

/// Looks at a submission.
pub async fn look(app: &App, timed: Timed) -> Result<Looked, Rejection> {
    let resolved = timed.resolved();
    let (kind, known, names) = (resolved.submission().kind(), KnownHosts::of(app), app.names);
    let value = resolved.value();
    let mut doubts = if length(value) <= SHORT {
        in_value(names, &known, kind, value)
    } else {
        let value = value.clone();
        let read = tokio::task::spawn_blocking(move || in_value(names, &known, kind, &value));
        read.await.map_err(|_| Rejection::unavailable())?
    };
    if !resolved.unlisted.is_empty() {
        doubts.extend(doubts::leading_to(kind, value, |host| resolved.unlisted.contains(host)));
    }
    Ok(Looked { timed, doubts })
}

/// The hosts that need nobody's look: those that are listed, and the site's own.
pub struct KnownHosts {
    live: Arc<Live>,
    public_url: String,
    /// Worked out when it is first asked for; most submissions name no host.
    own: OnceLock<Option<String>>,
}

impl KnownHosts {
    /// Those of what is served now.
    pub fn of(app: &App) -> Self {
        let public_url = app.config.server.public_url.clone();
        Self { live: app.live.load_full(), public_url, own: OnceLock::new() }
    }

    /// Whether a host is one of them.
    pub fn holds(&self, host: &str) -> bool {
        let own = || url_policy::host(&self.public_url).ok().map(|own| own.into_owned());
        self.live.is_listed(host) || self.own.get_or_init(own).as_deref() == Some(host)
    }
}

/// What a submission makes somebody look at.
pub fn in_value(names: &Names<'_>, known: &KnownHosts, kind: Kind, value: &Value) -> Vec<Doubt> {
    match kind {
        // Events carry no words of anybody's.
        Kind::Analytics => Vec::new(),
        _ => doubts::doubts(kind, value, names, |host| known.holds(host)),
    }
}

/// How many bytes of strings a value holds.
fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(length).sum(),
        Value::Object(fields) => fields.values().map(length).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
