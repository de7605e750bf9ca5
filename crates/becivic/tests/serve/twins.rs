//! Both doors say the same: what a tool answers is what its twin over HTTP answers, for everything in the corpus; what a resource holds is
//! the page; and what is answered looks as it was promised.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup, make, root};
use serde_json::{Value, json};
use std::collections::BTreeMap;

on_both_engines!(
    Setup::default().unlimited(),
    cases![
        a_tool_reads_what_http_reads_of_every_skill,
        a_tool_finds_what_http_finds_for_every_question,
        a_tool_lists_what_http_lists,
        a_resource_is_the_page,
        a_form_is_the_same_through_both_doors,
        a_submission_is_judged_alike,
        a_submission_goes_there_and_back,
        answers_look_as_promised,
    ]
);

/// A request of the version before the current one: it says nothing but itself.
fn rpc(server: &Server, method: &str, params: &Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    let reply = server.send("POST", "/mcp", &headers, Some(message.to_string().as_bytes()));
    assert_eq!(reply.status, 200, "{method}: {reply:?}");
    let answer = reply.json();
    assert_eq!(answer["id"], 7);
    answer
}

/// What a tool answers: its data, which its text repeats; or its refusal.
fn call(server: &Server, name: &str, arguments: &Value) -> Result<Value, Value> {
    let answer = rpc(server, "tools/call", &json!({"name": name, "arguments": arguments}));
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{name}: {answer}"));
    let said: Value = serde_json::from_str(text).expect("JSON");
    if result["isError"] == true {
        assert!(result.get("structuredContent").is_none());
        return Err(said);
    }
    assert_eq!(result["structuredContent"], said, "{name}");
    Ok(said)
}

/// The same arguments as a query.
fn query(arguments: &Value) -> String {
    let encode = |text: &str| {
        let plain = |b: &u8| b.is_ascii_alphanumeric();
        text.bytes()
            .map(|b| if plain(&b) { char::from(b).to_string() } else { format!("%{b:02X}") })
            .collect::<String>()
    };
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    };
    let pairs = arguments.as_object().expect("an object").iter();
    pairs.map(|(name, value)| format!("{name}={}", encode(&text(value)))).collect::<Vec<_>>().join("&")
}

/// Asks both doors the same.
fn both(
    server: &Server,
    tool: &str,
    (path, part): (&str, Option<(&str, &str)>),
    arguments: &Value,
) -> Result<Value, Value> {
    let mut whole = arguments.clone();
    if let Some((name, id)) = part {
        whole[name] = json!(id);
    }
    let over_mcp = call(server, tool, &whole);
    let reply = server.get(&format!("{path}?{}", query(arguments)));
    let over_http = if reply.status == 200 { Ok(reply.json()) } else { Err(reply.json()) };
    assert_eq!(over_mcp, over_http, "{tool} {whole}");
    over_mcp
}

/// Every id of a list.
fn ids(server: &Server, path: &str) -> Vec<String> {
    let items = server.get(&format!("{path}?limit=200")).json();
    items["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|it| it["id"].as_str().expect("an id").to_owned())
        .collect()
}

fn a_tool_reads_what_http_reads_of_every_skill(server: &Server, _: &Place) {
    let skills = ids(server, "/api/skills");
    assert!(skills.len() > 10);
    for id in &skills {
        let text = format!("/api/skills/{id}/text");
        let text = text.as_str();
        let here = |path| (path, Some(("skill_id", id.as_str())));
        for format in ["markdown", "json", "source"] {
            let whole =
                both(server, "read_skill", here(text), &json!({"format": format, "token_budget": 100_000}))
                    .expect("read");
            assert_eq!(whole["next"], Value::Null);
            let page = match format {
                "markdown" => server.get(&format!("/skills/{id}.md")).text,
                "source" => server.get(&format!("/skills/{id}/source.md")).text,
                _ => server.get(&format!("/api/skills/{id}")).json()["body"]
                    .as_str()
                    .expect("a body")
                    .to_owned(),
            };
            let read = if format == "json" { &whole["skill"]["body"] } else { &whole["text"] };
            assert_eq!(read.as_str(), Some(page.as_str()), "{id} {format}");
            // In pieces it is the same text.
            let (mut pieces, mut after, mut rounds) = (String::new(), Value::Null, 0);
            loop {
                let mut arguments = json!({"format": format, "token_budget": 700});
                if after.is_string() {
                    arguments["after"] = after.clone();
                }
                let piece = both(server, "read_skill", here(text), &arguments).expect("read");
                let read = if format == "json" { &piece["skill"]["body"] } else { &piece["text"] };
                pieces.push_str(read.as_str().expect("a text"));
                assert!(piece["tokens"].as_u64().expect("a count") <= 700);
                assert!(format != "json" || piece["skill"].to_string().len() <= 700 * 4, "{id}: {piece}");
                after = piece["next"].clone();
                rounds += 1;
                if after.is_null() {
                    break;
                }
                assert!(rounds < 200);
            }
            assert_eq!(pieces, page, "{id} {format}");
        }
        let sections = both(server, "read_skill", here(text), &json!({})).expect("read");
        for section in sections["sections"].as_array().expect("sections") {
            let one =
                both(server, "read_skill", here(text), &json!({"section": section["id"]})).expect("read");
            assert!(
                one["text"].as_str().expect("a text").contains(section["title"].as_str().expect("a title"))
            );
        }
        let observed = format!("/api/skills/{id}/observations");
        let said = both(server, "get_skill_observations", here(observed.as_str()), &json!({"limit": 5}))
            .expect("read");
        assert!(said["notice"].as_str().expect("a notice").contains("strangers"));
    }
    let nowhere = ("/api/skills/no-such-skill/text", Some(("skill_id", "no-such-skill")));
    assert_eq!(both(server, "read_skill", nowhere, &json!({})).expect_err("none")["error"], "not_found");
    let here = ("/api/skills/change-of-address/text", Some(("skill_id", "change-of-address")));
    for (arguments, pointer) in [
        (json!({"token_budget": 0}), "/token_budget"),
        (json!({"token_budget": 1_000_000_000}), "/token_budget"),
        (json!({"section": "no-such-section"}), "/section"),
        (json!({"after": "gibberish"}), "/after"),
        (json!({"version": "HEAD"}), "/version"),
        (json!({"version": "9.9.9"}), "/version"),
        (json!({"format": "pdf"}), "/format"),
    ] {
        let refused = both(server, "read_skill", here, &arguments).expect_err("refused");
        assert_eq!((&refused["error"], &refused["schema_pointer"]), (&json!("schema_fail"), &json!(pointer)));
        assert!(refused["help"].is_string(), "{refused}");
    }
    // An older version, by its commit.
    let history = server.get("/api/skills/change-of-address/history").json();
    let commit = history["items"][0]["commit"].as_str().expect("a commit").to_owned();
    for format in ["markdown", "json", "source"] {
        let old =
            both(server, "read_skill", here, &json!({"format": format, "version": commit})).expect("read");
        assert_eq!(old["commit"].as_str(), Some(commit.as_str()));
    }
    // Or by its number, as answers carry it.
    let now = server.get("/api/skills/change-of-address").json()["version"].clone();
    let same = both(server, "read_skill", here, &json!({"version": now})).expect("read");
    assert_eq!(same["text"], both(server, "read_skill", here, &json!({})).expect("read")["text"]);
    let never = "0".repeat(40);
    assert_eq!(
        both(server, "read_skill", here, &json!({"version": never})).expect_err("none")["error"],
        "not_found"
    );
}

fn a_tool_finds_what_http_finds_for_every_question(server: &Server, _: &Place) {
    let questions =
        std::fs::read_to_string(root().join("fixtures/search/queries.json")).expect("the queries");
    let questions: Value = serde_json::from_str(&questions).expect("JSON");
    let questions = questions.as_array().expect("a list");
    assert!(questions.len() >= 120);
    for question in questions {
        let asked = json!({"query": question["query"], "language": question["language"]});
        let found = both(server, "find_skill", ("/api/find-skill", None), &asked).expect("found");
        assert!(!found["items"].as_array().expect("items").is_empty(), "{question}");
        let asked = json!({"query": question["query"], "limit": 10});
        both(server, "search_corpus", ("/api/search", None), &asked).expect("found");
    }
    let nothing =
        call(server, "find_skill", &json!({"query": "waffle recipe with chocolate"})).expect("an answer");
    assert_eq!(
        (&nothing["nothing_fits"], &nothing["items"][0]["id"]),
        (&json!(true), &json!("meta-no-skill-fallback"))
    );
    let narrow =
        json!({"query": "nationality", "applies_to": ["nationality"], "status": ["alpha"], "limit": 1});
    let found = both(server, "find_skill", ("/api/find-skill", None), &narrow).expect("found");
    assert_eq!(found["items"].as_array().map(Vec::len), Some(1));
    let rows = json!({"query": "fee", "types": ["value"], "limit": 3});
    let rows = both(server, "search_corpus", ("/api/search", None), &rows).expect("found");
    for row in rows["items"].as_array().expect("items") {
        assert_eq!(row["type"], "value");
        assert!(row.get("value").is_some(), "{row}");
    }
    let small = json!({"query": "change of address", "limit": 50, "token_budget": 100});
    assert_eq!(call(server, "find_skill", &small).expect("found")["items"].as_array().map(Vec::len), Some(1));
    let long = json!({"query": "x".repeat(100_000)});
    assert_eq!(call(server, "find_skill", &long).expect_err("no question")["schema_pointer"], "/query");
    let refused = call(server, "find_skill", &json!({})).expect_err("nothing asked");
    assert_eq!((&refused["error"], &refused["missing"]), (&json!("schema_fail"), &json!("query")));
}

fn a_tool_lists_what_http_lists(server: &Server, _: &Place) {
    for arguments in [
        json!({}),
        json!({"status": ["alpha", "beta", "stable"]}),
        json!({"applies_to": ["nationality", "family"], "status": ["alpha"], "customer_locale": "FR"}),
    ] {
        for name in ["get_skill_graph", "get_graph"] {
            both(server, name, ("/api/skill-graph", None), &arguments).expect("a graph");
        }
    }
    let mut after = Value::Null;
    let mut seen = 0;
    loop {
        let mut arguments = json!({"limit": 3});
        if after.is_string() {
            arguments["after"] = after.clone();
        }
        let page = both(server, "get_path_directory", ("/api/paths", None), &arguments).expect("a page");
        seen += page["items"].as_array().map_or(0, Vec::len);
        after = page["next"].clone();
        if after.is_null() {
            break;
        }
    }
    assert_eq!(seen, ids(server, "/api/paths").len());
}

fn a_resource_is_the_page(server: &Server, _: &Place) {
    let (mut cursor, mut uris) = (Value::Null, Vec::new());
    loop {
        let params = if cursor.is_string() { json!({"cursor": cursor}) } else { json!({}) };
        let page = rpc(server, "resources/list", &params);
        let listed = page["result"]["resources"].as_array().expect("resources");
        uris.extend(listed.iter().map(|it| it["uri"].as_str().expect("a uri").to_owned()));
        cursor = page["result"]["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    for id in ids(server, "/api/skills") {
        assert!(uris.contains(&format!("https://becivic.be/skills/{id}")));
    }
    for uri in &uris {
        let answer = rpc(server, "resources/read", &json!({"uri": uri}));
        let read =
            answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{uri}: {answer}"));
        let place = uri.strip_prefix("https://becivic.be").expect("ours");
        let page = server.send("GET", place, &[("accept", "text/markdown")], None);
        assert_eq!((page.status, page.text.as_str()), (200, read), "{uri}");
    }
    for uri in [
        "https://becivic.be/skills/no-such",
        "https://elsewhere.example/",
        "file:///etc/passwd",
        "skill://no-such/SKILL.md",
        "https://becivic.be/ \u{0}",
        "",
    ] {
        let answer = rpc(server, "resources/read", &json!({"uri": uri}));
        assert!(answer["error"]["code"].is_i64(), "{uri}: {answer}");
    }
}

fn a_form_is_the_same_through_both_doors(server: &Server, _: &Place) {
    for (at, id) in ids(server, "/api/skills").iter().enumerate() {
        let locale = ["en", "fr", "nl", "de"][at % 4];
        let asked = json!({"skill_id": id, "locale": locale, "mode": "first_contact"});
        let over_http = server.post("/api/onboarding-form", &asked);
        let over_mcp = call(server, "get_onboarding_form", &asked);
        assert_eq!((over_http.status, over_mcp), (200, Ok(over_http.json())), "{id}");
        let page = server.post("/api/onboarding-form?format=html", &asked).text;
        let mut asked = asked;
        asked["format"] = json!("html");
        let answer = rpc(server, "tools/call", &json!({"name": "get_onboarding_form", "arguments": asked}));
        let beside = &answer["result"]["content"][1]["resource"];
        assert_eq!(
            (&beside["mimeType"], beside["text"].as_str()),
            (&json!("text/html"), Some(page.as_str())),
            "{id}"
        );
    }
    for (asked, pointer) in [
        (json!({"locale": "it"}), "/locale"),
        (json!({"profile_snapshot": {"region": "Atlantis"}}), "/profile_snapshot"),
        (json!({"format": "pdf"}), "/format"),
    ] {
        let refused = call(server, "get_onboarding_form", &asked).expect_err("refused");
        let at = refused["schema_pointer"].as_str().unwrap_or_default();
        assert!(refused["error"] == "schema_fail" && at.starts_with(pointer), "{refused}");
        assert!(!refused.to_string().contains("Atlantis"), "{refused}");
    }
}

fn a_submission_is_judged_alike(server: &Server, _: &Place) {
    for folder in ["concerns", "validations", "drafts", "feedback_channel", "ratings", "amendments"] {
        let tool = match folder {
            "concerns" => "submit_concern",
            "validations" => "submit_validation",
            "drafts" => "submit_draft",
            "feedback_channel" => "submit_feedback",
            "ratings" => "submit_rating",
            _ => "submit_amendment",
        };
        let mut files = Vec::new();
        gather(&root().join("fixtures").join(folder), &mut files);
        assert!(!files.is_empty(), "{folder}");
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a fixture");
            let Ok(submission @ Value::Object(_)) = serde_json::from_str::<Value>(&text) else { continue };
            let over_http = server.post(&format!("/api/{}?dry_run=1", folder.replace('_', "-")), &submission);
            let over_mcp = call(server, tool, &json!({"submission": submission}));
            let (over_mcp, over_http) = match (over_mcp, over_http.status) {
                (Ok(accepted), 200) => (accepted["status"].clone(), over_http.json()["status"].clone()),
                (Err(refused), 400..) => (refused, over_http.json()),
                (other, status) => panic!("{}: {other:?} and {status}", file.display()),
            };
            assert_eq!(over_mcp, over_http, "{}", file.display());
        }
    }
}

fn gather(folder: &std::path::Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            gather(&path, files);
        } else if path.extension().is_some_and(|it| it == "json") {
            files.push(path);
        }
    }
}

fn a_submission_goes_there_and_back(server: &Server, _: &Place) {
    let concern = make::concern("change-of-address", "The desk asked for the lease as well.");
    let id = concern["concern_id"].as_str().expect("an id").to_owned();
    let tried = call(server, "submit_concern", &json!({"submission": concern})).expect("validated");
    assert_eq!(tried["status"], "validated");
    let status = |server: &Server| call(server, "get_submission_status", &json!({"id": id}));
    assert_eq!(status(server).expect_err("not there yet")["error"], "not_found");
    let staged =
        call(server, "submit_concern", &json!({"mode": "stage", "submission": concern})).expect("staged");
    assert_eq!(staged["concern_id"].as_str(), Some(id.as_str()));
    let now = status(server).expect("there");
    assert_eq!(now, server.get(&format!("/api/concerns/{id}")).json());
    assert_eq!(now["state"], "staged");
    let wrong = call(server, "cancel_submission", &json!({"id": id, "cancel_token": "no"}))
        .expect_err("not the token");
    assert_eq!(wrong["error"], "unauthorized");
    let token = staged["cancel_token"].clone();
    let back =
        call(server, "cancel_submission", &json!({"id": id, "cancel_token": token})).expect("taken back");
    assert_eq!(back["cancelled"], true);
    assert_eq!(status(server).expect_err("gone")["error"], "not_found");
    // The same in an envelope, whose mode is the tool's whatever it says itself.
    let envelope = |body: &str| {
        let item = make::item("concern", make::concern("change-of-address", body));
        make::envelope("stage", vec![item])
    };
    let tried =
        call(server, "validate_submission", &json!({"envelope": envelope("A report of an envelope.")}))
            .expect("validated");
    assert_eq!(tried["results"][0]["status"], "validated", "{tried}");
    let staged =
        call(server, "stage_submission", &json!({"envelope": envelope("Another report.")})).expect("staged");
    assert_eq!(staged["results"][0]["status"], "staged", "{staged}");
    let mut rehearsed = envelope("A report that was only tried.");
    rehearsed["mode"] = json!("validate");
    let refused =
        call(server, "stage_submission", &json!({"envelope": rehearsed})).expect_err("a contradiction");
    assert_eq!(refused["schema_pointer"], "/envelope/mode");
}

fn answers_look_as_promised(server: &Server, _: &Place) {
    let listed = rpc(server, "tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    let mut shapes = BTreeMap::new();
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name").to_owned();
        assert!(tool["title"].is_string() && tool["annotations"]["readOnlyHint"].is_boolean(), "{name}");
        let shape = tool.get("outputSchema").unwrap_or_else(|| panic!("{name} promises nothing"));
        let valid = jsonschema::options().build(shape).unwrap_or_else(|why| panic!("{name}: {why}"));
        jsonschema::options().build(&tool["inputSchema"]).unwrap_or_else(|why| panic!("{name}: {why}"));
        shapes.insert(name, valid);
    }
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        let about = tool["description"].as_str().expect("a description");
        let example = about.split_once("Example: ").map(|(_, example)| example).expect("an example");
        let arguments: Value = serde_json::from_str(example).unwrap_or_else(|why| panic!("{name}: {why}"));
        let takes = jsonschema::options().build(&tool["inputSchema"]).expect("a schema");
        let wrong =
            takes.iter_errors(&arguments).next().map(|why| format!("{why} at {}", why.instance_path()));
        assert_eq!(wrong, None, "{name}");
        assert!(arguments.as_object().is_some_and(|given| !given.is_empty()), "{name}");
        let sends = name.starts_with("submit_") || name.ends_with("_submission");
        match call(server, name, &arguments) {
            Ok(answer) => {
                let wrong = shapes[name]
                    .iter_errors(&answer)
                    .next()
                    .map(|why| format!("{why} at {}", why.instance_path()));
                assert_eq!(wrong, None, "{name}");
            }
            Err(refused) => {
                assert!(sends || name == "get_submission_status", "{name}: {refused}");
                assert!(refused["error"].is_string() && refused.get("help").is_some(), "{name}: {refused}");
            }
        }
    }
    // Sent today, an example would be accepted.
    for tool in tools.iter().filter(|tool| tool["name"].as_str().is_some_and(rehearses)) {
        let name = tool["name"].as_str().expect("a name");
        let (_, example) =
            tool["description"].as_str().and_then(|it| it.split_once("Example: ")).expect("an example");
        let mut arguments: Value = serde_json::from_str(example).expect("JSON");
        let sent = if arguments.get("envelope").is_some() { "envelope" } else { "submission" };
        arguments[sent]["submitted_at"] = json!(make::time(0));
        let answer = call(server, name, &arguments).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        let results = answer["results"].as_array().cloned().unwrap_or_else(|| vec![answer.clone()]);
        assert!(results.iter().all(|result| result["status"] == "validated"), "{name}: {answer}");
    }
    let concern = make::concern("change-of-address", "A report to look at.");
    for mode in ["validate", "stage"] {
        let answer =
            call(server, "submit_concern", &json!({"mode": mode, "submission": concern})).expect("accepted");
        assert!(shapes["submit_concern"].is_valid(&answer), "{answer}");
    }
}

/// Whether the example of a tool only asks what would come of it.
fn rehearses(tool: &str) -> bool {
    tool.starts_with("submit_") || tool == "validate_submission"
}
