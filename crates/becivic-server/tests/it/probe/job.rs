//! The job over a corpus of its own: which sources are asked, and what is kept.

use super::site::{Reply, Site, page, redirect, status};
use super::{PATIENCE, page_source};
use becivic_core::path::PathSource;
use becivic_core::probe::{Judged, Look, Skip, Unfit};
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::db::{jobs, probes};
use becivic_server::jobs::Lease;
use becivic_server::jobs::commit::Mode;
use becivic_server::moment::{Clock, DAY, MINUTE, Moment};
use becivic_server::probe::{self, Ask, Became, Failed, Summary};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A source that must say `Bienvenue`, as it is written in the catalogue.
fn written(id: &str, deeplink: &str) -> Value {
    let source = PathSource { id: id.to_owned(), ..page_source(deeplink) };
    serde_json::to_value(source).expect("JSON")
}

/// Writes a corpus whose sources lie on the test's hosts.
fn write_corpus(folder: &Path) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus");
    crate::function::copy(&fixtures, folder);
    let change = |file: &str, change: &dyn Fn(&mut Value)| {
        let text = fs::read_to_string(folder.join(file)).expect("a file");
        let mut value: Value = serde_json::from_str(&text).expect("JSON");
        change(&mut value);
        fs::write(folder.join(file), format!("{value:#}\n")).expect("written");
    };
    change("schemas/source-classes.json", &|classes| {
        let hosts = classes["primary"]["hosts"].as_array_mut().expect("hosts");
        hosts.push(json!("*.probe.example"));
    });
    change("paths/index.json", &|index| {
        let paths = &mut index["paths"];
        let mut audited = paths["residence-certificate"]["sources"][0].clone();
        assert_eq!(audited["audited_document_delivery"], json!(true));
        audited["procedure"]["deeplink"] = json!("https://www.probe.example/audited");
        let desk = paths["residence-certificate"]["sources"][2].clone();
        paths["household-certificate"]["sources"] = json!([
            written("good", "https://www.probe.example/good"),
            written("good-too", "https://www.probe.example/good"),
            written("gone", "https://www.probe.example/gone"),
            written("failed", "https://www.probe.example/failed"),
            written("down", "https://www.probe.example/down"),
            written("strays", "https://www.probe.example/strays"),
            written("elsewhere", "https://unlisted.example/good"),
            audited,
            desk,
        ]);
        paths["residence-certificate"]["status"] = json!("quarantined");
        paths["residence-certificate"]["sources"] =
            json!([written("hidden", "https://www.probe.example/hidden")]);
        assert_eq!(paths["retired-portal-form"]["status"], json!("deprecated"));
        paths["retired-portal-form"]["sources"] = json!([written("old", "https://other.probe.example/old")]);
    });
}

fn serve() -> Site {
    Site::serve(|heard| match heard.target.as_str() {
        "/good" | "/old" | "/hidden" | "/audited" => page("Bienvenue"),
        "/failed" => page("Page introuvable"),
        "/down" => status(503),
        "/strays" => redirect("https://inside.probe.example/"),
        "/robots.txt" | "/gone" => status(404),
        other => Reply::Say(500, Vec::new(), other.as_bytes().to_vec()),
    })
}

/// A server over that corpus, in a folder that is gone with it.
struct Served {
    app: Arc<App>,
    site: Site,
    _folder: tempfile::TempDir,
}

impl Served {
    fn open() -> Self {
        Self::open_with(&[], &write_corpus)
    }

    fn open_with(more: &[(&str, &str)], write_corpus: &dyn Fn(&Path)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        write_corpus(&folder.path().join("corpus"));
        let site = serve();
        let place = |name: &str| folder.path().join(name).display().to_string();
        let settings = [("BECIVIC_SERVER__DATA", place("data")), ("BECIVIC_SERVER__CORPUS", place("corpus"))];
        let settings =
            settings.into_iter().chain(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let environment = settings.map(|(name, value)| (name.to_owned(), value));
        let config = Config::load(None, environment).expect("a configuration");
        let (app, _) = App::open(
            config,
            crate::names::bundled().expect("sound weights"),
            Clock::Set(Arc::clone(&site.clock)),
            Role::Serve,
        )
        .expect("it opens");
        for id in ["household-certificate", "residence-certificate", "retired-portal-form"] {
            assert!(app.live.load().path(id).is_some(), "{id} fits its schema");
        }
        Self { app, site, _folder: folder }
    }

    fn run(&self, mode: Mode, only: Option<&str>) -> anyhow::Result<(Summary, BTreeMap<String, Became>)> {
        let lease = Lease::take(&self.app, probe::NAME).expect("a store").expect("a lease");
        let mut told = BTreeMap::new();
        let mut tell = |one: &probe::Told, _| {
            let before = told.insert(format!("{}:{}", one.path_id, one.source_id), one.became.clone());
            assert_eq!(before, None, "each is told once");
        };
        let ended =
            probe::run_over(&self.app, &lease, Ask { mode, only }, &self.site.network(PATIENCE), &mut tell);
        lease.give_back("well");
        ended.map(|summary| (summary, told))
    }

    /// When each source was last asked.
    fn looked(&self) -> BTreeMap<String, Moment> {
        let looked = self.app.db.read_now(probes::looked_at).expect("a store");
        looked.into_iter().map(|(path, source, at)| (format!("{path}:{source}"), at)).collect()
    }
}

const GOOD: &str = "household-certificate:good";
const AUDITED: &str = "household-certificate:irisbox-quicklink";
const OLD: &str = "retired-portal-form:old";

#[test]
fn every_source_that_may_be_is_asked_once_and_judged() {
    let served = Served::open();
    let (summary, told) = served.run(Mode::Carry, None).expect("it runs");
    let expected = [
        (GOOD, Became::Answered(200, Judged::Confirms)),
        ("household-certificate:good-too", Became::Answered(200, Judged::Confirms)),
        ("household-certificate:gone", Became::Answered(404, Judged::Rejects("source-retired".to_owned()))),
        ("household-certificate:failed", Became::Answered(200, Judged::Rejects("source-retired".to_owned()))),
        (
            "household-certificate:down",
            Became::Answered(503, Judged::Nothing(becivic_core::probe::Unsettled::Passing)),
        ),
        ("household-certificate:strays", Became::Unanswered(Failed::NotPublic)),
        ("household-certificate:elsewhere", Became::Skipped(Skip::Unfit(Unfit::Unlisted))),
        (AUDITED, Became::Skipped(Skip::Audited)),
        ("household-certificate:commune-desk", Became::Skipped(Skip::Offline)),
        ("residence-certificate:hidden", Became::NotOffered),
        (OLD, Became::Answered(200, Judged::Confirms)),
    ];
    let expected: BTreeMap<String, Became> =
        expected.into_iter().map(|(id, it)| (id.to_owned(), it)).collect();
    assert_eq!(told, expected);
    assert_eq!(
        summary,
        Summary { confirmed: 3, rejected: 2, unsettled: 1, unanswered: 1, skipped: 4, ..Summary::default() }
    );
    let asked = served.site.asked();
    let together = asked.iter().filter(|asked| asked.ends_with("/good")).count();
    assert_eq!(together, 2, "the head and the page, for both sources there: {asked:?}");
    for never in ["/audited", "/hidden"] {
        assert!(!asked.iter().any(|asked| asked.contains(never)), "{asked:?}");
    }
    assert!(!served.site.heard().iter().any(|heard| heard.host == "unlisted.example"));
    let looked = served.looked();
    let kept: Vec<&String> = looked.keys().collect();
    let judged = expected.iter().filter(|(_, it)| matches!(it, Became::Answered(..) | Became::Unanswered(_)));
    assert_eq!(kept, judged.map(|(id, _)| id).collect::<Vec<_>>());
}

#[test]
fn hosts_take_turns() {
    let served = Served::open();
    served.run(Mode::Carry, None).expect("it runs");
    let hosts: Vec<String> = served.site.heard().into_iter().map(|heard| heard.host).collect();
    let second = hosts.iter().position(|host| host == "other.probe.example").expect("it was asked");
    let last = hosts.iter().rposition(|host| host == "www.probe.example").expect("it was asked");
    assert!(second < last, "{hosts:?}");
}

#[test]
fn a_dry_run_asks_nobody() {
    let served = Served::open();
    let (summary, told) = served.run(Mode::Try, None).expect("it runs");
    assert_eq!((summary.due, summary.skipped), (7, 4));
    assert_eq!(told.get(GOOD), Some(&Became::Due(Look::Page)));
    assert_eq!(served.site.connections(), 0);
    assert!(served.looked().is_empty());
}

#[test]
fn an_audited_source_is_not_asked_when_it_is_named() {
    let served = Served::open();
    let (_, told) = served.run(Mode::Carry, Some(AUDITED)).expect("it runs");
    assert_eq!(told, BTreeMap::from([(AUDITED.to_owned(), Became::Skipped(Skip::Audited))]));
    assert_eq!(served.site.connections(), 0);
    assert!(served.looked().is_empty());
}

#[test]
fn what_was_asked_waits_for_its_time_unless_it_is_named() {
    let served = Served::open();
    served.run(Mode::Carry, None).expect("it runs");
    let before = served.looked();
    let asked = served.site.asked().len();
    served.site.clock.fetch_add(DAY - 10 * MINUTE, Ordering::SeqCst);
    let (summary, told) = served.run(Mode::Carry, None).expect("it runs");
    assert_eq!((summary.recent, summary.confirmed), (7, 0));
    assert_eq!(told.get(GOOD), Some(&Became::Recent));
    assert_eq!(served.site.asked().len(), asked);
    let (summary, _) = served.run(Mode::Carry, Some(GOOD)).expect("it runs");
    assert_eq!(summary, Summary { confirmed: 1, ..Summary::default() });
    assert!(served.looked().get(GOOD) > before.get(GOOD));
    let (summary, _) = served.run(Mode::Carry, Some("retired-portal-form")).expect("it runs");
    assert_eq!(summary.confirmed, 1, "what is deprecated may come back");
    served.site.clock.fetch_add(11 * MINUTE, Ordering::SeqCst);
    let (summary, _) = served.run(Mode::Carry, None).expect("it runs");
    assert_eq!((summary.recent, summary.rejected), (2, 2), "the two that were named are recent");
}

#[test]
fn a_withheld_path_is_not_asked() {
    let served = Served::open();
    let insert = "INSERT INTO standings (target_type, target_id, status, version, cohort, started_at, first_at, withheld) \
         VALUES ('path', 'household-certificate', 'alpha', '0.1.0', '0.1#1', 0, 0, 1) \
         ON CONFLICT (target_type, target_id) DO UPDATE SET withheld = 1";
    served.app.db.write_now(move |tx| tx.execute(insert, &[])).expect("a row");
    let (_, told) = served.run(Mode::Carry, None).expect("it runs");
    assert_eq!(told.get(GOOD), Some(&Became::NotOffered));
    assert_eq!(told.get(OLD), Some(&Became::Answered(200, Judged::Confirms)));
}

#[test]
fn nothing_is_asked_any_more_once_the_process_ends() {
    let served = Served::open();
    served.app.stopping.store(true, Ordering::SeqCst);
    let said = served.run(Mode::Carry, None).expect_err("it is stopped").to_string();
    assert!(said.contains("7 sources still to be asked"), "{said}");
    assert_eq!(served.site.connections(), 0);
    let unknown =
        served.run(Mode::Carry, Some("no-such-path")).expect_err("nothing has this name").to_string();
    assert_eq!(unknown, "no path or source has this name");
}

#[test]
fn a_source_that_is_gone_from_the_corpus_meanwhile_gets_no_verdict() {
    let served = Served::open();
    let app = Arc::downgrade(&served.app);
    served.site.whenever(move |heard| {
        let Some(app) = app.upgrade().filter(|_| heard.target == "/good") else { return };
        let live = app.live.load_full();
        let corpus = live.corpus.patched(Vec::new(), &["paths/index.json".to_owned()]).expect("a corpus");
        app.live.store(Arc::new(live.committed(corpus, live.commit.clone(), live.at)));
    });
    let (summary, told) = served.run(Mode::Carry, Some(GOOD)).expect("it runs");
    assert_eq!(told, BTreeMap::from([(GOOD.to_owned(), Became::Changed)]));
    assert_eq!(summary, Summary { unsettled: 1, ..Summary::default() });
    assert!(served.looked().is_empty());
}

#[test]
fn the_schedule_is_off_unless_somebody_wants_it() {
    let served = Served::open();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let ended = async { tokio::time::timeout(PATIENCE, probe::scheduled(Arc::clone(&served.app))).await };
    assert!(runtime.block_on(ended).is_ok(), "it does not even look");
    assert!(served.looked().is_empty());
}

/// On the public network, with nothing on it that may be asked.
#[test]
fn the_schedule_runs_where_somebody_wants_it_and_ends_with_the_process() {
    let served = Served::open_with(&[("BECIVIC_PROBES__ENABLED", "true")], &|folder| {
        write_corpus(folder);
        let file = folder.join("schemas/source-classes.json");
        let text = fs::read_to_string(&file).expect("a file").replace("*.probe.example", "nobody.example");
        fs::write(&file, text).expect("written");
    });
    let app = Arc::clone(&served.app);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let running = runtime.spawn(probe::scheduled(app));
    let has_run = || {
        let now = served.app.clock.now();
        !served.app.db.read_now(move |tx| jobs::is_due(tx, probe::NAME, MINUTE, now)).expect("a store")
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while !has_run() {
        assert!(Instant::now() < deadline, "it is due and does not run");
        std::thread::yield_now();
    }
    served.app.stopping.store(true, Ordering::SeqCst);
    let ended = runtime.block_on(async { tokio::time::timeout(Duration::from_secs(60), running).await });
    ended.expect("it ends").expect("well");
    assert_eq!(served.site.connections(), 0);
}
