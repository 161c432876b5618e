import { accentOf, type Color } from './colors.ts';
import { type Html, html } from './html.ts';

/** How an account looks on the pages that strangers see. */
export interface Look {
  readonly name: string;
  readonly color: Color | null;
  /** A picture by its address, with its size in pixels. */
  readonly logo: { readonly address: string; readonly width: number; readonly height: number } | null;
}

/** Class of what is shown in the colour of an account. */
export const BRANDED = 'branded';
/** The largest logo on a page, in CSS pixels. */
const LOGO = { width: 160, height: 48 };

/** Returns the style sheet of a colour: what is {@link BRANDED} takes it for links, buttons and the line at the top. */
export function styleOf(color: Color): string {
  const light = accentOf(color, 'light');
  const dark = accentOf(color, 'dark');
  return `.${BRANDED}{--brand:${color};--link:${light.accent};--button-ink:${light.ink}}
@media screen and (prefers-color-scheme:dark){.${BRANDED}{--link:${dark.accent};--button-ink:${dark.ink}}}
`;
}

/** The styles of {@link masthead}, a part of the style sheet of every page that may have one. */
export const MASTHEAD_STYLE = `.masthead{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin:0 0 1.5rem;padding:0 0 .75rem;border-bottom:3px solid var(--brand,var(--line))}
.masthead img{display:block;max-width:100%;object-fit:contain}
.masthead p{margin:0;font-weight:600;overflow-wrap:anywhere}
.masthead .dim{font-weight:400;flex-basis:100%}
`;

/** Renders the top of a page: the logo and the name of an account. @param about says whose name it is */
export function masthead(look: Look | undefined, about = ''): Html {
  if (!look) return html``;
  return html`<header class="masthead">
    ${about === '' ? '' : html`<p class="dim">${about}</p>`} ${logo(look)}
    <p>${plainName(look.name)}</p>
  </header>`;
}

/** Renders the logo, if there is one, no larger than pages have room for. The name stands beside it as text. */
export function logo({ logo: picture }: Pick<Look, 'logo'>): Html {
  if (!picture) return html``;
  const part = Math.min(1, LOGO.width / picture.width, LOGO.height / picture.height);
  const [width, height] = [picture.width, picture.height].map((size) => Math.max(1, Math.round(size * part)));
  return html`<img src="${picture.address}" alt="" width="${width ?? 1}" height="${height ?? 1}" />`;
}

/** Takes out characters that turn or hide the text around a name. */
export function plainName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, ' ').trim();
}
