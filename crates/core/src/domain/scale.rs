/// How an embedder's cosines are told. Every model crowds them in its own way; fitted numbers and settings know one scale, that of
/// the built-in embedder's first edition, and what another model gives is stretched to it. The order of passages stays, but
/// for what is all but equal to the question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CosineScale {
    slope: f32,
    offset: f32,
}

impl CosineScale {
    /// Cosines as they are.
    pub const PLAIN: Self = Self::stretched(1.0, 0.0);

    /// A line through pairs of cosines: another model's, and the first edition's for the same texts.
    pub const fn stretched(slope: f32, offset: f32) -> Self {
        Self { slope, offset }
    }

    /// A cosine on the common scale, -1 to 1.
    pub fn told(self, cosine: f32) -> f32 {
        (self.slope * cosine + self.offset).clamp(-1.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cosine_is_told_on_the_common_scale_and_stays_a_cosine() {
        let told = |cosine| CosineScale::stretched(2.0, -1.0).told(cosine);
        assert!((told(0.8) - 0.6).abs() < 1e-6);
        assert_eq!((told(1.0), told(1.1), told(-0.5)), (1.0, 1.0, -1.0));
        assert_eq!(CosineScale::PLAIN.told(0.3), 0.3);
    }
}
