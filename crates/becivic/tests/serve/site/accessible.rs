//! Every kind of page, in light and in dark: axe finds nothing, the HTML validates, and every link within the site leads somewhere.

use super::live::taken_down;
use crate::commit::{committed, quick};
use crate::consensus::{flag, voter};
use crate::desk::chromium::Browser;
use crate::harness::{Engine, Place, Server, Setup, propose, root};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// One page of each kind.
const PAGES: &[&str] = &[
    "/",
    "/skills/",
    "/skills/nationality-application",
    "/skills/nationality-application/history",
    "/skills/meta-no-skill-fallback",
    "/paths/",
    "/paths/change-of-address-declaration",
    "/paths/themes/family/",
    "/paths/themes/environment-and-energy/",
    "/docs/",
    "/agents/submit/",
    "/values/",
    "/references/",
    "/values/val-00059",
    "/references/ref-00004",
    "/activity",
    "/log",
    "/search",
    "/search?q=verhuizen",
    "/agents",
    "/agents/submit/concern",
    "/docs/privacy",
    "/nothing-here",
    "/api/onboarding-form?format=html&locale=fr",
    "/api/onboarding-form?format=html&skill_id=nationality-application",
];

fn tools() -> std::path::PathBuf {
    root().join("tools/site")
}

#[test]
fn axe_finds_nothing_in_either_theme() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default());
    axe_finds_nothing(&server, PAGES);
}

/// Pages that only a history has: what a commit changed, an older version, what was put away, what was taken down; and results.
#[test]
fn pages_of_what_happened_are_as_sound_as_the_others() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &quick());
    let change = propose::line(&server, "renew-residence-card", "## Process", "\nBring a spare photograph.");
    committed(&server, "/api/amendments", &change);
    place.write(|tx| taken_down(tx, "stray-dogs"));
    assert_eq!(flag(&server, &voter(1), ("skill", "arrival-declaration")).status, 201);
    let history = server.get("/api/skills/renew-residence-card/history").json();
    let sha = |at: usize| history["items"][at]["commit"].as_str().expect("a commit").to_owned();
    let pages = [
        format!("/skills/renew-residence-card/history/{}", sha(0)),
        format!("/skills/renew-residence-card/at/{}", sha(1)),
        "/skills/stray-dogs".to_owned(),
        "/skills/arrival-declaration".to_owned(),
        "/skills/arrival-declaration/history".to_owned(),
        "/search?q=residence".to_owned(),
        "/search?q=no-such-thing-anywhere".to_owned(),
    ];
    let answers: Vec<u16> = pages.iter().map(|page| server.get(page).status).collect();
    assert_eq!(answers, [200, 200, 410, 200, 200, 200, 200]);
    let difference = server.get(&pages[0]).text;
    assert!(difference.contains("<ins") && difference.contains("<del"), "both sides are looked at");
    assert!(
        server.get(&pages[5]).text.contains("href=\"/skills/renew-residence-card\""),
        "something is found"
    );
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    validates(&server, &pages);
    axe_finds_nothing(&server, &pages);
}

fn axe_finds_nothing(server: &Server, pages: &[&str]) {
    let axe = std::fs::read_to_string(tools().join("node_modules/axe-core/axe.min.js"))
        .expect("axe is installed: cargo xtask test --only tests");
    let mut browser = Browser::start();
    for scheme in ["light", "dark"] {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        browser.call("Emulation.setEmulatedMedia", json!({"features": features}));
        for page in pages {
            browser.open(&format!("{}{page}", server.base()));
            browser.eval(&format!("{axe};null"));
            let found = browser.eval(
                "axe.run(document, {resultTypes: ['violations']}).then(it => it.violations.map(v => \
                 v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).slice(0, 3).join(' | ')))",
            );
            assert_eq!(found, json!([]), "{page} in {scheme}");
        }
    }
}

#[test]
fn the_html_of_every_kind_of_page_validates() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default());
    validates(&server, PAGES);
}

fn validates(server: &Server, pages: &[&str]) {
    let checked = Command::new("node")
        .arg(tools().join("check.mjs"))
        .args(pages.iter().map(|page| format!("{}{page}", server.base())))
        .output()
        .expect("node runs");
    let said = [checked.stdout, checked.stderr].concat();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&said));
}

/// Goes over the whole site, from its first page and its sitemap on.
#[test]
fn every_link_and_every_anchor_leads_somewhere() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default());
    let mut open: Vec<String> = PAGES.iter().map(|page| (*page).to_owned()).collect();
    open.extend(["/llms.txt", "/robots.txt"].map(str::to_owned));
    let mut pages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut wanted: BTreeSet<(String, String, String)> = BTreeSet::new();
    while let Some(address) = open.pop() {
        if pages.contains_key(&address) {
            continue;
        }
        // Fonts are no text.
        let method = if address.starts_with("/assets/") { "HEAD" } else { "GET" };
        let reply = server.send(method, &address, &[], None);
        let expected = if address == "/nothing-here" { 404 } else { 200 };
        assert_eq!(reply.status, expected, "{address}, which {:?} leads to", from(&wanted, &address));
        let ids = attributes(&reply.text, "id");
        pages.insert(address.clone(), ids.into_iter().collect());
        for link in attributes(&reply.text, "href").into_iter().chain(attributes(&reply.text, "src")) {
            let Some((to, fragment)) = within(&address, &link) else { continue };
            wanted.insert((to.clone(), fragment, address.clone()));
            open.push(to);
        }
    }
    assert!(pages.len() > 300, "only {} addresses were found", pages.len());
    for (to, fragment, from) in &wanted {
        assert!(
            fragment.is_empty() || pages[to].contains(fragment),
            "{from} leads to {to}#{fragment}, which is not there"
        );
    }
}

fn from<'w>(wanted: &'w BTreeSet<(String, String, String)>, to: &str) -> Vec<&'w str> {
    wanted.iter().filter(|(it, ..)| it == to).map(|(.., from)| from.as_str()).take(3).collect()
}

/// Where a link leads within the site: the address and the place on its page.
fn within(page: &str, link: &str) -> Option<(String, String)> {
    let link = link.replace("&amp;", "&");
    let (to, fragment) = link.split_once('#').map_or((link.as_str(), ""), |(to, place)| (to, place));
    let is_here = to.is_empty() || to.starts_with('?');
    // Other languages of the same page are the same page.
    let to = if is_here { page.to_owned() } else { to.to_owned() };
    let is_page = to.starts_with('/') && !to.starts_with("//");
    (is_page).then(|| (to, decoded(fragment)))
}

fn decoded(fragment: &str) -> String {
    let bytes = fragment.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = fragment.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).expect("text")
}

fn attributes(html: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    html.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// What the page says about itself to whoever looks at the whole of it.
#[test]
fn the_numbers_of_the_dashboard_are_there_for_programs() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().with("JOBS__TICK_EVERY", "1s"));
    let numbers = crate::commit::until("the first tick has counted", || {
        let numbers: Value = server.get("/activity.json").json();
        numbers.to_string().contains("\"skill\"").then_some(numbers)
    });
    assert!(numbers.is_object(), "{numbers}");
}
