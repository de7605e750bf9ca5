//! `becivic token`: operator tokens, which the internal endpoints ask for.

use crate::cmd::place::Place;
use crate::{Outcome, UsageError, say};
use becivic_server::db::{Db, tokens};
use becivic_server::moment::Clock;
use becivic_server::secrets::{self, Token};
use clap::Subcommand;
use std::path::Path;

/// Make, list and revoke operator tokens
///
/// A token is shown once, when it is made; only a hash of it is kept.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic token create review-desk --data /srv/becivic\n  becivic token list\n  becivic token revoke review-desk"
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    place: Place,
}

#[derive(Subcommand)]
enum Action {
    /// Make a token and print it
    Create {
        /// What the token is for
        name: String,
    },
    /// List the tokens by name
    List,
    /// Revoke a token
    Revoke {
        /// Its name
        name: String,
    },
}

impl Args {
    /// Does what was asked.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let config = self.place.settings()?;
        let data = config.server.data;
        let url = match config.server.database.as_str() {
            "" => {
                let file = Path::new(&data).join("becivic.db");
                if !file.exists() {
                    let text = format!(
                        "there is no database in {data}; start `becivic serve --data {data}` once, or name another folder"
                    );
                    return Err(UsageError(text).into());
                }
                format!("sqlite://{}", file.display())
            }
            url => url.to_owned(),
        };
        let db = Db::open(&url, 1)?;
        let outcome = self.action.run(&db);
        db.close();
        outcome
    }
}

impl Action {
    fn run(self, db: &Db) -> anyhow::Result<Outcome> {
        let now = Clock::System.now();
        match self {
            Self::Create { name } => {
                if name.is_empty() || name.len() > 100 || name.chars().any(char::is_control) {
                    return Err(UsageError("a name has 1 to 100 characters on one line".to_owned()).into());
                }
                let token = Token::new(&secrets::random()?);
                let (asked, hash) = (name.clone(), token.hash);
                if !db.write_now(move |tx| tokens::insert(tx, &asked, &hash, now))? {
                    return Err(UsageError(format!(
                        "there is a token named {name} already; choose another name"
                    ))
                    .into());
                }
                say::text(&format!("{}\n", token.shown))?;
            }
            Self::List => {
                let listed = db.write_now(|tx| tokens::list(tx))?;
                if listed.is_empty() {
                    say::aside("There are no tokens yet; `becivic token create NAME` makes one.");
                }
                for token in listed {
                    let revoked =
                        token.revoked_at.map(|at| format!("  revoked {}", at.date())).unwrap_or_default();
                    say::text(&format!("{}  made {}{revoked}\n", token.name, token.created_at.date()))?;
                }
            }
            Self::Revoke { name } => {
                let asked = name.clone();
                if !db.write_now(move |tx| tokens::revoke(tx, &asked, now))? {
                    return Err(UsageError(format!("there is no valid token named {name}")).into());
                }
            }
        }
        Ok(Outcome::Fine)
    }
}
