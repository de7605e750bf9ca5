//! Which addresses may be cited (DECISIONS §9b): https only, a named host, no user, no port.

use std::borrow::Cow;
use url::{Host, Url};

/// Longer addresses are refused, as in the schemas.
pub const MAX_LENGTH: usize = 2_000;

/// Why an address may not be cited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Not an address at all, or too long.
    #[error("this is not a well-formed address")]
    Malformed,
    /// Another scheme than https.
    #[error("only https addresses may be cited")]
    NotHttps,
    /// `user@` or `user:password@`.
    #[error("an address may not carry a user name or password")]
    UserInfo,
    /// An IP address instead of a name.
    #[error("an address must name a host, not an IP address")]
    IpLiteral,
    /// An explicit port.
    #[error("an address may not name a port")]
    Port,
}

/// The host of an address that may be cited.
pub fn host(address: &str) -> Result<Cow<'_, str>, Refused> {
    match plain_host(address) {
        Some(host) => Ok(host.into()),
        None => parsed_host(address).map(Cow::Owned),
    }
}

/// The host of an address that is plain at first sight, which nearly all are: lower-case letters,
/// digits, dots and hyphens, a last label of letters, and graphic ASCII after it.
fn plain_host(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("https://")?;
    let length = rest.bytes().position(|b| b == b'/').unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(length)?;
    let (parent, last) = host.rsplit_once('.')?;
    let named = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'.' || b == b'-';
    let plain = address.len() <= MAX_LENGTH
        && !parent.is_empty()
        && !host.starts_with(['.', '-'])
        && !host.contains("..")
        && last.len() >= 2
        && last.bytes().all(|b| b.is_ascii_lowercase())
        && host.bytes().all(named)
        && path.bytes().all(|b| b.is_ascii_graphic());
    plain.then_some(host)
}

fn parsed_host(address: &str) -> Result<String, Refused> {
    if address.len() > MAX_LENGTH || address.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(Refused::Malformed);
    }
    let url = Url::parse(address).map_err(|_| Refused::Malformed)?;
    if url.scheme() != "https" {
        return Err(Refused::NotHttps);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refused::UserInfo);
    }
    if url.port().is_some() {
        return Err(Refused::Port);
    }
    match url.host() {
        Some(Host::Domain(name)) if name.contains('.') => Ok(name.trim_end_matches('.').to_owned()),
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => Err(Refused::IpLiteral),
        Some(Host::Domain(_)) | None => Err(Refused::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_https_hosts_pass() {
        assert_eq!(host("https://www.belgium.be/fr?x=1#y").as_deref(), Ok("www.belgium.be"));
        assert_eq!(host("https://belgium.be:443/").as_deref(), Ok("belgium.be"));
        assert_eq!(host("https://Belgium.be?x").as_deref(), Ok("belgium.be"));
        for (address, why) in [
            ("http://belgium.be", Refused::NotHttps),
            ("javascript:alert(1)", Refused::NotHttps),
            ("https://me@belgium.be", Refused::UserInfo),
            ("https://belgium.be:8443/", Refused::Port),
            ("https://127.0.0.1/", Refused::IpLiteral),
            ("https://[::1]/", Refused::IpLiteral),
            ("https://0x7f000001/", Refused::IpLiteral),
            ("https://localhost/", Refused::Malformed),
            ("belgium.be", Refused::Malformed),
            ("https://bel gium.be", Refused::Malformed),
        ] {
            assert_eq!(host(address), Err(why), "{address}");
        }
    }
}
