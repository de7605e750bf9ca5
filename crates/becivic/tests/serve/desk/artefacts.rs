//! Drafts and artefacts: what goes through a commit, and what is decided beside it.

use super::{Desk, log};
use crate::commit::{quick, reaches, sent, until};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, make, propose};
use becivic_server::db::{desk, flags};
use becivic_server::moment::Moment;
use serde_json::json;

on_both_engines!(
    quick(),
    cases![
        a_draft_is_previewed_merged_and_live,
        a_draft_of_a_path_is_merged,
        a_refused_draft_leaves_nothing,
        a_flag_is_dismissed_or_bogus,
        an_artefact_is_looked_at,
        a_skill_is_put_away_and_brought_back,
        a_path_is_put_away_and_brought_back,
        a_change_that_was_cut_off_leaves_no_pull_request,
    ]
);

/// A draft that waits in a pull request; its address and the number.
pub fn waiting(server: &Server, place: &Place, draft: &serde_json::Value) -> (String, i64) {
    let (address, _) = sent(server, "/api/drafts", draft);
    let id = draft["proposed_id"].as_str().expect("an id").to_owned();
    let number = until("the draft is a pull request", || {
        let id = id.clone();
        let pulls = place.write(|tx| desk::pulls(tx, 0, 100));
        pulls.into_iter().find(|pull| pull.target_id == id && pull.state == "open").map(|pull| pull.number)
    });
    (address, number)
}

/// What is served at an address: the database knows of a merge a moment before the corpus does.
pub fn live(server: &Server, address: &str) -> serde_json::Value {
    until(&format!("{address} is served"), || {
        let reply = server.get(address);
        (reply.status == 200).then(|| reply.json())
    })
}

fn a_draft_is_previewed_merged_and_live(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (address, number) = waiting(server, place, &propose::draft("bulky-waste-pickup"));
    let list = desk.get("/review/drafts").text;
    assert!(
        list.contains("bulky-waste-pickup") && list.contains(&format!("/review/drafts/{number}")),
        "{list}"
    );
    let page = desk.get(&format!("/review/drafts/{number}")).text;
    for part in [
        "<h2 id=\"preview\">Preview</h2>",
        "Required documents</h",
        "<b>Ref</b>",
        "skills/bulky-waste-pickup/canonical.md",
        "<td class=\"sign\">+</td>",
        "What the rules say",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(server.get("/api/skills/bulky-waste-pickup").status, 404);
    desk.does(&format!("/review/drafts/{number}"), &[("action", "merge"), ("why", "read it through")]);
    reaches(server, &address, "committed");
    let skill = live(server, "/api/skills/bulky-waste-pickup");
    assert_eq!((&skill["status"], &skill["version"]), (&json!("alpha"), &json!("0.1.0")), "{skill}");
    let lines = log(place, 1);
    assert_eq!(
        (lines[0].1.as_str(), lines[0].2.as_str()),
        ("merge", format!("pull request {number}").as_str())
    );
    let again = desk.post(&format!("/review/drafts/{number}"), &[("action", "merge"), ("why", "again")]);
    assert!(again.status == 409 && again.text.contains("merged already"), "{again:?}");
    assert_eq!(desk.get("/review/drafts/999999").status, 404);
    assert_eq!(desk.get("/review/drafts/x").status, 404);
}

fn a_draft_of_a_path_is_merged(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (address, number) = waiting(server, place, &propose::path_draft("nationality-certificate"));
    let page = desk.get(&format!("/review/drafts/{number}")).text;
    assert!(page.contains("paths/index.json") && page.contains("nationality-certificate"), "{page}");
    desk.does(&format!("/review/drafts/{number}"), &[("action", "merge"), ("why", "read it through")]);
    reaches(server, &address, "committed");
    assert_eq!(live(server, "/api/paths/nationality-certificate")["status"], "alpha");
}

fn a_refused_draft_leaves_nothing(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let draft =
        propose::draft_saying("unwanted-draft", "The zqxjkvwb is asked for [law-population-registers-1991].");
    let (address, number) = waiting(server, place, &draft);
    desk.does(
        &format!("/review/drafts/{number}"),
        &[("action", "reject"), ("why", "there is a skill for this")],
    );
    assert_eq!(server.get(&address).json(), json!({"state": "rejected", "category": "review_rejected"}));
    assert_eq!(server.post("/api/drafts", &draft).status, 200, "its sender learns what became of it");
    let rows = place.write(|tx| {
        let kept = "SELECT payload FROM staged UNION ALL SELECT payload FROM held UNION ALL SELECT content FROM drafts";
        Ok(tx.query(kept, &[])?.iter().filter(|row| row.text(0).is_ok_and(|it| it.contains("zqxjkvwb"))).count())
    });
    assert_eq!(rows, 0);
    until("it is closed on the forge", || {
        let pull = place.write(move |tx| desk::find_pull(tx, number)).expect("it is kept");
        (pull.state == "closed" && pull.outcome.as_deref() == Some("review_rejected")).then_some(())
    });
    let page = desk.get(&format!("/review/drafts/{number}"));
    assert!(page.status == 200 && !page.text.contains("zqxjkvwb"), "{page:?}");
    let again = desk.post(&format!("/review/drafts/{number}"), &[("action", "merge"), ("why", "after all")]);
    assert_eq!(again.status, 409, "{again:?}");
}

fn flag(server: &Server, place: &Place, from: &str, skill: &str) -> String {
    let mut vote = make::validation("skill", skill, "reject");
    vote["injection_flag"] = json!(true);
    vote["injection_reason"] = json!("It asks to <b>run</b> a command.");
    let reply = server.post_from(from, "/api/validations", &vote);
    assert_eq!(reply.status, 201, "{reply:?}");
    let items = place.write(|tx| becivic_server::db::flags::open(tx, "", 100));
    items.last().expect("an item").uid.clone()
}

fn a_flag_is_dismissed_or_bogus(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (skill, address) = ("renew-residence-card", "/review/artefacts/skill/renew-residence-card");
    let uid = flag(server, place, "203.0.113.50", skill);
    let list = desk.get("/review/flags").text;
    assert!(list.contains(&uid) && list.contains(address), "{list}");
    let page = desk.get(address).text;
    assert!(page.contains("It asks to &lt;b&gt;run&lt;/b&gt; a command."), "{page}");
    assert!(page.contains("The starter corpus"), "its history: {page}");
    let bogus_flags = || {
        place.write(|tx| {
            let row = tx.first("SELECT CAST(COALESCE(SUM(bogus_flags), 0) AS BIGINT) FROM sanctions", &[])?;
            row.map_or(Ok(0), |row| row.int(0))
        })
    };
    let tickets = || place.write(|tx| Ok(tx.query("SELECT ticket FROM sanction_tickets", &[])?.len()));
    assert_eq!((bogus_flags(), tickets()), (0, 1));
    desk.does(address, &[("action", "reinstate"), ("why", "the command is the official one")]);
    assert_eq!((bogus_flags(), tickets()), (0, 0), "said in good faith: whoever raised it is forgotten");
    assert!(desk.get(address).text.contains("dismissed"));
    let again = desk.post(address, &[("action", "reinstate"), ("why", "again")]);
    assert_eq!(again.status, 409, "{again:?}");
    flag(server, place, "203.0.113.51", skill);
    desk.does(address, &[("action", "reinstate"), ("bogus", "1"), ("why", "made up")]);
    assert_eq!((bogus_flags(), tickets()), (1, 0));
    assert_eq!(log(place, 1)[0].1, "reinstate-bogus");
    let hash = place.write(|tx| tx.first("SELECT sanction_hash FROM sanctions", &[])?.expect("one").bytes(0));
    let hash: [u8; 32] = hash.try_into().expect("a hash");
    assert_eq!(place.write(move |tx| flags::bogus_flags(tx, &hash)), 1);
}

fn an_artefact_is_looked_at(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let page = desk.get("/review/artefacts?target=skill%3Aarrival-declaration");
    assert!(page.status == 200 && page.text.contains("skill:arrival-declaration"), "{page:?}");
    for missing in ["skill%3Anothing", "nonsense", "", "skill%3A..%2Fx"] {
        assert_eq!(desk.get(&format!("/review/artefacts?target={missing}")).status, 404, "{missing}");
    }
    assert_eq!(desk.get("/review/artefacts/nothing/x").status, 404);
    let source = desk.post(
        "/review/artefacts/path_source/household-certificate:commune-desk",
        &[("action", "quarantine"), ("why", "x")],
    );
    assert!((404..=422).contains(&source.status), "{source:?}");
    // A concern is a row: it is taken away and brought back here and now.
    let (_, uid) = crate::states::committed(place);
    let shown = || server.get("/api/skills/arrival-declaration/concerns").text.contains(&uid);
    assert!(shown());
    let address = format!("/review/artefacts/observation/{uid}");
    desk.does(&address, &[("action", "quarantine"), ("why", "asks for a payment")]);
    assert!(!shown());
    desk.does(&address, &[("action", "reinstate"), ("why", "the payment is the fee")]);
    assert!(shown());
}

/// Waits until an artefact is served with this status; gives it back.
fn becomes(server: &Server, address: &str, status: &str) -> serde_json::Value {
    until(&format!("{address} is {status}"), || {
        let it = server.get(address).json();
        (it["status"] == status).then_some(it)
    })
}

fn a_skill_is_put_away_and_brought_back(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let skill = "/api/skills/renew-residence-card";
    let address = "/review/artefacts/skill/renew-residence-card";
    let version = server.get(skill).json()["version"].clone();
    let uid = flag(server, place, "203.0.113.60", "renew-residence-card");
    desk.does(address, &[("action", "quarantine"), ("why", "it asks for a payment elsewhere")]);
    let away = becomes(server, skill, "quarantined");
    assert_eq!(away["body"], serde_json::Value::Null, "{away}");
    let text =
        crate::commit::file(server, place, "skills/renew-residence-card/canonical.md").expect("a file");
    assert!(text.contains("\nstatus: quarantined\n"), "{text}");
    assert!(
        text.contains(&format!("\nversion: {}\n", version.as_str().expect("a version"))),
        "it is frozen: {text}"
    );
    let state = place.write(move |tx| becivic_server::db::flags::find(tx, &uid)).expect("the item").state;
    assert_eq!(state, "upheld");
    let (who, action, subject, _) = log(place, 1).remove(0);
    assert_eq!(
        (who.as_str(), action.as_str(), subject.as_str()),
        ("first", "quarantine", "skill:renew-residence-card")
    );
    let again = desk.post(address, &[("action", "quarantine"), ("why", "again")]);
    assert_eq!(again.status, 409, "{again:?}");
    let page = desk.get(address).text;
    assert!(page.contains("Make skill renew-residence-card quarantined"), "its history: {page}");
    desk.does(address, &[("action", "reinstate"), ("bogus", "1"), ("why", "the payment is the fee")]);
    let back = becomes(server, skill, "stable");
    assert!(back["body"].is_string(), "{back}");
    desk.does(address, &[("action", "deprecate"), ("why", "the card is gone")]);
    becomes(server, skill, "deprecated");
    // What the rules of the corpus say of it all.
    let commit = propose::commit(server);
    let findings = crate::commit::repository(place).files(&commit).map(|files| {
        let corpus = becivic_core::corpus::Corpus::from_inputs(files);
        becivic_core::rules::check(&corpus, &corpus.catalogue, None)
    });
    let broken: Vec<_> = findings
        .expect("the files")
        .into_iter()
        .filter(|it| it.severity == becivic_core::finding::Severity::Error)
        .collect();
    assert!(broken.is_empty(), "{broken:?}");
}

fn a_path_is_put_away_and_brought_back(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (path, address) =
        ("/api/paths/household-certificate", "/review/artefacts/path/household-certificate");
    let before = server.get(path).json()["status"].as_str().expect("a status").to_owned();
    desk.does(address, &[("action", "quarantine"), ("why", "the form leads elsewhere")]);
    becomes(server, path, "quarantined");
    desk.does(address, &[("action", "reinstate"), ("why", "the form is mended")]);
    becomes(server, path, &before);
}

fn a_change_that_was_cut_off_leaves_no_pull_request(_: &Server, place: &Place) {
    let number = place.write(|tx| {
        let target = ("skill", "arrival-declaration");
        becivic_server::db::pulls::open(tx, "status", None, target, "Make skill x deprecated", Moment(0))
    });
    until("it is given up", || {
        let pull = place.write(move |tx| desk::find_pull(tx, number)).expect("it is kept");
        (pull.state == "closed" && pull.outcome.as_deref() == Some("abandoned")).then_some(())
    });
}
