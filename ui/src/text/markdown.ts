import MarkdownIt, { type Token } from "markdown-it";
import { allowedAddress } from "./links";
import { markPieces, type Stretch } from "./marks";
import { plain } from "./plain";

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const CITATION = /^\[(\d{1,3})\](?!\()/;

const markdown = new MarkdownIt("default", { html: false, linkify: false, typographer: false });
// A link to a neighbouring file leads nowhere from here, but its words are text; other addresses stay as written.
markdown.validateLink = (address) => allowedAddress(address) !== null || !SCHEME.test(address);

markdown.inline.ruler.before("link", "citation", (state, silent) => {
  const found = CITATION.exec(state.src.slice(state.pos, state.pos + 6));
  if (!found) return false;
  if (!silent) state.push("citation", "", 0).content = found[1] ?? "";
  state.pos += found[0].length;
  return true;
});

const escape = markdown.utils.escapeHtml;

markdown.renderer.rules.citation = (tokens, index, _options, environment) => {
  const number = Number(tokens[index]?.content);
  const label = (environment as Environment | undefined)?.citationLabel(number);
  // A number without a source is text like any other.
  if (!label) return `[${number}]`;
  return `<button type="button" class="citation" data-citation="${number}" aria-label="${escape(label)}">${number}</button>`;
};

/** The token's text, with what `markTokens` found in it marked. */
function words(token: Token | undefined): string {
  if (!token) return "";
  const stretches = (token.meta?.stretches as Stretch[] | undefined) ?? [
    { text: token.content, marked: false },
  ];
  return stretches
    .map(({ text, marked }) => (marked ? `<mark>${escape(text)}</mark>` : escape(text)))
    .join("");
}

markdown.renderer.rules.text = (tokens, index) => words(tokens[index]);
markdown.renderer.rules.code_inline = (tokens, index) => `<code>${words(tokens[index])}</code>`;
for (const block of ["code_block", "fence"] as const) {
  markdown.renderer.rules[block] = (tokens, index) => `<pre><code>${words(tokens[index])}</code></pre>\n`;
}

// Nothing is fetched: an image is what it says of itself.
markdown.renderer.rules.image = (tokens, index) => {
  const alternative = words(tokens[index]);
  return alternative ? `<span class="image-text">${alternative}</span>` : "";
};

markdown.renderer.rules.link_open = (tokens, index, options, _environment, self) => {
  const token = tokens[index];
  if (token && allowedAddress(String(token.attrGet("href"))) !== null) token.attrSet("rel", "noreferrer");
  else if (token) token.attrs = null;
  return self.renderToken(tokens, index, options);
};

// The content security policy allows no inline styles, so alignment becomes an attribute.
for (const cell of ["th_open", "td_open"] as const) {
  markdown.renderer.rules[cell] = (tokens, index, options, _environment, self) => {
    const token = tokens[index];
    const style = token?.attrGet("style");
    if (token && style) {
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== "style");
      token.attrSet("data-align", String(style).replace("text-align:", ""));
    }
    return self.renderToken(tokens, index, options);
  };
}

// A wide table scrolls by itself, by keyboard too.
markdown.renderer.rules.table_open = () => '<div class="table-scroll" tabindex="0" role="group"><table>\n';
markdown.renderer.rules.table_close = () => "</table></div>\n";

type Environment = { citationLabel: (number: number) => string | null };

/** What a piece of a line shows; a break or a citation parts the words around it. */
function shown(piece: Token): string {
  return ["softbreak", "hardbreak", "citation"].includes(piece.type) ? " " : piece.content;
}

/** Finds the words that the sentences rest on, in the text as it is shown: formatting does not come between them. */
function markTokens(tokens: Token[], sentences: string[]): void {
  for (const token of tokens) {
    const pieces = token.children ?? [token];
    markPieces(pieces.map(shown), sentences).forEach((stretches, index) => {
      pieces[index]!.meta = { stretches };
    });
  }
}

/**
 * Markdown as HTML, a piece per block: what has been shown is not rendered anew when more arrives.
 * `citationLabel` gives the words of a citation's button, or nothing where there is no such source.
 * The words that the sentences of `support` rest on are marked.
 */
export function renderBlocks(
  source: string,
  citationLabel: (number: number) => string | null,
  support: string[] = [],
): string[] {
  const environment: Environment = { citationLabel };
  const tokens = markdown.parse(plain(source), environment);
  if (support.length > 0) markTokens(tokens, support);
  const blocks: string[] = [];
  let from = 0;
  let depth = 0;
  tokens.forEach((token, index) => {
    depth += token.nesting;
    if (depth === 0) {
      blocks.push(markdown.renderer.render(tokens.slice(from, index + 1), markdown.options, environment));
      from = index + 1;
    }
  });
  return blocks;
}

/** Markdown as the text that is read aloud or searched; with its citations' numbers where a text is shown as it was written. */
export function plainText(source: string, numbered = false): string {
  const tokens = markdown.parse(plain(source), { citationLabel: () => null });
  const written = (piece: Token) =>
    piece.type !== "citation" ? shown(piece) : numbered ? `[${piece.content}]` : "";
  return tokens
    .filter((token) => token.type === "inline" || token.type === "fence" || token.type === "code_block")
    .map((token) => (token.children ? token.children.map(written).join("") : token.content))
    .join("\n");
}
