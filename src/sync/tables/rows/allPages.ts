import type { IncomingRow, Page, UnreadableRow } from './resource.ts';

/** The largest page that v3 answers. */
export const PAGE_ROWS = 100;

/**
 * Reads all rows of a short list, page by page. It ends with a page that is not full or brings nothing new, whatever
 * length the list reports. Rows that come twice are returned once.
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
