//! The examples on the pages about submissions are submissions.

use crate::files::Files;
use becivic_core::schema::Schema;
use serde_json::Value;

#[test]
fn the_examples_of_the_submit_pages_fit_their_schemas() {
    let files = Files::public_corpus();
    let pages = [
        ("concern", Schema::Concern),
        ("amendment", Schema::Amendment),
        ("validation", Schema::Validation),
        ("draft", Schema::Draft),
        ("feedback", Schema::Feedback),
        ("rating", Schema::Rating),
    ];
    for (page, schema) in pages {
        let examples = examples(&files.text(&format!("agents/submit/{page}.mdx")));
        assert!(!examples.is_empty(), "{page} has an example");
        for example in examples {
            let violations: Vec<String> = schema
                .violations(&example)
                .into_iter()
                .map(|v| format!("{} {}", v.pointer, v.message))
                .collect();
            assert_eq!(violations, Vec::<String>::new(), "{page}");
        }
    }
    let template = examples(&files.text("agents/feedback-template.mdx"));
    let envelopes = template.iter().filter(|example| example.get("items").is_some());
    assert!(envelopes.clone().count() > 0);
    for envelope in envelopes {
        assert_eq!(Schema::FeedbackEnvelope.violations(envelope), []);
    }
}

/// The JSON of a page that is a submission: it says which version of its schema it fits, or holds items.
fn examples(page: &str) -> Vec<Value> {
    let blocks = page.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    let values = blocks.map(|block| serde_json::from_str::<Value>(block).expect("a JSON block is JSON"));
    values.filter(|value| value.get("schema_version").is_some() || value.get("items").is_some()).collect()
}
