//! The body of a proposed skill as a page, so that a maintainer reads what readers would.
//!
//! 1. The core reads the body and masks its tags (`becivic_core::mdx`), so that CommonMark sees prose where they stand and
//!    every offset stays true.
//! 2. Each event becomes an element of a short list; whatever is not on it is text. Nothing of the body reaches the page
//!    unescaped, and characters that do not show are written out.
//! 3. Tags are shown as labels where they stand: this is how to see what they are about to become.

use super::marks::visible;
use becivic_core::mdx::tag::{Form, SHAPES, Tag};
use becivic_core::mdx::{self, scan};
use becivic_core::text::Source;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag as Mark, TagEnd};
use std::ops::Range;

/// Headings of a body stand below those of the page around it.
const HEADINGS_BELOW: usize = 2;

/// A body as HTML.
pub fn html(body: &str) -> String {
    let masked = scan::mask(body, &scan::scan(body));
    let (document, _) = mdx::parse(body, 0);
    let source = Source::new("", body);
    let mut page = Page { body, labels: labels(&document.tags, &source), next: 0, out: String::new() };
    for (event, place) in Parser::new(&masked).into_offset_iter() {
        page.event(event, &masked, place);
    }
    page.labels_alone(body.len());
    page.out
}

/// A text as HTML.
pub fn escaped(text: &str) -> String {
    let text = visible(text);
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// What stands in the place of a tag, or of its end.
struct Label {
    place: Range<usize>,
    html: String,
}

fn labels(tags: &[Tag], source: &Source) -> Vec<Label> {
    let mut labels = Vec::new();
    for tag in tags {
        let name = SHAPES.iter().find(|shape| shape.kind == tag.kind).map_or("", |shape| shape.name);
        let attributes: Vec<String> = tag
            .attributes
            .iter()
            .map(|it| format!("{} {}", source.slice(it.name), source.slice(it.value)))
            .collect();
        let about = escaped(&attributes.join(" · "));
        let html = format!("<span class=\"tag\"><b>{name}</b> {about}</span> ");
        labels.push(Label { place: tag.open.range(), html });
        if let Form::Wrapper { close } = &tag.form {
            labels.push(Label { place: close.range(), html: format!("<span class=\"tag\">/{name}</span>") });
        }
    }
    labels.sort_by_key(|label| label.place.start);
    labels
}

struct Page<'b> {
    body: &'b str,
    labels: Vec<Label>,
    next: usize,
    out: String,
}

impl Page<'_> {
    fn event(&mut self, event: Event<'_>, masked: &str, place: Range<usize>) {
        match event {
            Event::Start(mark) => self.start(mark, place.start),
            Event::End(end) => self.end(end),
            Event::Text(text) if masked.get(place.clone()) == Some(&*text) => self.text(place),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::FootnoteReference(text) => {
                self.out.push_str(&escaped(&text));
            }
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.out.push_str(&format!("<code>{}</code>", escaped(&text)));
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::TaskListMarker(_) => {}
        }
    }

    /// Prose, with labels where the tags are.
    fn text(&mut self, place: Range<usize>) {
        let mut at = place.start;
        while let Some(label) = self.labels.get(self.next).filter(|label| label.place.start < place.end) {
            let (start, end) = (label.place.start.max(at), label.place.end.max(at));
            self.out.push_str(&escaped(self.body.get(at..start).unwrap_or_default()));
            self.out.push_str(&label.html);
            at = end;
            self.next += 1;
        }
        self.out.push_str(&escaped(self.body.get(at..place.end).unwrap_or_default()));
    }

    /// Labels of tags that stand on lines of their own before this place.
    fn labels_alone(&mut self, before: usize) {
        let mut html = String::new();
        while let Some(label) = self.labels.get(self.next).filter(|label| label.place.start < before) {
            html.push_str(&label.html);
            self.next += 1;
        }
        if !html.is_empty() {
            self.out.push_str(&format!("<p>{html}</p>\n"));
        }
    }

    fn start(&mut self, mark: Mark<'_>, at: usize) {
        let inline = matches!(mark, Mark::Emphasis | Mark::Strong | Mark::Link { .. } | Mark::Image { .. });
        // Between the items of a list nothing may stand.
        if !inline && !matches!(mark, Mark::Item) {
            self.labels_alone(at);
        }
        let html = match mark {
            Mark::Heading { level, .. } => format!("<h{}>", below(level)),
            Mark::BlockQuote(_) => "<blockquote>".to_owned(),
            Mark::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => "<pre>".to_owned(),
            Mark::List(None) => "<ul>".to_owned(),
            Mark::List(Some(first)) => format!("<ol start=\"{first}\">"),
            Mark::Item => "<li>".to_owned(),
            Mark::Emphasis => "<em>".to_owned(),
            Mark::Strong => "<strong>".to_owned(),
            Mark::Link { dest_url, .. } => link(&dest_url),
            Mark::Image { .. } => "<span class=\"tag\">image ".to_owned(),
            _ => "<p>".to_owned(),
        };
        self.out.push_str(&html);
    }

    fn end(&mut self, end: TagEnd) {
        let html = match end {
            TagEnd::Heading(level) => format!("</h{}>\n", below(level)),
            TagEnd::BlockQuote(_) => "</blockquote>\n".to_owned(),
            TagEnd::CodeBlock => "</pre>\n".to_owned(),
            TagEnd::List(false) => "</ul>\n".to_owned(),
            TagEnd::List(true) => "</ol>\n".to_owned(),
            TagEnd::Item => "</li>\n".to_owned(),
            TagEnd::Emphasis => "</em>".to_owned(),
            TagEnd::Strong => "</strong>".to_owned(),
            TagEnd::Link => "</a>".to_owned(),
            TagEnd::Image => "</span>".to_owned(),
            _ => "</p>\n".to_owned(),
        };
        self.out.push_str(&html);
    }
}

fn below(level: HeadingLevel) -> usize {
    (level as usize + HEADINGS_BELOW).min(6)
}

/// A link that leads to https and nowhere else; it says nothing of where it was followed from.
fn link(target: &str) -> String {
    match target.starts_with("https://") {
        true => format!("<a href=\"{}\" rel=\"noreferrer noopener nofollow\">", escaped(target)),
        false => format!("<a class=\"dead\" title=\"{}\">", escaped(target)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_becomes_a_page_with_labels() {
        let body = "# A *b*\n\n<Risk reason=\"late\">\n\nPay <VV name=\"fee\" uid=\"val-00001\">€ 5</VV> & go.\n\n</Risk>\n\n1. One `x<y`\n2. [Two](https://a.be/?q=1&r=2)\n\n<Observations skill=\"s\" />\n";
        let page = html(body);
        for part in [
            "<h3>A <em>b</em></h3>",
            "<p><span class=\"tag\"><b>Risk</b> reason late</span> </p>",
            "<p>Pay <span class=\"tag\"><b>VV</b> name fee · uid val-00001</span> € 5<span class=\"tag\">/VV</span> &amp; go.</p>",
            "<p><span class=\"tag\">/Risk</span></p>",
            "<ol start=\"1\"><li>One <code>x&lt;y</code></li>",
            "<a href=\"https://a.be/?q=1&amp;r=2\" rel=\"noreferrer noopener nofollow\">Two</a>",
            "<b>Observations</b> skill s",
        ] {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
    }

    #[test]
    fn nothing_in_a_body_becomes_markup_of_the_page() {
        for body in [
            "<script>alert(1)</script>\n",
            "a <img src=x onerror=alert(1)> b\n",
            "[x](javascript:alert(1)) <javascript:alert(1)>\n",
            "![x](https://a.be/x.png)\n",
            "<VV name=\"a\" uid=\"&quot;><script>\">x</VV>\n",
            "```html\n<script>\n```\n",
            "[x](https://a.be/\"onclick=\"alert(1))\n",
            "&lt;script&gt; &#60;script&#62;\n",
            "<Unknown><script></Unknown>\n",
        ] {
            let page = html(body);
            let names = page.split('<').skip(1).map(|rest| rest.trim_start_matches('/'));
            for name in names {
                let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
                assert!(["p", "a", "span", "b", "pre", "code"].contains(&name.as_str()), "{name} in {page}");
            }
            for word in [" onerror=", "href=\"javascript", " onclick=", " src="] {
                assert!(
                    !page.split('<').any(|tag| tag.split('>').next().unwrap_or("").contains(word)),
                    "{page}"
                );
            }
        }
        assert!(html("a\u{202e}b\n").contains("⟨U+202E⟩"));
    }
}
