import type { PlainDate } from '../../../kernel/dates.ts';
import type { Automating } from '../../context.ts';
import type { Plan } from '../../plans/table.ts';

/** A rule's change to a night of a listing: a price or a restriction. */
export interface NightChange<Value> {
  listing: string;
  date: PlainDate;
  /** The value before any rule changed it. */
  from: Value;
  to: Value;
}

/** The remembered changes of a night. */
interface Remembered<Value> {
  from: Value;
  /** The value set last. */
  to: Value;
  /** All values ever set. The calendar may still show an earlier one while the last is on its way. */
  ours: ReadonlySet<Value>;
  /** True if upstream confirmed the last value. */
  isSure: boolean;
}

/** The remembered nights by {@link nightKey}. */
type NightMemory<Value> = ReadonlyMap<string, Remembered<Value>>;

/** The memory of a rule, and of rules that no longer exist. */
export interface NightMemories<Value> {
  own: NightMemory<Value>;
  gone: NightMemory<Value>;
}

export function nightKey(listing: string, date: PlainDate): string {
  return `${listing} ${date}`;
}

/** Changes that left together. */
export interface Round<Value> {
  isSure: boolean;
  changes: readonly NightChange<Value>[];
}

/**
 * Combines rounds, oldest first, into a memory of nights.
 * @param forgets true to forget a night that was certainly set back, as if it had never been changed
 */
export function remember<Value>(
  rounds: readonly Round<Value>[],
  { forgets }: { forgets: boolean },
): Map<string, Remembered<Value>> {
  const memory = new Map<string, Remembered<Value>>();
  for (const { isSure, changes } of rounds) {
    for (const { listing, date, from, to } of changes) {
      const key = nightKey(listing, date);
      const known = memory.get(key);
      if (forgets && isSure && known?.from === to) memory.delete(key);
      else
        memory.set(key, { from: known ? known.from : from, to, isSure, ours: new Set([...(known?.ours ?? []), to]) });
    }
  }
  return memory;
}

/**
 * Returns the value of a night without any rule. Every round applies its change to this value, so changes never add up.
 * Returns undefined if someone else has set the night since; it is then left alone.
 * @param own the rule's memory of the night
 * @param gone the memory of rules that no longer exist; a renamed rule continues from there
 */
export function baseOf<Value>(
  present: Value,
  own: Remembered<Value> | undefined,
  gone: Remembered<Value> | undefined,
): { base: Value } | undefined {
  if (own) return own.ours.has(present) || present === own.from ? { base: own.from } : undefined;
  return { base: gone?.ours.has(present) ? gone.from : present };
}

/** Key of the changes in a plan's result, by action. */
const changedNights = { price: 'prices', min_stay: 'min_stays' } as const;
type Kept = keyof typeof changedNights;

/** Returns the changes in the result of a plan; none for other actions. */
export function changesIn<Value>(plan: Pick<Plan, 'action' | 'result'>): NightChange<Value>[] {
  if (!Object.hasOwn(changedNights, plan.action)) return [];
  const kept = JSON.parse(plan.result ?? '{}') as Record<string, NightChange<Value>[]>;
  return kept[changedNights[plan.action as Kept]] ?? [];
}

/** Reads the changes, certain or not, that a plan's rule and former rules made to nights. */
export async function memoryOf<Value>(
  { store, connection, book }: Pick<Automating, 'store' | 'connection' | 'book'>,
  { rule, action }: Pick<Plan, 'rule' | 'action'>,
  how: { forgets: boolean },
): Promise<NightMemories<Value>> {
  const rows = await store.db
    .selectFrom('automation_plans')
    .select(['rule', 'action', 'state', 'result'])
    .where('connection', '=', connection)
    .where('action', '=', action)
    .where('result', 'is not', null)
    .orderBy('plan_id')
    .execute();
  const roundsOf = (names: (name: string) => boolean) =>
    rows
      .filter((row) => names(row.rule))
      .map((row): Round<Value> => ({ isSure: row.state === 'sent', changes: changesIn(row) }));
  const isGone = (name: string) => name !== rule && !book.rule(name) && !book.isBroken(name);
  return {
    own: remember(
      roundsOf((name) => name === rule),
      how,
    ),
    gone: remember(roundsOf(isGone), how),
  };
}
