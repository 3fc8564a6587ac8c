//! Numbers as the window takes them.

/// How many there are; the window's numbers end where nobody counts any more.
pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
