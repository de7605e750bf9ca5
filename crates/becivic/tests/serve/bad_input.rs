//! Input that is broken, hostile or too long: refused with the category it has, not stored, not repeated anywhere.

use crate::fixtures::status_of;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make};
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        bodies_that_are_not_json,
        json_that_is_not_a_submission,
        types_and_encodings,
        bodies_that_are_too_long,
        characters_that_hide,
        numbers_that_hide,
        strings_that_mean_something_elsewhere,
        nothing_was_kept,
    ]
);

/// Stands in everything that is refused here, and must stand nowhere afterwards.
pub const MARKER: &str = "zqxjkvwb";

/// A concern that may not be kept.
pub fn concern() -> Value {
    make::concern("arrival-declaration", &format!("The counter of {MARKER} asked for two photographs."))
}

fn send(server: &Server, body: &[u8]) -> Reply {
    server.send("POST", "/api/concerns", &[("content-type", "application/json")], Some(body))
}

/// Refused with a category, without a word of what was sent.
pub fn refused(reply: &Reply, category: &str, about: &str) {
    assert_eq!(
        (reply.error().as_str(), reply.status),
        (category, status_of(category)),
        "{about}: {}",
        reply.text
    );
    assert!(!format!("{reply:?}").contains(MARKER), "{about} is repeated: {reply:?}");
    let allowed = [
        "error",
        "schema_pointer",
        "missing",
        "retry_after",
        "help",
        "rule",
        "category",
        "matches",
        "remediation",
    ];
    let fields = reply.json();
    for name in fields.as_object().expect("an object").keys() {
        assert!(allowed.contains(&name.as_str()), "{about}: {name}");
    }
}

/// Nobody finds it by its id.
pub fn not_stored(server: &Server, submission: &Value) {
    if let Some(id) = submission["concern_id"].as_str().filter(|id| id.starts_with("con_") && id.is_ascii()) {
        assert_eq!(server.get(&format!("/api/concerns/{id}")).status, 404, "{id} is stored");
    }
}

fn bodies_that_are_not_json(server: &Server, _: &Place) {
    let whole = concern().to_string();
    let id = make::id("con_");
    let mut bodies: Vec<(String, Vec<u8>)> = [
        ("nothing", String::new()),
        ("a blank", " ".to_owned()),
        ("a brace", "{".to_owned()),
        ("half of it", whole[..whole.len() / 2].to_owned()),
        ("all but the last byte", whole[..whole.len() - 1].to_owned()),
        ("more behind it", format!("{whole}x")),
        ("twice", format!("{whole}{whole}")),
        ("a comma too many", whole.replacen('}', ",}", 1)),
        ("single quotes", whole.replace('"', "'")),
        ("a comment", format!("/* {MARKER} */{whole}")),
        ("not a number", format!("{{\"{MARKER}\": NaN}}")),
        ("a leading zero", format!("{{\"{MARKER}\": 01}}")),
        ("an unknown escape", format!("{{\"{MARKER}\": \"\\x41\"}}")),
        ("a raw line break", whole.replacen("two photographs", "two\nphotographs", 1)),
        ("a raw NUL", whole.replacen("two photographs", "two\0photographs", 1)),
        ("a byte order mark", format!("\u{feff}{whole}")),
        ("a key twice", whole.replacen('{', &format!("{{\"concern_id\": \"{id}\","), 1)),
        ("a key twice, further in", whole.replacen("{\"scope\"", "{\"scope\": \"general\", \"scope\"", 1)),
        ("a key twice, once escaped", whole.replacen('{', "{\"target\\u005ftype\": \"skill\",", 1)),
        ("ten thousand lists", "[".repeat(10_000)),
        ("ten thousand objects", "{\"a\":".repeat(10_000)),
        ("ten thousand lists, closed", format!("{}{}", "[".repeat(10_000), "]".repeat(10_000))),
        ("half a surrogate pair", whole.replacen("two photographs", "two\\ud83dphotographs", 1)),
        ("the other half", whole.replacen("two photographs", "two\\ude00photographs", 1)),
        ("half a pair in a key", whole.replacen("\"scope\"", "\"scope\\ud800\"", 1)),
    ]
    .map(|(about, body)| (about.to_owned(), body.into_bytes()))
    .to_vec();
    let spoilt = |bytes: &[u8]| {
        let at = whole.find("two").expect("it is there");
        [whole.as_bytes().get(..at).expect("a part"), bytes, whole.as_bytes().get(at..).expect("a part")]
            .concat()
    };
    bodies.push(("a stray byte".to_owned(), spoilt(&[0xff])));
    bodies.push(("an overlong slash".to_owned(), spoilt(&[0xc0, 0xaf])));
    bodies.push(("a surrogate in UTF-8".to_owned(), spoilt(&[0xed, 0xa0, 0x80])));
    bodies.push(("a cut character".to_owned(), spoilt(&[0xe2, 0x82])));
    bodies.push(("UTF-16".to_owned(), whole.encode_utf16().flat_map(u16::to_le_bytes).collect()));
    let marked =
        [&[0xff, 0xfe][..], &whole.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()].concat();
    bodies.push(("UTF-16 with its mark".to_owned(), marked));
    bodies.push(("Latin-1".to_owned(), spoilt(&[0xe9])));
    for (about, body) in bodies {
        refused(&send(server, &body), "malformed_json", &about);
        let envelope =
            server.send("POST", "/api/feedback", &[("content-type", "application/json")], Some(&body));
        refused(&envelope, "malformed_json", &about);
    }
}

fn json_that_is_not_a_submission(server: &Server, _: &Place) {
    for body in [
        "null",
        "true",
        "7",
        "\"zqxjkvwb\"",
        "[]",
        "{}",
        "[{}]",
        "{\"zqxjkvwb\": 1}",
        "{\"concern_id\": null}",
    ] {
        for endpoint in [
            "concerns",
            "amendments",
            "drafts",
            "validations",
            "feedback-channel",
            "ratings",
            "analytics",
            "feedback",
        ] {
            let headers = [("content-type", "application/json")];
            let reply = server.send("POST", &format!("/api/{endpoint}"), &headers, Some(body.as_bytes()));
            refused(&reply, "schema_fail", &format!("{endpoint} {body}"));
        }
    }
    let mut extra = concern();
    extra[MARKER] = json!(MARKER);
    refused(&server.post("/api/concerns", &extra), "schema_fail", "an unknown field");
    not_stored(server, &extra);
    let mut banned = concern();
    banned["content"]["user_email"] = json!(MARKER);
    refused(&server.post("/api/concerns", &banned), "identity_field_banned", "an identity field");
    not_stored(server, &banned);
    let mut wrong = concern();
    wrong["content"]["scope"] = json!(MARKER);
    refused(&server.post("/api/concerns", &wrong), "schema_fail", "a word that is not in the list");
    let mut target = concern();
    target["target_id"] = json!(MARKER);
    refused(&server.post("/api/concerns", &target), "cross_ref_fail", "a target that does not exist");
    not_stored(server, &target);
    let mut deep = concern();
    deep["content"]["body"] = (0..20).fold(json!(MARKER), |inner, _| json!([inner]));
    refused(&server.post("/api/concerns", &deep), "schema_fail", "lists where a text stands");
}

fn types_and_encodings(server: &Server, _: &Place) {
    let body = concern().to_string();
    // An empty gzip member: it is the header that counts, and what follows is no JSON either.
    let gzip = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for headers in [
        &[][..],
        &[("content-type", "")],
        &[("content-type", "text/plain")],
        &[("content-type", "text/json")],
        &[("content-type", "application/jsonp")],
        &[("content-type", "application/x-www-form-urlencoded")],
        &[("content-type", "multipart/form-data; boundary=x")],
        &[("content-type", "application/json; charset=utf-16")],
        &[("content-type", "application/json; charset=iso-8859-1")],
        &[("content-type", "application/json, text/plain")],
        &[("content-type", "application/json"), ("content-encoding", "gzip")],
        &[("content-type", "application/json"), ("content-encoding", "br")],
        &[("content-type", "application/json"), ("content-encoding", "gzip, identity")],
    ] {
        for body in [body.as_bytes(), &gzip] {
            let reply = server.send("POST", "/api/concerns", headers, Some(body));
            refused(&reply, "unsupported_media_type", &format!("{headers:?}"));
        }
    }
    refused(&send(server, &gzip), "malformed_json", "gzip that does not say so");
    for headers in [
        &[("content-type", "application/json; charset=utf-8")][..],
        &[("content-type", "Application/JSON;charset=\"UTF-8\"")],
        &[("content-type", "application/json"), ("content-encoding", "identity")],
    ] {
        let fine = make::concern("arrival-declaration", "The counter asked for two photographs.").to_string();
        let reply = server.send("POST", "/api/concerns", headers, Some(fine.as_bytes()));
        assert_eq!(reply.status, 201, "{headers:?}: {reply:?}");
    }
}

fn bodies_that_are_too_long(server: &Server, _: &Place) {
    let limit = 1 << 20;
    let padded = |length: usize, text: &str| {
        let mut body = make::concern("arrival-declaration", text).to_string();
        body.push_str(&" ".repeat(length - body.len()));
        body
    };
    for length in [limit + 1, 10 << 20] {
        refused(&send(server, padded(length, MARKER).as_bytes()), "payload_too_large", &length.to_string());
    }
    let text = format!("{{\"{MARKER}\": \"{}\"}}", "x".repeat(10 << 20));
    refused(&send(server, text.as_bytes()), "payload_too_large", "one long text");
    let fits = padded(limit, "The counter asked for two photographs.");
    assert_eq!(send(server, fits.as_bytes()).status, 201, "a mebibyte is allowed");
}

/// A refused text in one field of a concern.
fn text_is(server: &Server, text: &str, category: &str) {
    let concern = make::concern("arrival-declaration", text);
    let reply = server.post("/api/concerns", &concern);
    assert_eq!(
        (reply.error().as_str(), reply.status),
        (category, status_of(category)),
        "{text:?}: {reply:?}"
    );
    assert!(!reply.text.contains(text), "{reply:?}");
    not_stored(server, &concern);
}

fn characters_that_hide(server: &Server, _: &Place) {
    for hidden in [
        '\0', '\u{1}', '\t', '\n', '\r', '\u{1b}', '\u{7f}', '\u{85}', '\u{9f}', '\u{200b}', '\u{200c}',
        '\u{200d}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
        '\u{2028}', '\u{2029}', '\u{2060}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}', '\u{feff}',
        '\u{061c}',
    ] {
        text_is(
            server,
            &format!("The counter of {MARKER}{hidden} asked for two photographs."),
            "schema_fail",
        );
        let mut feedback = make::feedback(&format!("The pages {hidden} are clear."));
        let reply = server.post("/api/feedback-channel", &feedback);
        assert_eq!(reply.error(), "schema_fail", "{hidden:?}");
        feedback["body"] = json!("The pages are clear.");
        assert_eq!(server.post("/api/feedback-channel", &feedback).status, 201, "the id is still new");
    }
}

/// A national number, however it is written.
fn numbers_that_hide(server: &Server, _: &Place) {
    let written = |digit: fn(u32) -> char| -> String {
        "79.10.05-977.20".chars().map(|c| c.to_digit(10).map_or(c, digit)).collect()
    };
    for number in [
        "79.10.05-977.20".to_owned(),
        "79100597720".to_owned(),
        "79 10 05 977 20".to_owned(),
        "79-10-05-977-20".to_owned(),
        written(|digit| char::from_u32(0xff10 + digit).unwrap_or('x')),
        written(|digit| char::from_u32(0x1d7ce + digit).unwrap_or('x')),
        written(|digit| char::from_u32(0x0660 + digit).unwrap_or('x')),
    ] {
        text_is(server, &format!("The desk asked for {number} and then printed it."), "regex_fail");
        let mut rating = make::rating("arrival-declaration", 3);
        rating["would_be_5_stars"] = json!(format!("Not to be asked for {number} again."));
        assert_eq!(server.post("/api/ratings", &rating).error(), "regex_fail", "{number}");
    }
    for hidden in ['\u{200b}', '\u{2060}', '\u{200d}', '\u{feff}', '\u{202e}', '\u{ad}'] {
        let number = format!("79.10.0{hidden}5-97{hidden}7.20");
        let concern = make::concern("arrival-declaration", &format!("The desk asked for {number}."));
        let reply = server.post("/api/concerns", &concern);
        assert!(matches!(reply.error().as_str(), "schema_fail" | "regex_fail"), "{hidden:?}: {reply:?}");
        not_stored(server, &concern);
    }
}

fn strings_that_mean_something_elsewhere(server: &Server, _: &Place) {
    let strings = [
        "'; DROP TABLE staged; --",
        "' OR '1'='1",
        "\\'); DELETE FROM concerns; --",
        "$1 $2 %s %n {{7*7}} ${jndi:ldap://x}",
        "<script>alert(1)</script>",
        "=cmd|' /C calc'!A0",
        "../../../../etc/passwd",
    ];
    let before = server.get("/api/volatile-values").text;
    for text in strings {
        // As text it is only text.
        let fine = make::concern("arrival-declaration", text);
        let reply = server.post("/api/concerns", &fine);
        // What looks like an address somebody has to look at; it is text all the same.
        let (new, again) = if text.contains("://") { (202, 202) } else { (201, 200) };
        assert_eq!(reply.status, new, "{text}: {reply:?}");
        assert_eq!(server.post("/api/concerns", &fine).status, again, "{text}");
        for (field, category) in
            [("concern_id", "schema_fail"), ("target_id", "schema_fail"), ("target_type", "schema_fail")]
        {
            let mut concern = concern();
            concern[field] = json!(text);
            refused(&server.post("/api/concerns", &concern), category, text);
        }
        for header in ["authorization", "x-forwarded-for", "if-none-match", "accept", "origin"] {
            let reply = server.send("GET", "/api/skills", &[(header, text)], None);
            assert_eq!(reply.status, 200, "{header}: {text}");
            assert!(!format!("{:?}", reply.headers).contains(text), "{header}: {text}");
        }
    }
    for text in ["x\r\nSet-Cookie: a=b", "x\nLocation: https://elsewhere.example"] {
        text_is(server, text, "schema_fail");
    }
    for address in [
        "/api/skills/x%0d%0aSet-Cookie:%20a=b",
        "/api/volatile-values/%27%3B%20DROP%20TABLE%20staged",
        "/api/skills?after=%0d%0aX-A:%20b",
    ] {
        let reply = server.get(address);
        assert!(matches!(reply.status, 200 | 404), "{reply:?}");
        assert!(reply.header("set-cookie").is_none() && reply.header("x-a").is_none(), "{reply:?}");
    }
    assert_eq!(server.get("/api/volatile-values").text, before);
}

/// After everything above: the marker is in no log line and in no row that waits.
fn nothing_was_kept(server: &Server, place: &Place) {
    assert!(!server.log().contains(MARKER), "the log repeats what was sent");
    let payloads = place.write(|tx| {
        let rows = tx.query("SELECT payload FROM staged", &[])?;
        rows.iter().map(|row| row.text(0)).collect::<Result<Vec<String>, _>>()
    });
    assert!(!payloads.is_empty(), "the good ones are there");
    assert!(payloads.iter().all(|payload| !payload.contains(MARKER)));
    assert!(!server.get("/metrics").text.contains(MARKER));
}
