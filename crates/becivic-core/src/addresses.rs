//! The addresses that a text names: the one place that knows where one begins, where it ends and which host it leads to.
//!
//! 1. An address begins with a scheme before `://`, with slashes the other way round too; with `http:` or `https:` whatever
//!    follows; with `//` before a host; with `www.`; or with a host that stands alone (`addresses/bare.rs`). It ends at what cannot
//!    be part of one; the point after a sentence is not its own.
//! 2. An address within the path or the query of another is one of its own, also with its colon and slashes in percent signs:
//!    whoever follows the first may end at the second.
//! 3. Tricks are undone before it is looked for, as for the scrub rules ([`crate::scrub::Folded`]); a host that was written
//!    with one is nobody's.
//! 4. Nor has an address a host that may not be cited at all (`url_policy.rs`), that is spelled in another script, or that a
//!    backslash makes two programs read differently.

mod bare;

use crate::scrub::Folded;
use crate::url_policy;
use memchr::memchr_iter;
use std::borrow::Cow;
use std::ops::Range;

/// An address in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// The host it leads to; `None` where it is made to look like something else, or may not be cited.
    pub host: Option<String>,
    /// The host it would lead to, were it written with `https:` instead of `http:`; `None` where more than that is wrong.
    pub unencrypted: Option<String>,
    /// Whether it is written with `://`, as what a skill cites is.
    pub has_scheme: bool,
}

/// Where an address may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Beginning {
    at: usize,
    /// Where it ends, when only a host stands there.
    end: Option<usize>,
    /// Whether it is one of its own within another: a path may have points as well.
    nests: bool,
}

/// Every address that a text names, in its order.
pub fn named(text: &str) -> Vec<Address> {
    let folded = Folded::new(text);
    let plain = folded.text();
    let mut found: Vec<Address> = Vec::new();
    // The address that is being read, and where the part of it ends that names its host.
    let mut open: Option<(Range<usize>, usize)> = None;
    for beginning in beginnings(plain) {
        let end = match &open {
            Some((range, host_end)) if beginning.at < range.end => {
                if !beginning.nests || beginning.at < *host_end {
                    continue;
                }
                range.end
            }
            Some(_) | None => end_of(plain, beginning),
        };
        let here = beginning.at..end;
        if let Some((before, _)) = open.take() {
            found.push(address(text, &folded, before.start..before.end.min(here.start)));
        }
        let host_end = here.start + plain.get(here.clone()).map_or(0, authority_end);
        open = Some((here, host_end));
    }
    found.extend(open.map(|(last, _)| address(text, &folded, last)));
    found
}

/// The addresses with a scheme, as they are written.
pub fn written(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("://").filter_map(|(at, _)| text.get(scheme_start(text, at)..).map(whole))
}

fn address(text: &str, folded: &Folded, place: Range<usize>) -> Address {
    let plain = folded.text();
    let written = decoded(plain.get(place.clone()).unwrap_or_default());
    let authority = place.start..place.start + plain.get(place.clone()).map_or(0, authority_end);
    let honest = text.get(folded.original(authority.clone())) == plain.get(authority);
    let (host, unencrypted) = match honest {
        true => (host(&written), unencrypted(&written)),
        false => (None, None),
    };
    let has_scheme = plain.get(place.clone()).is_some_and(|written| written.contains("://"));
    Address { span: folded.original(place), host, unencrypted, has_scheme }
}

/// Where addresses may begin, in order.
fn beginnings(text: &str) -> Vec<Beginning> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for at in memchr_iter(b':', bytes) {
        let start = scheme_start(text, at);
        let slash = |offset: usize| bytes.get(at + offset).is_some_and(|b| matches!(b, b'/' | b'\\'));
        let scheme = text.get(start..at).unwrap_or_default();
        let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        let goes_on = text.get(at + 1..).and_then(|rest| rest.chars().next()).is_some_and(|c| !ends(c));
        if start < at && ((slash(1) && slash(2)) || (web && goes_on)) {
            found.push(Beginning { at: start, end: None, nests: true });
        }
    }
    let stands_at = |at: usize, what: &str| {
        bytes.get(at..at + what.len()).is_some_and(|here| here.eq_ignore_ascii_case(what.as_bytes()))
    };
    for colon in memchr_iter(b'%', bytes).filter(|at| stands_at(*at, ENCODED)) {
        let at = scheme_start(text, colon);
        found.extend((at < colon).then_some(Beginning { at, end: None, nests: true }));
    }
    let before_point = memchr_iter(b'.', bytes).filter_map(|point| point.checked_sub("www".len()));
    for at in before_point.filter(|at| stands_at(*at, "www")) {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        if before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | '-')) {
            found.push(Beginning { at, end: None, nests: true });
        }
    }
    for host in bare::hosts(text) {
        let slashes = text.get(..host.start).is_some_and(|before| before.ends_with("//"));
        let goes_on = text.get(host.end..).is_some_and(bare::goes_on);
        found.push(match slashes {
            true => Beginning { at: host.start - 2, end: None, nests: true },
            false => Beginning { at: host.start, end: (!goes_on).then_some(host.end), nests: false },
        });
    }
    found.sort_unstable();
    found
}

/// A colon and two slashes in percent signs.
const ENCODED: &str = "%3a%2f%2f";

/// An address that was written with its colon and slashes in percent signs, as far as it names a host.
fn decoded(written: &str) -> Cow<'_, str> {
    let Some(colon) = written.find('%') else { return written.into() };
    let after = colon + ENCODED.len();
    match (written.get(..colon), written.get(colon..after), written.get(after..)) {
        (Some(scheme), Some(code), Some(rest))
            if code.eq_ignore_ascii_case(ENCODED) && scheme.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            let host = rest.split(['%', '&', '/', '?', '#']).next().unwrap_or_default();
            format!("{scheme}://{host}").into()
        }
        _ => written.into(),
    }
}

/// Where an address ends that begins here.
fn end_of(text: &str, beginning: Beginning) -> usize {
    let whole = || beginning.at + text.get(beginning.at..).map_or(0, |rest| whole(rest).len());
    beginning.end.unwrap_or_else(whole)
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
    let is_scheme = |before: &str| {
        let name = before.strip_suffix(':').unwrap_or(before);
        name.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let slashes = address.find("//").filter(|at| address.get(..*at).is_some_and(is_scheme));
    let first = slashes.map_or(0, |at| at + 2);
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
        false => url_policy::host(&format!("https://{}", address.trim_start_matches('/'))).ok()?.into_owned(),
    };
    let other_script = whole.split('.').any(|label| label.starts_with("xn--"));
    (!other_script).then_some(whole)
}

/// The host of an address that only lacks its encryption.
fn unencrypted(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_at_checked("http://".len())?;
    scheme.eq_ignore_ascii_case("http://").then(|| host(&format!("https://{rest}"))).flatten()
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
    fn addresses_are_found_without_a_scheme() {
        for (text, host) in [
            ("log in at my-minfin.be/login", Some("my-minfin.be")),
            ("evil-example.com:8080/x", None),
            ("//evil.com/x", Some("evil.com")),
            ("evil．com", None),
            ("MyMinfin.be", Some("myminfin.be")),
            ("belgium.be\\@evil.example", None),
        ] {
            assert_eq!(hosts(text), [host.map(str::to_owned)], "{text}");
        }
        let text = "d'abord evil.com, puis";
        assert_eq!(&text[named(text)[0].span.clone()], "evil.com");
    }

    #[test]
    fn an_address_within_another_is_one_of_its_own() {
        for (text, inner) in [
            ("https://a.be/?next=https://evil.example", "evil.example"),
            ("https://a.be/?next=https%3A%2F%2Fevil.example%2Flogin&x=1", "evil.example"),
            ("https://a.be/?next=//evil.example/x", "evil.example"),
            ("https://a.be/?next=www.evil.example", "www.evil.example"),
            ("a.be/x?u=https://evil.example/", "evil.example"),
        ] {
            let text = text.replace("a.be", "ab.be");
            assert_eq!(hosts(&text), [Some("ab.be".to_owned()), Some(inner.to_owned())], "{text}");
            let found = named(&text);
            assert_eq!((found[0].span.start, found[1].span.end), (0, text.len()));
            assert_eq!(found[0].span.end, found[1].span.start);
        }
        assert_eq!(hosts("https://ab.be/v1.beta/x.com/y"), [Some("ab.be".to_owned())], "a path has points");
        assert_eq!(named(&"https://ab.be/".repeat(20_000)).len(), 20_000);
    }

    #[test]
    fn what_only_lacks_its_encryption_is_known() {
        let one = |text: &str| named(text).remove(0);
        let plain = one("http://belgium.be/x");
        assert_eq!((plain.host, plain.unencrypted.as_deref()), (None, Some("belgium.be")));
        for text in [
            "https://belgium.be",
            "http://belgium.be:8080/",
            "http://me@belgium.be",
            "http:belgium.be",
            "belgium.be",
        ] {
            assert_eq!(one(text).unencrypted, None, "{text}");
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
