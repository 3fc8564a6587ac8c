// Marks that reorder or hide what is shown: a title could pose as another with them.
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\ufeff\u00ad]/g;
// All but tab and line breaks.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** The text as it is safe to show: without marks that reorder or hide it. */
export function plain(text: string): string {
  return text.replace(INVISIBLE, "").replace(CONTROL, "\ufffd");
}

/** A message that programs write in small letters, as a sentence; what begins with a name or an address stays as it is. */
export function sentence(text: string): string {
  const shown = plain(text);
  return /^\p{Ll}+[ ,]/u.test(shown) ? shown.charAt(0).toLocaleUpperCase() + shown.slice(1) : shown;
}

/** The text cut at a word near `limit` characters. */
export function shorten(text: string, limit: number): string {
  const shown = plain(text).replace(/\s+/g, " ").trim();
  if (shown.length <= limit) return shown;
  const cut = shown.slice(0, limit);
  const space = cut.lastIndexOf(" ");
  return `${space > limit / 2 ? cut.slice(0, space) : cut}…`;
}
