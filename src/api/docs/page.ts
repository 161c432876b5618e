import type { Html } from '../../kernel/markup/html.ts';

/** One page of the reference. */
export interface DocsPage {
  /** Such as `/docs/reservations`. */
  readonly address: string;
  readonly title: string;
  /** Makes what stands between the bar and the list of pages; called once. */
  make(): Html;
}

/** A part of the list of pages: a heading and links. */
export interface Chapter {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}
