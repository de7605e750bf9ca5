//! Styles, scripts and fonts. Each is served under a name with its digest in it, so that it may be kept for ever.

use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// A file that pages use.
pub struct Asset {
    /// Its address: `/assets/site.0123456789ab.css`.
    pub address: String,
    /// What it is.
    pub media: &'static str,
    /// What it holds.
    pub bytes: &'static [u8],
}

/// What pages look like, and the pictures on them.
const STYLES: &str = concat!(include_str!("../assets/site.css"), include_str!("../assets/picture.css"));

/// Name, ending, media type, content.
const FILES: &[(&str, &str, &str, &[u8])] = &[
    ("site", "css", "text/css; charset=utf-8", STYLES.as_bytes()),
    ("site", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/site.js")),
    ("search", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/search.js")),
    ("manrope", "woff2", "font/woff2", include_bytes!("../assets/fonts/manrope-latin-wght-normal.woff2")),
    ("favicon", "svg", "image/svg+xml", include_bytes!("../assets/favicon.svg")),
];

/// Every asset. Styles name fonts, so their addresses are written into them first.
pub static ALL: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let fonts = FILES.iter().filter(|(_, ending, ..)| *ending != "css").map(named);
    let mut all: Vec<Asset> = fonts.collect();
    for (name, ending, media, bytes) in FILES.iter().filter(|(_, ending, ..)| *ending == "css") {
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        for asset in &all {
            let plain = asset.address.split('.').next().unwrap_or_default();
            let ending = asset.address.rsplit('.').next().unwrap_or_default();
            text = text.replace(&format!("{plain}.{ending}"), &asset.address);
        }
        let bytes: &'static [u8] = Box::leak(text.into_bytes().into_boxed_slice());
        all.push(named(&(*name, *ending, *media, bytes)));
    }
    all
});

fn named((name, ending, media, bytes): &(&str, &str, &'static str, &'static [u8])) -> Asset {
    let digest: String = Sha256::digest(bytes).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    Asset { address: format!("/assets/{name}.{digest}.{ending}"), media, bytes }
}

/// The address of an asset by its plain name: `site.css`.
pub fn address(name: &str) -> &'static str {
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    let fits = |asset: &&Asset| {
        let rest = asset.address.strip_prefix("/assets/").and_then(|rest| rest.strip_prefix(stem));
        rest.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(ending))
    };
    ALL.iter().find(fits).map_or("", |asset| asset.address.as_str())
}

/// The asset at an address.
pub fn at(address: &str) -> Option<&'static Asset> {
    ALL.iter().find(|asset| asset.address == address)
}
