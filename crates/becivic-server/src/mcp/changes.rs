//! Who listens is told that the corpus has changed: another commit is served, or a flag has put something away.
//!
//! Changes that follow each other faster than they can be told are told once. The stream ends when the listener goes, or when the
//! server is about to stop.

use crate::app::App;
use rmcp::model::SubscriptionFilter;
use rmcp::service::SubscriptionContext;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What can be listened to: the lists of resources. Tools and prompts come with the program and change only with it.
pub fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    accepted.resources_list_changed = requested.resources_list_changed;
    accepted
}

/// Tells until nobody listens any more.
pub async fn tell(app: &Arc<App>, context: &SubscriptionContext) {
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
