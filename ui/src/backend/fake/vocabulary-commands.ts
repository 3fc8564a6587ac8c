import type { ConceptSummary, Definition } from "../generated/types";
import type { Handlers } from "./handlers";
import { sampleConcepts, VOCABULARIES } from "./sample-concepts";
import { failure, type World } from "./world";

type Names = "vocabularies" | "search_concepts" | "top_concepts" | "narrower_concepts" | "concept";

export function vocabularyCommands(world: World): Pick<Handlers, Names> {
  const concepts = () => (world.documents.length > 0 ? sampleConcepts() : []);
  return {
    vocabularies: () => (world.documents.length > 0 ? VOCABULARIES : []),
    search_concepts: ({ text, vocabulary }) => {
      const wanted = text.toLowerCase();
      const title = VOCABULARIES.find((one) => one.id === vocabulary)?.title;
      return concepts()
        .filter((concept) => title === undefined || concept.vocabulary === title)
        .flatMap((concept) => {
          const label = [concept.preferred_label, ...concept.alternative_labels].find((one) =>
            one.toLowerCase().includes(wanted),
          );
          return label === undefined ? [] : [summary(concept, label)];
        });
    },
    top_concepts: ({ vocabulary }) => {
      const title = VOCABULARIES.find((one) => one.id === vocabulary)?.title;
      return concepts()
        .filter((concept) => concept.vocabulary === title && concept.broader.length === 0)
        .map((concept) => summary(concept));
    },
    narrower_concepts: ({ uri }) =>
      concepts()
        .filter((concept) => concept.broader.some((link) => link.uri === uri))
        .map((concept) => summary(concept)),
    concept: ({ uri }) => {
      const found = concepts().find((concept) => concept.uri === uri);
      if (!found) throw failure("not_found", `no vocabulary holds ${uri}`);
      return found;
    },
  };
}

function summary(concept: Definition, matched = concept.preferred_label): ConceptSummary {
  return {
    uri: concept.uri,
    label: concept.preferred_label,
    matched_label: matched === concept.preferred_label ? null : matched,
    vocabulary: concept.vocabulary,
    definition: concept.definitions[0] ?? null,
    deprecated: concept.deprecated,
    narrower: concept.narrower.length,
  };
}
