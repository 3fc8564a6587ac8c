//! What is no content though it stands in the text: hints of a form that nobody took out, and lists of links to places in the same
//! page, which only repeat its headings.

use plumbline_core::domain::Language;
use plumbline_core::text::fold;

use crate::reading::{Block, BlockKind};

/// Fewer links in a row than this may be a remark.
const FEWEST_ENTRIES: usize = 3;

/// Takes the blocks out that are no content.
pub(super) fn drop(blocks: Vec<Block>, body: &str) -> Vec<Block> {
    let entries: Vec<usize> = blocks.iter().map(|block| entries(block, body)).collect();
    let mut left_out: Vec<bool> = blocks.iter().map(|block| is_hint(block, body)).collect();
    let mut at = 0;
    while at < blocks.len() {
        let run = entries[at..].iter().take_while(|count| **count > 0).count();
        if entries[at..at + run].iter().sum::<usize>() >= FEWEST_ENTRIES {
            left_out[at..at + run].fill(true);
        }
        at += run.max(1);
    }
    // What a comment has cut in two stays together.
    for at in 0..blocks.len() {
        let in_parts =
            blocks[at].continues.is_some() || blocks.get(at + 1).is_some_and(|next| next.continues.is_some());
        left_out[at] &= !in_parts;
    }
    blocks.into_iter().zip(left_out).filter(|(_, left_out)| !left_out).map(|(block, _)| block).collect()
}

/// "(Optional section for context, risks, …)": what should have been written, and was not.
fn is_hint(block: &Block, body: &str) -> bool {
    let text = body.get(block.span.clone()).unwrap_or_default().trim().trim_matches(['*', '_']);
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let says = |inner: &str| {
        let inner = fold(inner);
        let begins = |opening: &String| {
            let rest = inner.trim_start().strip_prefix(opening.as_str());
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        Language::all().any(|language| language.documents().hints.openings.iter().any(begins))
    };
    block.kind == BlockKind::Paragraph && inner.is_some_and(says)
}

/// How many entries of a table of contents a block is; none where it is anything else.
fn entries(block: &Block, body: &str) -> usize {
    if !matches!(block.kind, BlockKind::Paragraph | BlockKind::List) {
        return 0;
    }
    let text = body.get(block.span.clone()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_entry = |line: &&str| {
        let link = line.trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, '-' | '*' | '+' | '.' | ')' | ' ')
        });
        let link = link.trim_end_matches(['\\', ' ']);
        link.starts_with('[')
            && link.matches("](").count() == 1
            && link.contains("](#")
            && link.ends_with(')')
    };
    if lines.iter().all(is_entry) { lines.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::reading::{BlockKind, read};

    fn texts(markdown: &str) -> Vec<String> {
        let document = read("a.md", markdown.as_bytes()).unwrap();
        let content = document.blocks.iter().filter(|block| !matches!(block.kind, BlockKind::Heading { .. }));
        content.map(|block| document.text[block.span.clone()].trim().to_owned()).collect()
    }

    #[test]
    fn hints_of_a_form_are_no_content_in_any_language() {
        let text = "# T\n\n(Optional section for context,\nrisks and links)\n\n*(Optionele paragraaf voor risico's)*\n\n(Optional parts of the mast are painted.)\n\nKept (optional section) here.\n";
        assert_eq!(
            texts(text),
            ["(Optional parts of the mast are painted.)", "Kept (optional section) here."]
        );
    }

    #[test]
    fn a_list_of_links_into_the_page_repeats_its_headings() {
        let listed = "# T\n\n## Contents\n\n- [A](#a)\n  - [B (c)](#b)\n1. [D](#d)\n\n## A\n\nx\n";
        assert_eq!(texts(listed), ["x"]);
        let printed = "# T\n\n[1 A](#a)\n\n[2 B](#b)\n\n[3 C](#c)\n\nx\n";
        assert_eq!(texts(printed), ["x"]);
        let remark = "# T\n\n- [A](#a)\n- [B](other.md)\n- See [C](#c).\n";
        assert_eq!(texts(remark).len(), 1, "links to other pages say something");
    }
}
