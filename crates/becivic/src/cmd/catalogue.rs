//! `becivic catalogue`: what maintainers do to entries of the catalogue.

use crate::cmd::review::{Acting, refused, wait};
use crate::{Outcome, say};
use becivic_server::review::rename;
use clap::Subcommand;

/// Change entries of the catalogue
///
/// The uid of a value or a reference never changes; its name may. Everything that cites it by name is rewritten in one pull
/// request, and the entry is renamed when that is merged.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic catalogue rename ref-00002 ibz-arrival-page --why \"the office has another name\"\n  becivic catalogue rename val-00001 commune-card-fee --dry-run"
)]
pub struct Args {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    place: Acting,
}

#[derive(Subcommand)]
enum What {
    /// Give an entry another name
    Rename {
        /// val-NNNNN or ref-NNNNN
        uid: String,
        /// The new name: small letters and digits with single hyphens between them
        name: String,
        /// Why, in a line for the log
        #[arg(long, value_name = "TEXT", required_unless_present = "dry_run")]
        why: Option<String>,
        /// Say which files would change, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}

impl Args {
    /// Does what was asked.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let app = self.place.open()?;
        let What::Rename { uid, name, why, dry_run } = self.what;
        let outcome = if dry_run {
            wait(rename::plan(&app, &uid, &name)).and_then(|it| {
                say::line(format_args!("{} is called {} now.", it.uid, it.old))?;
                it.files.keys().try_for_each(|file| say::line(format_args!("would change {file}")))
            })
        } else {
            let by = self.place.by(&app, why.as_deref().unwrap_or_default(), true).map_err(refused);
            by.and_then(|by| wait(rename::rename(&app, by, &uid, &name)))
                .and_then(|done| say::line(done.text))
        };
        app.db.close();
        outcome.map(|()| Outcome::Fine)
    }
}
