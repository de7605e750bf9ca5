//! What a skill page weighs on the wire: itself and everything its head asks for, compressed as a browser would get it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use anyhow::{Context, Result, ensure};

use super::super::ingest::process::{Bench, Process};
use super::super::report::{Bound, Line, bounded, number};

/// In kB of 1,000 bytes.
const MOST: f64 = 60.0;

/// The longest of the public corpus.
const PAGES: &[&str] = &["/skills/change-of-address", "/skills/nationality-application"];

/// Weighs the pages.
pub fn run(bench: &Bench) -> Result<Vec<Line>> {
    let server = Process::becivic(bench, &bench.folder.join("data"), None)?;
    let mut lines = Vec::new();
    let mut heaviest: f64 = 0.0;
    for page in PAGES {
        let (page_bytes, _) = fetched(server.address, page, "gzip")?;
        let (_, html) = fetched(server.address, page, "identity")?;
        let html = String::from_utf8_lossy(&html).into_owned();
        let mut bytes = page_bytes;
        for asset in assets(server.address, &html)? {
            bytes += fetched(server.address, &asset, "gzip")?.0;
        }
        lines.push(number(format!("{page}, the page alone"), kb(page_bytes), "kB"));
        lines.push(number(format!("{page}, with styles, scripts and fonts"), kb(bytes), "kB"));
        heaviest = heaviest.max(kb(bytes));
    }
    server.stop()?;
    lines.push(bounded("the heaviest page", heaviest, "kB", Bound::AtMost(MOST)));
    Ok(lines)
}

/// Everything the page and its styles name.
fn assets(server: SocketAddr, html: &str) -> Result<Vec<String>> {
    let named = |text: &str| -> Vec<String> {
        text.split(['"', '(', ')', '\'']).filter(|it| it.starts_with("/assets/")).map(str::to_owned).collect()
    };
    let mut all = named(html);
    for style in all.clone().iter().filter(|it| it.ends_with(".css")) {
        let (_, text) = fetched(server, style, "identity")?;
        all.extend(named(&String::from_utf8_lossy(&text)));
    }
    all.sort();
    all.dedup();
    Ok(all)
}

#[expect(clippy::cast_precision_loss, reason = "pages are small")]
fn kb(bytes: usize) -> f64 {
    bytes as f64 / 1e3
}

/// Bytes on the wire, and the body of the answer.
pub fn fetched(server: SocketAddr, path: &str, encoding: &str) -> Result<(usize, Vec<u8>)> {
    let mut stream = TcpStream::connect(server)?;
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: {encoding}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    ensure!(answer.starts_with(b"HTTP/1.1 200 "), "{path} was not answered with 200");
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").context("an answer has no head")?;
    let body = answer.get(head + 4..).unwrap_or_default().to_vec();
    Ok((answer.len(), body))
}
