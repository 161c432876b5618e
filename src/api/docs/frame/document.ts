import { Html, html } from '../../../kernel/markup/html.ts';
import { pageOf } from '../../../kernel/markup/page.ts';
import type { Chapter } from '../page.ts';
import type { PageFiles } from './files.ts';

/** The longest question that is searched for, in characters. */
export const LONGEST_QUESTION = 100;

/** What a page is made of. */
interface Document {
  readonly address: string;
  readonly title: string;
  /** What was searched for. */
  readonly question?: string;
  readonly chapters: readonly Chapter[];
  readonly files: PageFiles;
}

/** Renders a complete page: the bar, the content, and the list of all pages. */
export function documentOf(page: Document, content: Html): string {
  const { files, title } = page;
  const head = html`<link rel="icon" href="data:," />
    <link rel="stylesheet" href="${files.styleAddress}" />
    ${scriptElement('<script>', files.first)}
    ${files.modules.map((one) => scriptElement('<script type="module">', one))}`;
  const body = html`<a class="skip" href="#content">Skip to the content</a>
    ${bar(page)}
    <div class="columns">
      <main id="content" tabindex="-1">${content}</main>
      ${contents(page)}
    </div>`;
  return pageOf({ language: 'en', title: `${title} · stayd v3`, head }, body);
}

/** A script must stay byte for byte: escapes or added characters would break it or its hash. */
function scriptElement(start: string, text: string): Html {
  return new Html(`${start}${text}</script>`);
}

const BAR = [
  ['/docs', 'Overview'],
  ['/docs/events', 'Events'],
  ['/docs/errors', 'Errors and limits'],
  ['/docs/guides', 'Guides'],
] as const;

function bar({ address, question = '' }: Document): Html {
  return html`<header class="bar">
    <a class="brand" href="/docs">stayd v3</a>
    <nav aria-label="Parts">${BAR.map(([to, name]) => link(to, name, address))}</nav>
    <form class="find" method="get" action="/docs/search" role="search" aria-label="Search">
      <input
        name="q"
        type="search"
        value="${question}"
        aria-label="Search"
        placeholder="Operation, field, event, error, guide"
        maxlength="${LONGEST_QUESTION}"
        autocomplete="off"
      />
      <button type="submit" class="second">Search</button>
      <div class="found" role="status"></div>
    </form>
    <a class="to-contents" href="#contents">All pages</a>
  </header>`;
}

function contents({ address, chapters }: Document): Html {
  return html`<nav class="contents" id="contents" aria-label="All pages">
    ${chapters.map(
      ({ title, pages }) =>
        html`<section>
          <h2>${title}</h2>
          <ul class="plain">
            ${pages.map((page) => html`<li>${link(page.address, page.title, address)}</li>`)}
          </ul>
        </section>`,
    )}
  </nav>`;
}

function link(to: string, name: string, address: string): Html {
  return html`<a href="${to}" ${to === address ? html`aria-current="page"` : ''}>${name}</a>`;
}
