//! A document as markdown. What could be read as markup is escaped; what strangers wrote stands in a fence that says so.

use super::{Block, Inline, Tone, around};
use crate::body::escape::{begins_entity, first, is_special_in_markdown};
use crate::dates;
use crate::words::Words;
use std::borrow::Cow;

/// Blocks as markdown, with a line break at the end.
pub fn blocks(blocks: &[Block], words: &Words) -> String {
    let mut out = String::with_capacity(room(blocks));
    write(blocks, words, "", &mut out);
    let end = out.trim_end().len();
    out.truncate(end);
    out.push('\n');
    out
}

/// About how long blocks get.
fn room(blocks: &[Block]) -> usize {
    let one = |block: &Block| match block {
        Block::Printed { markdown, .. } => markdown.len(),
        Block::Group { blocks, .. } | Block::In { blocks, .. } => room(blocks),
        _ => 512,
    };
    blocks.iter().map(one).sum()
}

fn write(blocks: &[Block], words: &Words, indent: &str, out: &mut String) {
    for block in blocks {
        one(block, words, indent, out);
    }
}

fn one(it: &Block, words: &Words, indent: &str, out: &mut String) {
    match it {
        Block::Heading { level, text, .. } => {
            let marks = "#".repeat(usize::from(*level));
            line(indent, &format!("{marks} {}", inlines(text, words)), out);
        }
        Block::Paragraph(text) => {
            let start = out.len();
            out.push_str(indent);
            write_inlines(text, words, out);
            if out.len() == start + indent.len() {
                out.truncate(start);
            }
            out.push_str("\n\n");
        }
        Block::List { ordered, items } => list(*ordered, items, words, indent, out),
        Block::Table { caption, head, rows } => {
            line(indent, &format!("{}:", escape(caption)), out);
            table(head, rows, words, indent, out);
        }
        Block::Facts(rows) => {
            for (name, value) in rows {
                out.push_str(indent);
                around("- **", out, ":** ", |out| write_inlines(name, words, out));
                write_inlines(value, words, out);
                out.push('\n');
            }
            out.push('\n');
        }
        Block::Callout { tone, title, blocks } => {
            let mark = match tone {
                Tone::Note => "NOTE",
                Tone::Care => "WARNING",
                Tone::Alarm => "CAUTION",
                Tone::Good => "TIP",
            };
            let mut inside = String::new();
            write(blocks, words, "", &mut inside);
            let quoted = format!("[!{mark}]\n**{}**\n\n{}", escape(title), inside.trim_end());
            for row in quoted.lines() {
                out.push_str(indent);
                out.push_str(if row.is_empty() { ">" } else { "> " });
                put("", row.trim_end(), out);
            }
            out.push('\n');
        }
        Block::Disclosure { summary, blocks } => {
            line(indent, &format!("**{}**", escape(summary)), out);
            write(blocks, words, indent, out);
        }
        Block::Strangers { label, text } => {
            line(indent, &inlines(label, words), out);
            // Nothing they write reads like a tag of ours, also to a program that looks for tags alone.
            let inert = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            fenced("text untrusted", &inert, indent, out);
        }
        Block::Code { language, text } => fenced(language, text, indent, out),
        Block::Picture { title, instead, .. } => {
            line(indent, &format!("*{}*", inlines(title, words)), out);
            write(instead, words, indent, out);
        }
        Block::Group { blocks, .. } => write(blocks, words, indent, out),
        Block::In { blocks, .. } => write(blocks, words, indent, out),
        Block::Difference(lines) => {
            let lines: Vec<String> =
                lines.iter().map(|(side, line)| format!("{}{line}", side.sign())).collect();
            fenced("diff", &lines.join("\n"), indent, out);
        }
        Block::Printed { markdown, .. } => {
            let text = markdown.trim_end();
            // Most texts stand there as they are.
            if indent.is_empty() && !text.is_empty() && !text.contains('\r') {
                put("", text, out);
            } else {
                text.lines().for_each(|row| put(indent, row, out));
            }
            out.push('\n');
        }
    }
}

fn list(ordered: bool, items: &[Vec<Block>], words: &Words, indent: &str, out: &mut String) {
    let mut inside = String::new();
    for (at, item) in items.iter().enumerate() {
        let mark = if ordered { Cow::Owned(format!("{}. ", at + 1)) } else { Cow::Borrowed("- ") };
        inside.clear();
        write(item, words, "", &mut inside);
        for (row_at, row) in inside.trim_end().lines().enumerate() {
            if !row.is_empty() {
                out.push_str(indent);
                match row_at {
                    0 => out.push_str(&mark),
                    _ => out.extend(mark.chars().map(|_| ' ')),
                }
            }
            put("", row.trim_end(), out);
        }
    }
    out.push('\n');
}

fn table(head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>], words: &Words, indent: &str, out: &mut String) {
    let mut cell = String::new();
    let mut put_row = |row: &[Vec<Inline>], out: &mut String| {
        out.push_str(indent);
        out.push('|');
        for inside in row {
            cell.clear();
            write_inlines(inside, words, &mut cell);
            out.push(' ');
            push_cell(&cell, out);
            out.push_str(" |");
        }
        out.push('\n');
    };
    put_row(head, out);
    put(indent, &format!("|{}", " --- |".repeat(head.len())), out);
    rows.iter().for_each(|row| put_row(row, out));
    out.push('\n');
}

/// What stands in a cell. A bar would end it, unless it is escaped already, and a line break the table.
fn push_cell(cell: &str, out: &mut String) {
    if !cell.contains(['|', '\n']) {
        return out.push_str(cell);
    }
    let mut is_escaped = false;
    for c in cell.chars() {
        match c {
            '|' if !is_escaped => out.push_str("\\|"),
            '\n' => out.push(' '),
            c => out.push(c),
        }
        is_escaped = c == '\\' && !is_escaped;
    }
}

fn fenced(language: &str, text: &str, indent: &str, out: &mut String) {
    // Longer than any run of backticks inside: nothing that is quoted can end the fence.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    put(indent, &format!("{fence}{language}"), out);
    for row in text.lines() {
        put(indent, row, out);
    }
    line(indent, &fence, out);
}

fn line(indent: &str, text: &str, out: &mut String) {
    put(indent, text, out);
    out.push('\n');
}

fn put(indent: &str, text: &str, out: &mut String) {
    if !text.is_empty() {
        out.push_str(indent);
        out.push_str(text);
    }
    out.push('\n');
}

/// Inlines as markdown.
pub fn inlines(pieces: &[Inline], words: &Words) -> String {
    let mut out = String::new();
    write_inlines(pieces, words, &mut out);
    out
}

fn write_inlines(pieces: &[Inline], words: &Words, out: &mut String) {
    for piece in pieces {
        inline(piece, words, out);
    }
}

fn inline(it: &Inline, words: &Words, out: &mut String) {
    match it {
        Inline::Text(text) | Inline::In { text, .. } => write_escaped(text, out),
        Inline::Strange(text) => around("\u{201c}", out, "\u{201d}", |out| write_escaped(text, out)),
        Inline::Strong(inside) => around("**", out, "**", |out| write_inlines(inside, words, out)),
        Inline::Emphasis(inside) => around("*", out, "*", |out| write_inlines(inside, words, out)),
        Inline::Code(text) if text.contains('`') => around("`` ", out, " ``", |out| out.push_str(text)),
        Inline::Code(text) => around("`", out, "`", |out| out.push_str(text)),
        Inline::Link { to, label } => {
            around("[", out, "]", |out| write_inlines(label, words, out));
            around("(", out, ")", |out| destination(to, out));
        }
        Inline::Status(status) => out.push_str(words.status(*status)),
        Inline::Day(time) => write_escaped(&dates::in_words(time, words), out),
        Inline::Badge { text, .. } => around("(", out, ")", |out| write_escaped(text, out)),
        Inline::Printed { markdown, .. } => out.push_str(markdown),
    }
}

/// An address that cannot end the link it stands in.
fn destination(to: &str, out: &mut String) {
    let ends = |c: char| matches!(c, '(' | ')' | '<' | '>' | '\\' | ' ' | '\t' | '\n' | '\r');
    let is_end = |byte: u8| b"()<>\\ \t\n\r".iter().fold(false, |found, end| found | (byte == *end));
    if first(to, is_end).is_none() {
        return out.push_str(to);
    }
    for piece in to.split_inclusive(ends) {
        let last = piece.chars().next_back().filter(|c| ends(*c));
        out.push_str(last.map_or(piece, |last| piece.strip_suffix(last).unwrap_or(piece)));
        if let Some(last) = last {
            out.push_str(&format!("%{:02X}", u32::from(last)));
        }
    }
}

/// Text that means nothing but itself.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    write_escaped(text, &mut out);
    out
}

fn write_escaped(text: &str, out: &mut String) {
    // A line that begins like a block would be one.
    let bare = text.trim_start();
    let is_like_a_block = bare.starts_with(['#', '+', '-', '=']);
    let mut rest = if is_like_a_block { bare } else { text };
    if is_like_a_block {
        out.push('\\');
    }
    while let Some(at) = first(rest, |byte| is_special_in_markdown(byte) | (byte == b'&')) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (special, after) = from.split_at(1);
        match special {
            "\n" | "\r" => out.push(' '),
            "&" if !begins_entity(after) => out.push('&'),
            special => {
                out.push('\\');
                out.push_str(special);
            }
        }
        rest = after;
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::super::{code, text};
    use super::*;
    use crate::words;
    use becivic_core::vocabulary::Language;

    #[test]
    fn bars_in_cells_are_escaped_once_however_they_came_there() {
        let cells = [text("a | b"), code("c|d"), text("e \\| f"), text("g\nh")].map(|cell| vec![cell]);
        let head = vec![vec![text("One")]; cells.len()];
        let table = Block::Table { caption: "All".to_owned(), head, rows: vec![cells.into()] };
        let written = blocks(&[table], words::of(Language::En));
        assert!(written.contains("\n| a \\| b | `c\\|d` | e \\\\\\| f | g h |\n"), "{written}");
    }

    #[test]
    fn text_becomes_no_entity() {
        assert_eq!(escape("&lt;b&gt; &copy; &#38; R&D & co"), "\\&lt;b\\&gt; \\&copy; \\&#38; R\\&D & co");
    }
}
