import { instantOf, msOf } from '../kernel/dates.ts';
import { putFact, readFact } from '../sync/tables/connection/facts.ts';
import type { MirrorTrx } from '../sync/tables/database.ts';
import type { TimeWitness } from '../sync/connection/source/timeWitness.ts';
import { apartText } from '../sync/connection/troubles/clock.ts';
import type { Automating, Timekeeper } from './context.ts';

/** Greatest difference between correct clocks. */
const TOLERANCE_MS = 30_000;
/** Least milliseconds between questions for the time. */
const ASK_MS = 15_000;

/** The timekeeper of a process that carries nothing out. */
export const trusting: Timekeeper = {
  isRight: () => Promise.resolve(true),
  seemsRight: () => true,
  aheadMs: () => 0,
  problem: () => undefined,
};

type TimekeeperOptions = Pick<
  Automating,
  'store' | 'connection' | 'client' | 'clock' | 'log' | 'settings' | 'signal'
> & { time: TimeWitness };

export function openTimekeeper(options: TimekeeperOptions): Timekeeper {
  const { time, clock, client, signal, settings } = options;
  const tolerance = settings.clockToleranceMs ?? TOLERANCE_MS;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** The stored state of the clock; undefined before the first check. */
  let written: boolean | undefined;

  /** Returns the difference in milliseconds, 0 within the tolerance, or undefined if it is unknown. */
  function apartMs(): number | undefined {
    const newest = time.newest();
    if (newest === undefined) return undefined;
    // An answer without a time contradicts nothing.
    return Math.abs(newest.aheadMs ?? 0) > tolerance ? (newest.aheadMs ?? 0) : 0;
  }

  async function ask(): Promise<void> {
    if (clock.monotonic() - askedAt < ASK_MS) return;
    askedAt = clock.monotonic();
    try {
      await client.call('listCustomChannels', {}, { purpose: 'probe', signal });
    } catch {
      // A refusal gives the time too. Without an answer, the question is repeated.
    }
  }

  return {
    async isRight(isNeeded = true) {
      const newest = time.newest();
      const isOld = newest === undefined ? isNeeded || written === false : apartMs() !== 0 && newest.ageMs > ASK_MS;
      if (isOld) await ask();
      const apart = apartMs();
      if (apart === undefined) return false;
      const isRight = apart === 0;
      if (written !== isRight) {
        await (isRight ? writeRight(options) : writeWrong(options, apart));
        written = isRight;
      }
      return isRight;
    },
    seemsRight: () => (apartMs() ?? 0) === 0,
    aheadMs: () => time.newest()?.aheadMs ?? 0,
    problem() {
      const apart = apartMs() ?? 0;
      return apart === 0 ? undefined : apartText(apart);
    },
  };
}

async function writeWrong({ store, connection, clock, log }: TimekeeperOptions, apart: number): Promise<void> {
  const fact = { connection, name: 'clock' as const, value: String(apart), changed_at: instantOf(clock.now()) };
  await putFact(store.db, fact);
  log.error({ connection, apart: apartText(apart) }, 'the clock is not that of the other side: automations wait');
}

/** Corrects the dates that the wrong clock set. */
async function writeRight(options: TimekeeperOptions): Promise<void> {
  const { store, connection, log } = options;
  const wasWrong = (await readFact(store.db, connection, 'clock')) !== undefined;
  if (!wasWrong) return;
  await store.transaction(async (trx) => {
    await trx.deleteFrom('connection_facts').where('connection', '=', connection).where('name', '=', 'clock').execute();
    await takeFromFuture(trx, options);
    await trx
      .updateTable('automation_plans')
      .set({ reason: null, detail: null })
      .where('connection', '=', connection)
      .where('state', '=', 'planned')
      .where('reason', '=', 'clock')
      .execute();
  });
  log.info({ connection }, 'the clock is right again: automations go on');
}

/**
 * Moves future dates to now. Plans about past events count from the time at which we learned of them, and no rule was
 * armed later than now.
 */
async function takeFromFuture(trx: MirrorTrx, { connection, clock }: TimekeeperOptions): Promise<void> {
  const now = instantOf(clock.now());
  const early = await trx
    .selectFrom('automation_plans')
    .select(['plan_id', 'created_at', 'next_at'])
    .where('connection', '=', connection)
    .where('state', '=', 'planned')
    .where('created_at', '>', now)
    .where((eb) => eb.or([eb('message_id', 'is not', null), eb('subject', 'like', 'change:%')]))
    .execute();
  for (const { plan_id, created_at, next_at } of early) {
    const next = instantOf(Math.max(msOf(now), msOf(next_at) - (msOf(created_at) - msOf(now))));
    await trx
      .updateTable('automation_plans')
      .set({ next_at: next, created_at: now })
      .where('connection', '=', connection)
      .where('plan_id', '=', plan_id)
      .execute();
  }
  await trx
    .updateTable('automation_rules')
    .set({ armed_at: now })
    .where('connection', '=', connection)
    .where('armed_at', '>', now)
    .execute();
}
