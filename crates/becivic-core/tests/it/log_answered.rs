//! Answers that carry their proof, and those that say something else than it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use becivic_core::log::{
    Answered, Checkpoint, Entry, Peaks, Signer, Unproven, canonical, content_digest, hex, leaf,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const NONCE: [u8; 32] = [7; 32];

fn signer() -> Signer {
    Signer::new("example.org/log", &[1; 32]).expect("a name")
}

/// What a server answers about an artefact whose entry is the first of its log.
fn answer(artefact: &str, content: &Value, shown: Value) -> Value {
    let digest = content_digest(&NONCE, &Sha256::digest(canonical(content)).into());
    let entry = json!({
        "v": 1, "artefact": artefact, "what": "began", "to": "beta", "version": "0.2.0", "rule": "began",
        "day": "2026-11-16", "content": digest,
    });
    let entry = Entry::read(entry.to_string().as_bytes()).expect("an entry").bytes();
    let mut peaks = Peaks::default();
    peaks.append(leaf(b"something before"));
    let proof = peaks.append(leaf(&entry)).proof;
    let state = Checkpoint { origin: "example.org/log".to_owned(), size: 2, root: peaks.root() };
    let mut answer = shown;
    answer["log"] = json!({
        "index": 1,
        "happened": "It stood so.",
        "entry": String::from_utf8(entry).expect("text"),
        "nonce": hex(&NONCE),
        "proof": proof.iter().map(|hash| STANDARD.encode(hash)).collect::<Vec<_>>(),
        "checkpoint": state.signed(&signer()),
    });
    answer
}

fn skill() -> Value {
    answer("skill:a", &json!({}), json!({"id": "a", "status": "beta", "version": "0.2.0"}))
}

fn checked(answer: &Value) -> Result<(), Unproven> {
    Answered::of(answer).expect("an object").check(signer().verifier()).map(drop)
}

#[test]
fn an_answer_agrees_with_its_entry_or_is_not_believed() {
    assert_eq!(checked(&skill()), Ok(()));
    let told = |field: &str, value: Value| {
        let mut answer = skill();
        answer[field] = value;
        checked(&answer)
    };
    let otherwise = |told: &str, logged: &str| {
        Err(Unproven::Otherwise { told: told.to_owned(), logged: logged.to_owned() })
    };
    assert_eq!(told("status", json!("stable")), otherwise("stable", "beta"));
    assert_eq!(told("version", json!("0.3.0")), otherwise("0.3.0", "0.2.0"));
    assert_eq!(told("id", json!("b")), Err(Unproven::OtherArtefact("skill:a".to_owned())));
    assert_eq!(told("log", Value::Null), Err(Unproven::Missing));
    assert_eq!(told("log", json!({"index": 1})), Err(Unproven::Shape));
    // Rows go by their uid, and say no version.
    let row = json!({"uid": "val-00001", "name": "fee", "status": "beta", "value": 3});
    assert_eq!(checked(&answer("volatile_value:val-00001", &json!({"value": 3}), row)), Ok(()));
    let other = Signer::new("example.org/log", &[2; 32]).expect("a name");
    let found = skill();
    let found = Answered::of(&found).expect("an object").check(other.verifier());
    assert!(matches!(found, Err(Unproven::Checkpoint(_))), "{found:?}");
}

#[test]
fn answers_are_found_at_any_depth() {
    let nested = json!({"skill": skill(), "items": [{"id": "without"}, skill()], "log": "of nothing"});
    assert_eq!(Answered::all(&nested).len(), 2);
    assert!(Answered::all(&nested).into_iter().all(|it| it.check(signer().verifier()).is_ok()));
}

#[test]
fn what_an_answer_says_is_what_was_logged() {
    let entry = json!({"id": "p", "status": "beta", "version": "0.2.0", "sources": [{"id": "s", "url": "https://x.be/"}]});
    let mut shown = entry.clone();
    shown["sources"][0]["stale"] = json!(false);
    shown["sources"][0]["tallies"] = json!({"affirms": 2});
    shown["last_validated"] = json!("2026-11-01");
    shown["cohort"] = json!({"n": 2});
    let row = json!({"value": 3, "value_type": "integer"});
    let whole = json!({"uid": "val-00001", "name": "fee", "status": "beta", "value": 3, "value_type": "integer",
        "committed_at": "2026-11-01", "flagged": false, "previous_stable": {"value": 2}});
    let cases = [
        ("path", "path:p", entry, shown, "version"),
        ("volatile_value", "volatile_value:val-00001", row, whole, "value"),
    ];
    for (kind, artefact, content, shown, field) in cases {
        let mut told = answer(artefact, &content, shown);
        let is_of = |told: &Value| {
            let answered = Answered::of(told).expect("an object");
            let carried = answered.carried().expect("a proof").expect("its shape");
            let (entry, _) = carried.check(artefact, signer().verifier()).expect("it holds");
            carried.is_of(&entry, &answered.content(kind))
        };
        assert_eq!(is_of(&told), Some(true), "{artefact}");
        let nonce = std::mem::take(&mut told["log"]["nonce"]);
        assert_eq!(is_of(&told), None, "{artefact}: nothing can be said without the nonce");
        told["log"]["nonce"] = nonce;
        told[field] = json!("something else");
        assert_eq!(is_of(&told), Some(false), "{artefact}");
    }
}
