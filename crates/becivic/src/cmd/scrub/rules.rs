//! The rules to scrub with.

use crate::say;
use anyhow::{Context, bail};
use becivic_core::finding::PointedProblem;
use becivic_core::json;
use becivic_core::layout::FileKind;
use becivic_core::schema::Schema;
use becivic_core::scrub::Scrubber;
use becivic_core::scrub_rules::{ScrubRules, unknown_checksums};
use serde::Deserialize;
use std::fmt::Display;
use std::fs;
use std::path::Path;

/// The rules this program brings along.
pub fn bundled() -> anyhow::Result<&'static Scrubber> {
    Scrubber::bundled().map_err(|problems| refused(&"our own rules", "cannot be run", problems))
}

/// The rules of a file, once it has passed every check of a rules file.
pub fn read(path: &Path) -> anyhow::Result<Scrubber> {
    let shown = path.display();
    if path == Path::new("-") {
        bail!("--rules takes a file; only the text can come from standard input");
    }
    let limit = FileKind::ScrubRules.size_limit();
    let size = fs::metadata(path).with_context(|| format!("cannot open {shown}"))?.len();
    if size > limit {
        bail!("{shown} has more than {limit} bytes; no rules file is that large");
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not UTF-8"))?;
    let value = match json::read(text.strip_prefix('\u{feff}').unwrap_or(&text)) {
        Ok(node) => node.into_value(),
        Err(error) => bail!("{shown} is not JSON: {}. {}", error.message, error.help),
    };
    let violations: Vec<PointedProblem> = Schema::RegexRules
        .violations(&value)
        .into_iter()
        .map(|violation| (violation.field_pointer(), violation.message, violation.help))
        .collect();
    if !violations.is_empty() {
        return Err(refused(&shown, "is not a rules file", &violations));
    }
    let rules = ScrubRules::deserialize(&value).with_context(|| format!("{shown} is not a rules file"))?;
    for (pointer, message, _) in unknown_checksums(&rules) {
        say::aside(format_args!("{shown}: {pointer}: {message}: every match counts"));
    }
    Scrubber::new(rules).map_err(|problems| refused(&shown, "is refused", &problems))
}

/// Tells what is wrong, the first few problems a line each, and makes an error of it.
fn refused(shown: &dyn Display, why: &str, problems: &[PointedProblem]) -> anyhow::Error {
    const TOLD: usize = 20;
    for (pointer, message, help) in problems.iter().take(TOLD) {
        let place = if pointer.is_empty() { "as a whole" } else { pointer };
        say::aside(format_args!("{shown}: {place}: {message}. {help}"));
    }
    match problems.len() {
        1 => anyhow::anyhow!("{shown} {why}: 1 problem"),
        count if count > TOLD => anyhow::anyhow!("{shown} {why}: {count} problems, {TOLD} of them shown"),
        count => anyhow::anyhow!("{shown} {why}: {count} problems"),
    }
}
