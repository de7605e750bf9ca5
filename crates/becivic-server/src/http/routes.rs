//! Every route: what it takes, what it may answer, who answers. One file per group in `routes/`.

mod about;
mod catalogues;
mod desk;
mod forms;
mod operators;
mod reading;
mod repository;
mod sending;
mod standing;

use super::answer::Answer;
use super::ask::Ask;
use crate::rejection::Category;
use axum::http::Method;
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

/// A page of a list.
const PAGE: &[(&str, &str)] =
    &[("limit", "At most this many, up to 200."), ("after", "The `next` of the answer before.")];

/// Addresses that exist and take nothing: an event cannot be asked for or taken back, and nothing is pushed.
pub const WITHOUT_METHODS: &[&str] = &["/api/analytics/{id}", "/corpus.git/git-receive-pack"];

/// Every route.
pub static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let groups = [
        sending::routes(),
        standing::routes(),
        catalogues::routes(),
        reading::routes(),
        forms::routes(),
        repository::routes(),
        operators::routes(),
        about::routes(),
        desk::routes(),
    ];
    groups.into_iter().flatten().collect()
});
