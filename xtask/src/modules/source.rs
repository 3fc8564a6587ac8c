//! Source text as the few tokens that paths are made of.

/// Identifiers, `::` and single signs; no comments, no literals and nothing that is compiled for tests only.
pub fn tokens(text: &str) -> Vec<String> {
    without_tests(&plain_tokens(text))
}

fn plain_tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        at = match (c, next) {
            ('/', Some('/')) => position(&chars, at, |c| c == '\n'),
            ('/', Some('*')) => end_of_comment(&chars, at),
            ('"', _) => end_of_string(&chars, at),
            ('r', Some('"' | '#')) if raw_marks(&chars, at + 1).is_some() => {
                end_of_raw_string(&chars, at + 1)
            }
            ('\'', _) => end_of_quote(&chars, at),
            (':', Some(':')) => {
                tokens.push("::".to_owned());
                at + 2
            }
            (c, _) if is_word(c) => {
                let end = position(&chars, at, |c| !is_word(c));
                tokens.push(chars[at..end].iter().collect());
                end
            }
            (c, _) => {
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
                at + 1
            }
        };
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn position(chars: &[char], from: usize, wanted: impl Fn(char) -> bool) -> usize {
    chars[from..].iter().position(|c| wanted(*c)).map_or(chars.len(), |found| from + found)
}

/// Block comments nest.
fn end_of_comment(chars: &[char], from: usize) -> usize {
    let (mut depth, mut at) = (0, from);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn end_of_string(chars: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// How many marks open a raw string, where one begins here.
fn raw_marks(chars: &[char], from: usize) -> Option<usize> {
    let end = position(chars, from, |c| c != '#');
    (chars.get(end) == Some(&'"')).then_some(end - from)
}

fn end_of_raw_string(chars: &[char], from: usize) -> usize {
    let marks = raw_marks(chars, from).unwrap_or_default();
    let closing: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', marks)).collect();
    let start = from + marks + 1;
    let found = chars[start..].windows(closing.len()).position(|window| window == closing);
    found.map_or(chars.len(), |found| start + found + closing.len())
}

/// A character, or a lifetime, which has no closing quote.
fn end_of_quote(chars: &[char], from: usize) -> usize {
    match (chars.get(from + 1), chars.get(from + 2)) {
        (Some('\\'), _) => position(chars, from + 3, |c| c == '\'') + 1,
        (_, Some('\'')) => from + 3,
        _ => from + 1,
    }
}

/// Leaves out every item under `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().map(String::as_str).take(MARK.len()).eq(MARK) {
            at = end_of_item(tokens, at + MARK.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// After the first `;` outside of braces, or after the braces.
fn end_of_item(tokens: &[String], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.as_str() {
            ";" if depth == 0 => return at + 1,
            "{" => depth += 1,
            "}" if depth <= 1 => return at + 1,
            "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn what_is_no_code_is_left_out() {
        let text = r##"
            // crate::a
            /* crate::b /* crate::c */ crate::d */
            let text = "crate::e \" crate::f"; let raw = r#"crate::g " "#;
            let quote = '"'; let escaped = '\''; fn f<'a>(x: &'a str) { crate::h(x) }
        "##;
        let tokens = tokens(text).join(" ");
        assert!(tokens.contains("crate :: h"), "{tokens}");
        assert_eq!(tokens.matches("crate").count(), 1, "{tokens}");
    }

    #[test]
    fn tests_are_left_out_and_what_follows_them_is_not() {
        let text = "#[cfg(test)] mod tests { use crate::a; fn f() { } } #[cfg(test)] mod more; use crate::b;";
        assert_eq!(tokens(text).join(" "), "use crate :: b ;");
    }
}
