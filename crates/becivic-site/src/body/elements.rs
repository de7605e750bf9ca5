//! HTML under construction: the elements that are open, always closed in the right order.
//!
//! Marks of CommonMark begin and end in order; tags may begin in one and end in another. When something ends that is not on top, what
//! stands on it is closed first, and opened again where that makes sense: emphasis and risks go on, a link to a source does not.

/// Deeper than this, elements are left out and only their text stays: no browser would show them, and no reader follow.
const MAX_DEPTH: usize = 120;

/// Whose element it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A block of CommonMark.
    Block,
    /// An item of a list, whose mark stands in this column.
    Item(usize),
    /// Emphasis of CommonMark.
    Inline,
    /// A link of CommonMark.
    Link,
    /// A reference: the tag with this number.
    Reference(usize),
    /// Words with a risk: the tag with this number.
    Risk(usize),
    /// A call-out around blocks: the tag with this number.
    Aside(usize),
}

struct Open {
    owner: Owner,
    /// How it is opened again.
    again: String,
    close: &'static str,
}

/// HTML so far.
#[derive(Default)]
pub struct Elements {
    /// What was printed.
    pub html: String,
    open: Vec<Open>,
    links: usize,
}

impl Elements {
    /// With room for a text: with what tags stand for, it gets up to thrice as long.
    pub fn for_text(body: &str) -> Self {
        Self { html: String::with_capacity(body.len() * 3), ..Self::default() }
    }

    /// Opens an element; `again` is how it is opened a second time.
    pub fn start(&mut self, owner: Owner, first: &str, again: &str, close: &'static str) {
        let is_too_deep = self.open.len() >= MAX_DEPTH;
        let (first, again, close) = if is_too_deep { ("", "", "") } else { (first, again, close) };
        self.html.push_str(first);
        self.links += usize::from(is_link(owner));
        self.open.push(Open { owner, again: again.to_owned(), close });
    }

    /// Whether a link is open: there is none inside another.
    pub fn in_link(&self) -> bool {
        self.links > 0
    }

    /// The innermost element.
    pub fn top(&self) -> Option<Owner> {
        self.open.last().map(|open| open.owner)
    }

    /// The column of the item that ends next.
    pub fn item(&self) -> Option<usize> {
        self.open.iter().rev().find_map(|open| match open.owner {
            Owner::Item(column) => Some(column),
            Owner::Block
            | Owner::Inline
            | Owner::Link
            | Owner::Reference(_)
            | Owner::Risk(_)
            | Owner::Aside(_) => None,
        })
    }

    /// Closes the innermost block, and what stands on it; gives back whose that was.
    pub fn end_block(&mut self) -> Vec<Owner> {
        let mut closed = Vec::new();
        while let Some(open) = self.pop() {
            match open.owner {
                Owner::Block | Owner::Item(_) => break,
                owner => closed.push(owner),
            }
        }
        closed
    }

    /// Closes the innermost emphasis or link. Risks on it go on after it.
    pub fn end_inline(&mut self) {
        self.end(|owner| matches!(owner, Owner::Inline | Owner::Link));
    }

    /// Closes the element of a tag, if it is open within this block.
    pub fn end_tag(&mut self, owner: Owner) {
        let within =
            self.open.iter().rev().take_while(|open| !matches!(open.owner, Owner::Block | Owner::Item(_)));
        if within.into_iter().any(|open| open.owner == owner) {
            self.end(|other| other == owner);
        }
    }

    fn end(&mut self, is_it: impl Fn(Owner) -> bool) {
        let mut above = Vec::new();
        while let Some(open) = self.pop() {
            if is_it(open.owner) {
                break;
            }
            above.push(open);
        }
        for open in above.into_iter().rev().filter(|open| !matches!(open.owner, Owner::Reference(_))) {
            self.html.push_str(&open.again);
            self.links += usize::from(is_link(open.owner));
            self.open.push(open);
        }
    }

    /// Closes the innermost element.
    pub fn end_top(&mut self) {
        self.pop();
    }

    fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        self.html.push_str(open.close);
        self.links -= usize::from(is_link(open.owner));
        Some(open)
    }
}

fn is_link(owner: Owner) -> bool {
    matches!(owner, Owner::Link | Owner::Reference(_))
}
