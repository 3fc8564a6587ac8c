use sha2::{Digest, Sha256};

/// The id under which a concept is cited: `vocab-<slug>`, the slug being the end of its URI and made of ASCII letters,
/// digits and hyphens only. Where letters had to go, part of a digest keeps two concepts apart.
pub fn concept_id(uri: &str) -> String {
    let last = uri.rsplit(['/', '#', ':']).find(|part| !part.is_empty()).unwrap_or_default();
    let words: Vec<&str> =
        last.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let slug = words.join("-");
    let lost = last.chars().any(|c| !c.is_ascii() || c == '%');
    if !lost && !slug.is_empty() {
        return format!("vocab-{slug}");
    }
    let digest = Sha256::digest(uri.as_bytes());
    let short: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let joint = if slug.is_empty() { "" } else { "-" };
    format!("vocab-{slug}{joint}{short}")
}
