//! Skills and paths.

use super::super::{graph, paths, skills, transitions};
use super::{PAGE, Route};
use crate::rejection::Category;

/// What is asked about observations.
const OBSERVED: &[(&str, &str)] = &[
    ("status", "`committed` concerns, `pending` amendments, or both when left out."),
    ("since", "Only what was committed on or after this day."),
];

/// Skills and paths.
pub(super) fn routes() -> Vec<Route> {
    let observed = |path: &str, about: &'static str| {
        Route::get(path, about, skills::concerns)
            .asks(OBSERVED)
            .asks(PAGE)
            .gives(200, "A page of pending amendments and committed concerns, newest first.")
            .refuses(&[Category::NotFound, Category::SchemaFail])
            .stored()
    };
    vec![
        Route::get("/api/skills", "Every skill, by id.", skills::list)
            .asks(&[("status", "Only skills of this status."), ("category", "Only skills of this category.")])
            .asks(PAGE)
            .gives(200, "A page of skills.")
            .refuses(&[Category::SchemaFail]),
        Route::get("/api/skills/{id}", "One skill: frontmatter, text, community observations.", skills::one)
            .gives(200, "The skill.")
            .refuses(&[Category::NotFound])
            .stored(),
        Route::get("/api/skills/{id}/history", "The commits that changed a skill.", skills::history)
            .gives(200, "Commits, newest first.")
            .refuses(&[Category::NotFound]),
        observed("/api/skills/{id}/concerns", "What the community says of a skill and what it cites."),
        observed("/api/skills/{id}/observations", "The same, under its other name."),
        Route::get(
            "/api/concerns",
            "What the community says of a skill, for `?skill=`.",
            skills::concerns_of,
        )
        .asks(&[("skill", "The skill.")])
        .asks(OBSERVED)
        .asks(PAGE)
        .gives(200, "A page of pending amendments and committed concerns, newest first.")
        .refuses(&[Category::NotFound, Category::SchemaFail])
        .stored(),
        Route::get("/api/paths", "The Path Directory: routes to documents and tools.", paths::list)
            .asks(&[("theme", "Only paths of this theme."), ("status", "Only paths of this status.")])
            .asks(PAGE)
            .gives(200, "A page of paths with their sources.")
            .refuses(&[Category::SchemaFail])
            .stored(),
        Route::get("/api/paths/{id}", "One path with its sources.", paths::one)
            .gives(200, "The path.")
            .refuses(&[Category::NotFound])
            .stored(),
        Route::get("/api/transitions", "Every change of a status, with its numbers.", transitions::list)
            .asks(&[("target_type", "Of one artefact: what it is."), ("target_id", "Which.")])
            .asks(PAGE)
            .gives(200, "A page of changes, newest first.")
            .refuses(&[Category::SchemaFail])
            .stored(),
        Route::get("/api/skill-graph", "Skills and how they hang together.", graph::show)
            .asks(&[
                ("applies_to", "Only these domains, joined by commas."),
                ("status", "Only these statuses, joined by commas; `stable,beta` when left out."),
                ("customer_locale", "NL, FR, DE or EN."),
                ("profile_match", "Evaluated on the person's machine: it is neither read nor kept."),
            ])
            .gives(200, "Nodes and edges; the fallback skill is always among them.")
            .refuses(&[Category::SchemaFail]),
    ]
}
