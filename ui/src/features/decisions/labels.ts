/** How wide a text is at a size. */
export type Measure = (text: string, size: number, bold?: boolean) => number;

/** Wide on purpose: a picture that is opened elsewhere is drawn with another font. */
export const estimate: Measure = (text, size, bold) => text.length * size * (bold ? 0.64 : 0.6);

/** As the page's font has it, where there is something that draws. */
export function measureOn(family: string): Measure {
  const pen = "OffscreenCanvas" in globalThis ? new OffscreenCanvas(1, 1).getContext("2d") : null;
  if (!pen) return estimate;
  const known = new Map<string, number>();
  return (text, size, bold) => {
    const key = `${bold ? "b" : ""}${text}`;
    let width = known.get(key);
    if (width === undefined) {
      pen.font = `${bold ? 600 : 400} 100px ${family}`;
      width = pen.measureText(text).width / 100;
      known.set(key, width);
    }
    return width * size;
  };
}

/** The text in at most so many lines of this width; what is too long ends in an ellipsis. */
export function wrapped(
  text: string,
  width: number,
  lines: number,
  size: number,
  measure: Measure,
  bold = false,
): string[] {
  const fits = (one: string) => measure(one, size, bold) <= width;
  const words = text.split(/\s+/).filter(Boolean);
  const made: string[] = [];
  while (words.length > 0 && made.length < lines - 1) {
    let current = words.shift()!;
    while (words.length > 0 && fits(`${current} ${words[0]}`)) current += ` ${words.shift()}`;
    if (!fits(current)) {
      // A word that is longer than a line goes on in the next.
      const kept = cut(current, fits);
      words.unshift(current.slice(kept.length));
      current = kept;
    }
    made.push(current);
  }
  const rest = words.join(" ");
  if (rest !== "") made.push(fits(rest) ? rest : `${cut(rest, (one) => fits(`${one}…`)).trimEnd()}…`);
  return made;
}

/** As much of the beginning as fits, and one character at least. */
function cut(text: string, fits: (text: string) => boolean): string {
  const letters = [...text];
  let [least, most] = [1, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(letters.slice(0, middle).join(""))) least = middle;
    else most = middle - 1;
  }
  return letters.slice(0, least).join("");
}
