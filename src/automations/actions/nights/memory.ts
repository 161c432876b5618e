import type { PlainDate } from '../../../kernel/dates.ts';
import type { Automating } from '../../context.ts';
import type { Plan } from '../../plans/table.ts';

/** What a rule makes of a night of a listing: a price, or a restriction. */
export interface NightChange<Value> {
  listing: string;
  date: PlainDate;
  /** What it was before any rule had changed it. */
  from: Value;
  to: Value;
}

/** What is remembered of a night. */
export interface Remembered<Value> {
  from: Value;
  /** What it was set to last. */
  to: Value;
  /** All that it was ever set to: what has not arrived yet may still show what was before. */
  ours: ReadonlySet<Value>;
  /** The other side has said that it has taken over the last of it. */
  isSure: boolean;
}

/** By {@link nightKey}. */
export type NightMemory<Value> = ReadonlyMap<string, Remembered<Value>>;

/** Of a rule, and of rules that are no more. */
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
 * What rounds, oldest first, have made of nights.
 * @param forgets a night that was certainly set back is as if it had never been changed
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
 * What a night is worth without any rule: the value to which every round applies its change, so that no change is ever
 * made of a change. undefined: somebody else has set it since, and it is left to them.
 * @param own what the rule remembers of it
 * @param gone what rules that are no more have made of it: a rule with another name goes on where they have ended
 */
export function baseOf<Value>(
  present: Value,
  own: Remembered<Value> | undefined,
  gone: Remembered<Value> | undefined,
): { base: Value } | undefined {
  if (own) return own.ours.has(present) || present === own.from ? { base: own.from } : undefined;
  return { base: gone?.ours.has(present) ? gone.from : present };
}

/** Where plans keep what they have changed, by action. */
const changedNights = { price: 'prices', min_stay: 'min_stays' } as const;
type Kept = keyof typeof changedNights;

/** The changes in the result of a plan; none in others. */
export function changesIn<Value>(plan: Pick<Plan, 'action' | 'result'>): NightChange<Value>[] {
  if (!Object.hasOwn(changedNights, plan.action)) return [];
  const kept = JSON.parse(plan.result ?? '{}') as Record<string, NightChange<Value>[]>;
  return kept[changedNights[plan.action as Kept]] ?? [];
}

/** What the rule of a plan, and rules that are no more, have made of nights, or may have. */
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
