//! What is random, and what is derived from the pepper (DECISIONS §6).
//!
//! 1. The pepper is a key file outside the database, made at first start.
//! 2. A hash of an address is `HMAC-SHA-256(pepper, salt ‖ address)`, the address as 16 bytes. Four kinds of salt make
//!    four kinds of hash that cannot be compared with each other; how much of an IPv6 address counts depends on the kind.
//! 3. The digest of an id begins with the day in it, so that an index over digests grows at one end; the rest is an HMAC.
//! 4. The digest of a payload leaves out what an envelope declares once: sending the same item again in another envelope
//!    is sending it again.

use crate::address::Address;
use crate::moment::Moment;
use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;
use subtle::ConstantTimeEq;

/// A salt, hash or digest.
pub type Bytes32 = [u8; 32];

/// The length of a cancel token: 32 bytes in base64url without padding.
const TOKEN_LENGTH: usize = 43;

/// Which of the four hashes is made. They differ in the salt and in how wide an IPv6 network counts as one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Counting what an address sends in a day.
    Rate,
    /// Recognising the sender of one submission.
    Submission,
    /// Counting distinct voters of one cohort: a household's whole network is one voter.
    Vote,
    /// Telling two amendments of one sender to one cohort from those of two: the cohort's salt, kept apart from its votes.
    Author,
    /// Remembering bogus injection flags.
    Sanction,
}

impl Purpose {
    fn ipv6_bits(self) -> u8 {
        match self {
            Self::Rate | Self::Submission | Self::Sanction => 64,
            Self::Vote | Self::Author => 48,
        }
    }
}

/// The key of every hash.
#[derive(Clone)]
pub struct Pepper(Hmac<Sha256>);

impl Pepper {
    /// Takes a key.
    pub fn new(key: &Bytes32) -> Self {
        // A key shorter than a block of the hash is filled up with zeros, as HMAC itself does.
        let mut block = [0; 64];
        let (front, _) = block.split_at_mut(key.len());
        front.copy_from_slice(key);
        Self(Hmac::<Sha256>::new(&block.into()))
    }

    /// Reads the key file; makes it, readable to its owner only, where there is none.
    pub fn load(file: &Path) -> anyhow::Result<Self> {
        let key = match std::fs::read(file) {
            Ok(key) => key,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                // Another process may make it at the same moment: whichever key is there then is the key.
                let made = write_private(file, &random()?);
                std::fs::read(file).or_else(|_| made.map(|()| Vec::new()))?
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        let key: Bytes32 = key.try_into().ok().with_context(|| {
            format!(
                "{} does not hold a key of 32 bytes; restore it, or remove it to begin anew",
                file.display()
            )
        })?;
        Ok(Self::new(&key))
    }

    /// The hash of an address under a salt.
    pub fn address(&self, purpose: Purpose, salt: &[u8], address: Address) -> Bytes32 {
        let address = address.within(purpose.ipv6_bits());
        match purpose {
            // Under the same salt as a vote, and yet not to be compared with one.
            Purpose::Author => self.mac(&[b"author", salt, &address]),
            Purpose::Rate | Purpose::Submission | Purpose::Vote | Purpose::Sanction => {
                self.mac(&[salt, &address])
            }
        }
    }

    /// The digest of a submission's id.
    pub fn id(&self, id: &str) -> Bytes32 {
        let mut digest = self.mac(&[b"id", id.as_bytes()]);
        let (day, _) = digest.split_at_mut(4);
        day.copy_from_slice(&day_in(id).to_be_bytes());
        digest
    }

    /// The key of the row that a message or a rating becomes. Whoever has only the row and the ledger cannot join them: it takes
    /// the id, which is kept nowhere after the commit, and the pepper.
    pub fn row(&self, id: &str) -> Bytes32 {
        self.mac(&[b"row", id.as_bytes()])
    }

    /// The digest of what a submission says.
    pub fn payload(&self, value: &Value) -> Bytes32 {
        let mut mac = self.0.clone();
        mac.update(b"payload");
        feed(&mut mac, value, true);
        mac.finalize().into_bytes().into()
    }

    /// The seal of a maintainer's session at the desk: nobody without the key can make or lengthen one.
    pub fn session(&self, name: &str, expires: Moment) -> Bytes32 {
        self.mac(&[
            b"desk session",
            &(name.len() as u64).to_be_bytes(),
            name.as_bytes(),
            &expires.0.to_be_bytes(),
        ])
    }

    /// What a form carries to show that it came from a page of this session.
    pub fn form(&self, session: &str) -> Bytes32 {
        self.mac(&[b"desk form", session.as_bytes()])
    }

    /// Enough of a derived value to recognise the key by, and too little to find anything out.
    pub fn fingerprint(&self) -> String {
        self.mac(&[b"fingerprint"]).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    fn mac(&self, parts: &[&[u8]]) -> Bytes32 {
        let mut mac = self.0.clone();
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().into()
    }
}

/// Days since 1970 in the time of a UUIDv7 behind a three-letter prefix; 0 where there is none.
fn day_in(id: &str) -> u32 {
    let hex: String = id.chars().skip(4).filter(|c| *c != '-').take(12).collect();
    let milliseconds = u64::from_str_radix(&hex, 16).unwrap_or(0);
    u32::try_from(milliseconds / 86_400_000).unwrap_or(0)
}

/// Fields that travel with a submission without being part of what it says.
const CARRIED: &[&str] = &["submitted_at", "submitting_agent", "declared_capabilities", "session_id"];

fn feed(mac: &mut Hmac<Sha256>, value: &Value, top: bool) {
    match value {
        Value::Object(fields) => {
            let mut sorted: Vec<(&String, &Value)> =
                fields.iter().filter(|(name, _)| !(top && CARRIED.contains(&name.as_str()))).collect();
            sorted.sort_by_key(|(name, _)| name.as_str());
            mac.update(b"{");
            for (name, inner) in sorted {
                text(mac, name);
                feed(mac, inner, false);
            }
            mac.update(b"}");
        }
        Value::Array(items) => {
            mac.update(b"[");
            items.iter().for_each(|inner| feed(mac, inner, false));
            mac.update(b"]");
        }
        Value::String(inner) => text(mac, inner),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            mac.update(value.to_string().as_bytes());
            mac.update(b",");
        }
    }
}

fn text(mac: &mut Hmac<Sha256>, text: &str) {
    mac.update(b"\"");
    mac.update(&(text.len() as u64).to_be_bytes());
    mac.update(text.as_bytes());
}

/// Whether two secrets are the same; takes the same time whatever they are.
pub fn same(received: &[u8], kept: &[u8]) -> bool {
    received.ct_eq(kept).into()
}

/// 32 random bytes.
pub fn random() -> anyhow::Result<Bytes32> {
    let mut bytes = [0; 32];
    draw(&mut bytes)?;
    Ok(bytes)
}

fn draw(into: &mut [u8]) -> anyhow::Result<()> {
    getrandom::fill(into).map_err(|error| anyhow::anyhow!("the system gives no random bytes: {error}"))
}

/// Random values for whoever needs one after another: the system is asked for several at a time, the more the more were needed.
#[derive(Clone, Debug, Default)]
pub struct Supply {
    ready: Vec<Bytes32>,
    drawn: usize,
}

impl Supply {
    /// Most that are drawn at a time.
    const MOST: usize = 64;

    /// One that nobody has had.
    pub fn take(&mut self) -> anyhow::Result<Bytes32> {
        if let Some(one) = self.ready.pop() {
            return Ok(one);
        }
        let mut drawn = [[0; 32]; Self::MOST];
        let count = self.drawn.clamp(1, Self::MOST);
        let (wanted, _) = drawn.split_at_mut(count);
        draw(wanted.as_flattened_mut())?;
        self.drawn += count;
        self.ready.extend_from_slice(wanted);
        self.ready.pop().context("nothing was drawn")
    }
}

/// A secret that is shown once and kept as a hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What the holder gets.
    pub shown: String,
    /// What is kept.
    pub hash: Bytes32,
}

impl Token {
    /// Makes a token of 32 bytes.
    pub fn new(bytes: &Bytes32) -> Self {
        let shown = URL_SAFE_NO_PAD.encode(bytes);
        let hash = Self::hash(&shown);
        Self { shown, hash }
    }

    /// What is kept of a token.
    pub fn hash(shown: &str) -> Bytes32 {
        Sha256::digest(shown.as_bytes()).into()
    }

    /// Whether a received token is the one kept as this hash; takes the same time whatever it is.
    pub fn matches(received: &str, kept: &[u8]) -> bool {
        let plausible = received.len() <= 4 * TOKEN_LENGTH;
        let hash = Self::hash(if plausible { received } else { "" });
        plausible & bool::from(hash.as_slice().ct_eq(kept))
    }
}

/// Writes a new file that only its owner can read, whole and on disk, or not at all: it is written beside its place and
/// then linked there, which fails when something is there already.
pub fn write_private(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let place = || format!("cannot write {}", file.display());
    let mark: String = random()?.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let unfinished = file.with_extension(format!("unfinished-{mark}"));
    let opened = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished);
    let mut opened = opened.with_context(place)?;
    let written = opened.write_all(bytes).and_then(|()| opened.sync_all());
    let linked = written.and_then(|()| std::fs::hard_link(&unfinished, file));
    std::fs::remove_file(&unfinished).with_context(place)?;
    linked.with_context(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "con_019a813c-19d6-7820-9c09-5b3fffdd357b";

    fn address(text: &str) -> Address {
        Address::from(text.parse::<std::net::IpAddr>().expect("an address"))
    }

    #[test]
    fn no_value_of_a_supply_comes_twice() {
        let mut supply = Supply::default();
        let all: Vec<Bytes32> = (0..100).map(|_| supply.take().expect("random bytes")).collect();
        let distinct: std::collections::BTreeSet<&Bytes32> = all.iter().collect();
        assert_eq!(distinct.len(), 100);
        assert!(!distinct.contains(&[0; 32]));
    }

    #[test]
    fn purposes_salts_and_peppers_keep_hashes_apart() {
        let (pepper, other) = (Pepper::new(&[1; 32]), Pepper::new(&[2; 32]));
        let hash = pepper.address(Purpose::Rate, &[7; 32], address("192.0.2.1"));
        assert_eq!(hash, pepper.address(Purpose::Vote, &[7; 32], address("::ffff:192.0.2.1")));
        assert_ne!(hash, pepper.address(Purpose::Rate, &[8; 32], address("192.0.2.1")));
        assert_ne!(hash, other.address(Purpose::Rate, &[7; 32], address("192.0.2.1")));
        let near = ("2001:db8:0:1::1", "2001:db8:0:2::1");
        let same = |purpose| {
            pepper.address(purpose, &[7; 32], address(near.0))
                == pepper.address(purpose, &[7; 32], address(near.1))
        };
        assert!(same(Purpose::Vote) && !same(Purpose::Rate));
    }

    #[test]
    fn a_digest_of_an_id_begins_with_its_day_and_the_rest_needs_the_pepper() {
        let digest = Pepper::new(&[1; 32]).id(ID);
        assert_eq!(digest[..4], day_in(ID).to_be_bytes());
        assert_ne!(digest[4..], Pepper::new(&[2; 32]).id(ID)[4..]);
        assert_eq!(day_in("con_"), 0);
    }

    #[test]
    fn the_same_payload_in_another_order_or_envelope_has_the_same_digest() {
        let pepper = Pepper::new(&[1; 32]);
        let payload = pepper.payload(&json!({"a": 1, "b": ["x", null], "submitted_at": "now"}));
        assert_eq!(payload, pepper.payload(&json!({"b": ["x", null], "submitted_at": "later", "a": 1})));
        assert_ne!(payload, pepper.payload(&json!({"a": 1, "b": ["x"]})));
        assert_ne!(pepper.payload(&json!({"a": {"submitted_at": 1}})), pepper.payload(&json!({"a": {}})));
    }

    #[test]
    fn a_seal_is_of_one_name_one_time_and_one_key() {
        let (pepper, at) = (Pepper::new(&[1; 32]), Moment(7));
        let seal = pepper.session("first", at);
        assert!(same(&seal, &pepper.session("first", at)));
        for other in [
            pepper.session("firs", at),
            pepper.session("first", Moment(8)),
            Pepper::new(&[2; 32]).session("first", at),
            pepper.form("first"),
        ] {
            assert!(!same(&seal, &other));
        }
    }

    #[test]
    fn processes_that_start_together_share_one_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("pepper.key");
        let together = std::sync::Barrier::new(8);
        let digests: std::collections::BTreeSet<Bytes32> = std::thread::scope(|scope| {
            let load = || {
                together.wait();
                Pepper::load(&file).expect("a key").id(ID)
            };
            let loading: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
            loading.into_iter().map(|it| it.join().expect("a key")).collect()
        });
        assert_eq!(digests.len(), 1);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert!(write_private(&file, b"another").is_err());
    }

    #[test]
    fn tokens_match_only_themselves() {
        let token = Token::new(&[3; 32]);
        assert_eq!(token.shown.len(), TOKEN_LENGTH);
        assert!(Token::matches(&token.shown, &token.hash));
        assert!(!Token::matches(&token.shown, &Token::new(&[4; 32]).hash));
        assert!(!Token::matches("", &token.hash) && !Token::matches(&"x".repeat(9_999), &token.hash));
    }
}
