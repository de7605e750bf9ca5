//! Bytes that are sent more than once: as they are, and compressed, each with what names it.

use axum::http::HeaderValue;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::Write;

/// Bytes with what names them.
pub struct Named {
    /// The bytes.
    pub bytes: Bytes,
    /// Their `ETag`.
    pub tag: HeaderValue,
}

/// Bytes in the two encodings that readers take.
pub struct Sent {
    /// As they are.
    pub plain: Named,
    /// Compressed; nothing where that is no shorter.
    pub gzip: Option<Named>,
}

impl Sent {
    /// Bytes, compressed from 1 (fast) to 9 (small).
    pub fn new(bytes: Bytes, level: u32) -> Self {
        let gzip = compressed(&bytes, level).filter(|gzip| gzip.len() < bytes.len());
        let gzip = gzip.map(|gzip| Named { tag: tag(&bytes, "-gzip"), bytes: gzip });
        Self { plain: Named { tag: tag(&bytes, ""), bytes }, gzip }
    }

    /// How many bytes are held.
    pub fn size(&self) -> usize {
        self.plain.bytes.len() + self.gzip.as_ref().map_or(0, |gzip| gzip.bytes.len())
    }
}

/// The `ETag` of bytes, with a word on how they are written.
pub fn tag(bytes: &[u8], written: &str) -> HeaderValue {
    let name = URL_SAFE_NO_PAD.encode(&Sha256::digest(bytes)[..12]);
    HeaderValue::from_str(&format!("\"{name}{written}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

fn compressed(plain: &[u8], level: u32) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 3), Compression::new(level));
    encoder.write_all(plain).ok()?;
    encoder.finish().ok().map(Bytes::from)
}
