/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  text: string;
  marked: boolean;
}

const WORD = /[\p{L}\p{N}]+(?:[.'’\-/][\p{L}\p{N}]+)*/gu;
const MARKER = /\[(\d{1,3})\]/g;
// The markers after a sentence belong to it, whether or not a space comes before them.
const SENTENCE_END = /(?<=[.!?](?:\s*\[\d{1,3}\])*)\s+(?!\[\d{1,3}\])/;

// Words that support nothing by themselves, in the languages that documents come in.
const FUNCTION_WORDS = new Set(
  (
    "a an and are as at be been but by can do does for from had has have if in into is it its may more most must no not " +
    "of on only or our shall should so such than that the their them then there these they this those to was we were " +
    "what when where which who will with would you your " +
    "aan al als bij dat de den der deze die dit door een en er had heeft het hij hun ik in is je kan maar met mijn " +
    "moet na naar niet nog of om onder ons ook op over te tot uit van voor wat we wel werd wie wij wordt zal ze zich " +
    "zij zijn zo zou"
  ).split(" "),
);

function fold(word: string): string {
  return word.toLocaleLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
}

/**
 * The sentences, list items and rows of an answer that cite this number. What has no number of its own goes with the next that has one
 * in its paragraph, list or table: a paragraph that is copied is cited once, at its end.
 */
export function sentencesCiting(answer: string, number: number): string[] {
  return answer.split(/\n\s*\n/).flatMap((block) => {
    const units = block
      .split(/\n+/)
      .flatMap((line) => (line.trimStart().startsWith("|") ? [line] : line.split(SENTENCE_END)));
    let cited: number[] = [];
    const citing = units.reverse().filter((unit) => {
      const own = [...unit.matchAll(MARKER)].map((marker) => Number(marker[1]));
      if (own.length > 0) cited = own;
      return cited.includes(number);
    });
    return citing.reverse().map((unit) => unit.replace(MARKER, " "));
  });
}

/** The passage in stretches, with the words marked that the sentences rest on. */
export function markSupport(passage: string, sentences: string[]): Stretch[] {
  const support = new Set(sentences.flatMap((sentence) => sentence.match(WORD) ?? []).map(fold));
  const words = [...passage.matchAll(WORD)].map((found) => {
    const folded = fold(found[0]);
    return {
      start: found.index,
      end: found.index + found[0].length,
      shared: support.has(folded),
      content: !FUNCTION_WORDS.has(folded),
    };
  });
  const marked = words.map((word, index) => {
    if (!word.shared) return false;
    if (word.content) return true;
    // A function word is marked only inside a run of shared words, so that quotations stay whole.
    return Boolean(words[index - 1]?.shared && words[index + 1]?.shared);
  });
  const stretches: Stretch[] = [];
  let at = 0;
  for (let index = 0; index < words.length; index++) {
    if (!marked[index]) continue;
    let last = index;
    while (marked[last + 1] && joins(passage, words[last]!.end, words[last + 1]!.start)) last++;
    const start = words[index]!.start;
    const end = words[last]!.end;
    if (start > at) stretches.push({ text: passage.slice(at, start), marked: false });
    stretches.push({ text: passage.slice(start, end), marked: true });
    at = end;
    index = last;
  }
  if (at < passage.length) stretches.push({ text: passage.slice(at), marked: false });
  return stretches;
}

/**
 * The pieces that a text is shown in, each in stretches: what is marked may begin in one piece, such as bold words, and
 * end in another.
 */
export function markPieces(pieces: string[], sentences: string[]): Stretch[][] {
  const stretches = markSupport(pieces.join(""), sentences);
  let index = 0;
  let used = 0;
  return pieces.map((piece) => {
    const parts: Stretch[] = [];
    for (let left = piece.length; left > 0;) {
      const { text, marked } = stretches[index]!;
      const part = text.slice(used, used + left);
      parts.push({ text: part, marked });
      left -= part.length;
      used += part.length;
      if (used === text.length) {
        index++;
        used = 0;
      }
    }
    return parts;
  });
}

function joins(text: string, from: number, to: number): boolean {
  return !/[\n.!?|]/.test(text.slice(from, to));
}
