//! A commit's bytes from what GitHub says of it.
//!
//! GitHub tells of a commit in JSON, not in bytes. What is lost on the way:
//! 1. Where the commit was signed, nothing: the signed text and the signature are there, and only the line ends around the
//!    signature have to be found.
//! 2. Otherwise the offsets from UTC of two dates and the line end after the message: few enough to try them all.
//!
//! The hash says which of them it was. Commits with further lines in their heads (an encoding, a tag that was merged)
//! cannot be rebuilt unless they were signed.

use super::wire::{GitCommit, Person};
use crate::moment::Moment;
use gix::ObjectId;
use gix::objs::Kind;

/// The offsets in use on Earth go from −12 to +14 hours, in quarters.
const OFFSETS: std::ops::RangeInclusive<i32> = -12 * 4..=14 * 4;

/// The bytes whose hash is the commit's, where they can be found.
pub(super) fn rebuild(commit: &GitCommit) -> Option<Vec<u8>> {
    let sha = ObjectId::from_hex(commit.sha.as_bytes()).ok()?;
    let is_it = |bytes: &[u8]| hash(bytes) == Some(sha);
    if let Some(found) = signed(commit).into_iter().find(|bytes| is_it(bytes)) {
        return Some(found);
    }
    let parents: Vec<&str> = commit.parents.iter().map(|parent| parent.sha.as_str()).collect();
    let messages = [commit.message.clone(), format!("{}\n", commit.message)];
    let try_all = |mut offsets: Box<dyn Iterator<Item = (i32, i32)>>| {
        offsets.find_map(|(author, committer)| {
            messages.iter().find_map(|message| {
                let bytes = written(commit, &parents, (author, committer), message)?;
                is_it(&bytes).then_some(bytes)
            })
        })
    };
    // Where both are the same, which is nearly always, few are tried; UTC before all.
    try_all(Box::new(std::iter::once((0, 0)).chain(OFFSETS.map(|both| (both, both))))).or_else(|| {
        try_all(Box::new(OFFSETS.flat_map(|author| OFFSETS.map(move |committer| (author, committer)))))
    })
}

/// The commit as we write it where its own bytes cannot be found, or where its parents have other names here.
pub(super) fn rewritten(commit: &GitCommit, parents: &[&str]) -> Option<Vec<u8>> {
    let message = format!("{}\n", commit.message.trim_end());
    written(commit, parents, (0, 0), &message)
}

fn hash(bytes: &[u8]) -> Option<ObjectId> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, Kind::Commit, bytes).ok()
}

/// The signed text with its signature put back at the end of its head.
fn signed(commit: &GitCommit) -> Vec<Vec<u8>> {
    let (Some(payload), Some(signature)) = (&commit.verification.payload, &commit.verification.signature)
    else {
        return Vec::new();
    };
    let Some((head, rest)) = payload.split_once("\n\n") else { return Vec::new() };
    let lines = signature.trim_end().replace('\n', "\n ");
    let ends = ["\n", "\n \n"];
    let rests = [rest.to_owned(), format!("{rest}\n"), rest.trim_end_matches('\n').to_owned()];
    let whole = |end: &str, rest: &String| format!("{head}\ngpgsig {lines}{end}\n{rest}").into_bytes();
    ends.iter().flat_map(|end| rests.iter().map(move |rest| whole(end, rest))).collect()
}

fn written(
    commit: &GitCommit,
    parents: &[&str],
    (author, committer): (i32, i32),
    message: &str,
) -> Option<Vec<u8>> {
    let mut text = format!("tree {}\n", commit.tree.sha);
    for parent in parents {
        text.push_str(&format!("parent {parent}\n"));
    }
    text.push_str(&format!("author {}\n", signed_by(&commit.author, author)?));
    text.push_str(&format!("committer {}\n", signed_by(&commit.committer, committer)?));
    text.push('\n');
    text.push_str(message);
    Some(text.into_bytes())
}

fn signed_by(person: &Person, quarters: i32) -> Option<String> {
    let seconds = Moment::read(&person.date)?.0.div_euclid(1_000);
    let sign = if quarters < 0 { '-' } else { '+' };
    let minutes = quarters.abs() * 15;
    // A line end or a bracket in a name would be another commit.
    let is_sound = |text: &str| !text.contains(['\n', '<', '>', '\0']);
    let sound = is_sound(&person.name) && is_sound(&person.email);
    sound.then(|| {
        format!("{} <{}> {seconds} {sign}{:02}{:02}", person.name, person.email, minutes / 60, minutes % 60)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge::github::wire::{Named, Verification};

    fn described(bytes: &[u8]) -> GitCommit {
        let person = |date: &str| Person {
            name: "Ann Peeters".to_owned(),
            email: "ann@example.org".to_owned(),
            date: date.to_owned(),
        };
        GitCommit {
            sha: hash(bytes).expect("a hash").to_string(),
            tree: Named { sha: "4b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned() },
            parents: vec![Named { sha: "1".repeat(40) }],
            author: person("2026-11-15T10:00:00Z"),
            committer: person("2026-11-15T11:00:00Z"),
            message: "Fees of 2027".to_owned(),
            verification: Verification::default(),
        }
    }

    fn commit(author: &str, committer: &str, rest: &str) -> String {
        format!(
            "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent {}\nauthor Ann Peeters <ann@example.org> 1794736800 {author}\n\
             committer Ann Peeters <ann@example.org> 1794740400 {committer}\n{rest}",
            "1".repeat(40)
        )
    }

    #[test]
    fn offsets_and_line_ends_are_found_by_the_hash() {
        for (author, committer) in
            [("+0000", "+0000"), ("+0100", "+0100"), ("-0330", "+0545"), ("+0200", "+0000")]
        {
            for message in ["\nFees of 2027", "\nFees of 2027\n"] {
                let bytes = commit(author, committer, message).into_bytes();
                assert_eq!(rebuild(&described(&bytes)), Some(bytes), "{author} {committer} {message:?}");
            }
        }
    }

    #[test]
    fn a_signature_is_put_back_where_it_was() {
        let signature =
            "-----BEGIN PGP SIGNATURE-----\n\nwsBcBAABCAAQBQJ\n=abcd\n-----END PGP SIGNATURE-----\n";
        for (lines, message) in [
            (
                "gpgsig -----BEGIN PGP SIGNATURE-----\n \n wsBcBAABCAAQBQJ\n =abcd\n -----END PGP SIGNATURE-----\n",
                "Fees\n",
            ),
            (
                "gpgsig -----BEGIN PGP SIGNATURE-----\n \n wsBcBAABCAAQBQJ\n =abcd\n -----END PGP SIGNATURE-----\n \n",
                "Fees",
            ),
        ] {
            let bytes = commit("+0100", "+0100", &format!("{lines}\n{message}")).into_bytes();
            let mut told = described(&bytes);
            told.verification = Verification {
                payload: Some(commit("+0100", "+0100", &format!("\n{message}"))),
                signature: Some(signature.to_owned()),
            };
            assert_eq!(rebuild(&told), Some(bytes));
        }
    }

    #[test]
    fn what_is_lost_is_not_made_up() {
        let bytes = commit("+0100", "+0100", "encoding ISO-8859-1\n\nFees of 2027\n").into_bytes();
        assert_eq!(rebuild(&described(&bytes)), None);
        let ours = rewritten(&described(&bytes), &["2".repeat(40).as_str()]).expect("a commit");
        let ours = String::from_utf8(ours).expect("text");
        assert!(
            ours.contains(&format!("parent {}\n", "2".repeat(40))) && ours.ends_with("\n\nFees of 2027\n")
        );
    }
}
