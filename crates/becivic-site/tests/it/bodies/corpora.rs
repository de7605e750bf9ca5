//! Every skill and every page of the two corpora of this repository.

use super::parity::assert_sound;
use super::{extract, inputs};
use becivic_core::corpus::Corpus;
use becivic_core::vocabulary::Language;
use becivic_site::facts::{Entry, Facts, Row};
use becivic_site::{World, body, words};
use std::collections::BTreeSet;

/// The seeds as facts.
fn seeds(corpus: &Corpus) -> Facts {
    let mut facts = Facts::default();
    let rows = |row: serde_json::Value| serde_json::from_value::<Row>(row).expect("a row");
    let values = corpus.catalogue.values().iter().map(|row| (&row.uid, &row.name, serde_json::to_value(row)));
    let references =
        corpus.catalogue.references().iter().map(|row| (&row.uid, &row.name, serde_json::to_value(row)));
    for (uid, name, row) in values.chain(references) {
        let current = rows(row.expect("json"));
        facts.entries.insert(
            uid.clone(),
            Entry { uid: uid.clone(), name: name.clone(), current, stable: None, flagged: Vec::new() }.into(),
        );
    }
    facts
}

#[test]
fn every_text_is_printed() {
    for folder in ["corpus", "fixtures/corpus"] {
        let corpus = Corpus::from_inputs(inputs(folder));
        let (facts, withheld) = (seeds(&corpus), BTreeSet::new());
        let world = World { withheld: &withheld, ..World::new(&corpus, "") };
        assert!(!corpus.skills.is_empty());
        for (id, skill) in &corpus.skills {
            let it = body::skill(&world, skill, &facts, words::of(Language::En));
            assert_sound(&it.html);
            assert!(!it.html.contains("[unresolved]"), "{folder}: {id}");
            assert_eq!(it.contents.len(), skill.document.outline.sections.len(), "{folder}: {id}");
            let (said, quoted) =
                (it.html.find("<div class=\"observations\">"), it.markdown.find("<Observations "));
            let before = extract::of_html(&it.html[..said.unwrap_or(it.html.len())]);
            let markdown = &it.markdown[..quoted.unwrap_or(it.markdown.len())];
            assert_eq!(before, extract::of_markdown(markdown), "{folder}: {id}");
            for fragment in it.html.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(it.html.contains(&format!(" id=\"{fragment}\"")), "{folder}: {id}: #{fragment}");
            }
        }
        for (address, page) in &corpus.pages {
            let it = body::plain(page.source.slice(page.document.body));
            assert_sound(&it.html);
            assert_eq!(extract::of_html(&it.html), extract::of_markdown(&it.markdown), "{folder}: {address}");
        }
    }
}
