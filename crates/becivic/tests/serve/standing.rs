//! What readers see of the state machine: cohorts and what is missing, sources that grew stale, flags and quarantine on every
//! surface at once, and every change of a status. The rows and sources are in `standing/rows.rs` and `standing/sources.rs`.

mod rows;
mod sources;

use crate::commit::{committed, quick, until};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, make, propose, root};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::db::others::{self, NewRating};
use becivic_server::moment::Moment;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

on_both_engines!(
    quick(),
    cases![
        a_cohort_says_what_is_missing,
        three_ratings_make_an_average,
        a_voted_down_concern_is_hidden,
        a_flag_on_a_stable_skill_is_a_banner,
        a_flagged_skill_is_away_everywhere_at_once,
        a_flagged_path_is_away_everywhere_at_once,
        a_quarantined_skill_points_to_what_was_stable,
        every_change_of_a_status_is_listed,
    ]
);

/// Today, as it is published.
fn today() -> Value {
    let now = Moment::read(&make::time(0)).expect("a time");
    json!(now.day().text())
}

/// A verdict; one on a source says how the walk ended.
fn ballot((target_type, target_id): (&str, &str), verdict: &str) -> Value {
    let mut vote = make::validation(target_type, target_id, verdict);
    if target_type == "path_source" {
        let class = if target_id.ends_with(":commune-desk") { "offline" } else { "federal-auth-handoff" };
        let outcome = if verdict == "confirm" { "success" } else { "failed" };
        vote["traversal_metadata"] = json!({"outcome": outcome, "source_class": class});
    }
    vote
}

fn vote(server: &Server, from: &str, target: (&str, &str), verdict: &str) {
    let reply = server.post_from(from, "/api/validations", &ballot(target, verdict));
    assert_eq!(reply.status, 201, "{reply:?}");
}

fn flag(server: &Server, from: &str, target: (&str, &str)) {
    let mut vote = ballot(target, "reject");
    vote["injection_flag"] = json!(true);
    vote["injection_reason"] = json!("It asks to run a command.");
    let reply = server.post_from(from, "/api/validations", &vote);
    assert_eq!(reply.status, 201, "{reply:?}");
}

/// Runs `becivic review` beside the server: its exit code and what it said.
fn review(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
    command.arg("review").args(arguments).arg("--data").arg(place.data(0));
    command.args(["--database", &place.url()]);
    command.env("BECIVIC_SERVER__PEPPER_FILE", place.folder().join("pepper.key"));
    let ended = command.output().expect("becivic runs");
    let said = [ended.stdout, ended.stderr].concat();
    (ended.status.code(), String::from_utf8_lossy(&said).into_owned())
}

fn a_cohort_says_what_is_missing(server: &Server, _: &Place) {
    let address = "/api/skills/legalise-foreign-document";
    let target = ("skill", "legalise-foreign-document");
    let before = server.get(address).json()["cohort"].clone();
    assert_eq!((&before["n"], &before["last_validation_at"]), (&json!(0), &Value::Null), "{before}");
    vote(server, "203.0.113.1", target, "confirm");
    vote(server, "203.0.113.2", target, "confirm");
    vote(server, "203.0.113.2", target, "reject");
    let reply = server.get(address);
    let cohort = reply.json()["cohort"].clone();
    for (name, expected) in [
        ("anchor", json!("legalise-foreign-document@0.1.2")),
        ("affirms", json!(2)),
        ("rejects", json!(1)),
        ("n", json!(3)),
        ("distinct_ips", json!(2)),
        ("injection_flags", json!(0)),
        ("confirms", json!(1)),
        ("rejecting", json!(1)),
        ("probe_confirms", json!(0)),
        ("probe_rejects", json!(0)),
        ("cohort_started_at", today()),
        ("last_validation_at", today()),
    ] {
        assert_eq!(cohort[name], expected, "{name}: {cohort}");
    }
    let standing = &cohort["standing"];
    assert_eq!((&standing["status"], &standing["rule"]), (&json!("alpha"), &json!("alpha_to_beta")));
    assert_eq!(standing["policy"], "1", "the defaults");
    // Begun today, and 48 hours are needed: at the latest when the day after tomorrow ends.
    let days = 24 * 60 * 60 * 1_000;
    let missing = json!([{"confirms": 2}, {"rejects": 1}, {"submitters": 2}, {"time": 3 * days}]);
    assert_eq!(standing["missing"], missing, "{standing}");
    let said = standing["explanation"].as_str().expect("words");
    let words = "alpha stays alpha: 2 more confirmations, 1 rejection stands against it, 2 more distinct submitters, 3 d";
    assert!(said.starts_with(words), "{said}");
    let numbers = &standing["numbers"];
    assert_eq!((&numbers["confirms"], &numbers["confirms_needed"]), (&json!(1), &json!(3)), "{numbers}");
    assert_eq!((&numbers["age_ms"], &numbers["age_ms_needed"]), (&json!(0), &json!(2 * days)), "{numbers}");
    assert_eq!(standing["next_look"], Value::Null, "time alone changes nothing");
    // Nothing in it moves with the clock, so it can be kept.
    assert_eq!(server.get(address).header("etag"), reply.header("etag"));
}

fn three_ratings_make_an_average(server: &Server, place: &Place) {
    let rate = |key: u8, version: &'static str, stars: i64| {
        place.write(move |tx| {
            let anchor = format!("meta-no-skill-fallback@{version}");
            let rating = NewRating {
                target_type: "skill",
                target_id: "meta-no-skill-fallback",
                stars,
                would_be_5_stars: None,
                cohort_anchor: Some(&anchor),
                day: Moment::read(&make::time(0)).expect("a time").day(),
            };
            others::insert_rating(tx, &[key; 32], &rating)
        });
    };
    let cohort = || server.get("/api/skills/meta-no-skill-fallback").json()["cohort"].clone();
    rate(1, "1.0.0", 5);
    rate(2, "1.0.0", 4);
    rate(3, "0.2.0", 1);
    assert_eq!(cohort().get("skill_quality_n"), None, "two of this line, and one of another");
    rate(4, "1.0.7", 4);
    let cohort = cohort();
    assert_eq!((&cohort["skill_quality_avg"], &cohort["skill_quality_n"]), (&json!(4.3), &json!(3)));
    assert_eq!(cohort["standing"]["rule"], "outside_the_machine");
}

fn a_voted_down_concern_is_hidden(server: &Server, place: &Place) {
    let uids: Vec<String> = (0..2)
        .map(|_| {
            place.write(|tx| {
                let concern = Concern {
                    target_type: "skill".to_owned(),
                    target_id: "legalise-foreign-document".to_owned(),
                    body: "The desk asked for two photographs.".to_owned(),
                    evidence_month: "2026-10".to_owned(),
                    ..Concern::default()
                };
                concerns::insert(tx, &concern)
            })
        })
        .collect();
    for number in 0..3 {
        vote(server, &format!("203.0.113.{}", 20 + number), ("observation", &uids[0]), "reject");
        vote(server, "203.0.113.30", ("observation", &uids[1]), "reject");
    }
    let hidden = |list: &Value| -> Vec<(String, Value, Value)> {
        let of = |uid: &String| {
            let item = list.as_array().expect("a list").iter().find(|item| item["uid"] == uid.as_str());
            let item = item.expect("it is there");
            (uid.clone(), item["net_score"].clone(), item["hidden"].clone())
        };
        uids.iter().map(of).collect()
    };
    let expected = [
        (uids[0].clone(), json!(-3), json!(true)),
        // One person, three times.
        (uids[1].clone(), json!(-3), json!(false)),
    ];
    let skill = "/api/skills/legalise-foreign-document";
    assert_eq!(hidden(&server.get(skill).json()["observations_block"]["groups"][0]["items"]), expected);
    for list in [format!("{skill}/concerns"), "/api/concerns?skill=legalise-foreign-document".to_owned()] {
        assert_eq!(hidden(&server.get(&list).json()["items"]), expected, "{list}");
    }
}

fn a_flag_on_a_stable_skill_is_a_banner(server: &Server, place: &Place) {
    let skill = || server.get("/api/skills/renew-residence-card").json();
    assert_eq!(skill()["flagged"], false);
    flag(server, "203.0.113.40", ("skill", "renew-residence-card"));
    let flagged = skill();
    assert_eq!((&flagged["flagged"], &flagged["status"]), (&json!(true), &json!("stable")), "{flagged}");
    assert!(flagged["body"].is_string() && flagged["frontmatter"].is_object(), "it is served");
    assert_eq!(flagged["cohort"]["injection_flags"], 1);
    let why = ["--why", "the command is the official one"];
    let (code, said) = review(place, &[&["reinstate", "skill:renew-residence-card"][..], &why].concat());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!((&skill()["flagged"], &skill()["cohort"]["injection_flags"]), (&json!(false), &json!(0)));
}

/// Every address that shows skills or paths.
fn surfaces(server: &Server, status: &str) -> Vec<Reply> {
    let addresses = [
        "/api/skills".to_owned(),
        format!("/api/skills?status={status}"),
        "/api/skill-graph?status=alpha,beta,stable,draft".to_owned(),
        "/api/paths".to_owned(),
        format!("/api/paths?status={status}"),
    ];
    addresses.iter().map(|address| server.get(address)).collect()
}

fn a_flagged_skill_is_away_everywhere_at_once(server: &Server, place: &Place) {
    let (id, address) = ("arrival-declaration", "/api/skills/arrival-declaration");
    let before = server.get(address);
    let text = before.json();
    let (body, summary) = (text["body"].as_str().expect("a body"), text["frontmatter"]["summary"].clone());
    let summary = summary.as_str().expect("a summary");
    let lists = surfaces(server, "alpha");
    assert!(lists[..3].iter().all(|list| list.text.contains(summary)), "it was there");
    flag(server, "203.0.113.41", ("skill", id));
    // Not at the next turn: the answer to the flag and this question are next to each other.
    let away = server.get(address);
    let skill = away.json();
    assert_eq!(skill["status"], "quarantined", "{skill}");
    assert_eq!((&skill["body"], &skill["frontmatter"]), (&Value::Null, &Value::Null), "{skill}");
    assert!(!away.text.contains(body.lines().last().expect("a line")) && !away.text.contains(summary));
    assert_ne!(before.header("etag"), away.header("etag"));
    assert_eq!(skill.get("previous_stable"), None, "it never was stable");
    let after = surfaces(server, "alpha");
    assert!(after.iter().all(|list| !list.text.contains(summary)), "{after:?}");
    for (old, new) in lists.iter().zip(&after).take(3) {
        assert_ne!(old.header("etag"), new.header("etag"));
    }
    let listed =
        after[0].json()["items"].as_array().expect("items").iter().find(|it| it["id"] == id).cloned();
    assert_eq!(listed.expect("its name stays")["status"], "quarantined");
    assert!(after[1..3].iter().all(|list| !list.text.contains(&format!("\"id\":\"{id}\""))), "{after:?}");
    // Its file follows; a maintainer brings it back.
    let (code, said) = until("it is brought back", || {
        let done = review(place, &["reinstate", "skill:arrival-declaration", "--why", "the official one"]);
        (done.0 == Some(0)).then_some(done)
    });
    assert_eq!(code, Some(0), "{said}");
    let back = until("it is served again", || {
        let skill = server.get(address).json();
        (skill["status"] == "alpha").then_some(skill)
    });
    assert_eq!(authored(&back), authored(&text));
}

fn a_flagged_path_is_away_everywhere_at_once(server: &Server, _: &Place) {
    let (id, address) = ("residence-certificate", "/api/paths/residence-certificate");
    let before = server.get(address);
    assert!(before.json()["sources"].is_array(), "{before:?}");
    let link = "irisbox";
    assert!(surfaces(server, "alpha")[3..].iter().all(|list| list.text.contains(link)), "it was there");
    // A flag on a source is a flag on its path.
    flag(server, "203.0.113.42", ("path_source", "residence-certificate:commune-desk"));
    let away = server.get(address);
    let path = away.json();
    let fields: Vec<&String> = path.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["id", "status", "cohort", "log"], "{path}");
    assert_eq!((&path["id"], &path["status"]), (&json!(id), &json!("quarantined")));
    assert_ne!(before.header("etag"), away.header("etag"));
    let after = surfaces(server, "alpha");
    assert!(after[3..].iter().all(|list| !list.text.contains(link)), "{after:?}");
    assert!(!after[4].text.contains(id) && server.get("/api/paths?status=quarantined").text.contains(id));
    assert_eq!(server.get("/api/paths?theme=residency-and-immigration").json()["items"], json!([]));
}

fn a_quarantined_skill_points_to_what_was_stable(server: &Server, _: &Place) {
    let address = "/api/skills/renew-residence-card";
    let stable = server.get(address).json();
    let added = "Bring a spare photograph.";
    let change = propose::line(server, "renew-residence-card", "## Process", &format!("\n{added}"));
    // A path that it requires is quarantined by now: that is not the change's fault.
    committed(server, "/api/amendments", &change);
    let amended = until("the change is served", || {
        let skill = server.get(address).json();
        (skill["status"] == "alpha").then_some(skill)
    });
    assert_eq!(amended.get("previous_stable"), None, "it is served itself");
    flag(server, "203.0.113.43", ("skill", "renew-residence-card"));
    let away = server.get(address);
    let skill = away.json();
    assert_eq!((&skill["status"], &skill["body"]), (&json!("quarantined"), &Value::Null), "{skill}");
    assert!(!away.text.contains(added), "{skill}");
    let commit = &amended["frontmatter"]["previous_stable_sha"];
    let before = &skill["previous_stable"];
    assert_eq!((&before["commit"], &before["version"]), (commit, &stable["version"]));
    assert_eq!(authored(before), authored(&stable));
}

/// What its author wrote: votes and flags show after that.
fn authored(skill: &Value) -> String {
    let body = skill["body"].as_str().expect("a text");
    body.split("## Community observations").next().expect("a part").to_owned()
}

fn every_change_of_a_status_is_listed(server: &Server, _: &Place) {
    let list = |query: &str| {
        let reply = server.get(&format!("/api/transitions{query}"));
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(reply.header("cache-control"), Some("public, max-age=60, s-maxage=60"));
        reply.json()
    };
    let everything = || list("?limit=200")["items"].as_array().expect("items").clone();
    let one_by_one = |most: usize| {
        let mut walked = Vec::new();
        let mut after = String::new();
        while walked.len() <= most {
            let page = list(&format!("?limit=1{after}"));
            walked.extend(page["items"].as_array().expect("items").clone());
            let Some(next) = page["next"].as_str() else { break };
            after = format!("&after={next}");
        }
        walked
    };
    // A flag counts at once, and the commit that writes it down comes when it comes: perhaps between two looks.
    let all = until("the list is the same in pages of one", || {
        let all = everything();
        (one_by_one(all.len()) == all).then_some(all)
    });
    let numbers: Vec<i64> = all.iter().filter_map(|it| it["number"].as_i64()).collect();
    assert!(numbers.len() >= 4 && numbers.windows(2).all(|pair| pair[0] > pair[1]), "{numbers:?}");
    let of_path = list("?target_type=path&target_id=residence-certificate")["items"].clone();
    let newest = &of_path[0];
    for (name, expected) in [
        ("target_type", json!("path")),
        ("target_id", json!("residence-certificate")),
        ("to", json!("quarantined")),
        ("to_version", json!("0.1.1")),
        ("at", today()),
    ] {
        assert_eq!(newest[name], expected, "{name}: {newest}");
    }
    let by_flag = of_path.as_array().expect("items").iter().find(|it| it["rule"] == "injection_flags");
    let by_flag = by_flag.unwrap_or_else(|| panic!("a rule: {of_path}"));
    assert_eq!((&by_flag["from"], &by_flag["from_version"]), (&json!("alpha"), &json!("0.1.1")));
    assert_eq!((&by_flag["numbers"]["flaggers"], &by_flag["policy"]), (&json!(1), &json!("1")));
    let by_person = list("?target_type=skill&target_id=arrival-declaration")["items"][0].clone();
    assert_eq!(
        (&by_person["rule"], &by_person["to"]),
        (&json!("maintainer"), &json!("alpha")),
        "{by_person}"
    );
    assert_eq!((&by_person["numbers"], &by_person["policy"]), (&json!({}), &Value::Null), "{by_person}");
    assert_eq!(by_person["commit"].as_str().map(str::len), Some(40), "{by_person}");
    assert_eq!(list("?target_type=skill&target_id=nothing")["items"], json!([]));
    for (query, pointer) in [
        ("?target_type=skill", "/target_id"),
        ("?target_id=arrival-declaration", "/target_type"),
        ("?target_type=nothing&target_id=x", "/target_type"),
        ("?after=x", "/after"),
        ("?limit=0", "/limit"),
    ] {
        let reply = server.get(&format!("/api/transitions{query}"));
        assert_eq!((reply.status, reply.error().as_str()), (400, "schema_fail"), "{query}");
        assert_eq!(reply.json()["schema_pointer"], pointer, "{query}");
    }
}

/// Whoever answers readers asks what is served; the corpus itself does not know of flags.
#[test]
fn no_answer_reads_the_corpus_past_the_flags() {
    let mut folders: Vec<PathBuf> = vec![root().join("crates/becivic-server/src/http")];
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = std::fs::read_to_string(&path).expect("a file");
                assert!(!text.contains(".live."), "{} reads the corpus itself", path.display());
                read += 1;
            }
        }
    }
    assert!(read > 20, "{read}");
}
