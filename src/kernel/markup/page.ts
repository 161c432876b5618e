import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';
import { BRANDED, type Look, MASTHEAD_STYLE, styleOf } from './look.ts';

/**
 * Colours by their purpose, as the console has them: text, its background, what is set off from it; lines and edges;
 * secondary text, links, and what is good, bad or noted. Dark ones are for screens: paper is white.
 */
export const BASE = `
:root{color-scheme:light;--ink:#1b1f24;--paper:#fff;--ground:#f6f7f8;--line:#e1e4e8;--edge:#7a828b;--dim:#565d66;--link:#0b57a8;--button-ink:#fff;--good:#17663a;--bad:#9b1c1c;--bad-paper:#fdecec;--note-paper:#eef4fb;--stay:#cfe5d8;--stay-ink:#0d3d22;--gap:0.5rem;--radius:0.4rem}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--ink:#e6e9ec;--paper:#14171a;--ground:#1b1f23;--line:#2d333a;--edge:#8a929b;--dim:#a3abb4;--link:#8cc2ff;--button-ink:#0b1a2a;--good:#7fd6a3;--bad:#ffb3b3;--bad-paper:#3b1d1d;--note-paper:#1c2a3a;--stay:#1f4a33;--stay-ink:#d3f2e0}}
*{box-sizing:border-box}
body{background:var(--paper);color:var(--ink);font:0.9375rem/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
h1{font-size:1.375rem;line-height:1.25}
.dim{color:var(--dim)}
${MASTHEAD_STYLE}`;

/** Pages of one style, with nothing but text and a style sheet. */
interface Pages {
  /**
   * Returns their `Content-Security-Policy`: the style sheets by their hashes, the logo, and no other source.
   * @param forms the allowed targets of forms, as sources of the directive; none by default
   */
  policy(forms?: string, look?: Look): string;
  /**
   * Renders a complete page, in the colour of an account if it has one. Its masthead is part of the body.
   * @param language of its texts; English by default
   */
  page(title: string, body: Html, look?: Look, language?: string): string;
}

/** @param style the styles beyond those of every page, which are the colours, the font and the links */
export function pagesWith(style: string): Pages {
  const sheet = `${BASE}${style}`;
  const source = sourceOf(sheet);
  return {
    policy: (forms = "'none'", look) =>
      [
        "default-src 'none'",
        `style-src ${look?.color ? `${source} ${sourceOf(styleOf(look.color))}` : source}`,
        ...(look?.logo ? [`img-src ${look.logo.address.startsWith('data:') ? 'data:' : "'self'"}`] : []),
        "base-uri 'none'",
        `form-action ${forms}`,
        "frame-ancestors 'none'",
      ].join('; '),
    page: (title, body, look, language = 'en') => {
      const head = look?.color ? html`${element(sheet)}${element(styleOf(look.color))}` : element(sheet);
      return pageOf({ language, title, head, isBranded: look !== undefined }, body);
    },
  };
}

/** Returns a style sheet byte for byte: escapes or added characters would break it or its hash. */
function element(sheet: string): Html {
  return new Html(`<style>${sheet}</style>`);
}

function sourceOf(sheet: string): string {
  return `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`;
}

/** The parts of a page beside its body. */
interface PageHead {
  /** The language of its texts, such as `en`. */
  readonly language: string;
  readonly title: string;
  /** Style sheets and scripts. */
  readonly head: Html;
  /** True for a page in the look of an account. */
  readonly isBranded?: boolean;
}

/** Renders a complete page. No search engine lists it. */
export function pageOf({ language, title, head, isBranded = false }: PageHead, body: Html): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${head}
      </head>
      <body${isBranded ? html` class="${BRANDED}"` : ''}>
        ${body}
      </body>
    </html> `.text;
}
