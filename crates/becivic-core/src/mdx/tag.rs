//! The tags an author may write, and what each must look like: one table (§6.10).

use crate::text::{Source, Span};
use std::borrow::Cow;

/// The six authored tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TagKind {
    /// A volatile value: `<VV name uid>value</VV>`.
    VV,
    /// A reference: `<Ref name uid title url last_verified>label</Ref>`.
    Ref,
    /// Where the community's observations appear: `<Observations skill />`.
    Observations,
    /// An anchor to a path: `<Path id />`.
    Path,
    /// An anchor to a skill: `<Skill id />`.
    Skill,
    /// Irreversible or deadline-bound text: `<Risk reason>…</Risk>`.
    Risk,
}

/// What a tag must look like.
pub struct Shape {
    /// The tag.
    pub kind: TagKind,
    /// Its name as written.
    pub name: &'static str,
    /// Whether it wraps children (`true`) or closes itself (`false`).
    pub wraps: bool,
    /// Attributes that must be there and not be empty.
    pub required: &'static [&'static str],
    /// Attributes that must be there and may be empty.
    pub stated: &'static [&'static str],
    /// Attributes that may be missing or empty.
    pub optional: &'static [&'static str],
    /// How it is written, for help texts.
    pub usage: &'static str,
}

/// The one table of authored tags. `uid` may be missing: it is filled at merge (§6.11). An empty
/// `last_verified` says that nobody has read the live page yet.
pub const SHAPES: &[Shape; 6] = &[
    Shape {
        kind: TagKind::VV,
        name: "VV",
        wraps: true,
        required: &["name"],
        stated: &[],
        optional: &["uid"],
        usage: "<VV name=\"…\" uid=\"val-NNNNN\">value</VV>",
    },
    Shape {
        kind: TagKind::Ref,
        name: "Ref",
        wraps: true,
        required: &["name", "title", "url"],
        stated: &["last_verified"],
        optional: &["uid"],
        usage: "<Ref name=\"…\" uid=\"ref-NNNNN\" title=\"…\" url=\"https://…\" last_verified=\"YYYY-MM-DD\">label</Ref>",
    },
    Shape {
        kind: TagKind::Observations,
        name: "Observations",
        wraps: false,
        required: &["skill"],
        stated: &[],
        optional: &[],
        usage: "<Observations skill=\"skill-id\" />",
    },
    Shape {
        kind: TagKind::Path,
        name: "Path",
        wraps: false,
        required: &["id"],
        stated: &[],
        optional: &[],
        usage: "<Path id=\"path-id\" />",
    },
    Shape {
        kind: TagKind::Skill,
        name: "Skill",
        wraps: false,
        required: &["id"],
        stated: &[],
        optional: &[],
        usage: "<Skill id=\"skill-id\" />",
    },
    Shape {
        kind: TagKind::Risk,
        name: "Risk",
        wraps: true,
        required: &[],
        stated: &[],
        optional: &["reason"],
        usage: "<Risk reason=\"…\">…</Risk>",
    },
];

/// Tags only the renderer writes; refused in authored bodies.
pub const RENDERER_ONLY: &[&str] = &["Observation", "CohortStats"];

/// The shape of a tag by its written name.
pub fn shape(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.name == name)
}

/// The shape of a kind of tag.
pub fn shape_of(kind: TagKind) -> &'static Shape {
    let [value, reference, observations, path, skill, risk] = SHAPES;
    match kind {
        TagKind::VV => value,
        TagKind::Ref => reference,
        TagKind::Observations => observations,
        TagKind::Path => path,
        TagKind::Skill => skill,
        TagKind::Risk => risk,
    }
}

/// One attribute, in pieces that print back byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// White space before the name.
    pub gap: Span,
    /// The name.
    pub name: Span,
    /// The text between the quotes, as written.
    pub value: Span,
}

/// How a tag ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// `<Path … />`
    SelfClosing,
    /// `<VV …>` with a closing tag, whose place this is.
    Wrapper {
        /// The closing tag.
        close: Span,
    },
}

/// A tag in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Which tag.
    pub kind: TagKind,
    /// The opening (or only) tag.
    pub open: Span,
    /// Its attributes, in the order written.
    pub attributes: Box<[Attribute]>,
    /// White space (and `/`) between the last attribute and `>`.
    pub tail: Span,
    /// How it ends.
    pub form: Form,
    /// Index of the tag it stands in, if any.
    pub parent: Option<u32>,
}

impl Tag {
    /// The place of the children: between the opening and the closing tag.
    pub fn children(&self) -> Option<Span> {
        match &self.form {
            Form::SelfClosing => None,
            Form::Wrapper { close } => Some(Span { start: self.open.end, end: close.start }),
        }
    }

    /// The attribute with this name.
    pub fn attribute(&self, source: &Source, name: &str) -> Option<&Attribute> {
        let text = source.text();
        self.attributes.iter().find(|attribute| text.get(attribute.name.range()) == Some(name))
    }

    /// An attribute's value with the five XML entities decoded; `None` when missing or empty.
    pub fn value<'s>(&self, source: &'s Source, name: &str) -> Option<Cow<'s, str>> {
        let attribute = self.attribute(source, name)?;
        let raw = source.slice(attribute.value);
        (!raw.is_empty()).then(|| decode(raw))
    }

    /// Where an attribute's value is; the tag's own start when it has no such attribute.
    pub fn value_offset(&self, source: &Source, name: &str) -> u32 {
        self.attribute(source, name).map_or(self.open.start, |attribute| attribute.value.start)
    }

    pub(super) fn each_span(&mut self, mut apply: impl FnMut(&mut Span)) {
        apply(&mut self.open);
        apply(&mut self.tail);
        for attribute in &mut self.attributes {
            apply(&mut attribute.gap);
            apply(&mut attribute.name);
            apply(&mut attribute.value);
        }
        if let Form::Wrapper { close } = &mut self.form {
            apply(close);
        }
    }
}

fn decode(raw: &str) -> Cow<'_, str> {
    if !raw.contains('&') {
        return raw.into();
    }
    raw.replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
        .into()
}
