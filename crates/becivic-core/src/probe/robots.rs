//! `robots.txt` (RFC 9309): what a site asks machines to leave alone.
//!
//! 1. Lines are grouped: names of crawlers, then rules. The groups that name us count, all together; where none does, those
//!    for `*`.
//! 2. Of the rules that match an address the longest decides; between two of the same length the one that allows. `*` stands
//!    for anything, `$` for the end. What no rule matches is allowed, and so is `robots.txt` itself.
//! 3. What cannot be read: gone (4xx) allows everything, trouble (anything else) allows nothing.

use std::time::Duration;

/// As much as is read of a file: the standard asks for 500 KiB at least.
const READ: usize = 512 * 1024;

/// The longest pause between two requests that a site can ask for.
const LONGEST_DELAY: Duration = Duration::from_secs(60);

/// Sitemaps that are noted.
const MOST_SITEMAPS: usize = 16;

/// What a site asks of us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Vec<Rule>,
    forbids_all: bool,
    /// `Crawl-delay`, which is no standard but is meant.
    pub delay: Option<Duration>,
    /// `Sitemap` lines, as they are written.
    pub sitemaps: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allows: bool,
    pattern: String,
}

/// Rules and pause of one kind of group.
#[derive(Default)]
struct Group {
    is_there: bool,
    rules: Vec<Rule>,
    delay: Option<Duration>,
}

impl Robots {
    /// What a status without a file means; `None` for what never came.
    pub fn without_file(status: Option<u16>) -> Self {
        let is_gone = status.is_some_and(|status| (400..500).contains(&status) && status != 429);
        Self { forbids_all: !is_gone, ..Self::default() }
    }

    /// Reads a file for the crawler of a name.
    pub fn read(file: &[u8], name: &str) -> Self {
        let text = String::from_utf8_lossy(file.get(..READ).unwrap_or(file));
        let (mut ours, mut everybodys) = (Group::default(), Group::default());
        let mut sitemaps = Vec::new();
        // To whom the lines that follow apply, and whether names are still being listed.
        let (mut is_ours, mut is_everybodys, mut naming) = (false, false, false);
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((field, value)) = line.split_once(':') else { continue };
            let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
            match field.as_str() {
                "user-agent" => {
                    if !naming {
                        (is_ours, is_everybodys) = (false, false);
                    }
                    naming = true;
                    let token =
                        value.split(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_')).next();
                    is_ours |= token.is_some_and(|token| token.eq_ignore_ascii_case(name));
                    is_everybodys |= value == "*";
                    ours.is_there |= is_ours;
                    continue;
                }
                "sitemap" => {
                    if sitemaps.len() < MOST_SITEMAPS {
                        sitemaps.push(value.to_owned());
                    }
                    continue; // belongs to no group and ends none
                }
                _ => naming = false,
            }
            let groups = [(is_ours, &mut ours), (is_everybodys, &mut everybodys)];
            for (_, group) in groups.into_iter().filter(|(applies, _)| *applies) {
                group.take(&field, value);
            }
        }
        let group = if ours.is_there { ours } else { everybodys };
        Self { rules: group.rules, forbids_all: false, delay: group.delay, sitemaps }
    }

    /// Whether a path with its query may be asked for.
    pub fn allows(&self, target: &str) -> bool {
        if target == "/robots.txt" {
            return true;
        }
        let target = normal(target);
        let matching = self.rules.iter().filter(|rule| matches(&rule.pattern, &target));
        let strongest = matching.max_by_key(|rule| (rule.pattern.len(), rule.allows));
        !self.forbids_all && strongest.is_none_or(|rule| rule.allows)
    }
}

impl Group {
    fn take(&mut self, field: &str, value: &str) {
        match field {
            // An empty rule matches nothing.
            "allow" | "disallow" if !value.is_empty() => {
                self.rules.push(Rule { allows: field == "allow", pattern: normal(value) });
            }
            "crawl-delay" => {
                let seconds =
                    value.parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds > 0.0);
                let asked =
                    seconds.map(|seconds| Duration::from_secs_f64(seconds.min(LONGEST_DELAY.as_secs_f64())));
                self.delay = self.delay.max(asked);
            }
            _ => {} // others' extensions
        }
    }
}

/// One way to write a path: what needs no `%` has none, what is not ASCII has, hexadecimal digits are upper-case.
fn normal(path: &str) -> String {
    let mut rest = path.as_bytes();
    let mut normal = String::with_capacity(path.len());
    while let [byte, after @ ..] = rest {
        let digits =
            after.get(..2).filter(|_| *byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let coded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if coded.is_some() { after.get(2..).unwrap_or_default() } else { after };
        let is_plain = match coded {
            Some(coded) => coded.is_ascii_alphanumeric() || b"-._~".contains(&coded),
            None => byte.is_ascii_graphic(),
        };
        let byte = coded.unwrap_or(*byte);
        match is_plain {
            true => normal.push(char::from(byte)),
            false => normal.push_str(&format!("%{byte:02X}")),
        }
    }
    normal
}

/// Whether a pattern matches a path from its beginning. Goes back to the last `*` only, so it takes at most the product of
/// both lengths.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let last = if to_the_end { parts.pop() } else { None };
    for part in &parts {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    match last {
        Some(last) => rest.ends_with(last),
        None => !to_the_end || rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file lets us ask for.
    fn check(file: &str, cases: &[(&str, bool)]) {
        let robots = Robots::read(file.as_bytes(), "becivic-probe");
        for (target, expected) in cases {
            assert_eq!(robots.allows(target), *expected, "{target} under\n{file}");
        }
    }

    #[test]
    fn groups_are_chosen_by_name_and_joined() {
        check("", &[("/", true)]);
        check("User-agent: *\nDisallow: /", &[("/", false), ("/x", false), ("/robots.txt", true)]);
        check("User-agent: *\nDisallow:", &[("/", true)]);
        check("User-agent: otherbot\nDisallow: /", &[("/", true)]);
        let ours = "User-agent: *\nDisallow: /\n\nUser-Agent: BeCivic-Probe/0.1\nDisallow: /private";
        check(ours, &[("/", true), ("/private/x", false)]);
        let listed =
            "user-agent: otherbot\nuser-agent: becivic-probe\ndisallow: /a\n\nuser-agent: x\ndisallow: /b";
        check(listed, &[("/a", false), ("/b", true)]);
        let twice = "User-agent: becivic-probe\nDisallow: /a\nUser-agent: *\nDisallow: /b\nUser-agent: becivic-probe\nDisallow: /c";
        check(twice, &[("/a", false), ("/b", true), ("/c", false)]);
        let empty_group = "User-agent: becivic-probe\n\nUser-agent: *\nDisallow: /";
        check(empty_group, &[("/", false)]);
        check("User-agent: *\r\nSitemap: https://x.be/s.xml\r\nDisallow: /a", &[("/a", false)]);
        check("\u{feff}User-agent: * # all\nDisallow: /a # this", &[("/a", false), ("/b", true)]);
        check("Disallow: /", &[("/", true)]);
    }

    #[test]
    fn the_longest_rule_decides() {
        let file = |rules: &str| format!("User-agent: *\n{rules}");
        check(&file("Allow: /p\nDisallow: /"), &[("/page", true), ("/other", false)]);
        check(&file("Allow: /folder\nDisallow: /folder"), &[("/folder/page", true)]);
        check(
            &file("Allow: /page\nDisallow: /*.htm"),
            &[("/page.htm", false), ("/x.html", false), ("/x", true)],
        );
        check(&file("Allow: /$\nDisallow: /"), &[("/", true), ("/page.htm", false)]);
        check(&file("Disallow: /fish*.php"), &[("/fishheads/catfish.php?id=1", false), ("/Fish.PHP", true)]);
        check(&file("Disallow: /*.php$"), &[("/a.php", false), ("/a.php?x", true), ("/a.php5", true)]);
        check(&file("Disallow: /*?"), &[("/a?b=1", false), ("/a", true)]);
        check(&file("Disallow: *a*b$"), &[("/xaybzb", false), ("/xaybz", true), ("/b", true)]);
        check(
            &file("Disallow: /a%3cd.html\nDisallow: /%7Ejoe/"),
            &[("/a%3Cd.html", false), ("/~joe/x", false)],
        );
        check(&file("Disallow: /été"), &[("/%C3%A9t%c3%a9", false), ("/ete", true)]);
        check(&file("Disallow: /%zz%"), &[("/%zz%", false), ("/", true)]);
    }

    #[test]
    fn what_cannot_be_read_allows_all_or_nothing() {
        for (status, allows) in [
            (Some(404), true),
            (Some(410), true),
            (Some(403), true),
            (Some(429), false),
            (Some(500), false),
            (Some(302), false),
            (None, false),
        ] {
            assert_eq!(Robots::without_file(status).allows("/x"), allows, "{status:?}");
        }
    }

    #[test]
    fn pauses_and_sitemaps_are_noted() {
        let read = |text: &str| Robots::read(text.as_bytes(), "becivic-probe");
        let robots =
            read("Sitemap: https://x.be/a.xml\nUser-agent: *\nCrawl-delay: 7.5\nSitemap:https://x.be/b.xml");
        assert_eq!(robots.delay, Some(Duration::from_millis(7_500)));
        assert_eq!(robots.sitemaps, ["https://x.be/a.xml", "https://x.be/b.xml"]);
        assert_eq!(read("User-agent: *\nCrawl-delay: 99999").delay, Some(LONGEST_DELAY));
        for nothing in ["-1", "NaN", "inf", "soon", "0"] {
            assert_eq!(read(&format!("User-agent: *\nCrawl-delay: {nothing}")).delay, None, "{nothing}");
        }
    }

    #[test]
    fn a_hostile_file_takes_no_time() {
        let rule = format!("Disallow: /{}\n", "*a".repeat(5_000));
        let file = format!("User-agent: *\n{}", rule.repeat(50));
        check(&file, &[(&format!("/{}", "a".repeat(1_900)), true)]);
    }
}
