//! Who we are to GitHub: an App that signs for itself, and the token of its installation that every call carries.
//!
//! 1. The App signs a short statement (a JWT) with its private key: issued a minute ago, for clocks that differ, and good
//!    for less than the ten minutes that GitHub takes.
//! 2. For that statement GitHub gives a token of the installation, good for an hour and for one repository.
//! 3. The token is kept in memory, and counts as expired a minute before it is. One that is refused is forgotten.
//!
//! Nothing here can be printed.

use crate::moment::{Clock, MINUTE, Moment};
use anyhow::{Context, bail};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// How long a statement is good for: GitHub takes ten minutes from its own now, which may be a minute behind ours.
const STATEMENT: i64 = 9 * MINUTE;

/// What clocks may differ by, and what a token loses at its end.
const MARGIN: i64 = MINUTE;

/// The keys of an App.
pub(super) struct Keys {
    app_id: String,
    key: EncodingKey,
    clock: Clock,
    kept: Mutex<Option<Token>>,
}

/// A token of the installation.
#[derive(Clone)]
pub(super) struct Token {
    /// What goes into the header.
    pub secret: String,
    /// When it ends.
    pub ends: Moment,
}

#[derive(Serialize)]
struct Statement<'a> {
    iat: i64,
    exp: i64,
    iss: &'a str,
}

impl Keys {
    /// Reads the private key.
    pub fn read(app_id: &str, file: &Path, clock: Clock) -> anyhow::Result<Self> {
        let pem = std::fs::read(file)
            .with_context(|| format!("cannot read `private_key_file` in [forge], {}", file.display()))?;
        let Ok(key) = EncodingKey::from_rsa_pem(&pem) else {
            bail!("{} holds no RSA private key as GitHub gives them out (PEM)", file.display());
        };
        Ok(Self { app_id: app_id.to_owned(), key, clock, kept: Mutex::new(None) })
    }

    /// The App's own statement.
    pub fn statement(&self) -> anyhow::Result<String> {
        let now = self.clock.now().0;
        let seconds = |at: i64| at.div_euclid(1_000);
        let statement = Statement {
            iat: seconds(now - MARGIN),
            exp: seconds(now + STATEMENT - MARGIN),
            iss: &self.app_id,
        };
        jsonwebtoken::encode(&Header::new(Algorithm::RS256), &statement, &self.key)
            .context("cannot sign with the private key of the App")
    }

    /// The token, while it is good.
    pub fn kept(&self) -> Option<Token> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        kept.filter(|token| self.clock.now().plus(MARGIN) < token.ends)
    }

    /// Keeps a token.
    pub fn keep(&self, token: Token) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(token);
    }

    /// Forgets a token that was refused, unless another has taken its place already.
    pub fn forget(&self, refused: &Token) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_some_and(|it| it.secret == refused.secret) {
            *kept = None;
        }
    }

    /// The time.
    pub fn now(&self) -> Moment {
        self.clock.now()
    }
}
