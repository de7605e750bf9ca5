//! Who may use the internal endpoints: whoever holds an operator token (DECISIONS §9).

use super::ask::Ask;
use crate::db::tokens;
use crate::rejection::{Category, Rejection};
use crate::secrets::Token;

/// Proof that the request carries a valid operator token.
pub struct Operator {
    name: String,
}

impl Operator {
    /// The name of the token.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Checks the token.
pub async fn check(ask: &Ask) -> Result<Operator, Rejection> {
    let unauthorized = || Rejection::new(Category::Unauthorized);
    let received = ask.bearer().ok_or_else(unauthorized)?.to_owned();
    of_token(ask, received).await?.ok_or_else(unauthorized)
}

/// Whose token this is, if it is anybody's.
pub async fn of_token(ask: &Ask, received: String) -> Result<Option<Operator>, Rejection> {
    let hash = Token::hash(&received);
    let kept = ask.app.db.read(move |tx| tokens::find(tx, &hash)).await?;
    // Found by its hash, and compared again in constant time: the index is no comparison to rely on.
    let valid = kept.filter(|(kept, _)| Token::matches(&received, kept));
    Ok(valid.map(|(_, name)| Operator { name }))
}
