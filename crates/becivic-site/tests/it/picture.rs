//! Pictures of real corpora and of hostile diagrams.

use crate::expect::expect;
use crate::files::corpus;
use becivic_core::corpus::Corpus;
use becivic_core::vocabulary::Language;
use becivic_site::doc::{self, Block};
use becivic_site::{World, picture, words};
use std::collections::BTreeSet;

fn world<'w>(corpus: &'w Corpus, withheld: &'w BTreeSet<(String, String)>) -> World<'w> {
    World { withheld, ..World::new(corpus, "https://becivic.be") }
}

/// The picture and its words; it must be inert XML.
fn parts(block: Block) -> (String, String) {
    let english = words::of(Language::En);
    let told = doc::markdown::blocks(std::slice::from_ref(&block), english);
    let Block::Picture { svg, .. } = block else { unreachable!("no picture: {block:?}") };
    inert(&svg);
    (svg, told)
}

fn inert(svg: &str) {
    let tree = roxmltree::Document::parse(svg).unwrap_or_else(|error| unreachable!("{error}: {svg}"));
    for node in tree.descendants().filter(|node| node.is_element()) {
        let name = node.tag_name().name();
        assert!(["svg", "g", "path", "rect", "text", "tspan", "a"].contains(&name), "{name}");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on") && name != "style" && name != "id", "{name}={value}");
            assert!(!value.contains("url("), "{value}");
            let is_number = ["x", "y", "d", "width", "height", "rx", "viewBox"].contains(&name);
            assert!(!is_number || !(value.contains("NaN") || value.contains("inf")), "{value}");
            assert!(
                !name.contains("href") || value.starts_with("/skills/") || value.starts_with("/paths/"),
                "{value}"
            );
        }
    }
}

/// The text of a picture, line ends as spaces.
fn letters(svg: &str) -> String {
    let tree = roxmltree::Document::parse(svg).expect("parsed before");
    let texts = tree.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
    texts.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_diagram_is_drawn_and_told_in_words() {
    let none = BTreeSet::new();
    let mut drawn = 0;
    for folder in ["corpus", "fixtures/corpus"] {
        let corpus = corpus(folder);
        let world = world(&corpus, &none);
        for (id, source) in &corpus.diagrams {
            let block = picture::process(&world, id, words::of(Language::En)).expect("there is one");
            let (svg, told) = parts(block);
            let shown = letters(&svg).replace([' ', '-'], "");
            for label in labels(source.as_ref().expect("readable").text()) {
                let in_words = doc::markdown::escape(&label.replace("<br>", ", "));
                assert!(told.contains(&in_words), "{id}: {label} is not told:\n{told}");
                let plain = label.replace("<br>", "").replace([' ', '-'], "");
                assert!(shown.contains(&plain), "{id}: {label} is not drawn");
            }
            drawn += 1;
        }
    }
    assert!(drawn >= 9, "{drawn}");
}

/// Everything between brackets, braces and bars of a diagram: read in another way than the parser does.
fn labels(source: &str) -> Vec<String> {
    let mut labels = Vec::new();
    for line in source.lines().skip(1) {
        for (open, close) in [('[', ']'), ('{', '}'), ('|', '|')] {
            let mut rest = line;
            while let Some((_, after)) = rest.split_once(open) {
                let Some((label, after)) = after.split_once(close) else { break };
                labels.push(label.trim_matches('"').to_owned());
                rest = after;
            }
        }
    }
    labels
}

#[test]
fn two_pictures_as_they_are() {
    let none = BTreeSet::new();
    let corpus = corpus("fixtures/corpus");
    let world = world(&corpus, &none);
    let process = picture::process(&world, "arrival-declaration", words::of(Language::En)).expect("drawn");
    let (svg, told) = parts(process);
    expect("picture/process.svg", &svg.replace("><", ">\n<"));
    expect("picture/process.md", &told);
    let around =
        picture::neighbourhood(&world, "arrival-declaration", words::of(Language::Fr)).expect("drawn");
    let (svg, told) = parts(around);
    expect("picture/around.svg", &svg.replace("><", ">\n<"));
    expect("picture/around.md", &told);
}

#[test]
fn neighbours_are_links_in_the_picture_and_in_the_list() {
    let none = BTreeSet::new();
    let corpus = corpus("corpus");
    let world = world(&corpus, &none);
    let mut drawn = 0;
    for id in corpus.skills.keys() {
        let Some(block) = picture::neighbourhood(&world, id, words::of(Language::Nl)) else { continue };
        let (svg, told) = parts(block);
        let tree = roxmltree::Document::parse(&svg).expect("parsed before");
        let links: Vec<&str> = tree.descendants().filter_map(|node| node.attribute("href")).collect();
        assert!(!links.is_empty(), "{id}");
        for link in links {
            assert!(told.contains(&format!("]({link})")), "{id}: {link} is not in the list");
        }
        drawn += 1;
    }
    assert!(drawn > 5, "{drawn}");
}

#[test]
fn what_is_put_away_has_no_picture() {
    let corpus = corpus("corpus");
    let id = "nationality-application".to_owned();
    let withheld = BTreeSet::from([("skill".to_owned(), id.clone())]);
    let world = world(&corpus, &withheld);
    assert_eq!(picture::process(&world, &id, words::of(Language::En)), None);
    assert_eq!(picture::neighbourhood(&world, &id, words::of(Language::En)), None);
}

#[test]
fn many_neighbours_are_cut_and_counted() {
    use becivic_core::corpus::{Content, Input};
    let skill = |id: &str, extra: &str| {
        let text = format!(
            "---\nid: {id}\ntitle: \"<b>{id}</b> & \\\"more\\\"\"\nschema_version: 4\nversion: 0.0.0\nstatus: draft\norigin: be-civic\ncategory: belgium-federal\nsubmission_contract_version: 2.0.0\n{extra}---\n"
        );
        Input { path: format!("skills/{id}/canonical.md"), content: Content::Bytes(text.into_bytes()) }
    };
    let mut inputs = vec![skill("hub", "")];
    inputs.extend((0..1_000).map(|at| skill(&format!("user-{at:04}"), "requires: [{id: hub}]\n")));
    let corpus = Corpus::from_inputs(inputs);
    let none = BTreeSet::new();
    let block =
        picture::neighbourhood(&world(&corpus, &none), "hub", words::of(Language::En)).expect("drawn");
    let (svg, told) = parts(block);
    assert!(svg.contains("and 990 more") && svg.len() < 20_000, "{}", svg.len());
    assert!(told.contains("and 900 more"), "{told}");
    assert!(svg.contains("&lt;b&gt;hub&lt;/b&gt;"), "{svg}");
}

#[test]
fn hostile_diagrams_stay_harmless_and_small() {
    let english = words::of(Language::En);
    let circle: String =
        (0..200).map(|at| format!("n{at} --> n{}\nn{at} --> n{at}\n", (at + 1) % 200)).collect();
    let (svg, _) = parts(picture::diagram(&format!("flowchart TD\n{circle}"), "T", english));
    assert!(svg.len() < 400_000, "{}", svg.len());
    let markup = "flowchart TD\na[\"</text><script>alert(1)</script><a href='http://x'>\"] -->|\"<b onclick=1>\"| b{\"&#x3c;\u{1}\"}\n";
    let (svg, told) = parts(picture::diagram(markup, "<T>", english));
    assert!(!svg.contains("<script") && !svg.contains("<b "), "{svg}");
    assert!(!told.replace("\\<", "").contains('<'), "{told}");
    let long = format!("flowchart TD\na[{}] --> b\n", "word ".repeat(10_000));
    let (svg, _) = parts(picture::diagram(&long, "T", english));
    assert!(svg.len() < 5_000, "{}", svg.len());
    for undrawn in [
        format!(
            "flowchart TD\n{}",
            (0..10_000).map(|at| format!("n{at} --> n{}\n", at + 1)).collect::<String>()
        ),
        "sequenceDiagram\nA->>B: hello".to_owned(),
    ] {
        let block = picture::diagram(&undrawn, "T", english);
        let html = doc::html::blocks(&[block], english).into_string();
        assert!(!html.contains("<svg") && html.contains("<pre"), "{html}");
        assert!(html.len() < 150_000, "{}", html.len());
    }
}

#[test]
fn pictures_with_links_are_no_images() {
    let english = words::of(Language::En);
    let corpus = corpus("corpus");
    let none = BTreeSet::new();
    let world = world(&corpus, &none);
    let process = picture::process(&world, "nationality-application", english).expect("drawn");
    let html = doc::html::blocks(&[process], english).into_string();
    assert!(html.contains("role=\"img\""), "{html}");
    let around = picture::neighbourhood(&world, "nationality-application", english).expect("drawn");
    let html = doc::html::blocks(&[around], english).into_string();
    assert!(html.contains("role=\"group\"") && !html.contains("role=\"img\""), "{html}");
}

#[test]
fn a_group_is_a_box_with_a_name_where_only_its_steps_stand_in_it() {
    let source = "flowchart TD\nsubgraph home [\"At home\"]\na[Write it] --> b[Sign it]\nend\nsubgraph desk [At the desk]\nc[Hand it in]\nend\nb --> c";
    let (svg, told) = parts(picture::diagram(source, "T", words::of(Language::En)));
    assert_eq!(svg.matches("class=\"group\"").count(), 2, "{svg}");
    assert!(letters(&svg).contains("At home") && letters(&svg).contains("At the desk"));
    assert!(told.contains("Sign it (At home)") && told.contains("Hand it in (At the desk)"), "{told}");
    // A step between the two of a group: a box would hold it too.
    let apart = "flowchart TD\nsubgraph one\na\nc\nend\na --> b --> c";
    let (svg, told) = parts(picture::diagram(apart, "T", words::of(Language::En)));
    assert!(!svg.contains("class=\"group\"") && told.contains("c (one)"), "{svg} {told}");
}
