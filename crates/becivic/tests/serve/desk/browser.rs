//! The desk in a browser: what a maintainer sees and does, and what another site cannot do in their name.

use super::artefacts::{live, waiting};
use super::chromium::Browser;
use super::{held, state};
use crate::commit::{quick, reaches, until};
use crate::harness::{Engine, Place, Server, Setup, make, propose};
use crate::hold::NAMED;
use becivic_server::db::{others, tokens};
use becivic_server::moment::Moment;
use becivic_server::secrets::Token;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

fn log_in(browser: &mut Browser, server: &Server, token: &str) {
    browser.open(&format!("{}/review", server.base()));
    assert!(browser.place().contains("/review/login"), "{}", browser.place());
    browser.fill("#token", token);
    browser.click("main button");
}

#[test]
fn a_maintainer_logs_in_releases_and_triages() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let mut browser = Browser::start();
    log_in(&mut browser, &server, "wrong");
    assert!(browser.text().contains("That is no valid operator token."), "{}", browser.text());
    log_in(&mut browser, &server, &place.operator_token());
    assert!(browser.place().ends_with("/review") && browser.text().contains("Nothing to review."));
    assert_eq!(browser.eval("document.cookie"), "", "no script reads the cookie");
    assert_eq!(
        browser.eval("getComputedStyle(document.querySelector('header')).display"),
        "flex",
        "it is styled"
    );
    assert_eq!(browser.eval("document.activeElement.tagName"), "BODY");

    let (id, path) = held(&server, &place, "They ask <img src=x onerror=alert(1)> two photographs.");
    browser.click("a[href='/review/held']");
    browser.click("main table a");
    assert!(browser.place().ends_with(&id));
    assert!(browser.text().contains("<img src=x onerror=alert(1)> two photographs."), "{}", browser.text());
    assert_eq!(browser.eval("document.images.length"), 0);
    browser.fill("#why", "nothing personal in it");
    browser.click("button[value=release]");
    assert!(browser.text().contains("Released.") && browser.text().contains("Nothing is held."));
    assert_eq!(state(&server, &path), "released");

    place.write(|tx| {
        others::insert_message(tx, &[0xab; 32], Some("bug"), None, "A page is blank.", Moment(0))
    });
    browser.click("a[href='/review/feedback']");
    assert!(browser.text().contains("A page is blank."));
    browser.click("button[value=done]");
    assert!(browser.text().contains("No message is new."), "{}", browser.text());
    browser.click("a[href='/review/log']");
    assert!(browser.text().contains("nothing personal in it") && browser.text().contains("triage"));
    browser.click(".out button");
    assert!(browser.place().ends_with("/review/login"));
    browser.open(&format!("{}/review/log", server.base()));
    assert!(browser.place().contains("/review/login?next="), "the session is over: {}", browser.place());
}

#[test]
fn an_ended_session_leads_to_the_login_form_and_back() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let token = Token::new(&[9; 32]);
    let hash = token.hash;
    place.write(move |tx| tokens::insert(tx, "leaving", &hash, Moment(0)));
    let mut browser = Browser::start();
    log_in(&mut browser, &server, &token.shown);
    let (id, path) = held(&server, &place, "The counter asked for two photographs.");
    browser.open(&format!("{}/review/held/{id}", server.base()));
    place.write(|tx| tokens::revoke(tx, "leaving", Moment(1)));
    browser.fill("#why", "nothing personal in it");
    browser.click("button[value=release]");
    assert!(browser.place().contains("/review/login"), "{}", browser.place());
    assert_eq!(state(&server, &path), "ner_held_for_review");
    browser.fill("#token", &place.operator_token());
    browser.click("main button");
    assert!(browser.place().ends_with(&format!("/review/held/{id}")), "{}", browser.place());
    // A cookie that has run out is no cookie.
    let now = becivic_server::moment::Clock::System.now();
    let old = super::entry::cookie(&place, "first", now.plus(-1));
    let (name, value) = old.split_once('=').expect("a cookie");
    let cookie = serde_json::json!({"name": name, "value": value, "url": server.base(), "path": "/review"});
    browser.call("Network.setCookie", cookie);
    browser.open(&format!("{}/review/held/{id}", server.base()));
    assert!(browser.place().contains("/review/login"), "{}", browser.place());
}

#[test]
fn a_held_note_is_read_edited_and_released() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &quick());
    let note = make::concern("arrival-declaration", NAMED);
    let (path, _) = crate::hold::held(&server, "/api/concerns", &note);
    let mut browser = Browser::start();
    log_in(&mut browser, &server, &place.operator_token());
    browser.click("a[href='/review/held']");
    assert!(browser.text().contains("name"), "{}", browser.text());
    browser.click("main table a");
    assert!(browser.text().contains("somebody seems to be named in it"), "{}", browser.text());
    let marked = browser.eval("document.querySelector('mark').firstChild.textContent");
    assert_eq!(marked, "Fatiha El Amrani");
    let edit = "(() => { const it = document.querySelector('#edited'); \
         it.value = it.value.replace('Mme Fatiha El Amrani', 'Quelqu\\u2019un'); return it.value.includes('Amrani') })()";
    assert_eq!(browser.eval(edit), false);
    browser.fill("#edit-why", "a name taken out");
    browser.click("button[value=edit-and-release]");
    assert!(browser.text().contains("Nothing is held."), "{}", browser.text());
    let public = until("it is published", || {
        let text = server.get("/api/skills/arrival-declaration/concerns").text;
        text.contains("guichet 3").then_some(text)
    });
    assert!(!public.contains("Amrani"), "{public}");
    assert_eq!(state(&server, &path), "committed");
}

/// A page of another site, on another port; gives back its address.
fn another_site(page: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        // Browsers open connections ahead, and say nothing on them: none of them may stop the others.
        for stream in listener.incoming().map_while(Result::ok) {
            let page = page.clone();
            std::thread::spawn(move || answer(stream, &page));
        }
    });
    port
}

fn answer(mut stream: TcpStream, page: &str) {
    let mut request = [0; 4_096];
    if stream.read(&mut request).is_ok_and(|read| read > 0) {
        let length = page.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        let _gone_is_fine = stream.write_all(format!("{head}{page}").as_bytes());
    }
}

#[test]
fn another_site_cannot_send_a_form_in_a_maintainers_name() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let mut browser = Browser::start();
    log_in(&mut browser, &server, &place.operator_token());
    let (id, path) = held(&server, &place, "The counter asked for two photographs.");
    let target = format!("{}/review/held/{id}", server.base());
    let fields = "<input name=action value=discard><input name=why value=x><input name=form value=x>";
    let port =
        another_site(format!("<form method=post action=\"{target}\">{fields}<button>go</button></form>"));
    // The same machine on another port is the same site to a browser, so that the cookie comes along; another name is not.
    for site in ["127.0.0.1", "localhost"] {
        browser.open(&format!("http://{site}:{port}/"));
        browser.click("button");
        assert!(
            browser.text().contains("did not come from a page of the desk"),
            "{site}: {}",
            browser.text()
        );
        assert_eq!(state(&server, &path), "ner_held_for_review", "{site}");
    }
    let framed = another_site(format!("<iframe src=\"{target}\"></iframe>"));
    browser.open(&format!("http://127.0.0.1:{framed}/"));
    let inside = browser.eval("(() => { try { return document.querySelector('iframe').contentDocument === null } catch { return true } })()");
    assert_eq!(inside, true, "nobody frames the desk");
    // The maintainer still can.
    browser.open(&target);
    browser.fill("#why", "not about this");
    browser.click("button[value=discard]");
    assert_eq!(state(&server, &path), "discarded");
}

#[test]
fn a_draft_is_previewed_merged_and_seen_live() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &quick());
    let (address, number) = waiting(&server, &place, &propose::draft("bulky-waste-pickup"));
    let mut browser = Browser::start();
    log_in(&mut browser, &server, &place.operator_token());
    browser.click("a[href='/review/drafts']");
    browser.click("main table a");
    assert!(browser.place().ends_with(&format!("/review/drafts/{number}")));
    let heading = browser.eval("document.querySelector('.preview h4').innerText");
    assert!(heading.as_str().is_some_and(|text| !text.is_empty()), "{heading}");
    assert_ne!(browser.eval("document.querySelectorAll('.diff .added').length"), 0);
    browser.fill("#why", "read it through");
    browser.click("button[value=merge]");
    assert!(browser.text().contains("Approved."), "{}", browser.text());
    reaches(&server, &address, "committed");
    live(&server, "/api/skills/bulky-waste-pickup");
    browser.open(&format!("{}/api/skills/bulky-waste-pickup", server.base()));
    assert!(browser.text().contains("\"status\":\"alpha\""), "{}", browser.text());
    browser.open(&format!("{}/review/drafts/{number}", server.base()));
    assert!(browser.text().contains("merged"), "{}", browser.text());
}
