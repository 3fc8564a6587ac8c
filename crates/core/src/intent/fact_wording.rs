//! The field of a record that a question asks for, told by how it is worded.

use std::sync::LazyLock;

use super::facts::FactQuery;
use super::learned::Learned;
use super::question::Question;
use crate::domain::FactField;
use crate::numbers::numbers;
use crate::text::{Aspect, STATUS};

const FILE: &str = include_str!("../../../../assets/learned/fields.tsv");
static LEARNED: LazyLock<Learned> = LazyLock::new(|| Learned::read(FILE));

/// What was learned, and the fields that it stands for. Everything else that is asked of a record is none of them.
const FIELDS: [(&str, FactField); 6] = [
    ("approvers", FactField::Approvers),
    ("deciders", FactField::Deciders),
    ("status", FactField::Status),
    ("date", FactField::Date),
    ("owner", FactField::Owner),
    ("version", FactField::Version),
];

/// The field that a question asks for of the records that it names, where no grammar knows its wording and it wishes for nothing else
/// of them.
pub(super) fn fact_if_worded(question: &Question) -> Option<FactQuery> {
    let wish = &question.wish;
    let is_of_a_part = |aspect: &Aspect| aspect.name != STATUS;
    let wishes_else = wish.whole || wish.compare || wish.several;
    if wishes_else || question.aspects.iter().any(is_of_a_part) {
        return None;
    }
    let field = field(question.prepared.text(), numbers().intent.field_likely)?;
    Some(FactQuery { references: question.references.clone(), fields: vec![field], title: Vec::new() })
}

fn field(text: &str, needed: f64) -> Option<FactField> {
    let judged = LEARNED.judge(text);
    let (class, likely) = judged.into_iter().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let field = FIELDS.iter().find(|(name, _)| *name == class)?.1;
    (likely >= needed).then_some(field)
}

#[cfg(test)]
#[path = "fact_wording_tests.rs"]
mod tests;
