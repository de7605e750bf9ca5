//! A skill: frontmatter and body, each with its places.

use crate::finding::Finding;
use crate::frontmatter;
use crate::mdx::{self, Document};
use crate::node::Node;
use crate::schema::Schema;
use crate::skill::Frontmatter;
use crate::text::{Source, Span};
use serde::Deserialize;

/// A skill as read.
#[derive(Debug)]
pub struct Skill {
    /// The folder it stands in, which is its id.
    pub folder: String,
    /// The whole file.
    pub source: Source,
    /// The frontmatter with places; `None` when it could not be read.
    pub node: Option<Node>,
    /// The frontmatter as types; `None` when it does not fit its schema.
    pub front: Option<Frontmatter>,
    /// The body.
    pub document: Document,
}

impl Skill {
    /// Reads a skill; what is wrong with its shape goes into `findings`.
    pub fn read(folder: &str, source: Source, findings: &mut Vec<Finding>) -> Self {
        let mut skill = Self {
            folder: folder.to_owned(),
            source,
            node: None,
            front: None,
            document: Document::default(),
        };
        match frontmatter::read(skill.source.text()) {
            Err(error) => {
                findings.push(Finding::error(
                    error.rule,
                    &skill.source,
                    error.offset,
                    error.message,
                    error.help,
                ));
            }
            Ok((node, parts)) => {
                let value = node.to_value();
                let before = findings.len();
                super::data::schema_findings(Schema::Skill, &skill.source, &node, &value, findings);
                if findings.len() == before {
                    skill.front = Frontmatter::deserialize(&value).ok();
                }
                skill.node = Some(node);
                let (document, problems) =
                    mdx::parse(skill.source.text(), parts.body.start as usize);
                skill.document = document;
                findings.extend(problems.into_iter().map(|problem| {
                    Finding::error(
                        problem.rule,
                        &skill.source,
                        problem.offset,
                        problem.message,
                        problem.help,
                    )
                }));
            }
        }
        skill
    }

    /// The body's text.
    pub fn body(&self) -> &str {
        self.source.slice(self.document.body)
    }

    /// Where a frontmatter value is written.
    pub fn place(&self, pointer: &str) -> u32 {
        self.node.as_ref().map_or(0, |node| node.locate(pointer).start)
    }

    /// Where a frontmatter key is written.
    pub fn key_place(&self, pointer: &str) -> u32 {
        self.node.as_ref().map_or(0, |node| node.locate_key(pointer).start)
    }

    /// The level-2 section with this title: its heading's place and its content.
    pub fn section(&self, title: &str) -> Option<(Span, Span)> {
        self.document
            .outline
            .sections(self.document.body)
            .into_iter()
            .find(|(heading, _)| heading.title.trim() == title)
            .map(|(heading, content)| (heading.span, content))
    }
}
