//! Text that is found, with a few words around it.

/// Shown before what was found, and after where it begins.
const BEFORE: usize = 20;
const AFTER: usize = 60;

/// The words around the first place where a text holds another, whatever their case; nothing where it does not.
pub(crate) fn excerpt_around(text: &str, wanted: &str) -> Option<String> {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let wanted = lower(wanted);
    // By character of the text itself, since one may become two in lower case.
    let folded: Vec<(usize, char)> =
        text.chars().enumerate().flat_map(|(at, c)| c.to_lowercase().map(move |lower| (at, lower))).collect();
    let found = folded
        .windows(wanted.len().max(1))
        .find(|window| window.iter().map(|(_, c)| c).eq(wanted.iter()))
        .and_then(|window| window.first())?;
    let start = found.0.saturating_sub(BEFORE);
    let excerpt: String = text.chars().skip(start).take(BEFORE + AFTER).collect();
    Some(excerpt.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_makes_no_difference_and_letters_are_never_cut() {
        assert_eq!(excerpt_around("Which TLS versions?", "tls").as_deref(), Some("Which TLS versions?"));
        assert_eq!(excerpt_around("Één ÉLAN", "élan").as_deref(), Some("Één ÉLAN"));
        assert_eq!(excerpt_around("İstanbul is far", "far").as_deref(), Some("İstanbul is far"));
        assert_eq!(excerpt_around("nothing", "else"), None);
        let long = format!("{} needle {}", "é".repeat(200), "ü".repeat(200));
        let excerpt = excerpt_around(&long, "NEEDLE").unwrap();
        assert!(excerpt.contains("needle") && excerpt.chars().count() <= 80, "{excerpt}");
    }
}
