use super::*;
use crate::text::Source;
use tag::{Form, TagKind};

fn rules(body: &str) -> Vec<&'static str> {
    parse(body, 0).1.into_iter().map(|p| p.rule).collect()
}

fn kinds(body: &str) -> Vec<TagKind> {
    parse(body, 0).0.tags.into_iter().map(|t| t.kind).collect()
}

const BODY: &str = "# Title\n\n## Process\n\n1. Pay <VV name=\"a-fee-eur\" uid=\"val-00001\">€180</VV> at the desk.\n2. See <Ref name=\"law\"\n     uid=\"ref-00001\" title=\"T &quot;x&quot;\" url=\"https://a.be/\" last_verified=\"2026-01-01\">art. 1</Ref>, then [law] and `<VV>` in code.\n\n<Risk reason=\"Once only.\">\nFile `{x}` once, via <Path id=\"desk\" /> or <Skill id=\"other\"/>.\n\n```\n<Nonsense>\n```\n</Risk>\n\n<Observations skill=\"me\" />\n";

#[test]
fn reads_tags_with_places_attributes_and_children() {
    let text = format!("---\nid: x\n---\n{BODY}");
    let start = 14;
    let (document, problems) = parse(&text, start);
    assert_eq!(problems, []);
    let source = Source::new("x.md", text.clone());
    let kinds: Vec<_> = document.tags.iter().map(|t| t.kind).collect();
    use TagKind::*;
    assert_eq!(kinds, [VV, Ref, Risk, Path, Skill, Observations]);
    let vv = &document.tags[0];
    assert_eq!(vv.children().map(|s| source.slice(s)), Some("€180"));
    assert_eq!(vv.value(&source, "uid").as_deref(), Some("val-00001"));
    assert_eq!(document.tags[1].value(&source, "title").as_deref(), Some("T \"x\""));
    assert_eq!(document.tags[3].parent, Some(2));
    assert_eq!(document.tags[3].form, Form::SelfClosing);
    let brackets: Vec<_> = document.brackets.iter().map(|s| source.slice(*s)).collect();
    assert_eq!(brackets, ["law"]);
    let titles: Vec<_> = document.outline.headings.iter().map(|h| h.title.as_str()).collect();
    assert_eq!(titles, ["Title", "Process"]);
    assert_eq!(print::print(&text, &document), BODY);
}

#[test]
fn fills_an_attribute_and_nothing_else() {
    let body = "a <VV name=\"n\" uid=\"\">1</VV> b <VV name=\"n\"   uid=\"val-00002\">2</VV>\n";
    let (document, _) = parse(body, 0);
    let source = Source::new("x.md", body);
    let filled = print::print_with(body, &document, |tag, name| {
        (name == "uid" && tag.value(&source, "uid").is_none()).then(|| "val-00001".to_owned())
    });
    assert_eq!(filled, body.replacen("uid=\"\"", "uid=\"val-00001\"", 1));
}

#[test]
fn refuses_what_is_not_an_authored_tag() {
    let cases: &[(&str, &str)] = &[
        ("<Foo />\n", "tag_unknown"),
        ("<Foo>x</Foo>\n", "tag_unknown"),
        ("a <Observation type=\"concern\">x</Observation>\n", "renderer_tag_authored"),
        ("<CohortStats affirms=\"1\" />\n", "renderer_tag_authored"),
        ("a <VV name=x>1</VV>\n", "tag_malformed"),
        ("a <VV name=\"x\n", "tag_malformed"),
        ("a <Path id={x} />\n", "tag_malformed"),
        ("a <Path\n\nid=\"x\" />\n", "tag_malformed"),
        ("a <VV name=\"x\">1\n\nb\n", "tag_unclosed"),
        ("a </Risk>\n", "tag_unclosed"),
        ("a <VV name=\"x\" />\n", "first_citation_form"),
        ("a <Path id=\"x\"></Path>\n", "tag_form"),
        ("a <Risk />\n", "tag_form"),
        ("a <Path />\n", "tag_attribute"),
        ("a <Path id=\"\" />\n", "tag_attribute"),
        ("a <Path id=\"x\" id=\"y\" />\n", "tag_attribute"),
        ("a <Path id=\"x\" style=\"y\" />\n", "tag_attribute"),
        ("a <VV uid=\"val-00001\">1</VV>\n", "tag_attribute"),
        ("<Risk reason=\"\">x</Risk>\n", "tag_attribute"),
        ("a <VV name=\"x\">1 <Path id=\"y\" /></VV>\n", "tag_nesting"),
        ("a <b>bold</b>\n", "raw_html"),
        ("<div>\nx\n</div>\n", "raw_html"),
        ("<!-- c -->\n", "raw_html"),
        ("a {1 + 1\n", "mdx_expression"),
        ("import X from \"y\"\n", "mdx_import"),
        ("export const a = 1\n", "mdx_import"),
        ("![x](https://a.be/i.png)\n", "remote_image"),
        ("[x](http://a.be)\n", "link_not_https"),
        ("[x](javascript:alert(1))\n", "link_not_https"),
        ("a\u{202e}b\n", "forbidden_character"),
        ("a\u{200b}b\n", "forbidden_character"),
        ("a\u{7}b\n", "forbidden_character"),
        ("a&#8203;b\n", "forbidden_character"),
        ("a &zwj; b\n", "forbidden_character"),
        ("[a](https://a.be/&#8203;x)\n", "forbidden_character"),
        ("a\u{ad}b\n", "forbidden_character"),
        ("a\u{e0041}b\n", "forbidden_character"),
        ("[x]: http://a.be\n", "link_not_https"),
        ("[x](/\\\\evil.example)\n", "link_not_https"),
        ("[x](/&#9;/evil.example)\n", "link_not_https"),
        ("[x](//evil.example)\n", "link_not_https"),
        ("[x][y]\n\n[y]: http://a.be\n", "link_not_https"),
        ("a <VV name=\"Foo Bar!\">1</VV>\n", "tag_attribute"),
        ("a <VV name=\"x\" uid=\"ref-00001\">1</VV>\n", "tag_attribute"),
        ("<Risk reason=\"&#x202e;x\">y</Risk>\n", "tag_attribute"),
    ];
    for (body, rule) in cases {
        let found = rules(body);
        assert!(found.contains(rule), "{body:?}: {found:?}");
        let distinct: std::collections::BTreeSet<_> = found.iter().collect();
        assert_eq!(distinct.len(), 1, "{body:?}: {found:?}");
    }
}

#[test]
fn leaves_ordinary_prose_alone() {
    for body in [
        "",
        "A fee < 5 euro and > 3; a <https://a.be> link.\n",
        "Import duties are due. export licences too.\n",
        "`{x}` and\n\n    {indented code}\n\n```js\nexport const a = {b: <C/>}\n```\n",
        "\\{x\\} &amp; &lt; &eacute; [y](HTTPS://a.be)\n",
        "[x](#process) [y](templates/letter.md) [sic]\n",
        "| a | b |\n|---|---|\n| 1 | <VV name=\"n\">2</VV> |\n",
        "<Risk>\n1. One\n2. <Path id=\"x\" />\n</Risk>\n",
        "- item\n  <Risk reason=\"r\">\n  text\n  </Risk>\n",
    ] {
        assert_eq!(rules(body), Vec::<&str>::new(), "{body:?}");
    }
    assert_eq!(kinds("`<Path id=\"x\" />` <Path id=\"y\" />\n").len(), 1);
}

#[test]
fn hostile_bodies_stay_bounded() {
    for body in [
        "<Risk>".repeat(20_000),
        "<Risk ".repeat(20_000),
        "</Risk>".repeat(20_000),
        "<VV name=\"".repeat(20_000),
        "[".repeat(50_000),
        "> ".repeat(20_000),
        "<Risk>\n".repeat(5_000) + &"</VV></Risk>\n".repeat(5_000),
        "`<Ref name=\"` ".repeat(5_000),
    ] {
        let (document, _) = parse(&body, 0);
        assert_eq!(print::print(&body, &document), body);
    }
}
