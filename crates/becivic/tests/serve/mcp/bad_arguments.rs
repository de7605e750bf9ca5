//! Arguments that are missing, unknown, of another kind, hostile or too long, in every tool that is listed: refused with a category
//! and a place, without a word of what was sent.

use super::{HEADERS, ask, call, listed, request, with_routes};
use crate::bad_input::MARKER;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup, make};
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        what_is_not_there,
        parameters_that_are_no_parameters,
        arguments_that_are_missing_or_unknown,
        arguments_of_another_kind,
        strings_that_mean_something_elsewhere,
        numbers_out_of_all_bounds,
        submissions_with_hostile_fields,
        arguments_that_are_too_long,
    ]
);

/// Strings that somebody else may read as something else.
fn hostile() -> Vec<String> {
    [
        "\0",
        "\u{202e}\u{2066}\u{200b}",
        "\u{feff}\u{fffe}\u{10ffff}",
        "{\"jsonrpc\": \"2.0\", \"method\": \"tools/call\"}",
        "'; DROP TABLE staged; --",
        "%' OR 1=1 --",
        "../../../etc/passwd",
        "%00%2e%2e%2f",
        "\r\nX-Injected: 1\r\n\r\n",
        "{{7*7}}${7*7}<script>alert(1)</script>",
        "__proto__",
    ]
    .into_iter()
    .map(|text| format!("{MARKER}{text}"))
    .chain([format!("{MARKER}{}", "𒐫".repeat(50_000)), format!("{MARKER}{}", "e\u{301}".repeat(50_000))])
    .collect()
}

/// The tools whose routes are served.
fn served(server: &Server) -> Vec<(String, Value, Value)> {
    let there = with_routes(server);
    let tools = listed(server).into_iter().filter_map(|(tool, example)| {
        let name = tool["name"].as_str().expect("a name").to_owned();
        there.iter().any(|(known, _)| *known == name).then(|| (name, tool["inputSchema"].clone(), example))
    });
    let tools: Vec<_> = tools.collect();
    assert!(tools.len() >= 15, "{} tools", tools.len());
    tools
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().expect("properties").iter()
}

/// What a property may be; one of a list of words is a string.
fn kinds_of(property: &Value) -> Vec<&str> {
    match &property["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        Value::String(kind) => vec![kind],
        _ if property["enum"][0].is_string() => vec!["string"],
        _ => Vec::new(),
    }
}

fn with(arguments: &Value, name: &str, value: Value) -> Value {
    let mut arguments = arguments.clone();
    arguments[name] = value;
    arguments
}

/// The category of a refusal that says what to do and repeats nothing.
fn category(tool: &str, refusal: &Value) -> String {
    assert!(!refusal.to_string().contains(MARKER), "{tool} repeats it: {refusal}");
    assert!(refusal["help"].is_string(), "{tool} says what to do: {refusal}");
    refusal["error"].as_str().unwrap_or_else(|| panic!("{tool}: {refusal}")).to_owned()
}

/// Refused by the protocol, not by a tool.
fn protocol_error(server: &Server, method: &str, params: &Value) -> i64 {
    let answer = ask(server, method, params);
    assert!(!answer.to_string().contains(MARKER), "{method} repeats it: {answer}");
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method} {params}: {answer}"))
}

fn what_is_not_there(server: &Server, _: &Place) {
    for name in hostile().into_iter().chain(["Read_Skill".to_owned()]) {
        assert_eq!(protocol_error(server, "tools/call", &json!({"name": name, "arguments": {}})), -32602);
        assert_eq!(protocol_error(server, "prompts/get", &json!({"name": name})), -32602);
        assert_eq!(protocol_error(server, "resources/read", &json!({"uri": name})), -32002);
        assert_eq!(protocol_error(server, "skills/get", &json!({"uri": name})), -32602);
        for uri in [format!("https://becivic.be/skills/{name}"), format!("skill://{name}/SKILL.md")] {
            assert_eq!(protocol_error(server, "resources/read", &json!({"uri": uri})), -32002);
        }
        assert_eq!(protocol_error(server, &format!("tools/{name}"), &json!({})), -32601);
        assert_eq!(protocol_error(server, "resources/list", &json!({"cursor": name})), -32602);
        let prompt = json!({"name": "walk-me-through", "arguments": {"skill_id": name}});
        assert_eq!(protocol_error(server, "prompts/get", &prompt), -32602);
        let typed = json!({"ref": {"type": "ref/prompt", "name": name}, "argument": {"name": "skill_id", "value": name}});
        let completed = ask(server, "completion/complete", &typed);
        assert!(completed["result"]["completion"]["values"].is_array(), "{completed}");
    }
    // Nothing but pages is a resource.
    for place in ["/metrics", "/readyz", "/review", "/api/skills", "/mcp", "/corpus.git/info/refs"] {
        let uri = format!("https://becivic.be{place}");
        assert_eq!(protocol_error(server, "resources/read", &json!({"uri": uri})), -32002, "{place}");
    }
    for uri in ["file:///etc/passwd", "http://127.0.0.1/skills/arrival-declaration", "skill://../SKILL.md"] {
        assert_eq!(protocol_error(server, "resources/read", &json!({"uri": uri})), -32002, "{uri}");
    }
}

fn parameters_that_are_no_parameters(server: &Server, _: &Place) {
    for params in [
        json!({}),
        json!({"name": 7}),
        json!({"name": ["read_skill"]}),
        json!({"name": "read_skill", "arguments": [MARKER]}),
        json!({"name": "read_skill", "arguments": MARKER}),
        json!({"name": "read_skill", "arguments": 7}),
    ] {
        assert_eq!(protocol_error(server, "tools/call", &params), -32602, "{params}");
    }
    for (method, params) in [
        ("resources/read", json!({"uri": 7})),
        ("prompts/get", json!({"name": null})),
        ("prompts/get", json!({"name": "walk-me-through", "arguments": MARKER})),
        ("prompts/get", json!({"name": "walk-me-through", "arguments": {"situation": 7}})),
        ("prompts/get", json!({"name": "walk-me-through", "arguments": {"situation": "x".repeat(501)}})),
        ("prompts/get", json!({"name": "walk-me-through", "arguments": {"language": MARKER}})),
        ("prompts/get", json!({"name": "file-a-validation"})),
        ("completion/complete", json!({"ref": MARKER})),
        ("skills/list", json!({"cursor": 7})),
        ("skills/get", json!({"uri": [MARKER]})),
        ("skills/get", json!({})),
    ] {
        assert_eq!(protocol_error(server, method, &params), -32602, "{method} {params}");
    }
}

fn arguments_that_are_missing_or_unknown(server: &Server, _: &Place) {
    for (tool, schema, example) in served(server) {
        for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let mut arguments = example.clone();
            arguments.as_object_mut().expect("an object").remove(required);
            for arguments in [arguments, with(&example, required, Value::Null)] {
                let refusal = call(server, &tool, &arguments).expect_err(&tool);
                assert_eq!(category(&tool, &refusal), "schema_fail", "{tool} without {required}");
                assert_eq!(refusal["missing"], required, "{tool}: {refusal}");
            }
        }
        let refusal = call(server, &tool, &with(&example, MARKER, json!(MARKER))).expect_err(&tool);
        assert_eq!(category(&tool, &refusal), "schema_fail", "{tool} with an unknown argument: {refusal}");
    }
}

fn arguments_of_another_kind(server: &Server, _: &Place) {
    let kinds = [
        ("string", json!(MARKER)),
        ("integer", json!(7)),
        ("number", json!(1.5)),
        ("boolean", json!(true)),
        ("array", json!([[MARKER]])),
        ("object", json!({MARKER: MARKER})),
    ];
    for (tool, schema, example) in served(server) {
        for (name, property) in properties(&schema) {
            let declared = kinds_of(property);
            assert!(!declared.is_empty(), "{tool} {name}: {property}");
            for (_, value) in kinds.iter().filter(|(kind, _)| !declared.contains(kind)) {
                let refusal = call(server, &tool, &with(&example, name, value.clone()));
                let refusal = refusal.expect_err(&format!("{tool} takes {value} as {name}"));
                assert_eq!(category(&tool, &refusal), "schema_fail", "{tool} {name} {value}: {refusal}");
                assert_eq!(refusal["schema_pointer"], format!("/{name}"), "{tool} {value}: {refusal}");
            }
        }
    }
}

fn strings_that_mean_something_elsewhere(server: &Server, _: &Place) {
    for (tool, schema, example) in served(server) {
        for (name, property) in properties(&schema) {
            let in_list = property["items"]["type"] == "string";
            for text in hostile() {
                let value = match kinds_of(property).as_slice() {
                    kinds if kinds.contains(&"string") => json!(text),
                    kinds if in_list && kinds.contains(&"array") => json!([text, text]),
                    _ => continue,
                };
                if let Err(refusal) = call(server, &tool, &with(&example, name, value)) {
                    let category = category(&tool, &refusal);
                    let known = ["schema_fail", "not_found", "unauthorized"].contains(&category.as_str());
                    assert!(
                        known,
                        "{tool} {name} {}: {refusal}",
                        text.escape_debug().take(60).collect::<String>()
                    );
                }
            }
        }
    }
}

fn numbers_out_of_all_bounds(server: &Server, _: &Place) {
    for (tool, schema, example) in served(server) {
        for (name, property) in properties(&schema) {
            if !kinds_of(property).iter().any(|kind| matches!(*kind, "integer" | "number")) {
                continue;
            }
            let most = property["maximum"].as_u64().unwrap_or_else(|| panic!("{tool} {name} has a maximum"));
            for number in
                [json!(0), json!(-1), json!(most + 1), json!(1_000_000_000), json!(1e300), json!(0.5)]
            {
                let refusal = call(server, &tool, &with(&example, name, number.clone()));
                let refusal = refusal.expect_err(&format!("{tool} takes {number} as {name}"));
                assert_eq!(category(&tool, &refusal), "schema_fail", "{tool} {name} {number}");
            }
        }
    }
}

/// Fields of a submission are held against the same rules as over HTTP; here, that nothing of them comes back or falls over.
fn submissions_with_hostile_fields(server: &Server, _: &Place) {
    for text in hostile() {
        let whole = make::concern("arrival-declaration", "The counter asked for two photographs.");
        for name in whole.as_object().expect("an object").keys() {
            let mut concern = whole.clone();
            concern["concern_id"] = make::id("con_").into();
            concern[name] = json!(text);
            let arguments = json!({"mode": "stage", "submission": concern});
            let refusal = call(server, "submit_concern", &arguments).expect_err(name);
            category("submit_concern", &refusal);
        }
        let mut concern = whole.clone();
        concern["content"]["body"] = json!(text);
        let arguments = json!({"mode": "validate", "submission": concern});
        if let Err(refusal) = call(server, "submit_concern", &arguments) {
            category("submit_concern", &refusal);
        }
        let item = make::item("concern", concern);
        let envelope = make::envelope("validate", vec![item, json!(text), json!({"type": text})]);
        let answer = call(server, "validate_submission", &json!({"envelope": envelope}));
        assert!(!format!("{answer:?}").contains(MARKER), "{answer:?}");
    }
}

fn arguments_that_are_too_long(server: &Server, _: &Place) {
    let arguments = json!({"skill_id": format!("{MARKER}{}", "x".repeat(5_000_000))});
    let body = request("tools/call", &json!({"name": "read_skill", "arguments": arguments})).to_string();
    let headers = [&HEADERS[..], &[("connection", "close")]].concat();
    // The server may close while this is still being sent: then there is no answer to look at.
    if let Some(reply) = server.try_send("POST", "/mcp", &headers, Some(body.as_bytes())) {
        assert_eq!(reply.status, 413, "{reply:?}");
        assert!(!reply.text.contains(MARKER));
    }
    // What just fits is read, and is no skill.
    let arguments = json!({"skill_id": format!("{MARKER}{}", "x".repeat(900_000))});
    let refusal = call(server, "read_skill", &arguments).expect_err("no skill");
    assert_eq!(category("read_skill", &refusal), "not_found");
}
