//! What is answered to a client: what there is, what both have, and which pack it gets.

use super::Git;
use super::ask::{Acknowledged, Ask, Misunderstood};
use super::history::Ends;
use super::line::{self, DELIMITER, FLUSH, Line};
use super::packs::Order;
use super::refs::{self, MAIN, Named};
use gix::ObjectId;

/// What a client of version 0 is told we can do.
const CAPABILITIES: &str = concat!(
    "multi_ack_detailed multi_ack no-done side-band-64k thin-pack ofs-delta no-progress shallow ",
    "symref=HEAD:refs/heads/main object-format=sha1 agent=becivic/",
    env!("CARGO_PKG_VERSION")
);

/// What one of version 2 is told.
const COMMANDS: &[&str] = &[
    "version 2\n",
    concat!("agent=becivic/", env!("CARGO_PKG_VERSION"), "\n"),
    "ls-refs\n",
    "fetch=shallow\n",
    "object-format=sha1\n",
];

/// The version of the protocol that a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The first, which every client speaks.
    Zero,
    /// The newest.
    Two,
}

impl Version {
    /// From the header `Git-Protocol`.
    pub fn asked(header: Option<&str>) -> Self {
        let two = header.is_some_and(|header| header.split(':').any(|word| word == "version=2"));
        if two { Self::Two } else { Self::Zero }
    }
}

/// An answer.
pub enum Reply {
    /// All of it.
    Whole(Vec<u8>),
    /// What comes before a pack, and the pack.
    Pack {
        /// What comes before.
        head: Vec<u8>,
        /// Which pack.
        order: Box<Order>,
        /// In lines.
        banded: bool,
    },
}

/// Why there is no answer.
pub enum Unanswered {
    /// The request is not understood.
    Misunderstood(Misunderstood),
    /// The repository cannot be read.
    Failed(anyhow::Error),
}

impl<T: Into<Misunderstood>> From<T> for Unanswered {
    fn from(error: T) -> Self {
        Self::Misunderstood(error.into())
    }
}

impl From<anyhow::Error> for Unanswered {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// What there is.
pub fn advertise(git: &Git, version: Version) -> anyhow::Result<Vec<u8>> {
    let mut answer = Vec::new();
    line::write(&mut answer, b"# service=git-upload-pack\n");
    answer.extend_from_slice(FLUSH);
    match version {
        Version::Two => COMMANDS.iter().for_each(|text| line::write(&mut answer, text.as_bytes())),
        Version::Zero => {
            for (index, Named { name, id }) in refs::listed(&git.repository.local())?.iter().enumerate() {
                let capabilities = if index == 0 { format!("\0{CAPABILITIES}") } else { String::new() };
                line::write(&mut answer, format!("{id} {name}{capabilities}\n").as_bytes());
            }
        }
    }
    answer.extend_from_slice(FLUSH);
    Ok(answer)
}

/// The answer to what a client posts.
pub fn answer(git: &Git, version: Version, body: &[u8]) -> Result<Reply, Unanswered> {
    match version {
        Version::Zero => {
            let ask = Ask::read(body)?;
            if ask.wants.is_empty() {
                return Ok(Reply::Whole(Vec::new()));
            }
            fetch_zero(git, ask)
        }
        Version::Two => command(git, body),
    }
}

fn command(git: &Git, mut body: &[u8]) -> Result<Reply, Unanswered> {
    let mut command = None;
    loop {
        match line::next(&mut body)? {
            Some(Line::Text(text)) => {
                if let Some(name) = text.strip_prefix(b"command=") {
                    command = Some(name);
                }
            }
            Some(Line::Delimiter) => break,
            Some(Line::Flush) | None if command.is_none() => return Ok(Reply::Whole(Vec::new())),
            Some(Line::Flush) | None => {
                body = &[];
                break;
            }
        }
    }
    match command {
        Some(b"ls-refs") => Ok(Reply::Whole(list(git, body)?)),
        Some(b"fetch") => fetch_two(git, Ask::read_arguments(&mut body)?),
        Some(_) | None => Err(Misunderstood("the commands are ls-refs and fetch").into()),
    }
}

fn list(git: &Git, mut body: &[u8]) -> Result<Vec<u8>, Unanswered> {
    let mut prefixes = Vec::new();
    let mut with_target = false;
    while let Some(Line::Text(text)) = line::next(&mut body)? {
        match text.strip_prefix(b"ref-prefix ") {
            Some(prefix) => prefixes.push(prefix),
            None => with_target |= text == b"symrefs",
        }
    }
    let mut answer = Vec::new();
    for Named { name, id } in refs::listed(&git.repository.local())? {
        if !prefixes.is_empty() && !prefixes.iter().any(|prefix| name.as_bytes().starts_with(prefix)) {
            continue;
        }
        let target =
            if with_target && name == "HEAD" { format!(" symref-target:{MAIN}") } else { String::new() };
        line::write(&mut answer, format!("{id} {name}{target}\n").as_bytes());
    }
    answer.extend_from_slice(FLUSH);
    Ok(answer)
}

/// What both sides know after the client has spoken.
struct Agreed {
    common: Vec<ObjectId>,
    ends: Option<Ends>,
    /// Enough is known for a pack.
    ready: bool,
}

/// Works out what both have; the refusal of a want, where there is one.
fn agree(git: &Git, ask: &Ask) -> anyhow::Result<Result<Agreed, String>> {
    let repository = git.repository.local();
    let tips: Vec<ObjectId> = refs::listed(&repository)?.into_iter().map(|named| named.id).collect();
    if let Some(want) = git.history.unreachable(&repository, &ask.wants, &tips)? {
        return Ok(Err(format!("upload-pack: not our ref {want}")));
    }
    let mut common = Vec::new();
    for have in &ask.haves {
        if git.history.node(&repository, *have)?.is_some() {
            common.push(*have);
        }
    }
    let ends = ask.depth.map(|depth| git.history.ends(&repository, ask, depth)).transpose()?;
    let ready = !ask.done && git.history.meets(&repository, ask, &common)?;
    Ok(Ok(Agreed { common, ends, ready }))
}

fn refused(words: &str) -> Reply {
    let mut answer = Vec::new();
    line::write(&mut answer, format!("ERR {words}\n").as_bytes());
    Reply::Whole(answer)
}

fn write_ends(answer: &mut Vec<u8>, ends: &Ends) {
    for (word, ids) in [("shallow", &ends.shallow), ("unshallow", &ends.unshallow)] {
        ids.iter().for_each(|id| line::write(answer, format!("{word} {id}\n").as_bytes()));
    }
}

fn fetch_zero(git: &Git, ask: Ask) -> Result<Reply, Unanswered> {
    let agreed = match agree(git, &ask)? {
        Ok(agreed) => agreed,
        Err(words) => return Ok(refused(&words)),
    };
    let mut answer = Vec::new();
    if let Some(ends) = &agreed.ends {
        write_ends(&mut answer, ends);
        answer.extend_from_slice(FLUSH);
        if ask.only_wants {
            return Ok(Reply::Whole(answer));
        }
    }
    let mut say = |text: String| line::write(&mut answer, text.as_bytes());
    let several = ask.acknowledged != Acknowledged::First;
    for (index, id) in agreed.common.iter().enumerate() {
        match ask.acknowledged {
            Acknowledged::Detailed => say(format!("ACK {id} common\n")),
            Acknowledged::Each => say(format!("ACK {id} continue\n")),
            Acknowledged::First if index == 0 => say(format!("ACK {id}\n")),
            Acknowledged::First => {}
        }
    }
    let last = agreed.common.last();
    let mut pack_follows = ask.done;
    match last {
        Some(last) if ask.done && several => say(format!("ACK {last}\n")),
        Some(_) if ask.done => {}
        None if ask.done => say("NAK\n".to_owned()),
        last => {
            let ready = last.filter(|_| agreed.ready && ask.acknowledged == Acknowledged::Detailed);
            if let Some(last) = ready {
                say(format!("ACK {last} ready\n"));
            }
            if last.is_none() || several {
                say("NAK\n".to_owned());
            }
            if let Some(last) = ready.filter(|_| ask.no_done) {
                say(format!("ACK {last}\n"));
                pack_follows = true;
            }
        }
    }
    Ok(ended(answer, ask, agreed, pack_follows))
}

fn fetch_two(git: &Git, ask: Ask) -> Result<Reply, Unanswered> {
    if ask.wants.is_empty() {
        return Err(Misunderstood("nothing is wanted").into());
    }
    let agreed = match agree(git, &ask)? {
        Ok(agreed) => agreed,
        Err(words) => return Ok(refused(&words)),
    };
    let mut answer = Vec::new();
    // A client that says neither what it has nor that it is done has nothing.
    let pack_follows = ask.done || agreed.ready || ask.haves.is_empty();
    if !ask.done && !ask.haves.is_empty() {
        line::write(&mut answer, b"acknowledgments\n");
        if agreed.common.is_empty() {
            line::write(&mut answer, b"NAK\n");
        }
        agreed.common.iter().for_each(|id| line::write(&mut answer, format!("ACK {id}\n").as_bytes()));
        if !agreed.ready {
            answer.extend_from_slice(FLUSH);
            return Ok(Reply::Whole(answer));
        }
        line::write(&mut answer, b"ready\n");
        answer.extend_from_slice(DELIMITER);
    }
    if let Some(ends) = &agreed.ends {
        line::write(&mut answer, b"shallow-info\n");
        write_ends(&mut answer, ends);
        answer.extend_from_slice(DELIMITER);
    }
    line::write(&mut answer, b"packfile\n");
    Ok(ended(answer, ask, agreed, pack_follows))
}

fn ended(head: Vec<u8>, ask: Ask, agreed: Agreed, pack_follows: bool) -> Reply {
    if !pack_follows {
        return Reply::Whole(head);
    }
    let banded = ask.banded;
    Reply::Pack { head, order: Box::new(Order { ask, common: agreed.common, ends: agreed.ends }), banded }
}
