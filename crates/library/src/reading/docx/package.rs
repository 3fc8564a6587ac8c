//! The ZIP archive and the relations between its parts.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use zip::ZipArchive;
use zip::result::ZipError;

use super::xml;
use crate::reading::{Format, Unreadable};

/// No document that people read unpacks to more than this.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;
/// Text packs at most about twenty to one; bombs reach a thousand.
const MAX_RATIO: u64 = 200;
/// Below this the ratio says nothing.
const SMALL: u64 = 4 * 1024 * 1024;

pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    unpacked: u64,
}

impl<'a> Package<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(fault)?;
        Ok(Self { archive, unpacked: 0 })
    }

    /// The content of a part; `None` where there is no such part.
    pub fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let file = match self.archive.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(fault(error)),
        };
        let packed = file.compressed_size().max(1);
        let left = MAX_UNPACKED - self.unpacked;
        let limit = left.min(SMALL.max(packed.saturating_mul(MAX_RATIO)));
        let mut content = Vec::new();
        // The size that the archive states may be a lie, so what comes out is counted.
        file.take(limit + 1).read_to_end(&mut content).map_err(|error| {
            let part = Detail::of(Message::UnreadablePart, [("name", name.into())]);
            Unreadable::damaged(Detail::about(part, error.to_string()))
        })?;
        if content.len() as u64 > limit {
            let values = [("name", name.into()), ("n", (limit >> 20).to_string().into())];
            return Err(Unreadable::too_large(Detail::of(Message::UnreadableLargePart, values)));
        }
        self.unpacked += content.len() as u64;
        Ok(Some(content))
    }

    /// The part that holds the text.
    pub fn main_part(&mut self) -> Result<String, Unreadable> {
        let relations = match self.part("_rels/.rels")? {
            Some(relations) => relations_of("", &relations),
            None => BTreeMap::new(),
        };
        let main = relations.get("officeDocument").cloned().unwrap_or_else(|| "word/document.xml".to_owned());
        if self.archive.index_for_name(&main).is_none() {
            return Err(Unreadable::damaged(Message::UnreadableNoPart));
        }
        if !main.starts_with("word/") && self.archive.index_for_name("word/document.xml").is_none() {
            return Err(Unreadable::wrong_format(Format::Docx, Message::UnreadableIsOffice));
        }
        Ok(main)
    }

    /// The parts that a part refers to, by the last word of their relation.
    pub fn related(&mut self, part: &str) -> Result<BTreeMap<String, String>, Unreadable> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let relations = self.part(&format!("{folder}/_rels/{file}.rels"))?;
        Ok(relations.map(|relations| relations_of(folder, &relations)).unwrap_or_default())
    }
}

fn relations_of(folder: &str, relations: &[u8]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    xml::each(relations, &mut |element| {
        if element.name == "Relationship"
            && let (Some(kind), Some(target)) = (element.attribute("Type"), element.attribute("Target"))
        {
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let target = match target.strip_prefix('/') {
                Some(absolute) => absolute.to_owned(),
                None if folder.is_empty() => target,
                None => format!("{folder}/{target}"),
            };
            found.entry(kind).or_insert(target);
        }
    });
    found
}

fn fault(error: ZipError) -> Unreadable {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            Unreadable::Encrypted
        }
        other => Unreadable::damaged(Detail::about(Message::UnreadableArchive, other.to_string())),
    }
}
