import { CallError } from '../../client/callError.ts';
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { Budget } from './gate.ts';

/** The longest wait, asked for by the other side, of a request that a person waits for. */
export const PATIENCE_MS = 2 * 60_000;

/**
 * Makes a client that fails at once if the other side has asked for a long wait. It does wait for the windows of the
 * limits, however long: work that takes more than a day of them must come to its end.
 */
export function impatient(client: Client, gate: Budget, clock: Clock): Client {
  return {
    call(operation, input, options) {
      const now = clock.now();
      const hold = gate
        .holds()
        .find(({ of, until }) => (of === 'all' || of === operation) && until > now + PATIENCE_MS);
      if (!hold) return client.call(operation, input, options);
      const message = `the other side has asked to be left alone until ${instantOf(hold.askedUntil)}; it is asked again at ${instantOf(hold.until)}`;
      const retryAfterMs = hold.until - now;
      return Promise.reject(
        new CallError({ operation, kind: 'api', code: 429, client: 'wait', message, retryAfterMs }),
      );
    },
  };
}
