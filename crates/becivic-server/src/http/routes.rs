//! Every route: what it takes, what it may answer, who answers.

use super::answer::Answer;
use super::ask::Ask;
use super::{
    api_page, catalogue, forge, git, graph, health, internal, notices, openapi, paths, review, sessions,
    skills, status, submit, transitions,
};
use crate::db::catalogue::Prefix;
use crate::rejection::Category;
use axum::http::Method;
use becivic_core::submission::Kind;
use std::future::Future;
use std::pin::Pin;
use std::sync::LazyLock;

type Answering = Pin<Box<dyn Future<Output = Answer> + Send>>;
type Handler = Box<dyn Fn(Ask) -> Answering + Send + Sync>;

/// One route.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The address, with its parameters in braces.
    pub path: String,
    /// What it does.
    pub about: &'static str,
    /// What must stand in `Authorization`.
    pub auth: Auth,
    /// The schema of the body, by name; with a `#` one of the document's own.
    pub takes: Option<&'static str>,
    /// The media type of the body, where that is not JSON.
    pub media: Option<&'static str>,
    /// Query parameters and what they mean.
    pub query: Vec<(&'static str, &'static str)>,
    /// Statuses of good answers and what they hold.
    pub gives: Vec<(u16, &'static str)>,
    /// What it may refuse with.
    pub refuses: Vec<Category>,
    /// Who answers.
    pub handler: Handler,
}

/// What must stand in `Authorization`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auth {
    /// Nothing.
    Nothing,
    /// The token that came with the answer to a submission.
    CancelToken,
    /// A token made by `becivic token`.
    OperatorToken,
    /// Nothing there: the body is signed, in a header of its own.
    Signature,
    /// Nothing, but the cookie of a session at the desk: these are pages for people, in no list for programs.
    Session,
}

impl Route {
    fn new<F>(
        method: Method,
        path: &str,
        about: &'static str,
        handler: impl Fn(Ask) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        Self {
            method,
            path: path.to_owned(),
            about,
            auth: Auth::Nothing,
            takes: None,
            media: None,
            query: Vec::new(),
            gives: Vec::new(),
            refuses: Vec::new(),
            handler: Box::new(move |ask| Box::pin(handler(ask))),
        }
    }

    fn get<F>(path: &str, about: &'static str, handler: impl Fn(Ask) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        Self::new(Method::GET, path, about, handler)
    }

    fn post<F>(path: &str, about: &'static str, handler: impl Fn(Ask) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        Self::new(Method::POST, path, about, handler).refuses(BODY)
    }

    fn takes(mut self, schema: &'static str) -> Self {
        self.takes = Some(schema);
        self
    }

    /// Speaks the protocol of `git`: bodies of its media type, refusals in plain words.
    fn speaks_git(mut self, media: Option<&'static str>) -> Self {
        self.media = media;
        self.refuses(&[Category::MalformedRequest, Category::ReadOnly])
    }

    fn asks(mut self, query: &[(&'static str, &'static str)]) -> Self {
        self.query.extend(query);
        self
    }

    fn gives(mut self, status: u16, about: &'static str) -> Self {
        self.gives.push((status, about));
        self
    }

    fn refuses(mut self, categories: &[Category]) -> Self {
        self.refuses.extend(categories);
        self
    }

    /// Reads or writes the store, which may be away.
    fn stored(self) -> Self {
        self.refuses(&[Category::StagingUnavailable])
    }

    fn for_holders_of(mut self, auth: Auth) -> Self {
        self.auth = auth;
        self.refuses(&[Category::Unauthorized])
    }
}

/// What any body may be refused with.
const BODY: &[Category] = &[
    Category::MalformedJson,
    Category::SchemaFail,
    Category::PayloadTooLarge,
    Category::UnsupportedMediaType,
];

/// What any submission may be refused with besides.
const SUBMISSION: &[Category] = &[
    Category::IdentityFieldBanned,
    Category::TimingFail,
    Category::CapabilityMismatch,
    Category::DuplicateIdDifferentSubmitter,
    Category::RegexFail,
    Category::CrossRefFail,
    Category::RateLimitExceeded,
];

/// A page of a list.
const PAGE: &[(&str, &str)] =
    &[("limit", "At most this many, up to 200."), ("after", "The `next` of the answer before.")];

/// What is asked about observations.
const OBSERVED: &[(&str, &str)] = &[
    ("status", "`committed` concerns, `pending` amendments, or both when left out."),
    ("since", "Only what was committed on or after this day."),
];

/// Addresses that exist and take nothing: an event cannot be asked for or taken back, and nothing is pushed.
pub const WITHOUT_METHODS: &[&str] = &["/api/analytics/{id}", "/corpus.git/git-receive-pack"];

/// Every route.
pub static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let groups = [sending(), standing(), catalogues(), reading(), repository(), operators(), about(), desk()];
    groups.into_iter().flatten().collect()
});

/// Submissions.
fn sending() -> Vec<Route> {
    let one = |path: &str, schema: &'static str, kind: Kind, about: &'static str| {
        Route::post(path, about, move |ask| submit::one(ask, kind))
            .takes(schema)
            .asks(&[("dry_run", "`1`: say whether it would be accepted, and store nothing.")])
            .gives(201, "Accepted: the id, and for what is staged the cancel token and when it is committed.")
            .gives(200, "Accepted before, or `dry_run=1`: the record as it stands.")
            .gives(202, "Held for review.")
            .refuses(SUBMISSION)
            .stored()
    };
    vec![
        one("/api/concerns", "concern", Kind::Concern, "Something is wrong with an artefact, or missing."),
        one("/api/amendments", "amendment", Kind::Amendment, "A change to one existing artefact.")
            .refuses(&[Category::DiffApplyFailed, Category::Layer2ScrubFailure]),
        one("/api/drafts", "draft", Kind::Draft, "A proposal for a new skill or path.")
            .refuses(&[Category::Layer2ScrubFailure]),
        one(
            "/api/validations",
            "validation",
            Kind::Validation,
            "A verdict, or a vote on a concern; applies at once.",
        )
        .refuses(&[Category::SelfValidationBlocked]),
        one(
            "/api/feedback-channel",
            "feedback",
            Kind::Feedback,
            "A message about Be Civic, for its maintainers.",
        ),
        one("/api/ratings", "rating", Kind::Rating, "One to five stars."),
        one(
            "/api/analytics",
            "analytics",
            Kind::Analytics,
            "One consented event of a session's life; applies at once.",
        ),
        Route::post(
            "/api/feedback",
            "Several submissions in one request; the primary way.",
            submit::envelope,
        )
        .takes("feedback-envelope")
        .asks(&[("dry_run", "`1`: as `mode: validate`; the body's `mode` wins.")])
        .gives(200, "`results`, one per item, each accepted or refused on its own.")
        .refuses(&[Category::IdentityFieldBanned, Category::RateLimitExceeded])
        .stored(),
    ]
}

/// Single submissions and sessions, after they were sent.
fn standing() -> Vec<Route> {
    let mut routes = Vec::new();
    for (folder, kind) in [
        ("concerns", Kind::Concern),
        ("amendments", Kind::Amendment),
        ("drafts", Kind::Draft),
        ("validations", Kind::Validation),
        ("feedback-channel", Kind::Feedback),
        ("ratings", Kind::Rating),
    ] {
        let path = format!("/api/{folder}/{{id}}");
        let show = move |ask| status::show(ask, kind);
        routes.push(
            Route::get(&path, "Where a submission stands; nothing of its text.", show)
                .gives(200, "The state, and while staged `commit_eta`.")
                .refuses(&[Category::NotFound])
                .stored(),
        );
        // A verdict applies at once: there is nothing to take back.
        if kind != Kind::Validation {
            let cancel = move |ask| status::cancel(ask, kind);
            routes.push(
                Route::new(
                    Method::DELETE,
                    &path,
                    "Takes a submission back, while it is staged or held.",
                    cancel,
                )
                .for_holders_of(Auth::CancelToken)
                .gives(200, "`cancelled: true`")
                .stored(),
            );
        }
        let change = move |ask| status::change(ask, kind);
        routes.push(
            Route::new(
                Method::PATCH,
                &format!("{path}/status"),
                "Moves a submission to another state.",
                change,
            )
            .takes("#NewState")
            .for_holders_of(Auth::OperatorToken)
            .gives(200, "The state now, and the one before.")
            .refuses(BODY)
            .refuses(&[Category::InvalidTransition, Category::NotFound])
            .stored(),
        );
    }
    let about = "What was sent in a session, for whoever knows its id.";
    routes.push(
        Route::get("/api/feedback/sessions/{session_id}", about, sessions::list)
            .gives(200, "`items`: staged submissions and verdicts of the session.")
            .refuses(&[Category::NotFound])
            .stored(),
    );
    routes
}

/// Values and references.
fn catalogues() -> Vec<Route> {
    let of = |folder: &str, prefix: Prefix, abouts: [&'static str; 3]| {
        let [list, one, history] = abouts;
        [
            Route::get(&format!("/api/{folder}"), list, move |ask| catalogue::list(ask, prefix))
                .asks(&[("status", "Only rows of this status.")])
                .asks(PAGE)
                .gives(200, "A page of current rows.")
                .refuses(&[Category::SchemaFail])
                .stored(),
            Route::get(&format!("/api/{folder}/{{uid}}"), one, move |ask| catalogue::one(ask, prefix))
                .gives(200, "The current row, its cohort, and `previous_stable` while it is not stable.")
                .refuses(&[Category::NotFound])
                .stored(),
            Route::get(&format!("/api/{folder}/{{uid}}/history"), history, move |ask| {
                catalogue::history(ask, prefix)
            })
            .gives(200, "Every row.")
            .refuses(&[Category::NotFound])
            .stored(),
        ]
    };
    let values = [
        "Fees, deadlines and other values, by uid.",
        "One value, by uid or name.",
        "Every version of a value, newest first.",
    ];
    let references =
        ["Sources, by uid.", "One source, by uid or name.", "Every version of a source, newest first."];
    let values = of("volatile-values", Prefix::Value, values);
    values.into_iter().chain(of("references", Prefix::Reference, references)).collect()
}

/// Skills and paths.
fn reading() -> Vec<Route> {
    let observed = |path: &str, about: &'static str| {
        Route::get(path, about, skills::concerns)
            .asks(OBSERVED)
            .asks(PAGE)
            .gives(200, "A page of pending amendments and committed concerns, newest first.")
            .refuses(&[Category::NotFound, Category::SchemaFail])
            .stored()
    };
    vec![
        Route::get("/api/skills", "Every skill, by id.", skills::list)
            .asks(&[("status", "Only skills of this status."), ("category", "Only skills of this category.")])
            .asks(PAGE)
            .gives(200, "A page of skills.")
            .refuses(&[Category::SchemaFail]),
        Route::get("/api/skills/{id}", "One skill: frontmatter, text, community observations.", skills::one)
            .gives(200, "The skill.")
            .refuses(&[Category::NotFound])
            .stored(),
        Route::get("/api/skills/{id}/history", "The commits that changed a skill.", skills::history)
            .gives(200, "Commits, newest first.")
            .refuses(&[Category::NotFound]),
        observed("/api/skills/{id}/concerns", "What the community says of a skill and what it cites."),
        observed("/api/skills/{id}/observations", "The same, under its other name."),
        Route::get(
            "/api/concerns",
            "What the community says of a skill, for `?skill=`.",
            skills::concerns_of,
        )
        .asks(&[("skill", "The skill.")])
        .asks(OBSERVED)
        .asks(PAGE)
        .gives(200, "A page of pending amendments and committed concerns, newest first.")
        .refuses(&[Category::NotFound, Category::SchemaFail])
        .stored(),
        Route::get("/api/paths", "The Path Directory: routes to documents and tools.", paths::list)
            .asks(&[("theme", "Only paths of this theme."), ("status", "Only paths of this status.")])
            .asks(PAGE)
            .gives(200, "A page of paths with their sources.")
            .refuses(&[Category::SchemaFail])
            .stored(),
        Route::get("/api/paths/{id}", "One path with its sources.", paths::one)
            .gives(200, "The path.")
            .refuses(&[Category::NotFound])
            .stored(),
        Route::get("/api/transitions", "Every change of a status, with its numbers.", transitions::list)
            .asks(&[("target_type", "Of one artefact: what it is."), ("target_id", "Which.")])
            .asks(PAGE)
            .gives(200, "A page of changes, newest first.")
            .refuses(&[Category::SchemaFail])
            .stored(),
        Route::get("/api/skill-graph", "Skills and how they hang together.", graph::show)
            .asks(&[
                ("applies_to", "Only these domains, joined by commas."),
                ("status", "Only these statuses, joined by commas; `stable,beta` when left out."),
                ("customer_locale", "NL, FR, DE or EN."),
                ("profile_match", "Evaluated on the person's machine: it is neither read nor kept."),
            ])
            .gives(200, "Nodes and edges; the fallback skill is always among them.")
            .refuses(&[Category::SchemaFail]),
    ]
}

/// The corpus for `git clone`.
fn repository() -> Vec<Route> {
    vec![
        Route::get(
            "/corpus-notices.json",
            "What whoever keeps a copy of the corpus must know.",
            notices::list,
        )
        .gives(200, "Notices, newest first; `refresh` means: remove the copy and make another."),
        Route::get(
            "/corpus.git/info/refs",
            "Where `git clone` begins: branches and pull requests.",
            git::refs,
        )
        .asks(&[("service", "`git-upload-pack`, the only one served.")])
        .gives(200, "The names and their commits, in the lines of Git's protocol.")
        .speaks_git(None)
        .refuses(&[Category::NotFound, Category::StagingUnavailable]),
        Route::new(Method::POST, "/corpus.git/git-upload-pack", "What `git` lacks, as a pack.", git::upload)
            .gives(200, "What both have, then the pack.")
            .speaks_git(Some("application/x-git-upload-pack-request"))
            .refuses(&[
                Category::PayloadTooLarge,
                Category::UnsupportedMediaType,
                Category::StagingUnavailable,
            ]),
    ]
}

/// What operators and their tools ask.
fn operators() -> Vec<Route> {
    vec![
        Route::get(
            "/api/_internal/artefact-stats",
            "Distinct voters of an artefact.",
            internal::artefact_stats,
        )
        .for_holders_of(Auth::OperatorToken)
        .asks(&[("target_type", "What it is."), ("target_id", "Which.")])
        .gives(200, "Counts in the current cohort.")
        .refuses(&[Category::SchemaFail, Category::NotFound])
        .stored(),
        Route::get("/api/_internal/rating-stats", "Stars by target.", internal::rating_stats)
            .for_holders_of(Auth::OperatorToken)
            .asks(&[("target_type", "skill, agent_protocol or session.")])
            .gives(200, "How many ratings, and their average.")
            .refuses(&[Category::SchemaFail])
            .stored(),
        Route::post(
            "/api/_internal/catalogue-entries",
            "The uid of a name, minted where it is new.",
            internal::mint,
        )
        .takes("#CatalogueEntry")
        .for_holders_of(Auth::OperatorToken)
        .gives(201, "The new uid; its first row is alpha.")
        .gives(200, "The uid it has.")
        .stored(),
        Route::new(
            Method::POST,
            "/api/_forge/webhook",
            "What GitHub tells by itself, where the corpus lives there.",
            forge::webhook,
        )
        .takes("#ForgeEvent")
        .for_holders_of(Auth::Signature)
        .gives(200, "`looking`: whether it is a reason to look again.")
        .refuses(&[Category::MalformedJson, Category::PayloadTooLarge, Category::NotFound]),
    ]
}

/// The server itself.
fn about() -> Vec<Route> {
    vec![
        Route::get("/healthz", "Whether the process lives.", health::live).gives(200, "It does."),
        Route::get("/readyz", "Whether it can do its work.", health::ready).gives(200, "It can.").stored(),
        Route::get("/metrics", "Counters, for monitoring.", health::metrics).gives(200, "OpenMetrics text."),
        Route::get("/openapi.json", "This list for machines.", openapi::show).gives(200, "OpenAPI 3.1."),
        Route::get("/api", "This list for people.", api_page::show).gives(200, "A page."),
        Route::get("/schemas/{file}", "A JSON Schema.", openapi::schema)
            .gives(200, "The schema.")
            .refuses(&[Category::NotFound]),
        Route::get("/scrub-rules.json", "The rules that find personal data.", openapi::scrub_rules)
            .gives(200, "The rules, as every scrubber of ours runs them."),
    ]
}

/// The review desk.
fn desk() -> Vec<Route> {
    use review::Which;
    let page = |path: &str, about: &'static str, which: Which| {
        Route::get(path, about, move |ask| review::show(ask, which))
    };
    let form = |path: &str, about: &'static str, which: Which| {
        Route::new(Method::POST, path, about, move |ask| review::act(ask, which))
    };
    let routes = vec![
        page("/review", "What waits for a maintainer.", Which::Overview),
        page("/review/drafts", "Drafts.", Which::Drafts),
        page("/review/drafts/{number}", "One draft, as it would be.", Which::Draft),
        form("/review/drafts/{number}", "Merges or refuses a draft.", Which::Draft),
        page("/review/held", "Held submissions.", Which::Held),
        page("/review/held/{id}", "One held submission.", Which::OneHeld),
        form("/review/held/{id}", "Releases or discards a held submission.", Which::OneHeld),
        page("/review/flags", "Flags and quarantines.", Which::Flags),
        page("/review/artefacts", "One artefact, by its name.", Which::Look),
        page("/review/artefacts/{kind}/{id}", "One artefact.", Which::Artefact),
        form("/review/artefacts/{kind}/{id}", "Decides on an artefact.", Which::Artefact),
        page("/review/feedback", "Messages.", Which::Feedback),
        page("/review/feedback/{handle}", "One message.", Which::Message),
        form("/review/feedback/{handle}", "Moves a message.", Which::Message),
        page("/review/log", "What was done.", Which::Log),
        Route::get("/review/login", "The login form.", review::login),
        Route::new(Method::POST, "/review/login", "Begins a session.", review::log_in),
        Route::new(Method::POST, "/review/logout", "Ends a session.", review::log_out),
        Route::get("/review/style.css", "What the pages look like.", review::style),
        Route::get("/review/{*rest}", "Any other address of the desk.", review::missing),
    ];
    routes.into_iter().map(|route| Route { auth: Auth::Session, ..route }).collect()
}
