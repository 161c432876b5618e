import { type Html, html } from '../../../kernel/markup/html.ts';
import { type Span, spansOf } from './spans.ts';

/** Where a link of a guide leads: an address; undefined for what is no page here, which stays text. */
export type LinkTarget = (target: string) => string | undefined;

/** Renders the text of a block: code, links, emphasis. Everything else is text. */
export function inlineHtml(text: string, target: LinkTarget): Html {
  return spansHtml(spansOf(text), target);
}

function spansHtml(spans: readonly Span[], target: LinkTarget): Html {
  return html`${spans.map((span) => spanHtml(span, target))}`;
}

function spanHtml(span: Span, target: LinkTarget): Html {
  switch (span.kind) {
    case 'text':
      return html`${span.text}`;
    case 'code':
      return html`<code>${span.text}</code>`;
    case 'strong':
      return html`<b>${spansHtml(span.inner, target)}</b>`;
    case 'emphasis':
      return html`<em>${spansHtml(span.inner, target)}</em>`;
    case 'link':
      return linkHtml(spansHtml(span.inner, target), span.target, target);
  }
}

function linkHtml(text: Html, to: string, target: LinkTarget): Html {
  const address = target(to);
  if (address === undefined) return html`<span title="${to}">${text}</span>`;
  if (/^[/#]/.test(address)) return html`<a href="${address}">${text}</a>`;
  return html`<a href="${address}" rel="noreferrer">${text}</a>`;
}

/** Returns the text of a block without its signs, for headings and for search. */
export function plainText(text: string): string {
  return plainOf(spansOf(text));
}

function plainOf(spans: readonly Span[]): string {
  return spans.map((span) => ('inner' in span ? plainOf(span.inner) : span.text)).join('');
}
