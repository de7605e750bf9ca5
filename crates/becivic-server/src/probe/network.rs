//! The network as a probe sees it: names become addresses once, and every address is looked at before anything is sent to it.
//!
//! 1. A name is resolved within the time that is left; a name with one address that is not public is refused whole, because
//!    whoever gave it that address meant no good.
//! 2. The addresses found are handed to the connection, which asks no resolver of its own: nobody can answer a second time.
//! 3. No proxy is used, no cookie kept, no certificate taken that the public authorities did not sign.
//!
//! Tests name hosts of their own with [`Network::of`]: what they say a name resolves to is judged like any other, and only then
//! taken to the place where the test listens. No configuration leads there.

use becivic_core::probe::{Address, NAME, may_connect};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use ureq::http::{Method, Request, Uri};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

/// How long the answers to one probe may take together (DECISIONS §9b).
const PATIENCE: Duration = Duration::from_secs(10);

/// Most bytes of an answer (DECISIONS §9b).
const LARGEST: u64 = 1024 * 1024;

/// Most bytes of an answer's headers.
const LARGEST_HEADERS: usize = 64 * 1024;

/// The port of https.
const PORT: u16 = 443;

/// Who asks, and where to write to when that is not wanted.
pub fn user_agent() -> String {
    format!("{NAME}/{} (+https://becivic.be/)", env!("CARGO_PKG_VERSION"))
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// No such name.
    #[error("its host is not known")]
    UnknownHost,
    /// An address that is not public.
    #[error("its host has an address that is not public")]
    NotPublic,
    /// Nothing came in time.
    #[error("it does not answer in time")]
    Late,
    /// No certificate that can be trusted, or no TLS at all.
    #[error("no safe connection can be made")]
    Unsafe,
    /// More than is read.
    #[error("its answer is too long")]
    TooLong,
    /// Anything else on the way.
    #[error("the connection failed")]
    Broken,
    /// Too many redirects.
    #[error("it redirects more than three times")]
    TooManyRedirects,
    /// A redirect to an address that may not be asked.
    #[error("it redirects to an address that may not be asked ({0})")]
    Led(becivic_core::probe::Unfit),
    /// `robots.txt`
    #[error("its robots.txt asks machines to stay away")]
    Robots,
    /// The process is about to end, or another has taken over.
    #[error("stopped")]
    Stopped,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// `Content-Type`
    pub content_type: Option<String>,
    /// `Location`
    pub location: Option<String>,
    /// What it holds; empty when only its head was asked for.
    pub body: Vec<u8>,
}

/// Where names lead.
enum Names {
    /// What the system says.
    System,
    /// What a test says: the address a name has, and where that is listened to.
    Given(HashMap<String, (IpAddr, SocketAddr)>),
}

/// The network.
pub struct Network {
    names: Names,
    roots: RootCerts,
    /// How long the answers to one probe may take together.
    pub patience: Duration,
}

impl Network {
    /// The public network.
    pub fn public() -> Self {
        Self { names: Names::System, roots: RootCerts::WebPki, patience: PATIENCE }
    }

    /// A network of these hosts and no others, for tests: each with the address its name resolves to and the place that is
    /// really connected to; a certificate to trust (DER); how long answers may take.
    pub fn of(
        hosts: impl IntoIterator<Item = (String, IpAddr, SocketAddr)>,
        root: &[u8],
        patience: Duration,
    ) -> Self {
        let hosts = hosts.into_iter().map(|(host, address, place)| (host, (address, place))).collect();
        let root = Certificate::from_der(root).to_owned();
        Self { names: Names::Given(hosts), roots: RootCerts::new_with_certs(&[root]), patience }
    }

    /// The addresses of a host, all of them public.
    pub fn resolve(&self, host: &str, within: Duration) -> Result<Vec<SocketAddr>, Failed> {
        let found = match &self.names {
            Names::System => looked_up(host, within)?,
            Names::Given(hosts) => {
                hosts.get(host).map(|(address, _)| SocketAddr::new(*address, PORT)).into_iter().collect()
            }
        };
        if found.is_empty() {
            return Err(Failed::UnknownHost);
        }
        if !found.iter().all(|address| may_connect(address.ip())) {
            return Err(Failed::NotPublic);
        }
        Ok(match &self.names {
            Names::System => found,
            Names::Given(hosts) => hosts.get(host).map(|(_, place)| *place).into_iter().collect(),
        })
    }

    /// Makes one request to one of these addresses and no other; no redirect is followed.
    pub fn ask(
        &self,
        method: Method,
        address: &Address,
        pinned: &[SocketAddr],
        within: Duration,
    ) -> Result<Answer, Failed> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(provider)
            .root_certs(self.roots.clone())
            .build();
        let config = ureq::Agent::config_builder()
            .tls_config(tls)
            .https_only(true)
            .proxy(None)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(LARGEST_HEADERS)
            .timeout_global(Some(within))
            .user_agent(user_agent())
            .build();
        let agent = ureq::Agent::with_parts(config, DefaultConnector::default(), Pinned(pinned.to_vec()));
        let request = Request::builder().method(method).uri(address.as_str()).header("connection", "close");
        let request = request.body(()).map_err(|_| Failed::Broken)?;
        let mut response = agent.run(request).map_err(|error| failed(&error))?;
        let header = |name| response.headers().get(name).and_then(|it| it.to_str().ok()).map(str::to_owned);
        let (content_type, location) = (header("content-type"), header("location"));
        let status = response.status().as_u16();
        // The limit is where reading stops, before it is known whether that was the end.
        let body = response.body_mut().with_config().limit(LARGEST + 1).read_to_vec();
        Ok(Answer { status, content_type, location, body: body.map_err(|error| failed(&error))? })
    }
}

/// Asks the system for a name, and does not wait longer than it may.
fn looked_up(host: &str, within: Duration) -> Result<Vec<SocketAddr>, Failed> {
    let (tell, told) = mpsc::channel();
    let name = host.to_owned();
    std::thread::spawn(move || {
        let found = (name.as_str(), PORT).to_socket_addrs().map(Iterator::collect);
        let _late_is_gone = tell.send(found);
    });
    match told.recv_timeout(within) {
        Ok(found) => found.map_err(|_| Failed::UnknownHost),
        Err(_) => Err(Failed::Late),
    }
}

/// Gives the connection the addresses that were looked at.
#[derive(Debug)]
struct Pinned(Vec<SocketAddr>);

impl Resolver for Pinned {
    fn resolve(
        &self,
        _: &Uri,
        _: &ureq::config::Config,
        _: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let mut addresses = self.empty();
        // As many as there is room for.
        self.0.iter().take(16).for_each(|address| addresses.push(*address));
        Ok(addresses)
    }
}

fn failed(error: &ureq::Error) -> Failed {
    match error {
        ureq::Error::Timeout(_) => Failed::Late,
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => Failed::Unsafe,
        ureq::Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>()) => {
            Failed::Unsafe
        }
        ureq::Error::BodyExceedsLimit(_) | ureq::Error::LargeResponseHeader(..) => Failed::TooLong,
        _ => Failed::Broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_this_machine_is_refused_on_the_public_network() {
        let found = Network::public().resolve("localhost", PATIENCE);
        assert_eq!(found, Err(Failed::NotPublic));
    }
}
