//! Who gets in, for how long, and what a form must bring along.

use super::{Desk, FORM, ask, form, held, log, log_in, state};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup};
use becivic_server::db::{DbError, audit, tokens};
use becivic_server::moment::{Clock, HOUR, Moment};
use becivic_server::secrets::Token;

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        a_token_opens_the_desk_and_nothing_else_does,
        one_comes_back_to_where_one_was,
        a_session_ends,
        a_session_is_nobody_elses,
        a_form_comes_from_a_page_of_its_session,
        wrong_tokens_make_one_wait,
        pages_are_kept_framed_and_read_by_nobody,
        the_log_only_grows,
    ]
);

fn a_token_opens_the_desk_and_nothing_else_does(server: &Server, place: &Place) {
    let token = place.operator_token();
    for wrong in ["", "x", &token[1..], &format!("{token}x"), "%00", "' OR 1=1 --"] {
        let reply = log_in(server, wrong, "/review", &[("x-forwarded-for", "192.0.2.1")]);
        assert_eq!(reply.status, 401, "{wrong}: {reply:?}");
        assert!(reply.header("set-cookie").is_none() && reply.text.contains("no valid operator token"));
        assert!(wrong.is_empty() || !reply.text.contains(wrong) || wrong == "x", "{reply:?}");
    }
    let reply = log_in(server, &format!(" {token}\n"), "/review/held", &[]);
    assert_eq!((reply.status, reply.header("location")), (303, Some("/review/held")));
    let cookie = reply.header("set-cookie").expect("a cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/review", "Max-Age=28800"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains(&token) && !cookie.contains("Secure"), "{cookie}");
    let https = log_in(server, &token, "/review", &[("x-forwarded-proto", "https")]);
    assert!(https.header("set-cookie").is_some_and(|cookie| cookie.contains("; Secure")), "{https:?}");
    // The token itself is no cookie, and no page takes it as one.
    let reply = ask(server, "GET", "/review", &[("cookie", &format!("becivic_review={token}"))], "");
    assert_eq!(reply.status, 303);
    let bearer = format!("Bearer {token}");
    assert_eq!(ask(server, "GET", "/review", &[("authorization", &bearer)], "").status, 303);
}

fn one_comes_back_to_where_one_was(server: &Server, place: &Place) {
    for (asked, login) in [
        ("/review", "/review/login?next=/review"),
        ("/review/held?after=con_1", "/review/login?next=/review/held%3Fafter%3Dcon_1"),
        ("/review/drafts/3", "/review/login?next=/review/drafts/3"),
    ] {
        let reply = ask(server, "GET", asked, &[], "");
        assert_eq!((reply.status, reply.header("location")), (303, Some(login)), "{asked}");
        let page = ask(server, "GET", login, &[], "");
        assert!(page.status == 200 && page.text.contains(&format!("value=\"{asked}\"")), "{page:?}");
        let reply = log_in(server, &place.operator_token(), asked, &[]);
        assert_eq!(reply.header("location"), Some(asked));
    }
    for outside in ["https://elsewhere.example/", "//elsewhere.example/review", "/api", "/review/\\x"] {
        let reply = log_in(server, &place.operator_token(), outside, &[]);
        assert_eq!(reply.header("location"), Some("/review"), "{outside}");
        let page = ask(server, "GET", &format!("/review/login?next={outside}"), &[], "");
        assert!(page.text.contains("name=\"next\" value=\"/review\""), "{outside}");
    }
}

/// A cookie as the server seals one.
pub fn cookie(place: &Place, name: &str, expires: Moment) -> String {
    let seal = place.pepper().session(name, expires);
    format!("becivic_review={}.{}.{}", base64(name.as_bytes()), expires.0, base64(&seal))
}

/// Base64 for addresses, without padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..=chunk.len() {
            out.push(char::from(LETTERS[(bits >> (18 - 6 * at) & 63) as usize]));
        }
    }
    out
}

fn opens(server: &Server, cookie: &str) -> bool {
    match ask(server, "GET", "/review", &[("cookie", cookie)], "").status {
        200 => true,
        303 => false,
        other => panic!("{other}"),
    }
}

fn a_session_ends(server: &Server, place: &Place) {
    let now = Clock::System.now();
    assert!(opens(server, &cookie(place, "first", now.plus(HOUR))));
    assert!(!opens(server, &cookie(place, "first", now.plus(-1))), "its time has ended");
    assert!(!opens(server, &cookie(place, "first", now.plus(9 * HOUR))), "nobody is given that much");
    assert!(!opens(server, &cookie(place, "nobody", now.plus(HOUR))));
    let token = Token::new(&[7; 32]);
    let hash = token.hash;
    place.write(move |tx| tokens::insert(tx, "leaving", &hash, Moment(0)));
    let desk = Desk::with(server, &token.shown);
    let (id, path) = held(server, place, "The counter asked for two photographs.");
    place.write(|tx| tokens::revoke(tx, "leaving", Moment(1)));
    assert_eq!(desk.get("/review").status, 303, "the token was revoked");
    let reply = desk.post(&format!("/review/held/{id}"), &[("action", "release"), ("why", "fine")]);
    assert_eq!(reply.status, 303);
    assert!(
        reply.header("location").is_some_and(|place| place.starts_with("/review/login?next=")),
        "{reply:?}"
    );
    assert_eq!(state(server, &path), "ner_held_for_review");
    let desk = Desk::open(server, place);
    let out = desk.post("/review/logout", &[]);
    assert_eq!((out.status, out.header("location")), (303, Some("/review/login")));
    assert!(out.header("set-cookie").is_some_and(|cookie| cookie.contains("Max-Age=0")), "{out:?}");
}

fn a_session_is_nobody_elses(server: &Server, place: &Place) {
    let now = Clock::System.now();
    let good = cookie(place, "first", now.plus(HOUR));
    let value = good.strip_prefix("becivic_review=").expect("a value");
    let parts: Vec<&str> = value.split('.').collect();
    let later = now.plus(2 * HOUR).0.to_string();
    for tampered in [
        format!("{}.{}.{}", base64(b"second"), parts[1], parts[2]),
        format!("{}.{later}.{}", parts[0], parts[2]),
        format!("{}.{}.{}", parts[0], parts[1], base64(&[0; 32])),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{value}.x"),
        "..".to_owned(),
        String::new(),
        "é.é.é".to_owned(),
        "x".repeat(5_000),
    ] {
        assert!(!opens(server, &format!("becivic_review={tampered}")), "{tampered}");
    }
    assert!(opens(server, &good));
}

fn a_form_comes_from_a_page_of_its_session(server: &Server, place: &Place) {
    let (id, path) = held(server, place, "The counter asked for a third photograph.");
    let (desk, address) = (Desk::open(server, place), format!("/review/held/{id}"));
    let other = Desk::open(server, place);
    let before = log(place, 1);
    let act = [("action", "release"), ("why", "nothing personal")];
    let with = |seal: &str, headers: &[(&str, &str)]| {
        let fields = [("form", seal), act[0], act[1]];
        let headers: Vec<(&str, &str)> =
            [FORM, ("cookie", desk.cookie.as_str())].into_iter().chain(headers.iter().copied()).collect();
        ask(server, "POST", &address, &headers, &form(&fields))
    };
    let host = server.base().trim_start_matches("http://").to_owned();
    for (about, reply) in [
        ("no seal", with("", &[])),
        ("a made-up seal", with(&base64(&[1; 32]), &[])),
        ("another session's", with(&other.seal, &[])),
        ("another site", with(&desk.seal, &[("sec-fetch-site", "cross-site")])),
        ("another port", with(&desk.seal, &[("sec-fetch-site", "same-site")])),
        ("another origin", with(&desk.seal, &[("origin", "https://elsewhere.example")])),
        (
            "another scheme's host",
            with(&desk.seal, &[("origin", &format!("http://{host}.elsewhere.example"))]),
        ),
    ] {
        // Two sessions that begin in the same millisecond are one.
        if about == "another session's" && other.seal == desk.seal {
            continue;
        }
        assert_eq!(reply.status, 403, "{about}: {reply:?}");
        assert_eq!(state(server, &path), "ner_held_for_review", "{about}");
    }
    assert_eq!(log(place, 1), before, "what was not done is not in the log");
    let foreign = log_in(server, &place.operator_token(), "/review", &[("sec-fetch-site", "cross-site")]);
    assert!(foreign.status == 403 && foreign.header("set-cookie").is_none(), "{foreign:?}");
    let own = with(&desk.seal, &[("origin", server.base()), ("sec-fetch-site", "same-origin")]);
    assert_eq!(own.status, 303, "{own:?}");
    assert_eq!(state(server, &path), "released");
    // A form is a form.
    let json = ask(
        server,
        "POST",
        &address,
        &[("content-type", "application/json"), ("cookie", &desk.cookie)],
        "{}",
    );
    assert!((400..500).contains(&json.status), "{json:?}");
}

fn wrong_tokens_make_one_wait(server: &Server, place: &Place) {
    let from = [("x-forwarded-for", "198.51.100.9")];
    for _ in 0..10 {
        assert_eq!(log_in(server, "wrong", "/review", &from).status, 401);
    }
    for token in ["wrong", &place.operator_token()] {
        let reply = log_in(server, token, "/review", &from);
        assert_eq!(reply.status, 429, "{reply:?}");
        assert!(reply.header("retry-after").is_some_and(|it| it.parse::<u32>().is_ok_and(|it| it <= 900)));
    }
    let other = log_in(server, &place.operator_token(), "/review", &[("x-forwarded-for", "198.51.100.10")]);
    assert_eq!(other.status, 303);
    assert!(!server.log().contains("198.51.100."), "no address is written down");
}

fn pages_are_kept_framed_and_read_by_nobody(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let pages =
        ["", "/drafts", "/held", "/flags", "/feedback", "/log", "/login", "/style.css", "/nothing/here"];
    for path in pages.map(|path| format!("/review{path}")) {
        let reply = desk.get(&path);
        let expected = if path.ends_with("here") { 404 } else { 200 };
        assert_eq!(reply.status, expected, "{path}");
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
        let policy = reply.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
            ("x-robots-tag", "noindex, nofollow"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{path}");
        }
        assert_eq!(reply.header("access-control-allow-origin"), None, "{path}");
        assert!(!reply.text.contains("<script"), "{path}");
    }
    let options = ask(server, "OPTIONS", "/review/held", &[], "");
    assert_eq!((options.status, options.header("access-control-allow-origin")), (204, None));
    assert_eq!(ask(server, "DELETE", "/review/held", &[], "").status, 405);
    for list in ["/openapi.json", "/api"] {
        assert!(!server.get(list).text.contains("/review"), "{list} lists pages for people");
    }
}

fn the_log_only_grows(_: &Server, place: &Place) {
    let deed = audit::Deed { at: Moment(7), who: "first", action: "test", subject: "x", why: "y" };
    let (who, action) = (deed.who, deed.action);
    let number = place.write(move |tx| {
        audit::write(tx, &audit::Deed { at: Moment(7), who, action, subject: "x", why: "y" })
    });
    let db = place.db();
    let refused = |sql: &'static str| {
        let end = db.write_now(move |tx| tx.execute(sql, &[number.into()]));
        assert!(matches!(end, Err(DbError::Defect(_) | DbError::Taken)), "{sql}: {end:?}");
    };
    refused("UPDATE audit SET why = 'z' WHERE number = $1");
    refused("DELETE FROM audit WHERE number = $1");
    refused("INSERT INTO audit (number, at, who, action, subject, why) VALUES ($1, 1, 'a', 'b', 'c', 'd')");
    match place.cluster() {
        Some(_) => {
            let end = db.write_now(|tx| tx.execute("TRUNCATE audit", &[]));
            assert!(end.is_err(), "{end:?}");
        }
        None => refused(
            "INSERT OR REPLACE INTO audit (number, at, who, action, subject, why) VALUES ($1, 1, 'a', 'b', 'c', 'd')",
        ),
    }
    db.close();
    assert_eq!(log(place, 1), [("first".into(), "test".into(), "x".into(), "y".into())]);
}
