//! What each passage says to each clause of a unit.

use super::support::Lack;

/// What a passage says to a clause of a reply.
#[derive(Debug, Clone)]
pub(super) struct Verdict {
    /// Whether it bears the clause.
    pub borne: Result<(), Lack>,
    /// How much of the clause its nearest clause holds, 0 to 1.
    pub fit: f64,
}

/// What each passage says to each clause of a unit.
pub(super) struct Verdicts(Vec<Vec<Verdict>>);

impl Verdicts {
    /// Takes the verdicts of the passages, in their order. The passage that a clause fits best has the last word: where it
    /// says no, one that fits less cannot say yes.
    pub fn new(mut by_passage: Vec<Vec<Verdict>>) -> Self {
        let clauses = by_passage.first().map_or(0, Vec::len);
        for at in 0..clauses {
            let denials = by_passage.iter().filter_map(|verdicts| {
                let verdict = &verdicts[at];
                let lack = verdict.borne.as_ref().err().filter(|lack| **lack != Lack::Words)?;
                Some((verdict.fit, lack.clone()))
            });
            let Some((fit, lack)) = denials.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            for verdicts in &mut by_passage {
                if verdicts[at].borne.is_ok() && verdicts[at].fit <= fit && verdicts[at].fit < 1.0 {
                    verdicts[at].borne = Err(lack.clone());
                }
            }
        }
        Self(by_passage)
    }

    /// All aliases, those whose passages fit best first.
    pub fn by_fit(&self) -> Vec<usize> {
        let fit = |verdicts: &[Verdict]| verdicts.iter().map(|verdict| verdict.fit).sum::<f64>();
        let mut aliases: Vec<usize> = (1..=self.0.len()).collect();
        aliases.sort_by(|a, b| fit(&self.0[b - 1]).total_cmp(&fit(&self.0[a - 1])));
        aliases
    }

    /// Of these aliases, those that bear every clause.
    pub fn alone(&self, aliases: &[usize]) -> Vec<usize> {
        let bears = |alias: &usize| {
            let verdicts = &self.0[*alias - 1];
            !verdicts.is_empty() && verdicts.iter().all(|verdict| verdict.borne.is_ok())
        };
        aliases.iter().copied().filter(bears).collect()
    }

    /// The first of these aliases that bears a clause, or why none does.
    pub fn bearer(&self, clause: usize, aliases: &[usize]) -> Result<usize, Lack> {
        let mut lacks: Vec<&Lack> = Vec::new();
        for alias in aliases {
            match self.0[*alias - 1].get(clause).map(|verdict| &verdict.borne) {
                Some(Ok(())) => return Ok(*alias),
                Some(Err(lack)) => lacks.push(lack),
                None => {}
            }
        }
        Err(most_telling(&lacks))
    }
}

/// Of the reasons why no passage bears a clause, the one that tells most.
fn most_telling(lacks: &[&Lack]) -> Lack {
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
