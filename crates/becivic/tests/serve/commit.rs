//! From staged to public, over HTTP with a window of two seconds: every kind of submission to every kind of target goes from
//! its POST to where it must appear.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make, propose, root};
use becivic_server::repository::Repository;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A server that commits what is two seconds old.
pub fn quick() -> Setup {
    Setup::fixtures().unlimited().with("STAGING__WINDOW", "2s").with("JOBS__COMMIT_EVERY", "100ms")
}

on_both_engines!(
    quick(),
    cases![
        a_concern_about_anything_is_published,
        feedback_and_ratings_arrive,
        a_value_is_corrected,
        a_reference_is_corrected,
        a_skill_is_amended_and_goes_back_to_alpha,
        a_field_of_a_skill_is_set_and_nothing_else,
        paths_and_sources_are_amended,
        a_draft_waits_for_a_person,
        what_needs_a_look_is_held,
        a_diff_that_no_longer_applies_is_rejected,
        what_is_taken_back_is_never_committed,
    ]
);

/// How long anything may take that should happen within seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks until something is so.
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "it never came true: {what}");
        std::thread::yield_now();
    }
}

/// Sends something; gives back its address for status and cancellation, and the answer.
pub fn sent(server: &Server, endpoint: &str, submission: &Value) -> (String, Reply) {
    let reply = server.post(endpoint, submission);
    assert_eq!(reply.status, 201, "{submission}: {reply:?}");
    let answer = reply.json();
    let fields = answer.as_object().expect("an object");
    let id = fields.iter().find(|(name, _)| name.ends_with("_id")).expect("an id").1;
    (format!("{endpoint}/{}", id.as_str().expect("text")), reply)
}

/// Waits until a submission has this state; gives back the whole answer.
pub fn reaches(server: &Server, address: &str, state: &str) -> Value {
    until(&format!("{address} is {state}; {}", server.log()), || {
        let answer = server.get(address).json();
        let now = answer["state"].as_str().unwrap_or_default().to_owned();
        assert!(
            now == state || now == "staged",
            "{address} is {now}, not {state}: {answer}; {}",
            server.log()
        );
        (now == state).then_some(answer)
    })
}

/// Sends something and waits until it is committed.
pub fn committed(server: &Server, endpoint: &str, submission: &Value) -> String {
    let (address, _) = sent(server, endpoint, submission);
    let answer = reaches(server, &address, "committed");
    assert!(answer["committed_at"].as_str().is_some_and(|at| at.ends_with("T00:00:00Z")), "{answer}");
    address
}

/// A file of the repository at the served commit.
pub fn file(server: &Server, place: &Place, path: &str) -> Option<String> {
    let commit = propose::commit(server);
    let files = repository(place).files(&commit).expect("the files");
    let found = files.into_iter().find(|input| input.path == path)?;
    match found.content {
        becivic_core::corpus::Content::Bytes(bytes) => Some(String::from_utf8(bytes).expect("text")),
        other => panic!("{path} is {other:?}"),
    }
}

/// The repository of the first server.
pub fn repository(place: &Place) -> Repository {
    let dir = place.data(0).join("corpus.git");
    Repository::open_or_create(&dir, std::iter::empty(), becivic_server::moment::Moment(0))
        .expect("it opens")
        .0
}

fn concern(target_type: &str, target_id: &str, content: Value) -> Value {
    let mut value = make::concern("x", "x");
    value["target_type"] = target_type.into();
    value["target_id"] = target_id.into();
    value["context"] = json!({"country": "be"});
    value["content"] = content;
    value
}

fn a_concern_about_anything_is_published(server: &Server, place: &Place) {
    let general = |text: &str| json!({"scope": "general", "body": text, "evidence_date": "2026-10-28", "evidence_source": "customer-report"});
    let report = |text: &str| json!({"scope": "general", "report": text, "evidence_date": "2026-10-28", "evidence_source": "customer-report"});
    let about =
        |text: &str| json!({"body": text, "evidence_date": "2026-10-28", "evidence_source": "citation"});
    let cells = [
        ("skill", "arrival-declaration", general("The desk asked for two photographs.")),
        (
            "volatile_value",
            "val-00001",
            json!({"vv_uid": "val-00001", "observed_value": "€6", "evidence_date": "2026-10-28"}),
        ),
        (
            "reference",
            "ref-00001",
            json!({"ref_uid": "ref-00001", "body": "The page has moved.", "evidence_date": "2026-10-28", "evidence_source": "citation"}),
        ),
        ("path", "household-certificate", report("The form was down all day.")),
        ("path_source", "household-certificate:commune-desk", about("The desk is closed on Mondays.")),
        ("skill_graph", "", json!({"body": "Nothing about adoption.", "evidence_date": "2026-10-28"})),
    ];
    let addresses: Vec<String> = cells
        .iter()
        .map(|(target_type, id, content)| {
            sent(server, "/api/concerns", &concern(target_type, id, content.clone())).0
        })
        .collect();
    for address in &addresses {
        reaches(server, address, "committed");
    }
    let shown = server.get("/api/skills/arrival-declaration/concerns").json();
    let items = shown["items"].as_array().expect("a list");
    let own = items.iter().find(|it| it["target_type"] == "skill").expect("the one about the skill");
    let text = own.to_string();
    assert!(
        text.contains("two photographs") && text.contains("2026-10") && !text.contains("2026-10-28"),
        "{shown}"
    );
    for hidden in ["con_", "example-runtime", "country"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
    let rows = place.write(|tx| {
        let sql = "SELECT target_type, observed_value FROM concerns ORDER BY number";
        tx.query(sql, &[])?
            .iter()
            .map(|row| Ok((row.text(0)?, row.maybe_text(1)?)))
            .collect::<Result<Vec<_>, _>>()
    });
    for (target_type, ..) in &cells {
        assert!(rows.iter().any(|(kept, _)| kept == target_type), "{target_type}: {rows:?}");
    }
    assert!(rows.contains(&("volatile_value".to_owned(), Some("€6".to_owned()))), "{rows:?}");
    let counted = place.write(|tx| {
        let sql = "SELECT CAST(SUM(concerns) AS BIGINT) FROM country_counters WHERE country = 'be'";
        tx.first(sql, &[])?.map_or(Ok(0), |row| row.int(0))
    });
    assert!(counted >= 6, "{counted}");
}

fn feedback_and_ratings_arrive(server: &Server, place: &Place) {
    let mut session = make::rating("x", 5);
    session["target_type"] = "session".into();
    session["target_id"] = make::id("ses_").into();
    session["user_experience_stars"] = 3.into();
    session.as_object_mut().expect("an object").remove("skill_quality_stars");
    let addresses = [
        sent(server, "/api/feedback-channel", &make::feedback("The search finds nothing in German.")).0,
        sent(server, "/api/ratings", &make::rating("arrival-declaration", 4)).0,
        sent(server, "/api/ratings", &session).0,
    ];
    for address in &addresses {
        reaches(server, address, "committed");
    }
    let kept = place.write(|tx| {
        let message =
            tx.first("SELECT body FROM feedback_channel WHERE state = 'new'", &[])?.map(|row| row.text(0));
        let rated = tx.query("SELECT target_id, stars FROM ratings ORDER BY target_id", &[])?;
        let rated = rated.iter().map(|row| Ok((row.text(0)?, row.int(1)?))).collect::<Result<Vec<_>, _>>()?;
        Ok((message.transpose()?, rated))
    });
    assert_eq!(kept.0.as_deref(), Some("The search finds nothing in German."));
    assert_eq!(kept.1, [("arrival-declaration".to_owned(), 4), ("session".to_owned(), 3)]);
    // No key of theirs stands anywhere else.
    let senders = place.write(|tx| {
        let sql = "SELECT digest FROM ledger WHERE kind IN ('rating', 'feedback') AND (submitter_hash IS NOT NULL OR uid IS NOT NULL)";
        Ok(tx.query(sql, &[])?.len())
    });
    assert_eq!(senders, 0);
}

fn a_value_is_corrected(server: &Server, _: &Place) {
    committed(server, "/api/amendments", &make::value_amendment("val-00001", json!("€7")));
    let row = server.get("/api/volatile-values/val-00001").json();
    assert_eq!((row["value"].as_str(), row["status"].as_str()), (Some("€7"), Some("alpha")), "{row}");
    let history = server.get("/api/volatile-values/val-00001/history").json();
    assert_eq!(history["items"].as_array().map(Vec::len), Some(2), "{history}");
}

fn a_reference_is_corrected(server: &Server, _: &Place) {
    committed(server, "/api/amendments", &propose::reference("ref-00002", "https://dofi.ibz.be/en/arrival"));
    let row = server.get("/api/references/ref-00002").json();
    assert_eq!(row["url"], "https://dofi.ibz.be/en/arrival", "{row}");
    assert_eq!(row["title"], "Immigration Office: declaring your arrival");
}

fn a_skill_is_amended_and_goes_back_to_alpha(server: &Server, place: &Place) {
    let before = propose::commit(server);
    let mut change =
        propose::line(server, "renew-residence-card", "## Process", "\nBring a spare photograph.");
    change["provenance"] = json!({
        "kind": "discovery_session", "research_notes_markdown": "# Notes\n\nThe desk asked for one.",
        "session_count": 2, "first_session_at": "2026-10-01T10:11:12Z",
        "research_sources": [{"url": "https://www.ejustice.just.fgov.be/eli/loi/1991/07/19", "kind": "citation-grade", "claim": "A photograph is asked for."}],
    });
    committed(server, "/api/amendments", &change);
    let skill = until("the new corpus is served", || {
        let skill = server.get("/api/skills/renew-residence-card").json();
        (skill["status"] != "stable").then_some(skill)
    });
    assert_eq!(
        (skill["status"].as_str(), skill["version"].as_str()),
        (Some("alpha"), Some("0.1.0")),
        "a content change of a stable skill begins at alpha: {skill}"
    );
    assert_eq!(skill["frontmatter"]["previous_stable_sha"], before.as_str());
    assert!(skill["body"].as_str().is_some_and(|body| body.contains("Bring a spare photograph.")));
    let commit = propose::commit(server);
    assert_eq!(skill["commit"].as_str().map(|it| commit.starts_with(it)), Some(true));
    let report = file(server, place, "skills/renew-residence-card/research-report.md").expect("a report");
    assert!(report.contains("— amendment amd-") && report.contains("The desk asked for one."), "{report}");
    assert!(report.contains("first_session_at: 2026-10-01\n") && !report.contains("10:11"), "{report}");
    let history = server.get("/api/skills/renew-residence-card/history").json();
    assert_eq!(history["items"].as_array().map(Vec::len), Some(2), "{history}");
    // The version before is there by its number, too.
    let old = server.get("/api/skills/renew-residence-card/text?version=1.0.3&format=source").json();
    let text = old["text"].as_str().expect("a text");
    assert!(text.contains("version: 1.0.3") && !text.contains("Bring a spare photograph."), "{old}");
}

fn a_field_of_a_skill_is_set_and_nothing_else(server: &Server, place: &Place) {
    let path = "skills/legalise-foreign-document/canonical.md";
    let before = file(server, place, path).expect("the skill");
    let change = propose::field("skill", "legalise-foreign-document", "last_verified", json!("2026-11-01"));
    committed(server, "/api/amendments", &change);
    let after =
        until("the new corpus is served", || file(server, place, path).filter(|after| *after != before));
    let changed: Vec<(&str, &str)> = before.lines().zip(after.lines()).filter(|(a, b)| a != b).collect();
    let lines: Vec<&str> = changed.iter().map(|(_, after)| *after).collect();
    assert!(lines.contains(&"version: 0.1.3"), "{changed:?}");
    assert!(
        after.contains("\nlast_verified: 2026-11-01\n")
            || after.contains("\nlast_verified: \"2026-11-01\"\n"),
        "{after}"
    );
    assert_eq!(before.lines().count(), after.lines().count());
    assert_eq!(changed.len(), 2, "{changed:?}");
}

fn paths_and_sources_are_amended(server: &Server, place: &Place) {
    let description = json!({"en": "Proof of who lives at your address.", "fr": "Preuve de la composition du ménage.", "nl": "Bewijs van wie er woont.", "de": "Nachweis, wer dort wohnt."});
    committed(
        server,
        "/api/amendments",
        &propose::field("path", "household-certificate", "description", description),
    );
    let fixture = |name: &str| -> Value {
        let text = std::fs::read_to_string(root().join("fixtures/amendments/valid/path_source").join(name))
            .expect("a fixture");
        let mut value: Value = serde_json::from_str(&text).expect("JSON");
        value["amendment_id"] = make::id("amd_").into();
        value["submitted_at"] = make::time(0).into();
        value
    };
    let edit = fixture("field-edit-handoff-text.json");
    let added = fixture("source-add.json");
    let addresses = [("203.0.113.7", &edit), ("203.0.113.8", &added)].map(|(sender, submission)| {
        let reply = server.post_from(sender, "/api/amendments", submission);
        assert_eq!(reply.status, 201, "{reply:?}");
        format!("/api/amendments/{}", submission["amendment_id"].as_str().expect("an id"))
    });
    // An artefact takes two in 48 hours; whatever waits for its turn, a maintainer lets pass.
    until("all of them are committed", || {
        let done = addresses.iter().all(|address| server.get(address).json()["state"] == "committed");
        if !done {
            place.write(|tx| {
                let sql = "UPDATE staged SET review = 'approved', due_at = 0 WHERE pull IS NOT NULL AND kind = 'amendment' AND due_at > $1";
                tx.execute(sql, &[0_i64.into()]).map(drop)
            });
        }
        done.then_some(())
    });
    let index = until("the new corpus is served", || {
        let source = added["content"]["source_add"]["id"].as_str()?;
        file(server, place, "paths/index.json").filter(|text| {
            text.contains("Proof of who lives") && text.contains(&format!("\"id\": \"{source}\""))
        })
    });
    let index: Value = serde_json::from_str(&index).expect("JSON");
    let (path, source) =
        edit["target_id"].as_str().and_then(|id| id.split_once(':')).expect("a source of a path");
    let change = &edit["content"]["frontmatter_change"];
    let sources = index["paths"][path]["sources"].as_array().expect("sources");
    let edited = sources.iter().find(|it| it["id"] == source).expect("the source");
    let pointer = format!("/{}", change["field_path"].as_str().expect("a field").replace('.', "/"));
    assert_eq!(edited.pointer(&pointer), Some(&change["proposed_value"]));
    let of = added["target_id"].as_str().expect("a path");
    let ids: Vec<&Value> =
        index["paths"][of]["sources"].as_array().expect("sources").iter().map(|it| &it["id"]).collect();
    assert!(ids.contains(&&added["content"]["source_add"]["id"]), "{ids:?}");
    let entry = &index["paths"]["household-certificate"];
    assert_eq!(entry["description"]["en"], "Proof of who lives at your address.");
    assert_eq!(entry["uid"], "pth-00001");
}

fn a_draft_waits_for_a_person(server: &Server, place: &Place) {
    let (address, _) = sent(server, "/api/drafts", &propose::draft("compost-collection"));
    let pull = until("there is a pull request", || {
        place.write(|tx| {
            let found = becivic_server::db::pulls::in_state(tx, "open", 0, 100)?;
            Ok(found.into_iter().find(|pull| pull.target_id == "compost-collection" && pull.head.is_some()))
        })
    });
    assert_eq!(
        (pull.purpose.as_str(), pull.title.as_str()),
        ("draft", "Add skill compost-collection (drf-00001)")
    );
    let head = repository(place).pointed(&format!("refs/pull/{}/head", pull.number));
    assert_eq!(head, pull.head);
    assert_eq!(server.get("/api/skills/compost-collection").status, 404, "it is not merged yet");
    assert_eq!(server.get(&address).json()["state"], "staged");
    place.write(move |tx| {
        let sql = "UPDATE staged SET review = 'approved', due_at = 0 WHERE pull = $1";
        tx.execute(sql, &[pull.number.into()]).map(drop)
    });
    reaches(server, &address, "committed");
    let skill = until("it is served", || {
        let reply = server.get("/api/skills/compost-collection");
        (reply.status == 200).then(|| reply.json())
    });
    assert_eq!(
        (skill["status"].as_str(), skill["origin"].as_str()),
        (Some("alpha"), Some("community")),
        "{skill}"
    );
    assert_eq!(skill["version"], "0.1.0");
}

fn what_needs_a_look_is_held(server: &Server, place: &Place) {
    let change = propose::reference("ref-00001", "https://nobody-listed-this.example.org/law");
    let (address, _) = crate::hold::held(server, "/api/amendments", &change);
    let token = place.operator_token();
    let released = server.patch(&format!("{address}/status"), &token, &json!({"state": "released"}));
    assert_eq!(released.status, 200, "{released:?}");
    until("it is released and public", || {
        let row = server.get("/api/references/ref-00001").json();
        (row["url"] == "https://nobody-listed-this.example.org/law").then_some(())
    });
    // Released until it was committed; from then on it reads like everything else that is public.
    let state = server.get(&address).json();
    assert_eq!((&state["state"], state["committed_at"].is_string()), (&json!("committed"), true), "{state}");
}

/// A change of the heading of a skill's process, which applies once.
fn replaced(server: &Server, skill: &str, word: &str) -> Value {
    let mut change = propose::line(server, skill, "# ", "x");
    let diff = change["content"]["body_diff"].as_str().expect("a diff");
    let heading = diff.lines().nth(1).expect("the heading").trim_start();
    let place = diff.lines().next().expect("the place").replace(",2 @@", ",1 @@");
    change["content"]["body_diff"] = format!("{place}\n-{heading}\n+{heading} {word}\n").into();
    change
}

fn a_diff_that_no_longer_applies_is_rejected(server: &Server, place: &Place) {
    let (one, other) =
        (replaced(server, "arrival-declaration", "One"), replaced(server, "arrival-declaration", "Two"));
    let addresses = [sent(server, "/api/amendments", &one).0, sent(server, "/api/amendments", &other).0];
    let ends: Vec<Value> = addresses
        .iter()
        .map(|address| {
            until("both have ended", || {
                let answer = server.get(address).json();
                (answer["state"] != "staged").then_some(answer)
            })
        })
        .collect();
    let states: Vec<&str> = ends.iter().filter_map(|end| end["state"].as_str()).collect();
    // Whichever came first was merged; the other applies to a text that is not there any more, or says what is there.
    assert!(states.contains(&"committed") && states.contains(&"rejected"), "{ends:?}");
    let refused = ends.iter().find(|end| end["state"] == "rejected").expect("one");
    assert_eq!(refused["category"], "diff_apply_failed");
    let kept = place.write(|tx| {
        Ok(tx
            .query(
                "SELECT uid FROM amendments WHERE state = 'pending' AND target_id = 'arrival-declaration'",
                &[],
            )?
            .len())
    });
    assert_eq!(kept, 0, "nothing of it is shown");
}

fn what_is_taken_back_is_never_committed(server: &Server, place: &Place) {
    let (address, reply) = sent(server, "/api/drafts", &propose::draft("lost-keys"));
    let (number, head) = until("there is a pull request", || {
        place.write(|tx| {
            let found = becivic_server::db::pulls::in_state(tx, "open", 0, 100)?;
            Ok(found
                .into_iter()
                .find(|pull| pull.target_id == "lost-keys")
                .and_then(|pull| Some((pull.number, pull.head?))))
        })
    });
    let token = reply.json()["cancel_token"].as_str().expect("a token").to_owned();
    assert_eq!(server.delete(&address, &token).status, 200);
    assert_eq!(server.get(&address).status, 404);
    until("its branch is gone", || {
        repository(place).pointed(&format!("refs/pull/{number}/head")).is_none().then_some(())
    });
    until("nothing of it is in the repository", || (!repository(place).knows(&head)).then_some(()));
    assert_eq!(server.get("/api/skills/lost-keys").status, 404);
}
