//! What goes wrong between us and GitHub, one fault at a time: each ends in an error that says what to do, and in no case
//! does an error hold anything that was sent or received.

use crate::recorded::{Asked, Recorded, Reply, says, token};
use becivic_server::forge::ForgeError;
use becivic_server::moment::Clock;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A word in every bad answer that must not come out again.
const SECRET: &str = "word-of-a-body";

/// Where `main` is.
const SHA: &str = "5555555555555555555555555555555555555555";

fn main_is(sha: &str) -> Reply {
    says(200, &json!({"ref": "refs/heads/main", "object": {"type": "commit", "sha": sha}}))
}

fn refusal(status: u16, headers: &[(&'static str, &str)]) -> Reply {
    let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Reply::Says(status, headers, json!({"message": SECRET}).to_string())
}

/// Asks for the head of `main` of a server that always answers so, and says how often it was asked.
fn head(reply: impl Fn() -> Reply + Send + Sync + 'static) -> (Result<String, ForgeError>, usize) {
    let server = Recorded::with_token(move |_| reply());
    let answer = server.client(|_| {}).head();
    if let Err(error) = &answer {
        let said = error.to_string();
        assert!(!said.contains(SECRET) && !said.contains("first"), "{said}");
    }
    (answer, server.asked().len())
}

#[test]
fn statuses_say_what_to_do() {
    let wait = |seconds| Err(ForgeError::Wait(Duration::from_secs(seconds)));
    assert_eq!(head(|| main_is(SHA)), (Ok(SHA.to_owned()), 1));
    assert_eq!(head(|| refusal(404, &[])), (Err(ForgeError::Missing("branch main")), 1));
    assert_eq!(head(|| refusal(409, &[])), (Err(ForgeError::Missing("branch main")), 1));
    assert_eq!(head(|| refusal(403, &[("retry-after", "7")])), (wait(7), 1));
    assert_eq!(head(|| refusal(429, &[])), (wait(60), 1));
    let over = &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1")];
    assert_eq!(head(|| refusal(403, over)), (wait(1), 1));
    let secondary = || says(403, &json!({"message": "You have exceeded a secondary rate limit."}));
    assert_eq!(head(secondary), (wait(60), 1));
    assert!(matches!(head(|| refusal(403, &[])), (Err(ForgeError::Refused(_)), 1)));
    assert!(matches!(head(|| refusal(422, &[])), (Err(ForgeError::Defect(_)), 1)));
}

#[test]
fn what_is_a_machines_fault_is_asked_again_a_few_times() {
    for status in [500, 502, 503, 504, 408] {
        let (answer, asked) = head(move || refusal(status, &[]));
        assert!(matches!(answer, Err(ForgeError::Unavailable(_))), "{status}");
        assert_eq!(asked, 3, "{status}");
    }
    let garbage = ["", "<html>", "{\"object\":", "\u{0}"];
    for body in garbage {
        let (answer, asked) = head(move || Reply::Says(200, Vec::new(), body.to_owned()));
        assert!(matches!(answer, Err(ForgeError::Unavailable(_))), "{body:?}");
        assert_eq!(asked, 3, "{body:?}");
    }
    for reply in [|| Reply::Gone, || Reply::Half] {
        let (answer, asked) = head(reply);
        assert!(matches!(answer, Err(ForgeError::Unavailable(_))));
        assert!(asked >= 3);
    }
    // JSON of another shape is no accident of the way.
    for shape in [json!({"object": [SECRET]}), json!({"object": {"sha": "../x"}}), json!([]), json!(7)] {
        let (answer, asked) = head(move || says(200, &shape));
        assert!(matches!(answer, Err(ForgeError::Unavailable(_))), "{answer:?}");
        assert_eq!(asked, 1);
    }
}

#[test]
fn a_fault_that_goes_away_is_not_noticed() {
    let times = AtomicUsize::new(0);
    let reply = move || match times.fetch_add(1, Ordering::SeqCst) {
        0 => refusal(502, &[]),
        1 => Reply::Gone,
        _ => main_is(SHA),
    };
    assert_eq!(head(reply).0, Ok(SHA.to_owned()));
}

#[test]
fn silence_has_an_end() {
    let server = Recorded::with_token(|_| Reply::Silence);
    let client = server.client(|settings| {
        settings.patience.answering = Duration::from_millis(200);
        settings.patience.attempts = 2;
    });
    let began = Instant::now();
    let answer = client.head();
    assert_eq!(answer, Err(ForgeError::Unavailable("it does not answer in time".to_owned())));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn nobody_listening_is_an_error_too() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let server = Recorded::start(|_| Reply::Gone);
    let client = server.client(|settings| settings.api = address);
    assert!(matches!(client.head(), Err(ForgeError::Unavailable(_))));
}

#[test]
fn https_is_spoken_and_nothing_is_said_without_it() {
    let server = Recorded::with_token(|_| main_is(SHA));
    let address = server.base.replace("http://", "https://");
    let client = server.client(|settings| settings.api = address);
    assert!(matches!(client.head(), Err(ForgeError::Unavailable(_))));
    assert_eq!((server.asked().len(), server.tokens()), (0, 0));
}

#[test]
fn what_may_not_be_made_is_a_refusal_also_where_it_is_called_missing() {
    // GitHub hides what an App may not see.
    let server = Recorded::with_token(|asked| match asked.method.as_str() {
        "GET" => says(200, &json!([])),
        _ => refusal(404, &[]),
    });
    let answer = server.client(|_| {}).open_issue("Review con-00007", "", &[]);
    assert!(matches!(&answer, Err(ForgeError::Refused(why)) if why.contains("404")), "{answer:?}");
}

#[test]
fn a_token_that_expires_in_between_is_renewed_once() {
    let given = AtomicUsize::new(0);
    let server = Recorded::start(move |asked| match asked.path.ends_with("/access_tokens") {
        true => token(&format!("token-{}", given.fetch_add(1, Ordering::SeqCst)), "2999-01-01T00:00:00Z"),
        false if asked.bearer == "token-0" => refusal(401, &[]),
        false => main_is(SHA),
    });
    let client = server.client(|_| {});
    assert_eq!(client.head(), Ok(SHA.to_owned()));
    assert_eq!(client.head(), Ok(SHA.to_owned()));
    assert_eq!((server.tokens(), server.asked().len()), (2, 3));
}

#[test]
fn a_token_that_nobody_takes_is_a_refusal() {
    let server = Recorded::with_token(|_| refusal(401, &[]));
    let answer = server.client(|_| {}).head();
    assert!(matches!(&answer, Err(ForgeError::Refused(why)) if why.contains("401")), "{answer:?}");
    assert_eq!((server.tokens(), server.asked().len()), (2, 2));
}

#[test]
fn a_token_counts_as_expired_a_minute_early() {
    let now = Arc::new(AtomicI64::new(1_794_700_000_000));
    let ends = "2026-11-15T01:00:00Z"; // 1 794 704 400: 73 minutes and 20 seconds later
    let server = Recorded::start(move |asked| match asked.path.ends_with("/access_tokens") {
        true => token("first", ends),
        false => main_is(SHA),
    });
    let clock = Clock::Set(Arc::clone(&now));
    let client = server.client(move |settings| settings.clock = clock);
    let ask_at = |seconds: i64| {
        now.store(seconds * 1_000, Ordering::SeqCst);
        assert_eq!(client.head(), Ok(SHA.to_owned()));
        server.tokens()
    };
    assert_eq!(ask_at(1_794_700_000), 1);
    assert_eq!(ask_at(1_794_704_339), 1);
    assert_eq!(ask_at(1_794_704_341), 2);
}

#[test]
fn the_apps_statement_is_short_lived_and_its_own() {
    let now = Arc::new(AtomicI64::new(1_794_700_000_000));
    let server = Recorded::with_token(|_| main_is(SHA));
    let seen = Arc::new(std::sync::Mutex::new(String::new()));
    let kept = Arc::clone(&seen);
    let tokens = Recorded::start(move |asked: &Asked| {
        if asked.path.ends_with("/access_tokens") {
            *kept.lock().unwrap() = asked.bearer.clone();
            assert_eq!(asked.path, "/app/installations/100/access_tokens");
            assert_eq!(asked.body, json!({"repositories": ["corpus"]}));
            return token("first", "2999-01-01T00:00:00Z");
        }
        main_is(SHA)
    });
    drop(server);
    let clock = Clock::Set(now);
    tokens.client(move |settings| settings.clock = clock).head().expect("main");
    let statement = seen.lock().unwrap().clone();
    let parts: Vec<&str> = statement.split('.').collect();
    assert_eq!(parts.len(), 3);
    let claims: serde_json::Value = serde_json::from_slice(&decoded(parts[1])).expect("JSON");
    let time = |name: &str| claims[name].as_i64().expect("a time") - 1_794_700_000;
    assert_eq!((claims["iss"].as_str(), time("iat")), (Some("12345"), -60));
    assert!((240..=540).contains(&time("exp")), "{claims}");
}

fn decoded(text: &str) -> Vec<u8> {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).expect("base64url")
}

#[test]
fn tokens_that_are_not_given_are_refusals() {
    for (status, word) in [(401, "app_id"), (404, "installation_id"), (422, "not installed"), (403, "App")] {
        let server = Recorded::start(move |_| refusal(status, &[]));
        let answer = server.client(|_| {}).head();
        assert!(
            matches!(&answer, Err(ForgeError::Refused(why)) if why.contains(word)),
            "{status}: {answer:?}"
        );
        assert_eq!(server.tokens(), 1, "{status}");
    }
    let server = Recorded::start(|_| refusal(429, &[("retry-after", "9")]));
    assert_eq!(server.client(|_| {}).head(), Err(ForgeError::Wait(Duration::from_secs(9))));
    let server = Recorded::start(|_| token("first", "soon"));
    assert!(matches!(server.client(|_| {}).head(), Err(ForgeError::Unavailable(_))));
}

#[test]
fn a_redirect_is_not_followed_with_a_token() {
    let elsewhere = Recorded::start(|_| main_is(SHA));
    let there = format!("{}/repositories/1", elsewhere.base);
    let server =
        Recorded::with_token(move |_| Reply::Says(301, vec![("location", there.clone())], "{}".to_owned()));
    let answer = server.client(|_| {}).head();
    assert!(matches!(&answer, Err(ForgeError::Defect(why)) if why.contains("another name")), "{answer:?}");
    assert_eq!((elsewhere.asked().len(), elsewhere.tokens()), (0, 0));
}

#[test]
fn a_listing_is_read_from_us_whatever_its_links_say() {
    let elsewhere = Recorded::start(|_| says(200, &json!([])));
    let there = elsewhere.base.clone();
    let server = Recorded::with_token(move |asked| {
        if asked.path.contains("page=2") {
            return says(200, &json!([{"number": 7, "title": "Review con-00007"}]));
        }
        let next = format!("<{there}/repos/be-civic/corpus/issues?state=open&page=2>; rel=\"next\"");
        Reply::Says(200, vec![("link", next)], json!([{"number": 6, "title": "x"}]).to_string())
    });
    assert_eq!(server.client(|_| {}).open_issue("Review con-00007", "", &[]), Ok(7));
    assert_eq!(elsewhere.asked().len(), 0);
    // One without an end has one all the same.
    let server = Recorded::with_token(|_| {
        Reply::Says(200, vec![("link", "<http://x/y?page=2>; rel=\"next\"".to_owned())], "[]".to_owned())
    });
    let endless = server.client(|_| {}).open_issue("Review con-00007", "", &[]);
    assert!(matches!(endless, Err(ForgeError::Unavailable(_))), "{endless:?}");
}
