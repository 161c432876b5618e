import { inList } from '../../store/queries/inList.ts';
import type { Automating } from '../context.ts';

/** Returns the contents of messages by key. */
export async function contentsOf(
  { store, connection }: Automating,
  messages: readonly string[],
): Promise<Map<string, string>> {
  const rows = await store.db
    .selectFrom('personal_values')
    .select(['row_key', 'text'])
    .where('connection', '=', connection)
    .where('resource', '=', 'message')
    .where('path', '=', 'content')
    .where((eb) => inList(eb.ref('row_key'), messages))
    .execute();
  return new Map(rows.map((row) => [row.row_key, row.text ?? '']));
}
