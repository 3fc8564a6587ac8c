//! Whether a text that is meant for a Dutch reader is told in Dutch.

/// Words that English can hardly do without, and that Dutch does not have.
const ENGLISH: [&str; 37] = [
    "an", "and", "another", "are", "be", "been", "cannot", "could", "did", "does", "file", "files", "folder",
    "for", "from", "has", "have", "it", "its", "must", "no", "not", "nothing", "on", "or", "run", "than",
    "that", "the", "there", "this", "to", "until", "were", "where", "which", "with",
];

/// The English words that are left in a text. What stands between “ and ” was said by a system or a server and what stands
/// between two ` is a name or a command: both stay as they are, as do paths, addresses and names in capitals.
pub fn english_words(text: &str) -> Vec<String> {
    let mut own = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['“', '`']) {
        own.push_str(&rest[..at]);
        let mut inside = rest[at..].chars();
        let close = if inside.next() == Some('`') { '`' } else { '”' };
        let inside = inside.as_str();
        rest = inside.find(close).map_or("", |end| &inside[end + close.len_utf8()..]);
    }
    own.push_str(rest);
    let words = own.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words = words.filter(|word| word.chars().any(char::is_lowercase));
    words.filter(|word| ENGLISH.contains(&word.to_lowercase().as_str())).map(str::to_owned).collect()
}

/// Fails where a text for a Dutch reader is empty or holds English.
#[track_caller]
pub fn assert_dutch(text: &str) {
    assert!(!text.is_empty(), "nothing is told");
    let left = english_words(text);
    assert!(left.is_empty(), "{left:?} are no Dutch words: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_is_found_and_what_others_said_is_not() {
        assert_eq!(english_words("Ollama: it is not there"), ["it", "not", "there"]);
        let dutch = "de server op http://the.org zei “it is not there”: voer `run the index` uit met FILE";
        assert!(english_words(dutch).is_empty(), "{dutch}");
        assert!(english_words("“never closed, with the rest").is_empty());
    }
}
