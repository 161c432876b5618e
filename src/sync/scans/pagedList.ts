import type { CallOptions, Client } from '../../client/client.ts';
import type { MirrorResource, Page, Reading } from '../tables/rows/resource.ts';
import { entriesOf, type ListPage, PAGE_ROWS, scanList } from './list.ts';
import { numbered, type Scan } from './scan.ts';

/** One answer of a list, as rows. */
interface Slice {
  page: Page;
  /** The number of rows that the list reports; null where it does not. */
  total: number | null;
}

type ReadSlice = (
  client: Client,
  at: { offset: number; limit: number },
  reading: Reading,
  options: CallOptions,
) => Promise<Slice>;

/** Makes the scan of a resource that is one list without windows, read page by page. */
export function pagedList(rows: MirrorResource, read: ReadSlice): Scan {
  return {
    resource: rows.name,
    rows,
    cost: (known) => Math.ceil(known / (PAGE_ROWS - 1)) + 1,
    async *steps(asking) {
      const fetch = async ({ offset }: { offset: number }): Promise<ListPage> => {
        const at = { offset, limit: PAGE_ROWS };
        const { answer, number } = await numbered(asking, (options) =>
          read(asking.client, at, asking.reading, options),
        );
        return { ...answer, number, entries: entriesOf(answer.page) };
      };
      let total = 0;
      for await (const { page, number, fresh } of scanList({ first: { bound: '', offset: 0 }, fetch })) {
        total += fresh;
        yield { rows: fresh, visit: (visitor) => visitor.rows(rows, page, number) };
      }
      return { total };
    },
    async count({ client, reading, purpose, signal }) {
      return (await read(client, { offset: 0, limit: 1 }, reading, { purpose, signal })).total;
    },
  };
}

/** Does the same for a resource that some deployments do not have. */
export function optionalList(rows: MirrorResource, read: ReadSlice): Scan {
  return { ...pagedList(rows, read), mayBeAbsent: true };
}
