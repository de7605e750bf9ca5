//! What is counted, for `/metrics`. Labels are closed words of ours: no id, address or text can become one.

use crate::review::states::Wanted;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Labels: name and value, both ours.
type Labels<const N: usize> = [(&'static str, &'static str); N];

/// Upper bounds of request durations, in seconds.
const SECONDS: [f64; 9] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0];

/// The counters of a process.
pub struct Metrics {
    registry: Registry,
    /// Answers by route and status class.
    requests: Family<Labels<2>, Counter>,
    /// Submissions that were accepted, by type.
    accepted: Family<Labels<1>, Counter>,
    /// Submissions that were refused, by type and category.
    refused: Family<Labels<2>, Counter>,
    /// How often the limit for everybody was reached: an alarm.
    shed: Counter,
    /// Panics caught: a defect.
    panics: Counter,
    pages: Counter,
    duration: Histogram,
    /// What became of due items, by type and end.
    ended: Family<Labels<2>, Counter>,
    ticked: Family<Labels<2>, Counter>,
    /// Submissions that wait for a person, by type and why; and what became of them.
    held: Family<Labels<2>, Counter>,
    released: Family<Labels<2>, Counter>,
    discarded: Family<Labels<2>, Counter>,
    /// How long the oldest has been waiting, in seconds.
    held_oldest: Gauge,
    /// Items that should have been committed a day ago: an alarm.
    overdue: Gauge,
    /// Whether `main` was pushed to and breaks a rule: an alarm.
    main_broken: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// All at zero.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("becivic");
        let requests = Family::<Labels<2>, Counter>::default();
        let accepted = Family::<Labels<1>, Counter>::default();
        let refused = Family::<Labels<2>, Counter>::default();
        let (shed, panics, pages) = (Counter::default(), Counter::default(), Counter::default());
        let duration = Histogram::new(SECONDS);
        registry.register("http_requests", "Answers by route and status class", requests.clone());
        registry.register("submissions_accepted", "Submissions accepted, by type", accepted.clone());
        registry.register(
            "submissions_refused",
            "Submissions refused, by type and category",
            refused.clone(),
        );
        registry.register(
            "global_limit_reached",
            "Requests shed because everybody together sent too much",
            shed.clone(),
        );
        registry.register("panics", "Requests that hit a defect", panics.clone());
        registry.register("pages_made", "Pages of the site that were made anew", pages.clone());
        registry.register("http_request_duration_seconds", "How long answers took", duration.clone());
        let (ended, overdue) = (Family::<Labels<2>, Counter>::default(), Gauge::default());
        registry.register(
            "submissions_ended",
            "Due submissions by type and what became of them",
            ended.clone(),
        );
        registry.register("submissions_overdue", "Submissions due for more than a day", overdue.clone());
        let ticked = Family::<Labels<2>, Counter>::default();
        registry.register(
            "artefacts_ticked",
            "Artefacts the state machine looked at, by type and what became of them",
            ticked.clone(),
        );
        let [held, released, discarded] = std::array::from_fn(|_| Family::<Labels<2>, Counter>::default());
        registry.register(
            "submissions_held",
            "Submissions held for a person, by type and reason",
            held.clone(),
        );
        registry.register(
            "submissions_released",
            "Held submissions released, by type and reason",
            released.clone(),
        );
        registry.register(
            "submissions_discarded",
            "Held submissions discarded, by type and reason",
            discarded.clone(),
        );
        let held_oldest = Gauge::default();
        registry.register(
            "held_oldest_age_seconds",
            "How long the oldest held submission has been waiting, from the beginning of its day",
            held_oldest.clone(),
        );
        let main_broken = Gauge::default();
        registry.register("main_broken", "Whether main holds what the rules refuse", main_broken.clone());
        Self {
            registry,
            requests,
            accepted,
            refused,
            shed,
            panics,
            pages,
            duration,
            ended,
            ticked,
            held,
            released,
            discarded,
            held_oldest,
            overdue,
            main_broken,
        }
    }

    /// Counts an answer.
    pub fn answered(&self, route: &'static str, status: u16, seconds: f64) {
        let class = match status {
            200..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            _ => "5xx",
        };
        self.requests.get_or_create(&[("route", route), ("status", class)]).inc();
        self.duration.observe(seconds);
    }

    /// A due item came to an end.
    pub fn ended(&self, kind: &'static str, end: &'static str) {
        self.ended.get_or_create(&[("type", kind), ("end", end)]).inc();
    }

    /// The state machine looked at an artefact.
    pub fn ticked(&self, target_type: &str, end: &'static str) {
        let kinds = ["skill", "path", "volatile_value", "reference"];
        let kind = kinds.into_iter().find(|kind| *kind == target_type).unwrap_or("other");
        self.ticked.get_or_create(&[("type", kind), ("end", end)]).inc();
    }

    /// A submission is held.
    pub fn held(&self, kind: &'static str, why: &'static str) {
        self.held.get_or_create(&[("type", kind), ("reason", why)]).inc();
    }

    /// A person, or a program of theirs, moved a submission to a state.
    pub fn moved(&self, kind: &'static str, to: Wanted, why: &'static str) {
        let family = match to {
            Wanted::Held => &self.held,
            Wanted::Released | Wanted::ReleasedAfterEdit => &self.released,
            Wanted::Discarded => &self.discarded,
        };
        family.get_or_create(&[("type", kind), ("reason", why)]).inc();
    }

    /// How long the oldest held submission has been waiting, in seconds; 0 when nothing is held.
    pub fn held_oldest(&self, seconds: i64) {
        self.held_oldest.set(seconds);
    }

    /// How many items are due for more than a day.
    pub fn overdue(&self, items: i64) {
        self.overdue.set(items);
    }

    /// Whether `main` holds what the rules refuse.
    pub fn main_broken(&self, broken: bool) {
        self.main_broken.set(i64::from(broken));
    }

    /// Counts an accepted submission.
    pub fn accepted(&self, kind: &'static str) {
        self.accepted.get_or_create(&[("type", kind)]).inc();
    }

    /// Counts a refused submission.
    pub fn refused(&self, kind: &'static str, category: &'static str) {
        self.refused.get_or_create(&[("type", kind), ("category", category)]).inc();
    }

    /// Counts a request shed for everybody's sake.
    pub fn shed(&self) {
        self.shed.inc();
    }

    /// Counts a defect.
    pub fn panicked(&self) {
        self.panics.inc();
    }

    /// Counts a page that was made.
    pub fn page_made(&self) {
        self.pages.inc();
    }

    /// The text that monitoring reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(_) => String::new(),
        }
    }
}
