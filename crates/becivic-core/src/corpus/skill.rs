//! A skill: frontmatter and body, each with its places.

use super::Shape;
use super::bytes::forbidden;
use super::data::{schema_findings, typed};
use crate::finding::Finding;
use crate::frontmatter;
use crate::mdx::outline::Section;
use crate::mdx::{self, Document};
use crate::node::Node;
use crate::schema::Schema;
use crate::skill::Frontmatter;
use crate::text::Source;
use std::sync::OnceLock;

/// A skill as read.
#[derive(Debug)]
pub struct Skill {
    /// The folder it stands in, which is its id.
    pub folder: String,
    /// The whole file.
    pub source: Source,
    /// Whether the frontmatter could be read at all.
    readable: bool,
    /// The frontmatter with places, read again when somebody asks for one: most skills have no
    /// findings, and ten thousand trees would be the largest thing in memory.
    node: OnceLock<Option<Node>>,
    /// The frontmatter as types; `None` when it does not fit its schema.
    pub front: Option<Frontmatter>,
    /// The body.
    pub document: Document,
}

impl Skill {
    /// Reads a skill; what is wrong with its shape goes into `findings`.
    pub fn read(folder: &str, source: Source, shape: Shape, findings: &mut Vec<Finding>) -> Self {
        let mut skill = Self {
            folder: folder.to_owned(),
            source,
            readable: false,
            node: OnceLock::new(),
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
                skill.readable = true;
                let value = node.into_value();
                if forbidden(&skill.source, parts.yaml, findings) {
                    // Values with such a character do not fit the schema either; once is enough.
                } else if shape == Shape::Right || Schema::Skill.accepts(&value) {
                    skill.front = typed(value, &skill.source, parts.yaml.start, findings);
                } else if let Some(node) = skill.node() {
                    schema_findings(Schema::Skill, &skill.source, node, &value, findings);
                }
                let (document, problems) = mdx::parse(skill.source.text(), parts.body.start as usize);
                skill.document = document;
                findings.extend(problems.into_iter().map(|problem| {
                    Finding::error(problem.rule, &skill.source, problem.offset, problem.message, problem.help)
                }));
            }
        }
        skill
    }

    /// The body's text.
    pub fn body(&self) -> &str {
        self.source.slice(self.document.body)
    }

    /// The frontmatter with places; `None` when it could not be read.
    pub fn node(&self) -> Option<&Node> {
        let read = || {
            let node = self.readable.then(|| frontmatter::read(self.source.text()).ok());
            node.flatten().map(|(node, _)| node)
        };
        self.node.get_or_init(read).as_ref()
    }

    /// Where a frontmatter value is written.
    pub fn place(&self, pointer: &str) -> u32 {
        self.node().map_or(0, |node| node.locate(pointer).start)
    }

    /// Where a frontmatter key is written.
    pub fn key_place(&self, pointer: &str) -> u32 {
        self.node().map_or(0, |node| node.locate_key(pointer).start)
    }

    /// The level-2 section with this title.
    pub fn section(&self, title: &str) -> Option<&Section> {
        self.document.outline.sections.iter().find(|section| section.title == title)
    }
}
