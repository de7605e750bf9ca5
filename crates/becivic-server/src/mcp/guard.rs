//! Who may ask over HTTP: a page that a browser shows must not reach a server on the person's own machine under a name of its own
//! choosing (DNS rebinding), nor use the browser to speak in its name.
//!
//! 1. `Host` must be a name of ours: that of `public_url`, of the address we listen on, of the machine itself, or one of
//!    `allowed_hosts` in `[mcp]`.
//! 2. `Origin`, which browsers alone send, must be a page of one of those names, or one of `allowed_origins`.

use crate::config::Config;
use axum::http::{HeaderMap, Uri, header};

/// Names of the machine itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Who may ask.
pub struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// Why somebody may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barred {
    /// The name is none of ours.
    Host,
    /// The page is none that we know.
    Origin,
}

impl Barred {
    /// What to do.
    pub fn help(self) -> &'static str {
        match self {
            Self::Host => {
                "This server does not answer under this name. If it is one of its own, add it to `allowed_hosts` in [mcp]."
            }
            Self::Origin => {
                "Pages of this origin may not use this server. If one should, add it to `allowed_origins` in [mcp]."
            }
        }
    }
}

impl Guard {
    /// The guard of a server.
    pub fn new(config: &Config) -> Self {
        let mut hosts: Vec<String> = LOOPBACK.map(str::to_owned).to_vec();
        hosts.extend(config.mcp.allowed_hosts.iter().map(|host| host.to_lowercase()));
        hosts.extend(host_of(&config.server.public_url));
        hosts.extend(host_of(&format!("http://{}", config.server.listen)));
        let origins =
            config.mcp.allowed_origins.iter().map(|it| it.trim_end_matches('/').to_lowercase()).collect();
        Self { hosts, origins }
    }

    /// Whether a request may pass.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Barred> {
        let host = headers.get(header::HOST).map(|it| it.to_str().unwrap_or_default());
        let host = host.or_else(|| uri.authority().map(|it| it.as_str())).unwrap_or_default();
        let is_ours = host_of(&format!("http://{host}")).is_some_and(|host| self.hosts.contains(&host));
        if !is_ours {
            return Err(Barred::Host);
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default().to_lowercase();
        let is_known =
            self.origins.contains(&origin) || host_of(&origin).is_some_and(|host| self.hosts.contains(&host));
        if is_known { Ok(()) } else { Err(Barred::Origin) }
    }
}

/// The host of an address, without its port.
fn host_of(address: &str) -> Option<String> {
    let uri: Uri = address.parse().ok()?;
    uri.scheme()?;
    let host = uri.host()?;
    (!uri.authority()?.as_str().contains('@')).then(|| host.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_our_own_names_and_pages_pass() {
        let set = [
            ("BECIVIC_SERVER__PUBLIC_URL", "https://becivic.be"),
            ("BECIVIC_SERVER__LISTEN", "192.0.2.7:8080"),
            ("BECIVIC_MCP__ALLOWED_HOSTS", "[\"mcp.becivic.be\"]"),
            ("BECIVIC_MCP__ALLOWED_ORIGINS", "[\"https://agent.example/\"]"),
        ];
        let set = set.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let guard = Guard::new(&Config::load(None, set).expect("sound"));
        for (host, origin, expected) in [
            ("becivic.be", "", Ok(())),
            ("BECIVIC.be:443", "", Ok(())),
            ("mcp.becivic.be", "", Ok(())),
            ("192.0.2.7:8080", "", Ok(())),
            ("localhost:9", "http://localhost:6274", Ok(())),
            ("[::1]:8080", "http://[::1]:8080", Ok(())),
            ("becivic.be", "https://becivic.be", Ok(())),
            ("becivic.be", "https://agent.example", Ok(())),
            ("evil.example", "", Err(Barred::Host)),
            ("localhost.evil.example", "", Err(Barred::Host)),
            ("becivic.be@evil.example", "", Err(Barred::Host)),
            ("", "", Err(Barred::Host)),
            ("localhost", "https://evil.example", Err(Barred::Origin)),
            ("localhost", "null", Err(Barred::Origin)),
            ("localhost", "http://localhost.evil.example", Err(Barred::Origin)),
            ("localhost", "https://agent.example:8443", Err(Barred::Origin)),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_str(host).expect("a host"));
            if !origin.is_empty() {
                headers.insert(header::ORIGIN, HeaderValue::from_str(origin).expect("an origin"));
            }
            assert_eq!(guard.check(&Uri::from_static("/mcp"), &headers), expected, "{host} {origin}");
        }
    }
}
