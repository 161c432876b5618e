import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { job } from './support/job.ts';
import { bookWith, type LedgerWorld, openLedger } from './support/ledger.ts';

const quiet = () => {};

interface Line {
  id: string;
  date: string;
  original_date: string | null;
  corrects: string | null;
  postings: { account: string; amount: string; currency: string }[];
}

/** Runs a job and reads what it has written, line by line; nothing: nothing was. */
async function run(world: LedgerWorld, name: string, order: object = {}): Promise<Line[]> {
  const ran = await world.exports.run({ job: name, ...order }, quiet);
  if (ran.nothing) return [];
  const file = ran.files.find((one) => one.name.endsWith('.jsonl'));
  assert.ok(file, JSON.stringify(ran));
  const text = readFileSync(
    join(ran.target.startsWith('http') ? join(world.folder, name) : ran.target, file.name),
    'utf8',
  );
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

/** `id date amount` of the first posting. */
function shown(lines: readonly Line[]): string[] {
  return lines.map(({ id, date, postings }) => `${id} ${date} ${postings[0]?.amount}`);
}

/** What each account comes to over all lines. */
function balances(lines: readonly Line[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, amount, currency } of lines.flatMap((line) => line.postings)) {
    const key = `${account} ${currency}`;
    sums[key] = Math.round(((sums[key] ?? 0) + Number(amount)) * 1_000) / 1_000;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

const settings = bookWith({ classes: { accommodation: { recognition: 'cash' } } });

const jobs = {
  full: job(),
  adjusting: job({ corrections: 'adjust' }),
  restated: job({ corrections: 'restate' }),
  fresh: job({ mode: 'incremental' }),
};

function closing(open: () => Promise<LedgerWorld>): void {
  let world: LedgerWorld;
  let sealed: string;
  before(async () => {
    world = await open();
    await world.stay({ code: 'A', from: '2027-02-05', to: '2027-02-08', rate: 30_000, received: 30_000 });
    await world.stay({ code: 'B', from: '2027-03-05', to: '2027-03-08', rate: 10_000, received: 10_000 });
    await world.entry({ id: 1, code: 'A', amount: 30_000, date: '2027-02-01' });
    await world.entry({ id: 2, code: 'B', amount: 10_000, date: '2027-03-10' });
    await world.entry({ id: 3, direction: 'expense', amount: 2_500, date: '2027-02-20' });
    await world.entry({ id: 4, amount: 700, item: 3, date: '2027-04-02' });
  });
  after(() => world.close());

  it('is refused while anything is unclear, naming each reason', async () => {
    await world.entry({ id: 9, amount: 100, item: 99, method: 98, date: '2027-02-03' });
    await world.stay({
      code: 'D',
      channel: 'marketplace_a',
      from: '2027-02-01',
      to: '2027-02-02',
      deposit: { paid: 5_000, pending: 5_000 },
    });
    const asked = world.exports.close({ period: '2027-02', soft: false }, quiet);
    await assert.rejects(asked, (error: Error) => {
      assert.match(
        error.message,
        /unmapped: item 99 “Item 99” has no class; method 98 “Method 98” has no account \(transaction\/9\)/,
      );
      return true;
    });
    // The deposit was noticed in April: it does not concern February.
    await assert.rejects(
      world.exports.close({ period: '2027-04', soft: false }, quiet),
      /is not over before 2027-05-01/,
    );
    await world.remove(9);
    world.clock.jump(30 * 3_600_000);
    await assert.rejects(world.exports.close({ period: '2027-02', soft: false }, quiet), (error: Error) => {
      assert.match(error.message, /reservation: last read at 2027-04-05T10:00:00.000Z, more than 24 hours ago/);
      assert.match(error.message, /transaction: last read/);
      return true;
    });
    await world.reconciled();
  });

  it('is refused for a month that no calendar ends, at once', async () => {
    const refused = (period: string) => world.exports.close({ period, soft: false }, quiet);
    await assert.rejects(refused('9999-12'), /9999-12 cannot be closed:\n {2}- it is not over/);
    await assert.rejects(refused('0000-01'), /is no month since 1970/);
    await assert.rejects(refused('0050-03'), /is no month since 1970/);
  });

  it('locks the month and those before it, each with its hash', async () => {
    const { closed } = await world.exports.close({ period: '2027-02', soft: false }, quiet);
    assert.deepEqual(
      closed.map(({ period, state, entries }) => ({ period, state, entries })),
      [{ period: '2027-02', state: 'locked', entries: 2 }],
    );
    sealed = closed[0]?.digest ?? '';
    assert.match(sealed, /^[0-9a-f]{64}$/);
    assert.deepEqual(shown(await run(world, 'full')), [
      't1-1 2027-02-01 300.00',
      't3-1 2027-02-20 -25.00',
      't2-1 2027-03-10 100.00',
      't4-1 2027-04-02 7.00',
    ]);
    await assert.rejects(world.exports.close({ period: '2027-02', soft: false }, quiet), /2027-02 is locked already/);
  });

  it('an edit of a locked month is reversed and booked again on the first open day', async () => {
    await world.entry({ id: 1, code: 'A', amount: 31_000, date: '2027-02-01' });
    const lines = await run(world, 'full');
    assert.deepEqual(shown(lines), [
      't1-1 2027-02-01 300.00',
      't3-1 2027-02-20 -25.00',
      't1-1-rev 2027-03-01 -300.00',
      't1-2 2027-03-01 310.00',
      't2-1 2027-03-10 100.00',
      't4-1 2027-04-02 7.00',
    ]);
    const again = lines.find(({ id }) => id === 't1-2');
    assert.deepEqual([again?.original_date, again?.corrects], ['2027-02-01', 't1-1']);
    assert.equal(balances(lines)['Assets:Bank EUR'], 392);
  });

  it('or as one entry of the difference, for targets that want that; or as it should have been', async () => {
    const adjusted = await run(world, 'adjusting');
    assert.deepEqual(shown(adjusted).slice(2, 3), ['t1-2-adj 2027-03-01 10.00']);
    assert.deepEqual(balances(adjusted), balances(await run(world, 'full')));
    const restated = await run(world, 'restated');
    assert.deepEqual(shown(restated).slice(0, 1), ['t1-1 2027-02-01 310.00']);
    assert.deepEqual(balances(restated), balances(adjusted));
  });

  it('a deletion, and a move into the locked month and out of it', async () => {
    await world.remove(3);
    await world.entry({ id: 2, code: 'B', amount: 10_000, date: '2027-02-25' });
    await world.entry({ id: 1, code: 'A', amount: 31_000, date: '2027-04-03' });
    assert.deepEqual(shown(await run(world, 'full')), [
      't1-1 2027-02-01 300.00',
      't3-1 2027-02-20 -25.00',
      't1-1-rev 2027-03-01 -300.00',
      't2-1 2027-03-01 100.00',
      't3-1-rev 2027-03-01 25.00',
      't4-1 2027-04-02 7.00',
      't1-2 2027-04-03 310.00',
    ]);
  });

  it('leaves the sealed month as it was, to the byte, and its chain whole', async () => {
    const before = (await run(world, 'full', { from: '2027-02', to: '2027-02' })).map((line) => JSON.stringify(line));
    await world.entry({ id: 3, direction: 'expense', amount: 999, date: '2027-02-20' });
    const now = (await run(world, 'full', { from: '2027-02', to: '2027-02' })).map((line) => JSON.stringify(line));
    assert.deepEqual(now, before);
    const { periods } = await world.exports.verify(undefined, quiet);
    assert.deepEqual(periods, [{ period: '2027-02', entries: 2, digest: sealed, problem: null }]);
    await world.remove(3);
  });

  it('what corrects is sealed with its month, and corrected in turn', async () => {
    await world.exports.close({ period: '2027-03', soft: false }, quiet);
    await world.entry({ id: 2, code: 'B', amount: 12_000, date: '2027-02-25' });
    assert.deepEqual(shown(await run(world, 'full', { from: '2027-03' })), [
      't1-1-rev 2027-03-01 -300.00',
      't2-1 2027-03-01 100.00',
      't3-1-rev 2027-03-01 25.00',
      't2-1-rev 2027-04-01 -100.00',
      't2-2 2027-04-01 120.00',
      't4-1 2027-04-02 7.00',
      't1-2 2027-04-03 310.00',
    ]);
  });

  it('a sealed entry that somebody changed in the database is found', async () => {
    const { body } = await world.store.db
      .selectFrom('export_entries')
      .select('body')
      .where('entry_id', '=', 't3-1')
      .executeTakeFirstOrThrow();
    const put = (text: string) =>
      world.store.db.updateTable('export_entries').set({ body: text }).where('entry_id', '=', 't3-1').execute();
    await put(body.replaceAll('2500', '2400'));
    const spoilt = await world.exports.verify(undefined, quiet);
    await put(body);
    assert.deepEqual([spoilt.clean, spoilt.periods[0]?.problem], [false, 't3-1 is not what was sealed']);
  });

  it('only the newest can be opened again, and why is kept', async () => {
    await assert.rejects(
      world.exports.reopen({ period: '2027-02', reason: 'x' }),
      /cannot be opened while 2027-03 is locked/,
    );
    await world.exports.reopen({ period: '2027-03', reason: 'the cleaning was forgotten' });
    const log = await world.store.db
      .selectFrom('export_period_log')
      .select(['period', 'action', 'reason'])
      .orderBy('log_id')
      .execute();
    assert.deepEqual(log.at(-1), { period: '2027-03', action: 'reopen', reason: 'the cleaning was forgotten' });
    assert.deepEqual(shown(await run(world, 'full', { from: '2027-03', to: '2027-03' })), [
      't1-1-rev 2027-03-01 -300.00',
      // It was sealed as t2-1 once: that name has said what it says.
      't2-2 2027-03-01 120.00',
      't3-1-rev 2027-03-01 25.00',
    ]);
  });

  it('a soft-closed month asks why it may change', async () => {
    await world.exports.close({ period: '2027-03', soft: true }, quiet);
    await run(world, 'full');
    await world.entry({ id: 2, code: 'B', amount: 13_000, date: '2027-02-25' });
    await assert.rejects(run(world, 'full'), /2027-03 is soft-closed, and has changed since/);
    await run(world, 'full', { override: 'the bank was right' });
    await run(world, 'full');
    const log = await world.store.db
      .selectFrom('export_period_log')
      .select(['action', 'reason'])
      .orderBy('log_id')
      .execute();
    assert.deepEqual(log.at(-1), { action: 'override', reason: 'the bank was right' });
  });
}

describe('closing months', () => closing(() => openLedger({ settings, jobs })));

describeOnPostgres('closing months on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => void (server = await startPostgres()));
  after(() => server.stop());
  closing(async () => openLedger({ settings, jobs, database: await server.freshDatabase() }));
});

describe('delivery what is new', () => {
  let world: LedgerWorld;
  before(async () => {
    world = await openLedger({
      settings,
      jobs: {
        ...jobs,
        posted: job({ mode: 'incremental', url: 'https://books.example/in', secret: 'whsec_c2VjcmV0' }),
      },
    });
    await world.entry({ id: 1, amount: 100, item: 3, date: '2027-02-01' });
    await world.entry({ id: 2, amount: 200, item: 3, date: '2027-03-01' });
  });
  after(() => world.close());

  it('each entry once', async () => {
    assert.deepEqual(shown(await run(world, 'fresh')), ['t1-1 2027-02-01 1.00', 't2-1 2027-03-01 2.00']);
    assert.deepEqual(await run(world, 'fresh'), []);
    await world.entry({ id: 3, amount: 300, item: 3, date: '2027-01-01' });
    assert.deepEqual(shown(await run(world, 'fresh')), ['t3-1 2027-01-01 3.00']);
  });

  it('and what has changed since by taking the old one back', async () => {
    await world.entry({ id: 1, amount: 150, item: 3, date: '2027-02-01' });
    await world.remove(2);
    const lines = await run(world, 'fresh');
    assert.deepEqual(shown(lines), ['t1-1-rev 2027-02-01 -1.00', 't1-2 2027-02-01 1.50', 't2-1-rev 2027-03-01 -2.00']);
    assert.deepEqual(await run(world, 'fresh'), []);
    // Back to what it was first is a third version, since the first is reversed for good.
    await world.entry({ id: 1, amount: 100, item: 3, date: '2027-02-01' });
    assert.deepEqual(shown(await run(world, 'fresh')), ['t1-2-rev 2027-02-01 -1.50', 't1-3 2027-02-01 1.00']);
  });

  it('again when somebody says that it did not arrive', async () => {
    await world.entry({ id: 5, amount: 500, item: 3, date: '2027-03-05' });
    assert.deepEqual(shown(await run(world, 'fresh')), ['t5-1 2027-03-05 5.00']);
    const said = await world.exports.ack({ run: 'fresh', failed: true });
    assert.equal(said.state, 'rejected');
    assert.deepEqual(shown(await run(world, 'fresh')), ['t5-1 2027-03-05 5.00']);
    assert.equal((await world.exports.ack({ run: 'fresh', failed: false })).state, 'acknowledged');
    assert.deepEqual(await run(world, 'fresh'), []);
  });

  it('goes on where a crash has cut it off', async () => {
    await world.entry({ id: 6, amount: 600, item: 3, date: '2027-03-06' });
    const written = await world.exports.run({ job: 'fresh' }, quiet);
    // As if the power had failed before the files got their names.
    const { db } = world.store;
    await db.updateTable('export_runs').set({ state: 'prepared' }).where('run_id', '=', written.run_id).execute();
    await world.entry({ id: 7, amount: 700, item: 3, date: '2027-03-07' });
    assert.deepEqual(shown(await run(world, 'fresh')), ['t7-1 2027-03-07 7.00']);
    const row = await db
      .selectFrom('export_runs')
      .select('state')
      .where('run_id', '=', written.run_id)
      .executeTakeFirst();
    assert.equal(row?.state, 'delivered');
    // As if it had failed before everything was written.
    await world.entry({ id: 8, amount: 800, item: 3, date: '2027-03-08' });
    const cut = await world.exports.run({ job: 'fresh' }, quiet);
    await db.updateTable('export_runs').set({ state: 'running' }).where('run_id', '=', cut.run_id).execute();
    assert.deepEqual(shown(await run(world, 'fresh')), ['t8-1 2027-03-08 8.00']);
  });

  it('over signed HTTP, where an answer is the acknowledgement', async () => {
    const ran = await world.exports.run({ job: 'posted' }, quiet);
    assert.equal(ran.state, 'acknowledged');
    assert.deepEqual(
      world.sent.map(({ name, url, id }) => [name.split('.').slice(1).join('.'), url, id]),
      [
        ['jsonl', 'https://books.example/in', `${ran.batch}-1`],
        ['manifest.json', 'https://books.example/in', `${ran.batch}-2`],
      ],
    );
    assert.equal((await world.exports.run({ job: 'posted' }, quiet)).nothing, true);
    await world.entry({ id: 10, amount: 1_000, item: 3, date: '2027-03-10' });
    world.answerSent({ state: 'refused', detail: 'refused 503' });
    assert.equal((await world.exports.run({ job: 'posted' }, quiet)).state, 'failed');
    world.answerSent({ state: 'unknown', detail: 'timeout' });
    const lost = await world.exports.run({ job: 'posted' }, quiet);
    assert.equal(lost.state, 'unknown');
    world.answerSent({ state: 'unknown', detail: 'timeout' });
    await assert.rejects(world.exports.run({ job: 'posted' }, quiet), /may have arrived in part: .*timeout/);
    await world.exports.ack({ run: lost.run_id, failed: true });
    world.answerSent({ state: 'delivered', detail: '' });
    assert.deepEqual(shown(await run(world, 'posted')), ['t10-1 2027-03-10 10.00']);
  });
});

describe('what is written', () => {
  let world: LedgerWorld;
  before(async () => {
    world = await openLedger({ settings, jobs });
    const dated = (id: number) => `2027-0${1 + (id % 3)}-${String(1 + (id % 28)).padStart(2, '0')}`;
    const ids = Array.from({ length: 1_300 }, (_, index) => index + 1);
    await world.entry(...ids.map((id) => ({ id, amount: id, item: 3, date: dated(id) })));
  });
  after(() => world.close());

  it('is the same, byte by byte, the second time, and nothing else lies beside it', async () => {
    const read = async () => {
      const ran = await world.exports.run({ job: 'full' }, quiet);
      return ran.files.map(({ name }) => [name, readFileSync(join(ran.target, name), 'utf8')]);
    };
    const first = await read();
    await world.reopen();
    assert.deepEqual(await read(), first);
    const names = readdirSync(join(world.folder, 'full'));
    assert.deepEqual(new Set(names), new Set(first.map(([name]) => name)));
  });

  it('is sorted by date and complete, with the totals that the manifest says', async () => {
    const ran = await world.exports.run({ job: 'full' }, quiet);
    const lines = await run(world, 'full');
    assert.equal(lines.length, 1_300);
    const order = lines.map(({ date, id }) => `${date} ${id}`);
    assert.deepEqual(order, order.toSorted());
    const manifest = JSON.parse(readFileSync(join(ran.target, ran.files.at(-1)?.name ?? ''), 'utf8')) as {
      totals: object[];
      sources: object;
    };
    // 1 + 2 + … + 1300 cents.
    assert.deepEqual(manifest.totals, [{ currency: 'EUR', debit: '8456.50', credit: '8456.50' }]);
    assert.deepEqual(manifest.sources, { posted: 1_300, ignored: 0, unmapped: 0, pending: 0 });
  });

  it('goes to the folder that is asked for, or nowhere with a clear word', async () => {
    const out = join(world.folder, 'elsewhere');
    const ran = await world.exports.run({ job: 'full', out, from: '2027-02', to: '2027-02-14' }, quiet);
    assert.ok(existsSync(join(out, 'full_2027-02-01_2027-02-14.jsonl')));
    assert.equal(ran.report.entries, 220);
    const file = join(out, ran.files[0]?.name ?? '');
    await assert.rejects(
      world.exports.run({ job: 'full', out: file }, quiet),
      /cannot write to .*jsonl: (EEXIST|ENOTDIR)/,
    );
    // On Node 20 `mkdir` with `recursive` never returns there.
    await assert.rejects(
      world.exports.run({ job: 'full', out: '/proc/books' }, quiet),
      /cannot write to \/proc\/books: /,
    );
    await assert.rejects(world.exports.run({ job: 'nothing' }, quiet), /there is no job "nothing"/);
    await assert.rejects(world.exports.run({ job: 'full', from: '2027-13' }, quiet), /from: "2027-13" is no date/);
  });
});
