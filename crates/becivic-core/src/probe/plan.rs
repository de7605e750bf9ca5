//! Whether a source may be asked, and how closely one has to look.
//!
//! 1. Never: an audited delivery (each call makes a real document), a desk, an address that is missing, is completed by the
//!    person, or means something only after a login; a host that is not listed.
//! 2. A probe sees the status, where redirects lead, the text of a page, a JSON answer, the site's map. Where every sign of
//!    success is among these and no person has to confirm, a probe can confirm. Where at least one sign of failure is, or the
//!    page is open to everybody, it can still find the source broken. Otherwise there is nothing to ask.
//! 3. The page is loaded only where a sign speaks of its content; otherwise the head of the answer is enough.

use super::address::{Address, Unfit};
use crate::path::{AuthMethod, PathSource, SourceClass};

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// Status and redirects.
    Head,
    /// The page too.
    Page,
}

/// What to ask. Sources with the same plan are asked together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Where.
    pub address: Address,
    /// How closely.
    pub look: Look,
    /// Paths that have to be looked for in the site's map.
    pub sitemap: Vec<String>,
}

/// Why a source is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Skip {
    /// `audited_document_delivery`.
    #[error("every use delivers a real document")]
    Audited,
    /// A desk, a letter, an e-mail.
    #[error("not online")]
    Offline,
    /// No deeplink.
    #[error("it has no address")]
    NoAddress,
    /// The person completes the address.
    #[error("its address is complete only with a commune")]
    Incomplete,
    /// The address leads somewhere only after a login.
    #[error("its address means something only after a login")]
    BehindLogin,
    /// No sign that a machine can see.
    #[error("only a person can tell whether it works")]
    OnlyAPerson,
    /// The address may not be asked.
    #[error("{0}")]
    Unfit(Unfit),
}

/// Says what to ask of a source, with the hosts that are listed.
pub fn plan(source: &PathSource, is_listed: &dyn Fn(&str) -> bool) -> Result<Plan, Skip> {
    // Both ways to say it, each enough by itself.
    if source.audited_document_delivery == Some(true)
        || source.source_class == SourceClass::BrusselsTier1Quicklink
    {
        return Err(Skip::Audited);
    }
    if source.source_class == SourceClass::Offline {
        return Err(Skip::Offline);
    }
    let deeplink = source.procedure.deeplink.as_deref().ok_or(Skip::NoAddress)?;
    if source.procedure.requires_commune_param == Some(true) {
        return Err(Skip::Incomplete);
    }
    if source.procedure.kind.ends_with("-after-auth") {
        return Err(Skip::BehindLogin);
    }
    let signals = &source.validation_path;
    let can_confirm = !signals.user_confirms_required
        && source.auth.method == AuthMethod::None
        && signals.success_signals.iter().all(|signal| sight(&signal.check).is_some());
    let success = signals.success_signals.iter().filter(|_| can_confirm).map(|it| (&it.check, &it.value));
    let failure = signals.failure_signals.iter().map(|it| (&it.check, &it.value));
    let (mut look, mut sitemap, mut is_seen) = (Look::Head, Vec::new(), false);
    for (check, value) in success.chain(failure) {
        match sight(check) {
            None => continue,
            Some(Sight::Head) => {}
            Some(Sight::Content) => look = Look::Page,
            Some(Sight::Map) => sitemap.extend(value.as_str().map(str::to_owned)),
        }
        is_seen = true;
    }
    // Whether an address is gone can be told of any page that is open to everybody.
    if !is_seen && source.auth.method != AuthMethod::None {
        return Err(Skip::OnlyAPerson);
    }
    let address = Address::read(deeplink, is_listed).map_err(Skip::Unfit)?;
    Ok(Plan { address, look, sitemap })
}

/// Where a sign can be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sight {
    Head,
    Content,
    Map,
}

/// Where a machine that sends nothing can see a sign; `None` where it cannot.
fn sight(check: &str) -> Option<Sight> {
    match check {
        "response-status"
        | "api-returns-200"
        | "page-loads-200"
        | "redirects-to"
        | "redirect-chain-matches-pattern"
        | "response-content-type-includes" => Some(Sight::Head),
        "page-text-contains"
        | "downloaded-bytes-start-with"
        | "json-path-resolves"
        | "json-path-missing"
        | "json-path-empty" => Some(Sight::Content),
        "sitemap-contains-path" | "sitemap-lacks-path" => Some(Sight::Map),
        _ => None, // selectors, forms, captchas and what partners name: a browser or a person sees these
    }
}
