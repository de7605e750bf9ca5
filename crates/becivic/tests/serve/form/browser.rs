//! The page in a browser: every type of input, three ways to give rows, languages that follow the place, what is wrong, what hosts
//! get, the keyboard, a narrow screen.

use super::sheet::{Sheet, marker};
use super::{DOOR, started};
use crate::desk::chromium::Browser;
use crate::harness::{Server, root};
use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::form::{FormRequest, commune_choices, compose};
use serde_json::{Value, json};
use tempfile::TempDir;

fn of_skill<'b>(server: &Server, browser: &'b mut Browser, query: &str) -> Sheet<'b> {
    let schema = server.get(&format!("{DOOR}?{query}")).json()["payload_schema"].clone();
    Sheet::open(browser, &format!("{}{DOOR}?{query}&format=html", server.base()), schema)
}

/// A page of the skill that asks for everything, in a folder of its own.
fn of_everything(browser: &mut Browser, request: Value) -> (TempDir, Sheet<'_>) {
    let read = |path: &str| Content::Bytes(std::fs::read(root().join(path)).expect("read"));
    let given = |path: &str, content| Input { path: path.to_owned(), content };
    let corpus = Corpus::from_inputs(vec![
        given("data/communes.json", read("corpus/data/communes.json")),
        given("skills/every-input/canonical.md", read("fixtures/forms/every-input.md")),
    ]);
    let mut asked = json!({"skill_id": "every-input"});
    asked.as_object_mut().expect("an object").extend(request.as_object().expect("an object").clone());
    let form = compose(&corpus, &FormRequest::read(&asked).expect("a request")).expect("a form");
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("form.html");
    let page = becivic_site::form::page(&form, &commune_choices(&corpus, form.locale));
    assert!(!page.contains("<script>alert") && !page.contains("<img"), "authored text is text");
    std::fs::write(&file, page).expect("written");
    let address = format!("file://{}", file.display());
    (folder, Sheet::open(browser, &address, form.payload_schema))
}

#[test]
fn a_real_skill_is_filled_in_with_rows_in_three_ways() {
    let (_place, server) = started();
    let mut browser = Browser::start();
    for way in ["form", "folder_drop", "chat"] {
        let mut sheet = of_skill(&server, &mut browser, "skill_id=nationality-application&locale=fr");
        sheet.hand("pick", json!(["region", "Flanders"]));
        sheet.hand("type", json!(["commune_nis5", "gand"]));
        sheet.hand("pick", json!(["administration_language", "NL"]));
        sheet.hand("pick", json!(["has_id_card", "yes"]));
        sheet.hand("pick", json!(["civic_status", "married"]));
        sheet.hand("type", json!(["legal_stay_start", "3/2019"]));
        sheet.hand("type", json!(["origin_country", "maroc"]));
        sheet.hand("pick", json!(["birth_certificate", "true"]));
        for rows in ["residency_history", "stays_abroad", "employment_history"] {
            sheet.hand("way", json!([rows, way]));
        }
        if way == "form" {
            sheet.hand("cell", json!(["residency_history", 0, "start", "2019-03"]));
            sheet.hand("cell", json!(["residency_history", 0, "end", true]));
            sheet.hand("cell", json!(["residency_history", 0, "permit_type", "F+"]));
            sheet.hand("row", json!(["employment_history"]));
            sheet.hand("cell", json!(["employment_history", 0, "start", "2020.1"]));
            sheet.hand("cell", json!(["employment_history", 0, "end", "2021-12"]));
            sheet.hand("cell", json!(["employment_history", 0, "type", "FT"]));
        }
        let payload = sheet.payload();
        let profile = &payload["profile"];
        assert_eq!(profile["commune_nis5"], "44021");
        assert_eq!(profile["conversation_language"], "français", "as proposed");
        assert_eq!(profile["document_inventory"], json!({"has_id_card": "yes"}));
        assert_eq!(
            profile["consent"],
            json!({"alpha_bundle": false, "version": "alpha-1"}),
            "never ticked for anybody"
        );
        assert_eq!(payload["answers"]["legal_stay_start"], "2019-03");
        assert_eq!(payload["answers"]["origin_country"], "ma");
        assert_eq!(payload["answers"]["birth_certificate"], json!({"name": "birth_certificate"}));
        if way == "form" {
            assert_eq!(
                profile["residency_history"],
                json!([{"start": "2019-03", "end": "current", "permit_type": "F+"}])
            );
            assert_eq!(
                profile["employment_history"],
                json!([{"start": "2020-01", "end": "2021-12", "type": "FT"}])
            );
            assert_eq!(payload["pending"], json!({}));
        } else {
            let pending = ["residency_history", "stays_abroad", "employment_history"]
                .map(|it| (it.to_owned(), marker(way)));
            assert_eq!(payload["pending"], Value::Object(pending.into_iter().collect()));
            assert!(profile.get("residency_history").is_none(), "a marker never stands in the profile");
        }
    }
}

#[test]
fn every_type_of_input_is_filled_in() {
    let mut browser = Browser::start();
    let (_folder, mut sheet) = of_everything(&mut browser, json!({"locale": "fr"}));
    for (name, value) in [
        ("region", "not-in-belgium-yet"),
        ("browser_driving_preference", "never-drive"),
        ("civic_status", "widowed"),
        ("spouse_abroad", "false"),
        ("letter_language", "</script><script>alert(2)</script>"),
        ("birth_certificate", "true"),
        ("is_first_time", "true"),
        ("has_car", "false"),
    ] {
        sheet.hand("pick", json!([name, value]));
    }
    for (name, text) in [
        ("conversation_language", "Tagalog"),
        ("minor_children_count", "2"),
        ("validity_end_passport_other", "2030-6"),
        ("validity_end_id_card", "2031-05-20"),
        ("shoe_size", "42,5"),
        ("origin_country", "Côte d’Ivoire"),
        ("new_commune", "Saint-Nicolas (62093)"),
        ("birth_certificate", "05/2026"),
        ("one_line", "<b>one</b>"),
        ("another_line", "two"),
        ("rooms", "3"),
        ("arrival_day", "2026-11-02"),
        ("first_month", "1999-12"),
        ("last_month", "2001-01"),
    ] {
        sheet.hand("type", json!([name, text]));
    }
    sheet.hand("cell", json!(["residency_history", 0, "start", "2024-02"]));
    sheet.hand("cell", json!(["residency_history", 0, "end", true]));
    sheet.hand("cell", json!(["residency_history", 0, "country_of_last_residence", "fr"]));
    sheet.hand("row", json!(["stays_abroad"]));
    for (column, text) in [
        ("kind", "study"),
        ("note", "a term"),
        ("registered", "true"),
        ("country", "France"),
        ("commune", "Gent"),
        ("weeks", "12"),
        ("left", "2020-01"),
        ("back", "2020-04"),
    ] {
        sheet.hand("cell", json!(["stays_abroad", 0, column, text]));
    }
    // A row that nobody touched is none.
    sheet.hand("row", json!(["stays_abroad"]));
    sheet.browser.eval("document.getElementById('consent').click(); null");
    let payload = sheet.payload();
    let mut profile = payload["profile"].clone();
    let fields = profile.as_object_mut().expect("an object");
    let signed = fields["consent"]["signed_at"].as_str().expect("a day").to_owned();
    assert_eq!(signed.len(), 10, "{signed}");
    assert!(fields.remove("last_updated_at").is_some() && fields.remove("consent").is_some());
    assert_eq!(
        profile,
        json!({
            "profile_schema_version": "1", "region": "not-in-belgium-yet", "conversation_language": "Tagalog",
            "browser_driving_preference": "never-drive", "civic_status": "widowed",
            "dependents": {"minor_children_count": 2, "spouse_abroad": false},
            "document_inventory": {"validity_end_passport_other": "2030-06"},
            "residency_history": [{"start": "2024-02", "end": "current", "country_of_last_residence": "fr"}],
        })
    );
    assert_eq!(
        payload["answers"],
        json!({
            "validity_end_id_card": "2031-05-20", "shoe_size": 42.5, "letter_language": "</script><script>alert(2)</script>",
            "origin_country": "ci", "new_commune": "62093", "birth_certificate": {"name": "birth_certificate", "obtained_in": "2026-05"},
            "one_line": "<b>one</b>", "another_line": "two", "rooms": 3, "arrival_day": "2026-11-02", "is_first_time": true,
            "has_car": false, "first_month": "1999-12", "last_month": "2001-01",
            "stays_abroad": [{"kind": "study", "note": "a term", "registered": true, "country": "fr", "commune": "44021", "weeks": 12, "left": "2020-01", "back": "2020-04"}],
        })
    );
}

#[test]
fn what_is_wrong_is_listed_and_said_beside_each_answer() {
    let mut browser = Browser::start();
    let (_folder, mut sheet) = of_everything(&mut browser, json!({}));
    for (name, text) in [
        ("conversation_language", "R2D2"),
        ("minor_children_count", "31"),
        ("first_month", "2024-13"),
        ("last_month", "1850-01"),
        ("rooms", "many"),
        ("origin_country", "Atlantis"),
        ("new_commune", "Nowhere"),
    ] {
        sheet.hand("type", json!([name, text]));
    }
    sheet.hand("cell", json!(["residency_history", 0, "end", "2024-00"]));
    let errors = sheet.send();
    let begins = [
        "Where in Belgium do you live?: An answer is needed.",
        "In which language should your agent talk with you?: Letters only",
        "How many children under eighteen live with you?: The number must lie between 0 and 30.",
        "Your stays, Row 1, From: An answer is needed.",
        "Your stays, Row 1, Until: Write a month",
        "In which country were you born?: Choose a country",
        "Which commune do you move to?: Choose a commune",
        "How many rooms?: Write a number.",
        "Since which month?: Write a month",
        "Until which month?: Write a month",
    ];
    assert_eq!(errors.len(), begins.len(), "{errors:#?}");
    for (error, begin) in errors.iter().zip(begins) {
        assert!(error.starts_with(begin), "{error} is not {begin}");
    }
    assert_eq!(
        sheet.browser.eval("document.activeElement.id"),
        "errors",
        "whoever cannot see is taken there"
    );
    assert_eq!(sheet.browser.eval("document.querySelectorAll('[aria-invalid=true]').length"), 9);
    assert_eq!(sheet.browser.eval("document.getElementById('done').hidden"), true, "nothing is handed over");
    sheet.browser.eval("document.querySelectorAll('#errors a')[8].click(); null");
    assert_eq!(
        sheet.browser.eval("document.activeElement.closest('[data-name]').dataset.name"),
        "first_month"
    );
    let beside = "document.getElementById(document.activeElement.getAttribute('aria-describedby').split(' ')[1]).innerText";
    assert!(sheet.browser.eval(beside).as_str().expect("a text").starts_with("Write a month"));
    sheet.hand("cell", json!(["residency_history", 0, "end", ""]));
    assert!(
        sheet.send().iter().any(|it| it.starts_with("Your stays: Fill in at least 1")),
        "rows or another way"
    );
}

#[test]
fn languages_and_communes_follow_the_place() {
    let (_place, server) = started();
    let mut browser = Browser::start();
    let mut sheet = of_skill(&server, &mut browser, "locale=fr");
    assert_eq!((sheet.languages(), sheet.communes()), (vec!["NL".into(), "FR".into(), "DE".into()], 565));
    for (region, commune, languages, communes) in [
        ("Flanders", "", vec!["NL"], 285),
        ("Flanders", "Drogenbos", vec!["NL", "FR"], 285),
        ("Wallonia", "", vec!["FR"], 252),
        ("Wallonia", "Malmedy", vec!["FR", "DE"], 252),
        ("Brussels-Capital", "", vec!["NL", "FR"], 19),
        ("German-speaking-community", "Eupen", vec!["FR", "DE"], 9),
        ("not-in-belgium-yet", "", vec!["NL", "FR", "DE"], 0),
    ] {
        sheet.hand("pick", json!(["region", region]));
        sheet.hand("type", json!(["commune_nis5", commune]));
        let found = (sheet.languages(), sheet.communes());
        assert_eq!(
            found,
            (languages.into_iter().map(str::to_owned).collect(), communes),
            "{region} {commune}"
        );
    }
    assert!(sheet.browser.text().contains("la langue que vous pensez utiliser"), "another hint");
    assert_eq!(sheet.browser.eval("T.box('commune_nis5').offsetParent"), Value::Null);
    sheet.hand("pick", json!(["region", "Wallonia"]));
    sheet.hand("pick", json!(["administration_language", "FR"]));
    sheet.hand("type", json!(["commune_nis5", "Drogenbos"]));
    let errors = sheet.send();
    assert!(errors.len() == 1 && errors[0].contains("n’est pas dans la région"), "{errors:?}");
    sheet.hand("pick", json!(["region", "Flanders"]));
    sheet.hand("type", json!(["commune_nis5", "44021"]));
    assert_eq!(
        sheet.browser.eval("T.box('administration_language').querySelector(':checked')"),
        Value::Null,
        "not one of Ghent's"
    );
    let status = sheet.browser.eval("document.getElementById('status').innerText");
    assert!(status.as_str().expect("a text").starts_with("Langues au choix"), "{status}");
    let payload = sheet.payload();
    assert!(payload["profile"].get("administration_language").is_none());
    assert_eq!(payload["profile"]["commune_nis5"], "44021");
}

#[test]
fn what_is_known_is_filled_in_and_can_be_taken_back() {
    let mut browser = Browser::start();
    let rows = json!([{"start": "2019-03", "end": "2021-02"}, {"start": "2021-03", "end": "current", "country_of_last_residence": "ma"}]);
    let known = json!({
        "profile_schema_version": "1", "last_updated_at": "2026-11-01T00:00:00Z", "region": "Brussels-Capital", "commune_nis5": "21009",
        "administration_language": "FR", "civic_status": "single", "residency_history": rows, "dependents": {"minor_children_count": 0},
    });
    let (_folder, mut sheet) =
        of_everything(&mut browser, json!({"mode": "returning", "profile_snapshot": known, "locale": "nl"}));
    let payload = sheet.payload();
    for name in [
        "region",
        "commune_nis5",
        "administration_language",
        "civic_status",
        "residency_history",
        "dependents",
    ] {
        assert_eq!(payload["profile"][name], known[name], "{name}");
    }
    assert!(payload.get("cleared").is_none());
    sheet.browser.eval("T.box('civic_status').querySelector('.clear').click(); null");
    sheet.browser.eval("T.box('residency_history').querySelectorAll('.remove')[1].click(); null");
    let payload = sheet.payload();
    assert_eq!(payload["cleared"], json!(["civic_status"]));
    assert_eq!(payload["profile"]["residency_history"], json!([rows[0]]));
}

#[test]
fn each_host_gets_the_answers_its_own_way() {
    let mut browser = Browser::start();
    for (app, hook) in [
        ("cowork", "window.sendPrompt = (text) => { window.got = text; }; null"),
        (
            "chatgpt",
            "window.openai = {sendFollowUpMessage: async ({prompt}) => { window.got = prompt; }}; null",
        ),
    ] {
        for is_there in [true, false] {
            let (_folder, mut sheet) =
                of_everything(&mut browser, json!({"app": app, "mode": "first_contact"}));
            sheet.hand("pick", json!(["region", "Wallonia"]));
            sheet.hand("way", json!(["residency_history", "chat"]));
            if is_there {
                sheet.browser.eval(hook);
            }
            let payload = sheet.payload();
            let got = sheet.browser.eval("window.got ?? null");
            let told = sheet.browser.eval("document.getElementById('done-how').innerText");
            assert_eq!(
                told.as_str().expect("a text").starts_with("They were handed over"),
                is_there,
                "{app}"
            );
            if !is_there {
                assert_eq!(got, Value::Null, "where the host has no such thing, it is copied");
                continue;
            }
            let got = got.as_str().expect("a text").to_owned();
            let text =
                got.split("```json\n").nth(1).and_then(|it| it.split("\n```").next()).expect("a block");
            assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), payload, "{app}");
        }
    }
    let (_folder, mut sheet) = of_everything(&mut browser, json!({"app": "generic"}));
    sheet.browser.eval("window.parent = {postMessage: (data, to) => { window.got = {data, to}; }}; null");
    assert!(!sheet.send().is_empty(), "something is missing");
    assert_eq!(
        sheet.browser.eval("window.got ?? null"),
        Value::Null,
        "an embedding page gets nothing before the answers are right"
    );
    sheet.hand("pick", json!(["region", "Wallonia"]));
    sheet.hand("way", json!(["residency_history", "folder_drop"]));
    let payload = sheet.payload();
    let got = sheet.browser.eval("window.got");
    assert_eq!(got["data"], json!({"type": "becivic-onboarding-form", "payload": payload}));
}

#[test]
fn rows_work_with_the_keyboard_alone_and_within_their_bounds() {
    let mut browser = Browser::start();
    let (_folder, sheet) = of_everything(&mut browser, json!({}));
    let browser = sheet.browser;
    let rows = "T.box('stays_abroad').querySelectorAll('.row').length";
    let disabled = "T.box('stays_abroad').querySelector('.add').disabled";
    for expected in 1..=2 {
        browser.eval("T.box('stays_abroad').querySelector('.add').focus(); null");
        browser.press("Enter");
        assert_eq!(browser.eval(rows), expected);
        assert_eq!(
            browser.eval("document.activeElement.closest('.cell').dataset.column"),
            "kind",
            "typing can begin"
        );
        assert_eq!(
            browser.eval("document.getElementById('status').innerText"),
            format!("Row {expected} was added.")
        );
    }
    assert_eq!(browser.eval(disabled), true, "two at most");
    browser.eval("T.box('stays_abroad').querySelector('.remove').focus(); null");
    browser.press("Enter");
    assert_eq!((browser.eval(rows), browser.eval(disabled)), (json!(1), json!(false)));
    assert_eq!(browser.eval("T.box('stays_abroad').querySelector('.row legend').innerText"), "Row 1");
    assert_eq!(browser.eval("document.activeElement.closest('.row') !== null"), true, "focus stays near");
    let unlabelled = "[...document.querySelectorAll('.cell input:not([type=checkbox]), .cell select')].filter((it) => it.labels.length !== 1 || !it.labels[0].innerText.trim()).length";
    assert_eq!(browser.eval(unlabelled), 0);
    let ids = "(() => { const ids = [...document.querySelectorAll('[id]')].map((it) => it.id); return ids.length - new Set(ids).size; })()";
    assert_eq!(browser.eval(ids), 0, "no id twice");
}

#[test]
fn it_fits_a_narrow_screen_asks_nobody_and_says_what_it_needs() {
    let (_place, server) = started();
    let mut browser = Browser::start();
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": true});
    browser.call("Emulation.setDeviceMetricsOverride", size);
    let address = format!("{}{DOOR}?skill_id=nationality-application&format=html", server.base());
    browser.open(&address);
    browser.eval("document.querySelectorAll('.add').forEach((it) => it.click()); null");
    assert_eq!(browser.eval("document.documentElement.scrollWidth <= 320"), true);
    let fetched = "performance.getEntriesByType('resource').map((it) => it.name).filter((it) => !it.endsWith('/favicon.ico'))";
    assert_eq!(browser.eval(fetched), json!([]));
    assert_eq!(
        browser.eval("fetch('/healthz').then(() => 'asked', () => 'refused')"),
        "refused",
        "the policy holds"
    );
    assert_eq!(browser.eval("document.querySelectorAll('details.trust:not([open]) dt').length"), 4);
    assert_eq!(browser.eval("document.getElementById('consent').checked"), false);
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&address);
    assert!(browser.text().contains("This form needs JavaScript"), "{}", browser.text());
    assert_eq!(browser.eval("document.getElementById('send').disabled"), true);
}
