//! SARIF 2.1.0: one run, the rules that fired with their pages, one result per finding.

use super::Report;
use becivic_core::finding::Severity;
use becivic_core::rules::Rule;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};

pub fn write(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let fired: BTreeSet<&str> = report.findings.iter().map(|finding| finding.rule).collect();
    let rules: Vec<Value> = fired.iter().filter_map(|id| Rule::find(id)).map(describe).collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            json!({
                "ruleId": finding.rule,
                "level": level(finding.severity),
                "message": { "text": format!("{} {}", sentence(&finding.message), finding.help) },
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": { "uri": uri(&report.path(finding)) },
                        "region": { "startLine": finding.line, "startColumn": finding.column },
                    }
                }],
            })
        })
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "becivic check",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": "https://becivic.be",
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// A path as a URI reference (RFC 3986): what is neither unreserved nor a slash is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn describe(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.title() },
        "fullDescription": { "text": rule.page() },
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn sentence(message: &str) -> String {
    format!("{message}.")
}
