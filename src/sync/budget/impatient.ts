import { CallError } from '../../client/callError.ts';
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { Budget } from './gate.ts';

/** Whoever is waited for by a person does not wait for longer than this because the other side asks for it. */
export const PATIENCE_MS = 2 * 60_000;
/** Windows of an hour are waited for; those of a day are not. */
const WINDOW_MS = 65 * 60_000;

/** A client that says so at once where it would be held up for long, in place of standing still. */
export function impatient(client: Client, gate: Budget, clock: Clock): Client {
  return {
    call(operation, input, options) {
      const now = clock.now();
      const hold = gate
        .holds()
        .find(({ of, until }) => (of === 'all' || of === operation) && until > now + PATIENCE_MS);
      const opensAt = gate.opensAt(operation, options.purpose);
      if (!hold && opensAt <= now + WINDOW_MS) return client.call(operation, input, options);
      const why = hold
        ? `the other side has asked to be left alone until ${instantOf(hold.askedUntil)}; it is asked again at ${instantOf(hold.until)}`
        : `the limits leave no room until ${instantOf(opensAt)}`;
      const retryAfterMs = (hold?.until ?? opensAt) - now;
      return Promise.reject(
        new CallError({ operation, kind: 'api', code: 429, client: 'wait', message: why, retryAfterMs }),
      );
    },
  };
}
