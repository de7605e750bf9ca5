//! A document as HTML. Everything is escaped but what was printed by us.

use super::{Block, Inline, Side, Tone, plain};
use crate::dates;
use crate::words::Words;
use maud::{Markup, PreEscaped, html};

/// Blocks as HTML.
pub fn blocks(blocks: &[Block], words: &Words) -> Markup {
    let mut out = String::new();
    write(blocks, words, &mut out);
    PreEscaped(out)
}

/// Long texts stand in few blocks: those are written where they belong, and never copied.
fn write(blocks: &[Block], words: &Words, out: &mut String) {
    for block in blocks {
        match block {
            Block::Printed { html, .. } => out.push_str(html),
            Block::Group { class, blocks } => {
                html! { div class=(class) {} }.0.strip_suffix(END).iter().for_each(|tag| out.push_str(tag));
                write(blocks, words, out);
                out.push_str(END);
            }
            Block::In { language, blocks } => {
                html! { div lang=(language) {} }.0.strip_suffix(END).iter().for_each(|tag| out.push_str(tag));
                write(blocks, words, out);
                out.push_str(END);
            }
            other => out.push_str(&one(other, words).0),
        }
    }
}

/// How a division ends.
const END: &str = "</div>";

fn one(it: &Block, words: &Words) -> Markup {
    match it {
        Block::Heading { level, id, text } => heading(*level, id, text, words),
        Block::Paragraph(text) => html! { p { (inlines(text, words)) } },
        Block::List { ordered: true, items } => html! { ol { (entries(items, words)) } },
        Block::List { ordered: false, items } => html! { ul { (entries(items, words)) } },
        Block::Table { caption, head, rows } => table(caption, head, rows, words),
        Block::Facts(rows) => html! {
            dl class="facts" {
                @for (name, value) in rows {
                    div { dt { (inlines(name, words)) } dd { (inlines(value, words)) } }
                }
            }
        },
        Block::Callout { tone, title, blocks: inside } => html! {
            div class={ "callout " (tone_class(*tone)) } role="note" aria-label=(bare(title)) {
                p class="callout-title" { (bare(title)) }
                (blocks(inside, words))
            }
        },
        Block::Disclosure { summary, blocks: inside } => html! {
            details { summary { (summary) } (blocks(inside, words)) }
        },
        Block::Strangers { label, text } => html! {
            figure class="strangers" {
                figcaption { (inlines(label, words)) }
                // Nobody knows the language they wrote in.
                blockquote lang="" { p { (text) } }
            }
        },
        Block::Code { text, .. } => html! { pre tabindex="0" { code { (text) } } },
        Block::Picture { svg, title, instead } => html! {
            figure class="picture" {
                figcaption { (inlines(title, words)) }
                (drawing(svg, &plain(title)))
                details { summary { (words.picture_in_words) } (blocks(instead, words)) }
            }
        },
        Block::Difference(lines) => difference(lines),
        Block::Group { .. } | Block::In { .. } | Block::Printed { .. } => {
            blocks(std::slice::from_ref(it), words)
        }
    }
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

fn heading(level: u8, id: &str, text: &[Inline], words: &Words) -> Markup {
    let text = inlines(text, words);
    match level {
        1 => html! { h1 id=(id) { (text) } },
        2 => html! { h2 id=(id) { (text) } },
        3 => html! { h3 id=(id) { (text) } },
        _ => html! { h4 id=(id) { (text) } },
    }
}

fn entries(items: &[Vec<Block>], words: &Words) -> Markup {
    html! {
        @for item in items {
            li {
                @match item.as_slice() {
                    [Block::Paragraph(text)] => (inlines(text, words)),
                    [Block::Paragraph(text), rest @ ..] => { (inlines(text, words)) (blocks(rest, words)) }
                    other => (blocks(other, words)),
                }
            }
        }
    }
}

fn table(caption: &str, head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>], words: &Words) -> Markup {
    let named = (!caption.is_empty()).then_some(caption);
    html! {
        // A group, not a region: a page has many tables, and landmarks that share a name help nobody.
        div class="table" role="group" aria-label=[named] tabindex="0" {
            table {
                @if let Some(caption) = named { caption { (caption) } }
                thead { tr { @for cell in head { th scope="col" { (inlines(cell, words)) } } } }
                tbody { @for row in rows { tr { @for cell in row { td { (inlines(cell, words)) } } } } }
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

/// Inlines as HTML.
pub fn inlines(pieces: &[Inline], words: &Words) -> Markup {
    html! { @for piece in pieces { (inline(piece, words)) } }
}

fn inline(it: &Inline, words: &Words) -> Markup {
    match it {
        Inline::Text(text) => html! { (text) },
        Inline::Strange(text) => html! { span lang="" { (text) } },
        Inline::Strong(inside) => html! { strong { (inlines(inside, words)) } },
        Inline::Emphasis(inside) => html! { em { (inlines(inside, words)) } },
        Inline::Code(text) => html! { code { (text) } },
        Inline::Link { to, label } if to.starts_with(['/', '#']) => {
            html! { a href=(to) { (inlines(label, words)) } }
        }
        Inline::Link { to, label } => {
            html! { a href=(to) rel="external noopener" { (inlines(label, words)) } }
        }
        Inline::Status(status) => {
            html! { span class={ "status " (status.as_str()) } { (words.status(*status)) } }
        }
        Inline::Day(time) if dates::is_date(time) => html! {
            time datetime=(dates::day_of(time)) { (dates::in_words(time, words)) }
        },
        Inline::Day(other) => html! { (other) },
        Inline::Badge { class, text } => html! { span class={ "badge " (class) } { (text) } },
        Inline::In { language, text } => html! { span lang=(language) { (text) } },
        Inline::Printed { html, .. } => PreEscaped(html.clone()),
    }
}
