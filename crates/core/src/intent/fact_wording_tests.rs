use super::*;

#[test]
fn it_says_what_its_training_says() {
    crate::intent::learned::assert_as_trained(FILE);
}

#[test]
fn a_field_is_asked_for_in_words_that_no_grammar_knows() {
    use FactField::{Approvers, Date, Deciders, Owner, Status, Version};
    for (text, asked) in [
        ("Whose names are under the decision on the archive?", Approvers),
        ("Wiens handtekeningen staan er onder het besluit over het archief?", Approvers),
        ("Who was in the room when we picked the archive?", Deciders),
        ("Wie zat er aan tafel toen voor het archief werd gekozen?", Deciders),
        ("is the one about the archive still waiting for the board or has it been settled", Status),
        ("Geldt het besluit over het archief eigenlijk nog?", Status),
        ("From what year is the archive decision?", Date),
        ("Uit welk jaar stamt het besluit over het archief?", Date),
        ("whom do i bother with remarks on the archive policy, who looks after it", Owner),
        ("is my copy of the archive policy the latest edition?", Version),
    ] {
        assert_eq!(field(text, numbers().intent.field_likely), Some(asked), "`{text}`");
    }
}

#[test]
fn what_a_record_says_is_no_field_of_it() {
    for text in [
        "Who approves exceptions to the archive policy?",
        "Wie moet tekenen voor een bestelling boven de tien mille?",
        "Which version of TLS does the archive decision prescribe?",
        "When must an incident be reported under the archive policy?",
        "Hoe lang blijven gegevens in het archief staan?",
        "Who is responsible for patching the archive servers?",
        "Which database do we use for the archive?",
        "",
    ] {
        assert_eq!(field(text, numbers().intent.field_likely), None, "`{text}`");
    }
}
