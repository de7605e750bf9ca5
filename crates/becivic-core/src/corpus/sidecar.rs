//! Research reports beside skills and paths (§9.6): kept, checked, never served inside a skill.

use crate::finding::Finding;
use crate::frontmatter;
use crate::layout::FileKind;
use crate::node::{Kind, Node};
use crate::text::{Source, Span};

/// A research report.
#[derive(Debug)]
pub struct Sidecar {
    /// Which artefact it belongs to.
    pub of: FileKind,
    /// The whole file.
    pub source: Source,
    /// Every URL named as a research source in its header, with its place.
    pub urls: Vec<(u32, String)>,
}

impl Sidecar {
    /// Reads a report. A draft's report starts with a header; an amendment's report may not.
    pub fn read(of: FileKind, source: Source, findings: &mut Vec<Finding>) -> Self {
        let mut urls = Vec::new();
        if source.text().starts_with("---\n") {
            match frontmatter::read(source.text()) {
                Ok((node, _)) => collect(&node, &mut urls),
                Err(error) => findings.push(Finding::error(
                    error.rule,
                    &source,
                    error.offset,
                    error.message,
                    error.help,
                )),
            }
        }
        for (start, block) in yaml_blocks(source.text()) {
            if let Ok(node) = crate::yaml::read(block, start) {
                collect(&node, &mut urls);
            }
        }
        Self { of, source, urls }
    }
}

fn collect(node: &Node, urls: &mut Vec<(u32, String)>) {
    let Some(Kind::List(items)) = node.get("research_sources").map(|list| &list.kind) else {
        return;
    };
    for item in items {
        if let Some(url) = item.get("url")
            && let Some(text) = url.as_str()
        {
            urls.push((url.span.start, text.to_owned()));
        }
    }
}

/// Fenced YAML blocks: the metadata of appended sections.
fn yaml_blocks(text: &str) -> Vec<(usize, &str)> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find("```yaml\n")) {
        let start = at + found + 8;
        let rest = text.get(start..).unwrap_or("");
        let Some(length) = rest.find("\n```") else {
            break;
        };
        blocks.push((start, rest.get(..length + 1).unwrap_or("")));
        at = Span::at(start + length).start as usize;
    }
    blocks
}
