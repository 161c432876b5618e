import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { dateIn, msOf } from '../../../src/kernel/dates.ts';
import { Facts } from '../facts.ts';
import { type Place, type ProvenService, startProven } from '../service.ts';
import { checkMonth, checkTwice, JOBS, type RunJob } from './checkMonth.ts';

const GOAL = { p99: 20, max: 200 };

interface Ran {
  target: string;
  files: { name: string; sha256: string }[];
  report: { entries: number };
}

/**
 * Every real booking (or the first of them), imported, mirrored, and booked: each month in every format, against the
 * core's own tables.
 */
export async function proveRealReservations(
  place: Place & { file: string },
  bookings: number | undefined,
  say: (line: string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-prove-books-'));
  const facts = new Facts({ ...place, dataDir: join(folder, 'data') });
  const service = await startProven({ ...place, dataDir: join(folder, 'data') });
  try {
    await importAll(service, bookings === undefined ? place.file : await firstOf(place.file, bookings, folder));
    await service.loopDelay();
    const run = async (job: string, from: string, to: string) => {
      const { target, files } = await exported(service, [
        'run',
        job,
        '--from',
        from,
        '--to',
        to,
        '--out',
        join(folder, 'out', job),
      ]);
      return { folder: target, files };
    };
    const begun = performance.now();
    let entries = 0;
    const months = await monthsOf(facts);
    for (const { month, received_minor } of months) {
      const checked = await checkMonth(run, month);
      entries += checked.entries;
      const money = [...checked.moved].reduce(
        (sum, [key, minor]) => (key.startsWith('Assets:') ? sum + minor : sum),
        0n,
      );
      assert.equal(money, received_minor, `${month}: what the core has received`);
    }
    say(
      `- books of the real bookings: ${entries} entries of ${months.length} months; each month accepted by hledger, ledger and bean-check with the same balances, equal to what the core's ledger received; ${((performance.now() - begun) / 1_000).toFixed(0)} s`,
    );
    await checkTwice(run, JOBS, months[0]?.month ?? '', months.at(-1)?.month ?? '');
    say(`- books of the real bookings: two runs over everything gave the same bytes in ${JOBS.length} formats`);
    const middle = months[Math.floor((months.length - 1) / 2)]?.month ?? '';
    await proveSealed(service, facts, { month: middle, run, say });
    const { p99, max } = await service.loopDelay();
    say(
      `- books of the real bookings: event-loop delay of the service while they were exported and closed p99 ${p99.toFixed(0)} ms (goal < ${GOAL.p99}), max ${max.toFixed(0)} ms (goal < ${GOAL.max}); peak memory ${service.peakMb().toFixed(0)} MB`,
    );
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file of the first rows alone. */
async function firstOf(file: string, bookings: number, folder: string): Promise<string> {
  const lines: string[] = [];
  const text = createReadStream(file).pipe(createGunzip());
  for await (const line of createInterface({ input: text })) {
    lines.push(line);
    if (lines.length > bookings) break;
  }
  text.destroy();
  const cut = join(folder, 'bookings.csv');
  writeFileSync(cut, `${lines.join('\n')}\n`);
  return cut;
}

async function importAll(service: ProvenService, file: string): Promise<void> {
  const imported = await service.stayd(
    'import',
    'bookings',
    file,
    '--mapping',
    'hotel-bookings',
    '--no-events',
    '--json',
  );
  assert.equal(imported.code, 0, imported.out);
  const read = await service.stayd('reconcile', '--json');
  assert.equal(read.code, 0, read.out);
}

async function exported(service: ProvenService, words: readonly string[]): Promise<Ran> {
  const { out, code } = await service.stayd('export', ...words, '--json');
  assert.equal(code, 0, out);
  return JSON.parse(out) as Ran;
}

/** Months of the core's ledger, in the zone of the account, with what came in less what went out. */
async function monthsOf(facts: Facts): Promise<{ month: string; received_minor: bigint }[]> {
  const [account] = await facts.rows('core', 'select time_zone from accounts');
  const zone = String(account?.['time_zone']);
  const rows = await facts.rows('core', 'select direction, amount, action_at from transactions');
  const sums = new Map<string, bigint>();
  for (const { direction, amount, action_at } of rows) {
    const month = dateIn(zone, msOf(String(action_at))).slice(0, 7);
    const minor = BigInt(amount ?? 0) * (direction === 'income' ? 1n : -1n);
    sums.set(month, (sums.get(month) ?? 0n) + minor);
  }
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, received_minor]) => ({ month, received_minor }));
}

/** Closes months, changes what stands in them, and writes them again. */
async function proveSealed(
  service: ProvenService,
  facts: Facts,
  { month, run, say }: { month: string; run: RunJob; say: (line: string) => void },
): Promise<void> {
  const begun = performance.now();
  const closed = await service.stayd('export', 'close', month, '--json');
  assert.equal(closed.code, 0, closed.out);
  const said = JSON.parse(closed.out) as { closed: { entries: number }[] };
  const sealedEntries = said.closed.reduce((sum, { entries }) => sum + entries, 0);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  const before = await run('jsonl', month, month);
  const text = readFileSync(join(before.folder, before.files[0]?.name ?? ''), 'utf8');
  const ids = [...new Set([...text.matchAll(/"source":"transaction\/(\d+)"/g)].map(([, id]) => id ?? ''))].slice(0, 20);
  const token = (await service.stayd('token', 'create', '--name', 'books', '--scope', 'write')).out.trim();
  for (const [index, id] of ids.entries()) {
    const response = await fetch(`${service.url}/v3/transactions/${id}`, {
      method: index % 2 === 0 ? 'PATCH' : 'DELETE',
      headers: { 'Service-Access-Token': token, ...(index % 2 === 0 && { 'content-type': 'application/json' }) },
      ...(index % 2 === 0 && { body: JSON.stringify({ amount: 1 + index }) }),
    });
    assert.equal(((await response.json()) as { error_code: number }).error_code, 200);
  }
  while (!(await facts.settled())) await new Promise((resolve) => setTimeout(resolve, 500));
  // The manifest beside it says when the mirror last changed.
  assert.deepEqual((await run('jsonl', month, month)).files[0], before.files[0]);
  const verified = JSON.parse((await service.stayd('export', 'verify', '--json')).out) as {
    periods: { problem: string | null }[];
  };
  assert.ok(verified.periods.every(({ problem }) => problem === null));
  say(
    `- books of the real bookings: ${said.closed.length} months with ${sealedEntries} entries sealed in ${seconds} s; unchanged to the byte by ${ids.length} later edits and deletions`,
  );
}
