//! The onboarding form, for every skill of the corpus and for one that asks for everything.

mod filled;

use crate::fixture_dir;
use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::form::{
    Form, FormError, FormRequest, Keep, Mode, Section, SectionId, answer_schema, commune_choices, compose,
    request_schema,
};
use becivic_core::profile::{AdministrationLanguage as A, ProfileRegion as R};
use becivic_core::schema::Schema;
use becivic_core::skill::IoType;
use becivic_core::vocabulary::Language;
use filled::{filled, missing};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The corpus of the repository, with a skill that asks for everything and one that was put away.
static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    let root = fixture_dir().join("../corpus");
    let mut inputs = Vec::new();
    let mut give = |path: String, bytes: Vec<u8>| inputs.push(Input { path, content: Content::Bytes(bytes) });
    for file in ["data/communes.json", "schemas/types.json"] {
        give(file.to_owned(), std::fs::read(root.join(file)).expect("read"));
    }
    for entry in std::fs::read_dir(root.join("skills")).expect("listed") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            let text = std::fs::read(path.join("canonical.md")).expect("a skill");
            give(format!("skills/{name}/canonical.md"), text);
        }
    }
    let text = std::fs::read_to_string(fixture_dir().join("forms/every-input.md")).expect("a skill");
    let away =
        text.replace("status: alpha", "status: quarantined").replace("id: every-input", "id: put-away");
    give("skills/every-input/canonical.md".to_owned(), text.into_bytes());
    give("skills/put-away/canonical.md".to_owned(), away.into_bytes());
    let corpus = Corpus::from_inputs(inputs);
    let unread: Vec<_> = corpus.skills.iter().filter(|(_, skill)| skill.front.is_none()).collect();
    assert!(unread.is_empty() && corpus.skills.len() > 15, "{unread:?} {:?}", corpus.findings);
    corpus
});

fn request(value: Value) -> FormRequest {
    FormRequest::read(&value).expect("a request")
}

fn form(value: Value) -> Form {
    compose(&CORPUS, &request(value)).expect("a form")
}

fn snapshot() -> Value {
    json!({
        "profile_schema_version": "1", "last_updated_at": "2026-11-01T10:00:00Z", "region": "Wallonia",
        "civil_status": "married", "document_inventory": {"has_eID": true},
        "residency_history": [{"start": "2019-03", "end": "current", "permit_type": "B"}],
        "consent": {"alpha_bundle": true, "version": "alpha-1", "signed_at": "2026-11-01"},
    })
}

/// The names of the fields, by section.
fn names(form: &Form) -> Vec<(SectionId, Vec<&str>)> {
    fn named(section: &Section) -> (SectionId, Vec<&str>) {
        (section.id, section.fields.iter().map(|field| field.name.as_str()).collect())
    }
    form.sections.iter().map(named).collect()
}

#[test]
fn every_form_fits_its_schema_and_yields_what_it_says() {
    let answers = jsonschema::validator_for(&answer_schema()).expect("a schema");
    let mut seen = 0;
    let ids = CORPUS.skills.keys().filter(|id| *id != "put-away").map(Some).chain([None]);
    for id in ids {
        for mode in Mode::ALL {
            for locale in Language::ALL {
                for profile in [None, Some(snapshot())] {
                    let asked = FormRequest {
                        skill_id: id.cloned(),
                        mode: *mode,
                        locale: *locale,
                        profile_snapshot: profile,
                        ..FormRequest::default()
                    };
                    let form = compose(&CORPUS, &asked).expect("a form");
                    let value = serde_json::to_value(&form).expect("JSON");
                    let wrong: Vec<String> = answers.iter_errors(&value).map(|it| it.to_string()).collect();
                    assert!(wrong.is_empty(), "{asked:?}: {wrong:?}");
                    assert_eq!(form.trust.clauses.len(), 4);
                    assert!(!form.trust.open && !form.consent.required);
                    yields(&form);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 400, "{seen}");
}

/// What is filled in fits the payload's schema, and its profile the profile's; what is missing does not.
fn yields(form: &Form) {
    let payloads = jsonschema::validator_for(&form.payload_schema).expect("a schema");
    let is_wrong =
        |payload: &Value| payloads.iter_errors(payload).map(|it| it.to_string()).collect::<Vec<_>>();
    for way in ["form", "folder_drop", "chat"] {
        let payload = filled(form, way);
        assert_eq!(is_wrong(&payload), Vec::<String>::new(), "{payload}");
        let violations = Schema::Profile.violations(&payload["profile"]);
        assert!(violations.is_empty(), "{violations:?} {payload}");
        let with = |place: &str, name: &str, value: Value| {
            let mut payload = payload.clone();
            payload[place][name] = value;
            payload
        };
        assert!(!is_wrong(&with("profile", "user_name", json!("A"))).is_empty());
        assert!(!is_wrong(&with("answers", "unasked", json!("A"))).is_empty());
        assert!(!is_wrong(&with("pending", "unasked", json!("A"))).is_empty());
        for payload in missing(form, &payload) {
            assert!(!is_wrong(&payload).is_empty(), "{payload}");
        }
    }
}

#[test]
fn the_three_tiers_ask_for_less_and_less() {
    use SectionId::{AboutYou, Kept, Known, Procedure};
    const UNIVERSAL: &[&str] = &[
        "region",
        "commune_nis5",
        "administration_language",
        "conversation_language",
        "has_id_card",
        "browser_driving_preference",
    ];
    let ask = |mode: &str, skill: Value, profile: Value| {
        form(json!({"mode": mode, "skill_id": skill, "profile_snapshot": profile}))
    };
    let nothing = || json!(null);
    let household = || json!("household-composition");
    let alone = ask("first_contact", nothing(), nothing());
    assert_eq!(names(&alone), [(AboutYou, UNIVERSAL.to_vec())]);
    let own = vec!["certificate_purpose", "household_as_registered"];
    let first = ask("first_contact", household(), nothing());
    assert_eq!(
        names(&first),
        [(AboutYou, UNIVERSAL.to_vec()), (Procedure, own.clone())],
        "no question twice"
    );
    let returning = ask("returning", household(), snapshot());
    let open = vec![
        "commune_nis5",
        "administration_language",
        "conversation_language",
        "browser_driving_preference",
    ];
    assert_eq!(
        names(&returning),
        [(AboutYou, open), (Procedure, own.clone()), (Known, vec!["region", "has_id_card"])]
    );
    let known: Vec<&Value> = returning.sections[2].fields.iter().filter_map(|it| it.value.as_ref()).collect();
    assert_eq!(known, [&json!("Wallonia"), &json!("yes")], "old spellings are read");
    assert!(returning.consent.given && !first.consent.given);
    let continuing = ask("continuing", household(), snapshot());
    assert_eq!(names(&continuing), [(Procedure, own)]);
    let unknown = ask("continuing", household(), nothing());
    assert_eq!(names(&unknown)[0], (AboutYou, vec!["region", "has_id_card"]), "what the skill itself asks");
    let nationality = ask("continuing", json!("nationality-application"), snapshot());
    assert_eq!(names(&nationality)[0], (Kept, vec!["employment_history"]));
    let nothing_left = ask("continuing", json!("meta-no-skill-fallback"), snapshot());
    assert!(nothing_left.sections.is_empty() && nothing_left.intro.contains("Nothing is missing"));
    assert_eq!(nothing_left.skill.expect("a skill").id, "meta-no-skill-fallback");
}

#[test]
fn answers_are_kept_where_they_fit() {
    let form = form(json!({"skill_id": "every-input"}));
    let fields: Vec<_> = form.sections.iter().flat_map(|section| &section.fields).collect();
    let field = |name: &str| *fields.iter().find(|field| field.name == name).expect("a field");
    let path = |name: &str| field(name).profile_path.clone().map(|keys| keys.join("."));
    for (name, expected) in [
        ("has_id_card", Some("document_inventory.has_id_card")),
        ("civic_status", Some("civic_status")),
        ("minor_children_count", Some("dependents.minor_children_count")),
        ("validity_end_passport_other", Some("document_inventory.validity_end_passport_other")),
        ("residency_history", Some("residency_history")),
        // Exact to the day, or nothing the profile knows: for the session.
        ("validity_end_id_card", None),
        ("shoe_size", None),
        ("origin_country", None),
    ] {
        assert_eq!(path(name).as_deref(), expected, "{name}");
        let keep = if expected.is_some() { Keep::Profile } else { Keep::Session };
        assert_eq!(field(name).keep, keep, "{name}");
    }
    let range = field("minor_children_count").range.expect("a range");
    assert_eq!((range.minimum, range.maximum, range.whole), (Some(0), Some(30), true));
    assert_eq!(field("conversation_language").max_length, Some(32));
    assert_eq!(field("another_line").max_length, Some(500));
    assert_eq!(field("no_label").label, "no label");
    let rows = field("residency_history");
    let required: Vec<bool> = rows.columns.iter().map(|column| column.required).collect();
    assert_eq!(required, [true, true, false], "as the profile's rows");
    assert!(rows.required && !field("stays_abroad").required);
    assert_eq!(rows.capture_modes.len(), 3);
    assert_eq!(
        serde_json::to_value(&rows.capture_modes[1]).expect("JSON")["yields"],
        json!({"__mode": "folder_drop", "__status": "pending"})
    );
    let types: std::collections::BTreeSet<IoType> = fields.iter().map(|field| field.io_type).collect();
    assert_eq!(types.len(), IoType::ALL.len(), "every type is asked");
}

#[test]
fn what_cannot_be_composed_says_why_and_repeats_nothing() {
    let composed = |value: Value| compose(&CORPUS, &request(value)).map(|_| ()).expect_err("refused");
    assert_eq!(composed(json!({"skill_id": "no-such-skill"})), FormError::UnknownSkill);
    assert_eq!(composed(json!({"skill_id": "put-away"})), FormError::Quarantined);
    for (change, pointer) in [
        (json!({"region": "zqx"}), "/region"),
        (json!({"zqx": 1}), ""),
        (json!({"consent": {"zqx": {"zqx": [1]}}}), "/consent"),
        (
            json!({"residency_history": [{"start": "2020-01-31", "end": "current"}]}),
            "/residency_history/0/start",
        ),
        (json!({"last_updated_at": null}), "/last_updated_at"),
    ] {
        let mut profile = snapshot();
        let fields = profile.as_object_mut().expect("an object");
        fields.extend(change.as_object().expect("an object").clone());
        let error = composed(json!({"profile_snapshot": profile}));
        assert_eq!(error, FormError::Snapshot { pointer: pointer.to_owned() });
        assert!(!format!("{error:?} {error}").contains("zqx"));
    }
    assert_eq!(composed(json!({"profile_snapshot": {}})), FormError::Snapshot { pointer: String::new() });
    for (value, pointer) in [
        (json!({"app": "zqx"}), "/app"),
        (json!({"locale": "zqx"}), "/locale"),
        (json!({"mode": 1}), "/mode"),
        (json!({"skill_id": "Zqx zqx"}), "/skill_id"),
        (json!({"profile_snapshot": "zqx"}), "/profile_snapshot"),
        (json!({"zqx": 1}), ""),
        (json!(["zqx"]), ""),
    ] {
        let error = FormRequest::read(&value).expect_err("refused");
        let FormError::Request { pointer: at, help } = &error else { panic!("{error:?}") };
        assert_eq!(at, pointer, "{value}");
        assert!(!help.is_empty() && !format!("{error:?}").contains("zqx"), "{error:?}");
    }
}

#[test]
fn requests_are_read_as_their_schema_says() {
    let schema = jsonschema::validator_for(&request_schema()).expect("a schema");
    assert_eq!(request(json!({})), FormRequest::default());
    let whole = FormRequest {
        skill_id: Some("a-b".to_owned()),
        profile_snapshot: Some(snapshot()),
        ..FormRequest::default()
    };
    let written = serde_json::to_value(&whole).expect("JSON");
    assert!(schema.is_valid(&written));
    assert_eq!(request(written), whole);
}

#[test]
fn languages_of_the_administration_follow_the_place() {
    let map = form(json!({})).administration_languages;
    for (region, expected) in [
        (R::Flanders, vec![A::Nl]),
        (R::Wallonia, vec![A::Fr]),
        (R::BrusselsCapital, vec![A::Fr, A::Nl]),
        (R::GermanSpeakingCommunity, vec![A::De, A::Fr]),
        (R::NotInBelgiumYet, vec![A::Nl, A::Fr, A::De]),
    ] {
        assert_eq!(map.by_region[&region], expected, "{region}");
    }
    assert_eq!(map.by_commune["23098"], [A::Nl, A::Fr], "Drogenbos");
    assert_eq!(map.by_commune["63049"], [A::Fr, A::De], "Malmedy");
    assert_eq!(map.by_commune.len(), 18, "{:?}", map.by_commune);
    assert!(!map.by_commune.contains_key("44021"));
    // Where the place is known and not asked again, only its languages are offered.
    let offered = |changes: Value| {
        let mut profile = snapshot();
        profile.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        let asked =
            json!({"skill_id": "birth-and-marriage-acts", "mode": "continuing", "profile_snapshot": profile});
        let form = form(asked);
        let options = form.sections[0].fields[0].options.iter();
        options.map(|option| option.value.clone()).collect::<Vec<_>>()
    };
    assert_eq!(offered(json!({})), ["FR"]);
    assert_eq!(offered(json!({"commune_nis5": "63049"})), ["FR", "DE"]);
    assert_eq!(offered(json!({"region": "not-in-belgium-yet"})), ["NL", "FR", "DE"]);
    let choices = commune_choices(&CORPUS, Language::Fr);
    assert_eq!(choices.len(), 565);
    let found = |nis: &str| choices.iter().find(|it| it.nis5 == nis).expect("a commune");
    assert_eq!((found("44021").name.as_str(), found("44021").region), ("Gand", R::Flanders));
    assert_eq!(found("44021").also, ["Gent"]);
    assert_eq!(found("63023").region, R::GermanSpeakingCommunity);
}

#[test]
fn the_form_speaks_four_languages_and_says_which_words_are_authored() {
    for (locale, title) in [("en", "A few"), ("fr", "Quelques"), ("nl", "Eerst"), ("de", "Zuerst")] {
        let form = form(json!({"locale": locale, "skill_id": "change-of-address"}));
        assert!(form.title.starts_with(title));
        assert_eq!(form.sections[0].fields[0].lang.as_str(), locale);
        assert_eq!(form.sections[1].fields[0].lang, Language::En);
    }
}
