import type { EventPayload } from '../contract/events.ts';
import type { AuditEntry } from './audit/entry.ts';
import { writeAudit } from './audit/record.ts';
import { replanStays } from './automation/replan.ts';
import type { Change, Core, Principal } from './context.ts';
import type { AccountRow } from './database.ts';
import { queueEvents } from './outbox/queue.ts';
import { followStays } from './tasks/work.ts';

interface ChangeOptions {
  /** false: the change emits no events, as for a bulk load. */
  readonly announce?: boolean;
}

/**
 * Runs one change: its rows, events and audit rows commit together or not at all. Delivery is notified after the
 * commit.
 */
export async function runChange<T>(
  core: Core,
  who: { account: AccountRow; operator: Principal['operator'] | null; clientId?: string },
  work: (change: Change) => Promise<T>,
  options: ChangeOptions = {},
): Promise<T> {
  let queued = 0;
  const afterwards: (() => void)[] = [];
  const result = await core.store.transaction(async (trx) => {
    const events: EventPayload[] = [];
    const entries: AuditEntry[] = [];
    const now = core.clock.now();
    const change: Change = {
      trx,
      now,
      core,
      account: who.account,
      operator: who.operator,
      emit: (event) => events.push(event),
      afterCommit: (step) => afterwards.push(step),
      audit: (action, subject, values) => entries.push({ action, subject, values }),
    };
    const value = await work(change);
    await followUp(change, events);
    if (entries.length > 0) await writeAudit(trx, core, who, entries);
    queued = options.announce === false ? 0 : await queueEvents(trx, core, who.account.account_id, events, now);
    return value;
  });
  if (queued > 0) core.onQueued();
  for (const step of afterwards) step();
  return result;
}

/** Updates everything that depends on stays, after any change of them. */
async function followUp(change: Change, events: readonly EventPayload[]): Promise<void> {
  const codes = events.flatMap((event) =>
    event.event === 'reservation_created' || event.event === 'reservation_updated' ? [event.stay_code] : [],
  );
  if (codes.length === 0) return;
  const stayCodes = [...new Set(codes)];
  await followStays(change, stayCodes);
  await replanStays(change, stayCodes);
}
