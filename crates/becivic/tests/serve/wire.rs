//! What no client library sends: slow and huge headers, chunks without end, requests in a row, methods nobody knows.

use crate::harness::raw::{read_to_close, status};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup, make};
use std::io::Write;
use std::time::{Duration, Instant};

on_both_engines!(
    Setup::fixtures()
        .unlimited()
        .with("SERVER__HEADER_TIMEOUT", "500ms")
        .with("SERVER__REQUEST_TIMEOUT", "1s"),
    cases![
        slow_headers_are_not_waited_for,
        slow_bodies_are_not_waited_for,
        huge_headers_are_refused,
        chunks_are_counted,
        requests_in_a_row_are_answered_in_order,
        methods_nobody_knows,
        what_is_not_http,
        a_refused_body_leaves_the_connection_in_order,
    ]
);

const CLOSE: &str = "Host: x\r\nConnection: close\r\n";

fn concern() -> (String, String) {
    let concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
    (concern.to_string(), format!("/api/concerns/{}", concern["concern_id"].as_str().expect("an id")))
}

fn slow_headers_are_not_waited_for(server: &Server, _: &Place) {
    let began = Instant::now();
    for part in ["", "GET /healthz HT", "GET /healthz HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = server.connect();
        stream.write_all(part.as_bytes()).expect("it is read");
        let said = read_to_close(&mut stream);
        assert!(said.is_empty() || status(&said) >= 400, "{said}");
    }
    // Three times half a second, and a lot of room for a busy machine; the default would have been thirty seconds.
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

fn slow_bodies_are_not_waited_for(server: &Server, _: &Place) {
    let (body, path) = concern();
    let mut stream = server.connect();
    let head = format!(
        "POST /api/concerns HTTP/1.1\r\n{CLOSE}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("it is read");
    stream.write_all(&body.as_bytes()[..body.len() - 1]).expect("it is read");
    let said = read_to_close(&mut stream);
    assert!(said.is_empty() || status(&said) >= 400, "{said}");
    assert_eq!(server.get(&path).status, 404);
}

fn huge_headers_are_refused(server: &Server, _: &Place) {
    let long = format!("GET /healthz HTTP/1.1\r\n{CLOSE}X-Long: {}\r\n\r\n", "x".repeat(1 << 20));
    let many: String = (0..5_000).map(|count| format!("X-{count}: y\r\n")).collect();
    let many = format!("GET /healthz HTTP/1.1\r\n{CLOSE}{many}\r\n");
    let address = format!("GET /{} HTTP/1.1\r\n{CLOSE}\r\n", "x".repeat(1 << 20));
    for request in [long, many, address] {
        let said = server.raw(request.as_bytes());
        assert!(
            said.is_empty() || matches!(status(&said), 400 | 414 | 431),
            "{}",
            &said[..said.len().min(300)]
        );
    }
    assert_eq!(server.get("/healthz").status, 200);
}

fn chunked(body: &[u8], size: usize) -> Vec<u8> {
    let head = format!(
        "POST /api/concerns HTTP/1.1\r\n{CLOSE}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    let mut request = head.into_bytes();
    for part in body.chunks(size) {
        request.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
        request.extend_from_slice(part);
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"0\r\n\r\n");
    request
}

fn chunks_are_counted(server: &Server, _: &Place) {
    let (body, path) = concern();
    let said = server.raw(&chunked(body.as_bytes(), 7));
    assert_eq!(status(&said), 201, "{said}");
    assert_eq!(server.get(&path).status, 200);
    let (body, path) = concern();
    let long = format!("{body}{}", " ".repeat(3 << 20));
    let said = server.raw(&chunked(long.as_bytes(), 60_000));
    assert_eq!(status(&said), 413, "{said}");
    assert!(said.contains("payload_too_large"), "{said}");
    assert_eq!(server.get(&path).status, 404);
    // A chunk that is cut off is no body.
    let (body, path) = concern();
    let mut cut = chunked(body.as_bytes(), 50);
    cut.truncate(cut.len() / 2);
    let mut stream = server.connect();
    stream.write_all(&cut).expect("it is read");
    stream.shutdown(std::net::Shutdown::Write).expect("it is open");
    let said = read_to_close(&mut stream);
    assert!(said.is_empty() || status(&said) == 400, "{said}");
    assert_eq!(server.get(&path).status, 404);
}

fn requests_in_a_row_are_answered_in_order(server: &Server, _: &Place) {
    let ((first, first_path), (second, second_path)) = (concern(), concern());
    let post = |body: &str| {
        format!(
            "POST /api/concerns HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let requests = format!(
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n{}{}GET /nothing HTTP/1.1\r\n{CLOSE}\r\n",
        post(&first),
        post(&second)
    );
    let said = server.raw(requests.as_bytes());
    let statuses: Vec<&str> = said.split("HTTP/1.1 ").skip(1).filter_map(|it| it.get(..3)).collect();
    assert_eq!(statuses, ["200", "201", "201", "404"], "{said}");
    assert_eq!((server.get(&first_path).status, server.get(&second_path).status), (200, 200));
}

fn methods_nobody_knows(server: &Server, _: &Place) {
    for method in ["BREW", "PUT", "TRACE", "CONNECT", "get", "PROPFIND", "X-ZQXJKVWB"] {
        for path in ["/api/skills", "/api/concerns", "/healthz"] {
            let said = server.raw(format!("{method} {path} HTTP/1.1\r\n{CLOSE}\r\n").as_bytes());
            assert!(matches!(status(&said), 400 | 405), "{method} {path}: {said}");
            if status(&said) == 405 {
                assert!(said.to_lowercase().contains("\r\nallow: "), "{said}");
            }
        }
    }
    assert!(!server.log().contains("ZQXJKVWB"));
}

fn what_is_not_http(server: &Server, _: &Place) {
    let cut = "POST /api/concerns HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    for request in [
        "nonsense\r\n\r\n".to_owned(),
        "GET /healthz\r\n\r\n".to_owned(),
        "GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n".to_owned(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}".to_owned(),
        format!("{cut}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}"),
        format!("{cut}Content-Length: -1\r\n\r\n"),
        format!("{cut}Content-Length: 99999999999999999999999\r\n\r\n"),
        "GET /healthz HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n".to_owned(),
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n".to_owned(),
    ] {
        let said = server.raw(request.as_bytes());
        assert!(said.is_empty() || (400..=505).contains(&status(&said)), "{request:?}: {said}");
        assert!(!said.contains("201 Created"), "{request:?}: {said}");
    }
    assert_eq!(server.get("/healthz").status, 200);
}

/// Whoever is refused before the body was looked at can go on with the same connection.
fn a_refused_body_leaves_the_connection_in_order(server: &Server, _: &Place) {
    let body = "x".repeat(100_000);
    let refused =
        |line: &str| format!("{line} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let requests = format!(
        "{}{}{}GET /healthz HTTP/1.1\r\n{CLOSE}\r\n",
        refused("PATCH /api/concerns/x/status"),
        refused("POST /nothing"),
        refused("PUT /api/skills"),
    );
    let said = server.raw(requests.as_bytes());
    let statuses: Vec<&str> = said.split("HTTP/1.1 ").skip(1).filter_map(|it| it.get(..3)).collect();
    assert_eq!(statuses, ["401", "404", "405", "200"], "{said}");
}
