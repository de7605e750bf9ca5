//! Every kind of page, in light and in dark: axe finds nothing, the HTML validates, and every link within the site leads somewhere.

use crate::desk::chromium::Browser;
use crate::harness::{Engine, Place, Server, Setup, root};
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
];

fn tools() -> std::path::PathBuf {
    root().join("tools/site")
}

#[test]
fn axe_finds_nothing_in_either_theme() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default());
    let axe = std::fs::read_to_string(tools().join("node_modules/axe-core/axe.min.js"))
        .expect("axe is installed: cargo xtask test --only tests");
    let mut browser = Browser::start();
    for scheme in ["light", "dark"] {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        browser.call("Emulation.setEmulatedMedia", json!({"features": features}));
        for page in PAGES {
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
    let checked = Command::new("node")
        .arg(tools().join("check.mjs"))
        .args(PAGES.iter().map(|page| format!("{}{page}", server.base())))
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
