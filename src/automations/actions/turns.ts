import { instantOf } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';

/**
 * Milliseconds for which an assigned task counts. The limit spares a person who was away from making up for all of it.
 */
const COUNTED_MS = 30 * 24 * 60 * 60_000;

/** A task that was assigned to a staff member. */
export interface Given {
  staff_id: number;
  given_at: string;
}

/**
 * Sorts staff members by turn: fewest tasks since a moment first, then the longest wait, then the order of the rule.
 */
export function inTurn(staff: readonly number[], given: readonly Given[], since: string): number[] {
  const standing = new Map(staff.map((id) => [id, { count: 0, last: '' }]));
  for (const { staff_id, given_at } of given) {
    const one = standing.get(staff_id);
    if (!one) continue;
    if (given_at >= since) one.count += 1;
    if (given_at > one.last) one.last = given_at;
  }
  const of = (id: number) => standing.get(id) ?? { count: 0, last: '' };
  return staff.toSorted((a, b) => {
    const [one, other] = [of(a), of(b)];
    if (one.count !== other.count) return one.count - other.count;
    return one.last === other.last ? 0 : one.last < other.last ? -1 : 1;
  });
}

/** Returns the first staff member by turn who is at work, or undefined if none is. */
export async function whoseTurn(
  context: Automating,
  rule: string,
  staff: readonly number[],
): Promise<number | undefined> {
  const since = instantOf(context.clock.now() - COUNTED_MS);
  for (const id of inTurn(staff, await givenBy(context, rule), since)) {
    if (await isAtWork(context, id)) return id;
  }
  return undefined;
}

/** Reads the assignments of a rule's tasks. Cancelled tasks do not count. */
async function givenBy({ store, connection }: Automating, rule: string): Promise<Given[]> {
  const rows = await store.db
    .selectFrom('automation_plans')
    .select('result')
    .where('connection', '=', connection)
    .where('rule', '=', rule)
    .where('action', '=', 'task')
    .where('state', 'in', ['sent', 'planned'])
    .where('result', 'is not', null)
    .execute();
  return rows.flatMap(({ result }) => {
    const { staff_id, given_at } = JSON.parse(result ?? '{}') as Partial<Given>;
    return staff_id === undefined || given_at === undefined ? [] : [{ staff_id, given_at }];
  });
}

/** Returns true if a staff member exists and is not marked as inactive. */
async function isAtWork({ client, signal }: Automating, id: number): Promise<boolean> {
  const { data } = await client.call('listStaffs', { id }, { purpose: 'reply', signal });
  const found = data.staffs.find((one) => one.id === id);
  return found !== undefined && found.is_active !== false;
}
