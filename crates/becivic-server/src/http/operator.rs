//! Who may use the internal endpoints: whoever holds an operator token (DECISIONS §9).

use super::ask::Ask;
use crate::db::tokens;
use crate::rejection::{Category, Rejection};
use crate::secrets::Token;

/// Proof that the request carries a valid operator token.
pub struct Operator(());

/// Checks the token.
pub async fn check(ask: &Ask) -> Result<Operator, Rejection> {
    let unauthorized = || Rejection::new(Category::Unauthorized);
    let received = ask.bearer().ok_or_else(unauthorized)?.to_owned();
    let hash = Token::hash(&received);
    let kept = ask.app.db.read(move |tx| tokens::find(tx, &hash)).await?;
    // Found by its hash, and compared again in constant time: the index is no comparison to rely on.
    let valid = kept.is_some_and(|kept| Token::matches(&received, &kept));
    if valid { Ok(Operator(())) } else { Err(unauthorized()) }
}
