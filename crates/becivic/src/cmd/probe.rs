//! `becivic probe`: asks the sources of paths whether they are still there.

use crate::cmd::place::{Place, turn};
use crate::{Outcome, say};
use becivic_server::jobs::commit::Mode;
use becivic_server::probe::{self, Ask, Became, Network};
use indicatif::{ProgressBar, ProgressStyle};

/// Ask the sources of paths whether they are still there
///
/// Sends requests to the sites that the merged paths name: at most the head and the page of each source's address, no cookie, no
/// form, no login, as `robots.txt` allows and with a pause between two requests to one site. A source whose use delivers a real
/// document is never asked, also when it is named. What a source's own signals say of the answer is recorded as a probe's
/// verdict.
///
/// A running `becivic serve` does this by itself where the setting `probes.enabled` says so. This command is a request of its own: it
/// asks also where the schedule is off. Without --path it asks what was not asked within `every`. It may run beside a server on
/// the same data folder: only one process asks at a time.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic probe --dry-run --data /srv/becivic     say what would be asked, ask nobody\n  becivic probe --path birth-certificate          ask the sources of one path, now\n  becivic probe --path birth-certificate:irisbox  ask one source\n\nExit codes: 0 fine, 1 a source is broken or gave no answer, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// Say which sources would be asked; ask nobody and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Only this path, or one source of it; also when it was asked not long ago
    #[arg(long, value_name = "ID[:SOURCE]")]
    path: Option<String>,
    #[command(flatten)]
    place: Place,
}

impl Args {
    /// Asks what is due, or what is named.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let app = self.place.open()?;
        let lease = turn(&app, probe::NAME)?;
        let mode = if self.dry_run { Mode::Try } else { Mode::Carry };
        // Nothing is drawn where nobody would see it.
        let bar = ProgressBar::new_spinner();
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner()),
        );
        bar.set_message("asking");
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        let mut printed = Ok(());
        let mut tell = |told: &probe::Told, left: usize| {
            bar.set_message(format!("{left} sources still to be asked"));
            // What was asked not long ago is counted below; a line for each would hide the others.
            if told.became != Became::Recent && printed.is_ok() {
                let line = format!("{}:{}  {}", told.path_id, told.source_id, told.became);
                printed = bar.suspend(|| say::line(line));
            }
        };
        let ask = Ask { mode, only: self.path.as_deref() };
        let ended = probe::run_over(&app, &lease, ask, &Network::public(), &mut tell);
        bar.finish_and_clear();
        lease.give_back(if ended.is_ok() { "well" } else { "failed" });
        app.db.close();
        let summary = ended?;
        printed?;
        say::line(&summary)?;
        Ok(if summary.rejected + summary.unanswered > 0 { Outcome::Findings } else { Outcome::Fine })
    }
}
