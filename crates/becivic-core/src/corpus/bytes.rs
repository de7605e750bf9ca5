//! From bytes to text: size, kind, UTF-8, byte order mark, line ends (§5).

use super::Content;
use crate::finding::Finding;
use crate::layout::FileKind;
use crate::mdx::inert;
use crate::text::{Source, Span};

/// The file's text, or a finding that says why there is none.
pub fn source(kind: &FileKind, path: &str, content: Content, findings: &mut Vec<Finding>) -> Option<Source> {
    if let Content::Unreadable(reason) = &content {
        findings.push(Finding::whole_file(
            "unreadable_file",
            path,
            format!("this cannot be read: {reason}"),
            "Check its name and permissions and try again.",
        ));
        return None;
    }
    if *kind == FileKind::Misplaced {
        let (message, help) = if path.contains('/') {
            (
                "nothing belongs here",
                "A skill folder holds canonical.md, process.mmd, research-report.md and templates/; paths/ holds index.json, rollup.json and research-reports/.",
            )
        } else {
            (
                "a folder is expected here, and this is a file",
                "Remove the file, or move it into the folder it belongs to.",
            )
        };
        findings.push(Finding::whole_file("misplaced_file", path, message, help));
        return None;
    }
    let bytes = match content {
        Content::Bytes(bytes) => bytes,
        Content::TooLarge(size) => {
            findings.push(too_large(kind, path, size));
            return None;
        }
        Content::NotAFile => {
            findings.push(Finding::whole_file(
                "not_a_file",
                path,
                "this is not a plain file",
                "Put a regular file here: no folder, link or device.",
            ));
            return None;
        }
        Content::Unreadable(_) => return None,
    };
    if bytes.len() as u64 > kind.size_limit() {
        findings.push(too_large(kind, path, bytes.len() as u64));
        return None;
    }
    if !kind.is_read() {
        return None;
    }
    match String::from_utf8(bytes) {
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes().get(..good).unwrap_or_default());
            let source = Source::new(path, text);
            let at = u32::try_from(good).unwrap_or(u32::MAX);
            findings.push(Finding::error(
                "not_utf8",
                &source,
                at,
                "the file is not UTF-8 text",
                "Save it as UTF-8.",
            ));
            None
        }
        Ok(text) => encoded(Source::new(path, text), findings),
    }
}

/// Reports every forbidden character in a stretch of a file; whether there was any.
pub fn forbidden(source: &Source, span: Span, findings: &mut Vec<Finding>) -> bool {
    let found = inert::forbidden(source.slice(span));
    for (offset, character) in &found {
        let message = inert::message(*character);
        let place = span.start + offset;
        findings.push(Finding::error("forbidden_character", source, place, message, inert::HELP));
    }
    !found.is_empty()
}

fn encoded(source: Source, findings: &mut Vec<Finding>) -> Option<Source> {
    if source.text().starts_with('\u{feff}') {
        findings.push(Finding::error(
            "byte_order_mark",
            &source,
            0,
            "the file starts with a byte order mark",
            "Save it as UTF-8 without BOM; `becivic fmt` removes it.",
        ));
        return None;
    }
    if let Some(at) = memchr::memchr(b'\r', source.text().as_bytes()) {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        findings.push(Finding::error(
            "carriage_return",
            &source,
            at,
            "lines end with CR LF (or hold a stray CR)",
            "Use LF line ends; `becivic fmt` changes them.",
        ));
        return None;
    }
    if !source.text().is_empty() && !source.text().ends_with('\n') {
        let end = u32::try_from(source.text().len()).unwrap_or(u32::MAX);
        findings.push(Finding::error(
            "no_final_newline",
            &source,
            end,
            "the file does not end with a newline",
            "End the last line; `becivic fmt` does it.",
        ));
    }
    Some(source)
}

fn too_large(kind: &FileKind, path: &str, size: u64) -> Finding {
    Finding::whole_file(
        "file_too_large",
        path,
        format!("the file has {size} bytes; at most {} are read", kind.size_limit()),
        "Shorten it, or move what does not belong here.",
    )
}
