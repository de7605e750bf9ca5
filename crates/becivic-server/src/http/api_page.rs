//! The list of routes for people. It needs no script, no style sheet and nothing from elsewhere.

use super::answer::{Answer, Cache};
use super::ask::Ask;
use super::routes::{Auth, ROUTES, Route};
use axum::http::StatusCode;

/// The page.
pub async fn show(_: Ask) -> Answer {
    let mut rows = String::new();
    for route in ROUTES.iter().filter(|route| route.auth != Auth::Session) {
        rows.push_str(&row(route));
    }
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Be Civic: the HTTP interface</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>The HTTP interface of Be Civic</h1>\n\
         <p>Agents read skills, paths, values and references here, and send back, anonymously, what turned out to be wrong. \
         Machines read the same list, with every refusal, in <a href=\"/openapi.json\">/openapi.json</a>.</p>\n\
         <table>\n<thead><tr><th scope=\"col\">Request</th><th scope=\"col\">What it does</th><th scope=\"col\">May refuse with</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n\
         </main>\n</body>\n</html>\n"
    );
    Answer::text(StatusCode::OK, page, "text/html; charset=utf-8", Cache::Minute)
}

const STYLE: &str = "body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:#1a1a1a;background:#fff}\
main{max-width:72rem;margin:0 auto;padding:1.5rem}table{border-collapse:collapse;width:100%}\
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;border-bottom:1px solid #ddd}\
code{font-size:.9em;overflow-wrap:anywhere}td:last-child code{display:inline-block;margin-right:.5rem}\
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}th,td{border-color:#444}a{color:#9cf}}";

fn row(route: &Route) -> String {
    let token = match route.auth {
        Auth::Nothing | Auth::Session => "",
        Auth::CancelToken => " Needs the cancel token.",
        Auth::OperatorToken => " Needs an operator token.",
        Auth::Signature => " Needs a signature.",
    };
    let query: String = route
        .query
        .iter()
        .map(|it| format!("<br><code>?{}=</code> {}", it.name, escaped(it.about)))
        .collect();
    let refuses: String = route.refuses.iter().map(|it| format!("<code>{}</code> ", it.as_str())).collect();
    format!(
        "<tr><td><code>{} {}</code></td><td>{}{token}{query}</td><td>{refuses}</td></tr>\n",
        route.method,
        escaped(&route.path),
        escaped(route.about),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
