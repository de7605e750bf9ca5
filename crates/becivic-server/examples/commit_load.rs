//! Due items in a data folder, and how long the commit job takes over them; `cargo xtask bench commit` runs it.
//!
//! `commit_load FOLDER ITEMS` opens the folder as `becivic serve` would, stages the items (six in ten concerns, three in ten
//! corrections of values, one in ten amendments of skills), runs the commit job over them, and prints one line of JSON:
//! `items`, `seconds`, `idle_mb`, `peak_mb`, and `bare_seconds`, which writing the same files as bare commits took.

#[path = "../../becivic/src/names.rs"]
mod names;

use anyhow::{Context, anyhow, bail, ensure};
use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::rollup;
use becivic_core::vocabulary::Status;
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::db::staged::{self, Staged};
use becivic_server::db::{catalogue, salts};
use becivic_server::forge::Files;
use becivic_server::jobs::Lease;
use becivic_server::jobs::commit::{self, Mode};
use becivic_server::moment::{Clock, Moment};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, items] = arguments.as_slice() else { bail!("usage: commit_load FOLDER ITEMS") };
    let items: usize = items.parse()?;
    let mut config = Config::load(None, std::iter::empty())?;
    config.server.data = folder.clone();
    config.server.corpus = Path::new(folder).with_extension("corpus").display().to_string();
    give_rollups(Path::new(&config.server.corpus))?;
    let (app, _) = App::open(config, names::bundled()?, Clock::System, Role::Serve)?;
    // The first proposal of a process has every rule look at the corpus once; that is the start, not the run.
    app.live.load().known_findings();
    let idle = memory("VmRSS")?;
    stage(&app, items)?;
    let lease = Lease::take(&app, commit::NAME)?.context("the job is free")?;
    let began = Instant::now();
    let summary = commit::run(&app, &lease, Mode::Carry)?;
    let seconds = began.elapsed().as_secs_f64();
    lease.give_back("well");
    ensure!(summary.committed == items, "not everything was committed: {summary}");
    let peak = memory("VmHWM")?;
    let bare = bare(&app, items / 10)?;
    let said =
        json!({"items": items, "seconds": seconds, "idle_mb": idle, "peak_mb": peak, "bare_seconds": bare});
    println!("{said}");
    app.db.close();
    Ok(())
}

/// Writes the rollups of a corpus that has none: every amendment then has to bring them up to date.
fn give_rollups(folder: &Path) -> anyhow::Result<()> {
    if folder.join("skills/rollup.json").exists() {
        return Ok(());
    }
    let files = becivic_server::bundled::files_of(folder)?;
    let inputs = files.into_iter().map(|(path, bytes)| Input { path, content: Content::Bytes(bytes) });
    let corpus = Corpus::from_inputs(inputs.collect());
    let skills = rollup::skills(&corpus).map_err(|_| anyhow!("a skill cannot be read"))?;
    let paths = rollup::paths(&corpus).map_err(|_| anyhow!("a path cannot be read"))?;
    std::fs::write(folder.join("skills/rollup.json"), skills)?;
    std::fs::write(folder.join("paths/rollup.json"), paths)?;
    Ok(())
}

fn stage(app: &App, items: usize) -> anyhow::Result<()> {
    let live = app.live.load_full();
    // What can be amended: no drafts, nothing that was put away, and a process to write into.
    let open = |id: &String| {
        live.skill(id).is_some_and(|(skill, front)| {
            let status = front.status;
            let published = matches!(status, Status::Alpha | Status::Beta | Status::Stable);
            published && !front.is_meta() && skill.body().contains("\n## Process\n")
        })
    };
    let skills: Vec<&String> = live.corpus.skills.keys().filter(|id| open(id)).collect();
    let values = app.db.write_now(|tx| {
        let mut uids = Vec::new();
        catalogue::each(tx, |row| {
            let open =
                row.uid.starts_with("val-") && matches!(row.status.as_str(), "alpha" | "beta" | "stable");
            uids.extend(open.then_some(row.uid));
        })?;
        Ok(uids)
    })?;
    let now = app.clock.now();
    for index in 0..items {
        let skill = *skills.get(index * skills.len() / items).context("enough skills")?;
        let (prefix, kind, target, content) = match index % 10 {
            0..6 => (
                "con_",
                "concern",
                ("skill", skill.clone()),
                json!({
                    "scope": "general", "body": format!("The desk asked for paper number {index}."),
                    "evidence_date": "2026-10-28", "evidence_source": "customer-report",
                }),
            ),
            6..9 => {
                let uid = values.get(index % values.len()).context("enough values")?.clone();
                let content = json!({"proposed_value": format!("{index} days"), "value_type": "string"});
                ("amd_", "amendment", ("volatile_value", uid), content)
            }
            _ => {
                let body = live.corpus.skills.get(skill).context("a skill")?.body();
                let at = body.lines().position(|line| line.starts_with("## Process")).context("a process")?;
                let diff = format!("@@ -{0},1 +{0},3 @@\n ## Process\n+\n+Bring paper and pen.\n", at + 1);
                let content =
                    json!({"amendment_subtype": "body", "skill_commit": live.commit, "body_diff": diff});
                ("amd_", "amendment", ("skill", skill.clone()), content)
            }
        };
        let id = format!("{prefix}01900000-0000-7000-8000-{index:012x}");
        let mut payload: Value = json!({
            "schema_version": 4, "submitted_at": now.text(), "submitting_agent": "bench/1.0.0",
            "submission_contract_version": "2.1.0",
            "declared_capabilities": ["multi_turn", "structured_output", "web_fetch", "tool_execution"],
            "target_type": target.0, "target_id": target.1, "content": content,
        });
        payload[format!("{kind}_id")] = json!(id);
        if kind == "amendment" {
            payload["rationale"] = json!("It is asked for.");
        }
        let row = Staged {
            id: id.clone(),
            kind,
            payload: payload.to_string(),
            payload_digest: [0; 32],
            submitter_hash: [0; 32],
            cancel_hash: [0; 32],
            received_at: now,
            commit_eta: Moment(0),
            cohort_anchor: (target.0 == "skill").then(|| format!("{}@0.1.0", target.1)),
            review: None,
            session_id: None,
        };
        app.db.write_now(move |tx| {
            salts::keep_submission(tx, &id, &[0; 32])?;
            staged::insert(tx, &row, None)
        })?;
    }
    Ok(())
}

/// Commits of one skill and the rollup each, and nothing else.
fn bare(app: &App, commits: usize) -> anyhow::Result<f64> {
    let live = app.live.load_full();
    let rollup = live.corpus.skills_rollup.as_ref().map(|source| source.text().to_owned());
    let mut at = live.commit.clone();
    let skills: Vec<&String> = live.corpus.skills.keys().take(commits).collect();
    let began = Instant::now();
    for (index, id) in skills.iter().enumerate() {
        let text = live.corpus.skills.get(*id).context("a skill")?.source.text();
        let mut files = Files::from([(
            format!("skills/{id}/canonical.md"),
            Some(format!("{text}\n{index}\n").into_bytes()),
        )]);
        if let Some(rollup) = &rollup {
            files.insert("skills/rollup.json".to_owned(), Some(format!("{rollup}{index}\n").into_bytes()));
        }
        at = app.repository.write_commit(&at, &[&at], &files, "Bare\n", Moment(0))?.sha;
    }
    Ok(began.elapsed().as_secs_f64())
}

/// A line of the process's status, in megabytes.
fn memory(name: &str) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line =
        status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).context("no such line")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes / 1024.0)
}
