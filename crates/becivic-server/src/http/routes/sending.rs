//! Submissions.

use super::super::{shapes, submit};
use super::Route;
use crate::rejection::Category;
use becivic_core::submission::Kind;

/// What any submission may be refused with besides.
const SUBMISSION: &[Category] = &[
    Category::IdentityFieldBanned,
    Category::TimingFail,
    Category::CapabilityMismatch,
    Category::DuplicateIdDifferentSubmitter,
    Category::RegexFail,
    Category::CrossRefFail,
    Category::RateLimitExceeded,
];

/// Submissions.
pub(super) fn routes() -> Vec<Route> {
    let one = |path: &str, schema: &'static str, kind: Kind, about: &'static str| {
        Route::post(path, about, move |ask| submit::one(ask, kind))
            .takes(schema)
            .asks(&[("dry_run", "`1`: say whether it would be accepted, and store nothing.")])
            .gives(201, "Accepted: the id, and for what is staged the cancel token and when it is committed.")
            .gives(200, "Accepted before, or `dry_run=1`: the record as it stands.")
            .gives(202, "Held for review.")
            .shaped(shapes::accepted)
            .refuses(SUBMISSION)
            .stored()
    };
    vec![
        one("/api/concerns", "concern", Kind::Concern, "Something is wrong with an artefact, or missing."),
        one("/api/amendments", "amendment", Kind::Amendment, "A change to one existing artefact.")
            .refuses(&[Category::DiffApplyFailed, Category::Layer2ScrubFailure]),
        one("/api/drafts", "draft", Kind::Draft, "A proposal for a new skill or path.")
            .refuses(&[Category::Layer2ScrubFailure]),
        one(
            "/api/validations",
            "validation",
            Kind::Validation,
            "A verdict, or a vote on a concern; applies at once.",
        )
        .refuses(&[Category::SelfValidationBlocked]),
        one(
            "/api/feedback-channel",
            "feedback",
            Kind::Feedback,
            "A message about Be Civic, for its maintainers.",
        ),
        one("/api/ratings", "rating", Kind::Rating, "One to five stars."),
        one(
            "/api/analytics",
            "analytics",
            Kind::Analytics,
            "One consented event of a session's life; applies at once.",
        ),
        Route::post(
            "/api/feedback",
            "Several submissions in one request; the primary way.",
            submit::envelope,
        )
        .takes("feedback-envelope")
        .asks(&[("dry_run", "`1`: as `mode: validate`; the body's `mode` wins.")])
        .gives(200, "`results`, one per item, each accepted or refused on its own.")
        .shaped(shapes::results)
        .refuses(&[Category::IdentityFieldBanned, Category::RateLimitExceeded])
        .stored(),
    ]
}
