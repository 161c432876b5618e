import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres.ts';
import { CONTROL, Facts } from './prove/facts.ts';
import { type Place, type ProvenService, startProven } from './prove/service.ts';
import { type DialectName, DIALECTS } from '../test/sim/dialects.ts';
import { messageOf } from '../src/kernel/errors.ts';
import { proveImport } from './prove/importing.ts';
import { booksParts, proveBooks } from './prove/books/proveBooks.ts';
import { proveUpgrade } from './prove/upgrade.ts';
import { importAll, pause, settle } from './prove/wholeImport.ts';
import type { YearSize } from './prove/world.ts';
import { proveYear } from './prove/year.ts';

/**
 * The full size: a fresh clone, every real booking with its events, the same under 20 kills and on
 * PostgreSQL, a year of them with lost events and silent changes, their import followed under all limits, and their
 * books in every format. Appends what it measured to docs/measured-history.md, what has failed included.
 * `upgrade` needs no data set: today's build goes on with the data of the commit before, or of `--from COMMIT`.
 * `--dialect hostex` lets core and daemon of the year and of what is followed speak so.
 * `--data` is the folder with the data set; `--bookings`, `--properties` and `--hours` make the year smaller,
 * `--bookings`, `--bookings-a-month` and `--entries` the books; `--books owners,real,growth,closed` names parts of them.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KILLS = 20;
/** Bookings that an import stores at least between two kills. */
const BETWEEN_KILLS = 500;
/** Long enough for the command to reach the service, and shorter than the file takes to read. */
const READING_MS = 5_000;
const MOST_REQUESTS = 6_000;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string', default: 'HEAD~1' },
    bookings: { type: 'string' },
    properties: { type: 'string', default: '400' },
    hours: { type: 'string', default: '6' },
    dialect: { type: 'string', default: 'described' },
    entries: { type: 'string', default: '1000000' },
    books: { type: 'string', default: booksParts.join() },
    'bookings-a-month': { type: 'string', default: '200' },
  },
});
const dialect = dialectOf(values.dialect);
const books = values.books.split(',').map((name) => {
  const part = booksParts.find((one) => one === name);
  if (!part) throw new Error(`--books: there is no part "${name}"; there are ${booksParts.join(', ')}`);
  return part;
});
const parts: Record<string, () => Promise<void>> = { clone, upgrade, sqlite, kills, postgres, year, followed, exports };
const chosen = values.only?.split(',') ?? Object.keys(parts);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0)
  throw new Error(`--only: there is no ${unknown.join()}; there are ${Object.keys(parts).join()}`);
const DATA_SET = 'hotel_bookings.csv.gz';
const FILE = resolve(values.data ?? '', DATA_SET);
if (chosen.some((name) => name !== 'clone' && name !== 'upgrade')) {
  if (!values.data) throw new Error(`give --data FOLDER, with ${DATA_SET} in it`);
  if (!existsSync(FILE)) throw new Error(`there is no ${FILE}`);
}

const lines: string[] = [];
const say = (line: string) => {
  lines.push(line);
  console.log(line);
};
for (const [name, part] of Object.entries(parts)) {
  if (!chosen.includes(name)) continue;
  const begun = performance.now();
  try {
    await part();
    say(`- ${name}: done in ${seconds(begun)}`);
  } catch (error) {
    console.error(error);
    say(`- ${name}: failed after ${seconds(begun)}: ${messageOf(error).split('\n', 1).join()}`);
    process.exitCode = 1;
  }
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
const spoken = dialect === 'described' ? '' : `, ${dialect}`;
appendFileSync(
  join(ROOT, 'docs', 'measured-history.md'),
  `\n## prove at ${commit}${spoken} (${machine})\n\n${lines.join('\n')}\n`,
);

async function clone(): Promise<void> {
  await inFolder(async (folder) => {
    const root = join(folder, 'clone');
    execFileSync('git', ['clone', '-q', ROOT, root]);
    const begun = performance.now();
    execFileSync(process.execPath, ['scripts/launch.mjs', '--build-only'], { cwd: root });
    say(`- fresh clone: installed and built in ${seconds(begun)}`);
    const place = { root, dataDir: join(root, 'data'), port: 18_484 };
    const first = await startProven(place);
    say(`- fresh clone: first start ready in ${Math.round(first.readyMs)} ms`);
    await first.stop();
    const second = await startProven(place);
    say(`- fresh clone: second start ready in ${Math.round(second.readyMs)} ms (goal 1,500)`);
    const token = (await second.stayd('token', 'create', '--name', 'prove', '--scope', 'write')).out.trim();
    const made = await (
      await fetch('http://127.0.0.1:18484/v3/properties', {
        method: 'POST',
        headers: { 'Service-Access-Token': token, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'Sea House' }),
      })
    ).json();
    assert.equal((made as { error_code: number }).error_code, 200);
    await second.stop();
  });
}

/** @see proveUpgrade */
async function upgrade(): Promise<void> {
  await proveUpgrade(ROOT, values.from, say);
}

async function sqlite(): Promise<void> {
  await inFolder((folder) => fullImport({ root: ROOT, dataDir: join(folder, 'data'), port: 18_485 }, 'SQLite'));
}

async function postgres(): Promise<void> {
  const server = await startPostgres();
  try {
    await inFolder(async (folder) =>
      fullImport(
        { root: ROOT, dataDir: join(folder, 'data'), port: 18_486, databaseUrl: await server.freshDatabase() },
        'PostgreSQL',
      ),
    );
  } finally {
    await server.stop();
  }
}

async function year(): Promise<void> {
  await proveYear(FILE, ROOT, yearSize(), say);
}

/** @see proveImport */
async function followed(): Promise<void> {
  await proveImport(FILE, ROOT, yearSize(), say);
}

function dialectOf(text: string): DialectName {
  const known = DIALECTS.find((one) => one === text);
  if (!known) throw new Error(`--dialect is one of ${DIALECTS.join(', ')}`);
  return known;
}

function yearSize(): YearSize {
  const { bookings, properties, hours } = values;
  return {
    ...(bookings !== undefined && { bookings: Number(bookings) }),
    properties: Number(properties),
    hours: Number(hours),
    dialect,
  };
}

async function exports(): Promise<void> {
  const { bookings, entries } = values;
  const size = {
    parts: books,
    entries: Number(entries),
    reservationsAMonth: Number(values['bookings-a-month']),
    ...(bookings !== undefined && { bookings: Number(bookings) }),
  };
  await proveBooks({ file: FILE, root: ROOT, dataDir: '', port: 18_488 }, size, say);
}

async function fullImport(place: Place, what: string): Promise<void> {
  const service = await startProven(place);
  const facts = new Facts(place);
  const begun = performance.now();
  const { out, code } = await importAll(service, FILE);
  assert.equal(code, 0, out);
  const storedIn = performance.now() - begun;
  say(
    `- ${what}: ${CONTROL.bookings} bookings stored in ${(storedIn / 1_000).toFixed(0)} s, ${rate(CONTROL.bookings, storedIn)} rows/s, events on`,
  );
  const whileStoring = await service.loopDelay();
  await settle(facts);
  const events = await facts.number('core', 'select count(*) from outbox');
  const whileReading = await service.loopDelay();
  say(`- ${what}: mirror caught up ${seconds(begun)} after the start of the import; ${events} events`);
  say(
    `- ${what}: event-loop delay while storing p99 ${ms(whileStoring.p99)}, max ${ms(whileStoring.max)}; afterwards p99 ${ms(whileReading.p99)}, max ${ms(whileReading.max)}`,
  );
  say(`- ${what}: peak memory of the service ${service.peakMb().toFixed(0)} MB (goal < 256)`);
  const status = JSON.parse((await service.stayd('status', '--json')).out) as {
    connections: { local: { requests: Record<string, number> } };
  };
  const { catch_up: _, verify: __, ...requests } = status.connections.local.requests;
  const asked = Object.values(requests).reduce((sum, count) => sum + count, 0);
  say(`- ${what}: requests of the daemon ${asked} (at most ${MOST_REQUESTS}): ${JSON.stringify(requests)}`);
  await judge(service, facts, what);
  await service.stop();
}

async function kills(): Promise<void> {
  await inFolder(async (folder) => {
    const place = { root: ROOT, dataDir: join(folder, 'data'), port: 18_487 };
    const facts = new Facts(place);
    let service = await startProven(place);
    let killed = 0;
    let slowest = 0;
    const restart = async () => {
      await service.kill();
      killed += 1;
      service = await startProven(place);
      slowest = Math.max(slowest, service.readyMs);
    };
    for (let stored = CONTROL.bookings / 2; ;) {
      const importing = importAll(service, FILE);
      if (killed < KILLS && (await untilKill(killed, stored, facts, importing))) {
        await restart();
        stored = (await facts.number('core', 'select count(*) from import_rows')) + BETWEEN_KILLS;
        await importing;
        continue;
      }
      const { code, out } = await importing;
      assert.equal(code, 0, out);
      break;
    }
    // The import may end before the kills do; the rest falls into deliveries and reads.
    while (killed < KILLS) {
      await pause(1_500);
      await restart();
    }
    say(`- kills: ${killed} kills -9, slowest start after one ${Math.round(slowest)} ms (goal 5,000)`);
    await settle(facts);
    await judge(service, facts, 'kills');
    await service.stop();
    for (const half of ['core', 'mirror'] as const) {
      const [row] = await facts.rows(half, 'pragma integrity_check');
      assert.equal(row?.['integrity_check'], 'ok');
    }
    say('- kills: integrity_check ok on both databases');
  });
}

/**
 * When to kill: in turn after more was stored, and soon after the import was taken up again, while it still
 * reads. @returns false when the import has ended before
 */
async function untilKill(killed: number, enough: number, facts: Facts, importing: Promise<unknown>): Promise<boolean> {
  let ended = false;
  void importing.then(() => (ended = true));
  for (let waited = 0; !ended; waited += 500) {
    await pause(500);
    if (killed % 2 === 1 && waited >= READING_MS) return !ended;
    if ((await facts.number('core', 'select count(*) from import_rows')) > enough) return !ended;
  }
  return false;
}

async function judge(service: ProvenService, facts: Facts, what: string): Promise<void> {
  const mirrored = await facts.mirrored();
  const { rejected: _, ...expected } = CONTROL;
  assert.deepEqual(mirrored, expected);
  say(`- ${what}: control totals equal in the mirror's tables`);
  const lost = await facts.lostAcknowledged();
  assert.equal(lost, 0);
  say(`- ${what}: 0 acknowledged events lost`);
  const begun = performance.now();
  const { out, code } = await service.stayd('verify', '--json');
  assert.equal(code, 0, out);
  say(`- ${what}: verify clean in ${seconds(begun)}`);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-prove-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function seconds(begun: number): string {
  return `${((performance.now() - begun) / 1_000).toFixed(0)} s`;
}

function rate(count: number, inMs: number): string {
  return Math.round(count / (inMs / 1_000)).toLocaleString('en-US');
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
