import { type Html, html } from '../../kernel/markup/html.ts';
import { eventsPage } from './events/page.ts';
import { documentOf } from './frame/document.ts';
import { type PageFiles, readPageFiles } from './frame/files.ts';
import { type Guide, readGuides } from './guides/guides.ts';
import { guidePage, guidesPage } from './guides/page.ts';
import type { Chapter, DocsPage } from './page.ts';
import { resourcePage } from './resources/page.ts';
import { resourceChapters } from './resources/resources.ts';
import { errorsPage } from './rules/errors.ts';
import { homePage } from './rules/home.ts';
import { searchEntries } from './search/entries.ts';
import { type Found, searcher } from './search/find.ts';
import { searchPage } from './search/page.ts';

/** What the reference is made from, beside the contract. */
export interface DocsSources {
  /** The folder of the built style and scripts. */
  readonly files: string;
  /** The folder of the guides. */
  readonly guides: string;
}

export interface DocsOptions extends DocsSources {
  /** False where v3 speaks another dialect than the one described: then no request is sent from the pages. */
  readonly tries: boolean;
}

/** The reference of v3: pages made from the contract and the guides, and a search over them. */
export class Docs {
  readonly files: PageFiles;
  readonly #chapters: readonly Chapter[];
  readonly #pages: ReadonlyMap<string, DocsPage>;
  readonly #guides: readonly Guide[];
  #find: ((question: string) => readonly Found[]) | undefined;

  constructor(options: DocsOptions) {
    this.files = readPageFiles(options.files);
    const guides = readGuides(options.guides);
    this.#guides = guides.flatMap((chapter) => chapter.guides);
    this.#chapters = [startOf(guides), ...resourcePages(options), ...guidePages(guides)];
    this.#pages = new Map(this.#chapters.flatMap(({ pages }) => pages.map((page) => [page.address, page])));
  }

  /** Returns the addresses of all pages. */
  get addresses(): readonly string[] {
    return [...this.#pages.keys()];
  }

  /** Renders a page; undefined if there is none at this address. */
  page(address: string): string | undefined {
    const page = this.#pages.get(address);
    return page && this.#document(address, page.title, page.make());
  }

  find(question: string): readonly Found[] {
    this.#find ??= searcher(searchEntries(this.#guides));
    return this.#find(question);
  }

  /** Renders what is found for a question. */
  searchPage(question: string): string {
    const content = searchPage(question, this.find(question));
    return this.#document('/docs/search', 'Search', content, question);
  }

  missingPage(): string {
    const content = html`<h1>There is no such page</h1>
      <p>The address is wrong, or what it named has another name now.</p>
      <p><a href="/docs">Overview</a>, or search above.</p>`;
    return this.#document('', 'There is no such page', content);
  }

  #document(address: string, title: string, content: Html, question = ''): string {
    return documentOf({ address, title, question, chapters: this.#chapters, files: this.files }, content);
  }
}

function startOf(guides: ReturnType<typeof readGuides>): Chapter {
  return {
    title: 'Start',
    pages: [
      { address: '/docs', title: 'Overview', make: homePage },
      { address: '/docs/events', title: 'Events', make: eventsPage },
      { address: '/docs/errors', title: 'Errors and limits', make: errorsPage },
      { address: '/docs/guides', title: 'Guides', make: () => guidesPage(guides) },
    ],
  };
}

function resourcePages(options: { readonly tries: boolean }): readonly Chapter[] {
  return resourceChapters().map(({ title, resources }) => ({
    title,
    pages: resources.map((one) => ({
      address: one.address,
      title: one.name,
      make: () => resourcePage(one, options),
    })),
  }));
}

function guidePages(chapters: ReturnType<typeof readGuides>): readonly Chapter[] {
  const names = new Set(chapters.flatMap(({ guides }) => guides.map(({ name }) => name)));
  return chapters.map(({ title, guides }) => ({
    title,
    pages: guides.map((guide) => ({
      address: guide.address,
      title: guide.title,
      make: () => guidePage(guide, names),
    })),
  }));
}
