import { type Html, html } from '../../kernel/markup/html.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { pageOf } from '../../kernel/markup/page.ts';
import { addressOf, type ConsolePage } from '../page.ts';
import { MOST_COUNTED } from '../inbox/query.ts';
import type { Texts } from '../texts/choose.ts';
import { styleAddress } from '../brand/style.ts';
import type { Visit } from '../visit.ts';

/** The files that every page loads, by their addresses. */
export interface Assets {
  readonly style: string;
  readonly scripts: readonly string[];
  /** Ours, which run after the others. */
  readonly modules: readonly string[];
}

/** The parts of a page beside its content. */
interface Frame {
  readonly title: string;
  readonly texts: Texts;
  /** Allows scripts of this answer alone. */
  readonly nonce: string;
  readonly assets: Assets;
  /** How an account looks to strangers; undefined for pages of its people. */
  readonly look?: Look | undefined;
}

/** Attributes that a renewed page leaves alone: what a reader has unfolded stays so. */
const MORPH_IGNORE = ['data-htmx-powered', 'open'];
const HTMX_CONFIG = JSON.stringify({ extensions: 'hx-csp', includeIndicatorCSS: false, morphIgnore: MORPH_IGNORE });

/**
 * Returns the content policy of the pages: files of this service, scripts with this answer's number, no other source;
 * and no text becomes markup but by htmx, which takes it from this service alone.
 */
export function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types htmx',
  ].join('; ');
}

/** Renders a complete page. */
export function documentOf({ title, texts, nonce, assets, look }: Frame, body: Html): string {
  const head = html`<meta name="htmx-config" content="${HTMX_CONFIG}" />
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${assets.style}" />
    ${look?.color ? html`<link rel="stylesheet" href="${styleAddress(look.color)}" />` : ''}
    ${assets.scripts.map((script) => html`<script src="${script}" nonce="${nonce}" defer></script>`)}
    ${assets.modules.map((script) => html`<script src="${script}" nonce="${nonce}" type="module"></script>`)}`;
  return pageOf(
    { language: texts.language, title: `${title} · ${look?.name ?? 'stayd'}`, head, isBranded: look !== undefined },
    body,
  );
}

/** What stands around the content of a page. */
export interface Framed {
  readonly page: ConsolePage;
  /** The pages that the person may see, in the order of the navigation. */
  readonly pages: readonly ConsolePage[];
  /** The address of this very page; undefined if it does not renew itself. */
  readonly address: string | undefined;
  readonly head: number;
  /** The mark of the rules' plans. */
  readonly plans: string;
  /** How much waits for an answer, by page. */
  readonly waiting: Readonly<Record<string, number>>;
  /** Problems that need a person. */
  readonly needs: number;
  readonly nonce: string;
  /** What the person has just done, in one sentence; it stands beside the content, and stays when that is renewed. */
  readonly said: string | undefined;
}

/** Puts the navigation around a page's content, and says how the content is renewed. */
export function framed(visit: Visit, frame: Framed, content: Html): Html {
  const { person, texts, connection } = visit;
  const { page, pages, address, head, plans, needs, waiting, nonce, said } = frame;
  const words = texts.frame;
  const nav = pages.flatMap(({ path }) => (path in words.nav ? [[path, words.nav[path]] as const] : []));
  return html`<a class="skip" href="#content">${words.skip}</a>
    <header class="bar">
      <a class="brand" href="${visit.address('today')}">stayd</a>
      <nav aria-label="${words.pages}">
        ${nav.map(
          ([path, name]) =>
            html`<a href="${visit.address(path)}" ${path === page.path ? html`aria-current="page"` : ''}
              >${name ?? path}${badge(visit, waiting[path] ?? 0)}</a
            >`,
        )}
      </nav>
      ${searchBox(visit, pages)} ${connectionChoice(visit, page.path)}
      <form class="out" method="post" action="/console/sign-out">
        ${whoAmI(visit, pages, html`${person.account} · ${person.name}`)}
        <button type="submit" class="second">${words.signOut}</button>
      </form>
    </header>
    ${said === undefined ? '' : html`<div class="saying"><p class="said" role="status">${said}</p></div>`}
    <main
      id="content"
      tabindex="-1"
      ${address === undefined ? '' : renewing({ address, nonce, live: addressOf('live', { connection, after: head, plans }) })}
    >
      ${unsaidRefusal(visit, content)} ${visit.isReadOnly ? html`<p class="note">${words.readOnly}</p>` : ''}
      ${
        needs > 0 && page.path !== 'health'
          ? html`<p class="bad" role="status">
              ${words.needsPerson(needs)} <a href="${visit.address('health')}">${words.look}</a>
            </p>`
          : ''
      }
      ${content}
    </main>`;
}

/** The attributes by which a page asks for itself again when something has changed. */
function renewing({ address, nonce, live }: { address: string; nonce: string; live: string }): Html {
  return html`hx-nonce="${nonce}" hx-get="${address}" hx-trigger="stayd:change from:body" hx-select="#content"
  hx-swap="outerMorph" data-live="${live}"`;
}

function badge({ texts, format }: Visit, count: number): Html {
  if (count === 0) return html``;
  const { waiting, many } = texts.frame;
  const shown = count > MOST_COUNTED ? many(MOST_COUNTED) : format.count(count);
  return html` <span class="badge" title="${waiting}">${shown}</span>`;
}

/** Says a refusal whose form is no longer on the page, since what it would have changed has changed meanwhile. */
function unsaidRefusal({ refused, texts }: Visit, content: Html): Html {
  if (!refused || content.text.includes('role="alert"')) return html``;
  return html`<p class="bad" role="alert">${texts.form.wrong(refused.problem)}</p>`;
}

function searchBox(visit: Visit, pages: readonly ConsolePage[]): Html {
  if (!pages.some(({ path }) => path === 'search')) return html``;
  const { search, find } = visit.texts.frame;
  const { connection, connections } = visit;
  return html`<form class="find" method="get" action="/console/search" role="search" aria-label="${search}">
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    <input name="q" type="search" aria-label="${search}" placeholder="${find}" maxlength="100" />
  </form>`;
}

/** The person's name, which leads to their own settings where there are some. */
function whoAmI(visit: Visit, pages: readonly ConsolePage[], name: Html): Html {
  return pages.some(({ path }) => path === 'me')
    ? html`<a class="dim" href="${visit.address('me')}">${name}</a>`
    : html`<span class="dim">${name}</span>`;
}

function connectionChoice({ connection, connections, texts }: Visit, path: string): Html {
  if (connections.length < 2) return html``;
  return html`<form class="choice" method="get" action="${addressOf(path)}">
    <label for="connection">${texts.frame.connection}</label>
    <select id="connection" name="connection">
      ${connections.map((one) => html`<option value="${one}" ${one === connection ? 'selected' : ''}>${one}</option>`)}
    </select>
    <button type="submit" class="second">${texts.frame.show}</button>
  </form>`;
}
