//! `becivic preview`: pages of a checkout, what the rules find in them, and word of changes.

use crate::build::corpus;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A preview that ends with the test.
struct Preview {
    child: Child,
    address: String,
}

impl Drop for Preview {
    fn drop(&mut self) {
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}

impl Preview {
    fn of(dir: &Path) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("becivic"))
            .args(["preview", "--listen", "127.0.0.1:0"])
            .arg(dir)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its words")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("http://").expect("an address").to_owned();
        Self { child, address }
    }

    fn ask(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).expect("asked");
        stream
    }

    /// Head and body of the answer.
    fn get(&self, path: &str) -> String {
        let mut text = String::new();
        self.ask(path).read_to_string(&mut text).expect("answered");
        text
    }
}

#[test]
fn a_broken_file_shows_in_its_page_and_pages_hear_of_it() {
    let corpus = corpus();
    let preview = Preview::of(corpus.path());
    let page = preview.get("/skills/arrival-declaration");
    assert!(page.starts_with("HTTP/1.1 200 ") && page.contains("src=\"/preview.js\""), "{page}");
    assert!(page.contains("data-reading=\"1\""), "{page}");
    assert!(page.contains("script-src 'self'") && !page.contains("first_citation"), "{page}");
    assert!(preview.get("/preview.js").contains("EventSource"));
    assert!(preview.get("/skills/arrival-declaration.md").contains("text/markdown"));
    assert!(
        preview.get("/skills/Arrival-Declaration/").contains("Location: /skills/arrival-declaration\r\n")
    );
    assert!(preview.get("/nowhere").starts_with("HTTP/1.1 404 "));

    let mut events = BufReader::new(preview.ask("/preview/events?after=1"));
    let file = corpus.path().join("skills/arrival-declaration/canonical.md");
    let text = fs::read_to_string(&file).expect("read");
    fs::write(&file, text + "\n<VV name=\"no-such-value\" />\n").expect("written");
    let mut line = String::new();
    while !line.starts_with("event: changed") {
        line.clear();
        assert!(events.read_line(&mut line).expect("within a minute") > 0, "the stream stays open");
    }
    let page = preview.get("/skills/arrival-declaration");
    assert!(page.contains("Findings in the files of this page"), "{page}");
    assert!(page.contains("skills/arrival-declaration/canonical.md:"), "{page}");
    let list = preview.get("/preview");
    assert!(list.contains("skills/arrival-declaration/canonical.md:"), "{list}");

    // Without its frontmatter there is no page at all, and what was found shows where it would be.
    fs::write(&file, "no frontmatter").expect("written");
    line.clear();
    while !line.starts_with("event: changed") {
        line.clear();
        assert!(events.read_line(&mut line).expect("within a minute") > 0, "the stream stays open");
    }
    let page = preview.get("/skills/arrival-declaration");
    assert!(
        page.starts_with("HTTP/1.1 404 ") && page.contains("skills/arrival-declaration/canonical.md:"),
        "{page}"
    );
}

#[test]
fn only_readers_are_answered() {
    let corpus = corpus();
    let preview = Preview::of(corpus.path());
    let mut stream = TcpStream::connect(&preview.address).expect("it listens");
    write!(stream, "POST / HTTP/1.1\r\n\r\n").expect("asked");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("answered");
    assert!(text.starts_with("HTTP/1.1 405 "), "{text}");
}
