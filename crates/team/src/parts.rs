//! Which documents go into which file. What is published stays where it is, so that a change costs what changed; a file that
//! holds mostly what is gone, or one of many small ones, is made anew.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::Part;

/// Files that are small are put together when there are more of them than this.
const MAX_SMALL: usize = 12;

/// How large files are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// A file is begun anew when it has so many bytes, before they are packed.
    full: usize,
    /// One with fewer is small.
    small: u64,
    /// One of several documents with more is made anew.
    large: u64,
}

impl Sizes {
    /// Files that are pulled whole.
    pub const PULLED: Self = Self { full: 4 << 20, small: 256 << 10, large: u64::MAX };
    /// Files of which a question pulls those that hold what it found.
    pub const READ_IN_PLACE: Self = Self { full: 256 << 10, small: 16 << 10, large: 1 << 20 };
}

/// What becomes of a shelf's files.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arrangement {
    /// Files that stay, with what of them counts.
    pub kept: Vec<Part>,
    /// Documents of each file that is to be made.
    pub made: Vec<Vec<String>>,
}

/// Arranges the documents of a shelf: those that are wanted, in their order, each with its size.
pub(crate) fn arrange(published: &[Part], wanted: &[(String, usize)], sizes: Sizes) -> Arrangement {
    let mut missing: BTreeMap<&str, ()> = wanted.iter().map(|(digest, _)| (digest.as_str(), ())).collect();
    let mut kept: Vec<Part> = Vec::new();
    for part in published {
        let alive: BTreeSet<String> =
            part.documents.iter().filter(|digest| missing.contains_key(digest.as_str())).cloned().collect();
        let too_large = part.bytes > sizes.large && part.made_of > 1;
        if too_large || alive.len() * 2 <= part.made_of {
            continue;
        }
        alive.iter().for_each(|digest| {
            missing.remove(digest.as_str());
        });
        kept.push(Part { documents: alive, ..part.clone() });
    }
    let is_small = |part: &Part| part.bytes < sizes.small;
    if kept.iter().filter(|part| is_small(part)).count() > MAX_SMALL {
        for part in kept.extract_if(.., |part| is_small(part)) {
            let again = wanted.iter().filter(|(digest, _)| part.documents.contains(digest));
            missing.extend(again.map(|(digest, _)| (digest.as_str(), ())));
        }
    }
    let mut made: Vec<Vec<String>> = Vec::new();
    let mut size = sizes.full;
    for (digest, bytes) in wanted.iter().filter(|(digest, _)| missing.contains_key(digest.as_str())) {
        if size >= sizes.full {
            made.push(Vec::new());
            size = 0;
        }
        size += bytes;
        if let Some(last) = made.last_mut() {
            last.push(digest.clone());
        }
    }
    Arrangement { kept, made }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: u64 = Sizes::PULLED.small;
    const FULL: usize = Sizes::PULLED.full;

    fn arrange(published: &[Part], wanted: &[(String, usize)]) -> Arrangement {
        super::arrange(published, wanted, Sizes::PULLED)
    }

    fn part(name: &str, bytes: u64, documents: &[&str]) -> Part {
        Part {
            sha256: name.to_owned(),
            bytes,
            made_of: documents.len(),
            documents: documents.iter().map(|digest| (*digest).to_owned()).collect(),
        }
    }

    fn wanted(digests: &[&str]) -> Vec<(String, usize)> {
        digests.iter().map(|digest| ((*digest).to_owned(), 1)).collect()
    }

    #[test]
    fn what_is_published_stays_and_only_the_rest_is_made() {
        let published = [part("p", SMALL, &["a", "b", "c"])];
        let arranged = arrange(&published, &wanted(&["a", "c", "d"]));
        assert_eq!(arranged.kept.len(), 1);
        assert_eq!(arranged.kept[0].documents, BTreeSet::from(["a".to_owned(), "c".to_owned()]));
        assert_eq!(arranged.made, [vec!["d".to_owned()]]);
    }

    #[test]
    fn a_file_that_is_half_gone_is_made_anew() {
        let published = [part("p", SMALL, &["a", "b"])];
        let arranged = arrange(&published, &wanted(&["a"]));
        assert_eq!(arranged, Arrangement { kept: Vec::new(), made: vec![vec!["a".to_owned()]] });
        assert_eq!(arrange(&published, &[]), Arrangement { kept: Vec::new(), made: Vec::new() });
    }

    #[test]
    fn many_small_files_become_one() {
        let names: Vec<String> = (0..=MAX_SMALL).map(|number| format!("d{number}")).collect();
        let published: Vec<Part> = names.iter().map(|name| part(name, 1, &[name])).collect();
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        let arranged = arrange(&published, &wanted(&all));
        assert!(arranged.kept.is_empty());
        assert_eq!(arranged.made.len(), 1);
        let fewer = arrange(&published[1..], &wanted(&all[1..]));
        assert_eq!((fewer.kept.len(), fewer.made.len()), (MAX_SMALL, 0));
    }

    #[test]
    fn a_full_file_is_followed_by_another() {
        let large: Vec<(String, usize)> =
            ["a", "b", "c"].map(|digest| (digest.to_owned(), FULL / 2)).to_vec();
        assert_eq!(arrange(&[], &large).made.len(), 2);
    }
    #[test]
    fn a_file_that_is_too_large_to_be_read_in_place_is_made_anew() {
        let published = [part("p", 2 << 20, &["a", "b"]), part("q", 2 << 20, &["c"])];
        let arranged = super::arrange(&published, &wanted(&["a", "b", "c"]), Sizes::READ_IN_PLACE);
        assert_eq!(arranged.kept, [published[1].clone()], "a document is not cut");
        assert_eq!(arranged.made, [vec!["a".to_owned(), "b".to_owned()]]);
    }
}
