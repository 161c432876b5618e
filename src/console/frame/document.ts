import { type Html, html } from '../../kernel/html.ts';
import { pageOf } from '../../kernel/page.ts';
import { may, type Right } from '../access.ts';
import { addressOf } from '../page.ts';
import type { Texts } from '../texts/choose.ts';
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
}

const HTMX_CONFIG = JSON.stringify({ extensions: 'hx-csp', includeIndicatorCSS: false });

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
export function documentOf({ title, texts, nonce, assets }: Frame, body: Html): string {
  const head = html`<meta name="htmx-config" content="${HTMX_CONFIG}" />
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${assets.style}" />
    ${assets.scripts.map((script) => html`<script src="${script}" nonce="${nonce}" defer></script>`)}
    ${assets.modules.map((script) => html`<script src="${script}" nonce="${nonce}" type="module"></script>`)}`;
  return pageOf({ language: texts.language, title: `${title} · stayd`, head }, body);
}

const PAGES: readonly (Right & keyof Texts['frame'])[] = ['today', 'calendar', 'health'];

interface Framed {
  readonly right: Right;
  /** The address of this very page. */
  readonly address: string;
  readonly head: number;
  /** Problems that need a person. */
  readonly needs: number;
  readonly nonce: string;
}

/** Puts the navigation around a page's content, and says how the content is renewed. */
export function framed(visit: Visit, { right, address, head, needs, nonce }: Framed, content: Html): Html {
  const { person, texts, connection, connections } = visit;
  const words = texts.frame;
  const chosen = connections.length > 1 ? { connection } : {};
  return html`<a class="skip" href="#content">${words.skip}</a>
    <header class="bar">
      <a class="brand" href="${addressOf('today', chosen)}">stayd</a>
      <nav aria-label="${words.pages}">
        ${PAGES.filter((page) => may(person.role, page)).map(
          (page) =>
            html`<a href="${addressOf(page, chosen)}" ${page === right ? html`aria-current="page"` : ''}
              >${words[page]}</a
            >`,
        )}
      </nav>
      ${connectionChoice(visit, right)}
      <form class="out" method="post" action="/console/sign-out">
        <span class="dim">${person.account} · ${person.name}</span>
        <button type="submit" class="second">${words.signOut}</button>
      </form>
    </header>
    <main
      id="content"
      tabindex="-1"
      hx-nonce="${nonce}"
      hx-get="${address}"
      hx-trigger="stayd:change from:body"
      hx-select="#content"
      hx-swap="outerMorph"
      data-live="${addressOf('live', { connection, after: head })}"
    >
      ${
        needs > 0 && right !== 'health' && may(person.role, 'health')
          ? html`<p class="bad" role="status">
              ${words.needsPerson(needs)} <a href="${addressOf('health', chosen)}">${words.look}</a>
            </p>`
          : ''
      }
      ${content}
    </main>`;
}

function connectionChoice({ connection, connections, texts }: Visit, right: Right): Html {
  if (connections.length < 2) return html``;
  return html`<form class="choice" method="get" action="${addressOf(right)}">
    <label for="connection">${texts.frame.connection}</label>
    <select id="connection" name="connection">
      ${connections.map((one) => html`<option value="${one}" ${one === connection ? 'selected' : ''}>${one}</option>`)}
    </select>
    <button type="submit" class="second">${texts.frame.show}</button>
  </form>`;
}
