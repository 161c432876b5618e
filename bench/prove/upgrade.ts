import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Facts } from './facts.ts';
import { type Place, type ProvenService, startProven } from './service.ts';
import { seconds } from './words.ts';

const PORT = 18_489;
const SETTLE_MS = 5 * 60_000;
const LOOK_MS = 500;
/** What the books must be told of the marketplaces that are played, so that a month can be closed. */
const SETTINGS = `
exports:
  books:
    local:
      channels:
        marketplace_a: { deposits: charge }
        marketplace_b: { deposits: charge }
        marketplace_c: { deposits: hold }
`;
/** What an upgrade must neither lose nor do twice; of the mirror what no later reading could bring back. */
const KEPT = {
  core: ['reservations', 'stays', 'transactions', 'properties', 'tokens', 'webhooks', 'outbox', 'audit'],
  mirror: ['inbox', 'changes', 'versions', 'export_entries'],
} as const;

/** Bookings of two years; without dates v3 lists what is near. */
const EVERYTHING = `limit=100&start_check_in_date=${dayFromNow(-365)}&end_check_in_date=${dayFromNow(365)}`;

type Say = (line: string) => void;

/** A build of an earlier commit is filled and stopped, and today's goes on with its data. */
export async function proveUpgrade(root: string, from: string, say: Say): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-upgrade-'));
  const before = join(folder, 'before');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--short', from);
  git('worktree', 'add', '-q', '--detach', before, commit);
  try {
    const begun = performance.now();
    build(root, before);
    say(`- upgrade: built ${commit} in ${seconds(begun)}`);
    const config = join(folder, 'stayd.yaml');
    writeFileSync(config, SETTINGS);
    const place = { dataDir: join(folder, 'data'), port: PORT, environment: { STAYD_CONFIG: config } };
    const left = await fill({ ...place, root: before }, say);
    await syncRules({ ...place, root }, left, say);
  } finally {
    git('worktree', 'remove', '--force', before);
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(root: string, before: string): void {
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  // The same packages need not be fetched again.
  if (lock(root) === lock(before)) symlinkSync(join(root, 'node_modules'), join(before, 'node_modules'));
  execFileSync(process.execPath, ['scripts/launch.mjs', '--build-only'], { cwd: before, stdio: 'inherit' });
}

interface Left {
  token: string;
  code: string;
  listed: unknown;
  closed: unknown;
  counts: Record<string, number>;
}

/** Properties, reservations, their events, and a month that is closed. */
async function fill(place: Place, say: Say): Promise<Left> {
  const service = await startProven(place);
  const facts = new Facts(place);
  await succeeds(service, 'simulate', '--days', '60', '--properties', '5', '--seed', '1');
  const token = (await succeeds(service, 'token', 'create', '--name', 'upgrade', '--scope', 'write')).trim();
  const { property_id } = await v3(service, token, '/properties', { name: 'Sea View' });
  const { reservation_code: code } = await v3(service, token, '/reservations', {
    property_id,
    check_in_date: dayFromNow(200),
    check_out_date: dayFromNow(203),
    guest_name: 'A. Guest',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 100,
    currency: 'EUR',
  });
  await settle(facts);
  await succeeds(service, 'reconcile');
  await settle(facts);
  await succeeds(service, 'export', 'close', lastMonth());
  const closed = JSON.parse(await succeeds(service, 'export', 'list', '--json')) as { periods?: unknown };
  const listed = await v3(service, token, `/reservations?${EVERYTHING}`);
  await service.stop();
  const counts = await countsOf(facts);
  say(`- upgrade: filled and stopped: ${told(counts)}; closed up to ${lastMonth()}`);
  return { token, code: String(code), listed, closed: closed.periods ?? null, counts };
}

async function syncRules(place: Place, left: Left, say: Say): Promise<void> {
  const service = await startProven(place);
  const facts = new Facts(place);
  try {
    say(`- upgrade: today's build was ready in ${Math.round(service.readyMs)} ms on the same data directory`);
    await settle(facts);
    const counts = await countsOf(facts);
    for (const [table, count] of Object.entries(left.counts)) {
      assert.ok((counts[table] ?? 0) >= count, `${table}: ${counts[table]} of ${count} rows are left`);
    }
    const listed = await v3(service, left.token, `/reservations?${EVERYTHING}`);
    assert.deepEqual(codesOf(listed), codesOf(left.listed));
    assert.ok(codesOf(listed).includes(left.code));
    const closed = JSON.parse(await succeeds(service, 'export', 'list', '--json')) as { periods?: unknown };
    assert.deepEqual(closed.periods ?? null, left.closed, 'the closed months');
    say(
      `- upgrade: nothing is missing (${told(counts)}), the earlier token reads all bookings, closed months are the same`,
    );
    await succeeds(service, 'verify', '--json');
    await succeeds(service, 'doctor');
    await booksHold(service, say);
    say('- upgrade: verify clean, doctor finds nothing, sealed months are as they were');
  } finally {
    await service.stop();
  }
}

interface Checked {
  periods: { problem: string | null }[];
  books: { unconfirmed: { count: number }; exceptionCount: number };
}

/**
 * Sealed months are as they were. What newer rules would correct in them is named, and waits for somebody to confirm it;
 * what they would have looked at is named too, and is for a person.
 */
async function booksHold(service: ProvenService, say: Say): Promise<void> {
  const waiting = (await checked(service)).books.unconfirmed.count;
  if (waiting > 0) {
    say(`- upgrade: ${waiting} entries of locked months wait for \`export confirm-settings\``);
    await succeeds(service, 'export', 'confirm-settings', '--reason', 'upgrade');
    await succeeds(service, 'export', 'book');
  }
  const { books } = await checked(service);
  assert.equal(books.unconfirmed.count, 0);
  if (books.exceptionCount > 0) say(`- upgrade: ${books.exceptionCount} entries are to be looked at by a person`);
}

/** `export verify`, with nothing wrong but what people have to do. */
async function checked(service: ProvenService): Promise<Checked> {
  const { out, code } = await service.stayd('export', 'verify', '--json');
  const report = JSON.parse(out) as Checked;
  assert.ok(report.periods.length > 0 && report.periods.every(({ problem }) => problem === null), out);
  const isClean = report.books.unconfirmed.count === 0 && report.books.exceptionCount === 0;
  assert.equal(code, isClean ? 0 : 1, out);
  return report;
}

async function succeeds(service: ProvenService, ...args: string[]): Promise<string> {
  const { out, err, code } = await service.stayd(...args);
  assert.equal(code, 0, `./stayd ${args.join(' ')} ended with ${code}\n${out}${err}`);
  return out;
}

async function v3(
  service: ProvenService,
  token: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}/v3${path}`, {
    headers: { 'service-access-token': token, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { error_code: number; data: Record<string, unknown> };
  assert.equal(answer.error_code, 200, `${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

function codesOf(listed: unknown): string[] {
  const { reservations } = listed as { reservations: { reservation_code: string }[] };
  return reservations.map((one) => one.reservation_code);
}

async function countsOf(facts: Facts): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const half of ['core', 'mirror'] as const) {
    for (const table of KEPT[half]) {
      counts[`${half}.${table}`] = await facts.number(half, `select count(*) from ${table}`);
    }
  }
  return counts;
}

async function settle(facts: Facts): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  while (!(await facts.settled())) {
    if (performance.now() > end) throw new Error('the mirror did not settle');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function told(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ');
}

function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
