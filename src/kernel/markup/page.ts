import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

/**
 * Colours by their purpose: text, its background, links; lines and edges; highlighted areas, and secondary text. Dark
 * ones are for screens: paper is white.
 */
const BASE = `
:root{color-scheme:light;--ink:#1b1f24;--paper:#fff;--link:#0b57a8;--line:#d5d9de;--edge:#7a828b;--soft:#f1f3f5;--dim:#565d66}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--ink:#e9ecef;--paper:#14171a;--link:#8cc2ff;--line:#3a4047;--edge:#8a929b;--soft:#22272c;--dim:#a3abb4}}
*{box-sizing:border-box}
body{background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
a{color:var(--link)}
`;

/** Pages of one style, with nothing but text and a style sheet. */
interface Pages {
  /**
   * Returns their `Content-Security-Policy`: the style sheet by its hash, and no other source.
   * @param forms the allowed targets of forms, as sources of the directive; none by default
   */
  policy(forms?: string): string;
  /** Renders a complete page. */
  page(title: string, body: Html): string;
}

/** @param style the styles beyond those of every page, which are the colours, the font and the links */
export function pagesWith(style: string): Pages {
  const sheet = `${BASE}${style}`;
  // The style sheet must stay byte for byte: escapes or added characters would break it or its hash.
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
    page: (title, body) => pageOf({ language: 'en', title, head: element }, body),
  };
}

/** The parts of a page beside its body. */
interface PageHead {
  /** The language of its texts, such as `en`. */
  readonly language: string;
  readonly title: string;
  /** Style sheets and scripts. */
  readonly head: Html;
}

/** Renders a complete page. No search engine lists it. */
export function pageOf({ language, title, head }: PageHead, body: Html): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}
