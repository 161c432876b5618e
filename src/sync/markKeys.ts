import { instantOf } from '../kernel/dates.ts';
import type { Applied, ApplyContext } from './apply.ts';
import type { DateHint } from './dateHints.ts';
import type { Origin } from './database.ts';
import { markDirty } from './dirtyKeys.ts';
import type { MirrorResource } from './mirror/resource.ts';
import type { ReadNumbers } from './readNumbers.ts';

const BATCH = 200;

export interface KeyToRead {
  resource: string;
  key: string;
  hint?: DateHint;
}

/** Asks for a read of keys that no event named, or no event only. */
export async function markKeys(
  context: Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers },
  keys: readonly KeyToRead[],
  origin: Origin,
): Promise<void> {
  const { store, connection, clock, numbers } = context;
  for (let start = 0; start < keys.length; start += BATCH) {
    const at = instantOf(clock.now());
    await store.transaction(async (trx) => {
      const number = await numbers.mark(trx);
      for (const { resource, key, hint } of keys.slice(start, start + BATCH)) {
        const where = { hint: hint?.text ?? null, hintFrom: hint?.from ?? null, hintTo: hint?.to ?? null };
        const times = { at, quietAt: at, dueBy: at };
        await markDirty(trx, { connection, resource, key, number, origin, marks: 0, ...times, ...where });
      }
    });
  }
}

/** Asks for a read of what announced changes touch without an event of its own. */
export async function markTouched(
  context: Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers },
  resource: MirrorResource,
  applied: Applied,
): Promise<boolean> {
  if (!resource.touches || applied.changes.length === 0) return false;
  const touched = new Map<string, KeyToRead>();
  for (const { raw, announced } of applied.changes) {
    // Without an event it is a walk that found the change, and walks come in an order that needs no mark.
    const key = announced ? resource.touches(raw) : undefined;
    if (key) touched.set(key.key, key);
  }
  await markKeys(context, [...touched.values()], 'event');
  return touched.size > 0;
}
