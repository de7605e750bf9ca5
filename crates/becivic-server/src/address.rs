//! The address of whoever is asking: it lives in the request's memory and nowhere else (DECISIONS §6).
//!
//! 1. It comes from the socket.
//! 2. When the peer is a trusted proxy, it is the rightmost address of `X-Forwarded-For` that is not one: what stands
//!    further left was written by somebody we do not know.
//! 3. [`Address`] prints nothing of itself.

use ipnet::IpNet;
use std::net::{IpAddr, Ipv6Addr};

/// An address, as 16 bytes; IPv4 in its mapped form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Address([u8; 16]);

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Address(…)")
    }
}

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        Self(match address {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
            IpAddr::V6(v6) => v6.octets(),
        })
    }
}

impl Address {
    /// The address with only its first bits kept, when it is IPv6.
    pub fn within(self, ipv6_bits: u8) -> [u8; 16] {
        if Ipv6Addr::from(self.0).to_ipv4_mapped().is_some() {
            return self.0;
        }
        let keep = u128::MAX.checked_shl(128 - u32::from(ipv6_bits.min(128))).unwrap_or(0);
        (u128::from_be_bytes(self.0) & keep).to_be_bytes()
    }

    /// The client's address, from the peer and the `X-Forwarded-For` values in their order.
    pub fn of_client<'a>(
        peer: IpAddr,
        forwarded: impl DoubleEndedIterator<Item = &'a str>,
        trusted: &[IpNet],
    ) -> Self {
        let is_trusted = |address: IpAddr| trusted.iter().any(|net| net.contains(&canonical(address)));
        let mut client = canonical(peer);
        for entry in forwarded.rev().flat_map(|value| value.rsplit(',')) {
            if !is_trusted(client) {
                break;
            }
            // An entry nobody can read says nothing about what stands left of it.
            let Some(next) = written(entry.trim()) else { break };
            client = canonical(next);
        }
        Self::from(client)
    }
}

/// IPv4 as IPv4, also where it came mapped.
fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// An address as proxies write it: bare, or with a port.
fn written(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim_matches('"');
    entry
        .parse()
        .ok()
        .or_else(|| entry.parse::<std::net::SocketAddr>().ok().map(|it| it.ip()))
        .or_else(|| entry.strip_prefix('[')?.strip_suffix(']')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str]) -> Address {
        let trusted: Vec<IpNet> =
            ["10.0.0.0/8", "::1/128"].iter().map(|net| net.parse().expect("a net")).collect();
        Address::of_client(peer.parse().expect("an address"), forwarded.iter().copied(), &trusted)
    }

    fn plain(text: &str) -> Address {
        Address::from(text.parse::<IpAddr>().expect("an address"))
    }

    #[test]
    fn only_trusted_proxies_are_believed_and_only_their_nearest_client() {
        for (peer, forwarded, expected) in [
            ("192.0.2.7", &["203.0.113.9"][..], "192.0.2.7"),
            ("10.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", &["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", &["198.51.100.1, 203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            ("10.0.0.1", &["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", &["203.0.113.9:443"], "203.0.113.9"),
            ("::1", &["[2001:db8::5]:443"], "2001:db8::5"),
            ("::ffff:10.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", &["203.0.113.9, nonsense"], "10.0.0.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
        ] {
            assert!(client(peer, forwarded) == plain(expected), "{peer} {forwarded:?}");
        }
    }

    #[test]
    fn it_does_not_print_itself() {
        assert_eq!(format!("{:?}", plain("192.0.2.7")), "Address(…)");
    }
}
