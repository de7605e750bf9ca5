//! `becivic tick`: the state machine looks now, or says why an artefact is where it is.

use crate::cmd::place::{Place, turn};
use crate::{Outcome, UsageError, say};
use becivic_server::app::App;
use becivic_server::consensus;
use becivic_server::jobs::tick::explain::{Explanation, explain_now};
use becivic_server::jobs::tick::{self, End, Mode, recount};
use becivic_server::moment::Moment;
use becivic_server::review::artefacts::Target;

/// Promote, roll back and quarantine by what validations say, now
///
/// A running `becivic serve` does this by itself every five minutes. Only artefacts whose time has come are looked at: somebody
/// voted, main moved, or an age was reached. Values and references are changed in the database; skills and paths with one pull
/// request each. It may run beside a server on the same data folder: only one process ticks at a time,
/// and the other waits for it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic tick --data /srv/becivic\n  becivic tick --dry-run                         say what would happen, change nothing\n  becivic tick --explain skill:arrival-declaration-at-commune    why it is where it is, and what is missing\n  becivic tick --policy                          the thresholds that apply\n  becivic tick --recount                         count every tally again from its verdicts\n\nExit codes: 0 fine, 1 something failed and will be tried again, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// Say what would happen and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Say why an artefact is where it is: skill:ID, path:ID, val-NNNNN, ref-NNNNN
    #[arg(long, value_name = "ID", conflicts_with_all = ["dry_run", "recount", "policy"])]
    explain: Option<String>,
    /// Count every tally again from its verdicts first
    #[arg(long, conflicts_with_all = ["dry_run", "policy"])]
    recount: bool,
    /// Show the thresholds that apply
    #[arg(long)]
    policy: bool,
    #[command(flatten)]
    place: Place,
}

impl Args {
    /// Ticks.
    pub fn run(self) -> anyhow::Result<Outcome> {
        if self.policy {
            let policy = consensus::policy(&self.place.settings()?.consensus);
            say::line(format_args!("policy {}", policy.version()))?;
            for row in policy.rows() {
                let changed = if row.value == row.default { "" } else { " (changed)" };
                say::line(format_args!("{:<24} {:>6}{changed}  {}", row.name, row.value, row.means))?;
            }
            return Ok(Outcome::Fine);
        }
        let app = self.place.open()?;
        let ended = match &self.explain {
            Some(id) => explain(&app, id),
            None => work(&app, self.dry_run, self.recount),
        };
        app.db.close();
        ended
    }
}

fn work(app: &App, dry_run: bool, recounts: bool) -> anyhow::Result<Outcome> {
    let lease = turn(app, tick::NAME)?;
    let mode = if dry_run { Mode::Try } else { Mode::Carry };
    let healed = if recounts { recount::everything(app, app.clock.now()) } else { Ok(0) };
    let ended = healed.and_then(|healed| {
        let mut summary = tick::run(app, &lease, mode)?;
        summary.healed += healed;
        Ok(summary)
    });
    lease.give_back(if ended.is_ok() { "well" } else { "failed" });
    let summary = ended?;
    for line in &summary.lines {
        say::line(line)?;
    }
    let would = if dry_run { "would be: " } else { "" };
    say::line(format_args!("{would}{summary}"))?;
    Ok(if summary.of(End::Failed) > 0 { Outcome::Findings } else { Outcome::Fine })
}

fn explain(app: &App, id: &str) -> anyhow::Result<Outcome> {
    let unnamed = || {
        UsageError(format!("`{id}` names no artefact; name one as skill:ID, path:ID, val-NNNNN or ref-NNNNN"))
    };
    let target = Target::read(id).ok_or_else(unnamed)?;
    let found = explain_now(app, target.kind.as_str(), &target.id)?;
    let Explanation { standing, looked, transitions } =
        found.ok_or_else(|| UsageError(format!("there is no {target} in this corpus")))?;
    let version = if standing.version.is_empty() { String::new() } else { format!(" {}", standing.version) };
    let status = standing.served().map_or_else(|| standing.status.clone(), |status| status.to_string());
    say::line(format_args!(
        "{target} is {status}{version}, in its cohort since {}",
        standing.started_at.date()
    ))?;
    match &looked {
        Some(looked) => say::line(looked.decision.explain())?,
        None => say::line("It has no status that validations could change.")?,
    }
    for it in &transitions {
        say::line(format_args!(
            "{}  {} to {}, by {} under policy {}: {}",
            Moment(it.day).date(),
            if it.from_status.is_empty() { "nothing" } else { &it.from_status },
            it.to_status,
            it.rule,
            if it.policy.is_empty() { "none" } else { &it.policy },
            it.numbers
        ))?;
    }
    Ok(Outcome::Fine)
}
