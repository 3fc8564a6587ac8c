use plumbline_core::domain::Language;
use plumbline_library::{BlockKind, ChunkDraft, ChunkRules, ReadDocument, chunk, read};

pub fn markdown(text: &str) -> ReadDocument {
    read("record.md", text.as_bytes()).unwrap()
}

/// The texts of a document's blocks that are no headings, those that were torn apart put together again.
pub fn contents(document: &ReadDocument) -> Vec<String> {
    let mut contents: Vec<String> = Vec::new();
    for block in document.blocks.iter().filter(|block| !matches!(block.kind, BlockKind::Heading { .. })) {
        let text = &document.text[block.span.clone()];
        match (&block.continues, contents.last_mut()) {
            (Some(between), Some(last)) => *last += &format!("{between}{text}"),
            _ => contents.push(text.to_owned()),
        }
    }
    contents
}

pub fn headings(document: &ReadDocument) -> Vec<(u8, &str)> {
    document
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Heading { level, text } => Some((*level, text.as_str())),
            _ => None,
        })
        .collect()
}

pub fn kinds(document: &ReadDocument) -> Vec<BlockKind> {
    document.blocks.iter().map(|block| block.kind.clone()).collect()
}

pub fn chunks(document: &ReadDocument, title: &str) -> Vec<ChunkDraft> {
    chunk(document, title, Language::EN, &ChunkRules::default())
}

/// What a chunk's span covers in the document.
pub fn covered(document: &ReadDocument, chunk: &ChunkDraft) -> String {
    document.text.chars().skip(chunk.span.start).take(chunk.span.end - chunk.span.start).collect()
}
