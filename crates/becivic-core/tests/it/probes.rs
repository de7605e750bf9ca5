//! Which sources may be probed and what answers say of them: `fixtures/probe-samples/<source_class>/*.json`.
//!
//! A sample names a source of `fixtures/path-sources/valid/`, what is different about it (`with`, a merge patch), how it would be
//! asked, and answers with what each is judged to be.

use crate::{fixture_dir, json_files, read_json, shown};
use becivic_core::corpus::SourceClasses;
use becivic_core::path::{AuthMethod, PathSource, PathsIndex, SourceClass};
use becivic_core::probe::{Address, Judged, Look, Seen, Sitemap, Skip, judge, plan};
use becivic_core::schema::Schema;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    source: String,
    #[serde(default)]
    with: Value,
    plan: String,
    #[serde(default)]
    sitemap: Vec<String>,
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    seen: Told,
    judged: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    status: u16,
    content_type: Option<String>,
    body: Option<String>,
    /// Where redirects led.
    address: Option<String>,
    sitemap: Option<Map>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Map {
    files: Vec<String>,
    is_whole: bool,
}

/// RFC 7396.
fn patch(value: &mut Value, with: &Value) {
    let (Some(members), Some(with)) = (value.as_object_mut(), with.as_object()) else {
        *value = with.clone();
        return;
    };
    for (name, with) in with {
        match with {
            Value::Null => drop(members.shift_remove(name)),
            _ => patch(members.entry(name).or_insert(Value::Null), with),
        }
    }
}

fn seen(told: Told, asked: &Address) -> Seen {
    let address = told.address.as_deref().map_or(Ok(asked.clone()), |it| Address::read(it, &|_| true));
    let address = address.expect("an address");
    let sitemap = told.sitemap.map(|map| {
        let mut read = Sitemap::default();
        assert!(map.files.iter().all(|file| read.add(file).is_some()), "a map");
        read.is_whole = map.is_whole;
        read
    });
    Seen {
        status: told.status,
        content_type: told.content_type,
        body: told.body.map(String::into_bytes),
        was_led: address != *asked,
        left_host: address.host() != asked.host(),
        address: address.as_str().to_owned(),
        sitemap,
    }
}

#[test]
fn sources_are_asked_and_judged_as_the_fixtures_say() {
    let is_listed = |host: &str| host.ends_with(".be");
    for class in SourceClass::ALL {
        let files = json_files(&fixture_dir().join("probe-samples").join(class.as_str()));
        assert!(!files.is_empty(), "{class} has samples");
        let (mut is_asked, mut rejects) = (false, false);
        for file in &files {
            let name = shown(file);
            let case = Case::deserialize(read_json(file)).expect("a well-formed case");
            let mut source =
                read_json(&fixture_dir().join(format!("path-sources/valid/{}.json", case.source)));
            if !case.with.is_null() {
                patch(&mut source, &case.with);
            }
            assert!(Schema::PathSource.accepts(&source), "{name}");
            let source = PathSource::deserialize(source).expect("a readable source");
            assert_eq!(source.source_class, *class, "{name}");
            let plan = match plan(&source, &is_listed) {
                Ok(plan) => plan,
                Err(why) => {
                    assert_eq!((format!("skip: {why}"), case.answers.len()), (case.plan, 0), "{name}");
                    continue;
                }
            };
            is_asked = true;
            let look = match plan.look {
                Look::Head => "head",
                Look::Page => "page",
            };
            assert_eq!(look, case.plan, "{name}");
            assert!(plan.sitemap.iter().all(|path| case.sitemap.contains(path)), "{name}");
            assert!(case.sitemap.iter().all(|path| plan.sitemap.contains(path)), "{name}");
            for (at, answer) in case.answers.into_iter().enumerate() {
                let judged = match judge(&source, &seen(answer.seen, &plan.address)) {
                    Judged::Confirms => "confirms".to_owned(),
                    Judged::Rejects(outcome) => {
                        rejects = true;
                        format!("rejects: {outcome}")
                    }
                    Judged::Nothing(why) => format!("nothing: {why}"),
                };
                assert_eq!(judged, answer.judged, "{name}, answer {at}");
            }
        }
        assert_eq!(is_asked, rejects, "{class}: what is asked has a sample that fails");
    }
}

#[test]
fn an_audited_source_is_never_asked_whatever_else_it_says() {
    for file in json_files(&fixture_dir().join("path-sources/valid")) {
        let mut source = PathSource::deserialize(read_json(&file)).expect("a readable source");
        source.audited_document_delivery = Some(true);
        assert!(plan(&source, &|_| true).is_err(), "{}", shown(&file));
        source.audited_document_delivery = None;
        source.source_class = SourceClass::BrusselsTier1Quicklink;
        assert!(plan(&source, &|_| true).is_err(), "{}", shown(&file));
    }
}

/// Which sources of the public corpus a probe would ask, and why not the others.
#[test]
fn the_public_corpus_is_asked_where_it_can_be() {
    let corpus = fixture_dir().join("../corpus");
    let index = PathsIndex::deserialize(read_json(&corpus.join("paths/index.json"))).expect("an index");
    let classes = read_json(&corpus.join("schemas/source-classes.json"));
    let hosts = SourceClasses::deserialize(classes).expect("classes").citable();
    let (mut asked, mut audited) = (0, 0);
    for (id, path) in &index.paths {
        for source in &path.sources {
            let name = format!("{id}:{}", source.id);
            let is_audited = source.audited_document_delivery == Some(true);
            match plan(source, &|host| hosts.holds(host)) {
                Ok(_) => asked += 1,
                Err(Skip::Audited) => audited += 1,
                Err(Skip::Unfit(why)) => assert!(source.procedure.deeplink.is_none(), "{name}: {why}"),
                Err(Skip::Offline | Skip::NoAddress) => {
                    assert!(source.procedure.deeplink.is_none(), "{name}")
                }
                Err(Skip::Incomplete | Skip::BehindLogin | Skip::OnlyAPerson) => {
                    assert_ne!(source.auth.method, AuthMethod::None, "{name} is open to everybody");
                }
            }
            assert!(!is_audited || plan(source, &|_| true) == Err(Skip::Audited), "{name}");
        }
    }
    assert!(asked > 30 && audited > 0, "{asked} are asked, {audited} audited");
}
