//! Data files: communes, authorities, synonyms, scrub rules, catalogue rows, categories, types, source classes.

use super::Shape;
use crate::authorities::Authorities;
use crate::communes::Communes;
use crate::finding::{Finding, MAX_FINDINGS_PER_FILE};
use crate::json;
use crate::layout::FileKind;
use crate::node::Node;
use crate::preflight::identity;
use crate::redirects::Redirect;
use crate::schema::{Schema, Violation};
use crate::scrub_rules::ScrubRules;
use crate::search::SynonymTable;
use crate::text::{Source, Span};
use crate::triggers::Triggers;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// A JSON file with a schema of its own.
#[derive(Debug)]
pub struct DataFile {
    /// The whole file.
    pub source: Source,
    /// The file with places.
    pub node: Node,
    /// The plain value.
    pub value: Value,
    /// Whether it fits its schema.
    pub fits: bool,
}

impl DataFile {
    pub(super) fn read(
        kind: &FileKind,
        source: Source,
        shape: Shape,
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let schema = match kind {
            FileKind::Communes => Schema::Communes,
            FileKind::Authorities => Schema::Authorities,
            FileKind::Synonyms => Schema::Synonyms,
            FileKind::Triggers => Schema::Triggers,
            FileKind::Redirects => Schema::Redirects,
            _ => Schema::RegexRules,
        };
        let node = read_json(&source, findings)?;
        let value = node.to_value();
        let mut fits =
            shape == Shape::Right || schema_findings(schema, &source, &node, &value, findings).is_empty();
        if fits {
            let value = value.clone();
            fits = match kind {
                FileKind::Communes => typed::<Communes>(value, &source, 0, findings).is_some(),
                FileKind::Authorities => typed::<Authorities>(value, &source, 0, findings).is_some(),
                FileKind::Synonyms => typed::<SynonymTable>(value, &source, 0, findings).is_some(),
                FileKind::Triggers => typed::<Triggers>(value, &source, 0, findings).is_some(),
                FileKind::Redirects => typed::<Vec<Redirect>>(value, &source, 0, findings).is_some(),
                _ => typed::<ScrubRules>(value, &source, 0, findings).is_some(),
            };
        }
        Some(Self { source, node, value, fits })
    }

    /// Where a value is written.
    pub fn place(&self, pointer: &str) -> u32 {
        self.node.locate(pointer).start
    }
}

/// Fields that were retired from skill frontmatter.
pub const LEGACY_FIELDS: &[&str] = &[
    "routing_risk",
    "cohort_stats",
    "volatile_values",
    "references",
    "lifecycle",
    "proposal_id",
    "version_status",
    "corpus_status",
];

/// Validates a value and adds one finding per violation; returns the pointers of the violations.
pub fn schema_findings(
    schema: Schema,
    source: &Source,
    node: &Node,
    value: &Value,
    findings: &mut Vec<Finding>,
) -> Vec<String> {
    let mut pointers = Vec::new();
    for violation in schema.violations(value) {
        let (offset, rule) = place_and_rule(&violation, node);
        pointers.push(violation.pointer);
        findings.push(Finding::error(rule, source, offset, violation.message, violation.help));
    }
    pointers
}

fn place_and_rule(violation: &Violation, node: &Node) -> (u32, &'static str) {
    let pointer = violation.field_pointer();
    let name = pointer.rsplit('/').next().unwrap_or_default();
    let refused = matches!(violation.keyword.as_str(), "falseSchema" | "additionalProperties");
    let rule = match refused {
        true if identity::is_banned(name) => "identity_field_banned",
        true if LEGACY_FIELDS.contains(&name) => "legacy_field",
        _ => "schema_fail",
    };
    let span = match (refused, violation.keyword.as_str()) {
        (true, _) => node.locate_key(&pointer),
        (false, "required") => node.locate(&violation.pointer),
        (false, _) => node.locate(&pointer),
    };
    (span.start, rule)
}

/// A value that fits its schema as the type of the same shape. A test keeps the two from drifting apart;
/// should they ever, it is a finding and not a silence.
pub fn typed<T: for<'de> Deserialize<'de>>(
    value: Value,
    source: &Source,
    offset: u32,
    findings: &mut Vec<Finding>,
) -> Option<T> {
    match serde_json::from_value(value) {
        Ok(typed) => Some(typed),
        Err(error) => {
            let message = format!("this fits its schema but cannot be read: {error}");
            let help = "Write the value the way the public corpus does.";
            findings.push(Finding::error("schema_fail", source, offset, message, help));
            None
        }
    }
}

fn read_json(source: &Source, findings: &mut Vec<Finding>) -> Option<Node> {
    match json::read(source.text()) {
        Ok(node) => Some(node),
        Err(error) => {
            let (rule, offset) = (error.rule, error.offset);
            findings.push(Finding::error(rule, source, offset, error.message, error.help));
            None
        }
    }
}

/// Reads a JSON file straight into a type; a misfit is one finding with the reader's reason.
pub fn shaped<T: for<'de> Deserialize<'de>>(source: &Source, findings: &mut Vec<Finding>) -> Option<T> {
    let node = read_json(source, findings)?;
    match serde_json::from_value(node.to_value()) {
        Ok(value) => Some(value),
        Err(error) => {
            findings.push(Finding::error(
                "schema_fail",
                source,
                0,
                format!("the file does not have the expected shape: {error}"),
                "Compare it with the file of the same name in the public corpus.",
            ));
            None
        }
    }
}

/// Reads a JSON Lines file: one row per line, each checked against the schema. Reading ends when more is
/// wrong than is listed.
pub fn rows<Row: for<'de> Deserialize<'de>>(
    source: &Source,
    schema: Schema,
    findings: &mut Vec<Finding>,
) -> Vec<(u32, Row)> {
    let mut rows = Vec::new();
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let offset = Span::at(at).start;
        at += line.len();
        if findings.len() > MAX_FINDINGS_PER_FILE {
            break;
        }
        if line.trim().is_empty() {
            continue;
        }
        let node = match json::read(line) {
            Ok(node) => node,
            Err(error) => {
                let place = offset + error.offset;
                findings.push(Finding::error(error.rule, source, place, error.message, error.help));
                continue;
            }
        };
        let value = node.to_value();
        let violations = schema.violations(&value);
        if violations.is_empty() {
            rows.extend(typed(value, source, offset, findings).map(|row| (offset, row)));
        }
        for violation in violations {
            let (place, rule) = place_and_rule(&violation, &node);
            let place = offset + place;
            findings.push(Finding::error(rule, source, place, violation.message, violation.help));
        }
    }
    rows
}

/// `schemas/categories.json`: the categories in use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Categories {
    pub schema_version: u32,
    pub categories: Vec<Category>,
}

/// A category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Category {
    pub id: String,
    pub description: String,
}

/// `schemas/types.json`, as far as the rules read it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[allow(missing_docs)]
pub struct Types {
    pub schema_version: u32,
    pub types: BTreeMap<String, Value>,
    pub selects_on: BTreeMap<String, Value>,
}

/// `schemas/source-classes.json`: which hosts count as which kind of source.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct SourceClasses {
    pub schema_version: u32,
    pub primary: HostList,
    pub secondary: HostList,
    pub tertiary: HostList,
}

/// Hosts of one class: exact, or `*.host` for a host and everything below it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct HostList {
    pub description: String,
    pub hosts: Vec<String>,
}

/// A list of hosts, ready for look-up.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    exact: HashSet<String>,
    with_subdomains: HashSet<String>,
}

impl SourceClasses {
    /// The primary and the secondary hosts.
    pub fn citable(&self) -> Hosts {
        Hosts::of(self.primary.hosts.iter().chain(&self.secondary.hosts))
    }

    /// The hosts that are never cited.
    pub fn refused(&self) -> Hosts {
        Hosts::of(&self.tertiary.hosts)
    }
}

impl Hosts {
    fn of<'p>(patterns: impl IntoIterator<Item = &'p String>) -> Self {
        let mut hosts = Self::default();
        for pattern in patterns {
            match pattern.strip_prefix("*.") {
                None => hosts.exact.insert(pattern.clone()),
                Some(parent) => hosts.with_subdomains.insert(parent.to_owned()),
            };
        }
        hosts
    }

    /// Whether a host is on the list: itself, or below a listed one.
    pub fn holds(&self, host: &str) -> bool {
        let mut above = Some(host);
        let parents = std::iter::from_fn(|| {
            let name = above?;
            above = name.split_once('.').map(|(_, parent)| parent);
            Some(name)
        });
        self.exact.contains(host) || parents.into_iter().any(|name| self.with_subdomains.contains(name))
    }
}
