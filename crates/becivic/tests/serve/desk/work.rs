//! What is done to held submissions and to messages.

use super::{Desk, held, log, state};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup, make, propose};
use becivic_server::db::others;
use becivic_server::moment::Moment;
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        nothing_waits_at_first,
        a_held_submission_is_read_and_released,
        a_held_submission_is_discarded,
        an_edit_passes_every_check_again,
        what_was_published_is_held_by_its_public_name,
        what_is_suspicious_is_marked,
        messages_are_triaged,
        reasons_are_asked_for_and_scrubbed,
    ]
);

fn nothing_waits_at_first(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    assert!(desk.get("/review").text.contains("Nothing to review."));
    for (path, text) in [
        ("drafts", "No draft waits."),
        ("held", "Nothing is held."),
        ("flags", "Nothing is flagged."),
        ("feedback", "No message is new."),
    ] {
        assert!(desk.get(&format!("/review/{path}")).text.contains(text), "{path}");
    }
}

fn a_held_submission_is_read_and_released(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (id, path) = held(server, place, "They ask <b>two</b> \"photographs\" & a form.");
    assert!(desk.get("/review/held").text.contains(&format!("/review/held/{id}")));
    let page = desk.get(&format!("/review/held/{id}")).text;
    assert!(page.contains("They ask &lt;b&gt;two&lt;/b&gt; &quot;photographs&quot; &amp; a form."), "{page}");
    assert!(!page.contains("<b>two"), "{page}");
    let address = format!("/review/held/{id}");
    desk.does(&address, &[("action", "release"), ("why", "nothing personal in it")]);
    assert_eq!(state(server, &path), "released");
    assert_eq!(desk.get(&address).status, 404);
    let again = desk.post(&address, &[("action", "release"), ("why", "again")]);
    assert_eq!(again.status, 404, "{again:?}");
    let lines = log(place, 2);
    let (who, action, subject, why) = &lines[0];
    assert_eq!((who.as_str(), action.as_str(), why.as_str()), ("first", "release", "nothing personal in it"));
    assert!(subject.starts_with("concern ") && !subject.contains(&id[4..]), "{subject}");
    assert_eq!(
        (lines[1].1.as_str(), &lines[1].2),
        ("ner_held_for_review", subject),
        "holding it was a deed too"
    );
    let shown = desk.get("/review/log").text;
    assert!(shown.contains(subject) && shown.contains("nothing personal in it"), "{shown}");
    assert!(!shown.contains("photographs"), "no text of a submission is in the log");
}

fn a_held_submission_is_discarded(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (id, path) = held(server, place, "The counter zqxjkvwb asked for two photographs.");
    desk.does(&format!("/review/held/{id}"), &[("action", "discard"), ("why", "not about this")]);
    assert_eq!(state(server, &path), "discarded");
    let rows = place.write(|tx| {
        let kept = "SELECT payload FROM held UNION ALL SELECT payload FROM staged";
        Ok(tx
            .query(kept, &[])?
            .iter()
            .filter(|row| row.text(0).is_ok_and(|it| it.contains("zqxjkvwb")))
            .count())
    });
    assert_eq!(rows, 0, "its text is erased");
}

fn an_edit_passes_every_check_again(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (id, path) = held(server, place, "Somebody at the counter asked for two photographs.");
    let address = format!("/review/held/{id}");
    let payload = place.write({
        let id = id.clone();
        move |tx| becivic_server::db::desk::find_held(tx, &id)
    });
    let payload: Value = serde_json::from_str(&payload.expect("it is held").payload).expect("JSON");
    let try_it = |change: &dyn Fn(&mut Value)| {
        let mut edited = payload.clone();
        change(&mut edited);
        let edited = format!("{edited:#}").replace('\n', "\r\n");
        desk.post(
            &address,
            &[("action", "edit-and-release"), ("why", "a name taken out"), ("edited", &edited)],
        )
    };
    for (about, said, change) in [
        ("nothing", "Nothing was changed", (&|_: &mut Value| {}) as &dyn Fn(&mut Value)),
        ("another id", "`concern_id`", &|it| it["concern_id"] = json!(make::id("con_"))),
        ("another target", "`target_id`", &|it| it["target_id"] = json!("renew-residence-card")),
        ("personal data", "personal", &|it| it["content"]["body"] = json!("Mail someone@example.org.")),
        ("a name that is banned", "identifies", &|it| it["content"]["user_email"] = json!("x")),
        ("another shape", "shape", &|it| it["content"]["body"] = json!(7)),
    ] {
        let reply = try_it(change);
        assert_eq!(reply.status, 422, "{about}: {reply:?}");
        assert!(reply.text.contains(said), "{about}: {}", reply.text);
        assert!(reply.text.contains("a name taken out"), "what was typed is still there");
        assert!(!reply.text.contains("U+000D"), "line ends of browsers are no odd characters");
        assert_eq!(state(server, &path), "ner_held_for_review", "{about}");
    }
    let broken = desk.post(&address, &[("action", "edit-and-release"), ("why", "x"), ("edited", "{\"a\"")]);
    assert!(broken.status == 422 && broken.text.contains("not JSON"), "{broken:?}");
    let good = try_it(&|it| it["content"]["body"] = json!("The counter asked for two photographs."));
    assert_eq!(good.status, 303, "{good:?}");
    assert_eq!(state(server, &path), "released_after_edit");
    let kept = place.write({
        let id = id.clone();
        move |tx| becivic_server::db::desk::staged_payload(tx, &id)
    });
    assert!(kept.is_some_and(|it| it.contains("The counter asked") && !it.contains("Somebody")));
    // Its sender is still known by what was sent.
    assert_eq!(server.post("/api/concerns", &payload).status, 200);
    assert_eq!(log(place, 1)[0].1, "edit-and-release");
}

fn what_was_published_is_held_by_its_public_name(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (path, uid) = crate::states::committed(place);
    let token = place.operator_token();
    let hold =
        || server.patch(&format!("{path}/status"), &token, &json!({"state": "held_for_review"})).status;
    assert_eq!(hold(), 200);
    assert!(desk.get("/review/held").text.contains(&format!("/review/held/{uid}")));
    let page = desk.get(&format!("/review/held/{uid}"));
    assert!(page.status == 200 && page.text.contains("The desk asked for two photographs."), "{page:?}");
    assert!(!page.text.contains("edit-and-release"), "what is published is not edited");
    desk.does(&format!("/review/held/{uid}"), &[("action", "release"), ("why", "fine")]);
    assert_eq!(state(server, &path), "released");
    assert_eq!(hold(), 200);
    desk.does(&format!("/review/held/{uid}"), &[("action", "discard"), ("why", "not fine")]);
    assert_eq!(state(server, &path), "discarded");
    assert_eq!(desk.get(&format!("/review/held/{uid}")).status, 404);
}

fn what_is_suspicious_is_marked(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let line = "- See [the page](https://elsewhere.example/page) [dofi-arrival-page].";
    let amendment = propose::line(server, "arrival-declaration", "- A passport", line);
    let reply = server.post("/api/amendments", &amendment);
    assert_eq!(reply.status, 202, "{reply:?}");
    let id = amendment["amendment_id"].as_str().expect("an id").to_owned();
    let asked = id.clone();
    place.write(move |tx| {
        // The rules look at a text before it is stored; what they would find all the same is marked.
        let sql = "UPDATE held SET payload = REPLACE(payload, 'another amount', 'someone@example.org') WHERE id = $1";
        tx.execute(sql, &[(&asked).into()])
    });
    let page = desk.get(&format!("/review/held/{id}")).text;
    assert!(page.contains("unlisted_host"), "{page}");
    assert!(page.contains("<mark title=\"unlisted host\">https://elsewhere.example/page<sup>"), "{page}");
    assert!(page.contains(">someone@example.org<sup>"), "{page}");
    assert!(page.contains("nobody listed: <mark>elsewhere.example</mark>"), "{page}");
    assert!(page.contains("<td class=\"sign\">+</td><td>- See [the page]"), "the diff is shown: {page}");
    desk.does(&format!("/review/held/{id}"), &[("action", "discard"), ("why", "test")]);
}

fn messages_are_triaged(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    place.write(|tx| {
        others::insert_message(tx, &[0xab; 32], Some("bug"), None, "A <i>page</i> is blank.", Moment(0))
    });
    let handle = "ab".repeat(8);
    let page = desk.get("/review/feedback").text;
    assert!(page.contains("A &lt;i&gt;page&lt;/i&gt; is blank.") && page.contains(&handle), "{page}");
    desk.does(&format!("/review/feedback/{handle}"), &[("action", "seen")]);
    assert!(desk.get("/review/feedback").text.contains("No message is new."));
    assert!(desk.get("/review/feedback?state=seen").text.contains(&handle));
    let again = desk.post(&format!("/review/feedback/{handle}"), &[("action", "seen")]);
    assert!(again.status == 409 && again.text.contains("already"), "{again:?}");
    desk.does(&format!("/review/feedback/{handle}"), &[("action", "done"), ("why", "mended")]);
    assert_eq!(log(place, 1)[0].2, format!("feedback {handle} done"));
    for (handle, status) in [("zz", 404), (&"cd".repeat(8) as &str, 404)] {
        assert_eq!(desk.post(&format!("/review/feedback/{handle}"), &[("action", "seen")]).status, status);
    }
    let unknown = desk.post(&format!("/review/feedback/{handle}"), &[("action", "burn")]);
    assert_eq!(unknown.status, 422);
}

fn reasons_are_asked_for_and_scrubbed(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (id, path) = held(server, place, "The counter asked for four photographs.");
    for (why, said) in [
        ("", "Say why"),
        ("   ", "Say why"),
        ("it names someone@example.org", "something personal"),
        (&"x".repeat(501) as &str, "at most 500"),
        ("two\nlines", "one line"),
    ] {
        let reply = desk.post(&format!("/review/held/{id}"), &[("action", "discard"), ("why", why)]);
        assert!(reply.status == 422 && reply.text.contains(said), "{why}: {reply:?}");
        assert_eq!(state(server, &path), "ner_held_for_review");
    }
    let unknown = desk.post(&format!("/review/held/{id}"), &[("action", "merge"), ("why", "x")]);
    assert_eq!(unknown.status, 422);
}
