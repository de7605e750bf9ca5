//! A page for people or agents: frontmatter and prose, nothing else.

use super::Shape;
use super::bytes::forbidden;
use super::data::{schema_findings, typed};
use crate::finding::Finding;
use crate::frontmatter;
use crate::mdx::{self, Document};
use crate::schema::Schema;
use crate::text::Source;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A page as read.
#[derive(Debug)]
pub struct Page {
    /// The whole file.
    pub source: Source,
    /// The frontmatter as types; `None` when it does not fit its schema.
    pub front: Option<PageFront>,
    /// The body.
    pub document: Document,
}

/// The frontmatter of a page.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageFront {
    /// What the page is called.
    pub title: String,
    /// One sentence for lists.
    pub description: String,
    /// The newest version a contract describes.
    pub version: Option<String>,
    /// Every version a contract describes.
    pub versions: Option<Vec<String>>,
}

impl Page {
    /// Reads a page; what is wrong with its shape goes into `findings`. A page may hold prose, lists, tables,
    /// code and links, and none of the tags of a skill: nothing would resolve them there.
    pub fn read(source: Source, shape: Shape, findings: &mut Vec<Finding>) -> Self {
        let mut page = Self { source, front: None, document: Document::default() };
        let (node, parts) = match frontmatter::read(page.source.text()) {
            Ok(read) => read,
            Err(error) => {
                let (rule, offset) = (error.rule, error.offset);
                findings.push(Finding::error(rule, &page.source, offset, error.message, error.help));
                return page;
            }
        };
        let value = node.to_value();
        let hidden = forbidden(&page.source, parts.yaml, findings);
        let fits = !hidden
            && (shape == Shape::Right
                || schema_findings(Schema::Page, &page.source, &node, &value, findings).is_empty());
        if fits {
            page.front = typed(value, &page.source, parts.yaml.start, findings);
        }
        let (document, problems) = mdx::parse(page.source.text(), parts.body.start as usize);
        for problem in problems {
            let (rule, offset) = (problem.rule, problem.offset);
            findings.push(Finding::error(rule, &page.source, offset, problem.message, problem.help));
        }
        for tag in &document.tags {
            findings.push(Finding::error(
                "page_tag",
                &page.source,
                tag.open.start,
                "a page holds no tags of a skill",
                "Link to the skill or the path instead, or put an example in backticks.",
            ));
        }
        page.document = document;
        page
    }

    /// Reads a submission contract: a page that says which versions it describes.
    pub fn contract(source: Source, findings: &mut Vec<Finding>) -> Self {
        let page = Self::read(source, Shape::Unknown, findings);
        if page.front.as_ref().is_some_and(|front| front.version.is_none() || front.versions.is_none()) {
            findings.push(Finding::error(
                "schema_fail",
                &page.source,
                0,
                "a submission contract says which versions it describes",
                "Add `version`, the newest one, and `versions`, all of them, to the frontmatter.",
            ));
        }
        page
    }

    /// The versions a contract describes; empty when it names none.
    pub fn versions(&self) -> Vec<String> {
        self.front.iter().flat_map(|front| front.versions.iter().flatten().cloned()).collect()
    }
}
