//! What the passages say to the clauses of a unit, together.

use super::support::{ClauseSupport, Lack};

/// What each passage says to each clause of a unit.
pub(super) struct UnitSupport(Vec<Vec<ClauseSupport>>);

impl UnitSupport {
    /// Takes what the passages say, in their order. The passage that a clause fits best has the last word: where it
    /// says no, one that fits less cannot say yes.
    pub fn new(mut by_passage: Vec<Vec<ClauseSupport>>) -> Self {
        let clauses = by_passage.first().map_or(0, Vec::len);
        for at in 0..clauses {
            let denials = by_passage.iter().filter_map(|clauses| {
                let clause = &clauses[at];
                let lack = clause.supported.as_ref().err().filter(|lack| **lack != Lack::Words)?;
                Some((clause.fit, lack.clone()))
            });
            let Some((fit, lack)) = denials.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            for clauses in &mut by_passage {
                if clauses[at].supported.is_ok() && clauses[at].fit <= fit && clauses[at].fit < 1.0 {
                    clauses[at].supported = Err(lack.clone());
                }
            }
        }
        Self(by_passage)
    }

    /// All aliases, those whose passages fit best first.
    pub fn by_fit(&self) -> Vec<usize> {
        let fit = |clauses: &[ClauseSupport]| clauses.iter().map(|clause| clause.fit).sum::<f64>();
        let mut aliases: Vec<usize> = (1..=self.0.len()).collect();
        aliases.sort_by(|a, b| fit(&self.0[b - 1]).total_cmp(&fit(&self.0[a - 1])));
        aliases
    }

    /// Of these aliases, those that support every clause.
    pub fn alone(&self, aliases: &[usize]) -> Vec<usize> {
        let supports = |alias: &usize| {
            let clauses = &self.0[*alias - 1];
            !clauses.is_empty() && clauses.iter().all(|clause| clause.supported.is_ok())
        };
        aliases.iter().copied().filter(supports).collect()
    }

    /// The first of these aliases that supports a clause, or why none does.
    pub fn supporter(&self, clause: usize, aliases: &[usize]) -> Result<usize, Lack> {
        let mut lacks: Vec<&Lack> = Vec::new();
        for alias in aliases {
            match self.0[*alias - 1].get(clause).map(|clause| &clause.supported) {
                Some(Ok(())) => return Ok(*alias),
                Some(Err(lack)) => lacks.push(lack),
                None => {}
            }
        }
        Err(most_informative(&lacks))
    }
}

/// Of the reasons why no passage supports a clause, the one that says most.
fn most_informative(lacks: &[&Lack]) -> Lack {
    let beyond_claims = lacks.iter().find(|lack| !matches!(lack, Lack::Claim(_)));
    match beyond_claims.or(lacks.first()) {
        // Another passage lacks something else: all of it may be held, but nowhere together.
        Some(Lack::Claim(missing)) if lacks.iter().any(|lack| **lack != Lack::Claim(missing.clone())) => {
            Lack::Swapped(missing.clone())
        }
        Some(lack) => (**lack).clone(),
        None => Lack::Words,
    }
}
