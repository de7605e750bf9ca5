//! `becivic verify`: does the transparency log say what is served, and did it ever say something else?

use crate::cmd::place::Place;
use crate::verify::Log;
use crate::verify::copy::Copy;
use crate::verify::memory::Memory;
use crate::verify::server::Server;
use crate::{Outcome, UsageError, say};
use anyhow::Context;
use becivic_core::log::{Audit, Checkpoint, Problem, Verifier, audit, hex};
use becivic_server::outward::{self, FOLLOWING};
use becivic_server::transparency::stored::{Statuses, Stored};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How often a log that grows while it is read is read again.
const TRIES: usize = 5;

/// Check the transparency log: nothing was changed, lost or forked, and every status follows from it
///
/// Reads the whole log of a server, of a copy of one (`--keep`), or of a data folder. The signature of the checkpoint, every tile and
/// every entry are checked; the entries are replayed, and the statuses they lead to are compared with what is served. The state that was
/// found good is remembered, and the next look finds a log that was rolled back or forked since.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic verify https://becivic.be                 a server\n  becivic verify https://becivic.be --keep copy     and keep a copy of its log\n  becivic verify copy                               the copy\n  becivic verify                                    the data folder here\n  becivic verify https://becivic.be --json          for programs\n\nThe first look takes the key that the server shows, and says so; give --key when you know it from elsewhere.\n\nExit codes: 0 all of it is so, 1 something is wrong, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// A server's address, a folder with a copy, or a data folder
    #[arg(value_name = "URL|DIR")]
    what: Option<String>,
    /// Believe this key and no other, as example.org/log+0a1b2c3d+AbCd…
    #[arg(long)]
    key: Option<String>,
    /// Keep a copy of everything that is read from a server in a folder
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Where the last state that was good is remembered
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// Neither use nor keep what is remembered
    #[arg(long, conflicts_with = "memory")]
    forget: bool,
    /// Leave the proofs out that each artefact comes with: one request each
    #[arg(long)]
    no_proofs: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

impl Args {
    /// Verifies.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let (mut log, name) = self.open()?;
        let file = match (&self.memory, self.forget) {
            (_, true) => None,
            (Some(file), false) => Some(file.clone()),
            (None, false) => Memory::file(&name),
        };
        if file.is_none() && !self.forget {
            eprintln!("nothing is remembered: there is no folder for it; name a file with --memory");
        }
        let remembered = file.as_deref().map(Memory::read).transpose()?.flatten();
        let (key, trust) = self.key(&mut log, remembered.as_ref())?;
        log.keep_key(&key)?;
        let seen = remembered.as_ref().map(Memory::known).transpose()?.map(|(_, checkpoint)| checkpoint);
        let found = self.look(&mut log, &key, seen.as_ref())?;
        if let (Some(file), true) = (&file, found.problems.is_empty()) {
            let memory = Memory { place: name.clone(), key: key.to_string(), checkpoint: found.note.clone() };
            memory.write(file)?;
        }
        let verdict = Verdict { place: &name, key: &key, trust, seen: seen.as_ref(), found: &found };
        if self.json {
            say::json(&verdict.as_json())?
        } else {
            verdict.tell()?
        }
        Ok(if found.problems.is_empty() { Outcome::Fine } else { Outcome::Findings })
    }

    fn open(&self) -> anyhow::Result<(Log, String)> {
        let named = self.what.clone();
        if let Some(address) =
            named.as_ref().filter(|it| it.starts_with("http://") || it.starts_with("https://"))
        {
            if self.place.is_named() {
                let help = "--data, --database and --config name a data folder, and this is a server; leave them out";
                return Err(UsageError(help.to_owned()).into());
            }
            let name = address.trim_end_matches('/').to_owned();
            outward::check_server(&name).map_err(|error| UsageError(error.to_string()))?;
            if let Some(folder) = self.keep.as_ref().filter(|it| it.join("corpus.git").exists()) {
                let help =
                    format!("{} is a data folder; keep the copy in a folder of its own", folder.display());
                return Err(UsageError(help).into());
            }
            return Ok((Log::Server(Server::new(address, self.keep.clone())?), name));
        }
        if self.keep.is_some() {
            return Err(UsageError(
                "--keep copies what a server shows; name one, as https://becivic.be".to_owned(),
            )
            .into());
        }
        let mut config = self.place.settings()?;
        if let Some(folder) = named {
            if Copy::is_in(Path::new(&folder)) {
                if self.place.is_named() {
                    let help = "--data, --database and --config name a data folder, and this is a copy; leave them out";
                    return Err(UsageError(help.to_owned()).into());
                }
                let name = full(&folder);
                return Ok((Log::Copy(Copy(PathBuf::from(folder))), name));
            }
            if !Path::new(&folder).exists() {
                let help =
                    format!("there is no {folder}; name a server as https://HOST, a copy or a data folder");
                return Err(UsageError(help).into());
            }
            let here = Path::new(&folder).join("corpus.git").exists();
            if !here {
                let help = format!(
                    "{folder} holds neither a log (log/checkpoint) nor what is served (corpus.git); name a server as https://HOST, a copy or a data folder"
                );
                return Err(UsageError(help).into());
            }
            config.server.data = folder;
        }
        let name = full(&config.server.data);
        Ok((Log::Stored(Box::new(Stored::open(&config)?)), name))
    }

    /// The key to believe, and why.
    fn key(&self, log: &mut Log, remembered: Option<&Memory>) -> anyhow::Result<(Verifier, &'static str)> {
        if let Some(text) = &self.key {
            let key = Verifier::read(text).map_err(|error| UsageError(format!("--key: {error}")))?;
            let other = remembered.filter(|memory| memory.key != key.to_string());
            if let Some(memory) = other {
                return Err(UsageError(format!(
                    "another key is remembered for this log: {}; if it was replaced for a good reason, begin anew with another --memory FILE",
                    memory.key
                ))
                .into());
            }
            return Ok((key, "given"));
        }
        match remembered {
            Some(memory) => Ok((memory.known()?.0, "remembered")),
            None => Ok((log.key()?, "shown by the log itself, for the first time")),
        }
    }

    fn look(&self, log: &mut Log, key: &Verifier, seen: Option<&Checkpoint>) -> anyhow::Result<Found> {
        let mut tries = 0;
        loop {
            tries += 1;
            let note = match (log.checkpoint(), &log) {
                (Ok(note), _) => note,
                // What lies here is broken, and that is what was asked.
                (Err(why), Log::Stored(_)) => return Ok(Found::broken(&why)),
                (Err(why), Log::Server(_) | Log::Copy(_)) => return Err(why),
            };
            let size = Checkpoint::open(&note, key).map_or(0, |it| it.size);
            let bar = progress(size, self.json);
            let mut found = audit(log, &note, key, seen, |read| bar.set_position(read))?;
            bar.finish_and_clear();
            if found.checkpoint.is_none() {
                return Ok(Found::new(note, &found, 0, Proofs::default()));
            }
            let Some((served, after)) = unless_wrong(served(log), &found)? else {
                return Ok(Found::new(note, &found, 0, Proofs::default()));
            };
            let before = found.problems.len();
            found.compare(&served);
            let differs = found.problems.len() > before;
            // What is served moved on while it was read, or another process has yet to follow.
            if (after != note || differs) && before == 0 && tries < TRIES {
                if after == note {
                    std::thread::sleep(FOLLOWING);
                }
                continue;
            }
            if let Log::Stored(stored) = log
                && let Err(why) = stored.fits()
            {
                found.problems.push(Problem::Unfit { why: format!("{why:#}") });
            }
            let proofs = if self.no_proofs { Proofs::default() } else { self.proofs(log, key, &mut found)? };
            return Ok(Found::new(note, &found, served.len(), proofs));
        }
    }

    /// Checks the proof that each artefact comes with, and that the artefact says what it is a proof of.
    fn proofs(&self, log: &mut Log, key: &Verifier, found: &mut Audit) -> anyhow::Result<Proofs> {
        let mut proofs = Proofs::default();
        if !matches!(log, Log::Server(_)) {
            return Ok(proofs);
        }
        let artefacts: Vec<String> = found.replay.artefacts().keys().cloned().collect();
        let bar = progress(artefacts.len() as u64, self.json);
        let mut tries = 1;
        for artefact in &artefacts {
            let before = found.problems.len();
            let compared = compare(log, artefact, key, found);
            let Some(mut is_compared) = unless_wrong(compared, found)? else { break };
            // It may have moved between one request and the next.
            if found.problems.len() > before && tries < TRIES {
                tries += 1;
                std::thread::sleep(FOLLOWING);
                found.problems.truncate(before);
                let compared = compare(log, artefact, key, found);
                let Some(again) = unless_wrong(compared, found)? else { break };
                is_compared = again;
            }
            proofs.checked += 1;
            proofs.contents += usize::from(is_compared);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(proofs)
    }
}

/// What is served, and the signed state after it was read.
fn served(log: &mut Log) -> anyhow::Result<(Statuses, String)> {
    Ok((log.served()?, log.checkpoint()?))
}

/// What was read; nothing where it could not be and something is known to be wrong already: that is not lost by it.
fn unless_wrong<T>(read: anyhow::Result<T>, found: &Audit) -> anyhow::Result<Option<T>> {
    match read {
        Err(why) if !found.problems.is_empty() => {
            eprintln!("not everything could be read: {why:#}");
            Ok(None)
        }
        read => read.map(Some),
    }
}

/// Checks one artefact; says whether its content could be compared.
fn compare(log: &mut Log, artefact: &str, key: &Verifier, found: &mut Audit) -> anyhow::Result<bool> {
    let told = log.told(artefact).with_context(|| format!("the proof of {artefact}"))?;
    let why = match told.map(|told| (told.carried, told.content)) {
        Some((Ok(carried), content)) => {
            return Ok(found.compare_proof(artefact, &carried, content.as_ref(), key));
        }
        Some((Err(why), _)) => Problem::Unproven { artefact: artefact.to_owned(), why: why.to_string() },
        None => Problem::WithoutProof { artefact: artefact.to_owned() },
    };
    found.problems.push(why);
    Ok(false)
}

/// How many were checked.
#[derive(Clone, Copy, Default)]
struct Proofs {
    checked: usize,
    /// Of how many of them the content could be compared.
    contents: usize,
}

fn full(folder: &str) -> String {
    std::fs::canonicalize(folder).map_or_else(|_| folder.to_owned(), |path| path.display().to_string())
}

fn progress(all: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} entries");
    ProgressBar::new(all).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// What was found.
struct Found {
    note: String,
    checkpoint: Option<Checkpoint>,
    problems: Vec<Problem>,
    artefacts: usize,
    proofs: Proofs,
    by_hand: usize,
}

impl Found {
    fn broken(why: &anyhow::Error) -> Self {
        let problems = vec![Problem::BadCheckpoint { why: format!("{why:#}") }];
        Self {
            note: String::new(),
            checkpoint: None,
            problems,
            artefacts: 0,
            proofs: Proofs::default(),
            by_hand: 0,
        }
    }

    fn new(note: String, found: &Audit, artefacts: usize, proofs: Proofs) -> Self {
        let (checkpoint, problems) = (found.checkpoint.clone(), found.problems.clone());
        Self { note, checkpoint, problems, artefacts, proofs, by_hand: found.replay.by_hand() }
    }
}

/// What is said of it.
struct Verdict<'a> {
    place: &'a str,
    key: &'a Verifier,
    trust: &'static str,
    seen: Option<&'a Checkpoint>,
    found: &'a Found,
}

impl Verdict<'_> {
    fn as_json(&self) -> Value {
        let Found { checkpoint, problems, artefacts, proofs, by_hand, .. } = self.found;
        let told = |problem: &Problem| {
            let mut told = serde_json::to_value(problem).unwrap_or_default();
            told["message"] = Value::from(problem.to_string());
            told
        };
        json!({
            "verdict": if problems.is_empty() { "good" } else { "bad" },
            "place": self.place,
            "key": self.key.to_string(),
            "key_is": self.trust,
            "size": checkpoint.as_ref().map(|it| it.size),
            "root": checkpoint.as_ref().map(|it| hex(&it.root)),
            "seen_size": self.seen.map(|it| it.size),
            "artefacts": artefacts,
            "proofs": proofs.checked,
            "contents": proofs.contents,
            "by_hand": by_hand,
            "problems": problems.iter().map(told).collect::<Vec<_>>(),
        })
    }

    fn tell(&self) -> anyhow::Result<()> {
        let Found { checkpoint, problems, artefacts, proofs, by_hand, .. } = self.found;
        say::line(format_args!("log       {} ({})", self.key.name(), self.place))?;
        say::line(format_args!("key       {} ({})", self.key, self.trust))?;
        if let Some(it) = checkpoint {
            say::line(format_args!("state     {} entries, root {}", it.size, hex(&it.root)))?;
            match self.seen {
                Some(seen) => say::line(format_args!("history   seen before with {} entries", seen.size))?,
                None => say::line("history   seen for the first time")?,
            }
            say::line(format_args!(
                "served    {artefacts} artefacts compared; {by_hand} beta or stable without votes, by a maintainer's word or as the log began"
            ))?;
            match proofs {
                Proofs { checked: 0, .. } => {
                    say::line("proofs    not looked at: only servers give them, and contents with them")?;
                }
                Proofs { checked, contents } => say::line(format_args!(
                    "proofs    {checked} checked; {contents} contents compared with their digests, {} could not be",
                    checked - contents
                ))?,
            }
        }
        for problem in problems {
            say::line(format_args!("WRONG     {problem}"))?;
        }
        match problems.len() {
            0 => say::line("verdict   good: the log is whole, and every status follows from it"),
            1 => say::line("verdict   bad: 1 problem"),
            many => say::line(format_args!("verdict   bad: {many} problems")),
        }
    }
}
