import { instantOf } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';

/** Tasks given before this do not count any more, so that nobody who was away has to make up for all of it. */
const COUNTED_MS = 30 * 24 * 60 * 60_000;

/** A task that somebody was given. */
export interface Given {
  staff_id: number;
  given_at: string;
}

/**
 * These people in the order in which they are to be asked: who was given the fewest tasks since a moment first, of
 * several who has waited longest, and else as the rule names them.
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

/** Whose turn it is, of those who are at work; undefined: nobody of them is. */
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

/** What the tasks of a rule say of who was given them; what was called off counts for nobody. */
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

/** Whether somebody is there, and is not said to be away. */
async function isAtWork({ client, signal }: Automating, id: number): Promise<boolean> {
  const { data } = await client.call('listStaffs', { id }, { purpose: 'reply', signal });
  const found = data.staffs.find((one) => one.id === id);
  return found !== undefined && found.is_active !== false;
}
