import { type Html, html } from '../../../kernel/markup/html.ts';

/** Where a link of a guide leads: an address; undefined for what is no page here, which stays text. */
export type LinkTarget = (target: string) => string | undefined;

/** In the order in which they are looked for: code, where nothing else counts, then links and emphasis. */
const SPAN =
  /(?<ticks>`+)(?<code>[^]+?)(?<!`)\k<ticks>(?!`)|\[(?<text>(?:\\.|[^\]\\`]|`[^`]*`)*)\]\((?<target>[^)\s]*)\)|<(?<address>https?:\/\/[^>\s]+)>|\*\*(?<strong>(?:`[^`]*`|[^`])+?)\*\*|(?<![\w*])\*(?<emphasis>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])|\\(?<escaped>[!-/:-@[-`{-~])/;

/** Renders the text of a block: code, links, emphasis. Everything else is text. */
export function inlineHtml(text: string, target: LinkTarget): Html {
  const found = SPAN.exec(text);
  if (!found) return html`${text}`;
  const after = text.slice(found.index + found[0].length);
  return html`${text.slice(0, found.index)}${spanHtml(found.groups ?? {}, target)}${inlineHtml(after, target)}`;
}

function spanHtml(groups: Readonly<Record<string, string | undefined>>, target: LinkTarget): Html {
  const { code, text, target: to, address, strong, emphasis, escaped = '' } = groups;
  if (code !== undefined) return html`<code>${code.replace(/^ (.*) $/, '$1')}</code>`;
  if (text !== undefined) return linkHtml(inlineHtml(text, target), to ?? '', target);
  if (address !== undefined) return linkHtml(html`${address}`, address, target);
  if (strong !== undefined) return html`<b>${inlineHtml(strong, target)}</b>`;
  return emphasis === undefined ? html`${escaped}` : html`<em>${inlineHtml(emphasis, target)}</em>`;
}

function linkHtml(text: Html, to: string, target: LinkTarget): Html {
  const address = target(to);
  if (address === undefined) return html`<span title="${to}">${text}</span>`;
  if (/^[/#]/.test(address)) return html`<a href="${address}">${text}</a>`;
  return html`<a href="${address}" rel="noreferrer">${text}</a>`;
}

/** Returns the text of a block without its signs, for headings and for search. */
export function plainText(text: string): string {
  const found = SPAN.exec(text);
  if (!found) return text;
  const { code, text: linked, address, strong, emphasis, escaped } = found.groups ?? {};
  const inner = code ?? address ?? escaped ?? plainText(linked ?? strong ?? emphasis ?? '');
  return `${text.slice(0, found.index)}${inner}${plainText(text.slice(found.index + found[0].length))}`;
}
