import { properties, readProperties } from '../mirror/properties.ts';
import { type ListPage, PAGE_ROWS, walkList } from './list.ts';
import { type Asking, numbered, type Walk } from './walk.ts';

export const propertiesWalk: Walk = {
  resource: properties.name,
  rows: properties,
  cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + 1,
  async *steps(asking) {
    let total = 0;
    const list = { first: { bound: '', offset: 0 }, fetch: (at: { offset: number }) => fetchPage(asking, at.offset) };
    for await (const { page, number, fresh, total: told } of walkList(list)) {
      total = told;
      yield { rows: fresh, visit: (visitor) => visitor.rows(properties, page, number) };
    }
    return { total };
  },
  async count({ client, purpose, signal }) {
    return (await client.call('listProperties', { limit: 1 }, { purpose, signal })).data.total;
  },
};

async function fetchPage(asking: Asking, offset: number): Promise<ListPage> {
  const { answer, number } = await numbered(asking, (options) =>
    asking.client.call('listProperties', { offset, limit: PAGE_ROWS }, options),
  );
  const rows = answer.data.properties;
  return {
    page: readProperties(rows, answer, asking.reading),
    number,
    places: rows.map((row) => ({ at: '', id: row.id })),
    answered: rows.length + answer.quarantined.length,
    total: answer.data.total,
  };
}
