import type { Fields } from '../../../client/fields.ts';
import { turn } from '../../../kernel/clock.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { MirrorTrx } from '../../tables/database.ts';
import type { FieldChange } from '../../tables/rows/diff.ts';
import type { Affected } from './affected.ts';
import { type Forgetting, forgetDiff, forgetRaw, forgetValue } from './forgetRaw.ts';
import type { Scrubbing } from './scrubRows.ts';

const BATCH = 100;
/** Events examined in one transaction: there is no index by the keys that they name. */
const EVENTS = 1_000;

/** Removes the erased values from old states, diffs and derived events. @returns the number of examined rows */
export async function scrubHistory(context: Scrubbing, affected: Affected): Promise<number> {
  let rows = 0;
  for (const key of affected.keys) {
    rows += await through(context, (trx, after) => scrubVersions(trx, context.connection, affected, key, after));
    rows += await through(context, (trx, after) => scrubChanges(trx, context.connection, affected, key, after));
  }
  return rows;
}

interface Passed {
  rows: number;
  /** undefined: that was all. */
  next: number | undefined;
}

async function through(
  { store }: Scrubbing,
  step: (trx: MirrorTrx, after: number) => Promise<Passed>,
): Promise<number> {
  let total = 0;
  for (let after: number | undefined = -1; after !== undefined;) {
    const from: number = after;
    const { rows, next }: Passed = await store.transaction((trx) => step(trx, from));
    total += rows;
    after = next;
    await turn();
  }
  return total;
}

/** Returns the parts to erase of one row, by the key and part in its history. */
function forgettingOf({ rows }: Affected, key: string, part: string | null): Forgetting | undefined {
  return rows.get(part ?? key);
}

async function scrubVersions(
  trx: MirrorTrx,
  connection: string,
  affected: Affected,
  key: string,
  after: number,
): Promise<Passed> {
  const { name } = affected.resource;
  const found = await trx
    .selectFrom('versions')
    .select(['change_seq', 'part', 'raw'])
    .where('connection', '=', connection)
    .where('resource', '=', name)
    .where('key', '=', key)
    .where('change_seq', '>', after)
    .orderBy('change_seq')
    .limit(BATCH)
    .execute();
  for (const { change_seq, part, raw } of found) {
    const what = forgettingOf(affected, key, part);
    if (!what) continue;
    const text = JSON.stringify(forgetRaw(name, JSON.parse(raw) as Fields, what));
    if (text === raw) continue;
    await trx
      .updateTable('versions')
      .set({ raw: text })
      .where('connection', '=', connection)
      .where('change_seq', '=', change_seq)
      .execute();
  }
  return { rows: found.length, next: found.length === BATCH ? found.at(-1)?.change_seq : undefined };
}

async function scrubChanges(
  trx: MirrorTrx,
  connection: string,
  affected: Affected,
  key: string,
  after: number,
): Promise<Passed> {
  const { name } = affected.resource;
  const found = await trx
    .selectFrom('changes')
    .select(['seq', 'part', 'diff', 'derived'])
    .where('connection', '=', connection)
    .where('resource', '=', name)
    .where('key', '=', key)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(BATCH)
    .execute();
  for (const { seq, part, diff, derived } of found) {
    const what = forgettingOf(affected, key, part);
    if (!what) continue;
    const text = diff && JSON.stringify(forgetDiff(name, JSON.parse(diff) as FieldChange[], what));
    if (text !== diff) {
      await trx
        .updateTable('changes')
        .set({ diff: text })
        .where('connection', '=', connection)
        .where('seq', '=', seq)
        .execute();
    }
    if (derived !== null) await scrubDerived(trx, connection, seq, what);
  }
  return { rows: found.length, next: found.length === BATCH ? found.at(-1)?.seq : undefined };
}

async function scrubDerived(trx: MirrorTrx, connection: string, seq: number, what: Forgetting): Promise<void> {
  const events = await trx
    .selectFrom('derived_events')
    .select(['position', 'name', 'before', 'after'])
    .where('connection', '=', connection)
    .where('seq', '=', seq)
    .execute();
  for (const { position, name, before, after } of events) {
    const free = what.text && name === 'note_changed';
    const scrubbed = (json: string | null) =>
      json === null || free ? null : JSON.stringify(forgetValue(JSON.parse(json) as unknown, what));
    await trx
      .updateTable('derived_events')
      .set({ before: scrubbed(before), after: scrubbed(after) })
      .where('connection', '=', connection)
      .where('seq', '=', seq)
      .where('position', '=', position)
      .execute();
  }
}

/** The fields that an event needs while it waits for its read. */
const KEPT_FIELDS = new Set([
  'event',
  'event_id',
  'timestamp',
  'sub_event',
  'reservation_code',
  'stay_code',
  'property_id',
  'conversation_id',
  'message_id',
  'transaction_id',
]);

/** Deletes the payloads of events about these keys; a waiting event retains only codes and numbers. */
export async function scrubEvents({ store, connection }: Scrubbing, affected: readonly Affected[]): Promise<number> {
  const named = new Set(affected.flatMap(({ resource, keys }) => keys.map((key) => `${resource.name} ${key}`)));
  let scrubbed = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const { gone, next } = await store.transaction(async (trx) => {
      const rows = await trx
        .selectFrom('inbox')
        .select(['event_id', 'resource', 'key', 'state', (eb) => eb('body', 'is', null).as('bare')])
        .where('connection', '=', connection)
        .where('event_id', '>', from)
        .orderBy('event_id')
        .limit(EVENTS)
        .execute();
      const due = rows.filter((row) => !row.bare && named.has(`${row.resource} ${row.key}`));
      await bareEvents(trx, connection, due);
      return { gone: due.length, next: rows.length === EVENTS ? rows.at(-1)?.event_id : undefined };
    });
    scrubbed += gone;
    after = next;
    await turn();
  }
  return scrubbed;
}

async function bareEvents(
  trx: MirrorTrx,
  connection: string,
  events: readonly { event_id: string; state: string }[],
): Promise<void> {
  const ended = events.filter((event) => event.state !== 'pending').map((event) => event.event_id);
  await trx
    .updateTable('inbox')
    .set({ body: null })
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('event_id'), ended))
    .execute();
  const waiting = events.filter((event) => event.state === 'pending').map((event) => event.event_id);
  const bodies = await trx
    .selectFrom('inbox')
    .select(['event_id', 'body'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('event_id'), waiting))
    .execute();
  for (const { event_id, body } of bodies) {
    if (body === null) continue;
    const fields = Object.entries(JSON.parse(body) as Fields).filter(([name]) => KEPT_FIELDS.has(name));
    await trx
      .updateTable('inbox')
      .set({ body: JSON.stringify(Object.fromEntries(fields)) })
      .where('connection', '=', connection)
      .where('event_id', '=', event_id)
      .execute();
  }
}

/** Deletes quarantined forms of these rows: a person may be named anywhere in them. */
export async function scrubQuarantine({ store, connection }: Scrubbing, { resource, rows }: Affected): Promise<void> {
  await store.db
    .updateTable('quarantine')
    .set({ raw: null })
    .where('connection', '=', connection)
    .where('resource', '=', resource.name)
    .where((eb) => inList(eb.ref('key'), [...rows.keys()]))
    .execute();
}
