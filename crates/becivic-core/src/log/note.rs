//! Signed notes: a text, a blank line, and who signed it (C2SP `signed-note`, Ed25519).
//!
//! 1. A key has a name, which is what it signs for, and an id: four bytes of a digest over name and key, so that two keys of one
//!    name are told apart before anything is computed.
//! 2. A public key is written `name+id+base64`, and so it travels.
//! 3. A note may carry signatures of others; ours must be there and must be right.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use std::fmt;

/// The number of Ed25519 in the format.
const ED25519: u8 = 1;
/// What begins the line of a signature.
const DASH: &str = "\u{2014} ";
/// Signatures a note may carry.
const MOST_SIGNATURES: usize = 64;

/// Why a note is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNote {
    /// It is no signed note at all.
    #[error("this is no signed note")]
    Malformed,
    /// Nobody we know signed it.
    #[error("it is not signed with the key of this log")]
    OtherKey,
    /// The signature is somebody else's, or of another text.
    #[error("its signature is wrong")]
    WrongSignature,
}

/// Why a text is no public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no key of a log: it reads like `example.org/log+0a1b2c3d+AbCd…`")]
pub struct BadKey;

/// Who signs.
#[derive(Clone)]
pub struct Signer {
    key: SigningKey,
    public: Verifier,
}

impl Signer {
    /// A key of 32 secret bytes, under a name.
    pub fn new(name: &str, secret: &[u8; 32]) -> Result<Self, BadKey> {
        let key = SigningKey::from_bytes(secret);
        let public = Verifier::new(name, key.verifying_key())?;
        Ok(Self { key, public })
    }

    /// The public half.
    pub fn verifier(&self) -> &Verifier {
        &self.public
    }

    /// A text that ends in a line feed, signed.
    pub fn sign(&self, text: &str) -> String {
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        let line = STANDARD.encode([self.public.id.as_slice(), &signature].concat());
        format!("{text}\n{DASH}{} {line}\n", self.public.name)
    }
}

/// Whom to believe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verifier {
    name: String,
    id: [u8; 4],
    key: VerifyingKey,
}

impl Verifier {
    fn new(name: &str, key: VerifyingKey) -> Result<Self, BadKey> {
        let plain =
            !name.is_empty() && !name.contains(|it: char| it.is_whitespace() || it == '+' || it.is_control());
        if !plain {
            return Err(BadKey);
        }
        let digest = Sha256::new()
            .chain_update(name)
            .chain_update([b'\n', ED25519])
            .chain_update(key.as_bytes())
            .finalize();
        let id = digest.first_chunk().copied().ok_or(BadKey)?;
        Ok(Self { name: name.to_owned(), id, key })
    }

    /// Reads `name+id+base64`.
    pub fn read(text: &str) -> Result<Self, BadKey> {
        let mut parts = text.trim().splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(BadKey);
        };
        let bytes = STANDARD.decode(key).map_err(|_| BadKey)?;
        let (ED25519, key) = bytes.split_first().map(|(kind, key)| (*kind, key)).ok_or(BadKey)? else {
            return Err(BadKey);
        };
        let key: [u8; 32] = key.try_into().map_err(|_| BadKey)?;
        let verifier = Self::new(name, VerifyingKey::from_bytes(&key).map_err(|_| BadKey)?)?;
        if super::hex(&verifier.id) == id { Ok(verifier) } else { Err(BadKey) }
    }

    /// What the key signs for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of a note that this key signed.
    pub fn open<'a>(&self, note: &'a str) -> Result<&'a str, BadNote> {
        let cut = note.rfind("\n\n").ok_or(BadNote::Malformed)?;
        let (text, signatures) = note.split_at_checked(cut + 1).ok_or(BadNote::Malformed)?;
        let signatures =
            signatures.strip_prefix('\n').and_then(|it| it.strip_suffix('\n')).ok_or(BadNote::Malformed)?;
        let mut found = Err(BadNote::OtherKey);
        for (number, line) in signatures.split('\n').enumerate() {
            let line = line.strip_prefix(DASH).ok_or(BadNote::Malformed)?;
            let (name, signature) = line.split_once(' ').ok_or(BadNote::Malformed)?;
            let bytes = STANDARD.decode(signature).map_err(|_| BadNote::Malformed)?;
            let (id, signature) = bytes.split_first_chunk::<4>().ok_or(BadNote::Malformed)?;
            if number >= MOST_SIGNATURES {
                return Err(BadNote::Malformed);
            }
            if name == self.name && *id == self.id {
                let signature = Signature::from_slice(signature).map_err(|_| BadNote::Malformed)?;
                self.key.verify_strict(text.as_bytes(), &signature).map_err(|_| BadNote::WrongSignature)?;
                found = Ok(text);
            }
        }
        found
    }
}

/// As it travels.
impl fmt::Display for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = STANDARD.encode([[ED25519].as_slice(), self.key.as_bytes()].concat());
        write!(f, "{}+{}+{key}", self.name, super::hex(&self.id))
    }
}
