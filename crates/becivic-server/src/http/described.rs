//! The interface as agents are told of it: routes that anybody may use, and the limits that hold.

use super::routes::{Auth, ROUTES, Route};
use crate::config::Config;
use crate::mcp;
use crate::rejection::Category;
use becivic_site::facts::{Api, Endpoint};

/// The interface for programs.
pub fn described(config: &Config) -> Api {
    let limits = &config.limits;
    let limits = [
        ("per_day", limits.per_day),
        ("validations_per_day", limits.validations_per_day),
        ("flags_per_day", limits.flags_per_day),
        ("burst_per_hour", limits.burst_per_hour),
        ("global_per_hour", limits.global_per_hour),
    ];
    Api {
        endpoints: ROUTES.iter().filter_map(endpoint).collect(),
        limits: limits.map(|(name, limit)| (name.to_owned(), u64::from(limit))).into(),
        refusals: Category::ALL.iter().map(refusal).collect(),
        staging_window_hours: config.staging.window.as_secs() / 3_600,
        body_limit: config.server.body_limit as u64,
        tools: mcp::described(),
    }
}

fn refusal(category: &Category) -> (String, (u16, String)) {
    (category.as_str().to_owned(), (category.status().as_u16(), category.about().to_owned()))
}

fn endpoint(route: &Route) -> Option<Endpoint> {
    let auth = match route.auth {
        Auth::Nothing => None,
        Auth::CancelToken => Some("cancel_token".to_owned()),
        Auth::OperatorToken | Auth::Signature | Auth::Session => return None,
    };
    if !route.path.starts_with("/api/") || route.path.starts_with("/api/_") {
        return None;
    }
    let schema = route.takes.filter(|name| !name.starts_with('#'));
    Some(Endpoint {
        method: route.method.to_string(),
        path: route.path.clone(),
        about: route.about.to_owned(),
        auth,
        schema: schema.map(|name| format!("/schemas/{name}.schema.json")),
        query: route.query.iter().map(|it| (it.name.to_owned(), it.about.to_owned())).collect(),
        refuses: route.refuses.iter().map(|it| it.as_str().to_owned()).collect(),
    })
}
