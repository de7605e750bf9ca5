use super::*;
use crate::corpus::{Content, Corpus, Input};
use crate::schema::Schema;

fn skill(id: &str, title: &str, extra: &str) -> Input {
    let text = format!(
        "---\nid: {id}\ntitle: {title}\nschema_version: 4\norigin: be-civic\ncategory: belgium-federal\nsubmission_contract_version: 2.0.0\n{extra}---\n"
    );
    Input { path: format!("skills/{id}/canonical.md"), content: Content::Bytes(text.into_bytes()) }
}

const DRAFT: &str = "version: 0.0.0\nstatus: draft\n";

fn corpus() -> Corpus {
    let corpus = Corpus::from_inputs(vec![
        skill(
            "a",
            "\"A & <b> \\\"c\\\"\"",
            &format!("{DRAFT}requires: [{{id: b}}]\nrelated: [c]\nsummary: S\n"),
        ),
        skill("b", "B", &format!("{DRAFT}requires: [{{id: c}}]\nprerequisites: [d, gone]\ndomain: family\n")),
        skill("c", "C", &format!("{DRAFT}requires: [{{id: a}}]\n")),
        skill("d", "D", "version: 1.0.0\nstatus: stable\nrelated: [d]\n"),
        skill("old", "Old", "version: 0.1.0\nstatus: deprecated\n"),
        skill("meta-no-skill-fallback", "Fallback", "version: 1.0.0\nstatus: stable\ndomain: meta\n"),
    ]);
    assert!(corpus.findings.is_empty(), "{:?}", corpus.findings);
    corpus
}

fn ids<'a>(view: &View<'a>) -> Vec<&'a str> {
    view.nodes.iter().map(|front| front.id.as_str()).collect()
}

#[test]
fn the_answer_fits_its_schema_and_holds_the_fallback() {
    let corpus = corpus();
    let view = View::of(&corpus, Filter::default());
    assert_eq!(ids(&view), ["a", "b", "c", "d", "meta-no-skill-fallback"]);
    let value = serde_json::to_value(view.answer("2026-01-01T00:00:00Z")).expect("serialises");
    assert_eq!(Schema::SkillGraph.violations(&value), []);
    assert_eq!(value["nodes"][0]["canonical_url"], "https://becivic.be/skills/a");
    assert_eq!(value["nodes"][1]["summary_missing"], true);
    assert_eq!(value["edges"].as_array().map(Vec::len), Some(3));
    assert_eq!(value["filters_applied"], serde_json::json!({}));

    let filter = Filter { status: vec![Status::Draft], domain: vec![Domain::Family], ..Filter::default() };
    let view = View::of(&corpus, filter);
    assert_eq!(ids(&view), ["b", "meta-no-skill-fallback"]);
    let value = serde_json::to_value(view.answer("2026-01-01T00:00:00Z")).expect("serialises");
    assert_eq!(Schema::SkillGraph.violations(&value), []);
    assert_eq!(value["filters_applied"]["applies_to"][0], "family");
}

#[test]
fn pictures_escape_text_and_survive_circles() {
    let corpus = corpus();
    let view = View::of(&corpus, Filter::default());
    let dot = view.dot();
    assert!(dot.contains("\"a\" -> \"b\" [style=solid];"), "{dot}");
    assert!(dot.contains("\"b\" -> \"d\" [style=dashed];"), "{dot}");
    // c requires a, and that says more than that a is related to c.
    assert!(dot.contains("\"c\" -> \"a\" [style=solid];") && !dot.contains("\"a\" -> \"c\""), "{dot}");
    assert!(dot.contains("\"d\" -> \"d\" [style=dotted, dir=none, constraint=false];"), "{dot}");
    assert!(dot.contains("A & <b> \\\"c\\\"\\na"), "{dot}");
    let svg = view.svg();
    assert!(svg.contains("A &amp; &lt;b&gt; &quot;c&quot;"), "{svg}");
    assert!(!svg.contains("<b>") && !svg.contains("NaN"), "{svg}");
    assert_eq!(svg.matches("<g>").count(), 5);
    let empty = Corpus::default();
    assert!(View::of(&empty, Filter::default()).svg().ends_with("</svg>\n"));
}

#[test]
fn boxes_never_overlap() {
    let links: Vec<layout::Link> = (0..300usize)
        .map(|i| layout::Link { from: i % 97, to: (i * i + 7) % 101, firm: i % 3 > 0 })
        .collect();
    let layout = layout::lay_out(120, &links);
    let mut places = layout.places.clone();
    places.sort_by(|a, b| (a.layer, a.y).partial_cmp(&(b.layer, b.y)).expect("finite"));
    for pair in places.windows(2) {
        assert!(pair[0].layer != pair[1].layer || pair[1].y - pair[0].y > 0.999, "{pair:?}");
    }
    assert!(places.iter().all(|place| place.y >= 0.0 && place.y <= layout.height));
}

#[test]
fn ten_thousand_skills_are_laid_out_at_once() {
    let chain = (0..9_999).map(|i| layout::Link { from: i, to: i + 1, firm: true });
    let far = (0..5_000).map(|i| layout::Link { from: 9_999 - i, to: i, firm: i % 2 == 0 });
    let links: Vec<layout::Link> = chain.chain(far).collect();
    let start = std::time::Instant::now();
    let layout = layout::lay_out(10_000, &links);
    assert_eq!(layout.layers, 10_000);
    assert!(start.elapsed().as_secs() < 20, "took {:?}", start.elapsed());
}
