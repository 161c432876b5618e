import Database from 'better-sqlite3';
import fastify from 'fastify';

export interface Bare {
  url: string;
  close(): Promise<void>;
}

/** Which floor: of reads, with the answer to join, or of webhooks. */
export type BareSettings = { kind: 'read'; body: string; days?: string | undefined } | { kind: 'hooks' };

type Fields = Record<string, unknown>;

/** The floor of an acknowledgement: a bare fastify that answers each webhook at once. */
export async function bareHooks(): Promise<Bare> {
  const app = fastify();
  app.post('/hooks/local', (_request, reply) => reply.send(''));
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
}

/**
 * The floor of a read: a bare fastify that at each request reads the rows of an answer from a SQLite table, parses
 * them and joins them to the same bytes. Nothing of it could be left out.
 * @param body a successful answer with one list in its data
 * @param days the name of the list inside each of that list, where its items are the rows that a database holds
 */
export async function bareServer(body: string, days?: string): Promise<Bare> {
  const { data, ...envelope } = JSON.parse(body) as { data: Fields };
  const [list = '', items] = longestList(data) ?? [];
  if (!Array.isArray(items) || items.length === 0) throw new Error(`an answer without rows has no floor: ${body}`);
  const database = new Database(':memory:');
  database.exec('create table rows (id integer primary key, item integer not null, json text not null)');
  const insert = database.prepare('insert into rows (item, json) values (?, ?)');
  for (const [index, item] of (items as Fields[]).entries()) {
    const rows = days === undefined ? [item] : (item[days] as unknown[]);
    for (const row of rows) insert.run(BigInt(index), JSON.stringify(row));
  }
  const select = database.prepare<[], { item: number; json: string }>('select item, json from rows order by id');
  const found = () => select.all().map(({ item, json }) => ({ item, row: JSON.parse(json) as unknown }));
  const joined = () => {
    if (days === undefined) return found().map(({ row }) => row);
    const lists = (items as Fields[]).map((): unknown[] => []);
    for (const { item, row } of found()) lists[item]?.push(row);
    return (items as Fields[]).map((parent, index) => ({ ...parent, [days]: lists[index] }));
  };
  const server = fastify();
  server.all('/rows', (_request, reply) => {
    const text = JSON.stringify({ ...envelope, data: { ...data, [list]: joined() } });
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
  const base = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `${base}/rows`,
    async close() {
      await server.close();
      database.close();
    },
  };
}

function longestList(data: Fields): [string, unknown] | undefined {
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  return lists.toSorted(([, one], [, other]) => other.length - one.length)[0];
}
