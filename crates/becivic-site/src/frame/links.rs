//! Links keep the language that somebody chose in the address: the one rule for the frame and for the text.
//!
//! Texts come printed. In them every quotation mark of an author or a stranger is escaped, so ` href="/` begins a link of ours and
//! nothing else.

use maud::{Markup, html};

/// Addresses whose answers are the same in every language.
const SAME: [&str; 4] = ["/api", "/assets/", "/llms", "/mcp"];

/// An address within the site, with the language in it.
pub(super) fn with_language(address: &str, language: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or(address);
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_file = last == "source.md" || (last.contains('.') && !last.ends_with(".md"));
    if is_file || !address.starts_with('/') || SAME.iter().any(|same| path.starts_with(same)) {
        return address.to_owned();
    }
    let (before, place) = match address.split_once('#') {
        Some((before, place)) => (before, format!("#{place}")),
        None => (address, String::new()),
    };
    let sign = if before.contains('?') { "&amp;" } else { "?" };
    format!("{before}{sign}lang={language}{place}")
}

/// A printed text whose links and forms within the site keep the language.
pub(super) fn kept(printed: &str, language: &str) -> String {
    let mut out = String::with_capacity(printed.len() + printed.len() / 16);
    let mut pieces = printed.split(" href=\"");
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (address, rest) = piece.split_once('"').unwrap_or((piece, ""));
        out.push_str(" href=\"");
        out.push_str(&with_language(address, language));
        out.push('"');
        out.push_str(rest);
    }
    with_field(&out, language)
}

/// Forms that ask for a page: what is typed goes there with the language.
fn with_field(printed: &str, language: &str) -> String {
    let Some((before, form)) = printed.split_once(" action=\"/search\"") else { return printed.to_owned() };
    let Some((start, inside)) = form.split_once('>') else { return printed.to_owned() };
    format!("{before} action=\"/search\"{start}>{}{inside}", field(language).into_string())
}

/// The language as a field of a form.
pub(super) fn field(language: &str) -> Markup {
    html! { input type="hidden" name="lang" value=(language); }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_the_language_and_files_have_none() {
        let cases = [
            ("/skills/x", "/skills/x?lang=fr"),
            ("/skills/#status.alpha", "/skills/?lang=fr#status.alpha"),
            ("/search?q=a", "/search?q=a&amp;lang=fr"),
            ("/skills/x.md", "/skills/x.md?lang=fr"),
            ("/skills/x/source.md", "/skills/x/source.md"),
            ("/activity.json", "/activity.json"),
            ("/api/paths/x", "/api/paths/x"),
            ("/llms.txt", "/llms.txt"),
            ("#text", "#text"),
            ("https://example.be/a", "https://example.be/a"),
        ];
        for (address, with) in cases {
            assert_eq!(with_language(address, "fr"), with);
        }
    }

    #[test]
    fn a_text_keeps_it_in_every_link_and_no_other_place() {
        let text =
            "<p><a href=\"/a\">x</a> href=&quot;/b&quot; <a class=\"c\" href=\"https://d.be/\">d</a></p>";
        let kept = kept(text, "nl");
        assert_eq!(kept, text.replace("\"/a\"", "\"/a?lang=nl\""));
        let form = kept_form();
        assert!(form.contains(
            "action=\"/search\" method=\"get\"><input type=\"hidden\" name=\"lang\" value=\"nl\">"
        ));
    }

    fn kept_form() -> String {
        kept("<form action=\"/search\" method=\"get\"><input name=\"q\"></form>", "nl")
    }
}
