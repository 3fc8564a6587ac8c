import type { Citation } from "../../backend/generated/types";

/** A citation as one pastes it: document, section, page, version, date and path. */
export function citationText(citation: Citation): string {
  const parts = [citation.document_name, citation.document_id.toUpperCase()];
  if (citation.section !== "N/A") parts.push(`§ ${citation.section}`);
  if (citation.page_number !== "N/A") parts.push(`p. ${citation.page_number}`);
  if (citation.version) parts.push(`v${citation.version}`);
  if (citation.status) parts.push(citation.status);
  if (citation.date) parts.push(citation.date);
  return `${parts.join(", ")} (${citation.path})`;
}

/** An answer with its sources below it, as Markdown with footnotes. */
export function answerWithSources(answer: string, citations: Citation[]): string {
  const known = new Set(citations.map((citation) => citation.number));
  const text = answer.replace(/\[(\d{1,3})\]/g, (whole, digits: string) =>
    known.has(Number(digits)) ? `[^${digits}]` : whole,
  );
  const notes = citations.map((citation) => `[^${citation.number}]: ${citationText(citation)}`);
  return notes.length > 0 ? `${text}\n\n${notes.join("\n")}\n` : `${text}\n`;
}
