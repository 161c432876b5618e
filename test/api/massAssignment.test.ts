import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { z } from 'zod';
import { perform } from '../../src/api/http/pipeline.ts';
import { guardedIds, type OperationId, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { spellings } from '../../src/contract/spellings.ts';
import { resealCore } from '../../src/core/reseal.ts';
import type { Core } from '../../src/core/context.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { linkReservation } from '../../src/core/conversations/receive.ts';
import { handlers } from '../../src/core/handlers.ts';
import { openHandlers } from '../../src/oauth/handlers.ts';
import { RequestCounters } from '../../src/core/limits/counters.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { limitPolicy } from '../../src/core/limits/policy.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { type ReservationCode, ulidMaker } from '../../src/kernel/ids.ts';
import { type Random, systemRandom } from '../../src/kernel/random.ts';
import { resealing, sealer } from '../../src/kernel/seal.ts';
import { seededDice } from '../../src/kernel/seeded.ts';
import { openStore } from '../../src/store/store.ts';
import { sandboxChannels } from '../../src/sandbox/channel/adapters.ts';
import {
  type Belongings,
  type Fields,
  furnish,
  inputsAbout,
  OF_ACCOUNT,
  requestOf,
  wireRequestOf,
} from '../support/fixtures.ts';
import { byCode, channelRoom, deliver } from '../support/channel.ts';
import { manualClock } from '../support/clock.ts';
import { oauthOf, PUBLIC_URL, START, startCore, type TestCore } from '../support/core.ts';
import { cheapHasher } from '../support/cheapHasher.ts';

interface SchemaNode {
  def: {
    type: string;
    shape?: Record<string, z.ZodType>;
    element?: z.ZodType;
    innerType?: z.ZodType;
    options?: z.ZodType[];
  };
}

const nodeOf = (schema: z.ZodType) => schema as unknown as SchemaNode;

/** Every field of a schema, at any depth, with a value that its type would take. */
function* fieldsIn(schema: z.ZodType): Generator<[name: string, value: unknown]> {
  const { shape, element, innerType, options } = nodeOf(schema).def;
  for (const inner of [element, innerType, ...(options ?? [])]) if (inner) yield* fieldsIn(inner);
  for (const [name, field] of Object.entries(shape ?? {})) {
    yield [name, sampleOf(field)];
    yield* fieldsIn(field);
  }
}

function sampleOf(schema: z.ZodType): unknown {
  const { type, innerType, element } = nodeOf(schema).def;
  if (innerType) return sampleOf(innerType);
  if (element) return [sampleOf(element)];
  if (type === 'number' || type === 'int') return 777_777;
  if (type === 'boolean') return true;
  return type === 'object' || type === 'record' ? { forged: 'FORGED' } : 'FORGED';
}

/** What columns and the inside of the program are called. */
const INTERNAL = [
  'account_id',
  'operator_id',
  'owner',
  'visible',
  'now',
  'db',
  'core',
  'change',
  'account',
  'operator',
  'scope_key',
  'manageable',
  'signature_only',
  'secret',
  'previous_secret',
  'hash',
  'unlimited',
  'deleted_at',
  'name_key',
  'token',
  'stay_id',
  'rule_id',
  'income_transaction_id',
  'prototype',
  'toString',
  'hasOwnProperty',
];

const RESPONSE_FIELDS = new Map<string, unknown>([
  ...INTERNAL.map((name): [string, unknown] => [name, 'FORGED']),
  ...Object.values(operations).flatMap((operation: Operation) => [...fieldsIn(operation.data)]),
  ...spellings.flatMap((pair): [string, unknown][] => [
    [pair.name, 'FORGED'],
    [pair.second, 'FORGED'],
  ]),
]);

/** The same fields with their values, with texts, and with nothing. */
const VARIANTS: [what: string, value: (sample: unknown) => unknown][] = [
  ['values of their type', (sample) => sample],
  ['texts', () => 'FORGED'],
  ['null', () => null],
];

/** `value` with every described response field in it that the schema of its place does not take, at every depth. */
function forged(value: unknown, schema: z.ZodType, of: (sample: unknown) => unknown): unknown {
  const { shape, element, innerType, options } = nodeOf(schema).def;
  if (innerType) return forged(value, innerType, of);
  if (Array.isArray(value) && element) return value.map((one) => forged(one, element, of));
  if (options) {
    const fitting = options.find((option) => option.safeParse(value).success);
    return fitting ? forged(value, fitting, of) : value;
  }
  if (typeof value !== 'object' || value === null || !shape) return value;
  const taken = new Set(Object.keys(shape));
  for (const { name, second } of spellings) if (taken.has(name)) taken.add(second);
  const inner = Object.entries(value).map(([name, one]) => [name, shape[name] ? forged(one, shape[name], of) : one]);
  const more = [...RESPONSE_FIELDS].filter(([name]) => !taken.has(name)).map(([name, sample]) => [name, of(sample)]);
  return { ...Object.fromEntries(more), ...Object.fromEntries(inner) };
}

/** As JSON, with what a careless merge would take for the prototype. */
function poisoned(body: object): string {
  const poison = { amount: 777, note: 'FORGED', name: 'FORGED', account_id: 'FORGED', polluted: true };
  const text = JSON.stringify(body);
  const head = `{"__proto__":${JSON.stringify(poison)},"constructor":${JSON.stringify({ prototype: poison, ...poison })}`;
  return text === '{}' ? `${head}}` : `${head},${text.slice(1)}`;
}

/** The same for the same seed: two cores that are asked the same do the same. */
function seededRandom(seed: number): Random {
  const dice = seededDice(seed);
  return {
    fraction: () => dice.fraction(),
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => dice.between(0, 255))),
  };
}

const KEY = createHash('sha256').update('a key of these tests').digest();

describe('S11: mass assignment, every operation that writes', () => {
  let folder: string;
  let origin: TestCore;
  let inputs: Record<OperationId, Fields>;
  let copies = 0;
  let tables: string[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-forged-'));
    origin = await startCore();
    const mine = await furnish(origin, origin.own);
    inputs = { ...inputsAbout(mine), ...(await inputsThatWork(origin, mine)) };
    // Sealed with another key than the copies have.
    await sql`delete from calendar_share_links`.execute(origin.core.store.db);
    await sql`delete from share_link_properties`.execute(origin.core.store.db);
    const copy = await origin.call('createCalendarShareLink', { scope: 'partial', property_ids: [mine.property] });
    inputs.deleteCalendarShareLink = { id: copy.id };
    tables = (await origin.core.store.db.introspection.getTables())
      .map(({ name }) => name)
      .filter((name) => !name.includes('_words'));
    await resealCore(origin.core.store, resealing(origin.core.sealer, sealer(KEY, systemRandom)), []);
    await sql`vacuum into ${join(folder, 'origin.db')}`.execute(origin.core.store.db);
  });
  after(async () => {
    await origin.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Asks a copy of the core; @returns the answer with all that is stored afterwards. */
  async function outcome(
    id: OperationId,
    raw: string | undefined,
  ): Promise<{ code: number; text: string; stored: string }> {
    copies += 1;
    const file = join(folder, `copy${copies}.db`);
    copyFileSync(join(folder, 'origin.db'), file);
    const store = await openStore<CoreDatabase>({ kind: 'sqlite', file });
    await sql`pragma synchronous = off`.execute(store.db);
    const clock = manualClock(START);
    const random = seededRandom(11);
    const ids = ulidMaker(clock, random);
    const core: Core = {
      store,
      clock,
      random,
      ids,
      sealer: sealer(KEY, random),
      passwords: cheapHasher(random),
      onQueued: () => {},
      publicUrl: () => PUBLIC_URL,
      channels: sandboxChannels({ store, clock }),
    };
    const counters = new RequestCounters(store, clock, limitPolicy('off'), silentLogger);
    const request = { ...wireRequestOf(id, inputs[id]), body: raw === undefined ? undefined : Buffer.from(raw) };
    const answer = await perform(
      { core, handlers, open: openHandlers(oauthOf(core)), counters },
      id,
      origin.own.token,
      request,
    ).then(
      (data) => ({ code: 200, text: JSON.stringify(data) ?? '' }),
      (error: unknown) => ({ code: error instanceof ApiError ? error.code : 500, text: String(error) }),
    );
    const stored = await dump(store.db);
    await store.close();
    rmSync(file);
    return { ...answer, stored };
  }

  async function dump(db: Core['store']['db']): Promise<string> {
    const contents: string[] = [];
    for (const name of tables) {
      contents.push(`${name} ${JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows)}`);
    }
    return contents.join('\n');
  }

  it('knows the fields of all answers', () => {
    assert.ok(RESPONSE_FIELDS.size > 200, `only ${RESPONSE_FIELDS.size}`);
    for (const name of ['created_at', 'direction', 'guest_email', 'private_feedback', 'secret_token', 'url'])
      assert.ok(RESPONSE_FIELDS.has(name), name);
  });

  for (const id of guardedIds.filter((one) => operations[one].scope !== 'read')) {
    it(`${id}: does what it would do without them, and nothing else`, async () => {
      const operation: Operation = operations[id];
      const [, , { body = {} }] = requestOf(id, inputs[id]);
      const plain = await outcome(id, operation.body ? JSON.stringify(body) : undefined);
      assert.equal(plain.code, 200, plain.text);
      for (const [what, of] of VARIANTS) {
        const fields = operation.body
          ? forged(body, operation.body, of)
          : Object.fromEntries([...RESPONSE_FIELDS].map(([name, sample]) => [name, of(sample)]));
        const again = await outcome(id, poisoned(fields as object));
        assert.equal(again.text, plain.text, what);
        assert.equal(again.stored, plain.stored, what);
      }
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    });
  }
});

/** Where what was furnished is in a state that an operation refuses: something in the right one. */
async function inputsThatWork(core: TestCore, mine: Belongings): Promise<Partial<Record<OperationId, Fields>>> {
  const on = { check_in_date: '2027-09-01', check_out_date: '2027-09-05' };
  const waiting = await deliver(core, [channelRoom(mine.property, on)], { kind: 'request' });
  const { property_id } = await core.call('createProperty', { title: 'in no room type' });
  // So that there is a guest to write to.
  await core.change(core.own.account, (change) =>
    linkReservation(change, mine.conversation, mine.code as ReservationCode),
  );
  const offer = inputsAbout(mine).createSpecialOffer;
  return {
    approveReservation: byCode(waiting),
    declineReservation: byCode(waiting),
    createRoomType: { name: 'x', property_ids: [property_id] },
    removeReservationTag: { stay_code: mine.code, tag_name: `${OF_ACCOUNT} tag` },
    createSpecialOffer: { ...offer, listing_id: mine.listing },
  };
}
