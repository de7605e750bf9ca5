//! Small files, whole; and that every file is there at its address.

use super::{Given, served};
use crate::expect::expect;
use becivic_site::Facts;
use becivic_site::files::{self, Made, redirects};
use serde_json::Value;

#[test]
fn small_files_are_as_they_were() {
    let given = Given::of("fixtures/corpus");
    for (address, name) in [
        ("/robots.txt", "robots.txt"),
        ("/sitemap.xml", "sitemap.xml"),
        ("/llms.txt", "llms.txt"),
        ("/llms-full.txt", "llms-full.txt"),
        ("/agents/manifest.json", "manifest.json"),
        ("/.well-known/security.txt", "security.txt"),
        ("/.well-known/mcp/catalog.json", "mcp-catalog.json"),
        ("/mcp/server-card", "mcp-card.json"),
    ] {
        expect(&format!("machine/{name}"), &given.file(address, &served()).expect(address));
    }
}

#[test]
fn every_file_is_at_its_address_and_is_what_it_says() {
    let given = Given::of("corpus");
    let all = files::all(&given.world());
    for made in &all {
        assert_eq!(files::at(&made.address()).as_ref(), Some(made));
        let text = given.make(made, &served()).unwrap_or_else(|| panic!("{} is not made", made.address()));
        assert!(!text.is_empty() && text == given.make(made, &served()).expect("made again"));
        if made.media().contains("json") {
            serde_json::from_str::<Value>(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", made.address()));
        }
    }
    assert!(all.len() > 30, "{}", all.len());
}

#[test]
fn what_only_a_server_has_is_not_promised_without_one() {
    let given = Given::of("corpus");
    for made in [Made::McpCatalog, Made::McpCard, Made::Security] {
        assert_eq!(given.make(&made, &Facts::default()), None, "{made:?}");
    }
    let manifest = given.make(&Made::Manifest, &Facts::default()).expect("made");
    assert!(!manifest.contains("\"mcp\"") && !manifest.contains("\"endpoints\""), "{manifest}");
}

#[test]
fn addresses_without_a_file_have_none() {
    for address in
        ["/", "/llms", "/llms/", "/sitemaps/01.xml", "/sitemaps/x.xml", "/schemas/x.schema.json", "/x.json"]
    {
        assert_eq!(files::at(address), None, "{address}");
    }
    let given = Given::of("corpus");
    for address in ["/llms/skills-meta.txt", "/sitemaps/1.xml", "/sitemaps/0.xml"] {
        assert_eq!(given.file(address, &served()), None, "{address}");
    }
}

#[test]
fn redirects_by_hand_win_and_lead_in_one_step() {
    let by_hand = r#"[
        {"from": "/security.txt", "to": "/docs/privacy"},
        {"from": "/a", "to": "/b"}, {"from": "/b", "to": "/skills/#x"},
        {"from": "/round", "to": "/about"}, {"from": "/about", "to": "/round"}
    ]"#;
    let given = Given::with("corpus", vec![("redirects.json".to_owned(), by_hand.to_owned())]);
    let known = redirects::redirects(&given.world());
    let to = |from: &str| known.get(from).map(String::as_str);
    assert_eq!(to("/security.txt"), Some("/docs/privacy"));
    assert_eq!((to("/a"), to("/b")), (Some("/skills/#x"), Some("/skills/#x")));
    assert_eq!((to("/round"), to("/about")), (None, None));
    assert_eq!(to("/docs/activity/global.json"), Some("/activity.json"));
    for (from, to) in &known {
        assert!(!known.contains_key(to), "{from} leads to {to}, which leads on");
    }
}
