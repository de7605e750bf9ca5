//! What was committed before it is held: nowhere from the answer on, and back when it is released.

use super::{HELD, to};
use crate::commit::quick;
use crate::desk::Desk;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, make, propose};
use serde_json::json;

on_both_engines!(
    quick(),
    cases![
        what_was_public_is_nowhere_while_it_is_held,
        a_concern_that_was_public_is_found_at_the_desk_by_both_names,
        a_message_that_was_committed_is_held_and_comes_back,
        a_rating_that_was_committed_counts_nowhere_while_it_is_held,
    ]
);

fn what_was_public_is_nowhere_while_it_is_held(server: &Server, place: &Place) {
    let token = place.operator_token();
    let text = "They want zqxvisible stamps on the form.";
    let path = crate::commit::committed(server, "/api/concerns", &make::concern("arrival-declaration", text));
    let api = "/api/skills/arrival-declaration";
    let addresses = [
        api.to_owned(),
        format!("{api}/concerns"),
        format!("{api}/observations"),
        "/skills/arrival-declaration".to_owned(),
        "/skills/arrival-declaration.md".to_owned(),
        "/llms-full.txt".to_owned(),
    ];
    let listed = || {
        let tool =
            crate::mcp::call(server, "get_skill_observations", &json!({"skill_id": "arrival-declaration"}));
        tool.expect("an answer").to_string().contains("zqxvisible")
    };
    let days = || {
        place.write(|tx| {
            let counted = becivic_server::db::activity::concerns(tx, becivic_server::moment::Moment(0))?;
            Ok(counted.values().sum::<i64>())
        })
    };
    let public = days();
    for (state, shown) in [("", true), (HELD, false), ("released", true), (HELD, false), ("discarded", false)]
    {
        if !state.is_empty() {
            to(server, &token, &path, state);
        }
        for address in &addresses {
            // From the answer on, no page of a moment ago is sent.
            assert_eq!(server.get(address).text.contains("zqxvisible"), shown, "{address} {state}");
        }
        assert_eq!(listed(), shown, "{state}");
        assert_eq!(days(), if shown { public } else { public - 1 }, "{state}");
    }
    // What was merged is taken back elsewhere, and the answer says where.
    let value = make::value_amendment("val-00002", json!("13 working days"));
    let line = propose::line(server, "arrival-declaration", "- A passport", "- A passport, still valid");
    for amendment in [value, line] {
        let path = crate::commit::committed(server, "/api/amendments", &amendment);
        let reply = server.patch(&format!("{path}/status"), &token, &json!({"state": HELD}));
        assert_eq!((reply.status, reply.error().as_str()), (400, "invalid_transition"), "{reply:?}");
        assert!(reply.text.contains("becivic retract --uid amd-0"), "{reply:?}");
        assert_eq!(server.get(&path).json()["state"], "committed");
    }
}

fn a_concern_that_was_public_is_found_at_the_desk_by_both_names(server: &Server, place: &Place) {
    let (token, desk) = (place.operator_token(), Desk::open(server, place));
    let (path, uid) = crate::states::committed(place);
    to(server, &token, &path, HELD);
    let id = path.rsplit('/').next().expect("an id");
    for name in [id, &uid] {
        let page = desk.get(&format!("/review/held/{name}"));
        assert!(page.status == 200 && page.text.contains("The desk asked for two photographs."), "{page:?}");
        // One word, as in the metrics.
        assert!(
            page.text.contains("<code>asked</code>") && page.text.contains("after it was committed"),
            "{page:?}"
        );
    }
    desk.does(&format!("/review/held/{id}"), &[("action", "release"), ("why", "invented for a test")]);
    assert_eq!(server.get(&path).json()["state"], "released");
}

fn a_message_that_was_committed_is_held_and_comes_back(server: &Server, place: &Place) {
    let (token, desk) = (place.operator_token(), Desk::open(server, place));
    let text = "The zqxmessage page is clear.";
    let listed =
        |state: &str| desk.get(&format!("/review/feedback?state={state}")).text.contains("zqxmessage");
    let path = crate::commit::committed(server, "/api/feedback-channel", &make::feedback(text));
    assert!(listed("new"));
    for (state, shown) in [(HELD, false), ("released", true), (HELD, false), ("discarded", false)] {
        to(server, &token, &path, state);
        assert_eq!(server.get(&path).json(), json!({"state": state}));
        assert_eq!(listed("new"), shown, "{state}");
        let held = desk.get(&format!("/review/held/{}", path.rsplit('/').next().expect("an id")));
        assert_eq!(held.text.contains("zqxmessage"), state == HELD, "{state}: {held:?}");
        assert!(!held.text.contains("<textarea"), "what was committed is not edited");
    }
    let refused = server.patch(&format!("{path}/status"), &token, &json!({"state": "released"}));
    assert_eq!(refused.error(), "invalid_transition");
}

fn a_rating_that_was_committed_counts_nowhere_while_it_is_held(server: &Server, place: &Place) {
    let token = place.operator_token();
    let count = || {
        place.write(|tx| {
            let stars = becivic_server::db::others::stars(tx, "skill")?;
            Ok(stars
                .into_iter()
                .filter(|(id, ..)| id == "legalise-foreign-document")
                .map(|it| (it.1, it.2))
                .next())
        })
    };
    let mut rating = make::rating("legalise-foreign-document", 2);
    rating["would_be_5_stars"] = json!("A zqxrating list of fees.");
    let path = crate::commit::committed(server, "/api/ratings", &rating);
    assert_eq!(count(), Some((1, 2)));
    for (state, counted) in [(HELD, None), ("released", Some((1, 2))), (HELD, None), ("discarded", None)] {
        to(server, &token, &path, state);
        assert_eq!((server.get(&path).json(), count()), (json!({"state": state}), counted));
    }
    let left =
        place.write(|tx| Ok(tx.query("SELECT 1 FROM held WHERE payload LIKE '%zqxrating%'", &[])?.len()));
    assert_eq!(left, 0);
}
