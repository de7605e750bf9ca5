//! Why a request is refused: one list of categories with their status (DECISIONS §7), and what an answer says of them.
//! No answer holds text from a submission.

use crate::moment::Moment;
use axum::http::StatusCode;
use becivic_core::preflight::{self, Refusal};
use serde_json::{Map, Value, json};

macro_rules! documented {
    ($($doc:literal $variant:ident = $name:literal, $status:ident;)+) => {
        /// Why.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Category { $(#[doc = $doc] $variant),+ }

        impl Category {
            /// Every category.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The status of an answer.
            pub fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status),+ }
            }

            /// What it means.
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $doc),+ }
            }
        }
    };
}

documented! {
    "The body is not JSON: cut off, a key twice, nested too deep, not UTF-8."
    MalformedJson = "malformed_json", BAD_REQUEST;
    "The shape is wrong; `schema_pointer` says where, `missing` what is missing."
    SchemaFail = "schema_fail", BAD_REQUEST;
    "A field bears the name of something that identifies a person, a device or a session."
    IdentityFieldBanned = "identity_field_banned", BAD_REQUEST;
    "`submitted_at` is more than an hour ahead or more than seven days behind."
    TimingFail = "timing_fail", BAD_REQUEST;
    "A submission in this state cannot be moved to that one."
    InvalidTransition = "invalid_transition", BAD_REQUEST;
    "The token is missing or wrong. Whether the id exists is not said."
    Unauthorized = "unauthorized", UNAUTHORIZED;
    "The agent does not declare what the type asks for; `missing` lists it."
    CapabilityMismatch = "capability_mismatch", FORBIDDEN;
    "The sender wrote what it votes on."
    SelfValidationBlocked = "self_validation_blocked", FORBIDDEN;
    "There is nothing here."
    NotFound = "not_found", NOT_FOUND;
    "The address exists, but does not take this method; `Allow` lists those it takes."
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED;
    "The body is larger than a mebibyte."
    PayloadTooLarge = "payload_too_large", PAYLOAD_TOO_LARGE;
    "The body is not `application/json`, or is compressed."
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE;
    "The diff does not fit the body as it is now."
    DiffApplyFailed = "diff_apply_failed", CONFLICT;
    "The id was used before, by somebody else or for something else."
    DuplicateIdDifferentSubmitter = "duplicate_id_different_submitter", CONFLICT;
    "A string holds something personal; `schema_pointer` says where."
    RegexFail = "regex_fail", UNPROCESSABLE_ENTITY;
    "Something named does not exist, or may not be changed."
    CrossRefFail = "cross_ref_fail", UNPROCESSABLE_ENTITY;
    "The provenance holds something personal; `matches` names the rules."
    Layer2ScrubFailure = "layer2_scrub_failure", UNPROCESSABLE_ENTITY;
    "Too much was sent; `retry_after` and `Retry-After` say when there is room again."
    RateLimitExceeded = "rate_limit_exceeded", TOO_MANY_REQUESTS;
    "The request is not one that a `git` client makes."
    MalformedRequest = "malformed_request", BAD_REQUEST;
    "The repository is read-only over HTTP."
    ReadOnly = "read_only", FORBIDDEN;
    "The store does not answer; nothing was lost that was acknowledged."
    StagingUnavailable = "staging_unavailable", SERVICE_UNAVAILABLE;
    "Something went wrong on our side; nothing was stored."
    Internal = "internal_error", INTERNAL_SERVER_ERROR;
}

/// One refusal, ready to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Why.
    pub category: Category,
    /// Where, as a JSON pointer into the submission.
    pub pointer: Option<String>,
    /// What is missing.
    pub missing: Option<String>,
    /// When there is room again, and how many seconds from now that is.
    pub retry_after: Option<i64>,
    /// The rule of the corpus that would be broken.
    pub rule: Option<&'static str>,
    /// The scrub rules that fired in provenance.
    pub detectors: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Rejection {
    /// A refusal that needs no more words.
    pub fn new(category: Category) -> Self {
        Self {
            category,
            pointer: None,
            missing: None,
            retry_after: None,
            rule: None,
            detectors: Vec::new(),
            help: None,
        }
    }

    /// A refusal at a place.
    pub fn at(category: Category, pointer: &str, help: &str) -> Self {
        Self { pointer: Some(pointer.to_owned()), help: Some(help.to_owned()), ..Self::new(category) }
    }

    /// A refusal until a moment.
    pub fn until(category: Category, now: Moment, later: Moment) -> Self {
        Self { retry_after: Some(now.seconds_until(later)), ..Self::new(category) }
    }

    /// The store does not answer.
    pub fn unavailable() -> Self {
        Self { retry_after: Some(5), ..Self::new(Category::StagingUnavailable) }
    }

    /// What an answer says.
    pub fn body(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("error".to_owned(), json!(self.category.as_str()));
        let mut say = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value);
            }
        };
        if self.category == Category::Layer2ScrubFailure {
            let matched = |rule: &String| json!({"detector": rule, "context_snippet": "█".repeat(40)});
            say("category", Some(json!(layer2_category(&self.detectors))));
            say("matches", Some(self.detectors.iter().map(matched).collect()));
            say("remediation", Some(json!("rewrite_research_notes")));
        }
        say("schema_pointer", self.pointer.clone().map(Value::from));
        say("missing", self.missing.clone().map(Value::from));
        say("retry_after", self.retry_after.map(Value::from));
        say("rule", self.rule.map(Value::from));
        say("help", self.help.as_deref().or_else(|| usual_help(self.category)).map(Value::from));
        Value::Object(fields)
    }
}

/// What to do where nothing more particular is said.
fn usual_help(category: Category) -> Option<&'static str> {
    match category {
        Category::MalformedJson => Some("Send one JSON value in UTF-8."),
        Category::Unauthorized => Some(
            "Send the token that came with it, as `cancel_token` or over HTTP as `Authorization: Bearer`; sending again what is staged or held gives a new one.",
        ),
        Category::NotFound => Some(
            "Look at the id or the address again; search finds what there is, and `/api` lists every address.",
        ),
        Category::MethodNotAllowed => Some("Use a method that `Allow` lists."),
        Category::PayloadTooLarge => Some("Send at most a mebibyte at once, and the rest after it."),
        Category::RateLimitExceeded => Some("Wait `retry_after` seconds; nothing of this was stored."),
        Category::StagingUnavailable => {
            Some("Send it again in `retry_after` seconds; the same id is stored once.")
        }
        Category::InvalidTransition => {
            Some("What is staged or committed can be held; what is held can be released or discarded.")
        }
        Category::MalformedRequest => Some("Ask with `git clone` or `git fetch`."),
        Category::ReadOnly => {
            Some("Nothing can be pushed here; changes are proposed as amendments and drafts, see /api.")
        }
        Category::SelfValidationBlocked => Some("Others must vote on what you wrote."),
        Category::SchemaFail
        | Category::IdentityFieldBanned
        | Category::TimingFail
        | Category::CapabilityMismatch
        | Category::UnsupportedMediaType
        | Category::DiffApplyFailed
        | Category::DuplicateIdDifferentSubmitter
        | Category::RegexFail
        | Category::CrossRefFail
        | Category::Layer2ScrubFailure
        | Category::Internal => None,
    }
}

/// The closed categories of §6.2.3, from the rules' names.
fn layer2_category(detectors: &[String]) -> &'static str {
    let any = |parts: &[&str]| detectors.iter().any(|rule| parts.iter().any(|part| rule.contains(part)));
    if any(&["passport", "residence", "eid", "licence", "card"]) {
        "document_number"
    } else if any(&["address", "street", "coordinates"]) {
        "address"
    } else if any(&["nrn", "phone", "mail", "iban", "birth", "ssn", "bsn", "nir", "tax", "handle"]) {
        "identity"
    } else {
        "other"
    }
}

impl From<Refusal> for Rejection {
    fn from(refusal: Refusal) -> Self {
        use preflight::Category as C;
        let category = match refusal.category {
            C::IdentityFieldBanned => Category::IdentityFieldBanned,
            C::SchemaFail => Category::SchemaFail,
            C::CapabilityMismatch => Category::CapabilityMismatch,
            C::RegexFail => Category::RegexFail,
            C::Layer2ScrubFailure => Category::Layer2ScrubFailure,
            C::CrossRefFail => Category::CrossRefFail,
            C::DiffApplyFailed => Category::DiffApplyFailed,
        };
        Self {
            category,
            pointer: Some(refusal.pointer),
            missing: refusal.missing,
            retry_after: None,
            rule: None,
            detectors: refusal.detectors,
            help: Some(refusal.help),
        }
    }
}

impl From<Vec<Refusal>> for Rejection {
    /// The first of several: answers name one thing at a time.
    fn from(refusals: Vec<Refusal>) -> Self {
        refusals.into_iter().next().map_or_else(|| Self::new(Category::Internal), Self::from)
    }
}

impl From<crate::db::DbError> for Rejection {
    fn from(error: crate::db::DbError) -> Self {
        tracing::error!(error = %error, "the database refused work");
        Self::unavailable()
    }
}
