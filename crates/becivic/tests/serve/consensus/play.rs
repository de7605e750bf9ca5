//! Anything in any order: verdicts, flags, changes of text, ticks, commits, maintainers who bring things back, restarts, ticks and
//! commits whose process is ended halfway, and a clock that jumps both ways. Beside the server runs a model (`play/model.rs`) that only knows what was sent: no artefact may ever have
//! a status that it cannot justify, and every tally is what it counts.

mod log;
mod model;

use super::{ballot, voter};
use crate::dice::Dice;
use crate::harness::{Engine, Place, make, propose, root};
use becivic_core::submission::Kind;
use becivic_core::submission::envelope::Mode;
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::db::{catalogue, standings, transitions};
use becivic_server::jobs::steps::STEPS as BOUNDARIES;
use becivic_server::jobs::tick::{self, recount};
use becivic_server::jobs::{Lease, commit};
use becivic_server::moment::{Clock, DAY, Moment};
use becivic_server::pipeline::{self, Accepted, Burst, Incoming};
use becivic_server::rejection::Rejection;
use becivic_server::review::{self, Action, By, artefacts};
use model::{Doing, Model};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

const STEPS: usize = 700;

/// Those who vote.
const PEOPLE: usize = 14;

/// A stable cohort's voters are forgotten after 90 days: the play ends before that.
const LONGEST: i64 = 85 * DAY;

/// What is played with: type, id, status, and what is voted on.
const ARTEFACTS: &[(&str, &str, &str, &[&str])] = &[
    ("skill", "arrival-declaration", "alpha", &[]),
    ("skill", "renew-residence-card", "stable", &[]),
    ("path", "household-certificate", "alpha", &["mon-dossier-online", "commune-desk"]),
    ("volatile_value", "val-00001", "alpha", &[]),
    ("reference", "ref-00002", "alpha", &[]),
];

struct Play {
    place: Place,
    clock: Arc<AtomicI64>,
    began: i64,
    /// Nothing only while it is started again.
    app: Option<Arc<App>>,
    models: BTreeMap<(&'static str, &'static str), Model>,
    seen: i64,
    head: String,
    rows: BTreeMap<&'static str, String>,
    /// What happened, for whoever reads of a failure.
    told: Vec<String>,
    /// How many processes were ended halfway.
    crashes: usize,
    /// Somebody who only reads the log.
    reader: log::Reader,
}

/// Longer than a process that died keeps others from its job, in milliseconds.
const FORGOTTEN: i64 = 10_000;

fn open(place: &Place, clock: &Arc<AtomicI64>) -> Arc<App> {
    let limits = ["PER_DAY", "VALIDATIONS_PER_DAY", "FLAGS_PER_DAY", "BURST_PER_HOUR", "GLOBAL_PER_HOUR"];
    let environment = limits.map(|name| (format!("BECIVIC_LIMITS__{name}"), "1000000000".to_owned()));
    let mut config = Config::load(None, environment.into_iter()).expect("a configuration");
    config.server.data = place.data(0).display().to_string();
    config.server.database = place.url();
    config.server.pepper_file = place.folder().join("pepper.key").display().to_string();
    config.server.corpus = root().join("fixtures/corpus").display().to_string();
    App::open(
        config,
        crate::names::bundled().expect("sound weights"),
        Clock::Set(Arc::clone(clock)),
        Role::Serve,
    )
    .expect("it opens")
    .0
}

impl Play {
    fn begin(engine: Engine) -> Self {
        let place = Place::new(engine);
        let began = Moment::read(&make::time(0)).expect("a time").0;
        let clock = Arc::new(AtomicI64::new(began));
        let app = open(&place, &clock);
        let head = app.live.load().commit.clone();
        let models = ARTEFACTS
            .iter()
            .map(|(target_type, id, status, _)| {
                ((*target_type, *id), Model::new(target_type, id, status, began))
            })
            .collect();
        let rows = BTreeMap::from([
            ("val-00001", "val-00001.000001".to_owned()),
            ("ref-00002", "ref-00002.000001".to_owned()),
        ]);
        Self {
            place,
            clock,
            began,
            app: Some(app),
            models,
            seen: 0,
            head,
            rows,
            told: Vec::new(),
            crashes: 0,
            reader: log::Reader::default(),
        }
    }

    fn app(&self) -> Arc<App> {
        Arc::clone(self.app.as_ref().expect("it is open"))
    }

    fn now(&self) -> i64 {
        self.clock.load(Ordering::SeqCst)
    }

    fn step(&mut self, dice: &mut Dice) {
        let at = dice.below(ARTEFACTS.len());
        let (target_type, id, _, sources) = ARTEFACTS[at];
        // What people think of a thing stays a while, so that something comes of it.
        let mood = (self.now() - self.began) / (20 * DAY) + at as i64;
        let likes = if mood % 3 == 2 { 30 } else { 95 };
        match dice.below(100) {
            0..56 => {
                let source = (!sources.is_empty()).then(|| sources[dice.below(sources.len())]);
                self.vote((target_type, id), source, dice.below(PEOPLE), dice.below(100) < likes, false);
            }
            60..62 => {
                let source = sources.first().copied();
                self.vote((target_type, id), source, dice.below(PEOPLE), false, true);
            }
            62..68 => self.amend((target_type, id), dice.next()),
            68..74 => self.tick(),
            74..78 | 56..60 => self.crash(dice),
            78..83 => self.commit(),
            83..87 => self.reinstate((target_type, id), dice.below(2) == 0),
            87..97 => self.wait(i64::try_from(dice.below(40)).expect("few") * DAY / 10),
            97..98 => self.wait(-i64::try_from(dice.below(30)).expect("few") * DAY / 10),
            98..99 => self.restart(),
            _ => {
                let healed = recount::everything(&self.app(), Moment(self.now())).expect("it counts");
                assert_eq!(healed, 0, "every tally is what its verdicts add up to");
            }
        }
    }

    fn hand_in(&self, kind: Kind, from: &str, mut value: Value) -> Result<Accepted, Rejection> {
        let now = Moment(self.now());
        value["submitted_at"] = now.text().into();
        let app = self.app();
        let answer = review::now(async {
            let address: std::net::IpAddr = from.parse().expect("an address");
            let sender = app.sender(address.into(), now).await.expect("a sender");
            let incoming = Incoming { kind, value, session: None, burst: Burst::Untaken(now) };
            pipeline::run(&app, &sender, incoming, Mode::Stage, now).await
        });
        answer.expect("it runs")
    }

    fn vote(
        &mut self,
        target: (&'static str, &'static str),
        source: Option<&'static str>,
        from: usize,
        confirms: bool,
        flag: bool,
    ) {
        let verdict = if confirms { "confirm" } else { "reject" };
        let mut value = match source {
            Some(source) => ballot(("path_source", &format!("{}:{source}", target.1)), verdict),
            None => ballot(target, verdict),
        };
        if flag {
            value["injection_flag"] = json!(true);
            value["injection_reason"] = json!("The text tells the agent what to do.");
        }
        let taken = self.hand_in(Kind::Validation, &voter(from), value);
        let model = self.models.get_mut(&target).expect("a model");
        assert_eq!(taken.is_ok(), model.is_open(), "{taken:?} {model:?}");
        if taken.is_ok() {
            model.voted(from, source, confirms, flag);
        }
        self.told.push(format!("{verdict} {target:?} {source:?} by {from}, flag {flag}"));
        self.look(Doing::Voting);
    }

    fn amend(&mut self, (target_type, id): (&'static str, &'static str), number: u64) {
        let number = number % 100_000;
        let value = match target_type {
            "skill" => {
                let live = self.app().live.load_full();
                let body = live.corpus.skills.get(id).expect("the skill").body();
                let at = body.lines().position(|line| line.starts_with("## Process")).expect("a process");
                let diff =
                    format!("@@ -{0},1 +{0},3 @@\n ## Process\n+\n+Bring paper number {number}.\n", at + 1);
                propose::body_diff(id, &live.commit, &diff)
            }
            "path" => {
                propose::field("path", id, "description.en", json!(format!("Certificate number {number}.")))
            }
            "volatile_value" => make::value_amendment(id, json!(format!("€{number}"))),
            _ => propose::reference(id, &format!("https://dofi.ibz.be/en/page-{number}")),
        };
        // Nobody who votes wrote it.
        let from = format!("203.0.113.{}", number % 250);
        let taken = self.hand_in(Kind::Amendment, &from, value);
        self.told.push(format!("amend {target_type}:{id}: {}", taken.is_ok()));
        self.look(Doing::Voting);
    }

    fn lease(&self, job: &'static str) -> Lease {
        Lease::take(&self.app(), job).expect("asked").expect("nobody else has it")
    }

    fn tick(&mut self) {
        let lease = self.lease(tick::NAME);
        let summary = tick::run(&self.app(), &lease, tick::Mode::Carry).expect("it runs");
        lease.give_back("well");
        assert_eq!(summary.healed, 0, "no tally was wrong: {:?}", self.told);
        self.told.push(format!("tick: {summary}"));
        self.look(Doing::Ticking);
    }

    fn commit(&mut self) {
        let lease = self.lease(commit::NAME);
        let summary = commit::run(&self.app(), &lease, commit::Mode::Carry).expect("it runs");
        lease.give_back("well");
        self.told.push(format!("commit: {summary}"));
        self.read_git();
        self.read_catalogue();
        self.look(Doing::Committing);
    }

    fn reinstate(&mut self, target: (&'static str, &'static str), bogus: bool) {
        let named = artefacts::Target::new(target.0, target.1).expect("an artefact");
        let by = By::new(&self.app(), "first", "it quotes the law", true).expect("a maintainer");
        let done = review::now(review::act(&self.app(), by, Action::Reinstate { target: named, bogus }));
        let done = done.expect("it runs");
        self.told.push(format!("reinstate {target:?}: {done:?}"));
        let model = self.models.get_mut(&target).expect("a model");
        match &done {
            Ok(_) => model.flags.clear(),
            // A skill whose path is away waits for that one.
            Err(refused)
                if refused.to_string().contains("the path `household-certificate` is quarantined") =>
            {
                assert_eq!(target.0, "skill");
            }
            Err(_) => assert!(model.is_open(), "a maintainer can bring everything back: {done:?} {model:?}"),
        }
        self.look(Doing::Reinstating);
    }

    fn wait(&mut self, by: i64) {
        self.move_clock(by);
        self.told.push(format!("the clock goes by {} hours", by / 3_600_000));
        self.look(Doing::Waiting);
    }

    /// Moves the clock, within the time of the play.
    fn move_clock(&self, by: i64) {
        let to = self.now() + by;
        if (self.began..=self.began + LONGEST).contains(&to) {
            self.clock.store(to, Ordering::SeqCst);
        }
    }

    fn restart(&mut self) {
        self.close();
        self.app = Some(open(&self.place, &self.clock));
        self.told.push("restart".to_owned());
        self.look(Doing::Waiting);
    }

    fn close(&mut self) {
        if let Some(app) = self.app.take() {
            app.db.close();
            assert_eq!(Arc::strong_count(&app), 1, "nobody else holds it");
        }
    }

    /// A process ticks or commits and is ended at a boundary between two steps, where it comes that far. Whoever opens the folder
    /// next finds either all of a change or nothing of it.
    fn crash(&mut self, dice: &mut Dice) {
        let (job, doing) = [("tick", Doing::Ticking), ("commit", Doing::Committing)][dice.below(2)];
        // Every change of a file passes these two, and of a row the third; few come by the others.
        let any = BOUNDARIES[dice.below(BOUNDARIES.len())].0;
        let boundary = ["written", "stored", "row-stored", any][dice.below(4)];
        self.close();
        let ended = Command::new(env!("CARGO_BIN_EXE_becivic"))
            .args([job, "--data"])
            .arg(self.place.data(0))
            .args(["--database", &self.place.url()])
            .env("BECIVIC_SERVER__PEPPER_FILE", self.place.folder().join("pepper.key"))
            .env("SET_BECIVIC_CLOCK", self.now().to_string())
            .env("ABORT_BECIVIC_AT", boundary)
            .output()
            .expect("becivic runs");
        let aborted = ended.status.signal().is_some();
        assert!(aborted || ended.status.success(), "{ended:?}");
        self.crashes += usize::from(aborted);
        self.told.push(format!("{job} to be ended at {boundary}: {aborted}"));
        self.app = Some(open(&self.place, &self.clock));
        if doing == Doing::Committing {
            self.read_git();
            self.read_catalogue();
        }
        self.look(doing);
        // Whoever died keeps others from its job for some seconds, and not until the clock has come forward again.
        let back = aborted && dice.below(4) == 0 && self.now() - DAY >= self.began;
        self.clock.fetch_add(if back { -DAY } else { FORGOTTEN }, Ordering::SeqCst);
    }

    /// Amendments that joined `main` since the last look.
    fn read_git(&mut self) {
        let (repository, now) = (self.app().repository.clone(), self.now());
        let head = repository.head().expect("a head").sha;
        for sha in repository.between(&self.head, &head).expect("asked").expect("one line") {
            let message = repository.message(&sha).expect("a message");
            if !message.contains("\nSubmission: amd-") {
                continue;
            }
            let named = message.lines().find_map(|line| line.strip_prefix("Cohort: reset "));
            let named = named.unwrap_or_else(|| panic!("a change of content begins anew: {message}"));
            let model = self.models.values_mut().find(|it| it.name == named).expect("one of ours");
            model.was_amended(now);
        }
        self.head = head;
    }

    /// Corrections of the catalogue since the last look.
    fn read_catalogue(&mut self) {
        let (now, app) = (self.now(), self.app());
        for ((_, id), model) in
            self.models.iter_mut().filter(|((kind, _), _)| !matches!(*kind, "skill" | "path"))
        {
            let id = *id;
            let rows = app.db.read_now(move |tx| catalogue::history(tx, id)).expect("rows");
            let current: Vec<_> = rows.iter().filter(|row| row.superseded_at.is_none()).collect();
            assert_eq!(current.len(), 1, "exactly one row is current");
            let last = self.rows.get(id).expect("a row").clone();
            for row in rows.iter().rev().filter(|row| row.key >= last && row.key < current[0].key) {
                if row.ended_by.as_deref() == Some("corrected") {
                    model.was_amended(now);
                }
            }
            self.rows.insert(id, current[0].key.clone());
        }
    }

    /// Holds everything that changed against the model.
    fn look(&mut self, doing: Doing) {
        let (now, app) = (self.now(), self.app());
        let changes = app.db.read_now(|tx| transitions::list(tx, i64::MAX, 100)).expect("changes");
        for it in changes.iter().rev().filter(|it| it.number > self.seen) {
            let key = (it.target_type.as_str(), it.target_id.as_str());
            let model = self.models.iter_mut().find(|(known, _)| **known == key).map(|(_, model)| model);
            let model = model.unwrap_or_else(|| panic!("nobody touched it: {it:?}"));
            self.told.push(format!("  {} {} to {} by {}", model.name, it.from_status, it.to_status, it.rule));
            model.changes(it, doing, now);
        }
        self.seen = changes.first().map_or(self.seen, |it| it.number);
        for (at, row) in &mut self.rows {
            let at = *at;
            let current = app.db.read_now(move |tx| catalogue::current(tx, at)).expect("asked");
            *row = current.expect("a row").key;
        }
        if doing != Doing::Committing {
            self.head = app.repository.head().expect("a head").sha;
        }
        for ((target_type, id), model) in &self.models {
            let (target_type, id) = (*target_type, *id);
            let it = app.db.read_now(move |tx| standings::find(tx, target_type, id)).expect("asked");
            let it = it.expect("a standing");
            let status = it.served().expect("a status");
            assert_eq!(status.as_str(), model.status, "{it:?} {model:?}\n{}", self.told.join("\n"));
            assert_eq!(
                model.amended,
                0,
                "a change of text is in the list of changes: {model:?}\n{}",
                self.told.join("\n")
            );
            let counted = (it.tally.confirms, it.tally.rejects, it.tally.flaggers as usize);
            let (confirms, rejects) = model.counts();
            if model.is_open() {
                let expected = (confirms, rejects, model.flags.len());
                assert_eq!(counted, expected, "{it:?} {model:?}\n{}", self.told.join("\n"));
            }
        }
        self.reader.read(&app);
    }
}

/// 48 hours to the millisecond, whatever the clock does in between.
#[test]
fn an_age_is_reached_when_it_is_and_not_when_the_clock_jumps() {
    let mut play = Play::begin(Engine::Sqlite);
    let (skill, value) = (("skill", "arrival-declaration"), ("volatile_value", "val-00001"));
    for from in 0..3 {
        play.vote(skill, None, from, true, false);
        play.vote(value, None, from, true, false);
    }
    let statuses = |play: &Play| [skill, value].map(|target| play.models[&target].status.clone());
    let began = play.began;
    for at in [0, 2 * DAY - 1, -30 * DAY, DAY, 2 * DAY - 1] {
        play.clock.store(began + at, Ordering::SeqCst);
        play.tick();
        assert_eq!(statuses(&play), ["alpha", "alpha"], "{at}");
    }
    play.clock.store(began + 2 * DAY, Ordering::SeqCst);
    play.tick();
    assert_eq!(statuses(&play), ["beta", "beta"]);
    // What began before the clock jumped back is not old when it has come forward again.
    for from in 0..10 {
        play.vote(skill, None, from, true, false);
    }
    for (days, status) in [(-100, "beta"), (15, "beta"), (16, "stable")] {
        play.clock.store(began + days * DAY, Ordering::SeqCst);
        play.tick();
        assert_eq!(statuses(&play)[0], status, "{days}");
    }
    play.app().db.close();
}

/// Plays; at least this many processes are ended halfway.
fn play(engine: Engine, steps: usize, crashes: usize) {
    let mut dice = Dice::given(7);
    let mut play = Play::begin(engine);
    for _ in 0..steps {
        play.step(&mut dice);
    }
    assert!(play.crashes >= crashes, "{} were ended halfway", play.crashes);
    // Whatever is under way ends.
    for _ in 0..3 {
        play.clock.fetch_add(DAY, Ordering::SeqCst);
        play.tick();
    }
    let left = play.app().db.read_now(|tx| standings::withheld(tx)).expect("asked");
    assert_eq!(left, [], "every file has followed its flags");
    assert_eq!(recount::everything(&play.app(), Moment(play.now())).expect("it counts"), 0);
    let served = play.app().live.load_full();
    for ((target_type, id), model) in &play.models {
        let written = match *target_type {
            "skill" => served.skill(id).map(|(_, front)| front.status),
            "path" => served.path(id).map(|path| path.entry.status),
            _ => continue,
        };
        assert_eq!(
            written.map(|status| status.to_string()).as_deref(),
            Some(model.status.as_str()),
            "{model:?}"
        );
    }
    println!(
        "{}",
        play.told.iter().filter(|line| line.starts_with("  ")).cloned().collect::<Vec<_>>().join("\n")
    );
    play.app().db.close();
}

#[test]
fn no_artefact_has_a_status_that_nothing_justifies_on_sqlite() {
    play(Engine::Sqlite, STEPS, 5);
}

#[test]
fn no_artefact_has_a_status_that_nothing_justifies_on_postgres() {
    play(Engine::Postgres, STEPS / 4, 1);
}
