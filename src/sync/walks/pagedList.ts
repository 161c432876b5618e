import type { CallOptions, Client } from '../../client/client.ts';
import type { MirrorResource, Page, Reading } from '../mirror/resource.ts';
import { type ListPage, PAGE_ROWS, type Place, walkList } from './list.ts';
import { numbered, type Walk } from './walk.ts';

/** One answer of a list, read. */
interface Slice {
  page: Page;
  /** Of the rows that could be read, in the order of the answer: ids that fall, or names in any order. */
  keys: readonly (number | string)[];
  total: number;
}

type ReadSlice = (
  client: Client,
  at: { offset: number; limit: number },
  reading: Reading,
  options: CallOptions,
) => Promise<Slice>;

/** A resource that is one list without windows, read page by page. */
export function pagedList(rows: MirrorResource, read: ReadSlice): Walk {
  return {
    resource: rows.name,
    rows,
    cost: (known) => Math.ceil(known / (PAGE_ROWS - 1)) + 1,
    async *steps(asking) {
      const placeOf = places();
      const fetch = async ({ offset }: { offset: number }): Promise<ListPage> => {
        const at = { offset, limit: PAGE_ROWS };
        const { answer, number } = await numbered(asking, (options) =>
          read(asking.client, at, asking.reading, options),
        );
        const { page, keys, total } = answer;
        return { page, number, places: keys.map(placeOf), answered: page.rows.length + page.unfit.length, total };
      };
      let total = 0;
      for await (const { page, number, fresh, total: told } of walkList({ first: { bound: '', offset: 0 }, fetch })) {
        total = told;
        yield { rows: fresh, visit: (visitor) => visitor.rows(rows, page, number) };
      }
      return { total };
    },
    async count({ client, reading, purpose, signal }) {
      return (await read(client, { offset: 0, limit: 1 }, reading, { purpose, signal })).total;
    },
  };
}

/** The same of a resource that some deployments do not have. */
export function optionalList(rows: MirrorResource, read: ReadSlice): Walk {
  return { ...pagedList(rows, read), mayBeAbsent: true };
}

export function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map((row) => row.id);
}

/** Where rows of one walk stand: by their ids, or, of names, in the order in which the walk has met them. */
function places(): (key: number | string) => Place {
  const met = new Map<string, number>();
  return (key) => {
    if (typeof key === 'number') return { at: '', id: key };
    if (!met.has(key)) met.set(key, -met.size);
    return { at: '', id: met.get(key) ?? 0 };
  };
}
