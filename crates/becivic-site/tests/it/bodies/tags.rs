//! Every tag in every state, as it is printed.

use super::{facts, printed};
use crate::expect::expect;
use becivic_core::vocabulary::Language;

/// Prints bodies, each with its name.
fn check(name: &str, cases: &[(&str, &str)]) {
    let mut out = String::new();
    for (case, body) in cases {
        let it = printed(
            body,
            &facts(),
            Language::En,
            &[("path", "residence-certificate"), ("skill", "renew-residence-card")],
        );
        let (html, markdown) = (it.html.trim_end(), it.markdown);
        out.push_str(&format!("===== {case}\n{body}\n----- html\n{html}\n----- markdown\n{markdown}\n"));
        if !it.contents.is_empty() {
            out.push_str(&format!("----- contents\n{:?}\n", it.contents));
        }
    }
    expect(&format!("bodies/{name}.txt"), &out);
}

fn reference(name: &str, uid: &str) -> String {
    format!(
        "<Ref name=\"{name}\" uid=\"{uid}\" title=\"as written\" url=\"https://written.example\" last_verified=\"\">the *law*</Ref>"
    )
}

#[test]
fn values() {
    check(
        "values",
        &[
            (
                "current and stable, with markup in it",
                "Pay <VV name=\"old-name\" uid=\"val-00001\">1</VV> now.",
            ),
            ("not stable, stable before it", "Within <VV name=\"delay\" uid=\"val-00002\">1</VV>."),
            ("not stable, nothing before it", "After <VV name=\"alone\" uid=\"val-00004\">1</VV>."),
            ("put away, nothing before it", "It is <VV name=\"gone\" uid=\"val-00003\">1</VV>."),
            ("put away, stable before it", "It is <VV name=\"rolled-back\" uid=\"val-00005\">1</VV>."),
            ("unknown", "It is <VV name=\"nobody\" uid=\"val-99999\">1 *b*</VV>."),
            ("by name", "It is <VV name=\"new-fee-eur\">1</VV>."),
            (
                "in a table and in strong text",
                "| a | b |\n|---|--:|\n| **<VV name=\"fee-eur\" uid=\"val-00001\">1</VV>** | 2 |",
            ),
            ("inside a link", "[pay <VV name=\"alone\" uid=\"val-00004\">1</VV>](https://a.example)"),
            ("in a heading", "## Pay <VV name=\"alone\" uid=\"val-00004\">1</VV> euros"),
            ("in code", "`<VV name=\"alone\" uid=\"val-00004\">1</VV>`"),
            ("never closed", "It is <VV name=\"alone\" uid=\"val-00004\">1."),
        ],
    );
}

#[test]
fn references() {
    let (law, page, moved) =
        (reference("law", "ref-00001"), reference("page", "ref-00002"), reference("moved", "ref-00003"));
    let (odd, nobody) = (reference("odd", "ref-00004"), reference("nobody", "ref-00099"));
    let cases = [
        ("verified, with an archive", format!("See {law}.")),
        ("neither", format!("See {page}.")),
        ("pending", format!("See {moved}.")),
        ("an address that is no https", format!("See {odd}.")),
        ("unresolved, cited again", format!("See {nobody} and [nobody].")),
        ("brackets before and after, and twice", format!("First [law], then {law}, then {law} [law] and [other].")),
        ("bracket inside a link", format!("{law} [x [law] y](https://a.example)")),
        ("crossing emphasis", "*see <Ref name=\"page\" uid=\"ref-00002\" title=\"t\" url=\"https://a.example\" last_verified=\"\">a* b</Ref> c".to_owned()),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, body)| (*name, body.as_str())).collect();
    check("references", &cases);
}

#[test]
fn paths_and_skills() {
    check(
        "anchors",
        &[
            ("a path", "Ask for <Path id=\"household-certificate\" /> first."),
            ("a path on a line of its own", "Ask for\n<Path id=\"household-certificate\" />\nfirst."),
            ("a path that is put away", "Ask for <Path id=\"residence-certificate\" /> first."),
            ("no such path", "Ask for <Path id=\"nothing-here\" /> first."),
            ("a skill", "- <Skill id=\"legalise-foreign-document\" />"),
            ("a skill that is stable", "- <Skill id=\"meta-no-skill-fallback\" />"),
            ("a skill that is put away", "- <Skill id=\"renew-residence-card\" />"),
            ("no such skill", "- <Skill id=\"nothing-here\" />"),
            ("inside a link", "[x <Skill id=\"legalise-foreign-document\" />](https://a.example)"),
        ],
    );
}

#[test]
fn paths_in_four_languages() {
    let mut out = String::new();
    for language in [Language::En, Language::Fr, Language::Nl, Language::De] {
        let it = printed("<Path id=\"household-certificate\" />", &facts(), language, &[]);
        out.push_str(&format!("{}{}\n", it.html, it.markdown));
    }
    expect("bodies/languages.txt", &out);
}

#[test]
fn risks() {
    check(
        "risks",
        &[
            ("in a list item", "- <Risk reason=\"Too &quot;late&quot;\">Go *now*.</Risk>\n- Later."),
            ("without a reason", "Some <Risk>words</Risk> more."),
            (
                "around blocks",
                "Before.\n\n<Risk reason=\"It is final.\">\n\nOne.\n\n- a\n- b\n\n</Risk>\n\nAfter.",
            ),
            ("within an item", "1. One.\n\n   <Risk reason=\"r\">\n   Two.\n   </Risk>\n\n2. Three."),
            ("between items", "1. One\n<Risk reason=\"r\">\n2. Two\n3. Three\n</Risk>\n4. Four"),
            ("from one paragraph into the next", "<Risk reason=\"r\">One.\n\nTwo.</Risk> Three."),
            ("ends inside a paragraph", "<Risk reason=\"r\">\nOne.</Risk> Two.\n\nThree."),
            ("crossing emphasis", "*a <Risk>b* c</Risk> d"),
            (
                "with a value and a path",
                "<Risk>Pay <VV name=\"alone\" uid=\"val-00004\">1</VV> via <Path id=\"household-certificate\" />.</Risk>",
            ),
            ("after a list", "- a\n\n<Risk>\n\nOne.\n\n</Risk>\n"),
        ],
    );
}

#[test]
fn everything_else() {
    check(
        "commonmark",
        &[
            (
                "headings with names",
                "# A\n\n## The *same* `code`\n\n## The same code\n\n### Deeper\n\n## !\n",
            ),
            ("lists", "3. c\n4. d\n   - e\n\n     f\n"),
            ("code", "```rust\nlet x = \"<VV>\";\n```\n\n    indented <Path id=\"x\" />\n"),
            (
                "links",
                "[a](/agents) [b](#x) [c](https://becivic.be/skills/) [d](https://e.example/?a&b) [e](templates/f.pdf) <https://g.example>",
            ),
            (
                "links that lead nowhere",
                "[a](http://x.example) [b](javascript:alert(1)) [c](//x.example) [d](/\\\\x.example) [e](data:x) [f](/&#9;/x.example) <mailto:a@b.example>",
            ),
            (
                "images and raw HTML",
                "![alt *text*](https://x.example/a.png) a <b onclick=\"x\">c</b>\n\n<script>\nalert(1)\n</script>\n",
            ),
            (
                "tables",
                "## Fees\n\n| a | b | c |\n|:--|:-:|--:|\n| 1 | `x` | 3 |\n| [l](/agents) | | \\| |\n",
            ),
            ("quotes, rules, breaks, entities", "> q\n\n---\n\na  \nb &amp; &lt;c&gt; \\*d\\*\n"),
            (
                "tags nobody knows",
                "<Unknown a=\"b\">x</Unknown> <Observation type=\"x\">y</Observation> </Risk>",
            ),
        ],
    );
}
