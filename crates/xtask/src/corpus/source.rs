//! The sources of a path, one shape per source class.
//!
//! 1. [`CLASSES`] says, per class, what its template fixes: procedure, signals, actor, audience.
//! 2. A source is that template with an address and a sentence or two of its own.

use serde_json::{Map, Value, json};

use super::rng::Rng;

/// What one source class fixes.
struct Class {
    name: &'static str,
    id: &'static str,
    priority: u8,
    procedure: &'static str,
    host: Option<&'static str>,
    region: Option<(&'static str, &'static str)>,
    auth: &'static str,
    validation: &'static str,
    success: fn() -> Value,
    failure: (&'static str, &'static str, &'static str),
    confirms: bool,
    primary: &'static str,
    handoff: &'static str,
}

const BRUSSELS: Option<(&str, &str)> = Some(("brussels", "Brussels-Capital"));
const IRISBOX: Option<&str> = Some("irisbox.irisnet.be/irisbox");

/// The nine classes.
const CLASSES: &[Class] = &[
    Class {
        name: "brussels-tier1-quicklink",
        id: "irisbox-quicklink",
        priority: 90,
        procedure: "deeplink-after-auth",
        host: IRISBOX,
        region: BRUSSELS,
        auth: "csam",
        validation: "agent-driven-headed-with-user-auth",
        success: || {
            json!([{"check": "response-content-type-includes", "value": "application/pdf"},
                   {"check": "downloaded-bytes-start-with", "value": "%PDF"}])
        },
        failure: ("response-status", "404", "source-retired"),
        confirms: false,
        primary: "both",
        handoff: "auth-wall",
    },
    Class {
        name: "brussels-tier2-inquiry",
        id: "irisbox-inquiry",
        priority: 70,
        procedure: "inquiry-form-after-auth",
        host: IRISBOX,
        region: BRUSSELS,
        auth: "csam",
        validation: "agent-driven-headed-with-user-auth",
        success: || {
            json!([{"check": "page-text-contains", "value": "Your request was sent"},
                   {"check": "form-submitted-successfully", "value": true}])
        },
        failure: ("page-text-contains", "Service indisponible", "source-temporarily-down"),
        confirms: true,
        primary: "both",
        handoff: "auth-wall",
    },
    Class {
        name: "brussels-tier3-noauth",
        id: "irisbox-open-form",
        priority: 75,
        procedure: "anonymous-form",
        host: IRISBOX,
        region: BRUSSELS,
        auth: "none",
        validation: "agent-prepared-user-captcha",
        success: || {
            json!([{"check": "form-loaded-selector-visible", "value": "form#request"},
                   {"check": "submit-produces-success-page", "value": "Your request was sent"}])
        },
        failure: ("captcha-unsolvable", "the picture did not load", "source-temporarily-down"),
        confirms: true,
        primary: "both",
        handoff: "captcha",
    },
    Class {
        name: "flanders-api-page",
        id: "vlaanderen-page",
        priority: 65,
        procedure: "api-page",
        host: Some("www.vlaanderen.be/api"),
        region: Some(("flanders", "Flanders")),
        auth: "none",
        validation: "agent-driven-headless",
        success: || {
            json!([{"check": "api-returns-200", "value": 200},
                   {"check": "json-path-resolves", "value": ".page.body"}])
        },
        failure: ("json-path-resolves", "false", "api-shape-changed"),
        confirms: false,
        primary: "agent",
        handoff: "none",
    },
    Class {
        name: "wallonia-sitemap-page",
        id: "wallonie-page",
        priority: 65,
        procedure: "sitemap-page",
        host: Some("www.wallonie.be/fr/demarches"),
        region: Some(("wallonia", "Wallonia")),
        auth: "none",
        validation: "agent-driven-headless",
        success: || {
            json!([{"check": "sitemap-contains-path", "value": "/fr/demarches"},
                   {"check": "page-loads-200", "value": 200}])
        },
        failure: ("sitemap-contains-path", "false", "sitemap-entry-removed"),
        confirms: false,
        primary: "agent",
        handoff: "none",
    },
    Class {
        name: "federal-anonymous-form",
        id: "federal-form",
        priority: 80,
        procedure: "anonymous-form",
        host: Some("www.ibz.rrn.fgov.be/forms"),
        region: None,
        auth: "none",
        validation: "agent-walks-user-through-form",
        success: || {
            json!([{"check": "form-loaded-selector-visible", "value": "form#request"},
                   {"check": "all-required-fields-fillable", "value": true},
                   {"check": "submit-produces-success-page", "value": "Your request was sent"}])
        },
        failure: ("response-status", "404", "form-not-loadable"),
        confirms: true,
        primary: "both",
        handoff: "confirmation",
    },
    Class {
        name: "federal-auth-handoff",
        id: "mon-dossier-online",
        priority: 60,
        procedure: "auth-handoff",
        host: Some("mondossier.rrn.fgov.be/start"),
        region: None,
        auth: "csam",
        validation: "agent-reaches-auth-wall-only",
        success: || {
            json!([{"check": "deeplink-reaches-auth-wall", "value": true},
                   {"check": "redirect-chain-matches-pattern", "value": "^https://[a-z0-9.-]+[.](fgov|belgium)[.]be/"}])
        },
        failure: ("response-status", "404", "404"),
        confirms: true,
        primary: "user",
        handoff: "full-takeover",
    },
    Class {
        name: "partner-portal",
        id: "partner-portal",
        priority: 40,
        procedure: "partner-flow",
        host: Some("www.socialsecurity.be/partners"),
        region: None,
        auth: "partner-sso",
        validation: "varies-per-partner",
        success: || json!([{"check": "page-text-contains", "value": "Your request was sent"}]),
        failure: ("response-status", "503", "source-temporarily-down"),
        confirms: true,
        primary: "both",
        handoff: "auth-wall",
    },
    Class {
        name: "offline",
        id: "commune-desk",
        priority: 10,
        procedure: "commune-visit",
        host: None,
        region: None,
        auth: "none",
        validation: "user-confirms",
        success: || json!([{"check": "user-confirms-document-received", "value": true}]),
        failure: ("commune-says-elsewhere", "The desk sent the person to another office.", "source-retired"),
        confirms: true,
        primary: "user",
        handoff: "physical-presence",
    },
];

/// One to four sources of different classes; path `index` has class `index % 9`, so that every
/// class is met.
pub fn sources(index: usize, path: &str, rng: &mut Rng) -> Vec<Value> {
    let step = rng.pick(&[1, 2, 4, 5, 7, 8]);
    (0..rng.between(1, 4))
        .map(|nth| source(&CLASSES[(index + nth * step) % CLASSES.len()], path, rng))
        .collect()
}

fn source(class: &Class, path: &str, rng: &mut Rng) -> Value {
    let mut source = Map::new();
    let mut put = |key: &str, value: Value| source.insert(key.to_owned(), value);
    put("id", class.id.into());
    put("source_class", class.name.into());
    put("audience", audience(class, rng));
    put("auth", json!({"method": class.auth, "supported_providers": providers(class)}));
    put("procedure", procedure(class, path, rng));
    put(
        "validation_path",
        json!({
            "kind": class.validation,
            "success_signals": (class.success)(),
            "failure_signals": [{"check": class.failure.0, "value": class.failure.1, "outcome": class.failure.2}],
            "user_confirms_required": class.confirms,
        }),
    );
    put("priority", class.priority.into());
    put("actor", json!({"primary": class.primary, "handoff": handoff(class)}));
    put("fallback_only", (class.name == "offline").into());
    if class.auth == "csam" {
        put("preferred_auth_provider", "itsme".into());
    }
    put("audited_document_delivery", (class.name == "brussels-tier1-quicklink").into());
    put("post_handoff_observed", false.into());
    put("notes", "Generated: the flow was not walked.".into());
    Value::Object(source)
}

fn audience(class: &Class, rng: &mut Rng) -> Value {
    if let Some((region, profile_region)) = class.region {
        let communes = if region == "brussels" { json!(["all-19-rbc-communes"]) } else { json!([]) };
        return json!({"regions": [region], "communes": communes,
            "predicates": [{"field": "user.region", "op": "eq", "value": profile_region}]});
    }
    let predicates = match rng.below(3) {
        0 => json!([{"field": "user.commune_nis5", "op": "exists", "value": true}]),
        1 => json!([{"field": "user.residency_status", "op": "in",
                     "value": ["registered", "EU-citizen", "non-EU-permit"]}]),
        _ => json!([{"field": "user.document_inventory.has_id_card", "op": "eq", "value": "yes"},
                    {"field": "user.dependents.minor_children_count", "op": "gte", "value": 1}]),
    };
    json!({"regions": ["brussels", "wallonia", "flanders"], "communes": [], "predicates": predicates})
}

fn providers(class: &Class) -> Value {
    match class.auth {
        "csam" => json!(["itsme", "eid"]),
        "partner-sso" => json!(["partner"]),
        _ => json!([]),
    }
}

fn procedure(class: &Class, path: &str, rng: &mut Rng) -> Value {
    let Some(host) = class.host else {
        return json!({"kind": class.procedure, "desk": "population desk",
            "bring": ["an identity document", "the receipt of the request"],
            "ask_for": "the document this path is named after"});
    };
    let deeplink = format!("https://{host}/{path}");
    if class.name == "brussels-tier1-quicklink" {
        return json!({"kind": class.procedure, "deeplink": deeplink,
            "post_auth_behavior": "server-generates-pdf-streams-as-download",
            "expected_response_type": "application/pdf", "captcha": false,
            "delivery_mode": "sync-pdf-download", "estimated_seconds": rng.between(10, 90)});
    }
    json!({"kind": class.procedure, "deeplink": deeplink, "captcha": class.handoff == "captcha",
        "estimated_seconds": rng.between(60, 1_800)})
}

fn handoff(class: &Class) -> Value {
    let agent = "Open the address, say what the page is for and which documents it will ask for.";
    if class.handoff == "none" {
        return json!({"when": "none", "agent_responsibility": agent});
    }
    json!({"when": class.handoff, "agent_responsibility": agent,
        "user_responsibility": "Do the step that only the person may do, check every answer, and keep the result.",
        "resumption": "Say when it is done, or what the page or the desk answered."})
}
