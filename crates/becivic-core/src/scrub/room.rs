//! Room for what is found in a text, when there is much of it.

/// Things found after which it is guessed how many more there will be.
const TELLING: usize = 4 << 10;

/// Adds something that was found when this much of a text of this length was read. If there is no room for it, some is made for as many as
/// there will be if the text goes on as it began: to have room made again and again, and what is there moved, costs more than to
/// find it.
#[inline]
pub(super) fn add<T>(all: &mut Vec<T>, one: T, read: usize, length: usize) {
    if all.len() == all.capacity() {
        make(all, read, length);
    }
    all.push(one);
}

#[cold]
fn make<T>(all: &mut Vec<T>, read: usize, length: usize) {
    if all.len() < TELLING {
        return all.reserve(1);
    }
    let left = length.saturating_sub(read) as u64;
    let expected = (all.len() as u64).saturating_mul(left) / (read as u64).max(1);
    // Room for twice as many: what is not used is not touched either, and costs nothing. A guess that is wrong again and again still makes
    // for few moves.
    let room = usize::try_from(2 * expected).unwrap_or(0).max(all.len() / 2 + 1);
    if all.try_reserve_exact(room).is_err() {
        all.reserve(1);
    }
}
