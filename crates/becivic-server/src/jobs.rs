//! What happens without anybody asking, each also a command.
//!
//! 1. Every second a process looks whether `main` has moved ([`follow`]): another process committed, or a maintainer pushed.
//! 2. When the commit job is due, whoever takes its lease runs it ([`commit`]). A lease that its holder let expire is taken
//!    by the next who looks, so that a dead process is followed within seconds.

pub mod commit;
pub mod follow;
mod lease;
mod steps;

pub use lease::Lease;

use crate::app::App;
use crate::db::jobs;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How often a process looks.
const LOOK: Duration = Duration::from_secs(1);

/// Runs until it is stopped.
pub async fn run(app: Arc<App>) {
    let look = LOOK.min(app.config.jobs.commit_every);
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
    let now = app.clock.now();
    let every = i64::try_from(app.config.jobs.commit_every.as_millis()).unwrap_or(i64::MAX);
    let is_due = app.db.write_now(move |tx| jobs::is_due(tx, commit::NAME, every, now))?;
    if !is_due && !was_pushed(app)? {
        return Ok(());
    }
    let Some(lease) = Lease::take(app, commit::NAME)? else { return Ok(()) };
    let ended = commit::run(app, &lease, commit::Mode::Carry);
    let outcome = match &ended {
        Ok(_) => "well",
        Err(_) => "failed",
    };
    lease.give_back(outcome);
    ended.map(drop)
}
