//! What happens without anybody asking, each also a command.
//!
//! 1. Every second a process looks whether `main` has moved ([`follow`]): another process committed, or a maintainer pushed; and
//!    whether a maintainer did something that its pages do not show yet.
//! 2. When a job is due, whoever takes its lease runs it: what leaves staging ([`commit`]), what artefacts are promoted to
//!    or put away for ([`tick`]), how much of everything there is ([`mod@activity`]). A lease that its holder let expire is taken
//!    by the next who looks, so that a dead process is followed within seconds.

pub mod activity;
pub mod change;
pub mod commit;
pub mod follow;
mod lease;
pub mod merge;
pub mod steps;
pub mod tick;

pub use lease::Lease;

use crate::app::App;
use crate::db::{audit, jobs, standings};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How often a process looks.
const LOOK: Duration = Duration::from_secs(1);

/// Runs until it is stopped.
pub async fn run(app: Arc<App>) {
    let look = LOOK.min(app.config.jobs.commit_every).min(app.config.jobs.tick_every);
    while !app.stopping.load(Ordering::Acquire) {
        // Whoever has something to be done at once does not wait for the next look.
        let _either = tokio::time::timeout(look, app.wake.notified()).await;
        let app = Arc::clone(&app);
        let looked = tokio::task::spawn_blocking(move || look_once(&app)).await;
        match looked {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(error = %error, "a job did not end well"),
            Err(_) => tracing::error!("a job panicked"),
        }
    }
}

/// Whether somebody pushed what nobody has looked at yet.
fn was_pushed(app: &App) -> anyhow::Result<bool> {
    let head = app.repository.head()?.sha;
    let refused = app.refused_push.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(head != app.live.load().commit && head != *refused)
}

fn look_once(app: &App) -> anyhow::Result<()> {
    if app.stopping.load(Ordering::Acquire) {
        return Ok(());
    }
    follow::catch_up(app)?;
    let (withheld, newest) = app.db.read_now(|tx| Ok((standings::withheld(tx)?, audit::newest(tx)?)))?;
    app.look_at_deeds(newest);
    let waits = !withheld.is_empty();
    app.look_at_withheld(withheld);
    let committed = if is_due(app, commit::NAME, app.config.jobs.commit_every)? || was_pushed(app)? {
        leased(app, commit::NAME, |lease| commit::run(app, lease, commit::Mode::Carry).map(drop))
    } else {
        Ok(())
    };
    // What a flag has put away is not left in its file until the next turn.
    if waits || is_due(app, tick::NAME, app.config.jobs.tick_every)? {
        leased(app, tick::NAME, |lease| tick::run(app, lease, tick::Mode::Carry).map(drop))?;
    }
    if is_due(app, activity::NAME, activity::EVERY)? {
        leased(app, activity::NAME, |_| activity::run(app))?;
    }
    committed
}

fn is_due(app: &App, job: &'static str, every: Duration) -> anyhow::Result<bool> {
    let (now, every) = (app.clock.now(), i64::try_from(every.as_millis()).unwrap_or(i64::MAX));
    Ok(app.db.read_now(move |tx| jobs::is_due(tx, job, every, now))?)
}

/// Runs a job, unless somebody else does.
fn leased(
    app: &App,
    job: &'static str,
    run: impl FnOnce(&Lease) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Some(lease) = Lease::take(app, job)? else { return Ok(()) };
    let ended = run(&lease);
    lease.give_back(if ended.is_ok() { "well" } else { "failed" });
    ended
}
