//! Who listens is told that the corpus has changed: another commit is served, or a flag has put something away.
//!
//! Changes that follow each other faster than they can be told are told once. The stream ends when the listener goes, or when the
//! server is about to stop.

use crate::app::App;
use rmcp::ErrorData;
use rmcp::model::SubscriptionFilter;
use rmcp::service::SubscriptionContext;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What can be listened to: the lists of resources. Tools and prompts come with the program and change only with it.
pub fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    accepted.resources_list_changed = requested.resources_list_changed;
    accepted
}

/// Who may listen at the same time: each keeps a connection, and there must be some left for those who ask.
pub const LISTENERS: usize = 256;

/// How long a stream stays open; whoever wants to hear more listens again.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// Tells until nobody listens any more; refuses where too many do.
pub async fn tell(app: &Arc<App>, context: &SubscriptionContext) -> Result<(), ErrorData> {
    let Ok(_place) = app.listeners.try_acquire() else {
        let words =
            "Too many listen at the moment. Ask for the list again when you need it, or listen later.";
        return Err(ErrorData::internal_error(words, None));
    };
    let _ended = tokio::time::timeout(LONGEST, tell_all(app, context)).await;
    Ok(())
}

async fn tell_all(app: &App, context: &SubscriptionContext) {
    let mut changes = app.changes.subscribe();
    loop {
        tokio::select! {
            () = context.cancelled() => return,
            changed = changes.changed() => {
                let is_over = changed.is_err() || app.stopping.load(Ordering::Acquire);
                if is_over || context.sink().notify_resource_list_changed().await.is_err() {
                    return;
                }
            }
        }
    }
}
