//! Which vector instructions this processor has, and the functions that the encoder needs from them.

use pulp::{Scalar128b, Simd, WithSimd};

/// A set of vector instructions that this processor has; found at run time, so that one build serves every machine.
#[derive(Debug, Clone, Copy)]
pub enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    #[cfg(target_arch = "x86_64")]
    Sse(pulp::x86::V2),
    #[cfg(target_arch = "aarch64")]
    Neon(pulp::aarch64::Neon),
    /// What every processor of its architecture has.
    Baseline,
}

impl Instructions {
    /// All sets that this processor has, the fastest first.
    pub fn available() -> Vec<Self> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            found.extend(pulp::x86::V4::try_new().map(Self::Avx512));
            found.extend(pulp::x86::V3::try_new().map(Self::Avx2));
            found.extend(pulp::x86::V2::try_new().map(Self::Sse));
        }
        #[cfg(target_arch = "aarch64")]
        found.extend(pulp::aarch64::Neon::try_new().map(Self::Neon));
        found.push(Self::Baseline);
        found
    }

    /// The fastest set that this processor has.
    pub fn best() -> Self {
        Self::available().first().copied().unwrap_or(Self::Baseline)
    }

    /// Runs an operation that is compiled once for each set.
    pub fn run<Op: WithSimd>(self, operation: Op) -> Op::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => Simd::vectorize(simd, operation),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => Simd::vectorize(simd, operation),
            #[cfg(target_arch = "x86_64")]
            Self::Sse(simd) => Simd::vectorize(simd, operation),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(simd) => Simd::vectorize(simd, operation),
            Self::Baseline => Simd::vectorize(Scalar128b, operation),
        }
    }

    /// How many numbers a register holds.
    pub fn lanes(self) -> usize {
        struct Lanes;
        impl WithSimd for Lanes {
            type Output = usize;

            #[inline(always)]
            fn with_simd<S: Simd>(self, _: S) -> usize {
                S::F32_LANES
            }
        }
        self.run(Lanes)
    }
}

/// `a · b + c`; in one rounding only where the processor does that itself, for in software it takes a hundred times as long.
#[inline(always)]
pub fn multiply_add<S: Simd>(simd: S, a: S::f32s, b: S::f32s, c: S::f32s) -> S::f32s {
    if cfg!(target_arch = "aarch64") || S::F32_LANES >= 8 {
        simd.mul_add_e_f32s(a, b, c)
    } else {
        simd.add_f32s(simd.mul_f32s(a, b), c)
    }
}

#[inline(always)]
fn polynomial<S: Simd, const N: usize>(simd: S, x: S::f32s, coefficients: [f32; N]) -> S::f32s {
    let mut sum = simd.splat_f32s(coefficients[0]);
    for coefficient in &coefficients[1..] {
        sum = multiply_add(simd, sum, x, simd.splat_f32s(*coefficient));
    }
    sum
}

/// e to the power of x, for x up to 0; everything under −87 counts as −87.
#[inline(always)]
pub fn exp_of_negative<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    // Adding 1.5 · 2²³ rounds to a whole number and leaves it in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = simd.max_f32s(x, simd.splat_f32s(-87.0));
    let shifted = multiply_add(simd, x, simd.splat_f32s(std::f32::consts::LOG2_E), simd.splat_f32s(ROUND));
    let whole = simd.sub_f32s(shifted, simd.splat_f32s(ROUND));
    let rest = multiply_add(simd, whole, simd.splat_f32s(-LN2_HIGH), x);
    let rest = multiply_add(simd, whole, simd.splat_f32s(-LN2_LOW), rest);
    let power = polynomial(simd, rest, [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0]);
    let exponent = simd.wrapping_dyn_shl_u32s(simd.transmute_u32s_f32s(shifted), simd.splat_u32s(23));
    let two_to_whole = simd.transmute_f32s_u32s(simd.add_u32s(exponent, simd.splat_u32s(0x3f80_0000)));
    simd.mul_f32s(power, two_to_whole)
}

/// The Gaussian error linear unit, x · Φ(x), with erf as a quotient of polynomials (at most 4e-7 off).
#[inline(always)]
pub fn gelu<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    const ABOVE: [f32; 7] = [
        -2.726_142_3e-10,
        2.770_681_3e-8,
        -2.101_024e-6,
        -5.692_506_5e-5,
        -7.349_906_4e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    const BELOW: [f32; 5] =
        [-1.456_607_2e-5, -2.133_740_5e-4, -1.682_827e-3, -7.373_329_3e-3, -1.426_473_9e-2];
    let scaled = simd.mul_f32s(x, simd.splat_f32s(std::f32::consts::FRAC_1_SQRT_2));
    let scaled = simd.max_f32s(simd.min_f32s(scaled, simd.splat_f32s(4.0)), simd.splat_f32s(-4.0));
    let square = simd.mul_f32s(scaled, scaled);
    let above = simd.mul_f32s(scaled, polynomial(simd, square, ABOVE));
    let erf = simd.div_f32s(above, polynomial(simd, square, BELOW));
    let half = simd.mul_f32s(x, simd.splat_f32s(0.5));
    multiply_add(simd, half, erf, half)
}
