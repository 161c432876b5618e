import type { Core } from '../context.ts';
import type { Authenticated } from '../accounts/authenticate.ts';
import { noteDown } from './record.ts';

const HOUR_MS = 3_600_000;
/** Entries in memory at once. Beyond that, the oldest refusals may be recorded again. */
const MOST_REMEMBERED = 10_000;

const lastLogged = new WeakMap<Core, Map<string, number>>();

/**
 * Records a refusal: an action that a token does not permit. The same action of the same token is recorded once an
 * hour, so that a program that retries does not fill the disk.
 */
export async function noteRefusal(core: Core, who: Authenticated, action: string): Promise<void> {
  const by = who.token === null ? (who.clientId ?? 'session') : `token:${who.token.id}`;
  const name = JSON.stringify([who.account.account_id, who.operator.id, by, action]);
  const now = core.clock.now();
  const known = lastLogged.get(core) ?? new Map<string, number>();
  lastLogged.set(core, known);
  if ((known.get(name) ?? -Infinity) > now - HOUR_MS) return;
  known.delete(name);
  known.set(name, now);
  const [oldest] = known.keys();
  if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
  await noteDown(core, who, { action: `refused ${action}`, subject: by });
}
