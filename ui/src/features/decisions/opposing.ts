export interface Stretch {
  text: string;
  opposes: boolean;
}

/** A sentence with the words in it that oppose another marked, wherever they stand. */
export function opposing(sentence: string, words: string): Stretch[] {
  const wanted = words.trim();
  if (wanted === "") return [{ text: sentence, opposes: false }];
  // Between words there may be any space: a sentence can be broken over lines.
  const pattern = wanted
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\s+");
  const stretches: Stretch[] = [];
  let end = 0;
  for (const found of sentence.matchAll(new RegExp(pattern, "giu"))) {
    if (found.index > end) stretches.push({ text: sentence.slice(end, found.index), opposes: false });
    stretches.push({ text: found[0], opposes: true });
    end = found.index + found[0].length;
  }
  if (end < sentence.length) stretches.push({ text: sentence.slice(end), opposes: false });
  return stretches;
}

/** A text without markup and spaces, so that a sentence is found in the passage that it stands in. */
export function lettersOf(text: string): string {
  const shown = text.replace(/\[([^\]\n]*)\]\([^)\n]*\)/g, "$1");
  return shown.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}
