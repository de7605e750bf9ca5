//! A document as HTML. Everything is escaped but what was printed by us, and written into one text: that of the page.

use super::{Block, Inline, Side, Tone, around, plain};
use crate::body::escape;
use crate::dates;
use crate::words::Words;
use maud::{Markup, PreEscaped, Render, html};

/// Blocks as HTML.
pub fn blocks(blocks: &[Block], words: &Words) -> Markup {
    let mut out = String::with_capacity(room(blocks));
    write(blocks, words, &mut out);
    PreEscaped(out)
}

/// Inlines as HTML.
pub fn inlines(pieces: &[Inline], words: &Words) -> Markup {
    html! { (Line(pieces, words)) }
}

/// About how long blocks get, and rather more: a text that outgrows its room is copied into a larger one.
pub fn room(blocks: &[Block]) -> usize {
    let one = |block: &Block| match block {
        Block::Printed { html, .. } => html.len(),
        Block::Group { blocks, .. }
        | Block::In { blocks, .. }
        | Block::Callout { blocks, .. }
        | Block::Disclosure { blocks, .. } => 256 + room(blocks),
        Block::Picture { svg, instead, .. } => 512 + svg.len() + room(instead),
        Block::List { items, .. } => items.iter().map(|item| room(item)).sum(),
        Block::Table { rows, .. } => 512 + rows.len() * 512,
        Block::Facts(rows) => rows.len() * 192,
        Block::Heading { .. }
        | Block::Paragraph(_)
        | Block::Strangers { .. }
        | Block::Code { .. }
        | Block::Difference(_) => 256,
    };
    blocks.iter().map(one).sum()
}

/// Makes room in a text that a template begins.
pub struct Room(pub usize);

impl Render for Room {
    fn render_to(&self, out: &mut String) {
        out.reserve(self.0);
    }
}

/// Blocks within a template: written where they stand.
struct Blocks<'d>(&'d [Block], &'d Words);

impl Render for Blocks<'_> {
    fn render_to(&self, out: &mut String) {
        write(self.0, self.1, out);
    }
}

/// Inlines within a template, alike.
struct Line<'d>(&'d [Inline], &'d Words);

impl Render for Line<'_> {
    fn render_to(&self, out: &mut String) {
        write_inlines(self.0, self.1, out);
    }
}

/// Writes blocks as HTML. What there is much of is written where it belongs; templates are for the rest.
pub fn write(blocks: &[Block], words: &Words, out: &mut String) {
    for block in blocks {
        one(block, words, out);
    }
}

fn one(it: &Block, words: &Words, out: &mut String) {
    match it {
        Block::Printed { html, .. } => out.push_str(html),
        Block::Group { class, blocks } => {
            named("<div class=\"", class, "</div>", out, |out| write(blocks, words, out));
        }
        Block::In { language, blocks } => {
            named("<div lang=\"", language, "</div>", out, |out| write(blocks, words, out));
        }
        Block::Heading { level, id, text } => {
            let (open, close) = match level {
                1 => ("<h1 id=\"", "</h1>"),
                2 => ("<h2 id=\"", "</h2>"),
                3 => ("<h3 id=\"", "</h3>"),
                _ => ("<h4 id=\"", "</h4>"),
            };
            named(open, id, close, out, |out| write_inlines(text, words, out));
        }
        Block::Paragraph(text) => around("<p>", out, "</p>", |out| write_inlines(text, words, out)),
        Block::List { ordered: true, items } => {
            around("<ol>", out, "</ol>", |out| entries(items, words, out));
        }
        Block::List { ordered: false, items } => {
            around("<ul>", out, "</ul>", |out| entries(items, words, out));
        }
        other => seldom(other, words).render_to(out),
    }
}

fn seldom(it: &Block, words: &Words) -> Markup {
    match it {
        Block::Table { caption, head, rows } => table(caption, head, rows, words),
        Block::Facts(rows) => html! {
            dl class="facts" {
                @for (name, value) in rows {
                    div { dt { (Line(name, words)) } dd { (Line(value, words)) } }
                }
            }
        },
        Block::Callout { tone, title, blocks } => html! {
            div class={ "callout " (tone_class(*tone)) } role="note" aria-label=(bare(title)) {
                p class="callout-title" { (bare(title)) }
                (Blocks(blocks, words))
            }
        },
        Block::Disclosure { summary, blocks } => html! {
            details { summary { (summary) } (Blocks(blocks, words)) }
        },
        Block::Strangers { label, text } => html! {
            figure class="strangers" {
                figcaption { (Line(label, words)) }
                // Nobody knows the language they wrote in.
                blockquote lang="" { p { (text) } }
            }
        },
        Block::Code { text, .. } => html! { pre tabindex="0" { code { (text) } } },
        Block::Picture { svg, title, instead } => html! {
            figure class="picture" {
                figcaption { (Line(title, words)) }
                (drawing(svg, &plain(title)))
                details { summary { (words.picture_in_words) } (Blocks(instead, words)) }
            }
        },
        Block::Difference(lines) => difference(lines),
        Block::Printed { .. }
        | Block::Group { .. }
        | Block::In { .. }
        | Block::Heading { .. }
        | Block::Paragraph(_)
        | Block::List { .. } => blocks(std::slice::from_ref(it), words),
    }
}

/// An element with a class, a language or a name: how it opens up to that, that, how it closes, what it holds.
fn named(open: &str, name: &str, close: &str, out: &mut String, inside: impl FnOnce(&mut String)) {
    out.push_str(open);
    escape::template(name, out);
    around("\">", out, close, inside);
}

/// A title without the sign that style sheets draw before it.
fn bare(title: &str) -> &str {
    title.trim_start_matches("⚠️").trim_start()
}

/// Lines with their signs; what was added and removed is also marked as such for those who hear the page.
fn difference(lines: &[(Side, String)]) -> Markup {
    html! {
        pre class="difference" tabindex="0" {
            @for (side, line) in lines {
                @match side {
                    Side::Both => { (side.sign()) (line) "\n" }
                    Side::Added => { ins { (side.sign()) (line) } "\n" }
                    Side::Removed => { del { (side.sign()) (line) } "\n" }
                    Side::Place => { span class="place" { (line) } "\n" }
                }
            }
        }
    }
}

/// A picture is one thing to those who cannot see it, unless there are links in it to go to. One that may be wider than the page
/// scrolls sideways, also by keyboard.
fn drawing(svg: &str, title: &str) -> Markup {
    let has_links = svg.contains("<a ");
    let is_wide = svg.contains("class=\"flow\"");
    html! {
        div class="drawing" role=(if has_links || is_wide { "group" } else { "img" }) aria-label=(title)
            tabindex=[is_wide.then_some("0")] {
            @if is_wide { div role="img" aria-label=(title) { (PreEscaped(svg)) } } @else { (PreEscaped(svg)) }
        }
    }
}

fn entries(items: &[Vec<Block>], words: &Words, out: &mut String) {
    for item in items {
        around("<li>", out, "</li>", |out| match item.as_slice() {
            [Block::Paragraph(text), rest @ ..] => {
                write_inlines(text, words, out);
                write(rest, words, out);
            }
            other => write(other, words, out),
        });
    }
}

fn table(caption: &str, head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>], words: &Words) -> Markup {
    let named = (!caption.is_empty()).then_some(caption);
    html! {
        // A group, not a region: a page has many tables, and landmarks that share a name help nobody.
        div class="table" role="group" aria-label=[named] tabindex="0" {
            table {
                @if let Some(caption) = named { caption { (caption) } }
                thead { tr { @for cell in head { th scope="col" { (Line(cell, words)) } } } }
                tbody { @for row in rows { tr { @for cell in row { td { (Line(cell, words)) } } } } }
            }
        }
    }
}

fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Note => "note",
        Tone::Care => "care",
        Tone::Alarm => "alarm",
        Tone::Good => "good",
    }
}

fn write_inlines(pieces: &[Inline], words: &Words, out: &mut String) {
    for piece in pieces {
        inline(piece, words, out);
    }
}

fn written(text: &str) -> impl FnOnce(&mut String) {
    move |out| escape::template(text, out)
}

fn inline(it: &Inline, words: &Words, out: &mut String) {
    match it {
        Inline::Text(text) => escape::template(text, out),
        Inline::Strange(text) => around("<span lang=\"\">", out, "</span>", written(text)),
        Inline::Strong(inside) => {
            around("<strong>", out, "</strong>", |out| write_inlines(inside, words, out));
        }
        Inline::Emphasis(inside) => around("<em>", out, "</em>", |out| write_inlines(inside, words, out)),
        Inline::Code(text) => around("<code>", out, "</code>", written(text)),
        Inline::Link { to, label } => {
            around("<a href=\"", out, "\"", written(to));
            let open = if to.starts_with(['/', '#']) { ">" } else { " rel=\"external noopener\">" };
            around(open, out, "</a>", |out| write_inlines(label, words, out));
        }
        Inline::Status(status) => {
            around("<span class=\"status ", out, "\">", written(status.as_str()));
            around("", out, "</span>", written(words.status(*status)));
        }
        Inline::Day(time) if dates::is_date(time) => {
            named("<time datetime=\"", dates::day_of(time), "</time>", out, |out| {
                escape::template(&dates::in_words(time, words), out);
            });
        }
        Inline::Day(other) => escape::template(other, out),
        Inline::Badge { class, text } => {
            around("<span class=\"badge ", out, "\">", written(class));
            around("", out, "</span>", written(text));
        }
        Inline::In { language, text } => named("<span lang=\"", language, "</span>", out, written(text)),
        Inline::Printed { html, .. } => out.push_str(html),
    }
}
