use plumbline_core::domain::Chunk;
use plumbline_core::engine::Measured;
use plumbline_core::prompt::{planner_messages, read_plan};

use super::{ModelsWord, RefusalQuestion};
use crate::judge_model::JudgeModel;

/// As many passages as a small model still tells apart.
const PASSAGES: usize = 3;
/// The numbers of passages are all that is asked for.
const REPLY: usize = 32;

/// The planner's prompt, put to a model: does any passage help?
#[async_trait::async_trait]
impl ModelsWord for JudgeModel {
    async fn says(&self, question: &RefusalQuestion, measured: &Measured) -> Option<bool> {
        let passages: Vec<(usize, &Chunk)> = measured
            .passages()
            .iter()
            .take(PASSAGES)
            .zip(1..)
            .map(|(candidate, alias)| (alias, candidate.chunk.as_ref()))
            .collect();
        let aliases: Vec<usize> = passages.iter().map(|(alias, _)| *alias).collect();
        let reply = JudgeModel::says(self, planner_messages(&passages, &question.text), REPLY).await?;
        read_plan(&reply, &aliases).map(|helpful| !helpful.is_empty())
    }
}
