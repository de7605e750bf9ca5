//! Every route: what it takes, what it may answer, who answers. One file per group in `routes/`.

mod about;
mod catalogues;
mod desk;
mod forms;
mod log;
mod operators;
pub mod param;
mod reading;
mod repository;
mod sending;
mod standing;

use super::answer::Answer;
use super::ask::Ask;
use super::paging::MOST;
use crate::rejection::{Category, Rejection};
use axum::http::Method;
use param::{Param, Takes};
use serde_json::Value;
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
    pub query: Vec<Param>,
    /// Statuses of good answers and what they hold.
    pub gives: Vec<(u16, &'static str)>,
    /// The schema of a good answer, where programs are told one.
    pub shape: Option<fn() -> Value>,
    /// The schema of the body, where that is no file of its own.
    pub body: Option<fn() -> Value>,
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
            shape: None,
            body: None,
            refuses: Vec::new(),
            handler: Box::new(move |ask| Box::pin(handler(ask))),
        }
    }

    /// The route of an address as it is written in the list.
    pub fn at(method: &Method, path: &str) -> Option<&'static Self> {
        ROUTES.iter().find(|route| route.method == *method && route.path == path)
    }

    /// What is wrong with the parameters of a request, where something is.
    pub fn misused(&self, ask: &Ask) -> Option<Rejection> {
        self.query.iter().find_map(|param| {
            let text = ask.query(param.name)?;
            let wrong = || Rejection::at(Category::SchemaFail, &format!("/{}", param.name), &param.help());
            (!param.takes_text(&text)).then(wrong)
        })
    }

    /// Answers a request.
    pub async fn answer(&self, ask: Ask) -> Answer {
        match self.misused(&ask) {
            Some(rejection) => Answer::refused(&rejection),
            None => (self.handler)(ask).await,
        }
    }

    /// The names of the parts of its address.
    pub fn in_path(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
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
        self.query.extend(query.iter().map(|(name, about)| Param::new(name, about, Takes::Text)));
        self
    }

    /// Takes parameters that say what they take.
    fn asks_for(mut self, query: Vec<Param>) -> Self {
        self.query.extend(query);
        self
    }

    fn gives(mut self, status: u16, about: &'static str) -> Self {
        self.gives.push((status, about));
        self
    }

    /// What a good answer looks like.
    fn shaped(mut self, shape: fn() -> Value) -> Self {
        self.shape = Some(shape);
        self
    }

    /// What the body looks like, where that is no file of its own.
    fn bodied(mut self, body: fn() -> Value) -> Self {
        self.body = Some(body);
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
fn page() -> Vec<Param> {
    vec![
        Param::new("limit", "At most this many; 50 when left out.", Takes::Count(1, MOST as u64)),
        Param::new("after", "The `next` of the answer before.", Takes::Text),
    ]
}

/// Addresses that exist and take nothing: an event cannot be asked for or taken back, and nothing is pushed.
pub const WITHOUT_METHODS: &[&str] = &["/api/analytics/{id}", "/corpus.git/git-receive-pack"];

/// Every route.
pub static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let groups = [
        sending::routes(),
        standing::routes(),
        log::routes(),
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
