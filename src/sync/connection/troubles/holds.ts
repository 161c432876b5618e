import { instantOf } from '../../../kernel/dates.ts';
import type { Hold } from '../../budget/holds.ts';
import { PATIENCE_MS } from '../../budget/impatient.ts';
import type { Trouble } from './trouble.ts';

/** Reports long waits that the other side asks for. */
export function holdTroubles(holds: readonly Hold[]): Trouble[] {
  return holds
    .filter(({ since, askedUntil }) => askedUntil - since > PATIENCE_MS)
    .map(({ of, since, until, askedUntil }) => ({
      about: 'limits',
      level: 'problem',
      says: `${of === 'all' ? 'nothing' : of} is asked since ${instantOf(since)}: the other side has asked to be left alone until ${instantOf(askedUntil)} (429)`,
      remedy: `one request asks again at ${instantOf(until)}; find out there what uses up the limits of the account`,
    }));
}
