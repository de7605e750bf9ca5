//! Text is inert (DECISIONS §9b): what a body may not hold besides tags, and where brackets stand.

use super::Problem;
use super::outline::Outline;
use crate::text::Span;

/// Whether a character may stand in text: no controls but tab and newline, nothing that changes the
/// direction of text, nothing that is there and cannot be seen. The schemas' plain text refuses the same.
pub fn allowed(character: char) -> bool {
    !matches!(character,
        '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}'
        | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Checks a body for raw HTML, expressions, imports, remote images, links that are not https, and
/// forbidden characters.
pub fn check(body: &str, masked: &str, outline: &Outline, problems: &mut Vec<Problem>) {
    for (offset, character) in forbidden(body).into_iter().chain(outline.entities.iter().copied()) {
        problems.push(Problem::new("forbidden_character", offset, message(character), HELP));
    }
    let closes = |html: &&Span| body.get(html.range()).is_some_and(|text| text.starts_with("</"));
    let only_ends = outline.html.iter().all(|html| closes(&html));
    for html in outline.html.iter().filter(|html| only_ends || !closes(html)) {
        problems.push(Problem::new(
            "raw_html",
            html.start,
            "raw HTML is not allowed in a body",
            "Use Markdown or one of the six tags; put examples in backticks.",
        ));
    }
    check_links(outline, problems);
    check_braces(masked, outline, problems);
    for start in line_starts_with_module_word(masked) {
        let rest = masked.get(start..).unwrap_or("");
        let line = rest.lines().next().unwrap_or("");
        let offset = Span::at(start).start;
        if is_module_line(line) && !outline.in_code(offset) {
            problems.push(Problem::new(
                "mdx_import",
                offset,
                "import and export lines are not allowed in a body",
                "Remove the line; a body is text, not a program.",
            ));
        }
    }
}

/// One problem per `{…}` pair, and one per stray brace.
fn check_braces(masked: &str, outline: &Outline, problems: &mut Vec<Problem>) {
    let mut open = 0usize;
    for at in memchr::memchr2_iter(b'{', b'}', masked.as_bytes()) {
        let offset = Span::at(at).start;
        let escaped = at > 0 && masked.as_bytes().get(at - 1) == Some(&b'\\');
        if escaped || outline.in_code(offset) {
            continue;
        }
        if masked.as_bytes().get(at) == Some(&b'}') && open > 0 {
            open -= 1;
            continue;
        }
        open += usize::from(masked.as_bytes().get(at) == Some(&b'{'));
        problems.push(Problem::new(
            "mdx_expression",
            offset,
            "braces are not allowed in a body: nothing is evaluated",
            "Write the text out, or put it in backticks.",
        ));
    }
}

/// What to do about a forbidden character.
pub const HELP: &str = "Remove it; it is invisible or changes the direction of text.";

/// What is wrong with a forbidden character.
pub fn message(character: char) -> String {
    format!("the character U+{:04X} is not allowed in text", u32::from(character))
}

/// Every forbidden character with its place. Only the bytes that can start one are looked at: ASCII
/// controls, and the lead bytes C2, CD, D8, E1, E2, E3, EF and F3.
pub fn forbidden(text: &str) -> Vec<(u32, char)> {
    let bytes = text.as_bytes();
    let is_control = |b: u8| (b < 0x20 && b != b'\n' && b != b'\t') || b == 0x7f;
    let mut starts: Vec<usize> = Vec::new();
    let holds_control = |chunk: &[u8]| chunk.iter().fold(false, |held, b| held | is_control(*b));
    if bytes.chunks(256).any(holds_control) {
        starts.extend(bytes.iter().enumerate().filter(|(_, b)| is_control(**b)).map(|(at, _)| at));
    }
    // U+2000–207F alone start with E2 80 or E2 81: a dash or a euro sign costs one look.
    let general = |at: &usize| bytes.get(*at) != Some(&0xe2) || bytes.get(at + 1) <= Some(&0x81);
    starts.extend(memchr::memchr3_iter(0xc2, 0xe2, 0xef, bytes).filter(general));
    starts.extend(memchr::memchr3_iter(0xcd, 0xd8, 0xf3, bytes));
    starts.extend(memchr::memchr2_iter(0xe1, 0xe3, bytes));
    let mut found: Vec<(u32, char)> = starts
        .into_iter()
        .filter_map(|at| Some((Span::at(at).start, text.get(at..)?.chars().next()?)))
        .filter(|(_, character)| !allowed(*character))
        .collect();
    found.sort_unstable();
    found
}

fn check_links(outline: &Outline, problems: &mut Vec<Problem>) {
    for link in &outline.links {
        let target = &*link.target;
        if link.image {
            let local = target.starts_with("templates/") && !target.contains("..");
            if !local {
                problems.push(Problem::new(
                    "remote_image",
                    link.span.start,
                    "images may only come from the skill's own templates folder",
                    "Put the image under templates/ beside the skill, or describe it in words.",
                ));
            }
        } else if !(leads_inside(target) || is_https(target)) {
            problems.push(Problem::new(
                "link_not_https",
                link.span.start,
                "links must lead to an https address",
                "Use an https:// address, an address of this site such as /agents, a #heading or a templates/ file.",
            ));
        }
    }
}

/// A heading of the page, a file beside it, or another page of the site.
fn leads_inside(target: &str) -> bool {
    target.starts_with('#') || target.starts_with("templates/") || is_of_the_site(target)
}

/// Whether a link is an address of the site itself, such as `/agents`. Browsers read `\` as `/` and drop tabs and line breaks, so
/// that `/\host` or `/<tab>/host` would lead to another site: no address of ours has any of these, or white space, in it.
pub fn is_of_the_site(target: &str) -> bool {
    let is_plain = |c: char| c != '\\' && !c.is_control() && !c.is_whitespace();
    target.starts_with('/') && !target.starts_with("//") && target.chars().all(is_plain)
}

fn is_https(target: &str) -> bool {
    target.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
}

/// `[word]` in prose, where the word is kebab-case: a re-citation when it names a reference.
pub fn brackets(masked: &str, outline: &Outline) -> Vec<Span> {
    let bytes = masked.as_bytes();
    let mut found = Vec::new();
    for start in memchr::memchr_iter(b'[', bytes) {
        let rest = bytes.get(start + 1..).unwrap_or_default();
        let length =
            rest.iter().take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || **b == b'-').count();
        let closed = length > 0 && rest.get(length) == Some(&b']');
        let after = rest.get(length + 1);
        // A colon makes a definition of it only where a line begins.
        let link = matches!(after, Some(b'(' | b'[')) || (after == Some(&b':') && begins_line(bytes, start));
        if closed && !link && !outline.in_code(Span::at(start).start) {
            found.push(Span::new(start + 1, start + 1 + length));
        }
    }
    found
}

/// Whether nothing but spaces stands before a byte on its line.
fn begins_line(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte != b'\n').all(|byte| *byte == b' ')
}

/// Where a line starts with `import ` or `export `.
fn line_starts_with_module_word(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    for word in ["import ", "export "] {
        if text.starts_with(word) {
            starts.push(0);
        }
        let found = memchr::memmem::find_iter(text.as_bytes(), word.as_bytes());
        let at_line_start = |at: &usize| *at > 0 && text.as_bytes().get(at - 1) == Some(&b'\n');
        starts.extend(found.filter(at_line_start));
    }
    starts.sort_unstable();
    starts
}

/// A line MDX would run: `import x from "…"`, `import "…"`, `export const …`.
fn is_module_line(line: &str) -> bool {
    let after_import = line.strip_prefix("import ").map(str::trim);
    let after_export = line.strip_prefix("export ").map(str::trim);
    after_import.is_some_and(|rest| {
        rest.starts_with(['"', '\'', '{', '*']) || rest.contains(" from \"") || rest.contains(" from '")
    }) || after_export.is_some_and(|rest| {
        rest.starts_with(['{', '*'])
            || ["default ", "const ", "let ", "var ", "function ", "class "]
                .iter()
                .any(|word| rest.starts_with(word))
    })
}
