//! Messages about Be Civic: read, and put where they belong.

use super::{Done, Record, Refused, decide};
use crate::app::App;
use crate::db::feedback;

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody has looked yet.
    New,
    /// Somebody has, and it is still to be dealt with.
    Seen,
    /// It is dealt with.
    Done,
    /// It is not about Be Civic.
    Spam,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::New, Self::Seen, Self::Done, Self::Spam];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Seen => "seen",
            Self::Done => "done",
            Self::Spam => "spam",
        }
    }

    /// The state of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// Notes what became of a message.
pub(super) async fn triage(app: &App, record: Record, handle: String, state: State) -> Result<Done, Refused> {
    decide(app, move |tx| {
        if let Err(refused) = record.permit(tx)? {
            return Ok(Err(refused));
        }
        let Some(message) = feedback::find(tx, &handle)? else {
            let text = format!("There is no message {handle}; `becivic review list` lists those that wait.");
            return Ok(Err(Refused::Missing(text)));
        };
        if message.state == state.as_str() {
            return Ok(Err(Refused::Conflict(format!("The message is {} already.", state.as_str()))));
        }
        feedback::set_state(tx, &message.key, state.as_str())?;
        record.write(tx, &format!("feedback {handle} {}", state.as_str()))?;
        Ok(Ok(Done { text: format!("The message is {} now.", state.as_str()) }))
    })
    .await
}
