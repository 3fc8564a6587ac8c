//! Small ways of reading words: folded text, keys, slugs and placeholders.

use plumbline_core::domain::Language;
use plumbline_core::text::{WordList, fold, without_marks};
use sha2::{Digest, Sha256};

use super::labels::any_language;

/// Text made comparable, without marks of emphasis.
pub(super) fn folded(text: &str) -> String {
    fold(text).replace(['*', '_', '`'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A key of front matter or a label, made comparable: `dct:isReplacedBy`, `last-updated` and "Last updated" are words.
pub(super) fn key(written: &str) -> String {
    let written = written.replace("(s)", "s");
    let local = written.rsplit([':', '.']).find(|part| !part.trim().is_empty()).unwrap_or(&written);
    let mut spaced = String::with_capacity(local.len());
    let mut before_lower = false;
    for c in local.chars() {
        if c.is_uppercase() && before_lower {
            spaced.push(' ');
        }
        before_lower = c.is_lowercase();
        spaced.push(if matches!(c, '-' | '_' | '/' | '(' | ')') { ' ' } else { c });
    }
    folded(&spaced)
}

/// Text as part of an id: `[a-z0-9-]+`. What has no Latin letter or digit goes by its digest.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in without_marks(&fold(text)).chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if !slug.is_empty() {
        return slug.to_owned();
    }
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a value only says what should stand there: "{YYYY-MM-DD}", "[proposed | accepted]", "TBD", "-".
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let inner = value.trim_matches(['"', '\'', '*', '_', '`', ' ']);
    let bracketed = [('{', '}'), ('[', ']'), ('<', '>')].iter().any(|(open, close)| {
        inner.starts_with(*open) && (inner.ends_with(*close) || !inner.contains(*close))
    });
    let choice = inner.matches(" | ").count() >= 2 || inner.matches(" / ").count() >= 3;
    let empty = !inner.chars().any(char::is_alphanumeric) && !inner.contains(['✅', '❌', '✔', '✓']);
    let low = inner.to_lowercase();
    bracketed || choice || empty || low == "xxx" || any_language(|words| words.hints.blanks.contains(&low))
}

/// Text without what stands in brackets: "v1.0.0 (2025-07-21)" is "v1.0.0".
pub(super) fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut bare = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Splits a list of names or tags; what stands in brackets belongs to the name before it.
pub(super) fn listed(text: &str) -> Vec<String> {
    let text = text.trim();
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let handles =
        text.split_whitespace().count() > 1 && text.split_whitespace().all(|word| word.starts_with('@'));
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let parts_here =
            depth == 0 && (matches!(c, ',' | ';' | '\n' | '|') || (handles && c.is_whitespace()));
        match parts.last_mut() {
            Some(part) if !parts_here => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    let joints: Vec<&str> =
        Language::all().flat_map(|language| &WordList::of(language).and).map(String::as_str).collect();
    let mut names: Vec<&str> = parts.iter().flat_map(|part| part.split(" & ")).collect();
    for joint in &joints {
        let between = format!(" {joint} ");
        names = names.into_iter().flat_map(|name| name.split(between.as_str())).collect();
    }
    let names = names.into_iter().map(|name| name.trim().trim_matches(['"', '\'', '.']));
    let names = names.map(|name| {
        let behind = joints.iter().find_map(|joint| name.strip_prefix(joint)?.strip_prefix(' '));
        behind.unwrap_or(name).trim()
    });
    names.filter(|name| !is_placeholder(name)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_every_dialect_become_words() {
        for (written, read) in [
            ("dct:isReplacedBy", "is replaced by"),
            ("last_updated", "last updated"),
            ("Decision-makers", "decision makers"),
            ("lastUpdated", "last updated"),
            ("**Status**", "status"),
            ("dct.modified", "modified"),
            ("Owner(s)", "owners"),
        ] {
            assert_eq!(key(written), read);
        }
    }

    #[test]
    fn slugs_are_parts_of_ids_whatever_the_script() {
        assert_eq!(slug("Één bron_van waarheid!.md"), "een-bron-van-waarheid-md");
        assert_eq!(slug("--a--b--"), "a-b");
        assert_eq!(slug("方針").len(), 8, "a name without Latin letters still has a slug");
        assert_ne!(slug("方針"), slug("決定"));
    }

    #[test]
    fn lists_of_people_are_split_where_people_split_them() {
        assert_eq!(listed("@a, @b-c and @d"), ["@a", "@b-c", "@d"]);
        assert_eq!(listed("Jan, Piet, en Klaas"), ["Jan", "Piet", "Klaas"]);
        assert_eq!(listed("@codereaper @martinschmidt"), ["@codereaper", "@martinschmidt"]);
        assert_eq!(
            listed("Jan de Vries (CTO, chair); Piet & Anna"),
            ["Jan de Vries (CTO, chair)", "Piet", "Anna"]
        );
        assert_eq!(listed("[list everyone involved]"), ["list everyone involved"]);
        assert!(listed("{list everyone involved}").is_empty());
        assert!(listed("N/A").is_empty());
    }

    #[test]
    fn placeholders_are_no_values() {
        for text in ["[proposed | rejected | accepted]", "{YYYY-MM-DD}", "<date>", "", "-", "___", "TBD"] {
            assert!(is_placeholder(text), "`{text}` says nothing");
        }
        for text in ["Accepted", "✅", "[x] done", "2024-01-01", "rejected (see [1])"] {
            assert!(!is_placeholder(text), "`{text}` says something");
        }
    }
}
