//! What becomes text: amendments of skills and paths, and drafts.
//!
//! 1. What it names must still exist; what needs a person's look is held.
//! 2. The change is made against the head of `main`, with the uids its new citations will get. A diff that no longer applies,
//!    or a rule that the result would break, ends the item as `rejected`. Nothing reaches a branch before the rules have passed.
//! 3. It gets its public name and a pull request.
//! 4. A draft waits for a person; an amendment waits for its turn.
//! 5. Merging: the commit is written, and while nobody can move `main` one transaction notes the commit, mints the uids and
//!    lets the item leave. When `main` or a counter moved in between, everything is made again.

use super::item::Item;
use super::leave::{self, Left};
use super::{End, Mode, Run, turns};
use crate::app::fresh;
use crate::consensus::Cause;
use crate::db::merges::{self, Merge};
use crate::db::proposals::{self, NewAmendment};
use crate::db::{DbError, Tx, pulls, staged};
use crate::forge::{ForgeError, Proposal, Proposed, Verdict};
use crate::jobs::follow;
use crate::jobs::merge::{Change, Stored, Trouble, Uids, merge};
use crate::jobs::steps::{Step, reached};
use crate::live::Live;
use crate::moment::Moment;
use crate::pipeline::refuse_withheld;
use crate::secrets::Bytes32;
use becivic_core::catalogue::SeedCatalogue;
use becivic_core::corpus::KnownTargets;
use becivic_core::materialise::{self, Artefact, Ground, Made, Plan, texts_as_files};
use becivic_core::preflight::cross_reference;
use becivic_core::submission::{Draft, Submission};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often a change is made again because `main` moved.
const TRIES: usize = 5;

impl Run<'_> {
    /// Carries a proposal as far as it can go.
    pub fn proposal(&mut self, item: &Item) -> anyhow::Result<End> {
        for _ in 0..TRIES {
            match self.attempt(item) {
                Ok(end) => return Ok(end),
                Err(Trouble::Moved) => {
                    self.catalogue = None;
                    follow::catch_up(self.app)?;
                }
                Err(Trouble::Forge(ForgeError::Closed)) => return self.refuse(&item.due, "review_rejected"),
                Err(Trouble::Forge(error @ ForgeError::Wait(_))) => {
                    // Whatever comes next would be told the same.
                    self.forge_away = Some("forge_waits");
                    tracing::info!(error = %error, "the forge asks for patience");
                    return self.fail(item, "forge_waits");
                }
                Err(Trouble::Forge(error)) => {
                    tracing::warn!(error = %error, "the forge did not do what it was asked");
                    return self.fail(item, "forge");
                }
                Err(Trouble::Other(error)) => {
                    tracing::warn!(error = %error, "a proposal could not be committed");
                    self.catalogue = None;
                    return self.fail(item, "not_committed");
                }
            }
        }
        self.fail(item, "main_moved")
    }

    fn attempt(&mut self, item: &Item) -> Result<End, Trouble> {
        let live = self.app.live.load_full();
        if self.app.repository.head()?.sha != live.commit {
            // Somebody pushed what the rules refuse: nothing is put on top of it.
            return Ok(self.fail(item, "main_broken")?);
        }
        if let Some(why) = item.needs_a_look(self.app) {
            return Ok(self.hold(item, why)?);
        }
        self.catalogue()?;
        let mut catalogue = self.catalogue.take().unwrap_or_default();
        let end = self.carry(item, &live, &mut catalogue)?;
        // Only a merge leaves the catalogue with uids that exist.
        if end == End::Committed {
            self.catalogue = Some(catalogue);
        }
        Ok(end)
    }

    fn carry(&self, item: &Item, live: &Arc<Live>, catalogue: &mut SeedCatalogue) -> Result<End, Trouble> {
        let none = BTreeSet::new();
        let targets = KnownTargets { corpus: &live.corpus, catalogue: &*catalogue, concerns: &none };
        if let Some(refusal) = cross_reference::resolve(&item.submission, &targets).first() {
            return Ok(self.refuse(&item.due, refusal.category.as_str())?);
        }
        if let Err(rejection) = refuse_withheld(self.app, &item.submission) {
            return Ok(self.refuse(&item.due, rejection.category.as_str())?);
        }
        let day = self.now.date();
        // Its name is given once it is known to go on a branch; until then any will do.
        let uid = item.due.public_uid.clone().unwrap_or_else(|| "amd-00000".to_owned());
        let ground = Ground {
            corpus: &live.corpus,
            catalogue: &*catalogue,
            commit: &live.commit,
            day: &day,
            uid: &uid,
        };
        let plan = match materialise::plan(ground, &item.submission) {
            Ok(Some(plan)) => plan,
            Ok(None) => return Err(anyhow::anyhow!("this does not become text").into()),
            Err(refusal) => return Ok(self.refuse(&item.due, refusal.category.as_str())?),
        };
        if !item.was_passed() && plan.hosts.iter().any(|host| !live.is_listed(host)) {
            return Ok(self.hold(item, crate::pipeline::UNLISTED_HOST)?);
        }
        let uids = Uids::expected(self.app, &plan.missing, plan.needs_path_uid)?;
        for (citation, uid) in &uids.minted {
            citation.add_to(catalogue, uid, &self.now.day().text());
        }
        if self.mode == Mode::Try {
            let made = finish(&plan, live, catalogue, &day, &uid, &uids);
            let broken = made.map(|made| made.broken_rule(&*catalogue, live.known_findings()));
            return Ok(match broken {
                Ok(None) => End::Committed,
                Ok(Some(_)) => End::Rejected("cross_ref_fail"),
                Err(refusal) => End::Rejected(refusal.category.as_str()),
            });
        }
        let Some((uid, number)) = self.open(item, &plan)? else { return Ok(End::Gone) };
        reached(Step::Opened);
        let mut item = item.clone();
        (item.due.public_uid, item.due.pull) = (Some(uid.clone()), Some(number));
        let made = match finish(&plan, live, catalogue, &day, &uid, &uids) {
            Ok(made) => made,
            Err(refusal) => return Ok(self.refuse(&item.due, refusal.category.as_str())?),
        };
        if let Some(finding) = made.broken_rule(&*catalogue, live.known_findings()) {
            tracing::info!(rule = finding.rule, "a proposal would break a rule");
            return Ok(self.refuse(&item.due, "cross_ref_fail")?);
        }
        self.propose_and_merge(&item, live, &plan, &made, &uids)
    }

    fn propose_and_merge(
        &self,
        item: &Item,
        live: &Arc<Live>,
        plan: &Plan,
        made: &Made,
        uids: &Uids,
    ) -> Result<End, Trouble> {
        let (uid, number) =
            (item.due.public_uid.clone().unwrap_or_default(), item.due.pull.unwrap_or_default());
        let files = texts_as_files(&made.texts);
        let title = title(item, plan, &uid);
        let message = message(item, &title, plan, made, &uid);
        let proposal = Proposal {
            number,
            base: &live.commit,
            title: &title,
            body: &body(item, plan),
            labels: &[item.kind.as_str()],
            message: &message,
            files: &files,
        };
        let proposed = self.app.forge.propose(&self.app.repository, &proposal, self.now)?;
        reached(Step::Branched);
        self.app.forge.report(&proposed, Verdict::Green, "Every rule passes on the merge result.")?;
        reached(Step::Reported);
        if let Some(end) = self.note_proposed(item, number, &live.commit, &proposed)? {
            return Ok(end);
        }
        let (files, corpus, now) = (&files, made.corpus.clone(), self.now);
        let cause = cause(item);
        let change = Change { live, proposed: &proposed, files, message: &message, corpus, uids, cause, now };
        let merging = Merging::new(self, item, plan)?;
        match merge(self.app, change, move |tx, sha| merging.store(tx, sha))? {
            Stored::Done => Ok(End::Committed),
            Stored::Gone => Ok(End::Gone),
        }
    }

    fn hold(&self, item: &Item, why: &'static str) -> Result<End, DbError> {
        if self.mode == Mode::Carry {
            let (due, day) = (item.due.clone(), self.now);
            self.app.db.write_now(move |tx| {
                staged::take_from_public(tx, &due.id, why, day.day())?;
                staged::hold(tx, &due.id, why, day.day())
            })?;
        }
        Ok(End::Held(why))
    }

    /// Gives a proposal its public name and its pull request, unless it has them; `None` when it was taken back.
    fn open(&self, item: &Item, plan: &Plan) -> Result<Option<(String, i64)>, DbError> {
        let (item, plan, now) = (item.clone(), plan.clone(), self.now);
        self.app.db.write_now(move |tx| {
            let Some(due) = staged::load(tx, &item.due.id)? else { return Ok(None) };
            if let (Some(uid), Some(number)) = (&due.public_uid, due.pull) {
                return Ok(Some((uid.clone(), number)));
            }
            let (target_type, target_id) = item.artefact();
            let named = due.public_uid.as_deref();
            let uid = match &item.submission {
                Submission::Amendment(it) => {
                    let amendment = NewAmendment {
                        target_type: it.target_type.as_str(),
                        target_id: &it.target_id,
                        rationale: &it.rationale,
                        cohort_anchor: due.cohort_anchor.as_deref(),
                        day: now.day(),
                    };
                    proposals::open_amendment(tx, named, &amendment)?
                }
                _ => proposals::open_draft(tx, named, target_type, target_id, now.day())?,
            };
            let title = title(&item, &plan, &uid);
            let target = (target_type, target_id);
            let number = pulls::open(tx, item.kind.as_str(), Some(&uid), target, &title, now.day())?;
            staged::opened(tx, &due.id, &uid, Some(number))?;
            Ok(Some((uid, number)))
        })
    }

    /// Notes where the branch stands; says so when the proposal waits for a person or for its turn.
    fn note_proposed(
        &self,
        item: &Item,
        number: i64,
        base: &str,
        proposed: &Proposed,
    ) -> Result<Option<End>, DbError> {
        let (item, base, now, proposed) = (item.clone(), base.to_owned(), self.now, proposed.clone());
        self.app.db.write_now(move |tx| {
            pulls::proposed(tx, number, &base, &proposed.head, proposed.forge_number)?;
            if item.due.review.as_deref() == Some("approved") {
                return Ok(None);
            }
            if matches!(item.submission, Submission::Draft(_)) {
                staged::wait(tx, &item.due.id, None)?;
                return Ok(Some(End::Waits));
            }
            if item.was_passed() {
                return Ok(None);
            }
            let (target_type, target_id) = item.artefact();
            let done = merges::of(tx, target_type, target_id)?;
            let turn = turns::next(&done, &item.line(), item.due.author_hash.as_deref(), now);
            if let Some(turn) = turn {
                staged::wait(tx, &item.due.id, Some(turn))?;
            }
            Ok(turn.map(End::Queued))
        })
    }
}

/// What is stored with the merge.
pub struct Merging {
    item: Item,
    digest: Bytes32,
    keys: [Bytes32; 2],
    is_new: bool,
    now: Moment,
}

impl Merging {
    fn new(run: &Run<'_>, item: &Item, plan: &Plan) -> Result<Self, DbError> {
        Self::of(run, item, plan.is_new)
    }

    /// What is stored when an item is merged.
    pub fn of(run: &Run<'_>, item: &Item, is_new: bool) -> Result<Self, DbError> {
        let digest = run.app.pepper.id(&item.due.id);
        Ok(Self { item: item.clone(), digest, keys: [fresh()?, fresh()?], is_new, now: run.now })
    }

    /// Stores it, unless the item was taken back.
    pub fn store(&self, tx: &mut dyn Tx, sha: &str) -> Result<Stored, DbError> {
        let Self { item, now, .. } = self;
        let due = &item.due;
        if !staged::lock(tx, &due.id)? {
            return Ok(Stored::Gone);
        }
        let (target_type, target_id) = item.artefact();
        if let Some(number) = due.pull {
            pulls::merged(tx, number, sha, now.day())?;
        }
        let uid = due.public_uid.as_deref();
        if let Some(uid) = uid {
            proposals::merged(tx, uid)?;
        }
        let [key, pair] = &self.keys;
        if !self.is_new {
            let merge =
                Merge { cohort: item.line(), author_hash: due.author_hash.clone(), merged_at: now.hour() };
            merges::insert(tx, key, (target_type, target_id), &merge)?;
        }
        let wrote = Some((target_type, target_id, *pair));
        leave::committed(tx, due, &self.digest, &Left { uid, recognisable: true, wrote }, *now)?;
        Ok(Stored::Done)
    }
}

/// Why statuses change with an item.
pub fn cause(item: &Item) -> Cause {
    Cause::act(if matches!(item.submission, Submission::Draft(_)) { "merged" } else { "amendment" })
}

fn finish(
    plan: &Plan,
    live: &Live,
    catalogue: &SeedCatalogue,
    day: &str,
    uid: &str,
    uids: &Uids,
) -> Result<Made, becivic_core::preflight::Refusal> {
    let ground = Ground { corpus: &live.corpus, catalogue, commit: &live.commit, day, uid };
    plan.finish(ground, uids.path.as_deref())
}

/// One line, made of ids.
fn title(item: &Item, plan: &Plan, uid: &str) -> String {
    let verb = if plan.is_new { "Add" } else { "Amend" };
    let kind = match (&plan.artefact, &item.submission) {
        (Artefact::Skill(_), _) => "skill",
        (Artefact::Path(_), _) => "path",
    };
    format!("{verb} {kind} {} ({uid})", plan.artefact.id())
}

/// The message of the commit: what a draft says of itself is quoted, so that it cannot look like anything else.
fn message(item: &Item, title: &str, plan: &Plan, made: &Made, uid: &str) -> String {
    let said = match &item.submission {
        Submission::Draft(it) => quoted(it),
        _ => String::new(),
    };
    let reset =
        if made.resets { format!("Cohort: reset {}\n", plan.artefact.named()) } else { String::new() };
    format!("{title}\n\n{said}Submission: {uid}\n{reset}")
}

fn quoted(draft: &Draft) -> String {
    let said = draft.commit_message.split_whitespace().collect::<Vec<_>>().join(" ");
    if said.is_empty() { String::new() } else { format!("> {said}\n\n") }
}

/// What a pull request says of itself.
fn body(item: &Item, plan: &Plan) -> String {
    let what = if plan.is_new { "A new artefact from the community" } else { "A change from the community" };
    let next = match &item.submission {
        Submission::Draft(_) => "It waits for a maintainer.",
        _ => "It is merged when every rule passes and it is its turn.",
    };
    format!("{what}, checked by every rule as the merge would leave the corpus. {next}\n")
}
