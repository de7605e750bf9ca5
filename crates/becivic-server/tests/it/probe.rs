//! Probes against real sites on this machine: what is asked, what is not, and what becomes of the answers.

mod job;
mod site;

use becivic_core::path::PathSource;
use becivic_core::probe::{Judged, Seen, Unfit, Unsettled, judge, plan};
use becivic_core::url_policy::Refused;
use becivic_server::moment::Clock;
use becivic_server::probe::Failed;
use becivic_server::probe::ask::Asker;
use becivic_server::probe::network::user_agent;
use becivic_server::probe::pace::Pace;
use serde_json::{Value, json};
use site::{Heard, Reply, Site, is_listed, page, redirect, status, typed};
use std::sync::Arc;
use std::time::Duration;

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// The pause between two requests, in the time of the test.
const PAUSE: Duration = Duration::from_secs(5);

/// A source without a login that a machine can judge by these signals.
fn source(deeplink: &str, success: Value, failure: Value) -> PathSource {
    serde_json::from_value(json!({
        "id": "portal",
        "source_class": "partner-portal",
        "audience": {"predicates": []},
        "auth": {"method": "none", "supported_providers": []},
        "procedure": {"kind": "partner-flow", "deeplink": deeplink},
        "validation_path": {
            "kind": "varies-per-partner", "success_signals": success, "failure_signals": failure,
            "user_confirms_required": false,
        },
        "priority": 40,
        "actor": {"primary": "agent", "handoff": {"when": "none", "agent_responsibility": "Opens the page."}},
    }))
    .expect("a source")
}

/// One whose page must say `Bienvenue`, and not `Page introuvable`.
fn page_source(deeplink: &str) -> PathSource {
    source(
        deeplink,
        json!([{"check": "page-loads-200", "value": 200}, {"check": "page-text-contains", "value": "Bienvenue"}]),
        json!([{"check": "page-text-contains", "value": "Page introuvable", "outcome": "source-retired"}]),
    )
}

/// One whose head says enough.
fn head_source(deeplink: &str) -> PathSource {
    source(
        deeplink,
        json!([{"check": "page-loads-200", "value": 200}]),
        json!([{"check": "response-status", "value": "404", "outcome": "source-retired"}]),
    )
}

/// Asks one source over a network where a site answers.
fn ask_within(site: &Site, source: &PathSource, patience: Duration) -> Result<Seen, Failed> {
    let network = site.network(patience);
    let pace = Pace::new(PAUSE, &Clock::Set(Arc::clone(&site.clock)));
    let plan = plan(source, &is_listed).expect("it may be asked");
    Asker::new(&network, pace, &is_listed, &|| true).ask(&plan)
}

fn ask(site: &Site, source: &PathSource) -> Result<Seen, Failed> {
    ask_within(site, source, PATIENCE)
}

/// What a source that must say `Bienvenue` is judged to be when its page is this.
fn check(answers: impl Fn(&Heard) -> Reply + Send + Sync + 'static, judged: Judged, asked: &[&str]) {
    let site = Site::serve(move |heard| match heard.target.as_str() {
        "/robots.txt" => status(404),
        _ => answers(heard),
    });
    let source = page_source("https://www.probe.example/start");
    let seen = ask(&site, &source).expect("an answer");
    assert_eq!(judge(&source, &seen), judged);
    assert_eq!(site.asked(), asked);
}

const BOTH: &[&str] = &["HEAD www.probe.example/start", "GET www.probe.example/start"];
const HEAD: &[&str] = &["HEAD www.probe.example/start"];

fn retired() -> Judged {
    Judged::Rejects("source-retired".to_owned())
}

#[test]
fn a_page_that_says_what_it_should_confirms() {
    check(|_| page("Bienven<b>ue</b>&nbsp;!"), Judged::Confirms, BOTH);
}

#[test]
fn a_page_that_says_it_failed_rejects() {
    check(|_| page("Page introuvable"), retired(), BOTH);
}

#[test]
fn an_address_that_is_gone_rejects_when_its_page_is_gone_too() {
    check(|_| status(404), retired(), BOTH);
    check(|_| status(410), retired(), BOTH);
    // Careless about heads, but there.
    let careless = |heard: &Heard| if heard.method == "HEAD" { status(404) } else { page("Bienvenue") };
    check(careless, Judged::Confirms, BOTH);
    let strict = |heard: &Heard| if heard.method == "HEAD" { status(501) } else { page("Bienvenue") };
    check(strict, Judged::Confirms, BOTH);
}

#[test]
fn trouble_that_passes_says_nothing() {
    for trouble in [429, 500, 503] {
        check(move |_| status(trouble), Judged::Nothing(Unsettled::Passing), HEAD);
    }
    check(|_| status(403), Judged::Nothing(Unsettled::Signals), BOTH);
    check(|_| page("Bonjour"), Judged::Nothing(Unsettled::Signals), BOTH);
}

#[test]
fn only_the_head_is_asked_for_where_that_is_enough() {
    let site = Site::serve(|heard| if heard.target == "/robots.txt" { status(404) } else { page("x") });
    let source = head_source("https://www.probe.example/start?a=b#c");
    let seen = ask(&site, &source).expect("an answer");
    assert_eq!((seen.status, &seen.body), (200, &None));
    assert_eq!(judge(&source, &seen), Judged::Confirms);
    assert_eq!(site.asked(), ["HEAD www.probe.example/start?a=b"]);
}

/// What comes of redirects: `/0` leads to the first place, `/1` to the second, and so on.
fn led(places: &'static [&'static str]) -> (Result<Seen, Failed>, Site) {
    let site = Site::serve(move |heard| {
        let at = heard.target.trim_start_matches('/').parse::<usize>().ok();
        match (heard.target.as_str(), at.and_then(|at| places.get(at))) {
            ("/robots.txt", _) => status(404),
            (_, Some(place)) => redirect(place),
            (_, None) => page("Bienvenue"),
        }
    });
    (ask(&site, &head_source("https://www.probe.example/0")), site)
}

#[test]
fn three_redirects_are_followed_and_a_fourth_is_not() {
    let (seen, site) = led(&["/1", "https://other.probe.example/2", "3"]);
    let seen = seen.expect("an answer");
    assert_eq!(seen.address, "https://other.probe.example/3");
    assert!(seen.was_led && seen.left_host);
    assert_eq!(site.asked().len(), 4);
    let (seen, site) = led(&["/1", "/2", "/3", "/4"]);
    assert_eq!(seen, Err(Failed::TooManyRedirects));
    assert_eq!(site.asked().len(), 4, "the fifth address is not asked");
}

#[test]
fn a_redirect_is_held_to_what_the_first_address_was() {
    for (place, failed) in [
        ("https://inside.probe.example/", Failed::NotPublic),
        ("https://mapped.probe.example/", Failed::NotPublic),
        ("https://unknown.probe.example/", Failed::UnknownHost),
        ("https://unlisted.example/", Failed::Led(Unfit::Unlisted)),
        ("https://127.0.0.1/", Failed::Led(Unfit::Form(Refused::IpLiteral))),
        ("https://[::1]/", Failed::Led(Unfit::Form(Refused::IpLiteral))),
        ("https://www.probe.example:8443/", Failed::Led(Unfit::Form(Refused::Port))),
        ("http://www.probe.example/", Failed::Led(Unfit::Form(Refused::NotHttps))),
        ("file:///etc/passwd", Failed::Led(Unfit::Form(Refused::NotHttps))),
    ] {
        let place: &'static [&'static str] = vec![place].leak();
        let (seen, site) = led(place);
        assert_eq!(seen, Err(failed), "{place:?}");
        assert_eq!(site.connections(), 2, "robots.txt and the first address: {place:?}");
    }
}

#[test]
fn a_host_whose_name_leads_inside_is_not_connected_to() {
    let site = Site::serve(|_| page("metadata"));
    let seen = ask(&site, &head_source("https://inside.probe.example/latest/meta-data"));
    assert_eq!(seen, Err(Failed::NotPublic));
    assert_eq!(site.connections(), 0);
}

#[test]
fn an_answer_is_read_up_to_a_mebibyte() {
    let serve = |length: usize| {
        Site::serve(move |heard| match heard.target.as_str() {
            "/robots.txt" => status(404),
            _ => typed("text/plain", "x".repeat(length)),
        })
    };
    let source = page_source("https://www.probe.example/long");
    let seen = ask(&serve(1 << 20), &source).expect("an answer");
    assert_eq!(seen.body.map(|body| body.len()), Some(1 << 20));
    assert_eq!(ask(&serve((1 << 20) + 1), &source), Err(Failed::TooLong));
}

#[test]
fn silence_ends() {
    let site = Site::serve(|heard| if heard.target == "/robots.txt" { status(404) } else { Reply::Silence });
    // Robots are answered within the same time, so that it has to be enough for a busy machine.
    let seen = ask_within(&site, &head_source("https://www.probe.example/"), Duration::from_secs(2));
    assert_eq!(seen, Err(Failed::Late));
    assert_eq!(site.asked(), ["HEAD www.probe.example/"], "and is not asked again");
}

#[test]
fn a_certificate_nobody_vouches_for_is_refused() {
    let site = Site::serve(|_| page("Bienvenue"));
    let network = site.network_trusting(&Site::stranger(), PATIENCE);
    let pace = Pace::new(PAUSE, &Clock::Set(Arc::clone(&site.clock)));
    let plan = plan(&head_source("https://www.probe.example/"), &is_listed).expect("it may be asked");
    assert_eq!(Asker::new(&network, pace, &is_listed, &|| true).ask(&plan), Err(Failed::Unsafe));
    assert!(site.heard().is_empty());
}

/// What a site with this `robots.txt` is asked for.
fn under(robots: impl Fn() -> Reply + Send + Sync + 'static) -> (Result<u16, Failed>, Vec<String>) {
    let site = Site::serve(move |heard| match heard.target.as_str() {
        "/robots.txt" => robots(),
        "/away" => redirect("https://other.probe.example/private"),
        _ => page("x"),
    });
    let seen = ask(&site, &head_source("https://www.probe.example/away"));
    (seen.map(|seen| seen.status), site.asked())
}

#[test]
fn robots_are_asked_first_and_obeyed_on_every_host() {
    let text = |text: &'static str| move || typed("text/plain", text.to_owned());
    let (seen, asked) = under(text("User-agent: *\nDisallow: /away"));
    assert_eq!((seen, asked.len()), (Err(Failed::Robots), 0));
    let (seen, asked) = under(text("User-agent: *\nDisallow: /private"));
    assert_eq!((seen, asked), (Err(Failed::Robots), vec!["HEAD www.probe.example/away".to_owned()]));
    let (seen, asked) = under(text("User-agent: *\nDisallow: /\nUser-agent: becivic-probe\nAllow: /"));
    assert_eq!((seen, asked.len()), (Ok(200), 2));
    assert_eq!(under(|| status(503)).0, Err(Failed::Robots));
    assert_eq!(under(|| status(404)).0, Ok(200));
    assert_eq!(under(|| redirect("/robots.txt")).0, Err(Failed::Robots));
    assert_eq!(under(|| typed("text/plain", "#".repeat((1 << 20) + 1))).0, Err(Failed::Robots));
}

#[test]
fn we_say_who_we_are_and_carry_nothing_along() {
    let (seen, site) = led(&["/1"]);
    seen.expect("an answer");
    let heard = site.heard();
    assert_eq!(heard.len(), 3, "robots.txt, the address, the redirect");
    for request in heard {
        assert_eq!(request.header("user-agent"), Some(user_agent().as_str()));
        assert!(user_agent().starts_with("becivic-probe/") && user_agent().contains("https://becivic.be"));
        for unsent in ["cookie", "authorization", "referer", "x-forwarded-for", "proxy-authorization", "from"]
        {
            assert_eq!(request.header(unsent), None, "{unsent}");
        }
    }
}

#[test]
fn a_host_is_left_in_peace_between_two_requests() {
    let robots = "User-agent: *\nCrawl-delay: 20\n";
    for (robots, pause) in [("", 5_000), (robots, 20_000)] {
        let site = Site::serve(move |heard| match heard.target.as_str() {
            "/robots.txt" => typed("text/plain", robots.to_owned()),
            "/start" => redirect("https://other.probe.example/end"),
            _ => page("Bienvenue"),
        });
        let network = site.network(PATIENCE);
        let pace = Pace::new(PAUSE, &Clock::Set(Arc::clone(&site.clock)));
        let mut asker = Asker::new(&network, pace, &is_listed, &|| true);
        for address in ["https://www.probe.example/start", "https://www.probe.example/again"] {
            let plan = plan(&page_source(address), &is_listed).expect("it may be asked");
            asker.ask(&plan).expect("an answer");
        }
        let heard = site.heard();
        assert_eq!(
            heard.iter().filter(|heard| heard.target == "/robots.txt").count(),
            2,
            "once for each host"
        );
        assert_eq!(heard.len(), 2 + 2 * 2 + 2);
        for host in ["www.probe.example", "other.probe.example"] {
            let times: Vec<i64> =
                heard.iter().filter(|heard| heard.host == host).map(|heard| heard.at).collect();
            assert!(times.len() > 2);
            assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= pause), "{host}: {times:?}");
        }
    }
}

/// What a source listed in its site's map is judged to be.
fn mapped(robots: &'static str, maps: fn(&str) -> Reply, judged: Judged, read: usize) {
    let site = Site::serve(move |heard| match heard.target.as_str() {
        "/robots.txt" => typed("text/plain", robots.to_owned()),
        "/node/146" => page("x"),
        other => maps(other),
    });
    let source = source(
        "https://www.probe.example/node/146",
        json!([{"check": "sitemap-contains-path", "value": "/node/146"}, {"check": "page-loads-200", "value": 200}]),
        json!([{"check": "sitemap-lacks-path", "value": "/node/146", "outcome": "sitemap-entry-removed"}]),
    );
    let seen = ask(&site, &source).expect("an answer");
    assert_eq!(judge(&source, &seen), judged);
    assert_eq!(site.asked().len(), 1 + read, "{:?}", site.asked());
}

fn map_of(path: &str) -> Reply {
    typed("text/xml", format!("<urlset><url><loc>https://www.probe.example{path}</loc></url></urlset>"))
}

#[test]
fn a_site_map_is_read_as_far_as_needed() {
    let unsettled = || Judged::Nothing(Unsettled::Signals);
    mapped("", |_| map_of("/node/146"), Judged::Confirms, 1);
    mapped("", |_| map_of("/node/147"), Judged::Rejects("sitemap-entry-removed".to_owned()), 1);
    mapped("", |_| status(404), unsettled(), 1);
    mapped("", |_| page("no map at all"), unsettled(), 1);
    mapped("Sitemap: https://unlisted.example/s.xml", |_| map_of("/x"), unsettled(), 0);
    mapped(
        "Sitemap: https://www.probe.example/a.xml\nSitemap: /b.xml",
        map_of,
        Judged::Rejects("sitemap-entry-removed".to_owned()),
        2,
    );
    let endless = |_: &str| {
        typed("text/xml", "<sitemapindex><loc>/1.xml</loc><loc>/2.xml</loc></sitemapindex>".to_owned())
    };
    mapped("", endless, unsettled(), 4);
}
