//! Spellings of addresses: the right page, the right redirect, or nothing; never another site.

use super::Given;
use becivic_site::address::{Form, Found, Which, read};

#[test]
fn other_spellings_lead_to_the_right_one() {
    let given = Given::of("corpus");
    for (asked, right) in [
        ("/skills", "/skills/"),
        ("//skills//", "/skills/"),
        ("/index.html", "/"),
        ("/index", "/"),
        ("/Skills/Change-Of-Address", "/skills/change-of-address"),
        ("/skills/change-of-address/", "/skills/change-of-address"),
        ("/skills/change-of-address.html", "/skills/change-of-address"),
        ("/skills/change-of-address.HTML/", "/skills/change-of-address"),
        ("/skills/change-of-address/canonical", "/skills/change-of-address"),
        ("/skills/change-of-address/index.html", "/skills/change-of-address"),
        ("/skills//change-of-address.md", "/skills/change-of-address.md"),
        ("/skills/change-of-address/canonical.md", "/skills/change-of-address.md"),
        ("/skills/change%2Dof-address", "/skills/change-of-address"),
        ("/%73kills/", "/skills/"),
        ("/skills.md", "/skills/index.md"),
        ("/paths/themes/family", "/paths/themes/family/"),
        ("/paths/themes/", "/paths/"),
        ("/docs", "/docs/"),
        ("/docs.md", "/docs/index.md"),
        ("/Agents/Submit", "/agents/submit/"),
        ("/values", "/values/"),
        ("/references", "/references/"),
        ("/docs/Privacy/", "/docs/privacy"),
        ("/SEARCH", "/search"),
        ("/LLMS.TXT", "/llms.txt"),
        ("/agents//manifest.json", "/agents/manifest.json"),
        ("/.well-known/llms.txt", "/llms.txt"),
        ("/agents/submit/observation", "/agents/submit/concern"),
        ("/agents/submit/observation.md", "/agents/submit/concern.md"),
        ("/Agents/Submit/Observation/", "/agents/submit/concern"),
        ("/agents/skills-graph.json", "/api/skill-graph"),
        ("/docs/activity/global.md", "/activity.md"),
    ] {
        assert_eq!(read(&given.world(), asked), Found::Moved(right.to_owned()), "{asked}");
    }
}

#[test]
fn right_spellings_stay() {
    let given = Given::of("corpus");
    let skill = Which::Skill("change-of-address".to_owned());
    for (address, which, form) in [
        ("/", Which::Authored("/".to_owned()), Form::Html),
        ("/index.md", Which::Authored("/".to_owned()), Form::Markdown),
        ("/source.md", Which::Authored("/".to_owned()), Form::Source),
        ("/skills/", Which::Skills, Form::Html),
        ("/skills/index.md", Which::Skills, Form::Markdown),
        ("/skills/change-of-address", skill.clone(), Form::Html),
        ("/skills/change-of-address.md", skill.clone(), Form::Markdown),
        ("/skills/change-of-address/source.md", skill, Form::Source),
        ("/search", Which::Search, Form::Html),
        ("/docs/", Which::Folder("/docs/".to_owned()), Form::Html),
        ("/docs/index.md", Which::Folder("/docs/".to_owned()), Form::Markdown),
        ("/agents/submit/", Which::Folder("/agents/submit/".to_owned()), Form::Html),
        ("/values/", Which::Values, Form::Html),
        ("/references/", Which::References, Form::Html),
    ] {
        assert_eq!(read(&given.world(), address), Found::Page(which, form), "{address}");
    }
}

#[test]
fn what_is_nowhere_leads_nowhere() {
    let given = Given::of("corpus");
    for address in [
        "",
        "skills/",
        "//evil.example",
        "///evil.example/skills/",
        "/\\evil.example",
        "/%2Fevil.example",
        "/%5Cevil.example",
        "/skills/../agents",
        "/skills/./change-of-address",
        "/skills/%2e%2e/agents",
        "/skills/changement-d\u{2019}adresse",
        "/skills/%C3%A9",
        "/skills/%",
        "/skills/%zz",
        "/skills/%+1",
        "/skills/change-of-address%0d%0aSet-Cookie",
        "/skills/change of address",
        "/skills/no-such-skill",
        "/doc/",
        "/docs/privacy/more/",
        "/agents/sub/",
        "/paths/themes/no-such-theme",
        "/values/val-1",
        "/values/val-abcde",
        "/skills/change-of-address/at/nothex",
        "/agents/submit/observation/source.md/x",
    ] {
        assert_eq!(read(&given.world(), address), Found::Missing, "{address}");
    }
}

#[test]
fn nothing_leads_off_the_site() {
    let given = Given::of("corpus");
    let pieces = [
        "/",
        "//",
        "\\",
        "%2f",
        "evil.example",
        "skills",
        "change-of-address",
        ".md",
        ".html",
        "..",
        "@",
        "index",
    ];
    for a in pieces {
        for b in pieces {
            for c in pieces {
                for d in pieces {
                    let asked = format!("/{a}{b}{c}{d}");
                    if let Found::Moved(to) = read(&given.world(), &asked) {
                        assert!(
                            to.starts_with('/') && !to.starts_with("//") && !to.contains("evil"),
                            "{asked}: {to}"
                        );
                        assert!(
                            !matches!(read(&given.world(), &to), Found::Moved(_)),
                            "{asked}: {to} leads on"
                        );
                    }
                }
            }
        }
    }
}
