//! What an agent must be able to do before it may send what (§6.7): one table.

use crate::submission::{Kind, TargetType};
use crate::vocabulary::Capability;

/// Everybody's minimum: hold a conversation and write JSON.
const LIGHT: &[Capability] = &[Capability::MultiTurn, Capability::StructuredOutput];

/// For text others will act on: look it up and run the checks first.
const FULL: &[Capability] =
    &[Capability::MultiTurn, Capability::StructuredOutput, Capability::WebFetch, Capability::ToolExecution];

/// For whole new artefacts.
const DRAFTING: &[Capability] = &[
    Capability::MultiTurn,
    Capability::StructuredOutput,
    Capability::WebFetch,
    Capability::ToolExecution,
    Capability::FileRead,
];

/// The capabilities a submission must declare. A target the kind does not permit gets the kind's
/// heavier tier: the schema refuses it anyway.
pub fn required(kind: Kind, target: Option<TargetType>) -> &'static [Capability] {
    use TargetType as T;
    match (kind, target) {
        // Analytics declares no capabilities and has no capability step (DECISIONS §7).
        (Kind::Analytics, _) => &[],
        (Kind::Concern | Kind::Feedback | Kind::Rating, _) => LIGHT,
        (Kind::Amendment, Some(T::VolatileValue | T::Reference)) => LIGHT,
        (Kind::Validation, Some(T::Observation)) => LIGHT,
        (
            Kind::Amendment,
            None
            | Some(
                T::Skill
                | T::Path
                | T::PathSource
                | T::SkillGraph
                | T::Observation
                | T::AgentProtocol
                | T::Session,
            ),
        )
        | (
            Kind::Validation,
            None
            | Some(
                T::Skill
                | T::VolatileValue
                | T::Reference
                | T::Path
                | T::PathSource
                | T::SkillGraph
                | T::AgentProtocol
                | T::Session,
            ),
        ) => FULL,
        (Kind::Draft, _) => DRAFTING,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_6_7() {
        use Capability as C;
        use TargetType as T;
        assert_eq!(required(Kind::Concern, Some(T::Skill)), LIGHT);
        assert_eq!(required(Kind::Amendment, Some(T::Reference)), LIGHT);
        assert_eq!(required(Kind::Amendment, Some(T::PathSource)), FULL);
        assert_eq!(required(Kind::Validation, Some(T::Observation)), LIGHT);
        assert_eq!(required(Kind::Validation, Some(T::VolatileValue)), FULL);
        assert!(required(Kind::Draft, Some(T::Path)).contains(&C::FileRead));
        assert!(required(Kind::Analytics, None).is_empty());
    }
}
