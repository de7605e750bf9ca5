//! `/openapi.json` is sound OpenAPI 3.1: whatever it refers to is there, and every operation can be called by its name.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup};
use serde_json::Value;
use std::collections::BTreeSet;

on_both_engines!(
    Setup::fixtures(),
    cases![the_document_is_sound, every_reference_resolves, the_page_lists_every_route]
);

fn document(server: &Server) -> Value {
    server.get("/openapi.json").json()
}

/// Path, method and operation of everything that can be asked.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let all = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods");
        methods.iter().map(|(method, it)| (path.clone(), method.clone(), it.clone())).collect::<Vec<_>>()
    });
    all.collect()
}

fn the_document_is_sound(server: &Server, _: &Place) {
    let document = document(server);
    assert_eq!(document["openapi"], "3.1.0");
    for name in ["title", "version"] {
        assert!(document["info"][name].as_str().is_some_and(|text| !text.is_empty()), "{name}");
    }
    let mut names = BTreeSet::new();
    for (path, method, operation) in operations(&document) {
        assert!(["get", "post", "patch", "delete"].contains(&method.as_str()), "{method}");
        let name = operation["operationId"].as_str().expect("a name").to_owned();
        assert!(names.insert(name.clone()), "{name} stands twice");
        let mut in_path: BTreeSet<&str> =
            path.split('/').filter_map(|it| it.strip_prefix('{')?.strip_suffix('}')).collect();
        let mut seen = BTreeSet::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            assert!(
                seen.insert((name.to_owned(), parameter["in"].clone().to_string())),
                "{name} stands twice in {path}"
            );
            assert!(parameter["schema"].is_object(), "{name} of {path}");
            match parameter["in"].as_str() {
                Some("path") => {
                    assert!(in_path.remove(name) && parameter["required"] == true, "{name} of {path}")
                }
                Some("query") => {}
                other => panic!("{other:?} of {path}"),
            }
        }
        assert!(in_path.is_empty(), "{path} does not describe {in_path:?}");
        let responses = operation["responses"].as_object().expect("responses");
        for (status, response) in responses {
            assert!(status.parse::<u16>().is_ok_and(|status| (200..600).contains(&status)), "{status}");
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{path} {status}");
        }
        assert!(responses.keys().any(|status| status.starts_with('2')), "{method} {path}");
        for requirement in operation["security"].as_array().into_iter().flatten() {
            for scheme in requirement.as_object().expect("a requirement").keys() {
                assert!(document["components"]["securitySchemes"][scheme].is_object(), "{scheme}");
            }
        }
        let needs_token = path.contains("/_") || method == "patch" || method == "delete";
        assert_eq!(operation["security"].is_array(), needs_token, "{method} {path}");
        let takes_a_body = method == "post" || method == "patch";
        assert_eq!(operation["requestBody"].is_object(), takes_a_body, "{method} {path}");
    }
}

fn every_reference_resolves(server: &Server, _: &Place) {
    let document = document(server);
    let mut open: Vec<(String, Value)> = vec![("/openapi.json".to_owned(), document)];
    let mut read: BTreeSet<String> = BTreeSet::from(["/openapi.json".to_owned()]);
    let mut followed = 0;
    while let Some((place, file)) = open.pop() {
        let mut references = Vec::new();
        collect(&file, &mut references);
        for reference in references {
            let (address, pointer) = reference.split_once('#').unwrap_or((&reference, ""));
            // A reference without a slash stands beside the file it is in.
            let address = match address {
                "" => place.clone(),
                _ if address.starts_with('/') => address.to_owned(),
                name => format!("{}/{name}", place.rsplit_once('/').map_or("", |(folder, _)| folder)),
            };
            let reply = server.get(&address);
            assert_eq!(reply.status, 200, "{place} refers to {reference}");
            let target = reply.json();
            assert!(target.pointer(pointer).is_some(), "{place} refers to {reference}, which is not there");
            followed += 1;
            if read.insert(address.clone()) {
                open.push((address, target));
            }
        }
    }
    assert!(followed > 50 && read.len() > 8, "{followed} references in {read:?}");
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                match inner.as_str().filter(|_| name == "$ref") {
                    Some(reference) => references.push(reference.to_owned()),
                    None => collect(inner, references),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|inner| collect(inner, references)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn the_page_lists_every_route(server: &Server, _: &Place) {
    let page = server.get("/api");
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    for (path, method, _) in operations(&document(server)) {
        let shown = format!("<code>{} {path}</code>", method.to_uppercase());
        assert!(page.text.contains(&shown), "{shown}");
    }
    for foreign in ["<script", "src=", "http://", "https://"] {
        assert!(!page.text.contains(foreign), "{foreign}");
    }
}
