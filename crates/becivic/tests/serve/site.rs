//! The site as the server sends it: forms, addresses, what is kept, what follows the database, what is put away.

mod accessible;
mod browser;
mod live;
mod put_away;
mod templates;

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        a_page_comes_in_the_form_that_is_asked_for,
        another_spelling_leads_to_the_one_address,
        what_is_nowhere_gets_a_page_that_helps,
        nothing_comes_from_elsewhere,
        an_unchanged_page_is_not_sent_again,
        words_are_in_the_readers_language,
        assets_are_kept_for_ever,
        hostile_addresses_are_no_trouble,
        addresses_that_people_try_lead_somewhere,
        pages_are_read_and_nothing_else,
    ]
);

const SKILL: &str = "/skills/renew-residence-card";

fn asked(server: &Server, path: &str, headers: &[(&str, &str)]) -> Reply {
    server.send("GET", path, headers, None)
}

fn media(reply: &Reply) -> &str {
    reply.header("content-type").unwrap_or_default()
}

fn a_page_comes_in_the_form_that_is_asked_for(server: &Server, _: &Place) {
    let page = server.get(SKILL);
    assert_eq!((page.status, media(&page)), (200, "text/html; charset=utf-8"));
    assert!(page.text.starts_with("<!DOCTYPE html>"));
    let by_address = server.get(&format!("{SKILL}.md"));
    assert_eq!((by_address.status, media(&by_address)), (200, "text/markdown; charset=utf-8"));
    let by_header = asked(server, SKILL, &[("accept", "text/markdown, text/html;q=0.5")]);
    assert_eq!((media(&by_header), &by_header.text), (media(&by_address), &by_address.text));
    assert!(page.header("vary").is_some_and(|it| it.contains("Accept,")), "{page:?}");
    let json = asked(server, SKILL, &[("accept", "application/json")]);
    assert_eq!(json.json(), server.get(&format!("/api{SKILL}")).json());
    for browser in ["*/*", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ""] {
        assert_eq!(media(&asked(server, SKILL, &[("accept", browser)])), "text/html; charset=utf-8");
    }
    let source = server.get(&format!("{SKILL}/source.md"));
    let file = crate::harness::root().join("fixtures/corpus/skills/renew-residence-card/canonical.md");
    assert_eq!(source.text, std::fs::read_to_string(file).expect("the file"), "byte for byte");
    assert!(page.text.contains(&format!("href=\"{SKILL}.md\"")) && page.text.contains("href=\"/llms.txt\""));
    let head = server.send("HEAD", SKILL, &[], None);
    assert_eq!((head.status, head.text.as_str()), (200, ""));
}

fn another_spelling_leads_to_the_one_address(server: &Server, _: &Place) {
    for (asked, right) in [
        ("/", "/skills/"),
        ("/skills", "/skills/"),
        ("/paths", "/paths/"),
        ("/skills/renew-residence-card/", SKILL),
        ("/Skills/Renew-Residence-Card", SKILL),
        ("/skills/renew-residence-card.html", SKILL),
        ("/skills/renew-residence-card/canonical", SKILL),
        ("/skills/renew-residence-card/canonical.md", "/skills/renew-residence-card.md"),
        ("/docs", "/docs/"),
        ("/paths/themes/", "/paths/"),
        ("/values", "/values/"),
        ("/values/commune-certificate-fee-eur", "/values/val-00001"),
        ("/values/Commune-Certificate-Fee-EUR?lang=nl", "/values/val-00001?lang=nl"),
        ("/references/dofi-arrival-page", "/references/ref-00002"),
        ("/skills/?lang=fr", ""),
        ("/skills?lang=fr", "/skills/?lang=fr"),
    ] {
        let reply = server.get(asked);
        match right {
            "" => assert_eq!(reply.status, 200, "{asked}"),
            right => {
                assert_eq!((reply.status, reply.header("location")), (308, Some(right)), "{asked}");
                assert_eq!(server.get(right).status, 200, "one step is enough: {right}");
            }
        }
    }
}

fn what_is_nowhere_gets_a_page_that_helps(server: &Server, _: &Place) {
    let page = server.get("/skills/renew-card");
    assert_eq!((page.status, media(&page)), (404, "text/html; charset=utf-8"));
    assert!(page.text.contains(&format!("href=\"{SKILL}\"")), "it proposes what is near: {}", page.text);
    assert!(page.text.contains("noindex") && page.header("cache-control") == Some("no-store"));
    let markdown = asked(server, "/skills/renew-card", &[("accept", "text/markdown")]);
    assert_eq!((markdown.status, media(&markdown)), (404, "text/markdown; charset=utf-8"));
    let json = asked(server, "/skills/renew-card", &[("accept", "application/json")]);
    assert_eq!((json.status, json.json()), (404, server.get("/api/skills/renew-card").json()));
    for address in ["/values/val-99999", "/references/ref-99999", "/skills/renew-residence-card/at/0123456"] {
        assert_eq!(server.get(address).status, 404, "{address}");
    }
}

fn nothing_comes_from_elsewhere(server: &Server, _: &Place) {
    let page = server.get(SKILL);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("set-cookie"), None);
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("strict-transport-security"), None, "nobody said that the way is encrypted");
    for piece in page.text.split('<').filter(|it| it.starts_with("script") || it.starts_with("img")) {
        assert!(piece.contains("src=\"/assets/"), "{piece}");
    }
    assert!(!page.text.contains(" style=") && !page.text.contains("<style"));
}

fn an_unchanged_page_is_not_sent_again(server: &Server, _: &Place) {
    for path in [SKILL, "/skills/", "/docs/submission-contract-v2", "/skills/renew-residence-card.md"] {
        let first = server.get(path);
        let tag = first.header("etag").expect("a tag").to_owned();
        let again = asked(server, path, &[("if-none-match", &tag)]);
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
        assert_eq!(first.header("cache-control"), Some("public, max-age=60, s-maxage=60"));
        let zipped = server.send("HEAD", path, &[("accept-encoding", "gzip")], None);
        assert_eq!(zipped.header("content-encoding"), Some("gzip"), "{path}");
        assert_ne!(zipped.header("etag"), Some(tag.as_str()), "other bytes, another tag");
    }
}

fn words_are_in_the_readers_language(server: &Server, _: &Place) {
    let lang = |reply: &Reply| {
        let rest = reply.text.split("<html lang=\"").nth(1).unwrap_or_default();
        rest.get(..2).unwrap_or_default().to_owned()
    };
    for (header, expected) in [("fr-BE,nl;q=0.8", "fr"), ("nl;q=0.3,de", "de"), ("ja", "en"), ("", "en")] {
        assert_eq!(lang(&asked(server, SKILL, &[("accept-language", header)])), expected, "{header}");
    }
    let chosen = asked(server, &format!("{SKILL}?lang=nl"), &[("accept-language", "fr")]);
    assert_eq!(lang(&chosen), "nl", "what is chosen wins");
    for (tag, expected) in [("FR", "fr"), ("fr-BE", "fr"), ("De_be", "de"), ("-", "en")] {
        assert_eq!(lang(&server.get(&format!("{SKILL}?lang={tag}"))), expected, "{tag}");
    }
    assert_eq!(server.get(&format!("{SKILL}?lang=xx")).status, 200);
}

fn assets_are_kept_for_ever(server: &Server, _: &Place) {
    let page = server.get(SKILL).text;
    let assets: Vec<&str> = page.split('"').filter(|piece| piece.starts_with("/assets/")).collect();
    assert!(assets.len() >= 4, "{assets:?}");
    for asset in assets {
        let reply = server.send("HEAD", asset, &[], None);
        assert_eq!(reply.status, 200, "{asset}");
        assert_eq!(reply.header("cache-control"), Some("public, max-age=31536000, immutable"));
    }
    assert_eq!(server.get("/assets/site.css").status, 404, "only with its content in its name");
}

fn hostile_addresses_are_no_trouble(server: &Server, _: &Place) {
    for address in [
        "//evil.example",
        "//evil.example/",
        "/%5Cevil.example",
        "/skills//evil.example",
        "/skills/../../etc/passwd",
        "/skills/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/skills/%00",
        "/skills/%ff%fe",
        "/.md",
        "//",
        "/skills/.md",
        "/skills/%3Cscript%3Ealert(1)%3C/script%3E",
        "/search?q=%3Cscript%3Ealert(1)%3C/script%3E",
        "/skills/renew-residence-card/at/zzzzzzz",
        "/skills/renew-residence-card/at/../../x",
    ] {
        let Some(reply) = server.try_send("GET", address, &[], None) else { continue };
        assert!(matches!(reply.status, 200 | 308 | 400 | 404), "{address}: {}", reply.status);
        if let Some(to) = reply.header("location") {
            assert!(to.starts_with('/') && !to.starts_with("//"), "{address} leads to {to}");
        }
        assert!(!reply.text.contains("<script>alert"), "{address}");
    }
}

fn addresses_that_people_try_lead_somewhere(server: &Server, _: &Place) {
    let docs = server.get("/docs/");
    assert_eq!(docs.status, 200);
    assert!(docs.text.contains("href=\"/docs/submission-contract-v2\""), "{}", docs.text);
    assert!(server.get("/docs/index.md").text.contains("](/docs/submission-contract-v2)"));
    for (list, entry, said) in [("values", "val-00001", "€5"), ("references", "ref-00002", "dofi.ibz.be")] {
        let page = server.get(&format!("/{list}/"));
        assert_eq!(page.status, 200);
        assert!(
            page.text.contains(&format!("href=\"/{list}/{entry}\"")) && page.text.contains(said),
            "{list}"
        );
    }
    let json = asked(server, "/values/", &[("accept", "application/json")]);
    assert_eq!(json.json(), server.get("/api/volatile-values").json());
    let icon = server.get("/favicon.ico");
    let to = icon.header("location").expect("an address").to_owned();
    assert_eq!(icon.status, 308);
    assert_eq!(media(&server.get(&to)), "image/svg+xml");
    assert!(server.get(SKILL).text.contains(&format!("<link rel=\"icon\" href=\"{to}\"")), "the same icon");
    for nowhere in ["/values/no-such-name", "/references/commune-certificate-fee-eur", "/doc/"] {
        assert_eq!(server.get(nowhere).status, 404, "{nowhere}");
    }
}

fn pages_are_read_and_nothing_else(server: &Server, _: &Place) {
    let page = server.get(SKILL).text;
    let asset = page.split('"').find(|piece| piece.starts_with("/assets/")).expect("an asset");
    for path in [SKILL, "/skills/", "/skills", "/llms.txt", "/favicon.ico", "/activity.json", asset] {
        for method in ["POST", "PUT", "DELETE", "PATCH"] {
            let body: Option<&[u8]> = (method != "DELETE").then_some(b"{}");
            let reply = server.send(method, path, &[], body);
            assert_eq!(
                (reply.status, reply.error().as_str()),
                (405, "method_not_allowed"),
                "{method} {path}"
            );
            assert_eq!(reply.header("allow"), Some("GET, HEAD, OPTIONS"), "{method} {path}");
        }
        let options = server.send("OPTIONS", path, &[], None);
        assert_eq!((options.status, options.header("allow")), (204, Some("GET, HEAD, OPTIONS")), "{path}");
        let (head, get) = (server.send("HEAD", path, &[], None), server.get(path));
        assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{path}");
        assert_eq!((head.header("etag"), media(&head)), (get.header("etag"), media(&get)), "{path}");
    }
    for nowhere in ["/skills/no-such-skill", "/api/no-such-thing"] {
        assert_eq!(server.send("POST", nowhere, &[], Some(b"{}")).status, 404, "{nowhere}");
        assert_eq!(server.send("OPTIONS", nowhere, &[], None).status, 404, "{nowhere}");
    }
}
