//! What a submission may never change, and what it may never bring in (DECISIONS §9b).

use crate::fixtures::{fresh, status_of};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make, propose, root};
use becivic_server::db::staged;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn setup() -> Setup {
    Setup { corpus: Some(CORPUS.clone()), ..Setup::default() }.unlimited()
}

on_both_engines!(
    setup(),
    cases![
        protected_fields_are_refused,
        other_fields_are_accepted,
        retired_and_meta_artefacts_are_left_alone,
        amendments_to_drafts_are_looked_at,
        drafts_begin_at_alpha_and_from_the_community,
        tags_name_rows_that_exist,
        addresses_are_https_with_a_named_host,
        unlisted_hosts_are_looked_at,
        a_text_stays_inert,
        a_diff_fits_or_is_refused,
        proposals_keep_the_rules,
        what_is_quarantined_is_not_shown,
    ]
);

/// The corpus of the fixtures, with one artefact of each kind withdrawn.
static CORPUS: LazyLock<PathBuf> = LazyLock::new(|| {
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("withdrawn-{}", std::process::id()));
    copy(&root().join("fixtures/corpus"), &to);
    let edit = |file: &str, change: &dyn Fn(String) -> String| {
        let file = to.join(file);
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, change(text)).expect("a file");
    };
    let skill =
        std::fs::read_to_string(to.join("skills/renew-residence-card/canonical.md")).expect("a skill");
    let withdrawn = skill.replace("renew-residence-card", "withdrawn-skill");
    let withdrawn = withdrawn
        .replace("status: stable", "status: quarantined")
        .replace("Check the end date", "Zqxjkvwb the end date");
    edit("skills/withdrawn-skill/canonical.md", &|_| withdrawn.clone());
    edit("paths/index.json", &|text| {
        let mut index: Value = serde_json::from_str(&text).expect("JSON");
        let mut path = index["paths"]["household-certificate"].clone();
        path["id"] = json!("withdrawn-path");
        path["uid"] = json!("pth-00004");
        path["status"] = json!("quarantined");
        index["paths"]["withdrawn-path"] = path;
        format!("{index:#}\n")
    });
    edit("catalogue/volatile-values.jsonl", &|text| {
        let row = |uid: &str, status: &str| {
            json!({"uid": uid, "name": format!("value-{status}"), "value": "€1", "value_type": "string",
                "status": status, "committed_at": "2026-05-12T08:00:00Z"})
        };
        format!("{text}{}\n{}\n", row("val-00003", "quarantined"), row("val-00004", "deprecated"))
    });
    to
});

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

fn refused(reply: &Reply, category: &str, pointer: Option<&str>, about: &str) {
    assert_eq!(
        (reply.error().as_str(), reply.status),
        (category, status_of(category)),
        "{about}: {}",
        reply.text
    );
    if let Some(pointer) = pointer {
        assert_eq!(reply.json()["schema_pointer"], pointer, "{about}: {}", reply.text);
    }
    assert!(!reply.text.to_lowercase().contains("zqxjkvwb"), "{about} is repeated: {}", reply.text);
}

fn amend(server: &Server, amendment: &Value) -> Reply {
    let reply = server.post("/api/amendments", amendment);
    let path = format!("/api/amendments/{}", amendment["amendment_id"].as_str().expect("an id"));
    let stored = server.get(&path).status;
    assert_eq!(stored, if reply.status == 201 { 200 } else { 404 }, "{reply:?}");
    reply
}

/// Why somebody must look at a staged submission first.
fn review(place: &Place, submission: &Value, id_field: &str) -> Option<String> {
    let id = submission[id_field].as_str().expect("an id").to_owned();
    place.write(move |tx| Ok(staged::standing(tx, &id)?.expect("it is staged").review))
}

fn protected_fields_are_refused(server: &Server, _: &Place) {
    let everywhere = [
        "id",
        "uid",
        "status",
        "version",
        "version_pin",
        "schema_version",
        "origin",
        "previous_stable_sha",
        "superseded_by",
        "submission_contract_version",
    ];
    let pointer = Some("/content/frontmatter_change/field_path");
    for field in everywhere {
        for (target_type, target) in [("skill", "arrival-declaration"), ("path", "household-certificate")] {
            for value in [json!("zqxjkvwb"), json!("stable"), json!(4), Value::Null] {
                let about = format!("{target_type} {field} {value}");
                let reply = amend(server, &propose::field(target_type, target, field, value));
                refused(&reply, "cross_ref_fail", pointer, &about);
            }
        }
    }
    let of_path = ["sources", "sources.0", "sources.0.id", "sources.0.source_class", "sources.0.priority"];
    for field in of_path {
        let reply = amend(server, &propose::field("path", "household-certificate", field, json!([])));
        refused(&reply, "cross_ref_fail", pointer, field);
    }
    for field in ["id", "source_class", "audited_document_delivery", "post_handoff_observed"] {
        for value in [json!("offline"), json!(true), json!(false)] {
            let amendment = propose::field("path_source", "household-certificate:commune-desk", field, value);
            refused(&amend(server, &amendment), "cross_ref_fail", pointer, field);
        }
    }
    // Another spelling leads nowhere.
    for field in [
        "Status",
        "status.",
        ".status",
        "status.0",
        " status",
        "frontmatter.status",
        "__proto__.status",
        "\u{455}tatus",
    ] {
        let reply = amend(server, &propose::field("skill", "arrival-declaration", field, json!("stable")));
        assert!(matches!(reply.error().as_str(), "cross_ref_fail" | "schema_fail"), "{field}: {reply:?}");
    }
}

fn other_fields_are_accepted(server: &Server, place: &Place) {
    for amendment in [
        propose::field("skill", "arrival-declaration", "last_verified", json!("2026-11-12")),
        propose::field("skill", "arrival-declaration", "applies_to.origin_countries", json!(["us", "gb"])),
        propose::field(
            "path",
            "household-certificate",
            "description.en",
            json!("Test data: another description."),
        ),
        propose::field("path_source", "household-certificate:commune-desk", "priority", json!(11)),
        make::value_amendment("val-00001", json!("€7")),
        propose::line(
            server,
            "arrival-declaration",
            "- A passport",
            "- One recent photo [dofi-arrival-page].",
        ),
    ] {
        let reply = amend(server, &amendment);
        assert_eq!(reply.status, 201, "{amendment}: {reply:?}");
        assert_eq!(review(place, &amendment, "amendment_id"), None);
    }
    let nowhere = amend(server, &propose::field("skill", "arrival-declaration", "rank", json!(1)));
    refused(&nowhere, "cross_ref_fail", Some("/content/frontmatter_change/field_path"), "an unknown field");
    let misfit =
        amend(server, &propose::field("skill", "arrival-declaration", "last_verified", json!("zqxjkvwb")));
    refused(
        &misfit,
        "cross_ref_fail",
        Some("/content/frontmatter_change/proposed_value"),
        "a value that does not fit",
    );
    let meta = amend(server, &propose::field("skill", "arrival-declaration", "category", json!("meta")));
    refused(&meta, "cross_ref_fail", None, "a skill that would become meta");
}

fn retired_and_meta_artefacts_are_left_alone(server: &Server, _: &Place) {
    let commit = propose::commit(server);
    for amendment in [
        propose::field("skill", "old-registration", "last_verified", json!("2026-11-12")),
        propose::field("skill", "withdrawn-skill", "last_verified", json!("2026-11-12")),
        propose::field("skill", "meta-no-skill-fallback", "last_verified", json!("2026-11-12")),
        propose::body_diff("withdrawn-skill", &commit, "@@ -1,1 +1,1 @@\n-x\n+y\n"),
        propose::body_diff("meta-no-skill-fallback", &commit, "@@ -1,1 +1,1 @@\n-x\n+y\n"),
        propose::field("path", "retired-portal-form", "last_verified", json!("2026-11-12")),
        propose::field("path", "withdrawn-path", "last_verified", json!("2026-11-12")),
        propose::field("path_source", "retired-portal-form:portal-form", "priority", json!(11)),
        propose::field("path_source", "withdrawn-path:commune-desk", "priority", json!(11)),
        make::value_amendment("val-00003", json!("€7")),
        make::value_amendment("val-00004", json!("€7")),
    ] {
        refused(&amend(server, &amendment), "cross_ref_fail", Some("/target_id"), &amendment.to_string());
    }
    let mut added = fresh(server, "amendments/valid/path_source/source-add.json", "amendment_id", "amd_");
    for path in ["retired-portal-form", "withdrawn-path"] {
        added["target_id"] = json!(path);
        refused(&amend(server, &added), "cross_ref_fail", Some("/target_id"), path);
    }
    for target in ["withdrawn-skill", "old-registration", "school-enrolment"] {
        let reply = server.post("/api/validations", &make::validation("skill", target, "confirm"));
        refused(&reply, "cross_ref_fail", Some("/target_id"), target);
    }
    let draft = server.post("/api/drafts", &propose::draft("withdrawn-skill"));
    refused(&draft, "cross_ref_fail", None, "a draft in the place of what is withdrawn");
}

fn amendments_to_drafts_are_looked_at(server: &Server, place: &Place) {
    let amendment = propose::field("skill", "school-enrolment", "last_verified", json!("2026-11-12"));
    let reply = amend(server, &amendment);
    assert_eq!(reply.status, 201, "{reply:?}");
    assert_eq!(review(place, &amendment, "amendment_id").as_deref(), Some("draft_target"));
}

fn drafts_begin_at_alpha_and_from_the_community(server: &Server, _: &Place) {
    for (field, value) in [
        ("status", "draft"),
        ("status", "beta"),
        ("status", "stable"),
        ("status", "quarantined"),
        ("status", "deprecated"),
        ("origin", "be-civic"),
    ] {
        let mut skill = propose::draft("bulky-waste-pickup");
        skill["content"]["frontmatter"][field] = json!(value);
        refused(&server.post("/api/drafts", &skill), "schema_fail", None, value);
        let mut path = propose::path_draft("nationality-certificate");
        path["content"]["entry"][field] = json!(value);
        refused(&server.post("/api/drafts", &path), "schema_fail", None, value);
    }
    for draft in [propose::draft("bulky-waste-pickup"), propose::path_draft("nationality-certificate")] {
        let reply = server.post("/api/drafts", &draft);
        assert_eq!(reply.status, 201, "{reply:?}");
    }
    let mut uid = propose::path_draft("nationality-certificate");
    uid["content"]["entry"]["uid"] = json!("pth-00009");
    refused(&server.post("/api/drafts", &uid), "schema_fail", None, "a uid of the sender's choice");
}

fn tags_name_rows_that_exist(server: &Server, _: &Place) {
    let value = |name: &str, uid: &str| {
        format!("The charge is <VV name=\"{name}\" uid=\"{uid}\">€5</VV> [law-population-registers-1991].")
    };
    let reference = |name: &str, uid: &str| {
        format!(
            "See <Ref name=\"{name}\" uid=\"{uid}\" title=\"Immigration Office: declaring your arrival\" \
             url=\"https://dofi.ibz.be/en\" last_verified=\"2026-05-12\">the office</Ref>."
        )
    };
    for (text, accepted) in [
        (value("commune-certificate-fee-eur", "val-00001"), true),
        (reference("dofi-arrival-page", "ref-00002"), true),
        (value("commune-certificate-fee-eur", "val-00002"), false),
        (value("commune-certificate-fee-eur", "val-99999"), false),
        (value("another-fee-eur", "val-00001"), false),
        (value("another-fee-eur", "val-00077"), false),
        (reference("dofi-arrival-page", "ref-00001"), false),
        (reference("dofi-arrival-page", "ref-99999"), false),
    ] {
        let draft = propose::draft_saying("bulky-waste-pickup", &text);
        let reply = server.post("/api/drafts", &draft);
        let amendment = propose::line(server, "arrival-declaration", "- A passport", &format!("- {text}"));
        let amended = amend(server, &amendment);
        if accepted {
            assert_eq!((reply.status, amended.status), (201, 201), "{text}: {reply:?} {amended:?}");
        } else {
            refused(&reply, "cross_ref_fail", Some("/content/body"), &text);
            refused(&amended, "cross_ref_fail", Some("/content/body_diff"), &text);
        }
    }
}

/// Addresses that nobody may cite.
const NEVER: &[&str] = &[
    "http://dofi.ibz.be/en",
    "https://user@dofi.ibz.be/en",
    "https://user:secret@dofi.ibz.be/en",
    "https://127.0.0.1/en",
    "https://[::1]/en",
    "https://0x7f000001/en",
    "https://0x7f.1/en",
    "https://dofi.ibz.be:8443/en",
    "https://localhost/en",
    "ftp://dofi.ibz.be/en",
    "javascript://dofi.ibz.be/%0aalert(1)",
];

fn addresses_are_https_with_a_named_host(server: &Server, _: &Place) {
    for address in NEVER {
        refused(&amend(server, &propose::reference("ref-00002", address)), "schema_fail", None, address);
        let mut archived = propose::reference("ref-00002", "https://dofi.ibz.be/en/other");
        archived["content"]["archived_url"] = json!(address);
        refused(&amend(server, &archived), "schema_fail", None, address);
        let value =
            amend(server, &make::value_amendment("val-00001", json!(format!("See {address} for it"))));
        refused(&value, "schema_fail", None, address);
        let linked = propose::draft_saying(
            "bulky-waste-pickup",
            &format!("See [the page]({address}) [law-population-registers-1991]."),
        );
        refused(&server.post("/api/drafts", &linked), "schema_fail", None, address);
        let line = format!("- See [the page]({address}) [dofi-arrival-page].");
        let amended = amend(server, &propose::line(server, "arrival-declaration", "- A passport", &line));
        refused(&amended, "schema_fail", None, address);
        let mut path = propose::path_draft("nationality-certificate");
        path["content"]["entry"]["sources"][0]["procedure"]["deeplink"] = json!(address);
        refused(&server.post("/api/drafts", &path), "schema_fail", None, address);
        let mut added = fresh(server, "amendments/valid/path_source/source-add.json", "amendment_id", "amd_");
        added["content"]["source_add"]["procedure"]["deeplink"] = json!(address);
        refused(&amend(server, &added), "schema_fail", None, address);
    }
}

fn unlisted_hosts_are_looked_at(server: &Server, place: &Place) {
    for (address, reason) in [
        ("https://dofi.ibz.be/en/themes", None),
        ("https://www.ejustice.just.fgov.be/eli/loi/1991/07/20", None),
        ("https://elsewhere.example/page", Some("unlisted_host")),
        ("https://dofi.ibz.be.elsewhere.example/page", Some("unlisted_host")),
        ("https://notdofi-ibz.be/page", Some("unlisted_host")),
    ] {
        let line = format!("- See [the page]({address}) [dofi-arrival-page].");
        let text = format!("See [the page]({address}) [law-population-registers-1991].");
        let amended = propose::line(server, "arrival-declaration", "- A passport", &line);
        for (endpoint, submission, id_field, pointer) in [
            (
                "/api/amendments",
                propose::reference("ref-00002", address),
                "amendment_id",
                "/content/proposed_url",
            ),
            (
                "/api/amendments",
                make::value_amendment("val-00001", json!(format!("€7, see {address}"))),
                "amendment_id",
                "/content/proposed_value",
            ),
            ("/api/amendments", amended, "amendment_id", "/content/body_diff"),
            ("/api/drafts", propose::draft_saying("bulky-waste-pickup", &text), "draft_id", "/content/body"),
        ] {
            // The rehearsal says what will happen, and where.
            let rehearsed = server.post(&format!("{endpoint}?dry_run=1"), &submission).json();
            let reply = server.post(endpoint, &submission);
            let Some(reason) = reason else {
                assert!(
                    rehearsed["would_stage_for"].is_string() && rehearsed["would_hold"].is_null(),
                    "{rehearsed}"
                );
                assert_eq!(reply.status, 201, "{address}: {reply:?}");
                assert_eq!(review(place, &submission, id_field), None, "{address}");
                continue;
            };
            assert_eq!(
                (&rehearsed["would_hold"], &rehearsed["would_stage_for"]),
                (&json!(true), &Value::Null)
            );
            let doubt = &rehearsed["doubts"][0];
            assert_eq!(
                (&doubt["reason"], &doubt["schema_pointer"]),
                (&json!(reason), &json!(pointer)),
                "{rehearsed}"
            );
            let at =
                |name: &str| doubt[name].as_u64().and_then(|at| usize::try_from(at).ok()).expect("a place");
            let said = submission.pointer(pointer).and_then(Value::as_str).expect("text");
            assert_eq!(&said[at("start")..at("end")], address);
            assert_eq!(
                (reply.status, &reply.json()["state"]),
                (202, &json!("ner_held_for_review")),
                "{reply:?}"
            );
        }
    }
}

fn a_text_stays_inert(server: &Server, _: &Place) {
    for text in [
        "A <script>zqxjkvwb()</script> here.",
        "A <b>bold</b> word.",
        "A <zqxjkvwb /> here.",
        "A <img src=\"https://dofi.ibz.be/x.png\" onerror=\"zqxjkvwb()\"> here.",
        "A <a href=\"https://dofi.ibz.be/\">link</a>.",
        "A <!-- zqxjkvwb --> comment.",
        "A <![CDATA[zqxjkvwb]]> part.",
        "A <?php zqxjkvwb ?> part.",
        "The sum {1 + zqxjkvwb} here.",
        "The sum ${zqxjkvwb} here.",
        "import Zqxjkvwb from \"zqxjkvwb\"",
        "export const zqxjkvwb = 1",
        "A <Observation type=\"concern\">zqxjkvwb</Observation> here.",
        "<CohortStats affirms=\"1\" />",
        "A picture ![zqxjkvwb](https://dofi.ibz.be/x.png).",
        "A picture ![zqxjkvwb](http://elsewhere.example/x.png).",
        "A [link](http://elsewhere.example/zqxjkvwb).",
        "A [link](javascript:zqxjkvwb).",
        "A [link](data:text/html,zqxjkvwb).",
        "A [link](vbscript:zqxjkvwb).",
        "A [link](//elsewhere.example/zqxjkvwb).",
        "A [link](jAvAsCrIpT&colon;zqxjkvwb).",
        "A <javascript:zqxjkvwb> link.",
        "A <http://elsewhere.example/zqxjkvwb> link.",
        "A [link][x].\n\n[x]: http://elsewhere.example/zqxjkvwb",
        "A \u{202e}hidden\u{202c} zqxjkvwb.",
        "A \u{2066}hidden\u{2069} zqxjkvwb.",
        "A hid\u{200b}den zqxjkvwb.",
        "A hid\u{2060}den zqxjkvwb.",
        "A hid\u{feff}den zqxjkvwb.",
        "A \u{7} bell zqxjkvwb.",
        "A \u{1b}[31m colour zqxjkvwb.",
    ] {
        let draft = propose::draft_saying("bulky-waste-pickup", text);
        refused(&server.post("/api/drafts", &draft), "schema_fail", Some("/content/body"), text);
        let path = format!("/api/drafts/{}", draft["draft_id"].as_str().expect("an id"));
        assert_eq!(server.get(&path).status, 404, "{text}");
        let amendment = propose::line(server, "arrival-declaration", "- A passport", &format!("\n{text}\n"));
        refused(&amend(server, &amendment), "schema_fail", Some("/content/body_diff"), text);
    }
}

fn a_diff_fits_or_is_refused(server: &Server, _: &Place) {
    let commit = propose::commit(server);
    let skill = "arrival-declaration";
    let fits = propose::line(server, skill, "- A passport", "- One recent photo [dofi-arrival-page].");
    let diff = fits["content"]["body_diff"].as_str().expect("a diff").to_owned();
    for (about, diff) in [
        ("another line before it", diff.replacen("- A passport", "- Zqxjkvwb passport", 1)),
        ("another place", diff.replacen("@@ -", "@@ -1", 1)),
        ("a removed line that is not there", "@@ -3,1 +3,1 @@\n-zqxjkvwb\n+y\n".to_owned()),
        ("far behind the end", "@@ -9000,1 +9000,2 @@\n x\n+y\n".to_owned()),
    ] {
        let reply = amend(server, &propose::body_diff(skill, &commit, &diff));
        refused(&reply, "diff_apply_failed", Some("/content/body_diff"), about);
    }
    for (about, diff) in [
        ("no diff", "zqxjkvwb".to_owned()),
        ("no hunk", "--- a/canonical.md\n+++ b/canonical.md\n".to_owned()),
        (
            "a hunk that is cut off",
            diff.trim_end_matches('\n').rsplit_once('\n').expect("lines").0.to_owned(),
        ),
        ("carriage returns", diff.replace('\n', "\r\n")),
    ] {
        let reply = amend(server, &propose::body_diff(skill, &commit, &diff));
        refused(&reply, "schema_fail", None, about);
    }
    for unknown in ["0123456789abcdef0123456789abcdef01234567", "4f1c2d9ab07e"] {
        let reply = amend(server, &propose::body_diff(skill, unknown, &diff));
        refused(&reply, "cross_ref_fail", Some("/content/skill_commit"), unknown);
    }
    for odd in ["HEAD", "main", "--help", "zqxjkvwb", "../../etc"] {
        refused(
            &amend(server, &propose::body_diff(skill, odd, &diff)),
            "schema_fail",
            Some("/content/skill_commit"),
            odd,
        );
    }
    for known in [commit.as_str(), &commit[..12]] {
        assert_eq!(amend(server, &propose::body_diff(skill, known, &diff)).status, 201, "{known}");
    }
}

fn proposals_keep_the_rules(server: &Server, _: &Place) {
    for section in [
        "Required documents",
        "Process",
        "Requests for contributions",
        "Community observations",
        "Authoritative basis",
    ] {
        let mut draft = propose::draft("bulky-waste-pickup");
        let body = draft["content"]["body"].as_str().expect("a body");
        let place = format!("## {section}\n");
        assert!(body.contains(&place));
        draft["content"]["body"] = body.replace(&place, "").into();
        let reply = server.post("/api/drafts", &draft);
        refused(&reply, "cross_ref_fail", Some("/content"), section);
        assert_eq!(reply.json()["rule"], "section_missing", "{section}: {reply:?}");
        // The same in a rehearsal.
        assert_eq!(server.post("/api/drafts?dry_run=1", &draft).json()["rule"], "section_missing");
    }
    let removed = "@@ -5,1 +5,0 @@\n-## Authoritative basis\n".to_owned();
    let text =
        std::fs::read_to_string(root().join("fixtures/corpus/skills/arrival-declaration/canonical.md"))
            .expect("a skill");
    let body = text.splitn(3, "---\n").nth(2).expect("a body").to_owned();
    let at = body.lines().position(|line| line == "## Authoritative basis").expect("it is there") + 1;
    let removed = removed.replace("-5,1 +5,0", &format!("-{at},1 +{},0", at - 1));
    let reply = amend(server, &propose::body_diff("arrival-declaration", &propose::commit(server), &removed));
    refused(&reply, "cross_ref_fail", Some("/content/body_diff"), "a section that would be gone");
    assert!(reply.json()["rule"].is_string(), "{reply:?}");
    let mut path = propose::path_draft("nationality-certificate");
    path["content"]["entry"]["authority_id"] = json!("zqxjkvwb");
    refused(&server.post("/api/drafts", &path), "cross_ref_fail", None, "an unknown authority");
}

fn what_is_quarantined_is_not_shown(server: &Server, _: &Place) {
    let skill = server.get("/api/skills/withdrawn-skill");
    assert_eq!(
        (skill.status, &skill.json()["status"], &skill.json()["body"]),
        (200, &json!("quarantined"), &Value::Null)
    );
    let mut path = server.get("/api/paths/withdrawn-path").json();
    let cohort = path.as_object_mut().and_then(|path| path.shift_remove("cohort")).expect("its counts");
    assert_eq!(cohort["standing"]["status"], "quarantined");
    let log = path.as_object_mut().and_then(|path| path.shift_remove("log")).expect("its latest entry");
    assert!(
        !log["entry"].as_str().expect("an entry").contains("\"content\""),
        "of which nothing is digested"
    );
    assert_eq!(path, json!({"id": "withdrawn-path", "status": "quarantined"}), "and nothing else of it");
    for address in [
        "/api/skills/withdrawn-skill",
        "/api/skills",
        "/api/skill-graph?status=stable,alpha,draft",
        "/api/skills/withdrawn-skill/concerns",
    ] {
        assert!(!server.get(address).text.contains("Zqxjkvwb"), "{address}");
    }
    assert!(!server.get("/api/skill-graph?status=stable,alpha,beta,draft").text.contains("withdrawn-skill"));
}
