import { sleep } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { runChange } from '../../core/change.ts';
import type { Change, Context, Core, Principal } from '../../core/context.ts';
import type { AccountRow } from '../../core/database.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Milliseconds between two checks of the calendars. */
const LOOK_MS = 20;

/** The account whose marketplaces are simulated, and the person who acts as host. */
export interface Owner {
  account: AccountRow;
  operator: Principal['operator'];
}

/** The environment of a simulation. */
export interface Stage {
  readonly core: Core;
  readonly owner: Owner;
  /** Returns the host's context for v3 at this moment. */
  host(): Context;
  change<T>(work: (change: Change) => Promise<T>): Promise<T>;
  /** Waits until all pushes to marketplaces are done. */
  calendarsDone(): Promise<void>;
  /** Returns a past moment: so many days from now (0 or less), and minutes before that. */
  moment(day: number, minutes: number): string;
}

export function stageOf(core: Core, owner: Owner, signal: AbortSignal): Stage {
  const change: Stage['change'] = (work) => runChange(core, owner, work);
  return {
    core,
    owner,
    change,
    host: () => ({ core, ...owner, visible: null, now: core.clock.now(), db: core.store.db, change }),
    async calendarsDone() {
      while (!signal.aborted && (await isBusy(core, owner.account))) await sleep(core.clock, LOOK_MS, signal);
    },
    moment: (day, minutes) => instantOf(core.clock.now() + day * DAY_MS - minutes * MINUTE_MS),
  };
}

async function isBusy({ store }: Core, { account_id }: AccountRow): Promise<boolean> {
  const waiting = await store.db
    .selectFrom('calendar_tasks')
    .where('account_id', '=', account_id)
    .where('outcome', 'is', null)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}
