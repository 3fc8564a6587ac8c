use crate::facts::{Anchor, Template};

pub(crate) const ENGLISH: [Template; 14] = [
    Template {
        anchor: Anchor::Number,
        source: "{system} retains {thing} for {n} {unit}.",
        paraphrases: &[
            "{thing} are retained in {system} for {n} {unit}.",
            "The retention period of {thing} in {system} is {w} {unit}.",
            "In {system}, {thing} are kept for {w} {unit}.",
            "For {n} {unit}, {system} holds on to its {thing}.",
            "{system} stores {thing} for a period of {n} {unit}.",
        ],
        opposites: &[
            "{system} does not retain {thing} for {n} {unit}.",
            "{thing} are never retained in {system} for {n} {unit}.",
        ],
    },
    Template {
        anchor: Anchor::Date,
        source: "{system} must be migrated to {target} before {date}.",
        paraphrases: &[
            "Before {long}, {system} has to be migrated to {target}.",
            "The migration of {system} to {target} must be complete before {other}.",
            "Teams are required to migrate {system} to {target} before {long}.",
            "{target} replaces {system}, and the migration must be done before {date}.",
        ],
        opposites: &[
            "{system} must not be migrated to {target} before {date}.",
            "{system} need never be migrated to {target} before {long}.",
        ],
    },
    Template {
        anchor: Anchor::Person,
        source: "On {date} {person} approved the exception for {thing} in {system}.",
        paraphrases: &[
            "The exception for {thing} in {system} was approved by {person} on {long}.",
            "{person} gave approval for the {thing} exception in {system} on {other}.",
            "Approval of the {system} exception for {thing} came from {person}.",
        ],
        opposites: &[
            "{person} did not approve the exception for {thing} in {system}.",
            "{person} rejected the exception for {thing} in {system} on {date}.",
        ],
    },
    Template {
        anchor: Anchor::Number,
        source: "The API of {system} accepts at most {n} requests per minute for {thing}.",
        paraphrases: &[
            "At most {n} requests per minute for {thing} are accepted by the {system} API.",
            "{system}'s API takes no more than {n} requests per minute for {thing}.",
            "The limit for {thing} is {w} requests per minute on the API of {system}.",
            "A maximum of {n} requests a minute is accepted by the API of {system} for {thing}.",
        ],
        opposites: &["The API of {system} does not accept {n} requests per minute for {thing}."],
    },
    Template {
        anchor: Anchor::Code,
        source: "All connections that carry {thing} to {system} use {code}.",
        paraphrases: &[
            "{code} is used for every connection that carries {thing} to {system}.",
            "Connections carrying {thing} to {system} must use {code}.",
            "Each connection to {system} with {thing} relies on {code}.",
        ],
        opposites: &[
            "Connections that carry {thing} to {system} do not use {code}.",
            "No connection that carries {thing} to {system} uses {code}.",
        ],
    },
    Template {
        anchor: Anchor::Id,
        source: "{adr} replaces {older} and applies to {thing} in {system}.",
        paraphrases: &[
            "{older} is replaced by {adr}, which applies to {thing} in {system}.",
            "{adr} supersedes {older} and covers {thing} in {system}.",
            "For {thing} in {system}, {adr} applies; it replaces {older}.",
        ],
        opposites: &[
            "{adr} does not replace {older} for {thing} in {system}.",
            "{adr} does not apply to {thing} in {system}.",
        ],
    },
    Template {
        anchor: Anchor::Plain,
        source: "The {team} team owns {system} and its {thing}.",
        paraphrases: &[
            "{system} and its {thing} are owned by the {team} team.",
            "Ownership of {system} and its {thing} lies with the {team} team.",
            "The owner of {system} and the {thing} in it is the {team} team.",
            "The {team} team is responsible for {system} and its {thing}.",
        ],
        opposites: &["The {team} team does not own {system} and its {thing}."],
    },
    Template {
        anchor: Anchor::Number,
        source: "Processing {thing} in {system} costs € {n} per month.",
        paraphrases: &[
            "{system} costs {n} euros per month for processing {thing}.",
            "The monthly cost of processing {thing} in {system} is €{n}.",
            "Each month, processing {thing} in {system} costs {w} euros.",
        ],
        opposites: &["Processing {thing} in {system} does not cost € {n} per month."],
    },
    Template {
        anchor: Anchor::Quote,
        source: "About {thing} in {system} the board wrote: \"{quote}\".",
        paraphrases: &[
            "The board wrote \"{quote}\" about {thing} in {system}.",
            "On {thing} in {system}, the words of the board are \"{quote}\".",
            "\"{quote}\" is what the board wrote about {thing} in {system}.",
        ],
        opposites: &["The board never wrote \"{quote}\" about {thing} in {system}."],
    },
    Template {
        anchor: Anchor::Link,
        source: "Instructions for {thing} in {system} are published at {url}.",
        paraphrases: &[
            "The instructions for {thing} in {system} can be found at {url}.",
            "At {url} the instructions for {thing} in {system} are published.",
            "For {thing} in {system}, see the published instructions at {url}.",
        ],
        opposites: &["Instructions for {thing} in {system} are not published at {url}."],
    },
    Template {
        anchor: Anchor::Plain,
        source: "Storing {thing} in {system} outside the secured zone is forbidden.",
        paraphrases: &[
            "It is not allowed to store {thing} in {system} outside the secured zone.",
            "{thing} must not be stored outside the secured zone in {system}.",
            "{thing} may never be stored in {system} outside the secured zone.",
            "Storing {thing} outside the secured zone in {system} is prohibited.",
        ],
        opposites: &[
            "Storing {thing} in {system} outside the secured zone is allowed.",
            "{thing} may be stored in {system} outside the secured zone.",
        ],
    },
    Template {
        anchor: Anchor::Number,
        source: "The availability of {system} for {thing} must reach {n} percent each month.",
        paraphrases: &[
            "{system} must reach an availability of {n}% each month for {thing}.",
            "Each month, {system} needs an availability of {n} percent for {thing}.",
            "For {thing}, the monthly availability of {system} has to be at least {n}%.",
        ],
        opposites: &["The availability of {system} for {thing} need not reach {n} percent each month."],
    },
    Template {
        anchor: Anchor::Code,
        source: "We chose {code} for {thing} because it reduces the operational load on the {team} team.",
        paraphrases: &[
            "{code} was chosen for {thing} since it reduces the operational load on the {team} team.",
            "Because it lowers the operational load on the {team} team, {code} was selected for {thing}.",
            "The choice for {code} reduces the operational load of {thing} on the {team} team.",
        ],
        opposites: &[
            "We did not choose {code} for {thing}, as it does not reduce the operational load on the {team} team.",
        ],
    },
    Template {
        anchor: Anchor::Date,
        source: "Since {date} every change to {thing} in {system} is reviewed by two engineers.",
        paraphrases: &[
            "Two engineers review every change to {thing} in {system} since {long}.",
            "Every change to {thing} in {system} has been reviewed by two engineers since {other}.",
            "Changes to {thing} in {system} are reviewed by a pair of engineers as of {long}.",
        ],
        opposites: &["Changes to {thing} in {system} are not reviewed by two engineers."],
    },
];
