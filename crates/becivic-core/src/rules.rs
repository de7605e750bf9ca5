//! The rule engine: one list, one file per rule (§10.1, §6.1, §6.4, §6.8, §6.12.8, §9.6).
//!
//! The same engine runs on an author's machine, on a pull request and in an agent's pre-flight.
//! 1. Reading a corpus already made findings about shapes, YAML, JSON and tags ([`Check::Reading`]).
//! 2. Rules about one skill run on all cores; then rules about each path, then about the whole.
//! 3. Rules that need history run only when a [`Change`] is given; rules that only a published corpus is held to,
//!    only when the check is strict.
//! 4. Findings are sorted by file, place and rule.
//!
//! The conditions on *promotions* (thresholds, distinct submitters, quarantine on a flag) are not
//! rules about files: the state machine holds them where it decides.
//! Rule 16 of the specification was dropped there; its number stays unused.

use crate::catalogue::Catalogue;
use crate::change::Change;
use crate::corpus::{Corpus, Path, Paths, Skill};
use crate::finding::{Finding, Severity};
use crate::skill::Frontmatter;
use crate::text::Source;
use crate::vocabulary::Status;
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;

mod facts;
mod hosts;
pub(crate) mod prose;
mod touched;

pub use touched::Touched;

/// Declares each rule's file and puts it on the list.
macro_rules! rules {
    ($($rule:ident),+ $(,)?) => {
        $(mod $rule;)+

        /// Every rule.
        pub static RULES: &[&Rule] = &[$(&$rule::RULE),+];
    };
}

rules! {
    audience_disagrees,
    authorities_invalid,
    authority_unknown,
    body_missing,
    byte_order_mark,
    capability_mismatch,
    carriage_return,
    catalogue_duplicate,
    catalogue_text_stale,
    catalogue_version,
    categories_invalid,
    category_near_miss,
    category_new,
    category_unused,
    commune_unknown,
    communes_invalid,
    contract_unknown,
    country_unknown,
    cross_ref_fail,
    data_missing,
    dead_link,
    diagram_invalid,
    diagram_missing,
    duplicate_key,
    empty_corpus,
    fallback_missing,
    file_too_large,
    first_citation_form,
    first_status,
    forbidden_character,
    frontmatter_fence,
    graph_cycle,
    graph_disconnected,
    id_matches_folder,
    identity_field_banned,
    impossible_date,
    inline_orphan,
    invalid_status_for_draft_submission,
    invalid_version_for_status,
    io_declaration,
    io_type_mismatch,
    json_syntax,
    language_missing,
    last_verified_missing,
    legacy_axis,
    legacy_field,
    link_not_https,
    mdx_expression,
    mdx_import,
    misplaced_file,
    name_uid_mismatch,
    nested_too_deep,
    no_final_newline,
    no_reference,
    not_a_file,
    not_utf8,
    observations_missing,
    observations_of_other_skill,
    opening_line_missing,
    origin_of_draft,
    page_missing,
    page_tag,
    path_deprecated,
    path_id_matches_key,
    path_pii_guard,
    path_quarantined,
    path_uid_repeated,
    profile_input,
    provider_unlisted,
    raw_html,
    recitation_unknown,
    redirect_invalid,
    reference_date,
    remote_image,
    renderer_tag_authored,
    requests_section_empty,
    required_twice,
    requires_retired,
    requires_unanchored,
    rollup_stale,
    schema_fail,
    scrub_rule_invalid,
    section_missing,
    section_order,
    section_unknown,
    selects_on_unknown,
    sidecar_orphan,
    sidecar_scrub,
    sidecar_size,
    sidecar_url,
    signal_pattern,
    skill_thin,
    skill_without_text,
    source_id_repeated,
    summary_long,
    superseded_by_unresolved,
    tag_attribute,
    tag_form,
    tag_malformed,
    tag_nesting,
    tag_only_bump,
    tag_unclosed,
    tag_unknown,
    too_many_findings,
    trigger_unresolved,
    types_missing,
    uid_by_author,
    uid_unresolved,
    uncited_number,
    unquoted_nis,
    unreadable_file,
    unresolved_path,
    unresolved_skill,
    untagged_value,
    url_host_tertiary,
    url_host_unlisted,
    url_not_allowed,
    value_source_unknown,
    value_unsourced,
    verify_with_heading,
    version_pinned,
    yaml_feature,
    yaml_syntax,
}

/// A rule: its id, how much it matters, its page, and what it looks at.
pub struct Rule {
    /// Stable id, shown with every finding.
    pub id: &'static str,
    /// How much a finding of it matters.
    pub severity: Severity,
    /// The text of the rule's own file; its `//!` lines are the rule's page.
    pub file: &'static str,
    /// What it looks at.
    pub check: Check,
}

/// What a rule looks at.
pub enum Check {
    /// Found while files are read; nothing more to run.
    Reading,
    /// Found in a submission before it is sent or staged (`preflight`).
    Submission,
    /// Each skill whose frontmatter fits its schema.
    Skill(fn(&SkillCx<'_>, &mut Report<'_>)),
    /// Each path entry that fits its schema.
    Path(fn(&PathCx<'_>, &mut Report<'_>)),
    /// Skills and paths alike.
    Both(fn(&SkillCx<'_>, &mut Report<'_>), fn(&PathCx<'_>, &mut Report<'_>)),
    /// Skills, paths and the rest of the corpus.
    Everywhere(
        fn(&SkillCx<'_>, &mut Report<'_>),
        fn(&PathCx<'_>, &mut Report<'_>),
        fn(&Cx<'_>, &mut Report<'_>),
    ),
    /// The corpus as a whole.
    Corpus(fn(&Cx<'_>, &mut Report<'_>)),
    /// Only what is published is held to it: looked at when a check is strict.
    Strict(&'static Check),
}

impl Rule {
    /// The rule's page: the `//!` lines on top of its file.
    pub fn page(&self) -> String {
        let lines = self.file.lines().map_while(|line| line.strip_prefix("//!"));
        let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        lines.join("\n")
    }

    /// The first sentence of the page.
    pub fn title(&self) -> String {
        self.page().lines().next().unwrap_or_default().to_owned()
    }

    /// Whether the rule is looked at in strict checks alone.
    pub fn is_strict(&self) -> bool {
        matches!(self.check, Check::Strict(_))
    }

    /// What the rule looks at in a check that is strict or not.
    fn check(&self, strict: bool) -> Option<&Check> {
        match &self.check {
            Check::Strict(check) => strict.then_some(*check),
            check => Some(check),
        }
    }

    /// The rule with this id.
    pub fn find(id: &str) -> Option<&'static Rule> {
        RULES.iter().copied().find(|rule| rule.id == id)
    }
}

/// What every rule may look at.
pub struct Cx<'a> {
    /// The corpus.
    pub corpus: &'a Corpus,
    /// The catalogue that tags resolve against.
    pub catalogue: &'a dyn Catalogue,
    /// The change under review, when there is one.
    pub change: Option<&'a Change>,
    /// Whether rules for published corpora are looked at too.
    strict: bool,
    /// What a change touched, when only that is asked about.
    touched: Option<&'a Touched>,
    /// Sets built once from the data files.
    facts: facts::Facts,
}

impl Cx<'_> {
    /// Whether a file is asked about: every file, or those that a change touched. For rules about the whole that look at
    /// one file at a time.
    fn asks_about(&self, source: &Source) -> bool {
        self.touched.is_none_or(|touched| touched.files.contains(source.path()))
    }
}

/// One skill under review.
pub struct SkillCx<'a> {
    /// Everything else.
    pub cx: &'a Cx<'a>,
    /// The skill.
    pub skill: &'a Skill,
    /// Its frontmatter, which fits the schema.
    pub front: &'a Frontmatter,
}

/// One path under review.
pub struct PathCx<'a> {
    /// Everything else.
    pub cx: &'a Cx<'a>,
    /// The directory it stands in.
    pub paths: &'a Paths,
    /// The path.
    pub path: &'a Path,
}

/// Where a rule writes its findings.
pub struct Report<'a> {
    rule: &'static Rule,
    findings: &'a mut Vec<Finding>,
}

impl Report<'_> {
    /// A finding at a byte offset of a file.
    pub fn at(&mut self, source: &Source, offset: u32, message: impl Into<String>, help: impl Into<String>) {
        let mut finding = Finding::error(self.rule.id, source, offset, message, help);
        finding.severity = self.rule.severity;
        self.findings.push(finding);
    }

    /// A finding about a path as a whole.
    pub fn file(&mut self, path: &str, message: impl Into<String>, help: impl Into<String>) {
        let mut finding = Finding::whole_file(self.rule.id, path, message, help);
        finding.severity = self.rule.severity;
        self.findings.push(finding);
    }
}

impl SkillCx<'_> {
    /// The skill's file.
    pub fn source(&self) -> &Source {
        &self.skill.source
    }
}

impl PathCx<'_> {
    /// Where a field of the path is written.
    pub fn place(&self, pointer: &str) -> u32 {
        self.paths.place(&self.path.key, pointer)
    }
}

/// The same as [`check`], as far as a change can have made a difference: artefacts it did not touch and that do not
/// depend on it are not asked about again. Findings made while reading are those of the whole corpus.
pub fn check_touched(
    corpus: &Corpus,
    catalogue: &dyn Catalogue,
    change: Option<&Change>,
    touched: &Touched,
) -> Vec<Finding> {
    let facts = facts::Facts::of(corpus);
    run(&Cx { corpus, catalogue, change, strict: false, touched: Some(touched), facts })
}

/// Checks a corpus: everything found while reading it, and everything the rules find.
pub fn check(corpus: &Corpus, catalogue: &dyn Catalogue, change: Option<&Change>) -> Vec<Finding> {
    run(&Cx { corpus, catalogue, change, strict: false, touched: None, facts: facts::Facts::of(corpus) })
}

/// The same, with the rules that a published corpus is held to.
pub fn check_strictly(corpus: &Corpus, catalogue: &dyn Catalogue, change: Option<&Change>) -> Vec<Finding> {
    run(&Cx { corpus, catalogue, change, strict: true, touched: None, facts: facts::Facts::of(corpus) })
}

/// Skills that a thread takes at once: few, so that none waits for another at the end.
const AT_ONCE: usize = 32;

fn run(cx: &Cx<'_>) -> Vec<Finding> {
    let (corpus, touched) = (cx.corpus, cx.touched);
    let skills = corpus.skills.values().map(Arc::as_ref);
    let skills: Vec<&Skill> =
        skills.filter(|skill| touched.is_none_or(|it| it.skills.contains(&skill.folder))).collect();
    let of_skills = skills.par_iter().with_max_len(AT_ONCE).flat_map_iter(|skill| check_skill(cx, skill));
    let (of_whole, (of_paths, of_skills)) = rayon::join(
        || RULES.par_iter().flat_map_iter(|rule| check_whole(cx, rule)).collect::<Vec<_>>(),
        || rayon::join(|| check_paths(cx), || of_skills.collect::<Vec<_>>()),
    );
    let mut findings = corpus.findings.clone();
    [of_skills, of_paths, of_whole].into_iter().for_each(|more| findings.extend(more));
    Finding::sort(&mut findings);
    findings
}

fn check_whole(cx: &Cx<'_>, rule: &'static Rule) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(Check::Corpus(check) | Check::Everywhere(_, _, check)) = rule.check(cx.strict) {
        check(cx, &mut Report { rule, findings: &mut findings });
    }
    findings
}

fn check_paths(cx: &Cx<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(paths) = &cx.corpus.paths {
        let is_asked = |path: &&Path| cx.touched.is_none_or(|it| it.paths.contains(&path.key));
        let asked = paths.entries.values().filter(is_asked);
        asked.for_each(|path| check_path(cx, paths, path, &mut findings));
    }
    findings
}

fn check_skill(cx: &Cx<'_>, skill: &Skill) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(front) = &skill.front else {
        return findings;
    };
    let skill = SkillCx { cx, skill, front };
    for rule in RULES {
        if let Some(Check::Skill(check) | Check::Both(check, _) | Check::Everywhere(check, ..)) =
            rule.check(skill.cx.strict)
        {
            let mut report = Report { rule, findings: &mut findings };
            check(&skill, &mut report);
        }
    }
    findings
}

fn check_path(cx: &Cx<'_>, paths: &Paths, path: &Path, findings: &mut Vec<Finding>) {
    let path = PathCx { cx, paths, path };
    for rule in RULES {
        if let Some(Check::Path(check) | Check::Both(_, check) | Check::Everywhere(_, check, _)) =
            rule.check(path.cx.strict)
        {
            let mut report = Report { rule, findings };
            check(&path, &mut report);
        }
    }
}

/// Values that stand more than once, each with the index of every repetition.
fn repeated<'v>(values: impl Iterator<Item = &'v str>) -> Vec<(usize, &'v str)> {
    let mut seen = HashSet::new();
    values.enumerate().filter(|(_, value)| !seen.insert(*value)).collect()
}

/// A level-2 section of a skill.
struct Section {
    title: &'static str,
    required: bool,
}

/// The sections of a skill, in order (§6.1).
const SECTIONS: &[Section] = &[
    Section { title: "Authoritative basis", required: true },
    Section { title: "Branching layer", required: false },
    Section { title: "Required documents", required: true },
    Section { title: "Process", required: true },
    Section { title: "Known surprises", required: false },
    Section { title: "Community observations", required: true },
    Section { title: REQUESTS, required: true },
];

/// The section that names gaps.
const REQUESTS: &str = "Requests for contributions";

/// What that section says when there are none.
const NO_REQUESTS: &str = "No outstanding requests at this time.";

/// Published procedures have fixed sections; drafts, retired skills and skills about the corpus do not.
/// A skill without any text has one finding of its own.
fn has_fixed_sections(cx: &SkillCx<'_>) -> bool {
    cx.front.status.is_published() && !cx.front.is_meta() && !body_missing::is_empty(cx)
}

/// Reports every required path that stands at `status`.
fn requires_path_at(cx: &SkillCx<'_>, status: Status, report: &mut Report<'_>) {
    for (i, required) in cx.front.requires_paths().iter().enumerate() {
        let paths = cx.cx.corpus.paths.as_ref();
        let target = paths.and_then(|paths| paths.entries.get(&required.id));
        if target.is_some_and(|target| target.entry.status == status) {
            report.at(
                cx.source(),
                cx.skill.place(&format!("/requires_paths/{i}/id")),
                format!("the path `{}` is {status}", required.id),
                "Require another path, or tell readers to go to their commune.",
            );
        }
    }
}
