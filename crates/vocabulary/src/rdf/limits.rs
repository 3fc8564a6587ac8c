use super::RdfFormat;

/// A vocabulary file may be this long.
pub const MAX_FILE_BYTES: usize = 64 << 20;

/// So deep may JSON be nested.
pub const MAX_JSON_DEPTH: usize = 128;

/// What all entities of an XML file may add up to at most.
const MAX_EXPANDED_BYTES: usize = 64 << 20;

/// Whether the file stays within what is safe to hand to a parser.
pub(super) fn check(bytes: &[u8], format: RdfFormat) -> Result<(), String> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(format!("the file is longer than {} MiB", MAX_FILE_BYTES >> 20));
    }
    match format {
        RdfFormat::JsonLd => json_depth(bytes),
        RdfFormat::RdfXml => entities(bytes),
        _ => Ok(()),
    }
}

fn json_depth(bytes: &[u8]) -> Result<(), String> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_JSON_DEPTH {
            return Err(format!("the JSON is nested more than {MAX_JSON_DEPTH} deep"));
        }
    }
    Ok(())
}

/// Entities stand for namespaces in RDF/XML; ones made of others, or long ones used often, are bombs.
fn entities(bytes: &[u8]) -> Result<(), String> {
    const DECLARATION: &[u8] = b"<!ENTITY";
    let mut longest = 0;
    let mut rest = bytes;
    while let Some(at) = rest.windows(DECLARATION.len()).position(|window| window == DECLARATION) {
        rest = rest.get(at + DECLARATION.len()..).unwrap_or_default();
        let mut quoted = rest.split(|byte| *byte == b'"');
        let value = quoted.nth(1).unwrap_or_default();
        if value.contains(&b'&') {
            return Err("the file has an entity made of other entities".to_owned());
        }
        longest = longest.max(value.len());
    }
    let references = bytes.iter().filter(|byte| **byte == b'&').count();
    if longest.saturating_mul(references) > MAX_EXPANDED_BYTES {
        return Err("the entities of the file add up to too much text".to_owned());
    }
    Ok(())
}
