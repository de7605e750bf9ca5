//! A client for another server of ours.

use anyhow::bail;
use std::sync::Arc;
use std::time::Duration;

/// How long a server may take to be reached.
const CONNECTING: Duration = Duration::from_secs(10);
/// How long it may take to begin to answer.
pub const ANSWERING: Duration = Duration::from_secs(60);
/// How long one of its processes may take to follow another.
pub const FOLLOWING: Duration = Duration::from_millis(1_200);

/// Whether something can be the address of a server.
pub fn check_server(server: &str) -> anyhow::Result<()> {
    let rest = server.strip_prefix("https://").or_else(|| server.strip_prefix("http://"));
    if rest.is_none_or(|rest| rest.is_empty() || rest.contains(char::is_whitespace)) {
        bail!("a server is an address such as https://becivic.be");
    }
    Ok(())
}

/// A client: a server that is reached safely is never left for an address that is not.
pub fn agent(server: &str) -> anyhow::Result<ureq::Agent> {
    check_server(server)?;
    let is_remote = server.starts_with("https://");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let tls = ureq::tls::TlsConfig::builder().unversioned_rustls_crypto_provider(provider).build();
    let mut config = ureq::Agent::config_builder()
        .tls_config(tls)
        .https_only(is_remote)
        .http_status_as_error(false)
        .timeout_connect(Some(CONNECTING))
        .timeout_recv_response(Some(ANSWERING))
        .user_agent(concat!("becivic/", env!("CARGO_PKG_VERSION")));
    if !is_remote {
        // A server on this machine is reached through no proxy.
        config = config.proxy(None);
    }
    Ok(ureq::Agent::new_with_config(config.build()))
}
