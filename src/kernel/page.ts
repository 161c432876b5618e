import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

/**
 * Colours by what they are for: text, what is under it, links; lines between things and edges of what is filled in;
 * what is set off, and text of less weight. Dark ones are for screens: paper is white.
 */
const BASE = `
:root{color-scheme:light;--ink:#1b1f24;--paper:#fff;--link:#0b57a8;--line:#d5d9de;--edge:#7a828b;--soft:#f1f3f5;--dim:#565d66}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--ink:#e9ecef;--paper:#14171a;--link:#8cc2ff;--line:#3a4047;--edge:#8a929b;--soft:#22272c;--dim:#a3abb4}}
*{box-sizing:border-box}
body{background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
a{color:var(--link)}
`;

/** Pages of one look, with nothing in them but text and a style sheet. */
export interface Pages {
  /**
   * Their `Content-Security-Policy`: the style sheet by its hash, and nothing from anywhere.
   * @param forms where forms may go: sources as the directive has them; left out: nowhere
   */
  policy(forms?: string): string;
  /** A whole page. */
  page(title: string, body: Html): string;
}

/** @param style what they have beyond the looks of every page, which are the colours, the font and the links */
export function pagesWith(style: string): Pages {
  const sheet = `${BASE}${style}`;
  // As it is: nothing may be escaped in a style sheet, nor a sign added that the hash does not know.
  const element = new Html(`<style>${sheet}</style>`);
  const hash = createHash('sha256').update(sheet).digest('base64');
  return {
    policy: (forms = "'none'") =>
      [
        "default-src 'none'",
        `style-src 'sha256-${hash}'`,
        "base-uri 'none'",
        `form-action ${forms}`,
        "frame-ancestors 'none'",
      ].join('; '),
    page: (title, body) =>
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="robots" content="noindex, nofollow" />
            <title>${title}</title>
            ${element}
          </head>
          <body>
            ${body}
          </body>
        </html> `.text,
  };
}
