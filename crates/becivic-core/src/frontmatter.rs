//! Splits a skill file into frontmatter and body.
//!
//! 1. The first line is exactly `---`. 2. The frontmatter ends at the next line that is exactly `---`.
//! 3. The body is everything after that line, byte for byte (amendments' diffs apply to it).

use crate::node::{Node, ReadError};
use crate::text::Span;
use crate::yaml;

/// Frontmatter is small; 64 KiB is thirty times the longest we have seen in practice.
pub const MAX_FRONTMATTER: usize = 64 * 1024;

/// Where the two parts of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The YAML between the fences.
    pub yaml: Span,
    /// The body after the closing fence's line.
    pub body: Span,
}

/// Finds the two parts of a file.
pub fn split(text: &str) -> Result<Parts, ReadError> {
    let fail = |offset: usize, message: &str, help| ReadError {
        rule: "frontmatter_fence",
        offset: Span::at(offset).start,
        message: message.to_owned(),
        help,
    };
    if !text.starts_with("---\n") {
        return Err(fail(
            0,
            "the file does not start with frontmatter",
            "Start the file with a line `---`, the YAML fields, and a closing line `---`.",
        ));
    }
    let start = 4;
    let mut at = start;
    for line in text.get(start..).unwrap_or("").split_inclusive('\n') {
        if line.trim_end_matches('\n') == "---" {
            if at - start > MAX_FRONTMATTER {
                return Err(ReadError {
                    rule: "file_too_large",
                    offset: 0,
                    message: format!("the frontmatter is longer than {MAX_FRONTMATTER} bytes"),
                    help: "Move prose into the body; frontmatter holds fields only.",
                });
            }
            return Ok(Parts { yaml: Span::new(start, at), body: Span::new(at + line.len(), text.len()) });
        }
        at += line.len();
    }
    Err(fail(0, "the frontmatter is never closed", "Add a line `---` after the last field."))
}

/// Splits a file and reads its frontmatter.
pub fn read(text: &str) -> Result<(Node, Parts), ReadError> {
    let parts = split(text)?;
    let yaml = text.get(parts.yaml.range()).unwrap_or("");
    let node = yaml::read(yaml, parts.yaml.start as usize)?;
    Ok((node, parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_byte_for_byte() {
        let text = "---\na: 1\n---\n\nBody\n---\nmore";
        let parts = split(text).expect("valid");
        assert_eq!(text.get(parts.yaml.range()), Some("a: 1\n"));
        assert_eq!(text.get(parts.body.range()), Some("\nBody\n---\nmore"));
        assert_eq!(split("---\n---\n").map(|p| p.body.start), Ok(8));
        for bad in ["", "--\n", "---", "---\na: 1\n", "--- \na\n---\n", "text\n---\n"] {
            assert_eq!(split(bad).map_err(|e| e.rule), Err("frontmatter_fence"), "{bad:?}");
        }
    }
}
