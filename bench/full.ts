import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/port.ts';
import { CONTROL, Facts } from './prove/facts.ts';
import { type Place, type ProvenService, startProven } from './prove/service.ts';
import { importAll, pause, settle } from './prove/wholeImport.ts';
import { databaseBytes, residentMb, writtenBytes } from './support/processes.ts';
import { measureRead, type Read } from './support/reading.ts';
import { GOAL } from './support/reads.ts';
import { absolute } from './support/outcome.ts';

/**
 * The whole service, built and in a process of its own, with all real bookings: their import (P12) and what it leaves on
 * disk (P13), a restart (P6, P10), memory at rest (P5), every list of reservations and transactions (P4), a month's
 * export (P11), and the one thread while everything goes on at once (P9).
 * `--data FOLDER` has the data set; `--keep FOLDER` keeps the imported service there, `--use FOLDER` begins with a copy of
 * one; `--only lists,restart,…` names parts.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DATA_SET = 'hotel_bookings.csv.gz';
const SINGLE_READS = 200;
const IDLE_MS = 30_000;
const BUSY_MS = 20_000;
const MONTH = ['2016-08-01', '2016-08-31'] as const;
const EXPORTS = 3;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    keep: { type: 'string' },
    use: { type: 'string' },
    only: { type: 'string' },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const parts = { restart, idle, lists, export: exported, busy };
const chosen = values.only?.split(',') ?? Object.keys(parts);
const unknown = chosen.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) throw new Error(`--only: there is no ${unknown}; there are ${Object.keys(parts).join()}`);

const dataDir = values.keep ?? mkdtempSync(join(tmpdir(), 'stayd-bench-full-'));
if (values.use !== undefined) cpSync(values.use, dataDir, { recursive: true });
const place: Place = {
  root: ROOT,
  dataDir,
  port: await freePort(),
  environment: { STAYD_LIMITS: 'off' },
};
const facts = new Facts(place);
let service = await startProven(place);
try {
  if (values.use === undefined) await imported();
  for (const [name, part] of Object.entries(parts)) if (chosen.includes(name)) await part();
} finally {
  await service.stop();
  if (values.keep === undefined) rmSync(dataDir, { recursive: true, force: true });
}

async function imported(): Promise<void> {
  const file = resolve(values.data ?? '', DATA_SET);
  if (!existsSync(file)) throw new Error(`give --data FOLDER, with ${DATA_SET} in it, or --use FOLDER`);
  const written = writtenBytes(service.pid);
  const begun = performance.now();
  const { code, out } = await importAll(service, file);
  if (code !== 0) throw new Error(out);
  const perSecond = CONTROL.bookings / ((performance.now() - begun) / 1_000);
  await settle(facts);
  const kB = (bytes: number) => bytes / CONTROL.bookings / 1_000;
  const bytes = kB(writtenBytes(service.pid) - written);
  say(
    absolute(
      'P12 import with events',
      {
        ours: `${perSecond.toFixed(0)} rows/s, ${bytes.toFixed(0)} kB written a booking, its deliveries and its mirror included`,
        goal: '1,500 rows/s, 100 kB',
      },
      perSecond >= 1_500 && bytes <= 100,
    ),
  );
  await service.stop();
  const size = kB(databaseBytes(place.dataDir));
  say(absolute('P13 databases after it', { ours: `${size.toFixed(1)} kB a reservation`, goal: '5 kB' }, size <= 5));
  service = await startProven(place);
}

async function restart(): Promise<void> {
  await settle(facts);
  await caughtUp();
  await service.stop();
  service = await startProven(place);
  const delays = await singleReads(service);
  await caughtUp();
  const { requests } = await localStatus();
  const { setup = 0, ...more } = requests;
  const owed = (more['reconcile'] ?? 0) + (more['reconcile_slow'] ?? 0);
  const other = Object.values(more).reduce((sum, count) => sum + count, 0) - owed;
  const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
  say(
    absolute(
      'P6 second start',
      { ours: `ready in ${service.readyMs.toFixed(0)} ms`, goal: '1,500 ms' },
      service.readyMs < 1_500,
    ),
  );
  say(
    absolute(
      'P10 restart after a clean stop',
      {
        ours: `${other} requests beside ${owed} of reconciliation and ${setup} for the webhook; first ${SINGLE_READS} single reads p99 ${p99.toFixed(1)} ms`,
        goal: '0 requests, 20 ms',
      },
      other === 0 && p99 < 20,
    ),
  );
}

/** Milliseconds of single reads from the first moment on, one after the other. */
async function singleReads({ url }: ProvenService): Promise<number[]> {
  const token = await readToken();
  const codes = await facts.rows('core', `select reservation_code as code from reservations limit ${SINGLE_READS}`);
  const delays: number[] = [];
  for (const { code } of codes) {
    const begun = performance.now();
    const headers = { 'service-access-token': token };
    const answer = await fetch(`${url}/v3/reservations?reservation_code=${code}`, { headers });
    await answer.text();
    delays.push(performance.now() - begun);
  }
  return delays.toSorted((a, b) => a - b);
}

async function idle(): Promise<void> {
  await caughtUp();
  await service.stop();
  service = await startProven(place);
  await caughtUp();
  await pause(IDLE_MS);
  const mb = residentMb(service.pid);
  say(absolute('P5 idle with the full data', { ours: `${mb.toFixed(0)} MB`, goal: '130 MB' }, mb < 130));
}

async function lists(): Promise<void> {
  await caughtUp();
  const source = { url: service.url, token: await readToken(), pid: service.pid };
  const [some] = await facts.rows(
    'core',
    'select reservation_code as code, property_id, channel_type from stays order by id limit 1 offset 60000',
  );
  const whenever = 'start_check_out_date=2000-01-01&limit=100';
  const page = (what: string, query: string): Read => ({
    what: `reservations, ${what}, page of 100`,
    path: `/v3/reservations?${query}`,
    goal: GOAL.page,
  });
  const { property_id: property, channel_type: channel, code } = some ?? {};
  const reads: Read[] = [
    page('all', `${whenever}&offset=200`),
    page('all from the offset 100,000 on', `${whenever}&offset=100000`),
    page('of a status', `${whenever}&status=accepted&offset=200`),
    page('of a property', `${whenever}&property_id=${property}`),
    page('of a channel', `${whenever}&channel_type=${channel}`),
    page('of all check-ins', 'start_check_in_date=2010-01-01&end_check_in_date=2030-01-01&limit=100'),
    page('of a week of check-ins', 'start_check_in_date=2016-08-01&end_check_in_date=2016-08-07&limit=100'),
    page('of a month of check-outs', 'start_check_out_date=2016-08-01&end_check_out_date=2016-08-31&limit=100'),
    page('by check-in', `${whenever}&order_by=check_in_date`),
    page('by check-out', `${whenever}&order_by=check_out_date`),
    { what: 'one reservation by its code', path: `/v3/reservations?reservation_code=${code}`, goal: GOAL.single },
    {
      what: 'transactions of a year, page of 100',
      path: '/v3/transactions?start_date=2016-01-01&end_date=2016-12-31&limit=100',
      goal: GOAL.page,
    },
    { what: 'properties, page of 50', path: '/v3/properties?limit=50', goal: GOAL.page },
  ];
  for (const read of reads) say(await measureRead(source, read));
}

async function exported(): Promise<void> {
  await caughtUp();
  const [from, to] = MONTH;
  const times: number[] = [];
  for (let time = 0; time < EXPORTS; time += 1) {
    const begun = performance.now();
    const { code, out, err } = await service.stayd('export', 'run', 'csv', '--from', from, '--to', to);
    if (code !== 0) throw new Error(out + err);
    times.push((performance.now() - begun) / 1_000);
  }
  const [first = 0, ...later] = times;
  const best = Math.min(...later);
  const figures = { ours: `first ${first.toFixed(1)} s, then ${best.toFixed(1)} s`, goal: '1 s' };
  say(absolute('P11 export of a month as CSV, with the command', figures, best < 1));
}

/** Everything at once: verify, an export, and lists as a console asks them. */
async function busy(): Promise<void> {
  await caughtUp();
  await service.loopDelay();
  const [from, to] = MONTH;
  let on = true;
  const token = await readToken();
  const headers = { 'service-access-token': token };
  const console = async () => {
    while (on) {
      await (
        await fetch(`${service.url}/v3/reservations?start_check_out_date=2016-08-01&limit=100`, { headers })
      ).text();
      await pause(50);
    }
  };
  const work = [service.stayd('verify', '--json'), service.stayd('export', 'run', 'csv', '--from', from, '--to', to)];
  const reading = console();
  await pause(BUSY_MS);
  const { p99, max } = await service.loopDelay();
  on = false;
  await reading;
  await Promise.all(work);
  const figures = {
    ours: `event-loop delay p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms`,
    goal: 'p99 20 ms, max 200 ms',
  };
  say(absolute('P9 verify, export and lists at once', figures, p99 < 20 && max < 200));
}

async function readToken(): Promise<string> {
  const { out, err } = await service.stayd('token', 'create', '--name', `bench ${Date.now()}`, '--scope', 'read');
  const token = out.trim();
  if (token === '') throw new Error(err);
  return token;
}

async function localStatus() {
  const { out } = await service.stayd('status', '--json');
  const { connections } = JSON.parse(out) as {
    connections: { local: { catch_up_due: string | null; requests: Record<string, number> } };
  };
  return connections.local;
}

async function caughtUp(): Promise<void> {
  while ((await localStatus()).catch_up_due !== null) await pause(1_000);
}
