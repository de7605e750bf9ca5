//! What was ever written, what was true of it, and what became of it.

use super::artefact::ContentId;
use becivic_core::consensus::Millis;

/// One text.
#[derive(Clone, Debug)]
pub struct Content {
    /// Whether it is right now.
    pub is_right: bool,
    /// Whether it was when it was written.
    pub was_right: bool,
    /// Whether who sees through it flags it.
    pub is_harmful: bool,
    /// Whether the attacker wrote it.
    pub is_planted: bool,
    /// Whether it is a first version that has to find its way up.
    pub is_first: bool,
    /// When it was written.
    pub since: Millis,
    /// When it became stable while it was right.
    pub stable_at: Option<Millis>,
    /// Whether it became beta, and stable, while it was wrong.
    pub was_wrong_beta: bool,
    /// The same of stable.
    pub was_wrong_stable: bool,
    /// Whether it was rolled back or put away while it was right.
    pub was_removed_rightful: bool,
    /// When it went wrong while readers got it as stable.
    pub outdated_at: Option<Millis>,
    /// When they got it as stable no more.
    pub left_at: Option<Millis>,
}

impl Content {
    /// A text that is right, or not.
    pub fn new(is_right: bool, since: Millis) -> Self {
        Self {
            is_right,
            was_right: is_right,
            is_harmful: false,
            is_planted: false,
            is_first: false,
            since,
            stable_at: None,
            was_wrong_beta: false,
            was_wrong_stable: false,
            was_removed_rightful: false,
            outdated_at: None,
            left_at: None,
        }
    }
}

/// Everything that was ever written.
#[derive(Clone, Debug, Default)]
pub struct Contents(pub Vec<Content>);

impl Contents {
    /// Adds a text.
    pub fn add(&mut self, content: Content) -> ContentId {
        self.0.push(content);
        self.0.len() - 1
    }

    /// Whether a text is right; one that nobody knows is not.
    pub fn is_right(&self, id: ContentId) -> bool {
        self.0.get(id).is_some_and(|it| it.is_right)
    }

    /// Whether a text is wrong.
    pub fn is_wrong(&self, id: ContentId) -> bool {
        self.0.get(id).is_some_and(|it| !it.is_right)
    }

    /// Whether the attacker wrote it.
    pub fn is_planted(&self, id: ContentId) -> bool {
        self.0.get(id).is_some_and(|it| it.is_planted)
    }

    /// A text, to be changed.
    pub fn get_mut(&mut self, id: ContentId) -> Option<&mut Content> {
        self.0.get_mut(id)
    }
}
