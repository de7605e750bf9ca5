//! The opening tags of a page, read plainly: names, and attributes as they stand. Enough for what we print ourselves.

/// An opening tag.
#[derive(Debug)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its attributes; those without a value have an empty one.
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Whether it is a link of a kind, in the head.
    pub fn is_link(&self, rel: &str) -> bool {
        self.name == "link" && self.value("rel") == Some(rel)
    }
}

/// Every opening tag.
pub fn of(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        let end = end(after);
        let inside = &after[..end];
        if inside.starts_with(|first: char| first.is_ascii_alphabetic()) {
            tags.push(tag(inside));
        }
        rest = &after[end..];
    }
    tags
}

/// Where the tag ends: the first `>` outside of quotes.
fn end(text: &str) -> usize {
    let mut is_quoted = false;
    text.bytes()
        .position(|byte| {
            is_quoted ^= byte == b'"';
            byte == b'>' && !is_quoted
        })
        .unwrap_or(text.len())
}

fn tag(inside: &str) -> Tag {
    let (name, mut rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|it: char| it.is_whitespace() || it == '/');
        if rest.is_empty() {
            break;
        }
        let key_ends = rest.find(|it: char| it == '=' || it.is_whitespace()).unwrap_or(rest.len());
        let key = rest[..key_ends].to_owned();
        rest = &rest[key_ends..];
        let quoted = rest.strip_prefix("=\"").and_then(|it| it.split_once('"'));
        let (value, after) = quoted.unwrap_or(("", rest));
        attributes.push((key, value.to_owned()));
        rest = after;
    }
    Tag { name: name.trim_end_matches('/').to_owned(), attributes }
}
