//! The pipeline is a function of (submission, corpus, store, now): the same submissions at the same times to a copy of the
//! same store get the same answers apart from tokens, however often the process is started again in between.

use becivic_core::submission::Kind;
use becivic_core::submission::envelope::Mode;
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::moment::{Clock, HOUR, MINUTE, Moment};
use becivic_server::pipeline::{self, Accepted, Burst, Incoming};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// When the submissions were written; every play begins an hour later.
const WRITTEN: &str = "2026-11-15T20:00:00Z";

/// One submission, from somebody, some minutes after the one before.
#[derive(Clone, Debug)]
struct Step {
    what: usize,
    id: u8,
    sender: u8,
    rehearsed: bool,
    minutes: i64,
    /// Whether the process is started again before it.
    restart: bool,
}

fn step() -> impl Strategy<Value = Step> {
    (0..KINDS, 0_u8..3, 0_u8..3, proptest::bool::weighted(0.2), 0_i64..25, proptest::bool::weighted(0.2))
        .prop_map(|(what, id, sender, rehearsed, minutes, restart)| Step {
            what,
            id,
            sender,
            rehearsed,
            minutes,
            restart,
        })
}

const KINDS: usize = 9;

/// Few ids, so that many are used again; good ones and some with one thing wrong.
fn submission(what: usize, id: u8) -> (Kind, Value) {
    // Those that are never stored have ids of their own, which stay new.
    let id = if matches!(what, 2 | 3) { id + 0x40 } else { id };
    let uuid = format!("019a813c-19d6-7820-9c09-5b3fffdd35{id:02x}");
    let base = |version: u32| {
        json!({
            "schema_version": version,
            "submitted_at": WRITTEN,
            "submitting_agent": "example-runtime/1.4.0",
            "submission_contract_version": "2.1.0",
            "declared_capabilities": ["multi_turn", "structured_output", "web_fetch", "tool_execution", "file_read"],
        })
    };
    let with = |mut value: Value, more: Value| {
        if let (Some(fields), Value::Object(more)) = (value.as_object_mut(), more) {
            fields.extend(more);
        }
        value
    };
    let concern = |skill: &str, body: &str| {
        with(
            base(4),
            json!({
                "concern_id": format!("con_{uuid}"),
                "target_type": "skill",
                "target_id": skill,
                "content": {"scope": "general", "body": body, "evidence_date": "2026-10-28", "evidence_source": "customer-report"},
            }),
        )
    };
    let verdict = |target: &str| {
        with(
            base(4),
            json!({
                "validation_id": format!("val_{uuid}"), "target_type": "skill", "target_id": target, "verdict": "confirm",
            }),
        )
    };
    match what {
        0 => (Kind::Concern, concern("arrival-declaration", "The counter asked for two photographs.")),
        1 => (Kind::Concern, concern("arrival-declaration", "Another text under the same id.")),
        2 => (Kind::Concern, concern("no-such-skill", "The counter asked for two photographs.")),
        3 => (Kind::Concern, concern("arrival-declaration", "Write to somebody@example.com about it.")),
        4 => (Kind::Validation, verdict("arrival-declaration")),
        5 => (Kind::Validation, verdict("school-enrolment")),
        6 => {
            let flag = json!({"verdict": "reject", "rationale": "It steers.", "injection_flag": true, "injection_reason": "It says so."});
            (Kind::Validation, with(verdict("renew-residence-card"), flag))
        }
        7 => {
            let rating = json!({"rating_id": format!("rtg_{uuid}"), "target_type": "skill",
                "target_id": "arrival-declaration", "skill_quality_stars": 3 + id % 3});
            (Kind::Rating, with(base(1), rating))
        }
        _ => {
            let mut event = with(
                base(1),
                json!({
                    "analytics_event_id": format!("anl_{uuid}"), "opt_in_consent": true, "event_type": "session_start", "content": {},
                }),
            );
            event.as_object_mut().expect("an object").shift_remove("declared_capabilities");
            (Kind::Analytics, event)
        }
    }
}

fn open(folder: &Path, clock: &Arc<AtomicI64>) -> Arc<App> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus");
    let settings = [("DATA", folder.display().to_string()), ("CORPUS", corpus.display().to_string())];
    // Low enough that plays meet them.
    let limits =
        [("PER_DAY", "9"), ("VALIDATIONS_PER_DAY", "4"), ("FLAGS_PER_DAY", "1"), ("BURST_PER_HOUR", "7")];
    let environment = settings.into_iter().map(|(name, value)| (format!("BECIVIC_SERVER__{name}"), value));
    let environment =
        environment.chain(limits.map(|(name, value)| (format!("BECIVIC_LIMITS__{name}"), value.to_owned())));
    let config = Config::load(None, environment).expect("a configuration");
    App::open(
        config,
        crate::names::bundled().expect("sound weights"),
        Clock::Set(Arc::clone(clock)),
        Role::Serve,
    )
    .expect("it opens")
    .0
}

fn close(app: Arc<App>) {
    app.db.close();
    assert_eq!(Arc::strong_count(&app), 1, "nobody else holds it");
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// What a submission was answered, without its token.
fn answer(app: &App, step: &Step, now: Moment) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let address: IpAddr = format!("192.0.2.{}", step.sender).parse().expect("an address");
        let sender = app.sender(address.into(), now).await.expect("a sender");
        let (kind, value) = submission(step.what, step.id);
        let incoming = Incoming { kind, value, session: None, burst: Burst::Untaken(now) };
        let mode = if step.rehearsed { Mode::Validate } else { Mode::Stage };
        let mut answer = pipeline::run(app, &sender, incoming, mode, now).await;
        if let Ok(Accepted::Staged { cancel_token, .. }) = &mut answer {
            assert_eq!(cancel_token.len(), 43);
            cancel_token.clear();
        }
        format!("{answer:?}")
    })
}

/// Plays the steps on a copy of a store; restarts where they say so, or nowhere.
fn play(store: &Path, steps: &[Step], restarts: bool) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut place = folder.path().join("store-0");
    copy(store, &place);
    let begin = Moment::read(WRITTEN).expect("a time").plus(HOUR);
    let clock = Arc::new(AtomicI64::new(begin.0));
    let mut app = open(&place, &clock);
    let mut answers = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        clock.fetch_add(step.minutes * MINUTE, Ordering::SeqCst);
        if restarts && step.restart {
            // On a copy, which is what a backup with its salts would be.
            close(app);
            let next = folder.path().join(format!("store-{}", at + 1));
            copy(&place, &next);
            place = next;
            app = open(&place, &clock);
        }
        answers.push(answer(&app, step, Moment(clock.load(Ordering::SeqCst))));
    }
    close(app);
    answers
}

#[test]
fn the_same_submissions_get_the_same_answers() {
    let store = tempfile::tempdir().expect("a folder");
    let clock = Arc::new(AtomicI64::new(Moment::read(WRITTEN).expect("a time").0));
    close(open(store.path(), &clock));
    let mut seen = std::collections::BTreeSet::new();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 12,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let steps = proptest::collection::vec(step(), 20..60);
    let result = runner.run(&steps, |steps| {
        let answers = play(store.path(), &steps, false);
        prop_assert_eq!(&answers, &play(store.path(), &steps, false));
        prop_assert_eq!(&answers, &play(store.path(), &steps, true));
        Ok(())
    });
    result.expect("the same answers");
    // The plays are worth something only when they meet every kind of end.
    let every: Vec<Step> = (0..KINDS * 6)
        .map(|at| Step {
            what: at % KINDS,
            id: (at / KINDS % 3) as u8,
            sender: u8::from(at % 7 == 6),
            rehearsed: at % 10 == 4,
            minutes: 4,
            restart: false,
        })
        .collect();
    for answer in play(store.path(), &every, false) {
        for word in [
            "Staged",
            "Applied",
            "Validated",
            "again: true",
            "CrossRefFail",
            "RegexFail",
            "RateLimitExceeded",
            "DuplicateId",
        ] {
            if answer.contains(word) {
                seen.insert(word);
            }
        }
    }
    assert_eq!(seen.len(), 8, "{seen:?}");
}
