//! The published corpus stands a strict check, and one thing changed in it gives exactly the finding expected.

use crate::edits::{At, Edit, wrong_rows};
use crate::files::Files;
use Edit::{Add, Bytes, Remove, Replace};

const HOUSEHOLD: &str = "skills/household-composition/canonical.md";
const INDEX: &str = "paths/index.json";
const VALUES: &str = "catalogue/volatile-values.jsonl";
const TRIGGERS: &str = "agents/triggers.json";
const SCRUB_RULES: &str = "scrub/regex-rules.json";

/// A skill that nothing leads to.
const LONELY: &str = "---\nid: lonely\ntitle: Lonely\nschema_version: 4\nversion: 0.0.0\nstatus: draft\norigin: be-civic\ncategory: meta\nsubmission_contract_version: 2.1.0\n---\n\n# Lonely\n";

#[rustfmt::skip] // one row, one line
pub const TABLE: &[(Edit, &str, At)] = &[
    (Replace(HOUSEHOLD, "## Known surprises\n", "## Known surprises\n\n- Model 2 is given out on Mondays.\n"), "uncited_number", At(HOUSEHOLD, "Model 2 is")),
    (Replace(HOUSEHOLD, "## Known surprises\n", "## Known surprises\n\n- It takes three working days [ibz-main-residence-certificate].\n"), "untagged_value", At(HOUSEHOLD, "It takes three")),
    (Replace(HOUSEHOLD, "Agent: read [/agents](/agents) before you follow this text.\n", "Read on.\n"), "opening_line_missing", At(HOUSEHOLD, "Read on.")),
    (Replace(HOUSEHOLD, "\n  de: [", "\n  en: ["), "duplicate_key", At(HOUSEHOLD, "  en: [household")),
    (Replace(HOUSEHOLD, "\n  de: [Haushaltszusammensetzung, Haushaltsbescheinigung, Bescheinigung über die Haushaltszusammensetzung, Familienzusammensetzung]", ""), "language_missing", At(HOUSEHOLD, "synonyms:")),
    (Replace(HOUSEHOLD, "uid=\"val-00001\">0</VV>", "uid=\"val-00001\">5</VV>"), "catalogue_text_stale", At(HOUSEHOLD, "\"val-00001\">5</VV>")),
    (Replace(HOUSEHOLD, "title=\"Commune of Ruiselede: certificate of household composition\"", "title=\"Ruiselede\""), "catalogue_text_stale", At(HOUSEHOLD, "title=\"Ruiselede\"")),
    (Replace(HOUSEHOLD, "<Path id=\"household-composition-certificate\" />", "the certificate"), "requires_unanchored", At(HOUSEHOLD, "- id: household-composition-certificate")),
    (Replace(HOUSEHOLD, "## Known surprises\n", "## Known surprises\n\n- See [the rest](/docs/no-such-page).\n"), "dead_link", At(HOUSEHOLD, "/docs/no-such-page")),
    (Replace(INDEX, "        \"de\": \"Bescheinigung über die Haushaltszusammensetzung\",\n", ""), "language_missing", At(INDEX, "\"title\": {\n        \"fr\": \"Certificat de composition de ménage\"")),
    (Replace(VALUES, "\"source\": \"montigny-household-certificate\", ", ""), "value_unsourced", At(VALUES, "")),
    (Bytes(TRIGGERS, without_german), "language_missing", At(TRIGGERS, "\"household-composition\"")),
    (Replace(HOUSEHOLD, "## Known surprises\n", "## Known surprises\n\n- See [8 days](/agents) [ibz-main-residence-certificate].\n"), "untagged_value", At(HOUSEHOLD, "See [8 days]")),
    (Replace(HOUSEHOLD, "## Known surprises\n", "## Known surprises\n\n- It costs <VV name=\"no-such-value\">5</VV> euros [ibz-main-residence-certificate].\n"), "catalogue_text_stale", At(HOUSEHOLD, "no-such-value")),
    (Replace(HOUSEHOLD, "\nsummary: ", "\nsummary: For 20 euros. "), "untagged_value", At(HOUSEHOLD, "For 20 euros")),
    (Replace(HOUSEHOLD, "\n# Obtain", "\n# Get"), "skill_thin", At(HOUSEHOLD, "\n‸# Get")),
    (Replace(HOUSEHOLD, "This is a starting point", "This is a text"), "skill_thin", At(HOUSEHOLD, "Agent: read")),
    (Remove("agents.mdx"), "page_missing", At("agents.mdx", "")),
    (Remove(TRIGGERS), "page_missing", At(TRIGGERS, "")),
    (Add("skills/lonely/canonical.md", LONELY), "graph_disconnected", At("skills/lonely/canonical.md", "")),
];

/// The triggers of one skill without those in German.
fn without_german(triggers: Vec<u8>) -> Vec<u8> {
    let mut triggers: serde_json::Value = serde_json::from_slice(&triggers).expect("JSON");
    let phrases = triggers["skills"]["household-composition"].as_object_mut().expect("phrases");
    assert!(phrases.remove("de").is_some());
    (serde_json::to_string_pretty(&triggers).expect("text") + "\n").into_bytes()
}

#[test]
fn the_published_corpus_stands_a_strict_check() {
    let found: Vec<String> =
        Files::public_corpus().check_strictly().iter().map(|f| format!("{f:?}")).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_single_edit_of_it_is_found() {
    let mut good = Files::public_corpus();
    // They follow what is edited, and have rows of their own in the other table.
    good.0.retain(|path, _| !path.ends_with("/rollup.json"));
    // Judging sixty scrub rules takes most of a check, and is tested elsewhere.
    good.0.insert(SCRUB_RULES.to_owned(), Files::test_corpus().text(SCRUB_RULES).into_bytes());
    assert_eq!(wrong_rows(TABLE, &good, Files::check_strictly), Vec::<String>::new());
}
