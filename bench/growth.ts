import { addDays } from '../src/kernel/dates.ts';
import { type BenchCore, startBenchCore } from './support/core.ts';
import { median } from './support/measure.ts';
import { lastCheckIns, lastThread } from './support/portfolio.ts';
import { absolute } from './support/outcome.ts';

/**
 * P8: what becomes of reads as an account grows from 1,000 reservations to 1,000,000 (or the number given), each with an
 * entry in the ledger and a thread: single reads and first pages stay as they are, a page far down a list costs a scan
 * along an index, a total the same.
 */
const MOST = Number(process.argv[2] ?? 1_000_000);
const SIZES = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= MOST);
/** As many as the first size has reservations, so that a window of the last three days holds as many at each size. */
const PROPERTIES = 1_000;
const ROUNDS = 15;
const WARM_UP = 10;
const GOAL = { flat: 0.2, total: 100, perSkipped: 0.1e-3, page: 1 };
/** How far down a list its page is read, as a share of its length. */
const DEEP = 0.9;

const figures = new Map<string, number[]>();
for (const size of SIZES) {
  const begun = performance.now();
  const core = await startBenchCore({ properties: PROPERTIES, reservations: size });
  process.stdout.write(
    `${count(size)} reservations, filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`,
  );
  await measure(core, size);
  await core.close();
}
for (const [what, times] of figures) {
  // The least of the sizes is the measure: what lies beneath it is the machine.
  const ratio = Math.max(...times) / Math.min(...times);
  const list = times.map((time) => time.toFixed(2)).join(', ');
  process.stdout.write(
    `${absolute(`P8 ${what}`, { ours: `${list} ms; the slowest ${ratio.toFixed(2)} × the fastest`, goal: `${1 + GOAL.flat} ×` }, ratio <= 1 + GOAL.flat)}\n`,
  );
}

async function measure(core: BenchCore, size: number): Promise<void> {
  const { first, last } = lastCheckIns(core.portfolio);
  const window = `start_check_out_date=${addDays(first, 2)}&end_check_out_date=${addDays(last, 2)}`;
  const ledger = `start_date=${core.portfolio.from}&end_date=${core.today}`;
  const [, code = ''] = /"reservation_code":"([^"]+)"/.exec(await core.ask(`/v3/reservations?${window}&limit=1`)) ?? [];
  const flat = {
    'one reservation by its code': `/v3/reservations?reservation_code=${code}`,
    'one conversation': `/v3/conversations/${lastThread(core.portfolio)}`,
    'entries of one reservation': `/v3/transactions?${ledger}&reservation_code=${code}`,
    'first page of three days of check-outs': `/v3/reservations?${window}`,
  };
  for (const [what, path] of Object.entries(flat)) {
    figures.set(what, [...(figures.get(what) ?? []), await timeOf(core, path)]);
  }
  const lists = {
    'reservations from a date on': '/v3/reservations?start_check_out_date=2000-01-01',
    'reservations of a status':
      '/v3/reservations?status=accepted&start_check_out_date=2000-01-01&order_by=check_in_date',
    'a year of transactions': `/v3/transactions?${ledger}`,
    conversations: '/v3/conversations?',
  };
  for (const [what, path] of Object.entries(lists)) {
    const begin = await timeOf(core, `${path}&limit=1`);
    const skipped = Math.floor(size * DEEP);
    const deep = (await timeOf(core, `${path}&limit=1&offset=${skipped}`)) - begin;
    const most = GOAL.perSkipped * skipped + GOAL.page;
    const list = `P8 ${what}, ${count(size)}`;
    const totals = absolute(
      `${list}: first page with total`,
      { ours: `${begin.toFixed(1)} ms`, goal: `${GOAL.total} ms` },
      begin <= GOAL.total,
    );
    const page = absolute(
      `${list}: page at ${count(skipped)}`,
      { ours: `${deep.toFixed(1)} ms more`, goal: `${most.toFixed(1)} ms` },
      deep <= most,
    );
    process.stdout.write(`${totals}\n${page}\n`);
  }
}

/** The median of some rounds, in milliseconds, through everything but the socket. */
async function timeOf(core: BenchCore, path: string): Promise<number> {
  for (let round = 0; round < WARM_UP; round += 1) await core.ask(path);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await core.ask(path);
    times.push(performance.now() - begun);
  }
  return median(times);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
