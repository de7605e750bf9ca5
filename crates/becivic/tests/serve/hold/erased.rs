//! What is left of a text that was held: nothing in logs and metrics at any time, nothing in any file when it was discarded.

use super::{NAMED, held, to};
use crate::harness::{Engine, Place, Server, Setup, make};
use crate::leaks::files_with;
use serde_json::json;

#[test]
fn a_discarded_text_has_left_every_file() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let token = place.operator_token();
    let mut vote = make::validation("skill", "renew-residence-card", "reject");
    vote["rationale"] = json!(format!("Zqxverdict: {NAMED}"));
    let sent = [
        ("/api/validations", vote),
        ("/api/concerns", make::concern("arrival-declaration", &format!("Zqxconcern: {NAMED}"))),
        ("/api/feedback-channel", make::feedback(&format!("Zqxmessage: {NAMED}"))),
    ];
    let paths = sent.map(|(endpoint, submission)| held(&server, endpoint, &submission).0);
    let needles =
        [b"Zqxverdict".to_vec(), b"Zqxconcern".to_vec(), b"Zqxmessage".to_vec(), b"Amrani".to_vec()];
    let hash = place.write(|tx| {
        let row =
            tx.first("SELECT voter_hash FROM validations WHERE state = 'held'", &[])?.expect("it is there");
        row.bytes(0)
    });
    assert!(!files_with(&place, &needles).is_empty(), "the search finds what is there");
    for text in [server.log(), server.get("/metrics").text] {
        assert!(!text.contains("Amrani") && !text.contains("Zqx"), "{text}");
    }
    paths.iter().for_each(|path| to(&server, &token, path, "discarded"));
    assert!(!server.log().contains("Amrani"));
    assert!(server.stop().success());
    let all: Vec<Vec<u8>> = needles.into_iter().chain([hash]).collect();
    assert_eq!(files_with(&place, &all), std::collections::BTreeSet::new());
}
