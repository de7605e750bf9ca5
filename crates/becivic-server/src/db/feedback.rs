//! `feedback_channel`: messages about Be Civic itself, which only maintainers read. A message has no name of its own; the
//! first digits of its random key stand for it.

use super::{DbError, Row, Tx};
use crate::moment::Moment;

/// Bytes of the key that a handle shows.
const SHOWN: usize = 8;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Message {
    pub key: Vec<u8>,
    pub topic: Option<String>,
    pub pointer: Option<String>,
    pub body: String,
    pub state: String,
    pub day: Moment,
}

impl Message {
    /// What it is called at the desk.
    pub fn handle(&self) -> String {
        self.key.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Messages in a state, oldest first, on or after a day.
pub fn list(tx: &mut dyn Tx, state: &str, limit: i64) -> Result<Vec<Message>, DbError> {
    tx.query(LIST, &[state.into(), limit.into()])?.iter().map(message).collect()
}

pub(super) const LIST: &str = "SELECT message_key, topic, pointer, body, state, day FROM feedback_channel \
     WHERE state = $1 ORDER BY day LIMIT $2";

/// The message of a handle.
pub fn find(tx: &mut dyn Tx, handle: &str) -> Result<Option<Message>, DbError> {
    let Some(start) = bytes(handle) else { return Ok(None) };
    let found = tx.first(FIND, &[(&start).into()])?.as_ref().map(message).transpose()?;
    Ok(found.filter(|message| message.key.starts_with(&start)))
}

pub(super) const FIND: &str = "SELECT message_key, topic, pointer, body, state, day FROM feedback_channel \
     WHERE message_key >= $1 ORDER BY message_key LIMIT 1";

fn bytes(handle: &str) -> Option<Vec<u8>> {
    let long_enough = handle.len() == 2 * SHOWN && handle.is_ascii();
    let byte = |at: usize| u8::from_str_radix(handle.get(2 * at..2 * at + 2)?, 16).ok();
    long_enough.then(|| (0..SHOWN).map(byte).collect()).flatten()
}

fn message(row: &Row) -> Result<Message, DbError> {
    Ok(Message {
        key: row.bytes(0)?,
        topic: row.maybe_text(1)?,
        pointer: row.maybe_text(2)?,
        body: row.text(3)?,
        state: row.text(4)?,
        day: Moment(row.int(5)?),
    })
}

/// Takes a message out, whole.
pub fn take(tx: &mut dyn Tx, key: &[u8; 32]) -> Result<Option<Message>, DbError> {
    let found = tx.first(ONE, &[key.into()])?.as_ref().map(message).transpose()?;
    tx.execute("DELETE FROM feedback_channel WHERE message_key = $1", &[key.into()])?;
    Ok(found)
}

pub(super) const ONE: &str =
    "SELECT message_key, topic, pointer, body, state, day FROM feedback_channel WHERE message_key = $1";

/// Puts a message back that was taken out.
pub fn put_back(tx: &mut dyn Tx, it: &Message) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO feedback_channel (message_key, topic, pointer, body, state, day) \
         VALUES ($1, $2, $3, $4, $5, $6)";
    let words = [it.topic.as_ref().into(), it.pointer.as_ref().into(), (&it.body).into(), (&it.state).into()];
    let params: Vec<_> = [(&it.key).into()].into_iter().chain(words).chain([it.day.0.into()]).collect();
    tx.execute(SQL, &params).map(drop)
}

/// Moves a message to another state.
pub fn set_state(tx: &mut dyn Tx, key: &[u8], state: &str) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE feedback_channel SET state = $1 WHERE message_key = $2";
    Ok(tx.execute(SQL, &[state.into(), key.into()])? == 1)
}
