//! `becivic retract`: takes something out of the public record for good.
//!
//! 1. Without --apply nothing changes: a copy of the history is rewritten, looked at, and thrown away.
//! 2. With --apply the copy takes the place of the history, after words that nobody types by chance.
//! 3. What is taken out is never shown, and never read from the command line, which others can see.

use crate::cmd::place::Place;
use crate::{Outcome, UsageError, say};
use anyhow::Context;
use becivic_server::app::{Role, database_url};
use becivic_server::moment::Clock;
use becivic_server::retraction::{Asked, Plan, Retraction};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// Take something out of the corpus and its history, for good
///
/// For personal data that was published in spite of everything. The history of the local repository is rewritten, rows of
/// the database are erased, an incident note is committed, and whoever keeps a copy is told to make it anew. Without
/// --apply it only says what would be touched. Stop `becivic serve` first.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic retract --text note.txt                  what holds the text in note.txt\n  becivic retract --text - < note.txt              the same, from standard input\n  becivic retract --path skills/x/research-report.md\n  becivic retract --uid amd-00003\n  becivic retract --text note.txt --apply --who anna\n\nExit codes: 0 done or rehearsed, 1 nothing holds it, 2 wrong usage, 3 could not run.",
    group = clap::ArgGroup::new("what").required(true).args(["text", "path", "uid"])
)]
pub struct Args {
    /// A file that holds the text to be taken out; - is standard input
    #[arg(long, value_name = "FILE")]
    text: Option<PathBuf>,
    /// A file or folder of the corpus, in every version
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// What was submitted under a public name, like con-00012, amd-00003 or drf-00001
    #[arg(long, value_name = "UID")]
    uid: Option<String>,
    /// Do it; without this it is only rehearsed
    #[arg(long, requires = "who")]
    apply: bool,
    /// Who does it, for the audit
    #[arg(long, value_name = "NAME")]
    who: Option<String>,
    /// The words that confirm it, instead of being asked for them
    #[arg(long, value_name = "WORDS")]
    confirm: Option<String>,
    /// Also where it stands in very many places
    #[arg(long)]
    yes_all: bool,
    /// Also where the corpus then breaks rules that it keeps now
    #[arg(long)]
    leave_broken: bool,
    /// Print what has to be done on GitHub besides
    #[arg(long)]
    github_plan: bool,
    #[command(flatten)]
    place: Place,
}

/// More files and rows than one person's words stand in.
const MOST_PLACES: u64 = 100;

/// Paths that are listed.
const MOST_LISTED: usize = 50;

/// The largest text, in bytes.
const MAX_TEXT: u64 = 1 << 20;

impl Args {
    /// Rehearses it, or does it.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let config = self.place.settings()?;
        let data = Path::new(&config.server.data);
        let url = match config.server.database.as_str() {
            "" => database_url("", data, Role::Chore)?,
            url => url.to_owned(),
        };
        let asked = self.asked()?;
        if let Some(wrong) = asked.wrong() {
            return Err(UsageError(wrong.to_owned()).into());
        }
        let retraction = Retraction::open(data, &url, &asked, Clock::System.now())?;
        let ended = self.carry_out(&retraction);
        match ended {
            Ok(Some(plan)) => {
                let id = retraction.id.clone();
                let who = self.who.clone().unwrap_or_default();
                let why = format!("{} was taken out", retraction.kind());
                retraction.apply(&plan, &who, &why)?;
                say::line(format_args!("Done. The incident note is docs/incidents/{id}.md."))?;
                say::line(
                    "Restart other processes on the same database: they take the rewritten history at their start. Backups made before hold the old one still.",
                )?;
                self.say_github(&id, &plan)?;
                Ok(Outcome::Fine)
            }
            Ok(None) => {
                retraction.discard()?;
                retraction.close();
                Ok(Outcome::Fine)
            }
            Err(error) => {
                retraction.discard()?;
                retraction.close();
                match error.downcast::<NothingThere>() {
                    Ok(NothingThere) => {
                        say::line("Nothing holds it: no file, message, pull request or row.")?;
                        Ok(Outcome::Findings)
                    }
                    Err(error) => Err(error),
                }
            }
        }
    }

    fn asked(&self) -> anyhow::Result<Asked> {
        if let Some(path) = &self.path {
            return Ok(Asked::Path(path.clone()));
        }
        if let Some(uid) = &self.uid {
            return Ok(Asked::Uid(uid.clone()));
        }
        let file = self.text.as_deref().unwrap_or(Path::new("-"));
        let mut bytes = Vec::new();
        let read = match file.as_os_str() == "-" {
            true => std::io::stdin()
                .take(MAX_TEXT + 1)
                .read_to_end(&mut bytes)
                .context("cannot read standard input"),
            false => std::fs::File::open(file)
                .and_then(|file| file.take(MAX_TEXT + 1).read_to_end(&mut bytes))
                .with_context(|| format!("cannot read {}", file.display())),
        };
        read?;
        let usage = |words: &str| UsageError(words.to_owned());
        if bytes.len() as u64 > MAX_TEXT {
            return Err(usage("the text is longer than a mebibyte").into());
        }
        Ok(Asked::Text(String::from_utf8(bytes).map_err(|_| usage("the text is not UTF-8"))?))
    }

    /// Rehearses, says what was found, and asks. The plan, when it is to be carried out.
    fn carry_out(&self, retraction: &Retraction) -> anyhow::Result<Option<Plan>> {
        let plan = retraction.rehearse()?;
        if plan.is_empty() {
            return Err(NothingThere.into());
        }
        show(retraction, &plan)?;
        let refusal = self.refusal(&plan);
        if !self.apply {
            if let Some(refusal) = refusal {
                say::line(format_args!("--apply would refuse: {refusal}"))?;
            }
            say::line(format_args!(
                "Nothing was changed. To do it: the same with --apply --who NAME, and confirm with: retract {}",
                retraction.id
            ))?;
            self.say_github(&retraction.id, &plan)?;
            return Ok(None);
        }
        if let Some(refusal) = refusal {
            return Err(UsageError(refusal).into());
        }
        let expected = format!("retract {}", retraction.id);
        let typed = match &self.confirm {
            Some(words) => words.clone(),
            None => {
                say::line(format_args!("This cannot be undone. Type `{expected}` to go on:"))?;
                let mut line = String::new();
                std::io::stdin().lock().read_line(&mut line)?;
                line
            }
        };
        if typed.trim() != expected {
            return Err(
                UsageError(format!("not confirmed; nothing was changed. The words are: {expected}")).into()
            );
        }
        Ok(Some(plan))
    }

    fn refusal(&self, plan: &Plan) -> Option<String> {
        if !plan.found.conflicts.is_empty() {
            return Some(format!(
                "later commits changed the same lines of {} files, so the change cannot be undone; name the text with --text, or the file with --path",
                plan.found.conflicts.len()
            ));
        }
        if plan.places() > MOST_PLACES && !self.yes_all {
            return Some(format!(
                "it stands in {} files and rows, which is more than one person's words do; choose a longer text, or say --yes-all",
                plan.places()
            ));
        }
        if !plan.broken.is_empty() && !self.leave_broken {
            let rules: Vec<&str> = plan.broken.iter().copied().collect();
            return Some(format!(
                "the corpus would break {}; choose the text so that files stay sound, take the file out with --path, or say --leave-broken and mend it afterwards",
                rules.join(", ")
            ));
        }
        None
    }

    fn say_github(&self, id: &str, plan: &Plan) -> anyhow::Result<()> {
        if !self.github_plan {
            return Ok(());
        }
        let pulls: Vec<&str> = plan
            .moved
            .iter()
            .chain(&plan.dropped)
            .filter_map(|name| name.strip_prefix("refs/pull/")?.strip_suffix("/head"))
            .collect();
        let pulls = if pulls.is_empty() { "none".to_owned() } else { pulls.join(", ") };
        say::text(&format!(
            "\nOn GitHub, after --apply here:\n\
             1. Settings > Branches: allow force pushes to main for yourself, and note that you did.\n\
             2. In the data folder: git -C corpus.git push --force GITHUB-ADDRESS refs/heads/main:refs/heads/main\n\
             3. Close the pull requests that hold it and delete their branches becivic/<number>. Ours are: {pulls}.\n\
             4. Settings > Branches: refuse force pushes again.\n\
             5. GitHub keeps what no branch names, and refs/pull/*/head cannot be pushed to. Ask GitHub Support to remove\n   \
                cached views, the old commits and these pull requests; the old commits are listed in docs/incidents/{id}.md.\n\
             6. Ask the owners of forks to delete them and fork again; Support can tell whether forks hold the commits.\n\
             7. Delete releases, build artefacts and caches of Actions that were made of the old commits.\n\
             8. Ask for an old commit by its name, as a page and with `git fetch GITHUB-ADDRESS <old commit>`: both must fail.\n"
        ))
    }
}

/// Nothing holds what was asked for.
#[derive(Debug)]
struct NothingThere;

impl std::fmt::Display for NothingThere {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("nothing holds it")
    }
}

impl std::error::Error for NothingThere {}

/// What would be touched: names and counts.
fn show(retraction: &Retraction, plan: &Plan) -> anyhow::Result<()> {
    let found = &plan.found;
    say::line(format_args!("Incident {}: {}", retraction.id, retraction.kind()))?;
    say::line(format_args!("  files: {} in {} versions", found.paths.len(), found.versions))?;
    for path in found.paths.iter().take(MOST_LISTED) {
        say::line(format_args!("    {}", retraction.shown(path)))?;
    }
    if found.paths.len() > MOST_LISTED {
        say::line(format_args!("    and {} more", found.paths.len() - MOST_LISTED))?;
    }
    say::line(format_args!("  messages of commits: {}", found.messages))?;
    say::line(format_args!("  commits with other names: {}", found.renamed.len()))?;
    if let Some((first, _)) = found.renamed.first() {
        say::line(format_args!("    from {first} on"))?;
    }
    let names = plan.moved.len() + plan.dropped.len();
    say::line(format_args!("  branches and pull requests: {names}"))?;
    for name in plan.moved.iter().chain(&plan.dropped).take(MOST_LISTED) {
        say::line(format_args!("    {name}"))?;
    }
    say::line(format_args!("  objects without a name: {}", plan.nameless))?;
    say::line(format_args!("  rows: {}", plan.rows.values().sum::<u64>()))?;
    for (table, count) in &plan.rows {
        say::line(format_args!("    {table}: {count}"))?;
    }
    Ok(())
}
