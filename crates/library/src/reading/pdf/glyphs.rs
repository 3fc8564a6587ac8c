//! The glyphs of a page with their places.

use hayro_interpret::font::{Glyph as PdfGlyph, GlyphRun};
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, TransformExt, interpret_page,
};

/// A glyph on a page whose origin is at its upper left corner.
#[derive(Debug, Clone)]
pub(super) struct Glyph {
    pub text: String,
    pub left: f64,
    pub right: f64,
    pub baseline: f64,
    pub size: f64,
    pub bold: bool,
}

/// The cache keeps fonts from page to page.
pub(super) fn of_page<'a>(
    pdf: &'a Pdf,
    page: &Page<'a>,
    cache: &InterpreterCache<'a>,
    max: usize,
) -> Vec<Glyph> {
    let (width, height) = page.render_dimensions();
    let bounds = Rect::new(0.0, 0.0, width.into(), height.into());
    let transform = page.initial_transform(true).to_kurbo();
    let mut context = Context::new(transform, bounds, cache, pdf.xref(), InterpreterSettings::default());
    let mut collector = Collector { glyphs: Vec::new(), bounds, max };
    interpret_page(page, &mut context, &mut collector);
    collector.glyphs
}

struct Collector {
    glyphs: Vec<Glyph>,
    bounds: Rect,
    max: usize,
}

impl Collector {
    fn add(&mut self, glyph: &PdfGlyph<'_>, transform: Affine, bold: bool) {
        let Some(text) = glyph.as_unicode() else { return };
        let text = match text {
            BfString::Char(c) => c.to_string(),
            BfString::String(text) => text,
        };
        let [a, b, c, d, ..] = transform.as_coeffs();
        let size = c.hypot(d) * 1000.0;
        // Text that runs upwards is a margin's or a watermark; text of no size is hidden.
        if size < 1.0 || b.abs() > a.abs() * 0.2 || a <= 0.0 {
            return;
        }
        let width = match glyph {
            PdfGlyph::Outline(glyph) => glyph.advance_width(),
            PdfGlyph::Type3(glyph) => glyph.advance_width(),
        };
        let origin = transform * Point::ZERO;
        let advance = f64::from(width.unwrap_or(500.0)) * a.hypot(b);
        if self.bounds.contains(origin)
            && self.glyphs.len() < self.max
            && size.is_finite()
            && advance.is_finite()
        {
            self.glyphs.push(Glyph {
                text,
                left: origin.x,
                right: origin.x + advance,
                baseline: origin.y,
                size,
                bold,
            });
        }
    }
}

impl<'a> Device<'a> for Collector {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        let bold = run.glyphs().first().is_some_and(|glyph| is_bold(glyph));
        for glyph in run.glyphs() {
            self.add(glyph, props.transform * glyph.transform(), bold);
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

fn is_bold(glyph: &PdfGlyph<'_>) -> bool {
    let PdfGlyph::Outline(glyph) = glyph else { return false };
    glyph.font_data().is_some_and(|font| {
        let named = font.postscript_name.is_some_and(|name| {
            let name = name.to_lowercase();
            name.contains("bold") || name.contains("black") || name.contains("heavy")
        });
        named || font.weight.is_some_and(|weight| weight >= 600)
    })
}
