//! Every closed word list in Rust is the list in its schema, in the same order.

use becivic_core::path::{AuthMethod, HandoffWhen, Op, Primary, SourceClass, Theme};
use becivic_core::profile::{
    AdministrationLanguage, BrowserDriving, CivicStatus, EducationLevel, EmploymentType, HasIdCard,
    NationalityStatus, PermitType, ProfileRegion, ResidencyStatus, Transition, VisaType,
};
use becivic_core::schema::Schema;
use becivic_core::skill::{IoType, Render, Selector};
use becivic_core::skill_graph::{Axis, EdgeType, Locale, PendingStatus, ProfileMatch, ShownStatus};
use becivic_core::submission::amendment::ValueType;
use becivic_core::submission::analytics::{EventType, SessionEnd};
use becivic_core::submission::concern::{CitationEvidence, EvidenceSource, Scope};
use becivic_core::submission::envelope::Mode;
use becivic_core::submission::feedback::Topic;
use becivic_core::submission::provenance::ProvenanceKind;
use becivic_core::submission::validation::{Outcome, Verdict};
use becivic_core::submission::{Kind, TargetType};
use becivic_core::vocabulary::{Capability, Domain, Language, Origin, Region, Role, Status, Timing};
use becivic_core::{authorities, communes, preflight, scrub_rules};
use serde_json::{Value, json};

/// The words of a list, in its order.
macro_rules! all {
    ($list:ty) => {
        <$list>::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>()
    };
}

#[test]
fn word_lists_are_the_schemas() {
    use Schema as S;
    let common = |name: &str| format!("/$defs/{name}/enum");
    let of = |path: &str| path.to_owned();
    let lists = [
        (S::Common, common("status"), all!(Status)),
        (S::Common, common("origin"), all!(Origin)),
        (S::Common, common("capability"), all!(Capability)),
        (S::Common, common("region"), all!(Region)),
        (S::Common, common("language"), all!(Language)),
        (S::Common, common("scope"), all!(Scope)),
        (S::Common, of("/$defs/provenance/properties/kind/const"), all!(ProvenanceKind)),
        (S::Skill, common("role"), all!(Role)),
        (S::Skill, common("domain"), all!(Domain)),
        (S::Skill, of("/$defs/requires_path_entry/properties/timing/enum"), all!(Timing)),
        (S::Skill, common("input_type"), all!(IoType)),
        (S::Skill, of("/$defs/input/properties/render/const"), all!(Render)),
        (S::Path, common("theme"), all!(Theme)),
        (S::PathSource, of("/properties/source_class/enum"), all!(SourceClass)),
        (S::PathSource, of("/$defs/predicate/properties/op/enum"), all!(Op)),
        (S::PathSource, of("/properties/auth/properties/method/enum"), all!(AuthMethod)),
        (S::PathSource, of("/$defs/actor/properties/primary/enum"), all!(Primary)),
        (S::PathSource, of("/$defs/actor/properties/handoff/properties/when/enum"), all!(HandoffWhen)),
        (S::Concern, of("/$defs/content_skill/properties/evidence_source/enum"), all!(EvidenceSource)),
        (S::Concern, of("/$defs/content_path/properties/evidence_source/enum"), all!(EvidenceSource)),
        (S::Concern, of("/$defs/content_path_source/properties/evidence_source/enum"), all!(EvidenceSource)),
        (S::Concern, of("/$defs/content_reference/properties/evidence_source/enum"), all!(CitationEvidence)),
        (S::Amendment, of("/$defs/content_volatile_value/properties/value_type/enum"), all!(ValueType)),
        (S::Validation, of("/properties/verdict/enum"), all!(Verdict)),
        (S::Validation, of("/$defs/traversal_metadata/properties/outcome/enum"), all!(Outcome)),
        (S::Validation, of("/$defs/traversal_metadata/properties/source_class/enum"), all!(SourceClass)),
        (S::Feedback, of("/properties/topic/enum"), all!(Topic)),
        (S::Analytics, of("/properties/event_type/enum"), all!(EventType)),
        (S::Analytics, of("/$defs/content_session_outcome/properties/outcome/enum"), all!(SessionEnd)),
        (S::FeedbackEnvelope, of("/properties/mode/enum"), all!(Mode)),
        (S::Profile, common("region"), all!(ProfileRegion)),
        (S::Profile, common("administration_language"), all!(AdministrationLanguage)),
        (S::Profile, common("civic_status"), all!(CivicStatus)),
        (S::Profile, common("nationality_status"), all!(NationalityStatus)),
        (S::Profile, common("residency_status"), all!(ResidencyStatus)),
        (S::Profile, common("has_id_card"), all!(HasIdCard)),
        (S::Profile, common("transition"), all!(Transition)),
        (S::Profile, common("axis"), all!(Axis)),
        (S::Profile, of("/properties/browser_driving_preference/enum"), all!(BrowserDriving)),
        (S::Profile, of("/$defs/residency_period/properties/visa_type/enum"), all!(VisaType)),
        (S::Profile, of("/$defs/residency_period/properties/permit_type/enum"), all!(PermitType)),
        (S::Profile, of("/$defs/employment_period/properties/type/enum"), all!(EmploymentType)),
        (S::Profile, of("/$defs/education_period/properties/level/enum"), all!(EducationLevel)),
        (S::Communes, of("/$defs/commune/allOf/2/then/properties/province/enum"), all!(communes::Province)),
        (
            S::Communes,
            of("/$defs/commune/properties/languages_available/items/enum"),
            all!(communes::CommuneLanguage),
        ),
        (S::Authorities, of("/$defs/authority/properties/level/enum"), all!(authorities::Level)),
        (S::RegexRules, of("/$defs/rule/properties/category/enum"), all!(scrub_rules::RuleCategory)),
        (
            S::RegexRules,
            of("/$defs/rule/properties/applies_to_fields/then/const"),
            all!(scrub_rules::Everywhere),
        ),
        (S::SkillGraph, of("/$defs/node/properties/status/enum"), all!(ShownStatus)),
        (S::SkillGraph, of("/$defs/node/properties/pending/properties/status/enum"), all!(PendingStatus)),
        (S::SkillGraph, of("/$defs/edge/properties/type/enum"), all!(EdgeType)),
        (S::SkillGraph, of("/properties/filters_applied/properties/customer_locale/enum"), all!(Locale)),
        (S::SkillGraph, of("/properties/filters_applied/properties/profile_match/const"), all!(ProfileMatch)),
    ];
    for (schema, pointer, words) in lists {
        let listed = match part(schema, &pointer) {
            Value::Array(list) => list,
            one => vec![one],
        };
        assert_eq!(json!(words), json!(listed), "{} {pointer}", schema.name());
    }
}

#[test]
fn the_tables_of_the_submission_types_are_the_schemas() {
    for kind in Kind::ALL {
        let targets: Vec<&str> = kind.targets().iter().map(|target| target.as_str()).collect();
        let properties = part(kind.schema(), "/properties");
        let listed = properties["target_type"].get("enum").cloned().unwrap_or(json!([]));
        assert_eq!(json!(targets), listed, "{kind}");
        let id = &part(Schema::Common, "/$defs")[kind.id_field()]["pattern"];
        assert!(id.as_str().is_some_and(|pattern| pattern[1..].starts_with(kind.id_prefix())), "{kind}");
        assert!(properties.get(kind.id_field()).is_some(), "{kind}");
        for banned in preflight::identity::BANNED {
            assert_eq!(properties.get(*banned), Some(&json!(false)), "{kind} bans {banned}");
        }
    }
    let items = part(Schema::FeedbackEnvelope, "/properties/items/items/properties/type/enum");
    let kinds: Vec<&str> = all!(Kind).into_iter().filter(|kind| *kind != "analytics").collect();
    assert_eq!(json!(kinds), items);
    assert!(
        TargetType::ALL.iter().all(|target| Kind::ALL.iter().any(|kind| kind.targets().contains(target)))
    );
    let selectors = part(Schema::Skill, "/$defs/selects_on/properties");
    let names: Vec<&String> = selectors.as_object().expect("an object").keys().collect();
    assert_eq!(json!(names), json!(all!(Selector)));
}

fn part(schema: Schema, pointer: &str) -> Value {
    let text: Value = serde_json::from_str(schema.text()).expect("JSON");
    let part = text.pointer(pointer).cloned();
    part.ok_or_else(|| format!("{} {pointer}", schema.name())).expect("a part of the schema")
}
