import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededDice } from '../../../src/kernel/seeded.ts';
import { type Cursor, type ListEntry, type ListPage, UnsteadyList, scanList } from '../../../src/sync/scans/list.ts';

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
    return {
      page: { rows: [], quarantined: [] },
      number: this.requests,
      entries: answered.map(entryOf),
      total: list.length,
    };
  }
}

function entryOf({ id, at }: Row): ListEntry {
  return { key: String(id), order: at };
}

async function scan(list: Rows, windowRows?: number): Promise<number[]> {
  const seen: number[] = [];
  const first = { bound: windowRows === undefined ? '' : '2199-12-31', offset: 0 };
  const pages = scanList({ fetch: (cursor) => list.fetch(cursor), first, ...(windowRows && { windowRows }) });
  for await (const page of pages) seen.push(...page.entries.map(({ key }) => Number(key)));
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
    const entries = rows.slice(start + cursor.offset, start + cursor.offset + LIMIT).map(entryOf);
    assert.ok(cursor.offset < 11_000, 'no deep offsets');
    return { page: { rows: [], quarantined: [] }, number: 1, entries, total: rows.length - start };
  };
  const seen = await scan(list, 10_000);
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
          const seen = new Set(await scan(list, windowRows));
          const missed = base.filter((row) => !gone.has(row.id) && !seen.has(row.id));
          assert.deepEqual(missed, [], `${change} at ${where} of page ${step}`);
        }
      }
    }
  });
}

test('10,000 scans through lists that change at random miss no row that stayed', async () => {
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
    const seen = new Set(await scan(list, random() < 0.5 ? undefined : 150));
    for (const id of stayed) assert.ok(seen.has(id), `run ${run} missed ${id}`);
    assert.ok(list.requests < 40);
  }
});

test('rows of which nobody says where they stand are met like the others, and so are those around them', async () => {
  const list = new Rows();
  list.rows = dated(350, 20);
  const plain = list.fetch.bind(list);
  list.fetch = async (cursor) => {
    const page = await plain(cursor);
    return { ...page, entries: page.entries.map((one) => (Number(one.key) % 7 === 0 ? { key: one.key } : one)) };
  };
  assert.equal(new Set(await scan(list, 150)).size, 350);
});

/** What a list may say of its length: nothing, or something that is not so. */
const TOTALS: Readonly<Record<string, (page: ListPage) => number | null>> = {
  absent: () => null,
  'that of the page': (page) => page.entries.length,
  'too high': () => 1_000,
  'too low': () => 1,
};

for (const [name, total] of Object.entries(TOTALS)) {
  for (const rows of [0, 1, 99, 100, 101, 199, 250, 298, 450]) {
    test(`of ${rows} rows none is missed where the total is ${name}`, async () => {
      const list = new Rows();
      list.rows = dated(rows, 40);
      const plain = list.fetch.bind(list);
      list.fetch = async (cursor) => {
        const page = await plain(cursor);
        return { ...page, total: total(page) };
      };
      assert.equal(new Set(await scan(list, 150)).size, rows);
      const least = Math.max(1, Math.ceil((rows - 1) / (LIMIT - 1)));
      assert.ok(
        list.requests <= least + (name === 'too high' ? 9 : 2),
        `${list.requests} requests where ${least} are the least`,
      );
    });
  }
}

for (const most of [10, 20, 50]) {
  for (const says of [true, false]) {
    test(`all rows are met where pages have ${most} rows, whatever is asked for (total: ${says})`, async () => {
      for (const rows of [most - 1, most, most + 1, 3 * most, 95]) {
        const list = new Rows();
        list.rows = dated(rows, 40);
        const plain = list.fetch.bind(list);
        list.fetch = async (cursor) => {
          const page = await plain(cursor);
          return { ...page, entries: page.entries.slice(0, most), total: says ? page.total : null };
        };
        assert.equal(new Set(await scan(list)).size, rows);
      }
    });
  }
}

test('a list that heeds no offset ends with what it shows', async () => {
  for (const rows of [7, 20, 100]) {
    const list = new Rows();
    list.rows = dated(rows, 40);
    const plain = list.fetch.bind(list);
    list.fetch = async (cursor) => ({ ...(await plain({ ...cursor, offset: 0 })), total: null });
    assert.equal(new Set(await scan(list)).size, rows);
    assert.ok(list.requests <= 4, `${list.requests} requests`);
  }
});

test('a list in no order is read whole, and without bounds that it does not keep', async () => {
  const list = new Rows();
  list.rows = dated(450, 40);
  const shuffled = list.rows.toSorted((a, b) => ((a.id * 7_919) % 450) - ((b.id * 7_919) % 450));
  list.fetch = async ({ bound, offset }) => {
    list.requests += 1;
    const kept = shuffled.filter((row) => row.at <= bound);
    const entries = kept.slice(offset, offset + LIMIT).map(entryOf);
    return { page: { rows: [], quarantined: [] }, number: list.requests, entries, total: null };
  };
  assert.equal(new Set(await scan(list, 150)).size, 450);
});

test('a list that is another one at each request is given up', async () => {
  const list = new Rows();
  let next = 0;
  list.fetch = async () => {
    list.requests += 1;
    assert.ok(list.requests < 500, 'no end');
    const entries = Array.from({ length: 60 }, () => ({ key: String((next += 1)) }));
    return { page: { rows: [], quarantined: [] }, number: list.requests, entries, total: null };
  };
  await assert.rejects(scan(list), UnsteadyList);
});
