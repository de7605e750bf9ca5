//! The words generated texts are made of.
//!
//! 1. Names: an id is a verb, an object and a qualifier, each with the phrase its title uses.
//! 2. Prose: subjects, acts, things, times and reasons, that [`super::prose`] joins into sentences.
//!
//! Nothing here holds a bracket, a brace or an angle: those belong to tags and citations.

/// What a procedure does: id part and how a title begins.
pub const VERBS: &[(&str, &str)] = &[
    ("renew", "Renew"),
    ("request", "Request"),
    ("replace", "Replace"),
    ("correct", "Correct"),
    ("cancel", "Cancel"),
    ("extend", "Extend"),
    ("declare", "Declare"),
    ("transfer", "Transfer"),
    ("register", "Register"),
    ("convert", "Convert"),
    ("suspend", "Suspend"),
    ("appeal", "Appeal a decision on"),
    ("prepare", "Prepare the file for"),
    ("check", "Check the state of"),
    ("recover", "Recover"),
    ("contest", "Contest a refusal of"),
];

/// What it is about: id part, phrase, domain.
pub const OBJECTS: &[(&str, &str, &str)] = &[
    ("residence-card", "a residence card", "residency"),
    ("registration", "a registration at the commune", "residency"),
    ("address-change", "a change of address", "residency"),
    ("household-record", "a household record", "family"),
    ("birth-record", "a birth record", "civic-status"),
    ("marriage-record", "a marriage record", "civic-status"),
    ("cohabitation", "a legal cohabitation", "family"),
    ("name-change", "a change of name", "civic-status"),
    ("nationality-file", "a nationality file", "nationality"),
    ("language-proof", "a proof of language knowledge", "nationality"),
    ("integration-proof", "a proof of integration", "nationality"),
    ("work-permit", "a work permit", "employment"),
    ("professional-card", "a professional card", "employment"),
    ("self-employment", "a self-employed activity", "employment"),
    ("unemployment-file", "an unemployment file", "social-security"),
    ("health-insurance", "a health insurance membership", "social-security"),
    ("child-benefit", "child benefit", "social-security"),
    ("pension-estimate", "a pension estimate", "social-security"),
    ("disability-file", "a disability recognition", "social-security"),
    ("school-place", "a place at a school", "education"),
    ("diploma-equivalence", "a diploma equivalence", "education"),
    ("study-grant", "a study grant", "education"),
    ("tax-return", "a tax return", "taxation"),
    ("tax-certificate", "a tax certificate", "taxation"),
    ("rental-registration", "the registration of a lease", "housing"),
    ("housing-subsidy", "a housing subsidy", "housing"),
    ("passport", "a passport", "travel-documents"),
    ("travel-permit", "a travel permit for a child", "travel-documents"),
    ("driving-licence", "a driving licence", "civic-status"),
    ("vehicle-registration", "the registration of a vehicle", "housing"),
];

/// For whom or when: id part and phrase.
pub const QUALIFIERS: &[(&str, &str)] = &[
    ("student", "as a student"),
    ("worker", "as an employee"),
    ("pensioner", "as a pensioner"),
    ("researcher", "as a researcher"),
    ("posted-worker", "as a posted worker"),
    ("border-worker", "as a border worker"),
    ("family", "for a family member"),
    ("child", "for a child"),
    ("spouse", "for a spouse"),
    ("parent", "for a parent"),
    ("after-move", "after a move"),
    ("after-loss", "after a loss"),
    ("after-theft", "after a theft"),
    ("after-refusal", "after a refusal"),
    ("before-travel", "before a journey"),
    ("before-expiry", "before it expires"),
    ("after-expiry", "after it has expired"),
    ("first-time", "for the first time"),
    ("brussels", "in Brussels"),
    ("wallonia", "in Wallonia"),
    ("flanders", "in Flanders"),
    ("german-area", "in the German-speaking area"),
    ("from-abroad", "from abroad"),
    ("online", "online"),
    ("by-proxy", "through a proxy"),
    ("in-person", "at the desk"),
];

/// Who acts in a sentence.
pub const SUBJECTS: &[&str] = &[
    "the commune",
    "the population desk",
    "the registrar",
    "the case worker",
    "the regional office",
    "the federal service",
    "the health insurance fund",
    "the school secretariat",
    "the tax office",
    "the local police officer who visits the address",
    "the *officier de l'état civil*",
    "the *dienst bevolking*",
    "the sworn translator",
    "the employer",
    "the person who asks",
    "the appointment desk",
    "the *Bürgeramt* of the commune",
    "the competent authority",
    "the notary",
    "the embassy of the country of origin",
];

/// What they do.
pub const ACTS: &[&str] = &[
    "asks for",
    "keeps",
    "checks",
    "records",
    "returns",
    "compares",
    "stamps",
    "hands over",
    "sends",
    "wants to see",
    "makes a copy of",
    "refuses",
    "enters in the register",
    "signs",
    "forwards",
    "verifies the date on",
];

/// With what.
pub const THINGS: &[&str] = &[
    "the signed form",
    "a certified copy",
    "the original document and its translation",
    "two recent photographs",
    "the proof of payment",
    "the letter of invitation",
    "the identity document of every member of the household",
    "an extract from the *registre national*",
    "the lease, signed by both sides",
    "the last three payslips",
    "the *attestation d'immatriculation*",
    "the certificate of the previous commune",
    "the apostille on the foreign record",
    "the letter that announced the decision",
    "the enrolment form with the `reference` field filled in",
    "the confirmation that the portal shows as `status: received`",
    "a statement of the household's composition",
    "the **complete** file, page by page",
    "the receipt of the online request",
    "the medical certificate in a closed envelope",
];

/// When.
pub const TIMES: &[&str] = &[
    "before the appointment",
    "on the day itself",
    "within the same week",
    "as soon as the visit to the address has taken place",
    "once the file is complete",
    "after the first reminder",
    "at the latest when the card is fetched",
    "only when the name or the address has changed",
    "every time the file moves to another commune",
    "while the previous document is still valid",
    "when the reply from the other authority is in",
    "at the end of the month",
];

/// Why.
pub const REASONS: &[&str] = &[
    "because the register follows the address where the person really lives",
    "since two services share the same file",
    "so that the later steps need no second visit",
    "because the portal does not keep unfinished requests",
    "as the desk cannot see what another region has recorded",
    "because a copy of a copy is not accepted",
    "so that the delay starts on a date both sides can prove",
    "since the form exists in the language of the area only",
    "because the translation must name the original it belongs to",
    "as long as nobody has asked for the **urgent** procedure",
    "because the fee of one commune says nothing about the next",
    "so that a refusal can be answered in time",
];

/// How a sentence may begin.
pub const OPENINGS: &[&str] = &[
    "In most communes",
    "In practice",
    "Where the situation is simple",
    "If the file comes from another region",
    "For a household with children",
    "When the first request was refused",
    "Outside the large cities",
    "During the summer months",
    "With an online request",
    "According to the official page",
];

/// What wrong looks like, for a risk's reason.
pub const STAKES: &[&str] = &[
    "A request filed too late can put the right of residence in doubt.",
    "The choice made here cannot be changed within the same file.",
    "A wrong box on this form closes the other route for a year.",
    "Leaving the country before the answer ends the procedure.",
    "The original is not returned, so a copy must exist before it is sent.",
];
