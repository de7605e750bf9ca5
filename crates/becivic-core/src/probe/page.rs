//! The text a person would read on a page, as far as that can be told without a browser.
//!
//! 1. Tags and comments fall away; what stands inside scripts, styles and templates does too, because nobody reads it.
//! 2. Character references are read: numbers, and the names of the letters our languages use.
//! 3. White space is one blank, as it is shown; a tag parts words unless it only marks them.

/// Elements whose content nobody reads.
const UNREAD: &[&str] = &["script", "style", "template", "noscript", "svg", "head"];

/// Elements inside of which a word goes on.
const WITHIN_WORDS: &[&str] =
    &["a", "abbr", "b", "em", "font", "i", "mark", "small", "span", "strong", "sub", "sup", "u", "wbr"];

/// The names of U+00A0 to U+00FF, in that order.
const LATIN_1: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
    sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
    AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times \
    Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
    ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
    uuml yacute thorn yuml";

/// Others that occur in ordinary text.
const OTHERS: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("rsquo", '’'),
    ("lsquo", '‘'),
    ("rdquo", '”'),
    ("ldquo", '“'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("oelig", 'œ'),
    ("OElig", 'Œ'),
    ("euro", '€'),
];

/// The text of a page.
pub fn text_of(html: &str) -> String {
    let mut text = String::with_capacity(html.len() / 4);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        add(&mut text, before);
        let (name, is_end, after) = read_tag(tag);
        rest = after;
        let Some(name) = name else {
            if after.len() + 1 == tag.len() {
                text.push('<'); // not a tag: a sign in a formula
            }
            continue;
        };
        if !WITHIN_WORDS.contains(&name.as_str()) {
            text.push(' ');
        }
        if !is_end && UNREAD.contains(&name.as_str()) {
            rest = after_end(rest, &name);
        }
    }
    add(&mut text, rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name of a tag, whether it ends an element, and what comes after it. No name: a comment, or no tag at all.
fn read_tag(tag: &str) -> (Option<String>, bool, &str) {
    if let Some(comment) = tag.strip_prefix("<!--") {
        return (None, false, comment.split_once("-->").map_or("", |(_, after)| after));
    }
    let inside = tag.get(1..).unwrap_or_default();
    let (is_end, named) = inside.strip_prefix('/').map_or((false, inside), |named| (true, named));
    if !named.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
        return (None, false, inside);
    }
    let name =
        named.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
    // A value in quotes may hold the sign that ends a tag.
    let mut quote = None;
    let end = named.char_indices().find(|(_, c)| match quote {
        Some(open) => {
            if *c == open {
                quote = None;
            }
            false
        }
        None => {
            quote = matches!(c, '"' | '\'').then_some(*c);
            *c == '>'
        }
    });
    let after = end.and_then(|(at, _)| named.get(at + 1..)).unwrap_or_default();
    (Some(name), is_end, after)
}

/// What comes after the end of an element that nobody reads.
fn after_end<'h>(html: &'h str, name: &str) -> &'h str {
    let mut rest = html;
    while let Some(at) = rest.find("</") {
        rest = rest.get(at..).unwrap_or_default();
        // The name first: a tag is read to its end only once.
        let is_named = rest.get(2..2 + name.len()).is_some_and(|named| named.eq_ignore_ascii_case(name));
        let ends_there = rest.as_bytes().get(2 + name.len()).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if is_named && ends_there {
            return read_tag(rest).2;
        }
        rest = rest.get(2..).unwrap_or_default();
    }
    ""
}

/// Adds a run of characters, with its references read.
fn add(text: &mut String, run: &str) {
    let mut parts = run.split('&');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let read = part.split_once(';').and_then(|(name, after)| Some((character(name)?, after)));
        match read {
            Some((character, after)) => {
                text.push(character);
                text.push_str(after);
            }
            None => {
                text.push('&');
                text.push_str(part);
            }
        }
    }
}

fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    let latin = LATIN_1.split(' ').position(|it| it == name);
    let latin = latin.and_then(|at| char::from_u32(0xa0 + u32::try_from(at).ok()?));
    latin.or_else(|| OTHERS.iter().find(|(it, _)| *it == name).map(|(_, character)| *character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_reads_is_left() {
        for (html, text) in [
            ("<h1>Page\n introuvable</h1><p>Retour", "Page introuvable Retour"),
            ("<p>Service <b>indis</b>ponible</p>", "Service indisponible"),
            (
                "momentan&eacute;ment &#233;teint &#xE9; A&amp;B &euro;5 &rsquo; &unknown; & co",
                "momentanément éteint é A&B €5 ’ &unknown; & co",
            ),
            ("a&nbsp;b&szlig;&yuml;&Agrave;", "a bßÿÀ"),
            ("<script>var t = 'Page introuvable </p>';</script>ici<style>p{}</style>", "ici"),
            ("<SCRIPT>x</SCRIPT >ici <!-- Page introuvable --> et là", "ici et là"),
            ("<template><p>Fermé</p></template><noscript>JavaScript</noscript>ouvert", "ouvert"),
            ("<head><title>Erreur</title></head><body>Bienvenue", "Bienvenue"),
            ("<header>Menu</header>", "Menu"),
            ("<a title='a > b' href=\"x\">lien</a>", "lien"),
            ("1 < 2 and <3", "1 < 2 and <3"),
            ("<script>never closed", ""),
            ("<p never closed", ""),
            ("<!-- never closed", ""),
            ("", ""),
        ] {
            assert_eq!(text_of(html), text, "{html}");
        }
    }

    #[test]
    fn a_page_made_to_be_slow_is_not() {
        let half = 1 << 18;
        assert_eq!(text_of(&"<".repeat(half)).len(), half);
        assert_eq!(text_of(&format!("<script>{}", "</".repeat(half))), "");
        assert_eq!(text_of(&"<p '".repeat(half)), "");
        assert_eq!(text_of(&format!("<script>{}", "</p '".repeat(half))), "");
        assert_eq!(text_of(&format!("<script>{}", "</scripts '".repeat(half))), "");
    }
}
