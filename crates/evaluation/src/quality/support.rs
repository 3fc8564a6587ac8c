use plumbline_core::response::{Action, AskResponse};

/// Numbers, record numbers and quotations in an answer that none of the passages it cites holds.
///
/// It is a second look, by simpler means than the engine's own, at what must never be there.
pub fn unsupported_tokens(response: &AskResponse) -> Vec<String> {
    // What a refusal or a referral says is ours, with figures of its own.
    if response.action != Action::Cite {
        return Vec::new();
    }
    let mut held = String::new();
    for citation in &response.citations {
        let known =
            [&citation.snippet_full, &citation.document_name, &citation.section, &citation.page_number];
        known.into_iter().for_each(|text| held.extend([text.as_str(), " "]));
        for text in [&citation.status, &citation.date, &citation.version].into_iter().flatten() {
            held.extend([text.as_str(), " "]);
        }
        held.extend([citation.document_id.as_str(), " "]);
    }
    let held = plain(&held);
    let (answer, _) = split_markers(&response.answer);
    let mut missing: Vec<String> =
        numbers(&answer).into_iter().filter(|number| !numbers(&held).contains(number)).collect();
    missing.extend(quotations(&answer).into_iter().filter(|quoted| !held.contains(&plain(quoted))));
    missing
}

/// Citations in an answer that lead to no passage.
pub fn unresolved_citations(response: &AskResponse) -> Vec<String> {
    let known = |number: usize| response.citations.iter().any(|citation| citation.number == number);
    let (_, markers) = split_markers(&response.answer);
    markers.into_iter().filter(|number| !known(*number)).map(|number| format!("[{number}]")).collect()
}

/// What is left of a text once spacing, case, emphasis and the shape of quotation marks no longer count.
fn plain(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let words = words.replace(['‘', '’', '“', '”', '\''], "\"").replace(['*', '`'], "");
    [" .", " ,", " ;", " :"].into_iter().fold(words, |text, loose| text.replace(loose, loose.trim_start()))
}

/// The answer without its `[1]`, and their numbers.
fn split_markers(answer: &str) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(answer.len());
    let mut numbers = Vec::new();
    let mut rest = answer;
    while let Some(at) = rest.find('[') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let digits = from[1..].chars().take_while(char::is_ascii_digit).count();
        if digits > 0 && from[1 + digits..].starts_with(']') {
            numbers.extend(from[1..=digits].parse::<usize>());
            rest = &from[digits + 2..];
        } else {
            out.push('[');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    (out, numbers)
}

/// Runs of digits, with leading zeros taken off: `ADR-0012` and "ADR 12" are one number.
fn numbers(text: &str) -> Vec<String> {
    text.lines()
        .flat_map(|line| without_list_number(line).split(|c: char| !c.is_ascii_digit()))
        .filter(|digits| !digits.is_empty())
        .map(|digits| match digits.trim_start_matches('0') {
            "" => "0".to_owned(),
            number => number.to_owned(),
        })
        .collect()
}

/// A line without the number that its place in a list gives it.
fn without_list_number(line: &str) -> &str {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line[digits..].strip_prefix(['.', ')']) {
        Some(rest) if (1..=2).contains(&digits) && rest.starts_with(' ') => rest,
        _ => line,
    }
}

/// What stands between typographic or straight double quotation marks in one line, where it is more than a word or two. A mark
/// that its line does not close quotes nothing; what ends in a full stop may go on in the passage.
fn quotations(text: &str) -> Vec<String> {
    let straight = text.replace(['“', '”', '„'], "\"");
    let lines = straight.lines().filter(|line| line.matches('"').count() % 2 == 0);
    let quoted = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    quoted
        .map(|quoted| quoted.trim_end_matches(['.', ',', ' ']))
        .filter(|quoted| quoted.split_whitespace().count() > 2)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_no_numbers_and_zeros_in_front_do_not_count() {
        let (text, markers) = split_markers("See ADR-0012 [1][12] and names[2] [x].");
        assert_eq!((text.as_str(), markers.as_slice()), ("See ADR-0012  and names [x].", &[1, 12, 2][..]));
        assert_eq!(numbers("ADR-0012, 15 minutes, 0.05"), ["12", "15", "0", "5"]);
        assert_eq!(numbers("1. Two hours\n2) 35 days\n2.5 V"), ["35", "2", "5"]);
        assert_eq!(quotations("He said “all records are void.” and \"no\"."), ["all records are void"]);
        assert!(quotations("Kept until the end.\" Then they go.\nIt was so.").is_empty());
        assert_eq!(plain("It is **kept** . Such as 'this'"), plain("it is kept. Such as “this”"));
    }
}
