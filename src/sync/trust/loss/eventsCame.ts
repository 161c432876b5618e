import { msOf } from '../../../kernel/dates.ts';
import { next } from '../../../kernel/transitions.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { count } from '../../tables/connection/counters.ts';
import type { MirrorTrx } from '../../tables/database.ts';
import { eventsWithIds, nextPosition, openUnder, rewrite, withdraw } from './lossTable.ts';
import type { LostEventsTable } from './tables.ts';
import { type ArrivedEvent, arrivedEvent, daysOf, daysText, announces, without } from './match.ts';
import { lossLife } from './states.ts';

/** The grace period after a scan has found a change: an event that comes within it was only slower than the scan. */
export const GRACE_MS = 30_000;

/** Events of some keys of one resource that have been read. */
interface ClosedEvents {
  connection: string;
  resource: string;
  keys: readonly string[];
  ids: readonly string[];
}

/** Withdraws losses whose event has come: within the grace period it was no loss, and later it is late. */
export async function eventsCame(trx: MirrorTrx, closed: ClosedEvents): Promise<void> {
  const { connection, resource, keys, ids } = closed;
  if (ids.length === 0) return;
  const open = await openUnder(trx, { connection, resource, keys });
  if (open.length === 0) return;
  const events = (await eventsWithIds(trx, { connection, ids })).map((row) => ({ key: row.key, ...arrivedEvent(row) }));
  for (const loss of open) {
    let left: LostEventsTable | undefined = loss;
    for (const event of events) {
      if (left && event.key === left.key && announces(event, left)) left = await settle(trx, left, event);
    }
  }
}

/** @returns the part of it that is still missing */
async function settle(
  trx: MirrorTrx,
  loss: LostEventsTable,
  event: ArrivedEvent,
): Promise<LostEventsTable | undefined> {
  const days = loss.days === null ? [] : daysOf(loss.days);
  const left = loss.days === null ? [] : without(days, event.days ?? days);
  const announced = without(days, left);
  if (loss.days !== null && announced.length === 0) return loss;
  const rest = left.length > 0 ? { ...loss, days: daysText(left) } : undefined;
  if (msOf(event.received_at) <= msOf(loss.seen_at) + GRACE_MS) {
    if (rest) await rewrite(trx, loss, { days: rest.days });
    else await withdraw(trx, loss);
    return rest;
  }
  const late = {
    state: next(lossLife, loss.state, 'come_late'),
    event_id: event.event_id,
    came_at: event.received_at,
    late_ms: Math.max(0, msOf(event.received_at) - msOf(event.queued_at ?? loss.seen_at)),
  };
  await count(trx, loss.connection, { [`late/${loss.event}`]: 1 });
  if (!rest) {
    await rewrite(trx, loss, late);
    return undefined;
  }
  await rewrite(trx, loss, { days: rest.days });
  const position = await nextPosition(trx, loss);
  await insertMany(trx, 'lost_events', [{ ...loss, ...late, position, days: daysText(announced) }]);
  return rest;
}
