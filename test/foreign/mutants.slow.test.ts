import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from '../../src/client/client.ts';
import { dataReader } from '../../src/client/readData.ts';
import { checkProfile, type CheckReport } from '../../src/compose/profiles/profileCheck.ts';
import { loadProfile } from '../../src/compose/profiles/profiles.ts';
import { loadConfig } from '../../src/config.ts';
import { type Dialect as Understood, dialectOfCaller } from '../../src/contract/dialect/dialect.ts';
import { operationIds, operations, type OperationId } from '../../src/contract/index.ts';
import { rowResources } from '../../src/sync/tables/resources.ts';
import { readDays } from '../../src/sync/tables/listings/availability.ts';
import { readCalendars } from '../../src/sync/tables/listings/calendar.ts';
import type { Page } from '../../src/sync/tables/rows/resource.ts';
import { scans } from '../../src/sync/scans/all.ts';
import type { Asking, Scan } from '../../src/sync/scans/scan.ts';
import { manualClock } from '../support/clock.ts';
import { type Fields, fieldsOf, isFields, type Path, record, type Recording, without } from './recording.ts';
import { diceOf } from './upstream/dice.ts';
import { seed as seedTruth } from './upstream/seed.ts';
import type { Dialect } from './upstream/show.ts';
import { startUpstream, type Upstream } from './upstream/upstream.ts';

const SIZE = { properties: 3, stays: 27, entries: 20, fullConversations: 6, longestConversation: 8 };
const READING = { connection: 'foreign', zone: 'Europe/Berlin', reviewsBy: 'reservation' } as const;
const RANGE = { from: '2026-11-20', to: '2026-12-20' };
const options = { purpose: 'lookup' } as const;
/** Profiles are compared with each other once in so many checks. */
const COMPARED_EACH = 8;
/** So many fields are taken from each answer of a check. */
const AT_ONCE = 4;

/** Fields without which a row has no name, whatever the dialect calls them. */
const keys = new Set(
  // A night of which nobody says whether it is free is none.
  'id plan_id account_id conversation_id message_id reservation_code stay_code channel_type listing_id date available'.split(
    ' ',
  ),
);

/** Kinds of which there must be rows, or their mutants show nothing. */
const needed = new Set<OperationId>([
  'listProperties',
  'listReservations',
  'listTransactions',
  'listReviews',
  'listListings',
  'listCalendars',
  'listAvailabilities',
  'getConversation',
  'listTasks',
  'listAutomationActions',
  'listKnowledgeBases',
]);

for (const name of ['described', 'hostex'] as const) {
  describe(`a service that speaks ${name}, with each of its fields missing in turn`, () => {
    let upstream: Upstream;
    let recording: Recording;
    let whole: CheckReport;
    const clock = manualClock();
    const dialect = dialectOfCaller(loadProfile({ profiles: 'none' }, name));

    const check = (profile?: string) =>
      checkProfile({
        config: loadConfig({}),
        url: recording.url,
        token: upstream.token,
        profile,
        clock,
        signal: new AbortController().signal,
      });

    before(async () => {
      upstream = await startUpstream({ dialect: name as Dialect, now: () => clock.now(), after() {} });
      seedTruth(upstream.truth, diceOf(1), clock.now(), SIZE);
      recording = await record(upstream.url);
      whole = await check();
    });
    after(async () => {
      await recording.close();
      await upstream.close();
    });

    it('loses no row but those without a name', async () => {
      const answers = answersOf(recording, dialect);
      let [mutants, rows] = [0, 0];
      for (const [operation, data] of answers) {
        const reads = readersOf(operation);
        const before = await countRows(reads, operation, data, dialect);
        rows += before.rows;
        if (needed.has(operation)) assert.ok(before.rows > 0, operation);
        for (const path of rowFieldsOf(data)) {
          mutants += 1;
          const bent = without(data, path);
          const after = await countRows(reads, operation, bent, dialect);
          const what = `${operation} without ${path.join('.')}: ${after.problems.join('; ')}`;
          if (after.rows === before.rows && after.problems.length === 0) continue;
          assert.ok(keys.has(path.at(-1) ?? '') || isList(path), what);
          for (const problem of after.problems) assert.match(problem, /^[a-z_]+: missing$/, what);
        }
      }
      assert.ok(mutants > 200 && rows > 60, `${mutants} mutants of ${rows} rows`);
    });

    it('is understood by its profile, which says what is missing', async () => {
      const fields = new Map([...recording.answers].map(([request, data]) => [request, rowFieldsOf(data)]));
      const most = Math.max(...[...fields.values()].map((paths) => paths.length));
      for (let round = 0; round * AT_ONCE < most; round += 1) {
        const taken = new Map(
          [...fields].map(([request, all]) => [request, all.slice(round * AT_ONCE, (round + 1) * AT_ONCE)]),
        );
        recording.bend = (request) => taken.get(request) ?? [];
        const report = await check(round % COMPARED_EACH === 0 ? undefined : name);
        assert.equal(report.profile, name);
        const hasNames = [...taken.values()].flat().every((path) => !keys.has(path.at(-1) ?? ''));
        for (const [index, one] of report.operations.entries()) {
          const before = whole.operations[index];
          const what = `${one.operation}, round ${round}: ${one.says}`;
          assert.equal(one.operation, before?.operation);
          // By what has no name nothing else can be asked for.
          if (!hasNames && one.state !== 'fits' && one.state !== 'differs') continue;
          assert.equal(one.says, before?.says, what);
          if (one.operation.startsWith('list')) assert.equal(one.rows, before?.rows, what);
        }
        if (name === 'described' && hasNames) assert.deepEqual(untold(report, taken), []);
      }
      recording.bend = () => [];
    });
  });
}

/** The first answer of each operation that had something to say. */
function answersOf({ answers }: Recording, dialect: Understood): Map<OperationId, Fields> {
  const found = new Map<OperationId, Fields>();
  for (const [request, data] of answers) {
    const id = operationOf(request, dialect);
    if (id && !found.has(id)) found.set(id, data);
  }
  return found;
}

function operationOf(request: string, dialect: Understood): OperationId | undefined {
  const [method, address = ''] = request.split(' ');
  const path = address.split('?')[0]?.replace('/v3', '') ?? '';
  return operationIds.find((id) => {
    const said = dialect.operations[id];
    return said.method === method && new RegExp(`^${said.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
  });
}

/** What may be left out of an answer. */
const optional = /\.restrictions\.|\.metadata\.|^properties\.(?:channels\.currency|time_zone)$/;

/** The fields that were missing from lists in a round, and that the check did not name; both go by the same names. */
function untold({ operations: told }: CheckReport, taken: ReadonlyMap<string, readonly Path[]>): string[] {
  const missing = new Set(told.flatMap((one) => one.missing.map((text) => text.replace(/ \(.*/, ''))));
  const single = /^(?:GET|POST) \/v3\/(?:conversations|knowledge_bases|listings)\/./;
  const fields = [...taken].flatMap(([request, paths]) => (single.test(request) ? [] : paths));
  const isWithin = (path: Path) =>
    fields.some((other) => other.length < path.length && path.join('.').startsWith(`${other.join('.')}.`));
  return fields
    .filter((path) => !missing.has(path.join('.')) && !optional.test(path.join('.')) && !isWithin(path))
    .map((path) => path.join('.'));
}

/** Fields of rows: the list of them and what stands beside it is none. */
function rowFieldsOf(data: Fields): Path[] {
  const list = Object.keys(data).find((field) => Array.isArray(data[field]) && data[field].every(isFields));
  const isList = list !== undefined && Object.keys(data).every((field) => field === list || field === 'total');
  return fieldsOf(data).filter((path) => !isList || (path[0] === list && path.length > 1));
}

/** A list of rows within an answer. */
const isList = (path: Path) => ['availabilities', 'calendar', 'messages'].includes(path.at(-1) ?? '');

type Read = (client: Client) => Promise<{ rows: number; problems: string[] }>;

const counted = ({ rows, quarantined }: Page) => ({
  rows: rows.length,
  problems: quarantined.map(({ problem }) => problem),
});

/** All by which the mirror reads what an operation answers. */
function readersOf(operation: OperationId): Read[] {
  if (operation === 'listAvailabilities') {
    return [async (client) => ({ rows: sumOf(await readDays(client, [1], RANGE, options)), problems: [] })];
  }
  if (operation === 'listCalendars') {
    return [async (client) => ({ rows: sumOf(await readCalendars(client, ['a/1'], RANGE, options)), problems: [] })];
  }
  const reads: Read[] = [];
  for (const { lookUp } of Object.values(rowResources)) {
    if (!lookUp) continue;
    reads.push(async (client) => counted(await lookUp(client, READING, '1', options)));
  }
  for (const scan of scans) {
    if (!scan.rows || rowResources[scan.rows.name]) continue;
    const { lists } = scan.rows;
    if (!lists) reads.push((client) => scannedBy(scan, client));
    for (const list of lists ?? []) reads.push(async (client) => counted(await list.read(client, READING, options)));
  }
  return reads;
}

const sumOf = (owners: readonly { days: readonly unknown[] }[]) =>
  owners.reduce((sum, { days }) => sum + days.length, 0);

async function scannedBy(scan: Scan, client: Client) {
  const asking = { client, purpose: 'scan', reading: READING, numbers: { take: async () => 1 }, onSend() {} };
  const found = { rows: 0, problems: [] as string[] };
  const steps = scan.steps(asking as unknown as Asking);
  for (let step = await steps.next(); !step.done; step = await steps.next()) {
    await step.value.visit({
      async rows(_resource, page) {
        const { rows, problems } = counted(page);
        found.rows += rows;
        found.problems.push(...problems);
      },
      async days() {},
      async calendars() {},
    });
  }
  return found;
}

/** Told by a client that is asked for something else than was answered. */
class OtherQuestion extends Error {}

/** What all readers of an operation make of an answer; those that ask for something else have nothing to say. */
async function countRows(reads: readonly Read[], operation: OperationId, data: Fields, dialect: Understood) {
  const reader = dataReader(operations[operation]);
  const { data: understand } = dialect.operations[operation];
  const client = {
    async call(asked: OperationId) {
      if (asked !== operation) throw new OtherQuestion(asked);
      return reader.read(understand ? understand(structuredClone(data)) : structuredClone(data));
    },
  } as unknown as Client;
  const all = { rows: 0, problems: [] as string[] };
  for (const read of reads) {
    try {
      const { rows, problems } = await read(client);
      all.rows += rows;
      all.problems.push(...problems);
    } catch (error) {
      if (!(error instanceof OtherQuestion)) throw error;
    }
  }
  return all;
}
