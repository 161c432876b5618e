import type { Clock, Timer } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { MirrorStore } from '../../tables/database.ts';
import type { RefusalReason } from '../verifyDelivery.ts';
import { remedies } from './remedies.ts';
import { addRefused } from './refusedRows.ts';

/** The interval at which refusals are written and logged together, however many there are. */
const TELL_MS = 60_000;

/** Counts the deliveries that a connection refuses. */
export interface Refusals {
  note(reason: RefusalReason): void;
  /** Writes the remaining counts. */
  stop(): Promise<void>;
}

interface Options {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  log: Logger;
}

/**
 * Writes the first refusal for a reason at once, and those within the following minute together: forged deliveries
 * cause few writes.
 */
export function countRefusals({ store, connection, clock, log }: Options): Refusals {
  const counts = new Map<RefusalReason, number>();
  const timers = new Map<RefusalReason, Timer>();
  let writing: Promise<void> = Promise.resolve();

  function flush(reason: RefusalReason): void {
    timers.delete(reason);
    const refused = counts.get(reason) ?? 0;
    if (refused === 0) return;
    timers.set(
      reason,
      clock.setTimer(TELL_MS, () => flush(reason)),
    );
    counts.delete(reason);
    announce(reason, refused);
    writing = writing.then(() => write(reason, refused));
  }

  function announce(reason: RefusalReason, refused: number): void {
    const { says, remedy, from } = remedies[reason];
    // Anyone can send a delivery that proves nothing.
    const method = from === 'nobody' ? 'info' : 'warn';
    log[method]({ connection, refused, reason, remedy }, `deliveries were refused: ${says}`);
  }

  async function write(reason: RefusalReason, times: number): Promise<void> {
    const last_at = instantOf(clock.now());
    try {
      await store.transaction((trx) => addRefused(trx, { connection, reason, times, last_at }));
    } catch (error) {
      log.warn({ connection, problem: messageOf(error) }, 'refused deliveries could not be counted');
      counts.set(reason, (counts.get(reason) ?? 0) + times);
    }
  }

  return {
    note(reason) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      if (!timers.has(reason)) flush(reason);
    },
    async stop() {
      for (const timer of timers.values()) timer.cancel();
      await writing;
      for (const [reason, times] of counts) await write(reason, times);
      counts.clear();
    },
  };
}
