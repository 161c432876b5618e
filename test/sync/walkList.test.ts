import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededDice } from '../../src/kernel/seeded.ts';
import { type Cursor, type ListPage, walkList } from '../../src/sync/walks/list.ts';

interface Row {
  id: number;
  at: string;
}

const LIMIT = 100;

/** A list as v3 answers it: latest first, newest id among equals. */
class Rows {
  rows: Row[] = [];
  requests = 0;
  onRequest: (cursor: Cursor) => void = () => {};

  async fetch(cursor: Cursor): Promise<ListPage> {
    this.requests += 1;
    this.onRequest(cursor);
    const list = this.rows
      .filter((row) => cursor.bound === '' || row.at <= cursor.bound)
      .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.id - a.id));
    const answered = list.slice(cursor.offset, cursor.offset + LIMIT);
    const places = answered.map(({ at, id }) => ({ at, id }));
    return {
      page: { rows: [], unfit: [] },
      number: this.requests,
      places,
      answered: answered.length,
      total: list.length,
    };
  }
}

async function walk(list: Rows, windowRows?: number): Promise<number[]> {
  const seen: number[] = [];
  const first = { bound: windowRows === undefined ? '' : '2199-12-31', offset: 0 };
  const pages = walkList({ fetch: (cursor) => list.fetch(cursor), first, ...(windowRows && { windowRows }) });
  for await (const page of pages) seen.push(...page.places.map((place) => place.id));
  return seen;
}

function dated(count: number, dates: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const day = index % dates;
    return { id: index + 1, at: new Date(Date.UTC(2015, 0, 1 + day)).toISOString().slice(0, 10) };
  });
}

test('119,390 rows take at most 1.02 times the requests they must', async () => {
  const list = new Rows();
  const rows = dated(119_390, 793).toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.id - a.id));
  // Sorted once: the order never changes here.
  list.fetch = async (cursor) => {
    list.requests += 1;
    const start = cursor.bound === '2199-12-31' ? 0 : rows.findIndex((row) => row.at <= cursor.bound);
    const places = rows.slice(start + cursor.offset, start + cursor.offset + LIMIT);
    assert.ok(cursor.offset < 11_000, 'no deep offsets');
    return { page: { rows: [], unfit: [] }, number: 1, places, answered: places.length, total: rows.length - start };
  };
  const seen = await walk(list, 10_000);
  assert.equal(new Set(seen).size, 119_390);
  assert.ok(list.requests <= 1.02 * Math.ceil(119_390 / LIMIT), `${list.requests} requests`);
});

for (const windowRows of [undefined, 300]) {
  test(`rows that stay are seen, whatever comes and goes at any page boundary (windows of ${windowRows})`, async () => {
    const SIZE = 450;
    const base = dated(SIZE, 40);
    for (let step = 1; step <= 5; step += 1) {
      for (const where of ['front', 'boundary', 'middle'] as const) {
        for (const change of [-150, -30, -1, 1, 30, 150]) {
          const list = new Rows();
          list.rows = [...base];
          const gone = new Set<number>();
          list.onRequest = () => {
            if (list.requests !== step + 1) return;
            const order = list.rows.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.id - a.id));
            const at = where === 'front' ? 0 : where === 'boundary' ? step * 99 - 1 : step * 99 - 50;
            if (change < 0) {
              const lost = order.slice(Math.max(0, at), Math.max(0, at) - change);
              for (const row of lost) gone.add(row.id);
              list.rows = list.rows.filter((row) => !gone.has(row.id));
            } else {
              const near = order[Math.min(at, order.length - 1)]?.at ?? '2015-01-01';
              for (let extra = 0; extra < change; extra += 1) list.rows.push({ id: 10_000 + extra, at: near });
            }
          };
          const seen = new Set(await walk(list, windowRows));
          const missed = base.filter((row) => !gone.has(row.id) && !seen.has(row.id));
          assert.deepEqual(missed, [], `${change} at ${where} of page ${step}`);
        }
      }
    }
  });
}

test('10,000 walks through lists that change at random miss no row that stayed', async () => {
  const random = seededDice(3).fraction;
  for (let run = 0; run < 10_000; run += 1) {
    const list = new Rows();
    const size = 90 + Math.floor(random() * 350);
    list.rows = dated(size, 1 + Math.floor(random() * 60));
    const stayed = new Set(list.rows.map((row) => row.id));
    let next = 10_000;
    list.onRequest = () => {
      const changes = Math.floor(random() * 4);
      for (let change = 0; change < changes; change += 1) {
        const index = Math.floor(random() * list.rows.length);
        const row = list.rows[index];
        if (row && random() < 0.6) {
          list.rows.splice(index, 1);
          stayed.delete(row.id);
        } else {
          list.rows.push({ id: (next += 1), at: row?.at ?? '2015-01-05' });
        }
      }
    };
    const seen = new Set(await walk(list, random() < 0.5 ? undefined : 150));
    for (const id of stayed) assert.ok(seen.has(id), `run ${run} missed ${id}`);
    assert.ok(list.requests < 40);
  }
});

test('rows that cannot be read cost a request and lose none of the others', async () => {
  const list = new Rows();
  list.rows = dated(350, 20);
  const plain = list.fetch.bind(list);
  list.fetch = async (cursor) => {
    const page = await plain(cursor);
    return { ...page, places: page.places.filter((place) => place.id % 7 !== 0) };
  };
  const seen = new Set(await walk(list, 150));
  for (const { id } of list.rows) if (id % 7 !== 0) assert.ok(seen.has(id));
});

for (const windowRows of [undefined, 150]) {
  test(`a walk ends, wherever one row cannot be read (windows of ${windowRows})`, async () => {
    for (let unreadable = 90; unreadable < 350; unreadable += 1) {
      const list = new Rows();
      list.rows = dated(350, 350);
      // Of 350 dates the newest row is the one of the greatest id.
      const bad = 350 - unreadable;
      const plain = list.fetch.bind(list);
      list.fetch = async (cursor) => {
        assert.ok(list.requests < 40, `no end at row ${unreadable}`);
        const page = await plain(cursor);
        return { ...page, places: page.places.filter((place) => place.id !== bad) };
      };
      assert.equal(new Set(await walk(list, windowRows)).size, 349);
    }
  });
}
