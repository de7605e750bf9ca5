//! The skill graph with the filters of §24.2.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::paging::{word, words};
use crate::rejection::{Category, Rejection};
use axum::http::StatusCode;
use becivic_core::graph_view::{Filter, View};
use becivic_core::skill_graph::{Locale, ProfileMatch, ShownStatus};
use becivic_core::vocabulary::{Domain, Status};

/// The graph.
pub async fn show(ask: Ask) -> Answer {
    answered(try_show(&ask))
}

fn try_show(ask: &Ask) -> Result<Answer, Rejection> {
    let shown = |name: &str| ShownStatus::named(name).and_then(|status| Status::named(status.as_str()));
    let served = ask.app.served();
    let filter = Filter {
        domain: words(ask, "applies_to", Domain::named)?.unwrap_or_default(),
        status: words(ask, "status", shown)?.unwrap_or_else(|| vec![Status::Stable, Status::Beta]),
        withheld: served.withheld_skills(),
    };
    let locale = word(ask, "customer_locale", Locale::named)?;
    let live = served.files();
    let mut graph = View::of(&live.corpus, filter).answer(&live.at.day().text());
    graph.filters_applied.customer_locale = locale;
    // A profile that was sent all the same is not looked at: eligibility is evaluated on the person's machine.
    graph.filters_applied.profile_match = ask.query("profile_match").map(|_| ProfileMatch::EvaluatedByClient);
    let value = serde_json::to_value(&graph).map_err(|_| Rejection::new(Category::Internal))?;
    Ok(Answer::json(StatusCode::OK, value, Cache::Minute))
}
