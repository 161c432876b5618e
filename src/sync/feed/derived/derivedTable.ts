import type { Kysely } from 'kysely';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { DerivedEventsTable, Mirror, MirrorTrx } from '../../tables/database.ts';
import type { DerivedEvent } from './names.ts';

/** The change that derived events belong to. */
type ChangeOfDerived = Pick<DerivedEventsTable, 'connection' | 'seq' | 'at' | 'resource' | 'key' | 'part'>;

export async function insertDerived(
  trx: MirrorTrx,
  changes: readonly { change: ChangeOfDerived; events: readonly DerivedEvent[] }[],
): Promise<void> {
  const rows = changes.flatMap(({ change, events }) =>
    events.map(({ name, before, after, from = null, to = null }, position): DerivedEventsTable => {
      const { connection, seq, at, resource, key, part } = change;
      const values = { before: textOf(before), after: textOf(after) };
      return { connection, seq, position, at, name, resource, key, part, from_date: from, to_date: to, ...values };
    }),
  );
  await insertMany(trx, 'derived_events', rows);
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

const between = prepared((db: Kysely<Mirror>, arg: { connection: string; first: number; last: number }) =>
  db
    .selectFrom('derived_events')
    .select(['seq', 'name', 'from_date', 'to_date', 'before', 'after'])
    .where('connection', '=', arg.connection)
    .where('seq', '>=', arg.first)
    .where('seq', '<=', arg.last)
    .orderBy('seq')
    .orderBy('position'),
);

/** Returns the derived events of the changes in a part of the feed, by the place of their change. */
export async function derivedBetween(
  db: Kysely<Mirror>,
  connection: string,
  first: number,
  last: number,
): Promise<Map<number, DerivedEvent[]>> {
  const bySeq = new Map<number, DerivedEvent[]>();
  for (const { seq, name, from_date, to_date, before, after } of await between(db, { connection, first, last })) {
    const event: DerivedEvent = {
      name: name as DerivedEvent['name'],
      ...(from_date !== null && to_date !== null && { from: from_date, to: to_date }),
      before: valueOf(before),
      after: valueOf(after),
    };
    const group = bySeq.get(seq);
    if (group) group.push(event);
    else bySeq.set(seq, [event]);
  }
  return bySeq;
}

function valueOf(json: string | null): unknown {
  return json === null ? null : (JSON.parse(json) as unknown);
}
