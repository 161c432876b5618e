import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { DryRun } from '../../src/automations/tries/dryRun.ts';
import { openAutomations } from '../../src/compose/mirror/automations.ts';
import { loadConfig } from '../../src/config.ts';
import { bookSchema } from '../../src/config/exports.ts';
import { Exports } from '../../src/exports/exporter.ts';
import { work } from '../../src/exports/run/work.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { readSqliteFile } from '../../src/store/sqlite/reading.ts';
import { reports } from '../../src/reports/catalog.ts';
import { readReport } from '../../src/reports/read.ts';
import { evenRandom, plainSealer } from '../support/mirror.ts';
import type { Dialect } from './upstream/show.ts';
import { FOREIGN, type ForeignWorld, openForeign } from './world.ts';

/** The same business, told as much of by two services that speak differently. */
for (const withheld of ['little', 'usual'] as const) {
  describe(`over the public dialect, where ${withheld} is left untold`, () => {
    let described: ForeignWorld;
    let hostex: ForeignWorld;

    before(async () => {
      const open = (dialect: Dialect) =>
        openForeign({ dialect, prepare: ({ faults }) => Object.assign(faults, { withheld }) });
      [described, hostex] = [await open('described'), await open('hostex')];
      for (const world of [described, hostex]) {
        await world.quiet();
        assert.deepEqual(await world.differences(), []);
      }
    });
    after(async () => {
      await described.close();
      await hostex.close();
    });

    it('reports say the same as over our own, and the books hold the same', async () => {
      const books = [await bookkeeping(described), await bookkeeping(hostex)];
      const differing: string[] = [];
      let rows = 0;
      for (const report of reports) {
        const [ours, theirs] = [await answers(described, report), await answers(hostex, report)];
        rows += ours.length;
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) differing.push(report.name);
        if (process.env['TEST_LOG'] === report.name) assert.deepEqual(theirs, ours);
      }
      assert.deepEqual(differing, []);
      assert.ok(rows > 200, `${rows} rows of reports`);
      const [ours, theirs] = books;
      assert.ok(ours && ours.length > 100, `${ours?.length} entries`);
      assert.deepEqual(theirs, ours);
    });

    it('rules would do the same, and leave the same undone for the same reasons', async () => {
      const [ours, theirs] = [await dryRun(described), await dryRun(hostex)];
      assert.ok(ours.acts > 20 && ours.skips > 20, `${ours.acts} acts, ${ours.skips} skips`);
      assert.deepEqual(theirs, ours);
    });
  });
}

/** What every recipe would have done in half a year, and why it would not have. */
async function dryRun({ store, clock, daemon }: ForeignWorld): Promise<DryRun> {
  const automations = openAutomations({
    store,
    config: { ...config, automations: { ...config.automations, rules: RECIPES, hooks: { team: HOOK } } },
    ports: { clock, random: evenRandom, ids: ulidMaker(clock, evenRandom), sealer: plainSealer },
    log: silentLogger,
    userAgent: 'stayd-test',
    fingerprint: (text) => text,
  });
  try {
    automations.start(daemon, true, () => Promise.resolve(undefined));
    await automations.add(FOREIGN, false);
    return (await automations.services.test(FOREIGN, { since: '2026-06-01', limit: 100_000 })) as DryRun;
  } finally {
    await automations.stop();
  }
}

const config = loadConfig({});
const RECIPES = fileURLToPath(new URL('../../config/automations/recipes', import.meta.url));
const HOOK = { url: 'https://team.example/', secret: 'whsec_dGVhbQ==' };

/** Keeps the books of a world. @returns what is booked */
async function bookkeeping({ store, file, clock, rows }: ForeignWorld): Promise<object[]> {
  const exports = new Exports({
    store,
    location: { kind: 'sqlite', file },
    reader: () => readSqliteFile(file),
    clock,
    ids: ulidMaker(clock, evenRandom),
    log: silentLogger,
    folder: join(dirname(file), 'exports'),
    bookOf: () => settings,
    place: () => assert.fail('no settings change here'),
    jobs: {},
    carryOut: work,
    keepMinutes: 0,
    send: () => Promise.reject(new Error('nothing is sent')),
  });
  try {
    await exports.book(FOREIGN, () => {});
    return await rows('select date, account, currency, amount_minor from book_postings order by 1, 2, 3, 4');
  } finally {
    await exports.stop();
  }
}

const settings = bookSchema.parse({
  items: {
    income: { 1: 'accommodation', 2: 'cleaning', 3: 'extra' },
    expense: { 1: 'refund', 2: 'commission', 3: 'opex' },
  },
  methods: {
    income: { 1: 'Assets:Bank', 2: 'channel', 3: 'Assets:Cash' },
    expense: { 1: 'Assets:Bank', 2: 'Assets:Bank', 3: 'Assets:Cash' },
  },
});

async function answers({ store, clock }: ForeignWorld, report: (typeof reports)[number]) {
  const ask = async <Row>(text: string, values: readonly string[]) => {
    const literal = text.replaceAll(/\$(\d+)/g, (_, index) => `'${values[Number(index) - 1]}'`);
    return (await sql.raw<Row>(literal).execute(store.db)).rows;
  };
  const asked = report.filters.property ? { property: 'all' as const } : {};
  const { rows } = await readReport(ask, { report, connection: FOREIGN, asked, now: clock.now() });
  return rows;
}
