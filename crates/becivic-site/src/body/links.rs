//! Where an authored link may lead: to this site, to a file beside the skill, or out of it over https. Anything else is text.

use super::escape;
use becivic_core::site;

/// The opening element of a link; nothing where it may not lead there.
pub fn opening(target: &str, skill: Option<&str>) -> Option<String> {
    // Browsers drop white space and read `\` as `/`: an address with one of them is not what it looks like.
    if target.chars().any(|c| c == '\\' || c.is_control() || c.is_whitespace()) {
        return None;
    }
    let template = target.strip_prefix("templates/").filter(|rest| !rest.contains(".."));
    if let Some(address) = site::address(target) {
        return Some(format!("<a href=\"{}\">", escape::in_html(address)));
    }
    if target.starts_with('#') {
        return Some(format!("<a href=\"{}\">", escape::in_html(target)));
    }
    if let (Some(file), Some(skill)) = (template, skill) {
        return Some(format!("<a href=\"/skills/{skill}/templates/{}\">", escape::in_html(file)));
    }
    is_https(target)
        .then(|| format!("<a href=\"{}\" rel=\"external noopener nofollow\">", escape::in_html(target)))
}

/// Whether an address leads out over https.
pub fn is_https(target: &str) -> bool {
    target.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
}
