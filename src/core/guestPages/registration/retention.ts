import { turn } from '../../../kernel/clock.ts';
import { addDays, dateIn } from '../../../kernel/dates.ts';
import type { Logger } from '../../../kernel/log.ts';
import { Worker } from '../../../kernel/worker.ts';
import type { Core } from '../../context.ts';
import { usualGuestPages } from '../ports.ts';
import { formOf, type Keeping } from './countries.ts';
import { countriesInUse, dropRegistrations, expiredRegistrations } from './table.ts';

/** Rows deleted in one transaction. */
const BATCH = 200;
/** Milliseconds between two searches. */
const EVERY_MS = 3_600_000;

/** Deletes what guests have registered when its time is over, or when their stay no longer stands. */
export function registrationRetention(core: Core, log: Logger): Worker {
  return new Worker({
    clock: core.clock,
    log,
    name: 'deleting what guests have registered',
    everyMs: EVERY_MS,
    round: async (signal) => {
      await deleteExpired(core, signal);
    },
  });
}

/** @returns the number of deleted registrations */
export async function deleteExpired(core: Core, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (const country of await countriesInUse(core.store.db)) {
    for (let isMore = true; isMore && !signal?.aborted; await turn()) {
      const deleted = await deleteSome(core, country);
      count += deleted;
      isMore = deleted === BATCH;
    }
  }
  return count;
}

/** Returns how long what was registered in a country is kept here. */
export function keepingIn(core: Pick<Core, 'guestPages'>, country: string): Keeping {
  const { registrationDays } = core.guestPages ?? usualGuestPages;
  return formOf(country)?.keep ?? { days: registrationDays, after: 'check_out' };
}

function deleteSome(core: Core, country: string): Promise<number> {
  const { days, after } = keepingIn(core, country);
  const before = addDays(dateIn('UTC', core.clock.now()), -days);
  return core.store.transaction(async (trx) => {
    const rows = await expiredRegistrations(trx, { country, after, before, limit: BATCH });
    for (const { account_id, id } of rows) await dropRegistrations(trx, account_id, [id]);
    return rows.length;
  });
}
