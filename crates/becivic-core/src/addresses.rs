//! The addresses that a text names: the one place that knows where one begins, where it ends and which host it leads to.
//!
//! 1. An address begins with a scheme before `://`, with slashes the other way round too; with `http:` or `https:` whatever
//!    follows; or with `www.`. It ends at what cannot be part of one; the point after a sentence is not its own.
//! 2. Tricks are undone before it is looked for, as for the scrub rules ([`crate::scrub::Folded`]); a host that was written
//!    with one is nobody's.
//! 3. Nor has an address a host that may not be cited at all (`url_policy.rs`), that is spelled in another script, or that a
//!    backslash makes two programs read differently.

use crate::scrub::Folded;
use crate::url_policy;
use std::ops::Range;

/// An address in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// The host it leads to; `None` where it is made to look like something else, or may not be cited.
    pub host: Option<String>,
}

/// Every address that a text names, in its order.
pub fn named(text: &str) -> Vec<Address> {
    let folded = Folded::new(text);
    let plain = folded.text();
    let mut found: Vec<Address> = Vec::new();
    let mut done = 0;
    for start in beginnings(plain) {
        if start < done {
            continue;
        }
        let Some(written) = plain.get(start..).map(whole) else { continue };
        done = start + written.len().max(1);
        let span = folded.original(start..start + written.len());
        let authority = start..start + authority_end(written);
        let honest = text.get(folded.original(authority.clone())) == plain.get(authority);
        found.push(Address { span, host: host(written).filter(|_| honest) });
    }
    found
}

/// The addresses with a scheme, as they are written.
pub fn written(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("://").filter_map(|(at, _)| text.get(scheme_start(text, at)..).map(whole))
}

/// Where addresses may begin, in order.
fn beginnings(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, _) in text.match_indices(':') {
        let start = scheme_start(text, at);
        let slash = |offset: usize| bytes.get(at + offset).is_some_and(|b| matches!(b, b'/' | b'\\'));
        let scheme = text.get(start..at).unwrap_or_default();
        let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        let goes_on = text.get(at + 1..).and_then(|rest| rest.chars().next()).is_some_and(|c| !ends(c));
        if start < at && ((slash(1) && slash(2)) || (web && goes_on)) {
            found.push(start);
        }
    }
    // ASCII lower case keeps every place.
    for (at, _) in text.to_ascii_lowercase().match_indices("www.") {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        if before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | '-')) {
            found.push(at);
        }
    }
    found.sort_unstable();
    found
}

/// Where the scheme before a colon begins.
fn scheme_start(text: &str, colon: usize) -> usize {
    let before = text.get(..colon).unwrap_or_default();
    before.bytes().rposition(|b| !b.is_ascii_alphanumeric()).map_or(0, |at| at + 1)
}

fn ends(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | ')' | ']' | '}' | '`' | '|')
}

/// The address that a text begins with.
fn whole(text: &str) -> &str {
    let end = text.find(ends).unwrap_or(text.len());
    text.get(..end).unwrap_or_default().trim_end_matches(['.', ',', ';', ':', '!', '?'])
}

/// Where the part that names the host ends.
fn authority_end(address: &str) -> usize {
    let first = address.find("//").map_or(0, |at| at + 2);
    let rest = address.get(first..).unwrap_or_default();
    rest.find(['/', '?', '#']).map_or(address.len(), |at| first + at)
}

fn host(address: &str) -> Option<String> {
    let authority = address.get(..authority_end(address))?;
    if address.contains('\\') || !authority.is_ascii() {
        return None;
    }
    let whole = match authority.contains("://") {
        true => url_policy::host(address).ok()?.into_owned(),
        false if authority.contains(':') => return None,
        false => url_policy::host(&format!("https://{address}")).ok()?.into_owned(),
    };
    let other_script = whole.split('.').any(|label| label.starts_with("xn--"));
    (!other_script).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(text: &str) -> Vec<Option<String>> {
        named(text).into_iter().map(|it| it.host).collect()
    }

    #[test]
    fn hosts_are_read_wherever_they_stand() {
        let found = hosts("see https://a.be/x, (https://b.be), [y](https://c.be/z) or www.d.be.");
        let names: Vec<String> = found.into_iter().flatten().collect();
        assert_eq!(names, ["a.be", "b.be", "c.be", "www.d.be"]);
        let text = "né: https://A.be/é; fin";
        let one = named(text);
        assert_eq!(&text[one[0].span.clone()], "https://A.be/é");
        assert_eq!(one[0].host.as_deref(), Some("a.be"));
    }

    #[test]
    fn what_looks_like_another_host_has_none() {
        for text in [
            "https://xn--blgium-7ya.be/",
            "https://bеlgium.be/",
            "https://belgium.be@evil.example/",
            "https://me:secret@belgium.be/",
            "https://10.0.0.1/",
            "https://[::1]/",
            "https://0x7f000001/",
            "https://belgium.be:8443/",
            "https:\\\\belgium.be",
            "https:/\\belgium.be",
            "https://belgium.be\\@evil.example",
            "https://belgium。be/",
            "https://belgium．be/",
            "https：//belgium.be/",
            "ｈttps://belgium.be/",
            "http://belgium.be",
            "HTTP:belgium.be",
            "https:belgium.be",
            "javascript://belgium.be",
            "www.belgium.be:8080",
            "www.belgium.be@evil.example",
        ] {
            assert_eq!(hosts(text), [None], "{text}");
        }
    }

    #[test]
    fn prose_names_no_host() {
        for text in
            ["", ":", "at 9:30", "note: two", "http: is a scheme", "a//b", "awww. no", "WWW is old", "c:\\x"]
        {
            assert!(named(text).is_empty(), "{text}");
        }
        assert_eq!(named(&"https:".repeat(20_000)).len(), 1);
        assert_eq!(named(&":".repeat(50_000)).len(), 0);
    }
}
