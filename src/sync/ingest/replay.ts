import { instantOf } from '../../kernel/dates.ts';
import type { ApplyContext } from '../apply/apply.ts';
import { hintOf } from '../tables/rows/dateHints.ts';
import { markDirty } from '../queue/dirtyKeys.ts';
import { eventsById, reopenEvents } from '../queue/inbox.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';

/**
 * Treats stored events as if they had just come: the keys that they name are read again. Nothing else follows that
 * would not follow from a second delivery.
 * @returns the number of the events that name something that can be read
 */
export async function replay(
  {
    store,
    connection,
    clock,
    numbers,
  }: Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers },
  eventIds: readonly string[],
): Promise<number> {
  const at = instantOf(clock.now());
  return store.transaction(async (trx) => {
    const number = await numbers.mark(trx);
    const events = (await eventsById(trx, { connection, ids: eventIds })).filter((event) => event.key !== null);
    await reopenEvents(trx, { connection, ids: events.map((event) => event.event_id), number });
    for (const { resource, key, body } of events) {
      const hint = body === null ? undefined : hintOf(Reflect.get(JSON.parse(body) as object, 'availabilities'));
      const where = { hint: hint?.text ?? null, hintFrom: hint?.from ?? null, hintTo: hint?.to ?? null };
      const times = { at, quietAt: at, dueBy: at };
      const what = { resource: resource ?? '', key: key ?? '', number, origin: 'event' as const, marks: 1 };
      await markDirty(trx, { connection, ...what, ...times, ...where });
    }
    return events.length;
  });
}
