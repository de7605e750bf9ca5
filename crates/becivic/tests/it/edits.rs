//! Breaking any one thing in a valid corpus gives exactly the expected rule at the expected line.
//!
//! One table: what is changed, and the one finding it must give. A rule that no row breaks (and that
//! no other test covers) fails the last test.

use crate::files::Files;
use crate::strict;
use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::finding::Finding;
use becivic_core::rules::{self, Check, RULES, Touched};
use std::collections::BTreeSet;

/// One thing that is changed in the test corpus.
pub enum Edit {
    /// The first occurrence of a text becomes another.
    Replace(&'static str, &'static str, &'static str),
    /// A file is added.
    Add(&'static str, &'static str),
    /// A file is removed.
    Remove(&'static str),
    /// A file's bytes are changed by a function.
    Bytes(&'static str, fn(Vec<u8>) -> Vec<u8>),
}
use Edit::{Add, Bytes, Remove, Replace};

/// Where the finding must be: file, and a text that stands in the line (empty: line 1).
pub struct At(pub &'static str, pub &'static str);

const ARRIVAL: &str = "skills/arrival-declaration/canonical.md";
const LEGALISE: &str = "skills/legalise-foreign-document/canonical.md";
const RENEW: &str = "skills/renew-residence-card/canonical.md";
const OLD: &str = "skills/old-registration/canonical.md";
const DRAFT: &str = "skills/school-enrolment/canonical.md";
const INDEX: &str = "paths/index.json";

#[rustfmt::skip] // one row, one line
const TABLE: &[(Edit, &str, At)] = &[
    // Files and encoding.
    (Bytes(RENEW, |b| [b"\xef\xbb\xbf".as_slice(), &b].concat()), "byte_order_mark", At(RENEW, "")),
    (Bytes(RENEW, |b| String::from_utf8_lossy(&b).replacen("2.0.0\n", "2.0.0\r\n", 1).into_bytes()), "carriage_return", At(RENEW, "submission_contract_version")),
    (Bytes(RENEW, |b| [&b[..200], b"\xff", &b[200..]].concat()), "not_utf8", At(RENEW, "\u{fffd}")),
    (Bytes(INDEX, |mut b| { b.pop(); b }), "no_final_newline", At(INDEX, "\u{0}last")),
    (Bytes("data/communes.json", |_| vec![b' '; 5 * 1024 * 1024]), "file_too_large", At("data/communes.json", "")),
    (Add("skills/renew-residence-card/proposals/x.md", "x\n"), "misplaced_file", At("skills/renew-residence-card/proposals/x.md", "")),
    (Add("skills/lonely/process.mmd", "graph TD\n"), "skill_without_text", At("skills/lonely", "")),
    (Add("skills/lonely/templates/letter.md", "x\n"), "skill_without_text", At("skills/lonely", "")),
    // Frontmatter.
    (Replace(OLD, "---\nid:", "id:"), "frontmatter_fence", At(OLD, "")),
    (Replace(OLD, "title: Registration", "title: [Registration"), "yaml_syntax", At(OLD, "summary:")),
    (Replace(OLD, "domain: residency", "domain: &a residency"), "yaml_feature", At(OLD, "domain:")),
    (Replace(OLD, "domain: residency", "domain: !x residency"), "yaml_feature", At(OLD, "domain:")),
    (Replace(OLD, "domain: residency", "category: residency"), "duplicate_key", At(OLD, "category: residency")),
    (Replace(ARRIVAL, "\"21009\"", "21009"), "unquoted_nis", At(ARRIVAL, "communes:")),
    (Replace(OLD, "domain: residency", "domain: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"), "nested_too_deep", At(OLD, "domain:")),
    (Replace(RENEW, "recurring: true", "recurring: yes"), "schema_fail", At(RENEW, "recurring:")),
    (Replace(RENEW, "status: stable", "status: published"), "schema_fail", At(RENEW, "status:")),
    (Replace(RENEW, "origin: be-civic\n", ""), "schema_fail", At(RENEW, "id: renew")),
    (Replace(RENEW, "recurring: true", "colour: red"), "schema_fail", At(RENEW, "colour:")),
    (Replace(RENEW, "schema_version: 4", "schema_version: 3"), "schema_fail", At(RENEW, "schema_version:")),
    (Replace(RENEW, "recurring: true", "superseded_by: old-registration"), "schema_fail", At(RENEW, "superseded_by:")),
    (Replace(RENEW, "recurring: true", "routing_risk: high"), "legacy_field", At(RENEW, "routing_risk:")),
    (Replace(RENEW, "recurring: true", "lifecycle: active"), "legacy_field", At(RENEW, "lifecycle:")),
    (Replace(RENEW, "recurring: true", "cohort_stats: x"), "legacy_field", At(RENEW, "cohort_stats:")),
    (Replace(RENEW, "recurring: true", "volatile_values: []"), "legacy_field", At(RENEW, "volatile_values:")),
    (Replace(RENEW, "recurring: true", "references: []"), "legacy_field", At(RENEW, "references:")),
    (Replace(RENEW, "recurring: true", "user_email: x"), "identity_field_banned", At(RENEW, "user_email:")),
    (Replace(RENEW, "id: renew-residence-card", "id: renew-card"), "id_matches_folder", At(RENEW, "id: renew-card")),
    (Replace(RENEW, "submission_contract_version: 2.0.0", "submission_contract_version: 2.7.0"), "contract_unknown", At(RENEW, "submission_contract_version:")),
    (Replace(RENEW, "submission_contract_version: 2.0.0", "submission_contract_version: 9.0.0"), "contract_unknown", At(RENEW, "submission_contract_version:")),
    (Replace(DRAFT, "origin: be-civic", "origin: community"), "origin_of_draft", At(DRAFT, "origin:")),
    (Replace(RENEW, "authority_id: dofi", "authority_id: no-such-office"), "authority_unknown", At(RENEW, "authority_id:")),
    (Replace(RENEW, "category: belgium-federal", "category: belgium-federall"), "category_near_miss", At(RENEW, "category:")),
    (Replace(RENEW, "category: belgium-federal", "category: belgium-communal"), "category_new", At(RENEW, "category:")),
    (Replace(RENEW, "version: 1.0.3", "version: 0.2.3"), "invalid_version_for_status", At(RENEW, "version: 0.2.3")),
    (Replace(RENEW, "version: 1.0.3", "version: 1.0.3\nversion_pin: true"), "version_pinned", At(RENEW, "version_pin:")),
    (Replace(OLD, "superseded_by: arrival-declaration", "superseded_by: no-such-skill"), "superseded_by_unresolved", At(OLD, "superseded_by:")),
    (Replace(RENEW, "last_verified: 2026-05-12\n", ""), "last_verified_missing", At(RENEW, "status:")),
    (Replace(RENEW, "summary: Ask", "summary: Ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask and ask"), "summary_long", At(RENEW, "summary:")),
    (Replace(ARRIVAL, "\"44021\"", "\"99999\""), "commune_unknown", At(ARRIVAL, "communes:")),
    (Replace(RENEW, "inputs:\n", "inputs:\n  - name: shoe_size\n    type: text\n    render: profile\n"), "profile_input", At(RENEW, "name: shoe_size")),
    (Replace(RENEW, "inputs:\n", "inputs:\n  - name: civic_status\n    type: single_choice\n    options: [married, engaged]\n    render: profile\n"), "profile_input", At(RENEW, "options: [married")),
    (Replace(RENEW, "inputs:\n", "inputs:\n  - name: residency_history\n    type: row_list\n    columns:\n      - id: start\n        type: month_year\n        label: From\n      - id: street\n        type: text\n        label: Street\n    render: profile\n"), "profile_input", At(RENEW, "id: street")),
    // Composition.
    (Replace(RENEW, "recurring: true", "related: [renew-residence-card]"), "graph_cycle", At(RENEW, "related:")),
    (Replace(RENEW, "recurring: true", "related: [no-such-skill]"), "unresolved_skill", At(RENEW, "related:")),
    (Replace(RENEW, "recurring: true", "prerequisites: [no-such-skill]"), "unresolved_skill", At(RENEW, "prerequisites:")),
    (Replace(DRAFT, "domain: education", "requires:\n  - id: no-such-skill"), "unresolved_skill", At(DRAFT, "- id: no-such-skill")),
    (Replace(DRAFT, "domain: education", "requires_paths:\n  - id: no-such-path"), "unresolved_path", At(DRAFT, "- id: no-such-path")),
    (Replace(DRAFT, "domain: education", "requires:\n  - id: old-registration"), "requires_retired", At(DRAFT, "- id: old-registration")),
    (Replace(DRAFT, "domain: education", "requires_paths:\n  - id: retired-portal-form"), "path_deprecated", At(DRAFT, "- id: retired-portal-form")),
    (Replace(DRAFT, "domain: education", "requires:\n  - id: renew-residence-card\n  - id: renew-residence-card"), "required_twice", At(DRAFT, "- id: renew-residence-card\n‸  - id")),
    (Replace(DRAFT, "domain: education", "requires:\n  - id: school-enrolment"), "graph_cycle", At(DRAFT, "- id: school-enrolment")),
    (Bytes(LEGALISE, |b| { String::from_utf8_lossy(&b).replacen("inputs:\n", "requires:\n  - id: arrival-declaration\ninputs:\n", 1).replacen("1. Ask the", "1. <Skill id=\"arrival-declaration\" /> Ask the", 1).into_bytes() }), "graph_cycle", At(ARRIVAL, "- id: legalise-foreign-document")),
    (Replace(RENEW, "recurring: true", "prerequisites: [renew-residence-card]"), "graph_cycle", At(RENEW, "prerequisites:")),
    (Replace(ARRIVAL, "      origin_country: [us, gb, in]\nrequires_paths", "      region: [bruxelles]\nrequires_paths"), "selects_on_unknown", At(ARRIVAL, "region: [bruxelles]")),
    (Replace(ARRIVAL, "legalised_civil_status_document\n    type: document_artefact", "legalised_civil_status_document\n    type: string"), "io_type_mismatch", At(ARRIVAL, "type: string")),
    (Replace(ARRIVAL, "- name: residence_commune", "- name: origin_country"), "io_declaration", At(ARRIVAL, "- name: origin_country\n    type: commune")),
    (Remove("schemas/types.json"), "types_missing", At("schemas/types.json", "")),
    // Bodies: tags.
    (Replace(RENEW, "<Path id=\"residence-certificate\" />", "<Path id=\"residence-certificate\" /> and <Path id=\"no-such-path\" />"), "unresolved_path", At(RENEW, "no-such-path")),
    (Replace(RENEW, "1. Check", "1. See <Skill id=\"no-such-skill\" />. Check"), "unresolved_skill", At(RENEW, "no-such-skill")),
    (Replace(RENEW, "1. Check", "1. See <Path id=\"household-certificate\" />. Check"), "inline_orphan", At(RENEW, "household-certificate")),
    (Replace(RENEW, "<Path id=\"residence-certificate\" />", "the certificate"), "requires_unanchored", At(RENEW, "- id: residence-certificate")),
    (Replace(RENEW, "1. Check", "1. <Note>x</Note> Check"), "tag_unknown", At(RENEW, "<Note>")),
    (Replace(RENEW, "1. Check", "1. <Path id=x /> Check"), "tag_malformed", At(RENEW, "<Path id=x />")),
    (Replace(RENEW, "€5</VV>", "€5"), "tag_unclosed", At(RENEW, "€5")),
    (Replace(RENEW, "<Path id=\"residence-certificate\" />", "<Path id=\"residence-certificate\"></Path>"), "tag_form", At(RENEW, "</Path>")),
    (Replace(RENEW, " last_verified=\"2026-05-12\">Immigration", ">Immigration"), "tag_attribute", At(RENEW, ">Immigration")),
    (Replace(RENEW, "€5</VV>", "€5 <Path id=\"residence-certificate\" /></VV>"), "tag_nesting", At(RENEW, "€5 <Path")),
    (Replace(RENEW, "1. Check", "1. <CohortStats n=\"3\" /> Check"), "renderer_tag_authored", At(RENEW, "<CohortStats")),
    (Replace(RENEW, "1. Check", "1. <Observation>x</Observation> Check"), "renderer_tag_authored", At(RENEW, "<Observation>")),
    (Replace(RENEW, "uid=\"val-00001\"", "uid=\"val-99999\""), "uid_unresolved", At(RENEW, "val-99999")),
    (Replace(RENEW, "name=\"commune-certificate-fee-eur\"", "name=\"commune-fee\""), "name_uid_mismatch", At(RENEW, "commune-fee")),
    (Replace(RENEW, "- The conditions", "- See [dofi-arrival-page]. The conditions"), "first_citation_form", At(RENEW, "See [dofi-arrival-page]")),
    (Replace(RENEW, "1. Check", "1. Pay [val-00001]. Check"), "first_citation_form", At(RENEW, "[val-00001]")),
    (Replace(RENEW, ">€5</VV>", " />"), "first_citation_form", At(RENEW, "uid=\"val-00001\" />")),
    (Replace(RENEW, "<Observations skill=\"renew-residence-card\" />", "<Observations skill=\"old-registration\" />"), "observations_of_other_skill", At(RENEW, "<Observations")),
    (Replace(RENEW, "url=\"https://dofi.ibz.be/en\"", "url=\"http://dofi.ibz.be/en\""), "url_not_allowed", At(RENEW, "http://dofi")),
    (Replace(RENEW, "url=\"https://dofi.ibz.be/en\"", "url=\"https://me@dofi.ibz.be/en\""), "url_not_allowed", At(RENEW, "me@dofi")),
    (Replace(RENEW, "1. Check", "1. [Form](https://127.0.0.1/x). Check"), "url_not_allowed", At(RENEW, "127.0.0.1")),
    (Replace(RENEW, "url=\"https://dofi.ibz.be/en\"", "url=\"https://blog.example.org/en\""), "url_host_unlisted", At(RENEW, "blog.example.org")),
    (Replace(RENEW, "last_verified=\"2026-05-12\">Immigration", "last_verified=\"May 2026\">Immigration"), "reference_date", At(RENEW, "May 2026")),
    // Bodies: inert text.
    (Replace(RENEW, "1. Check", "1. <b>Check</b> it. Check"), "raw_html", At(RENEW, "<b>")),
    (Replace(RENEW, "1. Check", "1. {x} Check"), "mdx_expression", At(RENEW, "{x}")),
    (Replace(RENEW, "# Renew a residence card\n", "# Renew a residence card\n\nimport x from \"y\"\n"), "mdx_import", At(RENEW, "import x")),
    (Replace(RENEW, "1. Check", "1. ![x](https://dofi.ibz.be/x.png) Check"), "remote_image", At(RENEW, "![x]")),
    (Replace(RENEW, "1. Check", "1. [x](ftp://dofi.ibz.be/x) Check"), "link_not_https", At(RENEW, "ftp://")),
    (Replace(RENEW, "1. Check", "1. Ch\u{202e}eck"), "forbidden_character", At(RENEW, "Ch\u{202e}eck")),
    // Bodies: structure.
    (Replace(LEGALISE, "## Known surprises", "## Authoritative basis"), "section_order", At(LEGALISE, "## Authoritative basis\n\n- The charge")),
    (Replace(LEGALISE, "## Required documents", "### Required documents"), "section_missing", At(LEGALISE, "---\n‸\n# Have a foreign")),
    (Replace(LEGALISE, "## Known surprises", "## Tips"), "section_unknown", At(LEGALISE, "## Tips")),
    (Replace(LEGALISE, "## Known surprises", "## Verify with"), "verify_with_heading", At(LEGALISE, "## Verify with")),
    (Replace(LEGALISE, "No outstanding requests at this time.", "None."), "requests_section_empty", At(LEGALISE, "## Requests")),
    (Remove("skills/arrival-declaration/process.mmd"), "diagram_missing", At(ARRIVAL, "## Branching layer")),
    (Replace(LEGALISE, "## Requests for contributions\n\nNo outstanding requests at this time.\n", ""), "section_missing", At(LEGALISE, "---\n‸\n# Have a foreign")),
    (Add("skills/empty-alpha/canonical.md", "---\nid: empty-alpha\ntitle: T\nschema_version: 4\nversion: 0.1.0\nstatus: alpha\norigin: be-civic\ncategory: meta\nsubmission_contract_version: 2.1.0\n---\n\n# T\n"), "body_missing", At("skills/empty-alpha/canonical.md", "status:")),
    (Add("skills/no-source/canonical.md", "---\nid: no-source\ntitle: T\nschema_version: 4\nversion: 0.1.0\nstatus: alpha\norigin: be-civic\ncategory: belgium-federal\nlast_verified: 2026-05-12\nsubmission_contract_version: 2.1.0\n---\n\n## Authoritative basis\n\nx\n\n## Required documents\n\nx\n\n## Process\n\nx\n\n## Community observations\n\n<Observations skill=\"no-source\" />\n\n## Requests for contributions\n\n- x\n"), "no_reference", At("skills/no-source/canonical.md", "status:")),
    // Paths.
    (Replace(INDEX, "\"generated_at\"", "generated_at"), "json_syntax", At(INDEX, "generated_at")),
    (Replace(INDEX, "\"uid\": \"pth-00001\"", "\"uid\": \"pth-1\""), "schema_fail", At(INDEX, "pth-1\"")),
    (Replace(INDEX, "\"uid\": \"pth-00001\"", "\"uid\": \"pth-00002\""), "path_uid_repeated", At(INDEX, "\"id\": \"residence-certificate\",\n‸      \"uid\": \"pth-00002\"")),
    (Replace(INDEX, "\"id\": \"household-certificate\"", "\"id\": \"household\""), "path_id_matches_key", At(INDEX, "\"id\": \"household\"")),
    (Replace(INDEX, "\"authority_id\": \"dgiac-rrn\"", "\"authority_id\": \"nobody\""), "authority_unknown", At(INDEX, "\"nobody\"")),
    (Replace(INDEX, "\"version\": \"0.1.0\",\n  \"generated_at\"", "\"version\": \"1.0.0\",\n  \"generated_at\""), "catalogue_version", At(INDEX, "\"version\": \"1.0.0\"")),
    (Replace(INDEX, "\"value\": \"404\"", "\"value\": \"8507300332\""), "path_pii_guard", At(INDEX, "8507300332")),
    (Replace(INDEX, "\"preferred_auth_provider\": \"itsme\"", "\"preferred_auth_provider\": \"mygov\""), "provider_unlisted", At(INDEX, "\"mygov\"")),
    (Replace(INDEX, "\"id\": \"commune-desk\"", "\"id\": \"mon-dossier-online\""), "source_id_repeated", At(INDEX, "\"id\": \"mon-dossier-online\",\n          \"source_class\": \"offline\"")),
    (Replace(INDEX, "\"user.document_inventory.has_id_card\",\n                \"op\": \"eq\",\n                \"value\": \"yes\"", "\"user.document_inventory.has_eID\",\n                \"op\": \"eq\",\n                \"value\": true"), "legacy_axis", At(INDEX, "has_eID")),
    (Replace(INDEX, "\"user.region\"", "\"user.administration_language\""), "schema_fail", At(INDEX, "\"user.administration_language\",\n                \"op\": \"eq\",\n‸                \"value\"")),
    (Replace(INDEX, "\"value\": \"Brussels-Capital\"", "\"value\": \"Flanders\""), "audience_disagrees", At(INDEX, "\"regions\": [\n              \"brussels\"\n")),
    (Replace(INDEX, "\"https://mondossier.rrn.fgov.be/\"", "\"https://example.org/\""), "url_host_unlisted", At(INDEX, "https://example.org/")),
    (Replace(INDEX, "\"https://mondossier.rrn.fgov.be/\"", "\"http://mondossier.rrn.fgov.be/\""), "schema_fail", At(INDEX, "http://mondossier")),
    (Replace(INDEX, "\"primary\": \"user\"", "\"primary\": \"agent\""), "schema_fail", At(INDEX, "\"primary\": \"agent\"")),
    (Replace(INDEX, "\"submission\"", "\"publication\""), "schema_fail", At(INDEX, "\"publication\"")),
    (Remove("data/communes.json"), "data_missing", At("data/communes.json", "")),
    (Remove("data/authorities.json"), "data_missing", At("data/authorities.json", "")),
    (Remove("schemas/categories.json"), "data_missing", At("schemas/categories.json", "")),
    (Remove("schemas/source-classes.json"), "data_missing", At("schemas/source-classes.json", "")),
    (Remove("scrub/regex-rules.json"), "data_missing", At("scrub/regex-rules.json", "")),
    (Remove("docs/submission-contract-v2.mdx"), "data_missing", At("docs", "")),
    (Replace(ARRIVAL, "origin_countries: [us, gb, in]", "origin_countries: [us, uk, in]"), "country_unknown", At(ARRIVAL, "origin_countries")),
    (Replace(ARRIVAL, "walked_at: 2026-05-12", "walked_at: 2026-02-30"), "impossible_date", At(ARRIVAL, "walked_at")),
    (Replace(INDEX, "\"last_verified\": \"2026-05-12\"", "\"last_verified\": \"2026-02-30\""), "impossible_date", At(INDEX, "2026-02-30")),
    (Replace(RENEW, "card [dofi-arrival-page]", "card [dofi-arival-page]"), "recitation_unknown", At(RENEW, "[dofi-arival-page]")),
    (Replace(LEGALISE, "<Observations skill=\"legalise-foreign-document\" />", "None yet."), "observations_missing", At(LEGALISE, "## Community observations")),
    (Replace(INDEX, "^https://[a-z0-9.-]+[.](fgov|belgium)[.]be/", "["), "signal_pattern", At(INDEX, "\"value\": \"[\"")),
    (Replace("skills/arrival-declaration/process.mmd", "\n", "\n  click A \"x\"\n"), "diagram_invalid", At("skills/arrival-declaration/process.mmd", "click A")),
    (Bytes("skills/arrival-declaration/process.mmd", |_| b"hello world\n".to_vec()), "diagram_invalid", At("skills/arrival-declaration/process.mmd", "")),
    (Replace("schemas/categories.json", "\"belgium-walloon-region\"", "\"meta\""), "categories_invalid", At("schemas/categories.json", "\u{0}lastmeta")),
    (Replace(ARRIVAL, "schema_version: 4", "schema_version: 4.0\nwalked_at_: x"), "schema_fail", At(ARRIVAL, "walked_at_")),
    (Replace(RENEW, "version: 1.0.3", "version: 1.0.99999999999999999999"), "schema_fail", At(RENEW, "version: 1.0.9")),
    (Replace(RENEW, "recurring: true", "recurring: true # \u{202e}x"), "forbidden_character", At(RENEW, "recurring")),
    (Replace(RENEW, "title: Renew", "title: Re\u{ad}new"), "forbidden_character", At(RENEW, "title:")),
    (Replace(RENEW, "## Process", "## process"), "section_missing", At(RENEW, "## process")),
    (Replace(LEGALISE, "## Known surprises", "## [Verify with]:"), "verify_with_heading", At(LEGALISE, "## [Verify with]")),
    (Replace("catalogue/references.jsonl", "\"status\": \"alpha\"", "\"status\": \"gamma\""), "schema_fail", At("catalogue/references.jsonl", "gamma")),
    (Bytes("docs/submission-contract-v2.mdx", |b| String::from_utf8_lossy(&b).replace('\n', "\r\n").into_bytes()), "carriage_return", At("docs/submission-contract-v2.mdx", "")),
    // Pages, triggers, links within the site.
    (Add("docs/privacy.mdx", "---\ntitle: Privacy\ndescription: x\n---\n\n# Privacy\n\nSee <Skill id=\"renew-residence-card\" />.\n"), "page_tag", At("docs/privacy.mdx", "See <Skill")),
    (Add("docs/privacy.mdx", "---\ntitle: Privacy\n---\n\n# Privacy\n"), "schema_fail", At("docs/privacy.mdx", "title:")),
    (Add("docs/privacy.mdx", "# Privacy\n"), "frontmatter_fence", At("docs/privacy.mdx", "")),
    (Add("agents/submit/concern.mdx", "---\ntitle: Concern\ndescription: x\n---\n\n# Concern\n\nRead [this](/docs/privcy).\n"), "dead_link", At("agents/submit/concern.mdx", "privcy")),
    (Add("agents.mdx", "---\ntitle: Agents\ndescription: x\n---\n\n# Agents\n\nRead [this](#no-such-heading) and [that](#agents).\n"), "dead_link", At("agents.mdx", "no-such-heading")),
    (Replace(RENEW, "1. Check", "1. See [the other](/skills/arrival-declaration#no-such-heading), [all](/skills/) and [it](/skills/arrival-declaration#process). Check"), "dead_link", At(RENEW, "no-such-heading")),
    (Replace(RENEW, "1. Check", "1. See [it](//example.org). Check"), "link_not_https", At(RENEW, "//example.org")),
    (Replace(RENEW, "1. Check", "1. See [it](/agent). Check"), "dead_link", At(RENEW, "(/agent)")),
    (Add("docs/privacy.mdx", "---\ntitle: Privacy\ndescription: x\n---\n\n# Privacy\n\nSee [it](https://becivic.be/docs/nowhere), [itself](/docs/privacy#privacy) and [a source](/skills/renew-residence-card/source.md).\n"), "dead_link", At("docs/privacy.mdx", "nowhere")),
    (Add("docs/privacy.mdx", "---\ntitle: Privacy\ndescription: x\n---\n\n# Privacy\n\nSee [it](https://fr.wikipedia.org/x).\n"), "url_host_tertiary", At("docs/privacy.mdx", "wikipedia")),
    (Add("docs/privacy.mdx", "---\ntitle: Privacy\ndescription: x\n---\n\n# Privacy\n\nSee [it](https://me@example.org/x).\n"), "url_not_allowed", At("docs/privacy.mdx", "me@example")),
    (Replace("docs/submission-contract-v2.mdx", "version: 2.1.0\n", ""), "schema_fail", At("docs/submission-contract-v2.mdx", "")),
    (Add("agents/triggers.json", "{\n  \"schema_version\": 1,\n  \"skills\": {\n    \"no-such-skill\": {\"en\": [\"moving house\"]}\n  }\n}\n"), "trigger_unresolved", At("agents/triggers.json", "no-such-skill")),
    (Add("agents/triggers.json", "{\n  \"schema_version\": 2,\n  \"skills\": {}\n}\n"), "schema_fail", At("agents/triggers.json", "schema_version")),
    (Add("redirects.json", "[\n  {\"from\": \"/old\", \"to\": \"/skills/\"},\n  {\"from\": \"/old\", \"to\": \"/paths/\"}\n]\n"), "redirect_invalid", At("redirects.json", "/paths/")),
    (Add("redirects.json", "[\n  {\"from\": \"/old\", \"to\": \"/older\"},\n  {\"from\": \"/older\", \"to\": \"/paths/\"}\n]\n"), "redirect_invalid", At("redirects.json", "\"/older\"")),
    (Add("redirects.json", "[\n  {\"from\": \"/skills/renew-residence-card\", \"to\": \"/skills/\"}\n]\n"), "redirect_invalid", At("redirects.json", "\"/skills/renew-residence-card\"")),
    (Add("redirects.json", "[\n  {\"from\": \"/old\", \"to\": \"/skills/no-such-skill\"}\n]\n"), "redirect_invalid", At("redirects.json", "\"/skills/no-such-skill\"")),
    (Add("redirects.json", "[\n  {\"from\": \"/old\", \"to\": \"//example.org\"}\n]\n"), "schema_fail", At("redirects.json", "\"//example.org\"")),
    // Data, catalogue, reports.
    (Replace("catalogue/volatile-values.jsonl", "\"value_type\": \"string\"", "\"value_type\": \"string\", \"source\": \"no-such-reference\""), "value_source_unknown", At("catalogue/volatile-values.jsonl", "")),
    (Replace("catalogue/volatile-values.jsonl", "\"value_type\": \"string\"", "\"value_type\": \"string\", \"as_of\": \"last year\""), "schema_fail", At("catalogue/volatile-values.jsonl", "last year")),
    (Bytes("catalogue/references.jsonl", |b| String::from_utf8_lossy(&b).replacen("\"url\": \"https://", "\"archived_url\": \"https://en.wikipedia.org/\", \"url\": \"https://", 1).into_bytes()), "url_host_tertiary", At("catalogue/references.jsonl", "")),
    (Replace(RENEW, "url=\"https://dofi.ibz.be/en\"", "url=\"https://en.wikipedia.org/wiki/X\""), "url_host_tertiary", At(RENEW, "en.wikipedia.org")),
    (Replace("catalogue/references.jsonl", "ref-00002", "ref-00001"), "catalogue_duplicate", At("catalogue/references.jsonl", "dofi-arrival-page")),
    (Replace("data/authorities.json", "\"level\": \"federal\"", "\"level\": \"galactic\""), "schema_fail", At("data/authorities.json", "galactic")),
    (Replace("data/communes.json", "\"slug\": \"eupen\"", "\"slug\": \"ixelles\""), "communes_invalid", At("data/communes.json", "\"nis_code\": \"63023\",\n‸      \"slug\": \"ixelles\"")),
    (Bytes("data/authorities.json", |b| { String::from_utf8_lossy(&b).replacen("\"id\": \"vlaanderen\"", "\"id\": \"dofi\"", 1).into_bytes() }), "authorities_invalid", At("data/authorities.json", "\"id\": \"dofi\",\n      \"level\": \"flanders\"")),
    (Replace("scrub/regex-rules.json", "\\\\b\\\\d{2}", "^(a+)+$\\\\d{2}"), "scrub_rule_invalid", At("scrub/regex-rules.json", "\"pattern\"")),
    (Replace("skills/legalise-foreign-document/research-report.md", "# Research notes", "# Research notes 85.07.30-033.28"), "sidecar_scrub", At("skills/legalise-foreign-document/research-report.md", "# Research notes")),
    (Replace("schemas/categories.json", "\"schema_version\"", "\"version\""), "schema_fail", At("schemas/categories.json", "")),
    (Add("skills/rollup.json", "{}\n"), "rollup_stale", At("skills/rollup.json", "")),
    (Add("paths/rollup.json", "{\n  \"schema_version\": 2\n}\n"), "rollup_stale", At("paths/rollup.json", "schema_version")),
    (Add("paths/research-reports/no-such-path.md", "# Notes\n"), "sidecar_orphan", At("paths/research-reports/no-such-path.md", "")),
    (Replace("skills/legalise-foreign-document/research-report.md", "https://diplomatie", "http://diplomatie"), "sidecar_url", At("skills/legalise-foreign-document/research-report.md", "http://diplomatie")),
    (Bytes("skills/legalise-foreign-document/research-report.md", |b| { [b, b"word\n".repeat(11_000)].concat() }), "sidecar_size", At("skills/legalise-foreign-document/research-report.md", "")),
];

#[test]
fn the_test_corpus_is_valid() {
    assert_eq!(Files::test_corpus().check(), []);
}

#[test]
fn each_single_edit_gives_exactly_its_rule_at_its_line() {
    assert!(TABLE.len() >= 40);
    let good = Files::test_corpus();
    assert_eq!(wrong_rows(TABLE, &good, Files::check), Vec::<String>::new());
}

/// The rows of a table whose edit does not give exactly the finding expected.
pub fn wrong_rows(
    table: &[(Edit, &str, At)],
    good: &Files,
    check: fn(&Files) -> Vec<Finding>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, (edit, rule, at)) in table.iter().enumerate() {
        let mut files = good.clone();
        apply(edit, &mut files);
        let found = check(&files);
        let found: Vec<_> = found.iter().map(|f| (f.rule, f.file.as_str(), f.line)).collect();
        let expected = (*rule, at.0, line(&files, at));
        if found != [expected] {
            wrong.push(format!("row {number}: expected {expected:?}, found {found:?}"));
        }
    }
    wrong
}

/// A corpus that is patched, and looked at only where an edit can matter, is found what one read anew is found; and nothing is
/// left of an edit that was undone.
#[test]
fn a_patched_corpus_is_like_one_read_anew() {
    let good = Files::test_corpus();
    let before = Corpus::from_inputs(good.inputs());
    let mut patched = 0;
    for (number, (edit, ..)) in TABLE.iter().enumerate() {
        let mut files = good.clone();
        apply(edit, &mut files);
        let Some(after) = moved(&before, &good, &files) else { continue };
        patched += 1;
        assert_eq!(found_where_it_matters(&before, &after, &good, &files), files.check(), "row {number}");
        let back = moved(&after, &files, &good).expect("it was patched on the way there");
        assert_eq!(found_where_it_matters(&after, &back, &files, &good), [], "row {number}, undone");
        assert_eq!(format!("{:?}", rules::check(&back, &back.catalogue, None)), "[]");
    }
    assert!(patched >= 120, "{patched} of {} rows were patched", TABLE.len());
}

/// What differs between two versions of a corpus: files as they are in the second, and files that are not in it.
fn difference(from: &Files, to: &Files) -> (Vec<Input>, Vec<String>) {
    let changed = to.inputs().into_iter().filter(|input| match &input.content {
        Content::Bytes(bytes) => from.0.get(&input.path) != Some(bytes),
        Content::TooLarge(_) | Content::NotAFile | Content::Unreadable(_) => true,
    });
    let removed = from.0.keys().filter(|path| !to.0.contains_key(*path));
    (changed.collect(), removed.cloned().collect())
}

fn moved(corpus: &Corpus, from: &Files, to: &Files) -> Option<Corpus> {
    let (changed, removed) = difference(from, to);
    corpus.patched(changed, &removed)
}

fn found_where_it_matters(before: &Corpus, after: &Corpus, from: &Files, to: &Files) -> Vec<Finding> {
    let (changed, removed) = difference(from, to);
    let paths: Vec<String> = changed.into_iter().map(|input| input.path).chain(removed).collect();
    match Touched::by(before, after, paths.iter().map(String::as_str)) {
        Some(touched) => rules::check_touched(after, &after.catalogue, None, &touched),
        None => rules::check(after, &after.catalogue, None),
    }
}

/// Rules that need more than one edit, a folder on disk or history, and where they are tested.
const ELSEWHERE: &[&str] = &[
    "capability_mismatch",                 // fixtures
    "cross_ref_fail",                      // fixtures
    "empty_corpus",                        // bad_input
    "fallback_missing",                    // bad_input
    "not_a_file",                          // bad_input
    "too_many_findings",                   // bad_input
    "unreadable_file",                     // bad_input
    "category_unused",                     // check
    "first_status",                        // history
    "path_quarantined",                    // history
    "tag_only_bump",                       // history
    "uid_by_author",                       // history
    "invalid_status_for_draft_submission", // history
];

#[test]
fn every_rule_is_broken_by_some_row() {
    let broken: BTreeSet<&str> = TABLE.iter().map(|(_, rule, _)| *rule).collect();
    let untested: Vec<&str> = RULES
        .iter()
        .map(|rule| rule.id)
        .filter(|id| {
            !broken.contains(id) && !ELSEWHERE.contains(id) && !strict::TABLE.iter().any(|row| row.1 == *id)
        })
        .collect();
    assert!(untested.is_empty(), "no edit breaks {untested:?}");
}

#[test]
fn every_rule_has_a_page_with_an_example() {
    for rule in RULES {
        let page = rule.page();
        assert!(page.contains("Example of a violation:"), "{}", rule.id);
        assert!(rule.title().ends_with('.'), "{}", rule.id);
        assert!(matches!(rule.check, Check::Reading | Check::Submission) || page.len() > 60, "{}", rule.id);
    }
}

/// Makes one edit.
fn apply(edit: &Edit, files: &mut Files) {
    match edit {
        Replace(path, from, to) => {
            let text = files.text(path);
            assert!(text.contains(from), "{path} does not hold {from:?}");
            files.0.insert((*path).to_owned(), text.replacen(from, to, 1).into_bytes());
        }
        Add(path, text) => {
            files.0.insert((*path).to_owned(), text.as_bytes().to_vec());
        }
        Remove(path) => {
            assert!(files.0.remove(*path).is_some(), "{path} is not there");
        }
        Bytes(path, change) => {
            let bytes = files.0.remove(*path).expect(path);
            files.0.insert((*path).to_owned(), change(bytes));
        }
    }
}

/// The line where `at.1` starts in the file, or where `‸` stands in it: a needle may span lines to be
/// unique.
fn line(files: &Files, at: &At) -> u32 {
    let At(path, needle) = at;
    if needle.is_empty() {
        return 1;
    }
    let bytes = files.0.get(*path).cloned().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if let Some(word) = needle.strip_prefix("\u{0}last").filter(|word| !word.is_empty()) {
        let quoted = format!("\"{word}\"");
        return 1 + text[..text.rfind(&quoted).unwrap_or_default()].matches('\n').count() as u32;
    }
    if *needle == "\u{0}last" {
        return text.lines().count() as u32;
    }
    let before = needle.find('‸').unwrap_or(0);
    let needle = needle.replace('‸', "");
    assert!(text.contains(&needle), "{path} does not hold {needle:?}");
    let start = text.find(&needle).unwrap_or_default();
    1 + text[..start + before].matches('\n').count() as u32
}
