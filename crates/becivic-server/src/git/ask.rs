//! What a client wants and has, as it says so in versions 0 and 2 of the protocol.

use super::line::{self, Line};
use gix::ObjectId;
use std::collections::BTreeSet;

/// What a client asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Commits it wants.
    pub wants: BTreeSet<ObjectId>,
    /// Commits it has, in its order.
    pub haves: Vec<ObjectId>,
    /// Commits it has without what they follow.
    pub shallow: BTreeSet<ObjectId>,
    /// How many commits deep it wants to go.
    pub depth: Option<u32>,
    /// It has said what it has; the pack follows.
    pub done: bool,
    /// It said no more than what it wants, to be told where a shallow history ends.
    pub only_wants: bool,
    /// Differences from what it has already are fine.
    pub thin: bool,
    /// Differences may name their base by its place in the pack.
    pub places: bool,
    /// The pack may come in lines, with messages between.
    pub banded: bool,
    /// How it wants to be told what both have.
    pub acknowledged: Acknowledged,
    /// The pack may follow as soon as enough is known.
    pub no_done: bool,
}

/// How a client wants to be told what both have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Acknowledged {
    /// The first only.
    #[default]
    First,
    /// Each, with `continue`.
    Each,
    /// Each, with `common` or `ready`.
    Detailed,
}

/// Why a request is not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misunderstood(pub &'static str);

impl From<line::Malformed> for Misunderstood {
    fn from(_: line::Malformed) -> Self {
        Self("the body is not made of pkt-lines")
    }
}

impl Ask {
    /// Reads a request of version 0.
    pub fn read(mut body: &[u8]) -> Result<Self, Misunderstood> {
        let mut ask = Self::default();
        loop {
            match line::next(&mut body)? {
                None if ask.wants.is_empty() => return Ok(ask),
                None => return Err(Misunderstood("the wants are not ended by a flush")),
                Some(Line::Flush) => break,
                Some(Line::Delimiter) => return Err(Misunderstood("version 0 has no delimiters")),
                Some(Line::Text(text)) => {
                    let (text, capabilities) = match text.iter().position(|byte| *byte == b' ') {
                        Some(4) if text.starts_with(b"want") && ask.wants.is_empty() => {
                            text.split_at(text.len().min(45))
                        }
                        _ => (text, [].as_slice()),
                    };
                    ask.capable_of(capabilities);
                    ask.wants(text)?;
                }
            }
        }
        ask.only_wants = body.is_empty();
        loop {
            match line::next(&mut body)? {
                None | Some(Line::Flush) => return Ok(ask),
                Some(Line::Text(b"done")) => {
                    ask.done = true;
                    return Ok(ask);
                }
                Some(Line::Text(text)) => match text.strip_prefix(b"have ") {
                    Some(id) => ask.haves.push(read_id(id)?),
                    None => return Err(Misunderstood("only `have` and `done` may stand here")),
                },
                Some(Line::Delimiter) => return Err(Misunderstood("version 0 has no delimiters")),
            }
        }
    }

    /// Reads the arguments of `fetch` in version 2, after the delimiter.
    pub fn read_arguments(body: &mut &[u8]) -> Result<Self, Misunderstood> {
        let mut ask =
            Self { banded: true, acknowledged: Acknowledged::Detailed, no_done: true, ..Self::default() };
        loop {
            match line::next(body)? {
                None | Some(Line::Flush) => return Ok(ask),
                Some(Line::Delimiter) => return Err(Misunderstood("there is one delimiter in a request")),
                Some(Line::Text(b"done")) => ask.done = true,
                Some(Line::Text(b"thin-pack")) => ask.thin = true,
                Some(Line::Text(b"ofs-delta")) => ask.places = true,
                Some(Line::Text(b"no-progress" | b"include-tag" | b"wait-for-done")) => {}
                Some(Line::Text(text)) => match text.strip_prefix(b"have ") {
                    Some(id) => ask.haves.push(read_id(id)?),
                    None => ask.wants(text)?,
                },
            }
        }
    }

    /// One line of those that may stand among the wants.
    fn wants(&mut self, text: &[u8]) -> Result<(), Misunderstood> {
        if let Some(id) = text.strip_prefix(b"want ") {
            self.wants.insert(read_id(id)?);
        } else if let Some(id) = text.strip_prefix(b"shallow ") {
            self.shallow.insert(read_id(id)?);
        } else if let Some(depth) = text.strip_prefix(b"deepen ") {
            let depth = std::str::from_utf8(depth).ok().and_then(|depth| depth.parse().ok());
            self.depth = Some(depth.filter(|depth| *depth > 0).ok_or(Misunderstood("a depth is a number"))?);
        } else if text.starts_with(b"deepen") {
            return Err(Misunderstood("a shallow clone is asked for by --depth, not by a date or a name"));
        } else if text.starts_with(b"filter ") {
            return Err(Misunderstood("partial clones are not served; leave --filter out"));
        } else {
            return Err(Misunderstood("this line may not stand among the wants"));
        }
        Ok(())
    }

    fn capable_of(&mut self, capabilities: &[u8]) {
        for word in capabilities.split(|byte| *byte == b' ') {
            match word {
                b"thin-pack" => self.thin = true,
                b"ofs-delta" => self.places = true,
                b"side-band-64k" => self.banded = true,
                b"no-done" => self.no_done = true,
                b"multi_ack_detailed" => self.acknowledged = Acknowledged::Detailed,
                b"multi_ack" if self.acknowledged == Acknowledged::First => {
                    self.acknowledged = Acknowledged::Each;
                }
                _ => {}
            }
        }
    }
}

fn read_id(hex: &[u8]) -> Result<ObjectId, Misunderstood> {
    ObjectId::from_hex(hex)
        .ok()
        .filter(|id| id.kind() == gix::hash::Kind::Sha1)
        .ok_or(Misunderstood("an object is named by 40 hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(digit: char) -> String {
        digit.to_string().repeat(40)
    }

    fn body(lines: &[&str]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for text in lines {
            match *text {
                "0000" | "0001" => bytes.extend_from_slice(text.as_bytes()),
                text => line::write(&mut bytes, text.as_bytes()),
            }
        }
        bytes
    }

    #[test]
    fn requests_are_read_in_both_versions() {
        let first =
            format!("want {} multi_ack_detailed no-done side-band-64k thin-pack ofs-delta\n", id('a'));
        let more = format!("want {}\n", id('b'));
        let have = format!("have {}\n", id('c'));
        let ask = Ask::read(&body(&[&first, &more, "deepen 3\n", "0000", &have, "done\n"])).expect("read");
        assert_eq!((ask.wants.len(), ask.haves.len(), ask.depth, ask.done), (2, 1, Some(3), true));
        assert!(ask.thin && ask.places && ask.banded && ask.no_done && !ask.only_wants);
        assert_eq!(ask.acknowledged, Acknowledged::Detailed);
        assert!(Ask::read(&body(&[&first, "0000"])).expect("read").only_wants);
        assert!(Ask::read(b"0000").expect("nothing").wants.is_empty());
        let mut arguments: &[u8] = &body(&["thin-pack\n", &more, &have, "0000"]);
        let ask = Ask::read_arguments(&mut arguments).expect("read");
        assert_eq!((ask.wants.len(), ask.haves.len(), ask.done, ask.thin), (1, 1, false, true));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let want = format!("want {}\n", id('a'));
        for lines in [
            vec!["want 123\n", "0000"],
            vec![want.as_str()],
            vec![&want, "0001"],
            vec![&want, "deepen 0\n", "0000"],
            vec![&want, "deepen x\n", "0000"],
            vec![&want, "deepen-since 5\n", "0000"],
            vec![&want, "filter blob:none\n", "0000"],
            vec![&want, "0000", "have zz\n"],
            vec![&want, "0000", "want again\n"],
            vec!["push\n", "0000"],
        ] {
            assert!(Ask::read(&body(&lines)).is_err(), "{lines:?}");
        }
    }

    proptest::proptest! {
        /// Whatever is sent is read or refused.
        #[test]
        fn nothing_that_is_sent_stops_the_reading(
            parts in proptest::collection::vec(
                proptest::prop_oneof![
                    "want [0-9a-f]{40}( [a-z_-]{0,20}){0,3}\n?",
                    "have [0-9a-f]{38,41}",
                    "(deepen|shallow|filter|done)[ -~]{0,50}",
                    "\\PC{0,60}",
                ],
                0..8,
            ),
            marks in proptest::collection::vec(0_usize..4, 8),
            cut in 0_usize..400,
        ) {
            let mut bytes = Vec::new();
            for (part, mark) in parts.iter().zip(&marks) {
                match mark {
                    0 => bytes.extend_from_slice(b"0000"),
                    1 => bytes.extend_from_slice(part.as_bytes()),
                    _ => line::write(&mut bytes, part.as_bytes()),
                }
            }
            bytes.truncate(cut.max(bytes.len().saturating_sub(cut)));
            let _read_or_refused = Ask::read(&bytes);
            let _read_or_refused = Ask::read_arguments(&mut bytes.as_slice());
        }
    }
}
