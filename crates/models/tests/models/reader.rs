//! The built-in reader, on texts that it was not taught with.

use std::path::{Path, PathBuf};

use plumbline_core::domain::Language;
use plumbline_core::ports::Reader;
use plumbline_models::reader::FolderReader;
use plumbline_testkit::dutch::assert_dutch;

const PASSAGE: &str = "Retention of meter readings › Decision\nThe archive keeps meter readings for five years. The portal only \
    shows the last thirteen months; older ones are requested from the archive team, who answer within two working days. The \
    billing system never reads the archive directly.";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/models/reader-en-nl")
}

async fn follows(text: &str) -> f32 {
    let reader = FolderReader::open(&folder()).unwrap();
    reader.read(text, &[PASSAGE.to_owned()]).await.unwrap()[0].follows
}

#[tokio::test]
async fn what_follows_is_told_from_what_does_not_in_both_languages() {
    for (truth, lie) in [
        (
            "Readings of two years ago are not in the portal.",
            "Readings of two years ago can be seen in the portal.",
        ),
        (
            "Older readings have to be requested from the archive team.",
            "The archive team asks the portal for older readings.",
        ),
        (
            "Oudere meterstanden vraag je op bij het archiefteam.",
            "Oudere meterstanden worden door het facturatiesysteem rechtstreeks uit het archief gelezen.",
        ),
    ] {
        let (kept, shown) = (follows(truth).await, follows(lie).await);
        assert!(kept > 0.5 && shown < 0.5, "{truth} {kept}; {lie} {shown}");
    }
}

#[tokio::test]
async fn a_question_is_answered_where_it_is_and_not_where_it_is_only_near() {
    let reader = FolderReader::open(&folder()).unwrap();
    let answers = async |text: &str| reader.read(text, &[PASSAGE.to_owned()]).await.unwrap()[0].answers;
    let answered = answers("how long do we hold on to meter readings").await;
    let near = answers("Which vendor supplies the archive?").await;
    assert!(answered > near + 2.0, "{answered} and {near}");
}

#[tokio::test]
async fn a_reading_depends_on_its_pair_alone() {
    let reader = FolderReader::open(&folder()).unwrap();
    let texts: Vec<String> =
        (0..7).map(|at| if at % 2 == 0 { PASSAGE.to_owned() } else { "Else.".to_owned() }).collect();
    let together = reader.read("Readings are kept for five years.", &texts).await.unwrap();
    let alone = reader.read("Readings are kept for five years.", &texts[..1]).await.unwrap();
    assert_eq!((together.len(), together[0], together[6]), (7, alone[0], alone[0]));
}

#[test]
fn a_folder_without_a_reader_is_told_with_what_it_needs() {
    let problem = FolderReader::open(Path::new("/nowhere/reader")).err().unwrap();
    assert!(problem.to_string().contains("/nowhere/reader"), "{problem}");
    assert_dutch(&problem.detail().text(Language::NL));
}
