//! Random bodies: both forms say the same, and nothing authored becomes an element of ours.

use super::extract::{of_html, of_markdown};
use super::{facts, printed};
use becivic_core::vocabulary::Language;
use becivic_site::body::plain;
use proptest::prelude::*;

/// Blocks of well-written bodies.
fn block() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,6}",
        Just("*em*".to_owned()),
        Just("**strong**".to_owned()),
        Just("`c<d>`".to_owned()),
        Just("a & b < c".to_owned()),
        Just("[link](/agents)".to_owned()),
        Just("<VV name=\"fee\" uid=\"val-00001\">1</VV>".to_owned()),
        Just("<VV name=\"delay\" uid=\"val-00002\">1</VV>".to_owned()),
        Just("<VV name=\"none\" uid=\"val-00099\">1</VV>".to_owned()),
        Just("<Ref name=\"law\" uid=\"ref-00001\" title=\"t\" url=\"https://a.be\" last_verified=\"\">label</Ref>".to_owned()),
        Just("[law]".to_owned()),
        Just("<Path id=\"household-certificate\" />".to_owned()),
        Just("<Skill id=\"legalise-foreign-document\" />".to_owned()),
        Just("<Path id=\"none\" />".to_owned()),
        Just("<Risk reason=\"r\">care *now*</Risk>".to_owned()),
    ];
    let line = prop::collection::vec(word, 1..6).prop_map(|words| words.join(" "));
    (line.clone(), line, 0..6).prop_map(|(one, two, shape)| match shape {
        0 => format!("## {one}"),
        1 => format!("- {one}\n- {two}"),
        2 => format!("| {} | b |\n|---|---|\n| c | d |", one.replace('|', "")),
        3 => format!("<Risk reason=\"why\">\n\n{one}\n\n1. {two}\n\n</Risk>"),
        4 => format!("> {one}\n> {two}"),
        _ => format!("{one}\n{two}"),
    })
}

const OURS: &[&str] = &[
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "ul",
    "ol",
    "li",
    "em",
    "strong",
    "a",
    "code",
    "pre",
    "span",
    "data",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "blockquote",
    "small",
    "br",
    "hr",
    "dl",
    "dt",
    "dd",
    "figure",
    "figcaption",
    "details",
    "summary",
];

/// Every element is ours, has attributes of ours, and ends in order.
pub fn assert_sound(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("an element has an end");
        let name: String =
            tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        let ours = OURS.iter().find(|ours| **ours == name);
        assert!(ours.is_some(), "<{tag}> is not ours");
        let name = ours.expect("one of ours");
        for word in
            ["onclick=", "onerror=", "src=", "style=", "href=\"javascript", "href=\"http:", "href=\"//"]
        {
            assert!(!tag.contains(&format!(" {word}")), "<{tag}>");
        }
        match tag.strip_prefix('/') {
            Some(_) => assert_eq!(open.pop(), Some(*name), "{html}"),
            None if ["br", "hr"].contains(name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?} in {html}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_forms_say_the_same(blocks in prop::collection::vec(block(), 1..8)) {
        let it = printed(&blocks.join("\n\n"), &facts(), Language::En, &[]);
        assert_sound(&it.html);
        prop_assert_eq!(of_html(&it.html), of_markdown(&it.markdown), "{}\n{}", it.html, it.markdown);
    }

    #[test]
    fn anything_at_all_is_balanced_and_ours(pieces in prop::collection::vec(prop_oneof![
        "[ -~\\n]{0,12}",
        prop::sample::select(vec![
            "<Risk>", "</Risk>", "\n\n", "\n", "- ", "1. ", "> ", "*", "**", "`", "```\n", "[", "](https://a.be)", "|", "\n|-|\n",
            "<VV name=\"fee\" uid=\"val-00001\">", "</VV>", "<Ref name=\"law\" uid=\"ref-00001\" title=\"t\" url=\"https://a.be\" last_verified=\"\">",
            "</Ref>", "[law]", "<Path id=\"household-certificate\" />", "<script>", "<img src=x onerror=y>", "    ", "# ", "<Observations skill=\"arrival-declaration\" />",
            "[x](javascript:alert(1))", "\n<Risk reason=\"r\">\n", "\n</Risk>\n", "é", "&lt;b&gt;",
        ]).prop_map(str::to_owned),
    ], 0..40)) {
        let it = printed(&pieces.concat(), &facts(), Language::En, &[]);
        assert_sound(&it.html);
        assert_sound(&plain(&pieces.concat()).html);
    }
}
