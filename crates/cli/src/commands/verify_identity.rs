use anyhow::bail;
use plumbline_core::domain::Language;
use plumbline_core::messages::Messages;
use plumbline_library::{How, IdentityReport};

use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Shows how the identity of every document came about; fails where documents claim one id.
pub fn run(global: &Global) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let report = wiring::runtime()?.block_on(async {
        let library = workspace.library(None).await?;
        anyhow::Ok(library.identities().await?)
    })?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report, workspace.settings().general.language);
    }
    if !report.collisions.is_empty() {
        bail!(
            "{} of another: give each a number of its own, or a source of its own in library.toml",
            wiring::counted(report.collisions.len(), "document claims the id", "documents claim the id")
        );
    }
    Ok(Outcome::Done)
}

fn print(report: &IdentityReport, language: Language) {
    let messages = Messages::of(language);
    for document in &report.documents {
        let listed = if document.listed { "" } else { ", not listed" };
        println!("{} ({}{listed}) {}/{}", document.id, document.kind, document.source, document.path);
        for provenance in &document.provenance {
            let how = match &provenance.how {
                How::Recognised(whence) => format!("recognised: {whence}"),
                How::Guessed(clue) => format!("guessed: {}", messages.text(clue.message(), &[])),
            };
            let how = provenance.key.as_ref().map_or(how.clone(), |key| format!("{how}: `{key}`"));
            println!("  {:<10} {} ({how})", provenance.field, provenance.value);
        }
        for section in &document.sections {
            let heading = section.heading.as_deref().unwrap_or("(no heading)");
            match section.part {
                Some(part) if section.guessed => {
                    println!("  section    {heading}: {part} (guessed: by its place)")
                }
                Some(part) => println!("  section    {heading}: {part}"),
                None => println!("  section    {heading}"),
            }
        }
        for rejected in &document.rejected {
            println!("  rejected   {}", rejected.text(language));
        }
    }
    for collision in &report.collisions {
        println!(
            "\n{} is claimed by {} and {}; the latter goes by {}",
            collision.claimed, collision.kept_by, collision.other, collision.given
        );
    }
    for disagreement in &report.disagreements {
        println!(
            "\n{} says \"{}\", its approval record {} says \"{}\"",
            disagreement.record,
            disagreement.status,
            disagreement.approval_record,
            disagreement.approval_status
        );
    }
    for unresolved in &report.unresolved {
        println!(
            "\n{}: {} `{}`: {}",
            unresolved.document,
            unresolved.relation,
            unresolved.written,
            messages.text(unresolved.why.message(), &[])
        );
    }
    println!(
        "\n{}, {}, {}, {} nowhere",
        wiring::counted(report.documents.len(), "document", "documents"),
        wiring::counted(report.collisions.len(), "collision", "collisions"),
        wiring::counted(report.disagreements.len(), "disagreement", "disagreements"),
        wiring::counted(report.unresolved.len(), "reference that leads", "references that lead")
    );
}
