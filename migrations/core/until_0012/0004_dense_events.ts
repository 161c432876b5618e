import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';
import { createIndex, createTable, type Table } from '../../tables.ts';
import { people } from '../0001_baseline/people.ts';
import { webhooks } from '../0001_baseline/webhooks.ts';
import { UNDELIVERED } from './0002_undelivered.ts';

// Why: an import writes three events a booking. On SQLite each of their rows lay in a tree by row number, and its key in a
// second tree beside it; inside the key's tree, a booking costs half a kilobyte less, and a commit fewer pages. The entries
// of the audit had their time twice: their ids begin with it.

const FURTHER_INDEXES = { outbox: [], deliveries: [UNDELIVERED], audit: [] } as const;
const INDEX_BY_TIME = 'audit_by_time';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex(INDEX_BY_TIME).execute();
  if (kindOf(db) !== 'sqlite') return;
  for (const table of [...webhooks, ...people]) {
    if (!Object.hasOwn(FURTHER_INDEXES, table.name)) continue;
    const further = FURTHER_INDEXES[table.name as keyof typeof FURTHER_INDEXES];
    await makeNarrow(db, { ...table, indexes: [...(table.indexes ?? []), ...further] });
  }
}

async function makeNarrow(db: Kysely<unknown>, { indexes = [], ...table }: Table): Promise<void> {
  const { name, key = [] } = table;
  const before = `${name}_before`;
  await db.schema.alterTable(name).renameTo(before).execute();
  await createTable(db, { ...table, narrow: true });
  const columns = sql.join(Object.keys(table.columns).map((column) => sql.ref(column)));
  const order = sql.join(key.map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(name)} (${columns}) select ${columns} from ${sql.table(before)} order by ${order}
  `.execute(db);
  await db.schema.dropTable(before).execute();
  for (const index of indexes) if (index.name !== INDEX_BY_TIME) await createIndex(db, name, index);
}
