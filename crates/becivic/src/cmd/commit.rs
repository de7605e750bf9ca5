//! `becivic commit`: what is due leaves staging now.

use crate::cmd::place::{Place, turn};
use crate::{Outcome, say};
use becivic_server::jobs::commit::{self, Mode};

/// Commit what is due, now
///
/// A running `becivic serve` does this by itself every five minutes. Concerns, feedback, ratings and corrections of values and
/// references become rows; amendments of skills and paths become commits on main when every rule passes; drafts become pull
/// requests that wait for a maintainer (`becivic review`). What fails stays and is tried again. It may run beside a server on
/// the same data folder: only one process commits at a time.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic commit --data /srv/becivic\n  becivic commit --dry-run    say what would happen, change nothing\n\nExit codes: 0 fine, 1 something failed and will be tried again, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// Say what would happen and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    place: Place,
}

impl Args {
    /// Commits what is due.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let app = self.place.open()?;
        let lease = turn(&app, commit::NAME)?;
        let mode = if self.dry_run { Mode::Try } else { Mode::Carry };
        let ended = commit::run(&app, &lease, mode);
        lease.give_back(if ended.is_ok() { "well" } else { "failed" });
        app.db.close();
        let summary = ended?;
        let would = if self.dry_run { "would be: " } else { "" };
        say::line(format_args!("{would}{summary}"))?;
        Ok(if summary.failed > 0 { Outcome::Findings } else { Outcome::Fine })
    }
}
