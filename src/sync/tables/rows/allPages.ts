import type { IncomingRow, Page, UnreadableRow } from './resource.ts';

/** The largest page v3 answers. */
export const PAGE_ROWS = 100;

/**
 * All rows of a short list, page by page. It ends with a page that is not full or brings nothing new, whatever the list
 * says of its length; rows that come twice are kept once.
 */
export async function allPages(read: (at: { offset: number; limit: number }) => Promise<Page>): Promise<Page> {
  const rows = new Map<string | number, IncomingRow>();
  const quarantined = new Map<string, UnreadableRow>();
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const page = await read({ offset, limit: PAGE_ROWS });
    const known = rows.size + quarantined.size;
    for (const row of page.rows) rows.set(row.rowKey, row);
    for (const row of page.quarantined) quarantined.set(row.key, row);
    const isFull = page.rows.length + page.quarantined.length >= PAGE_ROWS;
    if (!isFull || rows.size + quarantined.size === known)
      return { rows: [...rows.values()], quarantined: [...quarantined.values()] };
  }
}
