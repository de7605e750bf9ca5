//! A call: arguments in, the answer of the route out.

use super::tools::{Tool, Way};
use crate::app::App;
use crate::http::answer::Answer;
use crate::http::ask::{Ask, Progress};
use crate::http::guarded;
use crate::notice;
use crate::rejection::Rejection;
use axum::http::request::Parts;
use rmcp::model::{
    CallToolResult, ContentBlock, JsonObject, ProgressNotificationParam, ProgressToken, ResourceContents,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// Calls a tool. Whatever is wrong is in the result.
pub async fn call(
    app: &Arc<App>,
    tool: &Tool,
    given: JsonObject,
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    let again = (tool.way == Way::Composes).then(|| given.clone());
    let (route, mut told) = match tool.request(given) {
        Ok(request) => request,
        Err(rejection) => return refused(&rejection),
    };
    // A page comes beside its data, which comes first.
    let page = again
        .filter(|_| !std::mem::take(&mut told.query).is_empty())
        .and_then(|again| tool.request(again).ok());
    let (steps, told_all) = match context.meta.get_progress_token() {
        Some(token) => {
            let (steps, rest) = tell_steps(token, context.peer.clone());
            (Some(steps), Some(rest))
        }
        None => (None, None),
    };
    let cancelled = context.ct.clone();
    told.progress = Some(Box::new(Waiting { steps, is_gone: Box::new(move || cancelled.is_cancelled()) }));
    let by = context.extensions.get::<Parts>();
    let ask = Ask::told(Arc::clone(app), &route.path, told, by);
    let limit = app.config.server.request_timeout;
    let answering = guarded(app, limit, route.answer(ask));
    let answer = tokio::select! {
        answer = answering => answer,
        // What has begun in the store ends there; only nobody waits for it.
        () = context.ct.cancelled() => Answer::refused(&Rejection::unavailable()),
    };
    // How far it was is told before what came of it.
    if let Some(told_all) = told_all {
        let _ended = told_all.await;
    }
    let Some((status, data)) = answer.data() else { return refused(&Rejection::unavailable()) };
    let noticed = notice::of_answer(&data, &app.served());
    let mut result = result(status.is_success(), data);
    if let (true, Some((route, told))) = (status.is_success(), page) {
        let answer = route.answer(Ask::told(Arc::clone(app), &route.path, told, by)).await;
        let page = answer.whole().and_then(|(_, page)| String::from_utf8(page.to_vec()).ok());
        result.content.extend(page.map(|page| {
            ContentBlock::resource(ResourceContents::text(page, PAGE).with_mime_type("text/html"))
        }));
    }
    result.content.extend(noticed.map(ContentBlock::text));
    result
}

/// What a page is called that has no address.
const PAGE: &str = "ui://becivic/onboarding-form";

fn refused(rejection: &Rejection) -> CallToolResult {
    result(false, rejection.body())
}

/// The result that an answer is: as text for every host, and as data where it is a good one.
fn result(is_good: bool, data: Value) -> CallToolResult {
    let content = vec![ContentBlock::text(data.to_string())];
    if !is_good {
        // A client holds data against the schema of good answers.
        return CallToolResult::error(content);
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(data);
    result
}

/// Whoever waits for a call.
struct Waiting {
    steps: Option<UnboundedSender<(usize, usize)>>,
    is_gone: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Progress for Waiting {
    fn done(&self, done: usize, of: usize) -> bool {
        if let Some(steps) = &self.steps {
            // Nobody hears it where the connection is gone.
            let _heard = steps.send((done, of));
        }
        !(self.is_gone)()
    }
}

/// Passes on how far a call is, in order, until there are no more steps. There are as many as an envelope has items.
fn tell_steps(
    token: ProgressToken,
    peer: Peer<RoleServer>,
) -> (UnboundedSender<(usize, usize)>, JoinHandle<()>) {
    let (steps, mut done) = unbounded_channel::<(usize, usize)>();
    let telling = tokio::spawn(async move {
        while let Some((done, of)) = done.recv().await {
            // Counts of items are far below what a float holds exactly.
            let step = ProgressNotificationParam::new(token.clone(), done as f64).with_total(of as f64);
            if peer.notify_progress(step).await.is_err() {
                return;
            }
        }
    });
    (steps, telling)
}
