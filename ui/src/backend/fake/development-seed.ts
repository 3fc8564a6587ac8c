import type { DevelopmentReport, DevelopmentSet, MarkedGroup } from "../generated/types";

export const DEVELOPMENT_SET: DevelopmentSet = {
  path: "/home/you/questions",
  questions: 60,
  left_out: 2,
  unknown: ["records/0099-not-here.md"],
  unknown_count: 3,
};

function group(
  name: string,
  questions: number,
  right: [behaviour: number, documents: number, content: number, all: number],
): MarkedGroup {
  const [behaviour, documents, content, all] = right;
  return {
    name,
    questions,
    behaviour,
    documents,
    content,
    all,
    precision: documents / questions,
    median_length: 410,
  };
}

export function developmentReport(finishedAt: string, path: string): DevelopmentReport {
  return {
    finished_at: finishedAt,
    seconds: 31,
    path,
    model: null,
    overall: group("overall", 60, [55, 51, 49, 44]),
    by_form: [
      group("1", 40, [37, 35, 33, 30]),
      group("6", 12, [12, 10, 11, 9]),
      { ...group("12", 8, [6, 6, 5, 5]), precision: null, median_length: null },
    ],
    by_language: [group("en", 36, [34, 32, 30, 28]), group("nl", 24, [21, 19, 19, 16])],
    failures: [
      {
        id: "S-003",
        form: 1,
        language: "en",
        history: [],
        question: "Which TLS version do partners need?",
        mistakes: ["documents", "content"],
        expected: {
          behaviour: "fact",
          documents: ["adr/0021-require-tls-1-3.md"],
          one_of: [],
          also_fine: ["adr/0007-use-tls-1-2.md"],
          words: ["TLS 1.3 | TLSv1.3"],
          unwanted: ["TLS 1.0"],
          note: "The older record is superseded.",
        },
        given: {
          behaviour: "answer",
          documents: ["adr/0007-use-tls-1-2.md"],
          text: "Connections use TLS 1.2.",
        },
      },
      {
        id: "S-041",
        form: 12,
        language: "nl",
        history: ["Wat besluit ADR 12?", "Kafka is de broker."],
        question: "en wie heeft dat goedgekeurd?",
        mistakes: ["behaviour"],
        expected: {
          behaviour: "refuse",
          documents: [],
          one_of: [],
          also_fine: [],
          words: [],
          unwanted: [],
          note: "",
        },
        given: { behaviour: null, documents: [], text: "<b>The model did not answer.</b>" },
      },
    ],
  };
}
