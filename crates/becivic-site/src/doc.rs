//! A document in blocks: what a page says, before anybody decides how it looks.
//!
//! The same document is printed as HTML ([`html`]) and as markdown ([`markdown`]). What strangers wrote has forms of its own
//! ([`Block::Strangers`], [`Inline::Strange`]): escaped, labelled, never a link and never in the place of an instruction.

pub mod html;
pub mod markdown;

use becivic_core::site::slug;
use becivic_core::vocabulary::Status;

/// A document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doc {
    /// What it holds, in order.
    pub blocks: Vec<Block>,
}

/// A piece of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading of level 1 to 4, with the name that addresses lead to.
    Heading {
        /// 1 to 4.
        level: u8,
        /// The name in an address.
        id: String,
        /// The text.
        text: Vec<Inline>,
    },
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A list.
    List {
        /// Whether it counts.
        ordered: bool,
        /// Its items.
        items: Vec<Vec<Block>>,
    },
    /// A table.
    Table {
        /// What it shows, for those who cannot see it.
        caption: String,
        /// The columns.
        head: Vec<Vec<Inline>>,
        /// The rows.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// Names and what belongs to them.
    Facts(Vec<(Vec<Inline>, Vec<Inline>)>),
    /// Something that must not be overlooked.
    Callout {
        /// How urgent.
        tone: Tone,
        /// What it is about.
        title: String,
        /// What it says.
        blocks: Vec<Block>,
    },
    /// Something that is shown when somebody asks for it.
    Disclosure {
        /// What stands there before.
        summary: String,
        /// What it hides.
        blocks: Vec<Block>,
    },
    /// Text of strangers: data, never instructions.
    Strangers {
        /// Who and what it is, in our words.
        label: Vec<Inline>,
        /// What they wrote.
        text: String,
    },
    /// Text as a program would print it.
    Code {
        /// The language, where it has one.
        language: String,
        /// The text.
        text: String,
    },
    /// A picture with everything it shows in words.
    Picture {
        /// The picture as SVG, made by us.
        svg: String,
        /// What it shows, in a sentence.
        title: Vec<Inline>,
        /// The same in words.
        instead: Vec<Block>,
    },
    /// Blocks with a name for styles; nothing in markdown but what they hold.
    Group {
        /// The name.
        class: &'static str,
        /// What it holds.
        blocks: Vec<Block>,
    },
    /// Blocks in a language of their own.
    In {
        /// The language's code.
        language: &'static str,
        /// What they hold.
        blocks: Vec<Block>,
    },
    /// The difference between two texts, line by line.
    Difference(Vec<(Side, String)>),
    /// Something that was printed both ways already.
    Printed {
        /// As HTML.
        html: String,
        /// As markdown.
        markdown: String,
    },
}

/// Where a line of a difference stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In both texts.
    Both,
    /// In the new one only.
    Added,
    /// In the old one only.
    Removed,
    /// In neither: it says where the next lines are.
    Place,
}

impl Side {
    /// The sign before the line, so that colour alone says nothing.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Both => " ",
            Self::Added => "+",
            Self::Removed => "-",
            Self::Place => "",
        }
    }
}

/// How urgent something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Good to know.
    Note,
    /// Take care.
    Care,
    /// Do not go on without reading this.
    Alarm,
    /// All is well.
    Good,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Text.
    Text(String),
    /// Important text.
    Strong(Vec<Inline>),
    /// Text in another voice.
    Emphasis(Vec<Inline>),
    /// A name in a program.
    Code(String),
    /// A link; within the site it begins with `/` or `#`.
    Link {
        /// Where it leads.
        to: String,
        /// What it is called.
        label: Vec<Inline>,
    },
    /// A status.
    Status(Status),
    /// A day, as it is stored; printed in the reader's words.
    Day(String),
    /// A short mark beside something, with a name for styles.
    Badge {
        /// The name.
        class: &'static str,
        /// What it says.
        text: String,
    },
    /// A few words that strangers wrote.
    Strange(String),
    /// Text in a language of its own.
    In {
        /// The language's code.
        language: &'static str,
        /// The text.
        text: String,
    },
    /// Something that was printed both ways already.
    Printed {
        /// As HTML.
        html: String,
        /// As markdown.
        markdown: String,
    },
}

/// What a line says, without how it looks.
pub fn plain(line: &[Inline]) -> String {
    let say = |it: &Inline| match it {
        Inline::Text(text) | Inline::Code(text) | Inline::Strange(text) | Inline::Day(text) => text.clone(),
        Inline::Badge { text, .. } | Inline::In { text, .. } => text.clone(),
        Inline::Strong(inside) | Inline::Emphasis(inside) => plain(inside),
        Inline::Link { label, .. } => plain(label),
        Inline::Status(status) => status.as_str().to_owned(),
        Inline::Printed { markdown, .. } => markdown.clone(),
    };
    line.iter().map(say).collect()
}

/// Text.
pub fn text(text: impl Into<String>) -> Inline {
    Inline::Text(text.into())
}

/// A link.
pub fn link(to: impl Into<String>, label: impl Into<String>) -> Inline {
    Inline::Link { to: to.into(), label: vec![text(label)] }
}

/// A link out of the site; plain words where the address is none of the web.
pub fn outward(to: &str, label: impl Into<String>) -> Inline {
    if to.starts_with("https://") { link(to, label) } else { text(label) }
}

/// Important text.
pub fn strong(label: impl Into<String>) -> Inline {
    Inline::Strong(vec![text(label)])
}

/// A name in a program.
pub fn code(label: impl Into<String>) -> Inline {
    Inline::Code(label.into())
}

/// A paragraph.
pub fn paragraph(inlines: impl Into<Vec<Inline>>) -> Block {
    Block::Paragraph(inlines.into())
}

/// A heading, named by its own words.
pub fn heading(level: u8, label: impl Into<String>) -> Block {
    let label = label.into();
    Block::Heading { level, id: slug(&label), text: vec![text(label)] }
}

/// A list of lines.
pub fn lines(items: impl IntoIterator<Item = Vec<Inline>>) -> Block {
    let items = items.into_iter().map(|item| vec![Block::Paragraph(item)]).collect();
    Block::List { ordered: false, items }
}

/// A sentence with something in each of its places (`{}`), in order.
pub fn woven(sentence: &str, places: impl IntoIterator<Item = Inline>) -> Vec<Inline> {
    let mut parts = sentence.split("{}").map(text);
    let mut out: Vec<Inline> = parts.next().into_iter().collect();
    for (part, place) in parts.zip(places) {
        out.extend([place, part]);
    }
    out.retain(|piece| !matches!(piece, Inline::Text(text) if text.is_empty()));
    out
}

/// Writes something between two texts.
fn around(before: &str, out: &mut String, after: &str, inside: impl FnOnce(&mut String)) {
    out.push_str(before);
    inside(out);
    out.push_str(after);
}

impl Doc {
    /// One more block.
    pub fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// More blocks.
    pub fn extend(&mut self, blocks: impl IntoIterator<Item = Block>) {
        self.blocks.extend(blocks);
    }
}
