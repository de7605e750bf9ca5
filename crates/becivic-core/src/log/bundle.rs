//! Entries one after another, each behind its length in two bytes, most significant first.

/// Why bytes are no bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBundle {
    /// It ends within an entry.
    #[error("a bundle ends in the middle of its entry {0}")]
    Truncated(usize),
    /// An entry is longer than a bundle can say.
    #[error("entry {0} is longer than 65,535 bytes")]
    TooLong(usize),
}

/// Packs entries.
pub fn bundle<'a>(entries: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<u8>, BadBundle> {
    let mut bytes = Vec::new();
    for (number, entry) in entries.into_iter().enumerate() {
        let length = u16::try_from(entry.len()).map_err(|_| BadBundle::TooLong(number))?;
        bytes.extend(length.to_be_bytes());
        bytes.extend(entry);
    }
    Ok(bytes)
}

/// Unpacks them.
pub fn unbundle(mut bytes: &[u8]) -> Result<Vec<&[u8]>, BadBundle> {
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let cut = || BadBundle::Truncated(entries.len());
        let (length, rest) = bytes.split_first_chunk::<2>().ok_or_else(cut)?;
        let (entry, rest) =
            rest.split_at_checked(usize::from(u16::from_be_bytes(*length))).ok_or_else(cut)?;
        entries.push(entry);
        bytes = rest;
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_a_cut_is_seen() {
        let entries: [&[u8]; 3] = [b"one", b"", b"three"];
        let packed = bundle(entries).expect("short entries");
        assert_eq!(packed, b"\0\x03one\0\0\0\x05three");
        assert_eq!(unbundle(&packed), Ok(entries.to_vec()));
        assert_eq!(unbundle(b""), Ok(vec![]));
        for cut in [1, 2, 4, packed.len() - 1] {
            assert!(matches!(unbundle(&packed[..cut]), Err(BadBundle::Truncated(_))), "{cut}");
        }
        assert_eq!(bundle([vec![0; 65_536].as_slice()]), Err(BadBundle::TooLong(0)));
    }
}
