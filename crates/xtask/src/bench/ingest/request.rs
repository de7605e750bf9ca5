//! What is sent: concerns that are accepted, each with an id of its own and one of many senders, and questions after them.
//!
//! 1. The parts that repeat are written once; a request is those parts around an id, an address and a text.
//! 2. Ids are UUIDs of version 7, made of the time and random bits, as agents make them.

use std::net::Ipv4Addr;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};

use crate::corpus::rng::Rng;

/// How many addresses send.
const SENDERS: u32 = 10_000;
/// How many texts are sent again and again.
const TEXTS: usize = 64;
/// Sentences of a text: about 300 characters, a whole request body about 700.
const SENTENCES: usize = 5;

const WORDING: &[&str] = &[
    "The counter asked for the paper form as well. ",
    "The online file was closed for the whole week. ",
    "They wanted a recent extract and refused the older one. ",
    "Nobody at the desk had heard of the appointment system. ",
    "The officer came by twice and left a note both times. ",
    "The letter arrived later than this page says. ",
    "Payment was possible by card only, not in cash. ",
    "The certificate came in one language, not in three. ",
    "The waiting time was longer than described here. ",
    "A translation by a sworn translator was required. ",
];

/// What a connection asks for.
pub enum Asking<'a> {
    /// Concerns, new ones all the time.
    Post,
    /// Where one of these stands, drawn at random.
    Get(&'a [String]),
    /// This page, again and again.
    Page(&'a str),
    /// This very request, again and again.
    Whole(&'a str),
}

/// Makes requests.
pub struct Requests<'a> {
    asking: Asking<'a>,
    senders: Vec<String>,
    texts: Vec<(String, String)>,
    dice: Rng,
    id: String,
}

impl<'a> Requests<'a> {
    /// Requests of one kind; another `seed` gives other ids.
    pub fn new(asking: Asking<'a>, seed: u64) -> Result<Self> {
        if let Asking::Get(ids) = asking {
            ensure!(!ids.is_empty(), "there is nothing to ask for");
        }
        let mut dice = Rng::stream(seed, 0, 0);
        let senders = (0..SENDERS).map(|number| Ipv4Addr::from(0xc612_0000 | number).to_string()).collect();
        let now = now()?;
        let texts = (0..TEXTS).map(|_| around(&now, &mut dice)).collect();
        Ok(Self { asking, senders, texts, dice, id: String::new() })
    }

    /// Writes the next request; the id it is about is [`Requests::id`] until the one after.
    pub fn write(&mut self, out: &mut Vec<u8>) {
        let sender = self.dice.below(self.senders.len());
        let sender = self.senders.get(sender).map_or("", String::as_str);
        match self.asking {
            Asking::Get(ids) => {
                let id = ids.get(self.dice.below(ids.len())).map_or("", String::as_str);
                for part in ["GET /api/concerns/", id, " HTTP/1.1\r\nhost: localhost\r\n\r\n"] {
                    out.extend_from_slice(part.as_bytes());
                }
            }
            Asking::Whole(request) => out.extend_from_slice(request.as_bytes()),
            Asking::Page(path) => {
                for part in ["GET ", path, " HTTP/1.1\r\nhost: localhost\r\n\r\n"] {
                    out.extend_from_slice(part.as_bytes());
                }
            }
            Asking::Post => {
                self.id = id(milliseconds(), self.dice.next(), self.dice.next());
                let text = self.dice.below(self.texts.len());
                let (before, after) =
                    self.texts.get(text).map_or(("", ""), |(a, b)| (a.as_str(), b.as_str()));
                let length = (before.len() + self.id.len() + after.len()).to_string();
                let parts = [
                    "POST /api/concerns HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n",
                    "x-forwarded-for: ",
                    sender,
                    "\r\ncontent-length: ",
                    &length,
                    "\r\n\r\n",
                    before,
                    &self.id,
                    after,
                ];
                for part in parts {
                    out.extend_from_slice(part.as_bytes());
                }
            }
        }
    }

    /// The id of the concern written last.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// A concern before and after its id.
fn around(now: &str, dice: &mut Rng) -> (String, String) {
    let text: String =
        (0..SENTENCES).filter_map(|_| WORDING.get(dice.below(WORDING.len()))).copied().collect();
    let before = format!(
        "{{\"schema_version\":4,\"submitted_at\":\"{now}\",\"submitting_agent\":\"example-runtime/1.4.0\",\
         \"submission_contract_version\":\"2.1.0\",\
         \"declared_capabilities\":[\"multi_turn\",\"structured_output\"],\"concern_id\":\""
    );
    let day = now.get(..10).unwrap_or_default();
    let after = format!(
        "\",\"target_type\":\"skill\",\"target_id\":\"change-of-address\",\"content\":{{\"scope\":\"general\",\
         \"body\":\"{}\",\"evidence_date\":\"{day}\",\"evidence_source\":\"customer-report\"}}}}",
        text.trim_end()
    );
    (before, after)
}

/// Random bits with a letter among every four digits: the scrub rules read identifiers too, and would find a phone
/// number in one of some thousands of those that are all chance.
fn id(milliseconds: u64, high: u64, low: u64) -> String {
    format!(
        "con_{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}",
        milliseconds >> 16,
        milliseconds & 0xffff,
        high & 0xfff | 0xa,
        high >> 52 | 0xa,
        low >> 16 | 0x000a_000a_000a
    )
}

fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(0)
}

/// The time as submissions write it.
fn now() -> Result<String> {
    let output = Command::new("date").args(["-u", "+%Y-%m-%dT%H:%M:%SZ"]).output();
    let text = String::from_utf8(output.context("`date` did not start")?.stdout)?;
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_posted_concern_is_json_of_the_announced_length_with_its_id() {
        let mut requests = Requests::new(Asking::Post, 7).unwrap();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        requests.write(&mut first);
        let id = requests.id().to_owned();
        requests.write(&mut second);
        assert_ne!(id, requests.id());
        let text = String::from_utf8(first).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())));
        let value: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(value["concern_id"], id.as_str());
        assert_eq!(id.len(), 40);
    }

    #[test]
    fn only_ids_that_were_given_are_asked_for() {
        let ids = ["con_a".to_owned(), "con_b".to_owned()];
        let mut out = Vec::new();
        Requests::new(Asking::Get(&ids), 7).unwrap().write(&mut out);
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("GET /api/concerns/con_a ") || text.starts_with("GET /api/concerns/con_b "));
        assert!(Requests::new(Asking::Get(&[]), 7).is_err());
    }
}
