//! What the fuzz targets run, and what must hold whatever comes in. The targets' seeds run through the
//! same functions in the ordinary tests, so that no toolchain is needed to keep them alive.

use crate::corpus::{Content, Input};
use crate::text::Source;
use crate::{corpus, diff, frontmatter as front, mdx as body};

/// Any bytes as a skill file: no panic; every place lies inside the file.
pub fn frontmatter(data: &[u8]) {
    let (_, findings) = read("skills/x/canonical.md", data);
    let lines = data.iter().filter(|byte| **byte == b'\n').count() + 1;
    assert!(findings.iter().all(|finding| finding.line as usize <= lines));
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok((node, parts)) = front::read(text)
    {
        assert_eq!(parts.body.end as usize, text.len());
        assert_eq!(node.to_value(), node.into_value());
    }
}

/// Any text as a body: printing what was parsed gives it back; every tag lies where it says.
pub fn mdx(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (document, problems) = body::parse(text, 0);
    assert_eq!(body::print::print(text, &document), text);
    let source = Source::new("x", text);
    assert!(document.tags.iter().all(|tag| source.slice(tag.open).starts_with('<')));
    assert!(problems.iter().all(|problem| problem.offset as usize <= text.len()));
}

/// Any bytes as the Path Directory: no panic.
pub fn paths_index(data: &[u8]) {
    read("paths/index.json", data);
}

/// Any text with a NUL in it as a body and a diff: applying it works or fails, and a diff of the
/// result with itself has nothing to say.
pub fn unified_diff(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (body, patch) = text.split_once('\0').unwrap_or(("", text));
    if let Ok(after) = diff::apply(body, patch) {
        assert_ne!(after, body, "a diff that changes nothing is refused");
    }
}

fn read(path: &str, data: &[u8]) -> (corpus::Piece, Vec<crate::finding::Finding>) {
    corpus::read(Input { path: path.to_owned(), content: Content::Bytes(data.to_vec()) })
}
