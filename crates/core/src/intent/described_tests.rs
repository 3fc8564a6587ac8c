use super::*;
use crate::domain::Language;
use crate::intent::Question;

#[test]
fn a_field_is_asked_for_of_a_record_by_what_it_says() {
    use FactField::{Approvers, Date, Deciders, Owner, Status, Version};
    let wrong: Vec<_> = [
        ("Van welke dag is het record waarin we zeggen dat koppelingen los zijn?", Language::NL, Some(Date)),
        ("Wie heeft het besluit over losse koppelingen goedgekeurd?", Language::NL, Some(Approvers)),
        ("Wanneer is het besluit over tokens genomen?", Language::NL, Some(Date)),
        ("Uit welk jaar stamt het besluit waarin we Kafka kozen?", Language::NL, Some(Date)),
        ("Wat is de status van het principe over open data?", Language::NL, Some(Status)),
        ("Wie is de eigenaar van het document over back-ups?", Language::NL, Some(Owner)),
        ("Is het besluit over SOAP nog van kracht?", Language::NL, Some(Status)),
        ("When was the decision on event retention taken?", Language::EN, Some(Date)),
        ("Who approved the record in which we chose Kafka?", Language::EN, Some(Approvers)),
        ("What is the status of the principle about open data?", Language::EN, Some(Status)),
        ("Is the decision that picks Kafka still in force?", Language::EN, Some(Status)),
        ("Which day is the record from where we chose Kafka?", Language::EN, None),
        ("What is the version of the principle that says data is open?", Language::EN, Some(Version)),
        ("Who are the deciders of the ADR that covers tokens?", Language::EN, Some(Deciders)),
        ("When is the record that was changed deleted?", Language::EN, None),
        ("When is the policy on laptops applicable?", Language::EN, None),
        ("Who approved the exception in the record where we chose Kafka?", Language::EN, None),
        ("Who may change the record about tokens?", Language::EN, None),
        ("Wanneer is het beleid over laptops van toepassing?", Language::NL, None),
        ("Wie keurt uitzonderingen goed op het besluit over tokens?", Language::NL, None),
    ]
    .into_iter()
    .map(|(question, language, field)| (question, field, Question::read(question, language).wish.field))
    .filter(|(_, field, read)| field != read)
    .collect();
    assert!(wrong.is_empty(), "asked for, and read: {wrong:#?}");
}
