import fastify from 'fastify';
import Database from 'better-sqlite3';
import { runChange } from '../src/core/change.ts';
import { bookDirect } from '../src/core/reservations/book.ts';
import { addDays, instantOf } from '../src/kernel/dates.ts';
import { startCore, START, type TestCore } from '../test/support/core.ts';
import { alternate, sendLoad, verdict } from './support/measure.ts';

/** P4: a page of 100 reservations, and a single one, against bare fastify + SQLite rows of the same bytes. */
const ROUNDS = 5;
const BOOKINGS = 5_000;
const SECONDS = 2;

const core = await startCore();
const property = (await core.call('createProperty', { name: 'Bench House' })).property_id as number;
const code = await fill(core, property);
const url = await core.app.listen({ host: '127.0.0.1', port: 0 });
const rows = [
  { what: 'P4 page of 100', path: '/v3/reservations?start_check_out_date=2000-01-01&limit=100&offset=200', goal: 0.5 },
  { what: 'P4 single row', path: `/v3/reservations?reservation_code=${code}`, goal: 0.3 },
];
for (const { what, path, goal } of rows) {
  const { body: bytes } = await core.app.inject({ url: path, headers: { 'service-access-token': core.own.token } });
  const bare = await bareServer(bytes);
  const run = async (target: string) => {
    const headers = { 'service-access-token': core.own.token };
    const result = await sendLoad({
      url: target,
      method: 'GET',
      headers,
      bodies: [],
      connections: 20,
      seconds: SECONDS,
      warmUpSeconds: 1,
    });
    if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
    return result.perSecond;
  };
  const result = await alternate(
    ROUNDS,
    () => run(bare.url),
    () => run(`${url}${path}`),
  );
  process.stdout.write(`${verdict(what, goal, result, '/s')}\n`);
  await bare.close();
}
await core.close();

/** The same bytes as rows of one table, read and joined to a body at each request: nothing that could be left out. */
async function bareServer(body: string) {
  const database = new Database(':memory:');
  const parsed = JSON.parse(body) as { data: { reservations: unknown[] } };
  database.exec('create table rows (id integer primary key, json text)');
  const insert = database.prepare('insert into rows (json) values (?)');
  for (const row of parsed.data.reservations) insert.run(JSON.stringify(row));
  const select = database.prepare<[], { json: string }>('select json from rows order by id desc limit 100');
  const server = fastify();
  server.get('/page', (_request, reply) => {
    const rows = select.all().map((row) => JSON.parse(row.json) as unknown);
    return reply.header('content-type', 'application/json').send(JSON.stringify({ data: { reservations: rows } }));
  });
  const base = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `${base}/page`,
    async close() {
      await server.close();
      database.close();
    },
  };
}

async function fill({ core: inner, own }: TestCore, propertyId: number): Promise<string> {
  let last = '';
  for (let start = 0; start < BOOKINGS; start += 20) {
    await runChange(inner, { account: own.account, operator: null }, async (change) => {
      for (let i = start; i < start + 20; i += 1) {
        const checkIn = addDays('2010-01-01', i);
        const booked = await bookDirect(change, {
          rooms: [
            {
              property_id: propertyId,
              check_in_date: checkIn,
              check_out_date: addDays(checkIn, 1),
              rate: 10_000,
              commission: 0,
              number_of_guests: 2,
            },
          ],
          guest: { name: `Guest ${i}`, email: `guest${i}@example.org` },
          currency: 'EUR',
          booked_at: instantOf(START - i * 60_000),
          income: { amount: 5_000, action_at: instantOf(START) },
        });
        last = booked.reservation_code;
      }
    });
  }
  return last;
}
