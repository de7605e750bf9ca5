//! The same marks through the MCP door: arguments, names, methods, what clients say of themselves, and what they notify of.

use super::speak::{Marks, silent};
use crate::harness::{Reply, Server, make};
use crate::mcp::{HEADERS, request};
use serde_json::{Value, json};

/// Sends marks in everything that an agent can say.
pub fn speak(server: &Server, marks: &mut Marks) {
    kept_and_taken_back(server, marks);
    refused(server, marks);
    said_in_passing(server, marks);
}

fn send(server: &Server, marks: &mut Marks, message: &Value) -> Reply {
    let [agent, session, query] = [(); 3].map(|()| marks.never());
    let more = [
        ("x-forwarded-for", marks.address()),
        ("user-agent", agent.as_str()),
        ("mcp-session-id", &session),
        ("mcp-name", &session),
        ("last-event-id", &session),
    ];
    let headers = [&HEADERS[..], &more].concat();
    server.send("POST", &format!("/mcp?note={query}"), &headers, Some(message.to_string().as_bytes()))
}

fn call(server: &Server, marks: &mut Marks, tool: &str, arguments: &Value) -> Value {
    let meta = json!({"progressToken": marks.never(), marks.never(): marks.never()});
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let reply = send(server, marks, &request("tools/call", &params));
    assert_eq!(reply.status, 200, "{reply:?}");
    // A token of progress is told with the progress.
    let answer = reply.text.lines().rev().find_map(|line| {
        let line = line.strip_prefix("data:").unwrap_or(line);
        serde_json::from_str::<Value>(line.trim()).ok()
    });
    let answer = answer.unwrap_or_else(|| panic!("{reply:?}"));
    silent(&Reply { text: answer.to_string(), ..reply }, tool);
    answer["result"].clone()
}

fn kept_and_taken_back(server: &Server, marks: &mut Marks) {
    let concern = make::concern("arrival-declaration", &format!("The counter said {} again.", marks.kept()));
    let sent = call(server, marks, "submit_concern", &json!({"mode": "stage", "submission": concern}));
    assert_eq!(sent["isError"], false, "{sent}");
    let rehearsed = make::concern("arrival-declaration", &format!("The counter said {}.", marks.never()));
    let sent = call(server, marks, "submit_concern", &json!({"submission": rehearsed}));
    assert_eq!(sent["isError"], false, "{sent}");
    let concern = make::concern("arrival-declaration", &format!("The counter said {} once.", marks.gone()));
    let id = concern["concern_id"].clone();
    let envelope =
        make::envelope("stage", vec![make::item("concern", concern), json!({"type": marks.never()})]);
    let sent = call(server, marks, "stage_submission", &json!({"envelope": envelope}));
    let token = sent["structuredContent"]["results"][0]["cancel_token"].clone();
    let wrong = json!({"id": id, "cancel_token": marks.never()});
    assert_eq!(call(server, marks, "cancel_submission", &wrong)["isError"], true);
    let gone = call(server, marks, "cancel_submission", &json!({"id": id, "cancel_token": token}));
    assert_eq!(gone["structuredContent"]["cancelled"], true, "{gone}");
}

fn refused(server: &Server, marks: &mut Marks) {
    let mark = marks.never();
    for (tool, arguments) in [
        ("read_skill", json!({"skill_id": mark})),
        ("read_skill", json!({"skill_id": "arrival-declaration", "section": mark})),
        ("read_skill", json!({"skill_id": "arrival-declaration", mark.as_str(): mark})),
        ("find_skill", json!({"query": [mark]})),
        ("get_skill_graph", json!({"status": [mark]})),
        ("get_path_directory", json!({"theme": mark, "after": mark, "limit": mark})),
        ("get_skill_observations", json!({"skill_id": mark, "status": mark})),
        ("get_submission_status", json!({"id": format!("con_{mark}")})),
        ("cancel_submission", json!({"id": mark, "cancel_token": mark})),
        ("submit_concern", json!({"mode": mark, "submission": {}})),
        ("submit_concern", json!({"submission": {mark.as_str(): mark}})),
        ("submit_feedback", json!({"submission": make::feedback(&format!("Write to {mark}@example.com."))})),
        ("validate_submission", json!({"envelope": {mark.as_str(): mark}})),
    ] {
        let result = call(server, marks, tool, &arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
    }
    for (method, params) in [
        ("tools/call", json!({"name": mark})),
        ("tools/call", json!({"name": "read_skill", "arguments": [mark]})),
        ("resources/read", json!({"uri": format!("https://becivic.be/skills/{mark}")})),
        ("resources/read", json!({"uri": format!("skill://{mark}/SKILL.md")})),
        ("resources/list", json!({"cursor": mark})),
        ("prompts/get", json!({"name": mark})),
        ("prompts/get", json!({"name": "file-a-validation", "arguments": {"skill_id": mark}})),
        ("skills/get", json!({"uri": mark})),
        (mark.as_str(), json!({mark.as_str(): mark})),
    ] {
        let reply = send(server, marks, &request(method, &params));
        silent(&reply, method);
        assert!(reply.json()["error"]["code"].is_i64(), "{method} {params}: {reply:?}");
    }
    for body in [format!("{{\"{mark}\": "), format!("\"{mark}\""), format!("[{{\"method\": \"{mark}\"}}]")] {
        let reply = server.send("POST", "/mcp", &HEADERS, Some(body.as_bytes()));
        silent(&reply, &body);
        assert_eq!(reply.status, 400, "{reply:?}");
    }
    for name in ["mcp-protocol-version", "origin", "accept", "content-type"] {
        let others = HEADERS.iter().filter(|(other, _)| *other != name).copied();
        // Refused unread: the connection is not used again.
        let headers: Vec<(&str, &str)> =
            others.chain([(name, mark.as_str()), ("connection", "close")]).collect();
        let reply = server.send("POST", "/mcp", &headers, Some(b"{}"));
        silent(&reply, name);
        assert!((400..500).contains(&reply.status), "{name} {reply:?}");
    }
}

/// What is answered with itself, or not at all.
fn said_in_passing(server: &Server, marks: &mut Marks) {
    let mark = marks.never();
    let client = json!({"name": mark, "title": mark, "version": mark});
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"experimental": {mark.as_str(): {}}, "extensions": {format!("{mark}/x"): {}}},
        "clientInfo": client,
    });
    assert_eq!(send(server, marks, &request("initialize", &hello)).status, 200);
    for (method, params) in [
        ("notifications/initialized", json!({"_meta": {mark.as_str(): mark}})),
        ("notifications/cancelled", json!({"requestId": mark, "reason": mark})),
        ("notifications/progress", json!({"progressToken": mark, "progress": 1, "message": mark})),
        (mark.as_str(), json!({mark.as_str(): mark})),
    ] {
        let notification = json!({"jsonrpc": "2.0", "method": method, "params": params});
        assert_eq!(send(server, marks, &notification).status, 202, "{method}");
    }
    assert_eq!(send(server, marks, &json!({"jsonrpc": "2.0", "id": mark, "method": "ping"})).status, 200);
    let unknown = json!({"jsonrpc": "2.0", "id": mark, "method": "nothing/there"});
    assert_eq!(send(server, marks, &unknown).json()["error"]["code"], -32601);
    for (method, params) in [
        ("prompts/get", json!({"name": "walk-me-through", "arguments": {"situation": mark}})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": mark}, "argument": {"name": "skill_id", "value": mark}}),
        ),
        (
            "resources/read",
            json!({"uri": format!("https://becivic.be/skills/arrival-declaration?{mark}#{mark}")}),
        ),
        ("skills/list", json!({"cursor": mark})),
        ("logging/setLevel", json!({"level": mark})),
        ("resources/subscribe", json!({"uri": mark})),
    ] {
        let reply = send(server, marks, &request(method, &params));
        assert_eq!(reply.status, 200, "{method} {reply:?}");
    }
}
