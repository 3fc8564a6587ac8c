//! The built-in reader, on a passage that was held out when it was taught.

use std::path::{Path, PathBuf};

use plumbline_core::domain::Language;
use plumbline_core::ports::Reader;
use plumbline_models::reader::FolderReader;
use plumbline_testkit::dutch::assert_dutch;

const PASSAGE: &str = "ADR-0022: Kubernetes or virtual machines › Decision drivers\n- The operations team has four people and \
    none has run Kubernetes.\n- Releases must go from monthly to weekly.\n- The claims package is only supported on Windows \
    servers.\n- Management wants no new data centre hardware.\nCost is explicitly not a driver: both options came out within five \
    percent of each other.";

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
            "Since the two options differ hardly at all in price, money played no part.",
            "Cost was the main driver because the options were far apart in price.",
        ),
        (
            "Bij beheer heeft geen van de vier medewerkers ervaring met Kubernetes.",
            "Het schadepakket wordt alleen op Kubernetes ondersteund.",
        ),
    ] {
        let (kept, shown) = (follows(truth).await, follows(lie).await);
        assert!(kept > 3.0 * shown, "{truth} {kept}; {lie} {shown}");
    }
}

#[tokio::test]
async fn a_question_is_answered_where_it_is_and_not_where_it_is_only_near() {
    let reader = FolderReader::open(&folder()).unwrap();
    let answers = async |text: &str| reader.read(text, &[PASSAGE.to_owned()]).await.unwrap()[0].answers;
    let answered = answers("has anyone in ops worked with kubernetes before").await;
    let near = answers("Which vendor supplies the claims package?").await;
    assert!(answered > near + 2.0, "{answered} and {near}");
}

#[tokio::test]
async fn a_reading_depends_on_its_pair_alone() {
    let reader = FolderReader::open(&folder()).unwrap();
    let texts: Vec<String> =
        (0..7).map(|at| if at % 2 == 0 { PASSAGE.to_owned() } else { "Else.".to_owned() }).collect();
    let together = reader.read("Releases go weekly.", &texts).await.unwrap();
    let alone = reader.read("Releases go weekly.", &texts[..1]).await.unwrap();
    assert_eq!((together.len(), together[0], together[6]), (7, alone[0], alone[0]));
}

#[test]
fn a_folder_without_a_reader_is_told_with_what_it_needs() {
    let problem = FolderReader::open(Path::new("/nowhere/reader")).err().unwrap();
    assert!(problem.to_string().contains("/nowhere/reader"), "{problem}");
    assert_dutch(&problem.detail().text(Language::NL));
}
