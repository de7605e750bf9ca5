//! Skills and paths.

use super::super::{find, graph, paths, shapes, skills, text, transitions};
use super::param::{Param, Takes, words};
use super::{Route, page};
use crate::rejection::Category;
use becivic_core::path::Theme;
use becivic_core::skill_graph::{Locale, ShownStatus};
use becivic_core::vocabulary::{Domain, Status};

/// What is asked about observations.
fn observed() -> Vec<Param> {
    let status = "`committed` concerns, `pending` amendments, or both when left out.";
    vec![
        Param::new("status", status, Takes::Word(vec!["committed", "pending"])),
        Param::new("since", "Only what was committed on or after this day, as 2026-11-15.", Takes::Text),
    ]
}

/// Skills and paths.
pub(super) fn routes() -> Vec<Route> {
    let said = |path: &str, about: &'static str| {
        Route::get(path, about, skills::concerns)
            .asks_for(observed())
            .asks_for(page())
            .gives(200, "A page of pending amendments and committed concerns, newest first.")
            .shaped(shapes::observations)
            .refuses(&[Category::NotFound, Category::SchemaFail])
            .stored()
    };
    vec![
        Route::get("/api/skills", "Every skill, by id.", skills::list)
            .asks_for(vec![
                Param::new("status", "Only skills of this status.", Takes::Word(words(Status::ALL))),
                Param::new("category", "Only skills of this category.", Takes::Text),
            ])
            .asks_for(page())
            .gives(200, "A page of skills.")
            .refuses(&[Category::SchemaFail]),
        Route::get("/api/skills/{id}", "One skill: frontmatter, text, community observations.", skills::one)
            .gives(200, "The skill.")
            .refuses(&[Category::NotFound])
            .stored(),
        Route::get("/api/skills/{id}/history", "The commits that changed a skill.", skills::history)
            .gives(200, "Commits, newest first.")
            .refuses(&[Category::NotFound]),
        Route::get(
            "/api/skills/{id}/text",
            "The text of a skill, in pieces of a size that you choose: resolved markdown, the authored source, or JSON.",
            text::show,
        )
        .asks_for(text::params())
        .gives(200, "The piece, the sections there are, and where to go on.")
        .shaped(shapes::piece)
        .refuses(&[Category::NotFound, Category::SchemaFail])
        .stored(),
        said("/api/skills/{id}/concerns", "What the community says of a skill and what it cites."),
        said("/api/skills/{id}/observations", "The same, under its other name."),
        Route::get(
            "/api/concerns",
            "What the community says of a skill, for `?skill=`.",
            skills::concerns_of,
        )
        .asks(&[("skill", "The skill.")])
        .asks_for(observed())
        .asks_for(page())
        .gives(200, "A page of pending amendments and committed concerns, newest first.")
            .shaped(shapes::observations)
        .refuses(&[Category::NotFound, Category::SchemaFail])
        .stored(),
        Route::get("/api/paths", "The Path Directory: routes to documents and tools.", paths::list)
            .asks_for(vec![
                Param::new("path_id", "Only this path.", Takes::Text),
                Param::new("theme", "Only paths of this theme.", Takes::Word(words(Theme::ALL))),
                Param::new("status", "Only paths of this status.", Takes::Word(words(Status::ALL))),
                Param::new(
                    "token_budget",
                    "At most about this many tokens of paths, counted as 4 bytes each, and one at least; `next` goes on.",
                    Takes::Count(find::BUDGETS.0, find::BUDGETS.1),
                ),
            ])
            .asks_for(page())
            .gives(200, "A page of paths with their sources.")
            .shaped(shapes::paths)
            .refuses(&[Category::SchemaFail, Category::NotFound])
            .stored(),
        Route::get("/api/paths/{id}", "One path with its sources.", paths::one)
            .gives(200, "The path.")
            .refuses(&[Category::NotFound])
            .stored(),
        Route::get("/api/transitions", "Every change of a status, with its numbers.", transitions::list)
            .asks(&[("target_type", "Of one artefact: what it is."), ("target_id", "Which.")])
            .asks_for(page())
            .gives(200, "A page of changes, newest first.")
            .refuses(&[Category::SchemaFail])
            .stored(),
        Route::get(
            "/api/find-skill",
            "The procedures that answer to a person's own words, best first, with the reason for each.",
            find::skills,
        )
        .asks_for(find::of_skills())
        .gives(200, "Procedures; the fallback alone where nothing fits.")
        .shaped(shapes::found)
        .refuses(&[Category::SchemaFail])
        .stored(),
        Route::get("/api/search", "Skills, paths, values and references, best first.", find::everything)
            .asks_for(find::of_everything())
            .gives(200, "What was found; the fallback alone where nothing fits.")
            .shaped(shapes::found)
            .refuses(&[Category::SchemaFail])
            .stored(),
        Route::get("/api/skill-graph", "Skills and how they hang together.", graph::show)
            .asks_for(vec![
                Param::new("applies_to", "Only skills of these domains.", Takes::Words(words(Domain::ALL))),
                Param::new(
                    "status",
                    "Only skills of these statuses; `stable` and `beta` when left out.",
                    Takes::Words(words(ShownStatus::ALL)),
                ),
                Param::new("customer_locale", "The language of the person's administration.", Takes::Word(words(Locale::ALL))),
                Param::new(
                    "profile_match",
                    "Evaluated on the person's machine: it is neither read nor kept.",
                    Takes::Text,
                ),
            ])
            .gives(200, "Nodes and edges; the fallback skill is always among them.")
            .shaped(shapes::graph)
            .refuses(&[Category::SchemaFail]),
    ]
}
