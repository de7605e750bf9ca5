//! What GitHub tells us by itself: that `main` moved, or that a pull request ended.
//!
//! Nothing in it is believed but that it comes from GitHub: it wakes the jobs, and they look for themselves.

use super::read_secret;
use hmac::{Hmac, Mac};
use serde::Deserialize;
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// What a delivery means for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Something is there to be looked at.
    LookAgain,
    /// Nothing of ours changed.
    Nothing,
}

/// The door for deliveries.
pub struct Hook {
    secret: Vec<u8>,
}

impl Hook {
    /// Reads the secret that deliveries are signed with.
    pub fn read(file: &str) -> anyhow::Result<Self> {
        Ok(Self { secret: read_secret("webhook_secret_file", file)? })
    }

    /// Whether a body was signed with the secret: `X-Hub-Signature-256`, compared in constant time.
    pub fn verify(&self, body: &[u8], signature: &str) -> bool {
        verify(&self.secret, body, signature)
    }

    /// What a delivery of some kind (`X-GitHub-Event`) means.
    pub fn meaning(kind: &str, body: &[u8]) -> Event {
        meaning(kind, body)
    }
}

/// Whether `sha256=<hex>` is the signature of a body.
fn verify(secret: &[u8], body: &[u8], signature: &str) -> bool {
    let Some(claimed) = signature.strip_prefix("sha256=").and_then(from_hex) else { return false };
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return false };
    mac.update(body);
    mac.finalize().into_bytes().as_slice().ct_eq(&claimed).into()
}

/// Pushes to `main` and the ends of pull requests count.
fn meaning(kind: &str, body: &[u8]) -> Event {
    #[derive(Deserialize)]
    struct Delivery {
        #[serde(default, rename = "ref")]
        reference: Option<String>,
        #[serde(default)]
        action: Option<String>,
    }
    let Ok(delivery) = serde_json::from_slice::<Delivery>(body) else { return Event::Nothing };
    let counts = match kind {
        "push" => delivery.reference.as_deref() == Some("refs/heads/main"),
        "pull_request" => delivery.action.as_deref() == Some("closed"),
        _ => false,
    };
    if counts { Event::LookAgain } else { Event::Nothing }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() == 64)?;
    digits
        .chunks(2)
        .map(|pair| u8::try_from(pair.iter().fold(0, |sum, digit| sum * 16 + digit)).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of GitHub's documentation on validating deliveries.
    #[test]
    fn a_signature_is_of_one_body_and_one_secret() {
        let (secret, body) = (b"It's a Secret to Everybody", b"Hello, World!");
        let signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        assert!(verify(secret, body, signature));
        assert!(!verify(secret, b"Hello, World", signature));
        assert!(!verify(b"another", body, signature));
        for wrong in
            ["", "sha256=", "sha1=757107ea", &signature[..signature.len() - 1], &signature.replace('7', "é")]
        {
            assert!(!verify(secret, body, wrong), "{wrong}");
        }
    }

    #[test]
    fn pushes_to_main_and_ended_pull_requests_count() {
        let cases = [
            ("push", r#"{"ref":"refs/heads/main"}"#, Event::LookAgain),
            ("push", r#"{"ref":"refs/heads/becivic/1"}"#, Event::Nothing),
            ("pull_request", r#"{"action":"closed"}"#, Event::LookAgain),
            ("pull_request", r#"{"action":"opened"}"#, Event::Nothing),
            ("ping", r#"{"zen":"x"}"#, Event::Nothing),
            ("push", "garbage", Event::Nothing),
            ("push", r#"{"ref":7}"#, Event::Nothing),
        ];
        for (kind, body, meant) in cases {
            assert_eq!(meaning(kind, body.as_bytes()), meant, "{kind} {body}");
        }
    }
}
