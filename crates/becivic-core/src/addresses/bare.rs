//! Hosts that are written without a scheme: `my-minfin.be/login`, `evil-example.com:8080`, `//elsewhere.example/x`.
//!
//! 1. A run of letters, digits, hyphens and dots with a dot inside may be a host; what follows its last dot is its zone.
//! 2. With a path, a port or a query behind it, or slashes before it, any zone of letters counts that no kind of file ends with.
//! 3. Alone, only zones that people write and that are no words ([`ZONES`]): "papiers.il faut" lacks a space, not a scheme. Zones
//!    that are words ([`WORDS`]) count from the third label on.
//! 4. A zone with one capital may begin a sentence that lost its space ("done.Be there"): then it counts like a word.
//! 5. What follows an at sign is no host of its own, unless a path or a port follows: it is where post goes.
//! 6. "art. 5.be", "12.30", "M.be" name no host: the label before the zone has two characters at least, one of them a letter.

use std::ops::Range;

/// Zones that are written in notes and are no words of them.
const ZONES: &[&str] = &[
    "app",
    "be",
    "bg",
    "biz",
    "br",
    "brussels",
    "cd",
    "ch",
    "cm",
    "cn",
    "com",
    "cz",
    "de",
    "dev",
    "dk",
    "dz",
    "ee",
    "eu",
    "example",
    "fi",
    "fr",
    "gent",
    "gov",
    "gr",
    "hr",
    "hu",
    "ie",
    "info",
    "io",
    "jp",
    "kr",
    "lt",
    "lu",
    "lv",
    "ly",
    "net",
    "nl",
    "org",
    "pl",
    "pt",
    "ro",
    "ru",
    "rw",
    "sn",
    "tk",
    "tn",
    "tr",
    "ua",
    "uk",
    "vlaanderen",
    "xyz",
];

/// Zones that are words, or endings of files, as well.
const WORDS: &[&str] = &[
    "ai", "al", "am", "as", "at", "ba", "bank", "by", "ca", "care", "cc", "ci", "click", "cloud", "club",
    "co", "do", "es", "et", "help", "icu", "il", "in", "int", "is", "it", "je", "la", "li", "link", "live",
    "ma", "me", "mobi", "mu", "my", "name", "ne", "no", "nu", "online", "page", "pro", "sa", "se", "shop",
    "si", "site", "so", "space", "store", "su", "support", "tax", "tech", "to", "top", "tv", "us", "vip",
    "website", "ws",
];

/// What a sentence without its space may begin with, though nobody would write it so in the middle of one.
const BEGINNINGS: &[&str] = &["app", "be", "de", "info", "net"];

/// What the names of files end with; some are zones, too.
const FILES: &[&str] = &[
    "avi", "bmp", "css", "csv", "doc", "docx", "eml", "exe", "gif", "gz", "heic", "htm", "html", "jpeg",
    "jpg", "js", "json", "md", "mdx", "mov", "mp", "odt", "pdf", "php", "png", "ppt", "pptx", "py", "rar",
    "rs", "rtf", "sh", "svg", "tar", "tif", "tiff", "toml", "ts", "txt", "webp", "xls", "xlsx", "xml",
    "yaml", "yml", "zip",
];

/// Where hosts stand that are written without a scheme: from their first character to the last of the host itself.
pub fn hosts(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut end = 0;
    for point in memchr::memchr_iter(b'.', text.as_bytes()) {
        // The run around a point; one with several is read once.
        if point >= end
            && let Some((before, after)) = text.split_at_checked(point)
        {
            let start = before.trim_end_matches(is_of_a_host).len();
            end = text.len() - after.trim_start_matches(is_of_a_host).len();
            found.extend(host(text, start..end));
        }
    }
    found
}

fn is_of_a_host(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// The host that a run of characters is, if it is one.
fn host(text: &str, run: Range<usize>) -> Option<Range<usize>> {
    let whole = text.get(run.clone())?;
    let name = whole.trim_matches(['.', '-', '_']);
    let start = run.start + whole.len() - whole.trim_start_matches(['.', '-', '_']).len();
    let (labels, zone) = name.rsplit_once('.')?;
    let last = labels.rsplit('.').next()?;
    let goes_on = goes_on(text.get(run.end..)?);
    let before = text.get(..start)?;
    // What follows an at sign is where post goes; the scrub rules know that.
    let is_post = before.ends_with('@') && !goes_on;
    let is_host = match goes_on || before.ends_with("//") {
        _ if is_post => false,
        true => !last.is_empty() && is_any_zone(zone),
        false => {
            last.chars().count() > 1 && last.contains(char::is_alphabetic) && is_zone_alone(zone, labels)
        }
    };
    is_host.then(|| start..start + name.len())
}

/// Whether what follows a host belongs to an address: a path, a port, a query, a part.
pub fn goes_on(rest: &str) -> bool {
    let mut chars = rest.chars();
    let (first, second) = (chars.next(), chars.next());
    match first {
        Some('/' | '\\') => true,
        Some(':') => second.is_some_and(|c| c.is_ascii_digit()),
        Some('?' | '#') => second.is_some_and(char::is_alphanumeric),
        Some(_) | None => false,
    }
}

fn is_any_zone(zone: &str) -> bool {
    let lower = zone.to_lowercase();
    let known = ZONES.contains(&lower.as_str()) || WORDS.contains(&lower.as_str());
    let letters = lower.chars().count() > 1 && lower.chars().all(char::is_alphabetic);
    known
        || lower.starts_with("xn--")
        || (letters && !is_capitalised(zone) && !FILES.contains(&lower.as_str()))
}

fn is_zone_alone(zone: &str, labels: &str) -> bool {
    let lower = zone.to_lowercase();
    let (known, word) = (ZONES.contains(&lower.as_str()), WORDS.contains(&lower.as_str()));
    let begins = is_capitalised(zone) && BEGINNINGS.contains(&lower.as_str());
    (known && !begins) || ((begins || (word && !is_capitalised(zone))) && labels.contains('.'))
}

fn is_capitalised(label: &str) -> bool {
    let mut chars = label.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        hosts(text).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn hosts_without_a_scheme_are_found() {
        for (text, expected) in [
            ("see my-minfin.be/login now", "my-minfin.be"),
            ("evil-example.com:8080/x", "evil-example.com"),
            ("(//evil.com/x)", "evil.com"),
            ("ga naar MyMinfin.be.", "MyMinfin.be"),
            ("EVIL.COM", "EVIL.COM"),
            ("Evil.Com", "Evil.Com"),
            ("t.me/someone", "t.me"),
            ("bit.ly/3abc", "bit.ly"),
            ("login.evil.me", "login.evil.me"),
            ("formulaire.zone/x", "formulaire.zone"),
            ("x.evil-site.de?next=1", "x.evil-site.de"),
            ("münchen.de", "münchen.de"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        assert_eq!(found("a.be,evil.com;c.nl"), ["evil.com"], "one letter is no name");
    }

    #[test]
    fn prose_is_none() {
        for text in [
            "e.g. the form, i.e. this one, p.ex. celui-ci, z.B. hier, d.h. dort, o.a. deze, m.b.t. dit",
            "art. 5.be and art.5, § 12.30, 12.30 h, 1.234,56 euro, version 1.4.0, v2.1",
            "M.Dupont, Mme.Claes, M.de Namur, dr.Peeters, J.P.Claes, Ph.D., St.Gilles/Sint-Gillis",
            "form.pdf, annexe-15.docx/annexe-19.docx, README.md, main.rs, photo.jpeg#2",
            "done.Be there at nine. Klaar.De man kwam. Fini.Il faut. Zu.Net",
            "revenir.il faut attendre, closed.so we left, fermé.la dame, ok.it was shut",
            "a.s.b.l., v.z.w., N.V., S.A., B.V., a.u.b./svp, km/h, et/ou, 24/7, n/a",
            "...be, be..., .be, be., -.be, a..b, ., ..",
            "post@evil.com",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn long_runs_take_their_length() {
        assert_eq!(found(&"a.".repeat(100_000)).len(), 0);
        assert_eq!(found(&"evil.com ".repeat(10_000)).len(), 10_000);
    }
}
