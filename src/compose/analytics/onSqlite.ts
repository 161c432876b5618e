import { type QueryExecutorProvider, sql } from 'kysely';
import { readRelations } from './relations.ts';
import { columnsIn, SCHEMAS, selectOf } from './select.ts';
import { analystViews, tablesForAnalysts } from './views.ts';

/** Drops the views, so that their tables can change. */
export async function dropSqliteViews(db: QueryExecutorProvider): Promise<void> {
  for (const name of (await storedViews(db)).keys()) await sql`drop view ${sql.id(name)}`.execute(db);
}

/** Makes the views as this version has them. @returns the number of made and removed ones */
export async function makeSqliteViews(db: QueryExecutorProvider): Promise<number> {
  const wanted = new Map(
    analystViews(await readRelations(db, tablesForAnalysts)).flatMap((view) =>
      SCHEMAS.flatMap((schema) => {
        const columns = columnsIn(schema, view);
        if (columns.length === 0) return [];
        // SQLite has no schemas: the dot becomes an underscore.
        const name = `${schema}_${view.name}`;
        return [[name, `CREATE VIEW "${name}" as ${selectOf('sqlite', view, columns)}`] as const];
      }),
    ),
  );
  const stored = await storedViews(db);
  const stale = [...stored].filter(([name, text]) => wanted.get(name) !== text);
  const missing = [...wanted].filter(([name, text]) => stored.get(name) !== text);
  for (const [name] of stale) await sql`drop view ${sql.id(name)}`.execute(db);
  for (const [, text] of missing) await sql.raw(text).execute(db);
  return stale.length + missing.length;
}

async function storedViews(db: QueryExecutorProvider): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; text: string }>`
    select name, sql as text from sqlite_schema where type = 'view' and name like 'analytics\\_%' escape '\\'`.execute(
    db,
  );
  return new Map(rows.map(({ name, text }) => [name, text]));
}
