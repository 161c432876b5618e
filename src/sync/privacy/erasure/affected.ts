import { inList } from '../../../store/queries/inList.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { rowResources } from '../../tables/resources.ts';
import type { MirrorResource } from '../../tables/rows/resource.ts';
import type { Forgetting } from './forgetRaw.ts';
import type { Scope } from './scope.ts';

/** Rows of one kind that an erasure changes, with the keys that events name. */
export interface Affected {
  resource: MirrorResource;
  /** The values to erase from each row, by its own key. */
  rows: ReadonlyMap<string, Forgetting>;
  keys: readonly string[];
  /** Set if the feed announces the change. */
  isAnnounced: boolean;
}

/** Returns every row that contains something about the subject of an erasure. */
export async function affectedBy(db: MirrorDb, connection: string, scope: Scope): Promise<Affected[]> {
  const { strings } = scope;
  const whole: Forgetting = { owners: 'all', text: true, strings };
  const written = [...scope.stays].filter(([, stay]) => stay.text);
  const codes = [...new Set(written.map(([, stay]) => stay.reservation))];
  const conversations = [...scope.conversations];
  const stayRows = new Map(
    [...scope.stays].map(([code, { owners, text }]): [string, Forgetting] => [code, { owners, text, strings }]),
  );
  const all = (keys: readonly (string | number)[]) => new Map(keys.map((key) => [String(key), whole]));
  const transactions = await db
    .selectFrom('transactions')
    .select('id')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('reservation_code'), codes))
    .execute();
  const tasks = await db
    .selectFrom('tasks')
    .select('id')
    .where('connection', '=', connection)
    .where((eb) =>
      inList(
        eb.ref('stay_code'),
        written.map(([code]) => code),
      ),
    )
    .execute();
  const reviews = await db
    .selectFrom('reviews')
    .select(['review', 'reservation_code'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('reservation_code'), codes))
    .execute();
  const messages = await db
    .selectFrom('messages')
    .select('message')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('conversation_id'), conversations))
    .execute();
  const own = (name: string, rows: ReadonlyMap<string, Forgetting>, keys?: readonly string[]): Affected[] => {
    const resource = rowResources[name];
    if (!resource || rows.size === 0) return [];
    return [{ resource, rows, keys: keys ?? [...rows.keys()], isAnnounced: ANNOUNCED.has(name) }];
  };
  return [
    ...own('reservation', stayRows, [...new Set([...scope.stays.values()].map((stay) => stay.reservation))]),
    ...own('transaction', all(transactions.map((row) => row.id))),
    ...own('task', all(tasks.map((row) => row.id))),
    ...own('review', all(reviews.map((row) => row.review)), [...new Set(reviews.map((row) => row.reservation_code))]),
    ...own('conversation', all(conversations)),
    ...own('message', all(messages.map((row) => row.message)), conversations),
  ];
}

const ANNOUNCED: ReadonlySet<string> = new Set(['reservation', 'conversation']);
