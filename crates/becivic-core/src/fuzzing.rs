//! What the fuzz targets run, and what must hold whatever comes in. The targets' seeds run through the
//! same functions in the ordinary tests, so that no toolchain is needed to keep them alive.

use crate::corpus::{Content, Input};
use crate::jsregex::Regex;
use crate::names::model::Model;
use crate::names::{Names, hash, words};
use crate::scrub::Scrubber;
use crate::scrub_rules::{Everywhere, Fields, Rule, RuleCategory, ScrubRules};
use crate::text::Source;
use crate::{corpus, diff, frontmatter as front, mdx as body};
use std::sync::LazyLock;

/// Any bytes as a skill file: no panic; every place lies inside the file.
pub fn frontmatter(data: &[u8]) {
    let (_, findings) = read("skills/x/canonical.md", data);
    let lines = data.iter().filter(|byte| **byte == b'\n').count() + 1;
    assert!(findings.iter().all(|finding| finding.line as usize <= lines));
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok((node, parts)) = front::read(text)
    {
        assert_eq!(parts.body.end as usize, text.len());
        assert_eq!(node.to_value(), node.into_value());
    }
}

/// Any text as a body: printing what was parsed gives it back; every tag lies where it says.
pub fn mdx(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (document, problems) = body::parse(text, 0);
    assert_eq!(body::print::print(text, &document), text);
    let source = Source::new("x", text);
    assert!(document.tags.iter().all(|tag| source.slice(tag.open).starts_with('<')));
    assert!(problems.iter().all(|problem| problem.offset as usize <= text.len()));
}

/// Any bytes as the Path Directory: no panic.
pub fn paths_index(data: &[u8]) {
    read("paths/index.json", data);
}

/// Any text with a NUL in it as a body and a diff: applying it works or fails, and a diff of the
/// result with itself has nothing to say.
pub fn unified_diff(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (body, patch) = text.split_once('\0').unwrap_or(("", text));
    if let Ok(after) = diff::apply(body, patch) {
        assert_ne!(after, body, "a diff that changes nothing is refused");
    }
}

/// Any text, scrubbed with our own rules: hits are in order, on character borders, and a text that goes on
/// and on costs no more per character.
pub fn scrub(data: &[u8]) {
    if let (Ok(text), Ok(scrubber)) = (std::str::from_utf8(data), Scrubber::bundled()) {
        scrubbed(scrubber, text);
    }
}

/// Any text, read for names with weights that find many: spans are in order, on character borders, and the same twice.
pub fn names(data: &[u8]) {
    if let (Ok(text), Ok(names)) = (std::str::from_utf8(data), Names::read(&WEIGHTS)) {
        let found = names.find(text);
        let mut end = 0;
        for person in &found.persons {
            assert!(person.start >= end && person.end > person.start, "{person:?} before {end}");
            assert!(text.get(person.start..person.end).is_some(), "{person:?} is inside a character");
            end = person.end;
        }
        assert_eq!(found, names.find(text));
    }
}

/// The closed lists and weights of no sense.
static WEIGHTS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let weight = |at: u64| (hash::of(&at.to_le_bytes()) % 200) as i16 - 100;
    let weights: Vec<[i16; 3]> =
        (0..256).map(|at| [weight(3 * at), weight(3 * at + 1), weight(3 * at + 2)]).collect();
    Model::write(0, [[0, 0, -7000], [0, 0, 50], [0, 0, 50]], &words::listed(), &weights)
});

/// Any pattern (flags on the first line, pattern on the second), if it is taken, over any text: the same.
pub fn scrub_rules(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut parts = text.splitn(3, '\n');
    let (flags, pattern) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let rule = Rule {
        name: "fuzzed".to_owned(),
        description: String::new(),
        pattern: pattern.to_owned(),
        flags: flags.to_owned(),
        checksum: None,
        applies_to_fields: Fields::Everywhere(Everywhere::AllStrings),
        category: RuleCategory::Metadata,
        examples: None,
    };
    let rules = ScrubRules { schema_version: 2, rules: vec![rule] };
    if Regex::new(pattern, flags).is_ok_and(|regex| !regex.may_be_empty())
        && let Ok(scrubber) = Scrubber::unjudged(rules)
    {
        scrubbed(&scrubber, parts.next().unwrap_or_default());
    }
}

fn scrubbed(scrubber: &Scrubber, text: &str) {
    let mut last = 0;
    for hit in scrubber.scan(text) {
        assert!(text.get(hit.span.clone()).is_some_and(|found| !found.is_empty()), "not a piece of the text");
        assert!(last <= hit.span.start, "not in order");
        last = hit.span.start;
    }
    if text.is_empty() || text.len() > 64 {
        return;
    }
    let cost = |length: usize| scrubber.cost(&text.repeat(length / text.len() + 1));
    let (short, long) = (cost(2_000), cost(8_000));
    assert!(long <= 7 * short + 100_000, "{short} steps become {long} when the text is four times as long");
}

fn read(path: &str, data: &[u8]) -> (corpus::Piece, Vec<crate::finding::Finding>) {
    corpus::read(Input { path: path.to_owned(), content: Content::Bytes(data.to_vec()) })
}
