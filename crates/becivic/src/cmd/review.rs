//! `becivic review`: what waits for a maintainer, and what a maintainer does about it. The pages under `/review` do the same.

mod print;

use crate::cmd::place;
use crate::{Outcome, UsageError, say};
use anyhow::Context;
use becivic_core::path::SourceClass;
use becivic_server::app::App;
use becivic_server::review::artefacts::Target;
use becivic_server::review::triage::State;
use becivic_server::review::{self, Action, By, Refused, items};
use clap::Subcommand;
use std::future::Future;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// Look at what waits for a maintainer, and decide on it
///
/// Drafts wait for somebody to merge or refuse them, held submissions to be released or discarded, flagged artefacts to be
/// reinstated or put away, messages to be read. Everything that is done is written to a log that only grows: who, what, when
/// and why. It may run beside a server on the same data folder; `/review` on that server is the same desk as pages.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic review list                                       what waits\n  becivic review show 12                                    a draft, as it would be\n  becivic review merge 12 --why \"checked against the law\"\n  becivic review discard con_019a… --why \"names a person\"\n  becivic review reinstate skill:arrival-declaration-at-commune --bogus --why \"quotes the law\"\n  becivic review triage 8f00b204e9800998 done\n  becivic review log                                        what was done\n\nExit codes: 0 done, 2 there is no such thing or it was asked wrongly, 3 could not be done."
)]
pub struct Args {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    place: Acting,
}

/// Where everything lies, and who acts.
#[derive(clap::Args)]
pub struct Acting {
    #[command(flatten)]
    place: place::Place,
    /// The name of the operator token that the log names you by
    #[arg(long = "as", value_name = "NAME", default_value = "first", global = true)]
    who: String,
}

impl Acting {
    /// Opens everything, also beside a running server.
    pub fn open(&self) -> anyhow::Result<Arc<App>> {
        self.place.open()
    }

    /// Who acts, and why.
    pub fn by(&self, app: &App, why: &str, needs_reason: bool) -> Result<By, Refused> {
        By::new(app, &self.who, why, needs_reason)
    }
}

/// The reason of what is done.
#[derive(clap::Args)]
struct Why {
    /// Why, in a line for the log: nothing of the submission, and nobody's name
    #[arg(long, value_name = "TEXT")]
    why: String,
}

/// As it is printed.
#[derive(clap::Args)]
struct Format {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum What {
    /// List what waits
    List(Format),
    /// Show one thing: a pull request's number, the id of a held submission, a review item, an artefact or a message
    Show {
        /// Its number, id or name, as `list` shows it
        name: String,
        #[command(flatten)]
        format: Format,
    },
    /// Merge a draft: the commit job makes it anew against main, checks it and merges it
    Merge {
        /// The number of its pull request
        number: i64,
        #[command(flatten)]
        why: Why,
    },
    /// Refuse a draft: its text is erased and its pull request closed
    Reject {
        /// The number of its pull request
        number: i64,
        #[command(flatten)]
        why: Why,
    },
    /// Let a held submission go on
    Release {
        /// Its id
        id: String,
        #[command(flatten)]
        why: Why,
    },
    /// Let a held submission go on with an edited text, which passes every check again
    EditAndRelease {
        /// Its id
        id: String,
        /// The whole submission as JSON; `-` reads standard input. `show --json` prints it as it is
        #[arg(long, value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        why: Why,
    },
    /// Throw a held submission away; its text is erased
    Discard {
        /// Its id
        id: String,
        #[command(flatten)]
        why: Why,
    },
    /// Bring an artefact back, or dismiss a flag on it
    Reinstate {
        /// skill:ID, path:ID, val-NNNNN, ref-NNNNN, con-NNNNN, or a review item
        target: String,
        /// The flag was raised against better knowledge: its sender can raise fewer
        #[arg(long)]
        bogus: bool,
        #[command(flatten)]
        why: Why,
    },
    /// Withdraw a skill or a path that is no longer right
    Deprecate {
        /// skill:ID, path:ID, or a review item
        target: String,
        #[command(flatten)]
        why: Why,
    },
    /// Take an artefact from every reader
    Quarantine {
        /// skill:ID, path:ID, val-NNNNN, ref-NNNNN, con-NNNNN, or a review item
        target: String,
        #[command(flatten)]
        why: Why,
    },
    /// Ask for every source of a class to be confirmed again, when an authority has changed its portal
    Revalidate {
        /// The class, as `source_class` in the Path Directory names it
        #[arg(long, value_name = "CLASS")]
        source_class: String,
        #[command(flatten)]
        why: Why,
    },
    /// Note what became of a message
    Triage {
        /// The message
        message: String,
        /// new, seen, done or spam
        state: String,
        /// Why, in a line for the log
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        why: String,
    },
    /// Show what was done
    Log(Format),
}

impl Args {
    /// Does what was asked.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let app = self.place.open()?;
        let outcome = self.what.run(&app, &self.place);
        app.db.close();
        outcome
    }
}

impl What {
    fn run(self, app: &Arc<App>, place: &Acting) -> anyhow::Result<Outcome> {
        let (action, why) = match self {
            Self::List(format) => return print::list(app, format.json),
            Self::Show { name, format } => return print::show(app, &name, format.json),
            Self::Log(format) => return print::log(app, format.json),
            Self::Merge { number, why } => (Action::Merge { number }, why.why),
            Self::Reject { number, why } => (Action::Reject { number }, why.why),
            Self::Release { id, why } => (Action::Release { id }, why.why),
            Self::EditAndRelease { id, file, why } => {
                (Action::EditAndRelease { id, edited: read(&file)? }, why.why)
            }
            Self::Discard { id, why } => (Action::Discard { id }, why.why),
            Self::Reinstate { target, bogus, why } => {
                (Action::Reinstate { target: find(app, &target)?, bogus }, why.why)
            }
            Self::Deprecate { target, why } => (Action::Deprecate { target: find(app, &target)? }, why.why),
            Self::Quarantine { target, why } => (Action::Quarantine { target: find(app, &target)? }, why.why),
            Self::Revalidate { source_class, why } => {
                (Action::Revalidate { class: class(&source_class)? }, why.why)
            }
            Self::Triage { message, state, why } => {
                let unknown = || UsageError("a message is new, seen, done or spam".to_owned());
                let state = State::named(&state).ok_or_else(unknown)?;
                (Action::Triage { handle: message, state }, why)
            }
        };
        let by = place.by(app, &why, action.needs_reason()).map_err(refused)?;
        let done = wait(review::act(app, by, action))?;
        say::line(done.text)?;
        Ok(Outcome::Fine)
    }
}

/// The class of sources of a name.
fn class(name: &str) -> anyhow::Result<SourceClass> {
    let unknown = || {
        let classes: Vec<&str> = SourceClass::ALL.iter().map(|class| class.as_str()).collect();
        UsageError(format!("there is no such source class; there are {}", classes.join(", ")))
    };
    Ok(SourceClass::named(name).ok_or_else(unknown)?)
}

/// The artefact of a name, or of a review item.
fn find(app: &App, text: &str) -> anyhow::Result<Target> {
    if text.starts_with("rev-") {
        return wait(items::target_of(app, text));
    }
    let unknown = || UsageError("an artefact is named as skill:ID, path:ID or con-NNNNN".to_owned());
    Ok(Target::read(text).ok_or_else(unknown)?)
}

fn read(file: &std::path::Path) -> anyhow::Result<String> {
    let mut text = String::new();
    if file.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        return Ok(text);
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Waits for the library, and says its refusals as a command does.
pub fn wait<T>(work: impl Future<Output = Result<T, Refused>>) -> anyhow::Result<T> {
    review::now(work)?.map_err(refused)
}

/// A refusal as a command says it.
pub fn refused(refused: Refused) -> anyhow::Error {
    match refused {
        Refused::Missing(text) | Refused::Invalid(text) => UsageError(text).into(),
        Refused::Conflict(_) | Refused::Unavailable => anyhow::anyhow!("{refused}"),
    }
}
