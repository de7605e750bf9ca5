//! Which addresses a probe may connect to: public ones. What a name resolves to is up to whoever owns the name, so an address
//! inside our own network, or of a cloud's metadata service, has to be recognised in every way it can be written.
//!
//! 1. IPv4: everything the registry of special addresses sets apart is refused (private, loopback, link-local, shared,
//!    documentation, benchmarks, multicast, reserved), and the one metadata service that lies outside of it.
//! 2. IPv6: only `2000::/3`, less what is set apart inside it. So loopback, link-local, unique-local and multicast are out.
//! 3. An IPv4 address inside an IPv6 one (mapped, NAT64, ISATAP) is judged as what it is; 6to4 and Teredo are refused whole.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address may be connected to.
pub fn may_connect(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Networks that are not public, as address and length of the prefix.
const SET_APART_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),        // this network
    ([10, 0, 0, 0], 8),       // private
    ([100, 64, 0, 0], 10),    // shared between a provider and its customers; metadata of some clouds
    ([127, 0, 0, 0], 8),      // loopback
    ([168, 63, 129, 16], 32), // metadata of one cloud
    ([169, 254, 0, 0], 16),   // link-local; metadata of most clouds
    ([172, 16, 0, 0], 12),    // private
    ([192, 0, 0, 0], 24),     // protocol assignments; metadata of one cloud
    ([192, 0, 2, 0], 24),     // documentation
    ([192, 88, 99, 0], 24),   // 6to4 relays
    ([192, 168, 0, 0], 16),   // private
    ([198, 18, 0, 0], 15),    // benchmarks
    ([198, 51, 100, 0], 24),  // documentation
    ([203, 0, 113, 0], 24),   // documentation
    ([224, 0, 0, 0], 4),      // multicast
    ([240, 0, 0, 0], 4),      // reserved, broadcast
];

/// The same inside `2000::/3`.
const SET_APART_V6: &[([u16; 3], u32)] = &[
    ([0x2001, 0, 0], 23),     // protocol assignments, Teredo, benchmarks, ORCHID
    ([0x2001, 0xdb8, 0], 32), // documentation
    ([0x2002, 0, 0], 16),     // 6to4
    ([0x3fff, 0, 0], 20),     // documentation
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let within = |network: [u8; 4], length: u32| {
        let apart = u32::from(address) ^ u32::from(Ipv4Addr::from(network));
        apart.leading_zeros() >= length
    };
    !SET_APART_V4.iter().any(|(network, length)| within(*network, *length))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let within = |[a, b, c]: [u16; 3], length: u32| {
        let apart = u128::from(address) ^ u128::from(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0));
        apart.leading_zeros() >= length
    };
    let is_public = || {
        within([0x2000, 0, 0], 3) && !SET_APART_V6.iter().any(|(network, length)| within(*network, *length))
    };
    let [.., c, d] = address.segments();
    let inside = Ipv4Addr::from((u32::from(c) << 16) | u32::from(d));
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, _, _] => is_public_v4(inside), // mapped
        [0x64, 0xff9b, 0, 0, 0, 0, _, _] => is_public_v4(inside), // NAT64: how IPv6-only networks see public hosts
        [_, _, _, _, 0 | 0x200, 0x5efe, _, _] => is_public() && is_public_v4(inside), // ISATAP
        _ => is_public(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_connected_to() {
        let refused = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "192.168.255.255",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::10.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:192.168.1.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::1",
            "2002:808:808::1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fdff::1",
            "fe80::1",
            "fe80::5efe:808:808",
            "fec0::1",
            "ff02::1",
            "2a00::5efe:10.0.0.1",
            "2a00::200:5efe:192.168.0.1",
        ];
        for text in refused {
            assert!(!may_connect(text.parse().expect(text)), "{text}");
        }
        let allowed = [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "168.63.129.15",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "193.191.245.1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2001:200::1",
            "2001:db7::1",
            "2001:db9::1",
            "2003::1",
            "2a00::5efe:8.8.8.8",
            "2a02:a000::1",
            "2606:4700::1111",
            "3ffe::1",
            "3fff:1000::1",
        ];
        for text in allowed {
            assert!(may_connect(text.parse().expect(text)), "{text}");
        }
    }
}
