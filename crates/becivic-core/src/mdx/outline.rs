//! What CommonMark sees in a body once the tags are masked: one pass, flat lists, nothing kept twice.

use crate::text::Span;
use pulldown_cmark::{Event, HeadingLevel, LinkType, Parser, Tag, TagEnd};

/// The structure of a body.
#[derive(Debug, Default)]
pub struct Outline {
    /// Headings of level 1 to 3, in order.
    pub headings: Vec<Heading>,
    /// Level-2 sections, in order.
    pub sections: Vec<Section>,
    /// Links and images, in order.
    pub links: Vec<Link>,
    /// First byte of every list item, in order.
    pub items: Vec<Span>,
    /// What one thought stands in, in order: a paragraph, or a list item without the lists inside it.
    pub blocks: Vec<Span>,
    /// Code spans and code blocks, in order.
    pub code: Vec<Span>,
    /// Raw HTML, in order.
    pub html: Vec<Span>,
    /// Forbidden characters written as entities (`&#8203;`), in text and in link targets.
    pub entities: Vec<(u32, char)>,
}

/// A heading.
#[derive(Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 3.
    pub level: u8,
    /// The whole heading.
    pub span: Span,
    /// Its text, without markup.
    pub title: String,
}

/// A level-2 heading and what stands under it, up to the next heading of level 1 or 2.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading's text, trimmed.
    pub title: String,
    /// The heading.
    pub heading: Span,
    /// What stands under it.
    pub content: Span,
}

/// A link or an image.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it starts and ends.
    pub span: Span,
    /// Where it leads.
    pub target: Box<str>,
    /// Whether it is an image.
    pub image: bool,
}

impl Outline {
    /// Reads the structure of a masked body.
    pub fn read(masked: &str) -> Self {
        let mut outline = Self::default();
        let mut heading: Option<Heading> = None;
        // Items that are open, each with the place where a list inside it began.
        let mut open: Vec<(u32, Option<u32>)> = Vec::new();
        let parser = Parser::new(masked);
        for (_, definition) in parser.reference_definitions().iter() {
            outline.links.push(Link {
                span: Span::new(definition.span.start, definition.span.end),
                target: definition.dest.to_string().into_boxed_str(),
                image: false,
            });
        }
        for (event, range) in parser.into_offset_iter() {
            let span = Span::new(range.start, range.end);
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    heading = level_of(level).map(|level| Heading { level, span, title: String::new() });
                }
                Event::End(TagEnd::Heading(_)) => outline.headings.extend(heading.take()),
                Event::Text(text) => {
                    if masked.as_bytes().get(range.start) == Some(&b'&') {
                        outline.note_entities(span.start, &text);
                    }
                    if let Some(heading) = &mut heading {
                        heading.title.push_str(&text);
                    }
                }
                Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.title.push_str(&text);
                    }
                    outline.code.push(span);
                }
                Event::Start(Tag::CodeBlock(_)) => outline.code.push(span),
                Event::Start(Tag::Item) => {
                    outline.items.push(span);
                    open.push((span.start, None));
                }
                Event::Start(Tag::List(_)) => {
                    if let Some((_, inner)) = open.last_mut() {
                        inner.get_or_insert(span.start);
                    }
                }
                Event::End(TagEnd::Item) => {
                    let item = open.pop().map(|(start, inner)| (start, inner.unwrap_or(span.end)));
                    outline.blocks.extend(item.map(|(start, end)| Span { start, end }));
                }
                Event::Start(Tag::Paragraph) if open.is_empty() => outline.blocks.push(span),
                // Where a reference link leads was looked at where it is defined.
                Event::Start(Tag::Link {
                    link_type: LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut,
                    ..
                }) => {}
                Event::Start(Tag::Link { dest_url, .. }) => outline.links.push(Link {
                    span,
                    target: dest_url.into_string().into_boxed_str(),
                    image: false,
                }),
                Event::Start(Tag::Image { dest_url, .. }) => outline.links.push(Link {
                    span,
                    target: dest_url.into_string().into_boxed_str(),
                    image: true,
                }),
                Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => outline.html.push(span),
                _ => {}
            }
        }
        outline.links.sort_by_key(|link| link.span.start);
        outline.blocks.sort_unstable();
        for index in 0..outline.links.len() {
            let link = outline.links.get(index).map(|link| (link.span.start, link.target.to_string()));
            if let Some((start, target)) = link {
                outline.note_entities(start, &target);
            }
        }
        outline.find_sections(Span::at(masked.len()).start);
        outline
    }

    /// Whether a byte lies in code.
    pub fn in_code(&self, offset: u32) -> bool {
        let after = self.code.partition_point(|span| span.start <= offset);
        after > 0 && self.code.get(after - 1).is_some_and(|span| span.contains(offset))
    }

    fn note_entities(&mut self, offset: u32, decoded: &str) {
        let hidden = decoded.chars().filter(|character| !super::inert::allowed(*character));
        self.entities.extend(hidden.map(|character| (offset, character)));
    }

    fn find_sections(&mut self, end: u32) {
        let mut end = end;
        for heading in self.headings.iter().rev().filter(|heading| heading.level <= 2) {
            if heading.level == 2 {
                self.sections.push(Section {
                    title: heading.title.trim().to_owned(),
                    heading: heading.span,
                    content: Span { start: heading.span.end, end },
                });
            }
            end = heading.span.start;
        }
        self.sections.reverse();
    }

    pub(super) fn each_span(&mut self, mut apply: impl FnMut(&mut Span)) {
        self.headings.iter_mut().for_each(|h| apply(&mut h.span));
        for section in &mut self.sections {
            apply(&mut section.heading);
            apply(&mut section.content);
        }
        self.links.iter_mut().for_each(|l| apply(&mut l.span));
        self.items.iter_mut().for_each(&mut apply);
        self.blocks.iter_mut().for_each(&mut apply);
        self.code.iter_mut().for_each(&mut apply);
        self.html.iter_mut().for_each(&mut apply);
    }
}

fn level_of(level: HeadingLevel) -> Option<u8> {
    match level {
        HeadingLevel::H1 => Some(1),
        HeadingLevel::H2 => Some(2),
        HeadingLevel::H3 => Some(3),
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => None,
    }
}
