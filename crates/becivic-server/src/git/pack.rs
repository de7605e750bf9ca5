//! Writing a pack: a header, every object compressed, and a hash of it all.

use super::delta;
use super::objects::Sent;
use anyhow::{Context, anyhow};
use flate2::{Compress, Compression, FlushCompress, Status};
use gix::ObjectId;
use gix::objs::Kind;
use std::collections::HashMap;
use std::io::Write;

/// Most differences that a client has to go through for one object.
const DEEPEST: u16 = 100;

/// How differences may name what they build on.
#[derive(Clone, Copy)]
pub struct Bases {
    /// By their place in the pack.
    pub places: bool,
    /// Objects that are not in the pack.
    pub outside: bool,
}

/// Writes a pack and says how long it is.
pub fn write(git: &gix::Repository, sent: &[Sent], bases: Bases, out: impl Write) -> anyhow::Result<u64> {
    let mut writer = Writer {
        out,
        hash: gix::hash::hasher(gix::hash::Kind::Sha1),
        length: 0,
        compress: Compress::new(Compression::default(), true),
        squeezed: Vec::new(),
        places: HashMap::with_capacity(sent.len()),
        bases,
    };
    let count = u32::try_from(sent.len()).context("a pack holds at most 2^32 objects")?;
    writer.put(b"PACK\0\0\0\x02")?;
    writer.put(&count.to_be_bytes())?;
    for object in sent {
        writer.object(git, object)?;
    }
    let hash = writer.hash.clone().try_finalize().map_err(|error| anyhow!("{error}"))?;
    writer.put(hash.as_slice())?;
    writer.out.flush()?;
    Ok(writer.length)
}

struct Writer<W> {
    out: W,
    hash: gix::hash::Hasher,
    length: u64,
    compress: Compress,
    squeezed: Vec<u8>,
    /// Where each object begins, and how many differences lead to it.
    places: HashMap<ObjectId, (u64, u16)>,
    bases: Bases,
}

impl<W: Write> Writer<W> {
    fn put(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn object(&mut self, git: &gix::Repository, object: &Sent) -> anyhow::Result<()> {
        let read = |id: ObjectId| -> anyhow::Result<Vec<u8>> {
            Ok(git.find_object(id).map_err(|error| anyhow!("{error}"))?.detach().data)
        };
        let data = read(object.id)?;
        let begins = self.length;
        // What stood there before is in the pack, or else the client has it.
        let base = object.before.map(|id| (id, self.places.get(&id).copied()));
        let base = base.filter(|(_, place)| match place {
            Some((_, deep)) => *deep < DEEPEST,
            None => self.bases.outside,
        });
        let difference = match base {
            None => None,
            Some((id, place)) => delta::between(&read(id)?, &data).map(|delta| (id, place, delta)),
        };
        let Some((id, place, delta)) = difference else {
            self.header(number(object.kind), data.len())?;
            self.squeeze(&data)?;
            self.places.insert(object.id, (begins, 0));
            return Ok(());
        };
        match place.filter(|_| self.bases.places) {
            Some((from, _)) => {
                self.header(6, delta.len())?;
                self.distance(begins - from)?;
            }
            None => {
                self.header(7, delta.len())?;
                self.put(id.as_slice())?;
            }
        }
        self.squeeze(&delta)?;
        self.places.insert(object.id, (begins, place.map_or(0, |(_, deep)| deep) + 1));
        Ok(())
    }

    /// Kind and size: four bits of the size, then seven a byte, the low ones first.
    fn header(&mut self, kind: u8, size: usize) -> anyhow::Result<()> {
        let mut byte = (kind << 4) | (size & 0x0f) as u8;
        let mut rest = size >> 4;
        let mut bytes = Vec::with_capacity(8);
        while rest > 0 {
            bytes.push(byte | 0x80);
            byte = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        bytes.push(byte);
        self.put(&bytes)
    }

    /// How far back something lies: seven bits a byte, the high ones first, each but the last one less than it says.
    fn distance(&mut self, mut far: u64) -> anyhow::Result<()> {
        let mut bytes = vec![(far & 0x7f) as u8];
        while far > 0x7f {
            far = (far >> 7) - 1;
            bytes.push(0x80 | (far & 0x7f) as u8);
        }
        bytes.reverse();
        self.put(&bytes)
    }

    fn squeeze(&mut self, data: &[u8]) -> anyhow::Result<()> {
        let mut out = std::mem::take(&mut self.squeezed);
        out.clear();
        self.compress.reset();
        loop {
            let read = usize::try_from(self.compress.total_in())?;
            out.reserve(data.len() / 2 + 64);
            let rest = data.get(read..).unwrap_or_default();
            if self.compress.compress_vec(rest, &mut out, FlushCompress::Finish)? == Status::StreamEnd {
                break;
            }
        }
        self.put(&out)?;
        self.squeezed = out;
        Ok(())
    }
}

fn number(kind: Kind) -> u8 {
    match kind {
        Kind::Commit => 1,
        Kind::Tree => 2,
        Kind::Blob => 3,
        Kind::Tag => 4,
    }
}
