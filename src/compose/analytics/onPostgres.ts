import { type QueryExecutorProvider, sql } from 'kysely';
import { sha256Hex } from '../../kernel/signature.ts';
import { readRelations } from './relations.ts';
import { type AnalystSchema, columnsIn, PERSONS, PLAIN, postgresType, SCHEMAS, selectOf } from './select.ts';
import { analystViews, tablesForAnalysts, type ViewColumn } from './views.ts';

/** The id of the lock that lets one process at a time make views. */
const LOCK = 7_250_062;
/** Begins the comment of a schema that stayd has made; its end tells which views are in it. */
const MARK = 'Views of stayd for BI tools';

interface Wanted {
  schema: AnalystSchema;
  name: string;
  is: string;
  columns: readonly ViewColumn[];
  text: string;
}

/**
 * Cuts the views off from the mirror for a migration: each keeps its columns, grants and whatever stands on it, and has
 * no rows. To be followed by {@link makePostgresViews} in the same transaction.
 */
export async function detachPostgresViews(db: QueryExecutorProvider): Promise<void> {
  await lock(db);
  const stored = await storedViews(db);
  for (const [view, columns] of stored) {
    const list = columns.map(({ name, type }) => `null::${type} as ${quoted(name)}`).join(', ');
    await sql.raw(`create or replace view ${view} as select ${list} where false`).execute(db);
  }
  for (const schema of stored.size > 0 ? SCHEMAS : []) await comment(db, schema, 'none');
}

/** What became of the views. */
export type ViewsOutcome =
  | { state: 'unchanged' }
  /** lost: views of others that stood on a view whose columns are not the same any more. */
  | { state: 'made'; views: number; lost: readonly string[] }
  /** The database does not let stayd have the schemas. */
  | { state: 'refused'; why: string };

/** Makes the views as this version has them, where they are not. Runs in a transaction. */
export async function makePostgresViews(db: QueryExecutorProvider): Promise<ViewsOutcome> {
  const wanted = wantedViews(analystViews(await readRelations(db, tablesForAnalysts)));
  const digest = sha256Hex(JSON.stringify(wanted)).slice(0, 16);
  if (await isAsWanted(db, wanted, digest)) return { state: 'unchanged' };
  await lock(db);
  const why = await refusal(db);
  if (why !== undefined) return { state: 'refused', why };
  for (const schema of SCHEMAS) await sql.raw(`create schema if not exists ${schema}`).execute(db);
  const stored = await storedViews(db);
  const lost: string[] = [];
  for (const [view, columns] of stored) {
    const next = wanted.find((one) => keyOf(one) === view);
    if (next && isExtended(columns, next.columns)) continue;
    lost.push(...(await dependents(db, view)).filter((name) => !stored.has(name)));
    await sql.raw(`drop view if exists ${view} cascade`).execute(db);
  }
  for (const one of wanted) await sql.raw(`create or replace view ${keyOf(one)} as ${one.text}`).execute(db);
  await commentOn(db, wanted);
  for (const schema of SCHEMAS) await comment(db, schema, digest);
  return { state: 'made', views: wanted.length, lost };
}

function wantedViews(views: ReturnType<typeof analystViews>): Wanted[] {
  return SCHEMAS.flatMap((schema) =>
    views.flatMap((view) => {
      const columns = columnsIn(schema, view);
      if (columns.length === 0) return [];
      return [{ schema, name: view.name, is: view.is, columns, text: selectOf('postgres', view, columns) }];
    }),
  );
}

async function isAsWanted(db: QueryExecutorProvider, wanted: readonly Wanted[], digest: string): Promise<boolean> {
  const { rows } = await sql<{ schema: string; comment: string | null; views: number | string }>`
    select n.nspname as schema, obj_description(n.oid, 'pg_namespace') as comment,
      (select count(*) from pg_class c where c.relnamespace = n.oid and c.relkind = 'v') as views
    from pg_namespace n where n.nspname in (${sql.join(SCHEMAS)})`.execute(db);
  return SCHEMAS.every((schema) => {
    const found = rows.find((row) => row.schema === schema);
    const views = wanted.filter((one) => one.schema === schema).length;
    return found?.comment === commentText(schema, digest) && Number(found.views) >= views;
  });
}

/** Returns why the schemas cannot be made or used, or undefined. */
async function refusal(db: QueryExecutorProvider): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string; comment: string | null; own: number; relations: number | string }>`
    select n.nspname as schema, obj_description(n.oid, 'pg_namespace') as comment,
      pg_has_role(n.nspowner, 'usage') as own,
      (select count(*) from pg_class c where c.relnamespace = n.oid) as relations
    from pg_namespace n where n.nspname in (${sql.join(SCHEMAS)})`.execute(db);
  const foreign = rows.find((row) => !row.comment?.startsWith(MARK) && Number(row.relations) > 0);
  if (foreign) return `the schema ${foreign.schema} holds something that is not of stayd`;
  const closed = rows.find((row) => row.own === 0);
  if (closed) return `the schema ${closed.schema} belongs to another role`;
  if (rows.length === SCHEMAS.length) return undefined;
  const { rows: may } = await sql<{ yes: number }>`
    select has_database_privilege(current_database(), 'create') as yes`.execute(db);
  if (may[0]?.yes === 1) return undefined;
  return `the role of stayd may not create schemas: an administrator runs create schema ${PLAIN} authorization …, and ${PERSONS} likewise`;
}

interface StoredColumn {
  name: string;
  type: string;
}

/** Returns the views of stayd by their quoted names. Nothing in a schema of others. */
async function storedViews(db: QueryExecutorProvider): Promise<Map<string, StoredColumn[]>> {
  const { rows } = await sql<{ schema: string; view: string; columns: StoredColumn[] }>`
    select n.nspname as schema, c.relname as view,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname in (${sql.join(SCHEMAS)}) and c.relkind = 'v' and pg_has_role(c.relowner, 'usage')
      and obj_description(n.oid, 'pg_namespace') like ${`${MARK}%`}
      and obj_description(c.oid, 'pg_class') is not null
    group by n.nspname, c.relname order by 1, 2`.execute(db);
  return new Map(rows.map(({ schema, view, columns }) => [`${schema}.${quoted(view)}`, columns]));
}

/** Returns true if a view can be replaced as it stands: PostgreSQL lets it get further columns at its end alone. */
function isExtended(stored: readonly StoredColumn[], next: readonly ViewColumn[]): boolean {
  return stored.every(({ name, type }, index) => {
    const column = next[index];
    return column !== undefined && column.name === name && postgresType(column.type) === type;
  });
}

async function dependents(db: QueryExecutorProvider, view: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive standing(oid) as (
      select ${view}::regclass::oid
      union
      select r.ev_class from standing s
        join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = s.oid and d.classid = 'pg_rewrite'::regclass
        join pg_rewrite r on r.oid = d.objid
    )
    select format('%I.%I', n.nspname, c.relname) as name
    from standing s join pg_class c on c.oid = s.oid join pg_namespace n on n.oid = c.relnamespace
    where c.oid <> ${view}::regclass`.execute(db);
  return rows.map((row) => row.name);
}

/** Writes the comments of views and columns in one query. COMMENT takes no parameter, but a function does. */
async function commentOn(db: QueryExecutorProvider, wanted: readonly Wanted[]): Promise<void> {
  const notes = wanted.flatMap((one) => [
    [keyOf(one), null, one.is],
    ...one.columns.map(({ name, is }) => [keyOf(one), name, is]),
  ]);
  await sql`create or replace function pg_temp.comment_on_views(notes jsonb) returns void language plpgsql as $$
    declare note jsonb;
    begin
      for note in select * from jsonb_array_elements(notes) loop
        if note->>1 is null then execute format('comment on view %s is %L', note->>0, note->>2);
        else execute format('comment on column %s.%I is %L', note->>0, note->>1, note->>2);
        end if;
      end loop;
    end $$`.execute(db);
  await sql`select pg_temp.comment_on_views(${JSON.stringify(notes)}::jsonb)`.execute(db);
}

const SAYS: Readonly<Record<AnalystSchema, string>> = {
  analytics: 'without personal columns',
  analytics_persons: 'those with personal columns, complete',
};

function commentText(schema: AnalystSchema, digest: string): string {
  return `${MARK}, ${SAYS[schema]} (${digest})`;
}

async function comment(db: QueryExecutorProvider, schema: AnalystSchema, digest: string): Promise<void> {
  await sql.raw(`comment on schema ${schema} is '${commentText(schema, digest)}'`).execute(db);
}

async function lock(db: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
}

function keyOf({ schema, name }: Pick<Wanted, 'schema' | 'name'>): string {
  return `${schema}.${quoted(name)}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
