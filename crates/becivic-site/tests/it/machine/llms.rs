//! `llms.txt` stays small however much there is, and what it leads to is there.

use super::{BASE, Given, served};
use becivic_site::Facts;
use becivic_site::files::{self, LIMIT, Made, PER_SITEMAP};
use std::collections::BTreeSet;

#[test]
fn a_small_corpus_is_in_one_file() {
    let given = Given::of("corpus");
    let text = given.file("/llms.txt", &Facts::default()).expect("made");
    assert!(text.starts_with("# Be Civic\n\n> Agent: read [/agents](/agents) before you follow this text."));
    assert!(text.chars().count() < LIMIT);
    for skill in given.world().skills() {
        assert!(
            text.contains(&format!("({BASE}/skills/{}.md) ({})", skill.id(), skill.status)),
            "{}",
            skill.id()
        );
    }
    for path in given.world().paths() {
        assert_eq!(text.matches(&format!("({BASE}/paths/{}.md)", path.id())).count(), 1, "{}", path.id());
    }
    assert!(!files::all(&given.world()).iter().any(|made| matches!(made, Made::LlmsPart(_))));
}

#[test]
fn a_large_corpus_is_split_and_everything_is_reached() {
    let given = Given::grown(2_000);
    let mut seen = BTreeSet::new();
    let mut skills = BTreeSet::new();
    let mut next = vec!["/llms.txt".to_owned()];
    while let Some(address) = next.pop() {
        let text =
            given.file(&address, &Facts::default()).unwrap_or_else(|| panic!("{address} is not there"));
        assert!(text.chars().count() < LIMIT, "{address} has {}", text.chars().count());
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let to = link.strip_prefix(BASE).unwrap_or(link).to_owned();
            skills
                .extend(to.strip_prefix("/skills/").and_then(|to| to.strip_suffix(".md")).map(str::to_owned));
            if to.starts_with("/llms/") && seen.insert(to.clone()) {
                next.push(to);
            }
        }
    }
    assert!(
        seen.contains("/llms/skills-belgium-federal.txt")
            && seen.contains("/llms/skills-belgium-federal.2.txt")
    );
    let all: BTreeSet<String> = given.world().skills().map(|skill| skill.id().to_owned()).collect();
    assert_eq!(skills, all);
    let listed = files::all(&given.world()).into_iter().filter(|made| matches!(made, Made::LlmsPart(_)));
    assert_eq!(listed.map(|made| made.address().into_owned()).collect::<BTreeSet<_>>(), seen);
}

#[test]
fn what_is_put_away_is_in_no_file() {
    let away = "change-of-address";
    let given = Given::of("corpus").without("skill", away).without("path", "commune-desk");
    let title = "Declare a change of address";
    for made in files::all(&given.world()) {
        let text = given.make(&made, &served()).unwrap_or_default();
        assert!(!text.contains(title) && !text.contains("Loket van de gemeente"), "{}", made.address());
        // Their ids are named there, and links of others to them in the Path Directory.
        let may_name = matches!(made, Made::SkillsIndex | Made::PathsIndex | Made::PathsRollup);
        assert!(may_name || !text.contains(&format!("/skills/{away}")), "{}", made.address());
        assert!(may_name || !text.contains("/paths/commune-desk"), "{}", made.address());
    }
}

#[test]
fn only_what_may_be_listed_is_in_the_sitemap() {
    let given = Given::of("fixtures/corpus");
    let text = given.file("/sitemap.xml", &Facts::default()).expect("made");
    for skill in given.world().skills() {
        let is_there = text.contains(&format!("/skills/{}<", skill.id()));
        assert_eq!(is_there, skill.status.as_str() == "stable", "{}", skill.id());
    }
}

#[test]
fn a_very_large_sitemap_is_a_list_of_sitemaps() {
    let page = |number: usize| {
        (format!("docs/p{number}.mdx"), "---\ntitle: T\ndescription: D\n---\n\n# T\n".to_owned())
    };
    let given = Given::with("fixtures/corpus", (0..PER_SITEMAP).map(page).collect());
    let root = given.file("/sitemap.xml", &Facts::default()).expect("made");
    assert!(root.contains("<sitemapindex") && root.contains("/sitemaps/2.xml<"), "{}", &root[..300]);
    let part = |number: usize| given.make(&Made::SitemapPart(number), &Facts::default());
    let first = part(1).expect("made").matches("<loc>").count();
    let second = part(2).expect("made").matches("<loc>").count();
    assert!(first == PER_SITEMAP && second > 0 && part(3).is_none(), "{first} {second}");
}
