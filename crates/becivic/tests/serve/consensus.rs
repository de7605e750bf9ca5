//! The state machine, driven over HTTP: what people say of an artefact makes it beta and stable, takes it back, puts it away and
//! lets a maintainer bring it back.
//!
//! Skills and paths live in Git (`consensus/files.rs`), values and references in the catalogue (`consensus/rows.rs`); what a
//! change of text carries over (`consensus/carried.rs`), the edges of every rule (`consensus/boundaries.rs`), settings that are off by
//! default (`consensus/alternatives.rs`), what somebody did
//! by hand (`consensus/by_hand.rs`), two processes at once (`consensus/together.rs`), and anything in any order
//! (`consensus/play.rs`).

mod alternatives;
mod boundaries;
mod by_hand;
mod carried;
mod files;
mod play;
mod rows;
mod together;

use crate::commit::{quick, repository, until};
use crate::harness::{Place, Reply, Server, Setup, make};
use becivic_server::db::standings::{self, Standing};
use becivic_server::db::transitions::{self, Transition};
use becivic_server::db::{Tx, flags};
use becivic_server::moment::Moment;
use serde_json::{Value, json};
use std::process::Command;

/// Type and id of an artefact.
pub type Target = (&'static str, &'static str);

/// A server that commits and ticks all the time, and in which nothing has to be of any age.
pub fn setup() -> Setup {
    quick()
        .with("STAGING__WINDOW", "100ms")
        .with("JOBS__TICK_EVERY", "100ms")
        .with("CONSENSUS__BETA_AGE", "0s")
        .with("CONSENSUS__STABLE_AGE", "0s")
}

/// The address of a voter.
pub fn voter(number: usize) -> String {
    format!("198.51.100.{number}")
}

/// A verdict; one on a source says how it went.
pub fn ballot((target_type, id): (&str, &str), verdict: &str) -> Value {
    let mut value = make::validation(target_type, id, verdict);
    let class = match id.split_once(':').map(|(_, source)| source) {
        Some("commune-desk") => "offline",
        Some("irisbox-quicklink") => "brussels-tier1-quicklink",
        Some("portal-form") => "federal-anonymous-form",
        Some(_) => "federal-auth-handoff",
        None => return value,
    };
    let outcome = if verdict == "confirm" { "success" } else { "failed" };
    value["traversal_metadata"] = json!({"outcome": outcome, "source_class": class});
    value
}

/// Posts a verdict.
pub fn vote(server: &Server, from: &str, on: (&str, &str), verdict: &str) -> Reply {
    server.post_from(from, "/api/validations", &ballot(on, verdict))
}

/// Posts verdicts of these voters, which are taken.
pub fn votes(server: &Server, voters: std::ops::Range<usize>, on: &[Target], verdict: &str) {
    for number in voters {
        let reply = vote(server, &voter(number), on[number % on.len()], verdict);
        assert_eq!(reply.status, 201, "{on:?} {reply:?}");
    }
}

/// A verdict that flags.
pub fn flag(server: &Server, from: &str, on: (&str, &str)) -> Reply {
    let mut value = ballot(on, "reject");
    value["injection_flag"] = json!(true);
    value["injection_reason"] = json!("The text tells the agent what to do.");
    server.post_from(from, "/api/validations", &value)
}

/// Where an artefact is read.
pub fn address((target_type, id): Target) -> String {
    let folder = match target_type {
        "skill" => "skills",
        "path" => "paths",
        "volatile_value" => "volatile-values",
        _ => "references",
    };
    format!("/api/{folder}/{id}")
}

/// Waits until an artefact is served with this status; gives it back.
pub fn becomes(server: &Server, target: Target, status: &str) -> Value {
    until(&format!("{target:?} is {status}"), || {
        let it = server.get(&address(target)).json();
        (it["status"] == status).then_some(it)
    })
}

/// Where an artefact stands.
pub fn standing(place: &Place, (target_type, id): Target) -> Standing {
    place.write(move |tx| standings::find(tx, target_type, id)).expect("a standing")
}

/// Waits until a tick has looked at everything that was to be looked at; where the artefact stands then.
pub fn looked_at(place: &Place, target: Target) -> Standing {
    until(&format!("somebody looks at {target:?}"), || {
        let it = standing(place, target);
        it.look_at.is_none_or(|at| at > Moment::read(&make::time(0)).expect("a time")).then_some(it)
    })
}

/// Confirms, rejects, voters and flaggers of the open cohort.
pub fn counts(it: &Standing) -> (i64, i64, i64, i64) {
    (it.tally.confirms, it.tally.rejects, it.tally.voters, it.tally.flaggers)
}

/// Every change of an artefact's status, oldest first.
pub fn changes(place: &Place, (target_type, id): Target) -> Vec<Transition> {
    let mut all = place.write(move |tx| transitions::of_target(tx, (target_type, id), i64::MAX, 1_000));
    all.reverse();
    all
}

/// The same, as from, to and rule.
pub fn steps(place: &Place, target: Target) -> Vec<(String, String, String)> {
    changes(place, target).into_iter().map(|it| (it.from_status, it.to_status, it.rule)).collect()
}

/// Checks the whole of what happened to an artefact: each change once, in this order, and each decision with its numbers.
pub fn happened(place: &Place, target: Target, expected: &[(&str, &str, &str)]) {
    let found = changes(place, target);
    let said: Vec<(&str, &str, &str)> =
        found.iter().map(|it| (it.from_status.as_str(), it.to_status.as_str(), it.rule.as_str())).collect();
    assert_eq!(said, expected, "{target:?}");
    for it in &found {
        let numbers: Value = serde_json::from_str(&it.numbers).expect("JSON");
        let numbers = numbers.as_object().expect("numbers by name");
        let by_somebody =
            ["maintainer", "amendment", "corrected", "merged", "pushed"].contains(&it.rule.as_str());
        assert_eq!(numbers.is_empty(), by_somebody, "{it:?}");
        assert_eq!(it.policy.is_empty(), by_somebody, "{it:?}");
        if !by_somebody {
            assert!(numbers.contains_key("flaggers"), "{it:?}");
        }
    }
}

/// What is known of who had to do with an artefact.
#[derive(Debug, PartialEq, Eq)]
pub struct Known {
    /// The cohorts whose votes have a salt.
    pub salts: Vec<String>,
    /// Verdicts that have their voter's hash.
    pub voters: i64,
    /// Those who wrote it.
    pub writers: i64,
    /// Salts of anybody who wrote anything that is still there.
    pub their_salts: i64,
}

/// Looks what is known.
pub fn known(place: &Place, (target_type, id): Target) -> Known {
    place.write(move |tx| {
        let key = [target_type.into(), id.into()];
        let sql = "SELECT cohort FROM vote_salts WHERE target_type = $1 AND target_id = $2 ORDER BY cohort";
        let salts = tx.query(sql, &key)?.iter().map(|row| row.text(0)).collect::<Result<Vec<_>, _>>()?;
        let sql = "SELECT COUNT(*) FROM validations WHERE artefact = $1 AND voter_hash IS NOT NULL";
        let voters = number(tx, sql, &[(&format!("{target_type}:{id}")).into()])?;
        let sql = "SELECT COUNT(*) FROM artefact_contributors WHERE target_type = $1 AND target_id = $2";
        let writers = number(tx, sql, &key)?;
        let sql = "SELECT COUNT(*) FROM contributor_salts WHERE pair_key IN \
             (SELECT pair_key FROM artefact_contributors WHERE target_type = $1 AND target_id = $2)";
        let their_salts = number(tx, sql, &key)?;
        Ok(Known { salts, voters, writers, their_salts })
    })
}

/// One number out of the database.
pub fn number(
    tx: &mut dyn Tx,
    sql: &'static str,
    params: &[becivic_server::db::Param<'_>],
) -> Result<i64, becivic_server::db::DbError> {
    tx.first(sql, params)?.map_or(Ok(0), |row| row.int(0))
}

/// Salts of people who wrote something that nobody knows any more: there must be none.
pub fn orphaned_salts(place: &Place) -> i64 {
    place.write(|tx| {
        let sql = "SELECT COUNT(*) FROM contributor_salts WHERE pair_key NOT IN (SELECT pair_key FROM artefact_contributors)";
        number(tx, sql, &[])
    })
}

/// Reason and state of every review item about an artefact, in the order of their uids.
pub fn items(place: &Place, (target_type, id): Target) -> Vec<(String, String)> {
    let mut found = place.write(move |tx| flags::of_target(tx, target_type, id));
    found.sort_by(|one, other| one.uid.cmp(&other.uid));
    found.into_iter().map(|it| (it.reason, it.state)).collect()
}

/// Runs a command of `becivic` beside the server: its exit code, and what it said.
pub fn becivic(place: &Place, arguments: &[&str]) -> (i32, String) {
    let ended = command(place, arguments).output().expect("becivic runs");
    let said = [ended.stdout, ended.stderr].concat();
    (ended.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
}

/// The same, to be started.
pub fn command(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
    command.args(arguments).arg("--data").arg(place.data(0)).args(["--database", &place.url()]);
    command.env("BECIVIC_SERVER__PEPPER_FILE", place.folder().join("pepper.key"));
    for (name, value) in setup().settings {
        command.env(format!("BECIVIC_{name}"), value);
    }
    command
}

/// Brings an artefact back with the command of maintainers.
pub fn reinstate(place: &Place, named: &str, bogus: bool) {
    let mut arguments = vec!["review", "reinstate", named, "--why", "it quotes the law"];
    if bogus {
        arguments.push("--bogus");
    }
    let (code, said) = becivic(place, &arguments);
    assert_eq!(code, 0, "{said}");
}

/// Flags that were found to be made up, of everybody.
pub fn bogus_flags(place: &Place) -> i64 {
    place.write(|tx| number(tx, "SELECT CAST(COALESCE(SUM(bogus_flags), 0) AS BIGINT) FROM sanctions", &[]))
}

/// The trailers of a commit's message, in their order.
pub fn trailers(place: &Place, sha: &str) -> Vec<(String, String)> {
    let message = repository(place).message(sha).expect("a message");
    let last = message.trim_end().rsplit("\n\n").next().unwrap_or_default().to_owned();
    let pairs = last.lines().filter_map(|line| line.split_once(": "));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
