//! What is left out of an answer, and what left it out: filters, budgets, and what completes an argument.

use super::{ask, call};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup};
use serde_json::{Value, json};

on_both_engines!(
    Setup::default().unlimited(),
    cases![
        a_filter_that_leaves_nothing_says_so,
        a_category_that_is_none_is_refused_with_those_there_are,
        what_a_budget_leaves_out_is_counted,
        a_skill_as_data_keeps_to_its_budget,
        the_directory_has_one_path_or_as_many_as_fit,
        names_are_completed_by_what_they_hold,
    ]
);

fn count(value: &Value) -> usize {
    value.as_array().expect("a list").len()
}

fn a_filter_that_leaves_nothing_says_so(server: &Server, _: &Place) {
    for (tool, filter) in [
        ("find_skill", json!({"status": ["deprecated"]})),
        ("find_skill", json!({"applies_to": ["taxation"]})),
        ("find_skill", json!({"category": "belgium-german-speaking-community"})),
        ("search_corpus", json!({"types": ["value"], "status": ["deprecated"]})),
    ] {
        let mut asked = filter.clone();
        asked["query"] = json!("change of address");
        let answer = call(server, tool, &asked).expect("an answer");
        assert_eq!(
            (count(&answer["items"]), &answer["nothing_fits"]),
            (0, &json!(false)),
            "{filter}: {answer}"
        );
        assert!(
            answer["filtered_out"].as_u64() > Some(0) && answer["help"].is_string(),
            "{filter}: {answer}"
        );
        // Where nothing fits without it either, it is not the filter.
        asked["query"] = json!("recipe for waffles");
        let answer = call(server, tool, &asked).expect("an answer");
        assert_eq!((&answer["nothing_fits"], answer.get("filtered_out")), (&json!(true), None), "{filter}");
    }
}

fn a_category_that_is_none_is_refused_with_those_there_are(server: &Server, _: &Place) {
    let refused =
        call(server, "find_skill", &json!({"query": "move", "category": "no-such"})).expect_err("none");
    assert_eq!((&refused["error"], &refused["schema_pointer"]), (&json!("schema_fail"), &json!("/category")));
    assert!(
        refused["help"].as_str().is_some_and(|help| help.contains("belgium-federal-civil-status")),
        "{refused}"
    );
    assert_eq!(server.get("/api/find-skill?query=move&category=no-such").json(), refused);
    let refused =
        call(server, "find_skill", &json!({"query": "move", "status": ["no-such"]})).expect_err("none");
    assert!(refused["help"].as_str().is_some_and(|help| help.contains("alpha, beta, stable")), "{refused}");
}

fn what_a_budget_leaves_out_is_counted(server: &Server, _: &Place) {
    for tool in ["find_skill", "search_corpus"] {
        let asked = |budget: u64| {
            let asked = json!({"query": "birth certificate", "limit": 50, "token_budget": budget});
            call(server, tool, &asked).expect("an answer")
        };
        let all = asked(100_000);
        assert_eq!(all["left_out"], 0);
        let found = count(&all["items"]);
        assert!(found > 2, "{all}");
        for budget in [100, 400, 1_000] {
            let some = asked(budget);
            assert_eq!(json!(found - count(&some["items"])), some["left_out"], "{tool} {budget}");
        }
        assert_eq!(count(&asked(100)["items"]), 1);
    }
}

fn a_skill_as_data_keeps_to_its_budget(server: &Server, _: &Place) {
    for budget in [100, 500, 2_000, 20_000] {
        let asked = json!({"skill_id": "nationality-application", "format": "json", "token_budget": budget});
        let answer = call(server, "read_skill", &asked).expect("read");
        let cost = answer["skill"].to_string().len().div_ceil(4);
        assert!(cost <= budget, "{cost} of {budget}");
        assert_eq!(answer["tokens"], json!(cost));
        assert!(!answer["skill"]["body"].as_str().expect("a body").is_empty());
        let left_out = count(&answer["fields_left_out"]);
        assert_eq!(left_out == 0, budget == 20_000, "{budget}: {}", answer["fields_left_out"]);
    }
}

fn the_directory_has_one_path_or_as_many_as_fit(server: &Server, _: &Place) {
    let one = call(server, "get_path_directory", &json!({"path_id": "birth-certificate"})).expect("a path");
    assert_eq!((count(&one["items"]), &one["items"][0]["id"]), (1, &json!("birth-certificate")));
    assert_eq!(one["items"][0], server.get("/api/paths/birth-certificate").json());
    let refused = call(server, "get_path_directory", &json!({"path_id": "no-such"})).expect_err("none");
    assert_eq!(refused["error"], "not_found");
    assert_eq!(refused, server.get("/api/paths?path_id=no-such").json());
    let all = server.get("/api/paths?limit=200").json();
    let (mut seen, mut after) = (Vec::new(), Value::Null);
    while seen.len() < count(&all["items"]) {
        let mut asked = json!({"limit": 50, "token_budget": 9_000});
        if after.is_string() {
            asked["after"] = after;
        }
        let page = call(server, "get_path_directory", &asked).expect("a page");
        let items = page["items"].as_array().expect("items").clone();
        assert!(items.len() == 1 || page["items"].to_string().len() <= 9_000 * 4 + 100);
        assert!(!items.is_empty());
        seen.extend(items);
        after = page["next"].clone();
        if after.is_null() {
            break;
        }
    }
    assert_eq!(json!(seen), all["items"]);
}

fn names_are_completed_by_what_they_hold(server: &Server, _: &Place) {
    let completed = |address: &str, argument: &str, typed: &str| -> Vec<String> {
        let reference = json!({"type": "ref/resource", "uri": format!("https://becivic.be{address}")});
        let params = json!({"ref": reference, "argument": {"name": argument, "value": typed}});
        let answer = ask(server, "completion/complete", &params);
        let values =
            answer["result"]["completion"]["values"].as_array().unwrap_or_else(|| panic!("{answer}"));
        values.iter().map(|it| it.as_str().expect("a text").to_owned()).collect()
    };
    for (address, argument, typed, expected) in [
        ("/values/{name}", "name", "diplomatie-leg", "diplomatie-legalisation-fee-eur"),
        ("/values/{name}", "name", "legalisation-fee", "diplomatie-legalisation-fee-eur"),
        ("/references/{name}", "name", "digital-keys", "bosa-digital-keys"),
        ("/skills/{id}", "id", "Address", "change-of-address"),
        ("/paths/{id}", "id", "desk", "commune-desk"),
    ] {
        let values = completed(address, argument, typed);
        assert!(values.iter().any(|value| value == expected), "{address} {typed}: {values:?}");
        assert!(values.iter().all(|value| value.contains(&typed.to_lowercase())), "{values:?}");
    }
    assert!(completed("/values/{name}", "name", "no such name").is_empty());
    assert_eq!(completed("/paths/{id}", "id", "birth")[0], "birth-certificate");
}
