import { type Html, html } from '../../../kernel/markup/html.ts';

interface Code {
  /** Above the text: its language or what it is. */
  readonly title?: string;
  /** Tells the samples of one request apart. */
  readonly language?: string;
  /** True keeps the lines as they are, for tables and drawings; they are scrolled, not broken. */
  readonly isAligned?: boolean;
}

/** Renders a text to be copied. */
export function codeBlock(text: string, { title, language, isAligned = false }: Code = {}): Html {
  const pre = isAligned
    ? html`<pre tabindex="0">${codeElement(text)}</pre>`
    : html`<pre class="broken">${codeElement(text)}</pre>`;
  return html`<figure class="code" ${language === undefined ? '' : html`data-language="${language}"`}>
    <figcaption>
      <span>${title ?? ''}</span><button type="button" class="second small scripted" data-copy>Copy</button>
    </figcaption>
    ${pre}
  </figure>`;
}

function codeElement(text: string): Html {
  return html`<code>${text}</code>`;
}
