//! Fields one over what they hold, ids of other shapes, clocks that are wrong.

use crate::bad_input::{MARKER, concern, not_stored, refused};
use crate::fixtures::fresh;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup, make};
use serde_json::json;

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![every_cap_counts_characters, ids_of_other_shapes, clocks_that_are_wrong]
);

fn every_cap_counts_characters(server: &Server, _: &Place) {
    // A letter outside the basic plane: two code units of UTF-16, four bytes of UTF-8, one character.
    let letters = |count: usize| "𐌰".repeat(count);
    type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, usize);
    let concerns: &[Row] = &[
        (
            "concerns/valid/skill-general-without-context.json",
            "/api/concerns",
            "concern_id",
            "con_",
            "/content/body",
            500,
        ),
        (
            "concerns/valid/path-regional.json",
            "/api/concerns",
            "concern_id",
            "con_",
            "/content/report",
            2_000,
        ),
        (
            "concerns/valid/skill-role-specific.json",
            "/api/concerns",
            "concern_id",
            "con_",
            "/content/specifier",
            100,
        ),
        (
            "concerns/valid/volatile-value-observed-as-text.json",
            "/api/concerns",
            "concern_id",
            "con_",
            "/content/observed_value",
            300,
        ),
        (
            "amendments/valid/volatile_value/value-as-string.json",
            "/api/amendments",
            "amendment_id",
            "amd_",
            "/rationale",
            500,
        ),
        (
            "amendments/valid/volatile_value/value-as-string.json",
            "/api/amendments",
            "amendment_id",
            "amd_",
            "/content/proposed_value",
            300,
        ),
        (
            "validations/valid/skill-reject.json",
            "/api/validations",
            "validation_id",
            "val_",
            "/rationale",
            500,
        ),
        (
            "validations/valid/skill-injection-flag.json",
            "/api/validations",
            "validation_id",
            "val_",
            "/injection_reason",
            300,
        ),
        (
            "drafts/valid/skill/with-provenance.json",
            "/api/drafts",
            "draft_id",
            "drf_",
            "/commit_message",
            200,
        ),
        (
            "drafts/valid/skill/with-provenance.json",
            "/api/drafts",
            "draft_id",
            "drf_",
            "/provenance/research_notes_markdown",
            51_200,
        ),
        (
            "feedback_channel/valid/without-topic-and-pointer.json",
            "/api/feedback-channel",
            "feedback_id",
            "fbk_",
            "/body",
            2_000,
        ),
        (
            "ratings/valid/skill-four-stars.json",
            "/api/ratings",
            "rating_id",
            "rtg_",
            "/would_be_5_stars",
            500,
        ),
    ];
    for (file, endpoint, id_field, prefix, pointer, cap) in concerns {
        for (length, status) in [(*cap, 201), (*cap + 1, 400)] {
            let mut value = fresh(server, file, id_field, prefix);
            *value.pointer_mut(pointer).unwrap_or_else(|| panic!("{file} has no {pointer}")) =
                letters(length).into();
            let reply = server.post(endpoint, &value);
            assert_eq!(reply.status, status, "{file} {pointer} with {length}: {reply:?}");
            if status == 400 {
                assert_eq!(
                    (reply.error().as_str(), &reply.json()["schema_pointer"]),
                    ("schema_fail", &json!(pointer))
                );
                let path = format!("{endpoint}/{}", value[*id_field].as_str().expect("an id"));
                assert_eq!(server.get(&path).status, 404);
            }
        }
    }
}

fn ids_of_other_shapes(server: &Server, _: &Place) {
    let good = make::id("con_");
    let uuid = good.trim_start_matches("con_");
    for id in [
        String::new(),
        "con_".to_owned(),
        uuid.to_owned(),
        format!("CON_{uuid}"),
        good.to_uppercase(),
        format!("con_{}", uuid.to_uppercase().replacen('-', "A-", 1).replacen('A', "", 1)),
        format!("con_{}", uuid.replace('-', "")),
        format!("con_{{{uuid}}}"),
        format!("con-{uuid}"),
        format!("obs_{uuid}"),
        format!("rtg_{uuid}"),
        format!("con_con_{uuid}"),
        format!(" {good}"),
        format!("{good} "),
        format!("{good}\n"),
        format!("{good}0"),
        "con_9b2f7c1e-4d3a-4f5b-8c6d-7e8f9a0b1c2d".to_owned(),
        "con_01f0c1e0-4d3a-11ee-8c6d-7e8f9a0b1c2d".to_owned(),
        "con_01f0c1e0-4d3a-71ee-0c6d-7e8f9a0b1c2d".to_owned(),
        "con_00000000-0000-0000-0000-000000000000".to_owned(),
        format!("con_{MARKER}"),
    ] {
        // One of them is the good id again, when it has no letters to write otherwise.
        if id == good {
            continue;
        }
        let mut concern = concern();
        concern["concern_id"] = json!(id);
        let reply = server.post("/api/concerns", &concern);
        refused(&reply, "schema_fail", &id);
        assert_eq!(reply.json()["schema_pointer"], "/concern_id", "{id:?}");
    }
    // Its last digits would be a national number anywhere else; an id is random, and this happens to one in some thousands.
    let mut unlucky = make::concern("arrival-declaration", "The counter asked for two photographs.");
    unlucky["concern_id"] = json!("con_01a1e0b9-fe8f-788b-a2a3-b64300964062");
    let reply = server.post("/api/concerns", &unlucky);
    assert_eq!(reply.status, 201, "{reply:?}");
    for session in [make::id("ses_").to_uppercase(), make::id("con_"), "ses_1".to_owned()] {
        let mut vote = make::validation("skill", "arrival-declaration", "confirm");
        vote["session_id"] = json!(session);
        refused(&server.post("/api/validations", &vote), "schema_fail", &session);
    }
}

fn clocks_that_are_wrong(server: &Server, _: &Place) {
    let (minute, day) = (60, 86_400);
    let written = |offset: &str| {
        let time = make::time(0);
        format!("{}{offset}", time.trim_end_matches('Z'))
    };
    for (time, category) in [
        (make::time(61 * minute), "timing_fail"),
        (make::time(-8 * day), "timing_fail"),
        (make::time(-7 * day - minute), "timing_fail"),
        ("9999-12-31T23:59:59Z".to_owned(), "timing_fail"),
        ("1970-01-01T00:00:00Z".to_owned(), "timing_fail"),
        // Now by the wall clock, and two hours ahead of the world.
        (written("-02:00"), "timing_fail"),
        // Written like a time, but no time.
        ("2026-02-30T10:00:00Z".to_owned(), "timing_fail"),
        ("2026-11-15".to_owned(), "schema_fail"),
        (format!("{MARKER}T10:00:00Z"), "schema_fail"),
    ] {
        let mut concern = concern();
        concern["submitted_at"] = json!(time);
        let reply = server.post("/api/concerns", &concern);
        refused(&reply, category, &time);
        assert_eq!(reply.json()["schema_pointer"], "/submitted_at", "{time}");
        not_stored(server, &concern);
    }
    for time in [make::time(59 * minute), make::time(-6 * day), make::time(-7 * day + minute), make::time(0)]
    {
        let mut concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
        concern["submitted_at"] = json!(time);
        let reply = server.post("/api/concerns", &concern);
        assert_eq!(reply.status, 201, "{time}: {reply:?}");
    }
}
