import type { Kysely } from 'kysely';

// Why: what is searched by a keyword is found whatever the case of its letters and however its accents are stored. SQLite
// tells that of ASCII letters alone, so the text is stored once more as it is compared, where that is another one.

const BATCH = 1_000;

interface Searched {
  transactions: { id: number; note: string; note_key: string | null };
  automation_plans: { plan_id: string; name: string; name_key: string | null };
}

export async function up(database: Kysely<unknown>): Promise<void> {
  const db = database as Kysely<Searched>;
  await db.schema.alterTable('transactions').addColumn('note_key', 'text').execute();
  await db.schema.alterTable('automation_plans').addColumn('name_key', 'text').execute();
  await fillNotes(db);
  await fillNames(db);
}

async function fillNotes(db: Kysely<Searched>): Promise<void> {
  for (let after = -1; ;) {
    const rows = await db
      .selectFrom('transactions')
      .select(['id', 'note'])
      .where('note', '<>', '')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { id, note } of rows) {
      const note_key = keyOf(note);
      if (note_key !== null) await db.updateTable('transactions').set({ note_key }).where('id', '=', id).execute();
    }
    const last = rows.at(-1);
    if (!last) return;
    after = Number(last.id);
  }
}

async function fillNames(db: Kysely<Searched>): Promise<void> {
  const rows = await db.selectFrom('automation_plans').select('name').distinct().execute();
  for (const { name } of rows) {
    const name_key = keyOf(name);
    if (name_key !== null)
      await db.updateTable('automation_plans').set({ name_key }).where('name', '=', name).execute();
  }
}

/** As it was when this was written, whatever becomes of the program's own. */
function keyOf(text: string): string | null {
  const key = text.normalize('NFC').toLowerCase();
  return key === text ? null : key;
}
