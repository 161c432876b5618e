import { type QueryExecutorProvider, sql } from 'kysely';
import type { Config } from '../../config.ts';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import { systemRandom } from '../../kernel/random.ts';
import { openStore, type Store } from '../../store/store.ts';
import type { Mirror } from '../../sync/tables/database.ts';
import { locationOf } from '../stores/stores.ts';
import { SALT_BYTES, scramVerifier } from './scram.ts';
import { PERSONS, PLAIN, SCHEMAS } from './select.ts';

/** The comment of a role that stayd has made. */
const MARK = 'Reads the views of stayd';

/** A role that may read the views. */
export interface Analyst {
  role: string;
  persons: boolean;
}

interface Grant {
  role: string;
  persons: boolean;
  /** Asked for if the role is new and `sql` is not wanted. */
  password(): Promise<string | undefined>;
  /** Set to change the password of a role that is there. */
  changesPassword: boolean;
}

/** Returns the roles that may read the views, by name. */
export async function listAnalysts(config: Config): Promise<Analyst[]> {
  return onPostgres(config, async (store) => {
    await requireViews(store.db);
    const { rows } = await sql<{ role: string; persons: number }>`
      select r.rolname as role, has_schema_privilege(r.oid, ${PERSONS}, 'usage') as persons from pg_roles r
      where r.rolcanlogin and not r.rolsuper and has_schema_privilege(r.oid, ${PLAIN}, 'usage')
        and not pg_has_role(r.oid, (select nspowner from pg_namespace where nspname = ${PLAIN}), 'usage')
      order by 1`.execute(store.db);
    return rows.map(({ role, persons }) => ({ role, persons: persons === 1 }));
  });
}

/**
 * Lets a role read the views, and makes it if it is not there. Doing it again changes nothing.
 * @returns whether the role is new
 * @throws UsageError for a role that could write or see more
 */
export async function grantAnalyst(config: Config, grant: Grant): Promise<{ created: boolean }> {
  requireName(grant.role);
  return onPostgres(config, async (store) => {
    await requireViews(store.db);
    const found = await findRole(store.db, grant.role);
    requireHarmless(grant, found);
    const password = !found || grant.changesPassword ? await grant.password() : undefined;
    const verifier = password === undefined ? undefined : verifierOf(password);
    const owner = await ownerOf(store.db);
    await explainRefusal(() =>
      store.transaction(async (trx) => {
        for (const text of statements(grant, { owner, database: undefined, verifier }))
          await sql.raw(text).execute(trx);
        await requireReadsOnly(trx, grant);
      }),
    );
    return { created: !found };
  });
}

/** Returns the SQL that an administrator runs instead of {@link grantAnalyst}. */
export async function grantText(config: Config, grant: Grant): Promise<string> {
  requireName(grant.role);
  return onPostgres(config, async (store) => {
    await requireViews(store.db);
    requireHarmless(grant, await findRole(store.db, grant.role));
    const password = grant.changesPassword ? await grant.password() : undefined;
    const verifier = password === undefined ? undefined : verifierOf(password);
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(store.db);
    const all = statements(grant, { owner: await ownerOf(store.db), database: rows[0]?.name, verifier });
    const last = verifier === undefined ? [`-- a password, in psql: \\password ${grant.role}`] : [];
    return ['begin;', ...all.map((text) => `${text};`), 'commit;', ...last, ''].join('\n');
  });
}

/** Takes from a role what {@link grantAnalyst} gave, and its login if stayd made the role. */
export async function revokeAnalyst(config: Config, role: string): Promise<void> {
  requireName(role);
  await onPostgres(config, async (store) => {
    const found = await findRole(store.db, role);
    if (!found) throw new UsageError(`there is no role "${role}"`, './stayd analysts list lists those that may read');
    const owner = await ownerOf(store.db);
    const texts = [
      ...SCHEMAS.flatMap((schema) => revoked(schema, role, owner)),
      ...(found.ours ? [`alter role "${role}" nologin`] : []),
    ];
    await explainRefusal(() =>
      store.transaction(async (trx) => {
        for (const text of texts) await sql.raw(text).execute(trx);
      }),
    );
  });
}

function statements(
  { role, persons }: Grant,
  { owner, database, verifier }: { owner: string; database: string | undefined; verifier: string | undefined },
): string[] {
  const granted = persons ? SCHEMAS : [PLAIN];
  const path = persons ? `${PERSONS}, ${PLAIN}` : PLAIN;
  return [
    `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role "${role}"; comment on role "${role}" is '${MARK}'; end if; end $$`,
    `alter role "${role}" login${verifier === undefined ? '' : ` password '${verifier}'`}`,
    `alter role "${role}" set default_transaction_read_only = on`,
    `alter role "${role}" set search_path = ${path}`,
    ...(database === undefined ? [] : [`grant connect on database "${database.replaceAll('"', '""')}" to "${role}"`]),
    ...granted.flatMap((schema) => [
      `grant usage on schema ${schema} to "${role}"`,
      `grant select on all tables in schema ${schema} to "${role}"`,
      `alter default privileges for role ${owner} in schema ${schema} grant select on tables to "${role}"`,
    ]),
    ...(persons ? [] : revoked(PERSONS, role, owner)),
  ];
}

function revoked(schema: string, role: string, owner: string): string[] {
  return [
    `revoke all on all tables in schema ${schema} from "${role}"`,
    `revoke all on schema ${schema} from "${role}"`,
    `alter default privileges for role ${owner} in schema ${schema} revoke all on tables from "${role}"`,
  ];
}

function requireName(role: string): void {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(role) && !role.startsWith('pg_')) return;
  throw new UsageError(
    `role: "${role}" is no name for a role here`,
    'it has small letters, digits and _, begins with a letter, and not with pg_',
  );
}

interface FoundRole {
  /** 1: it may do more than read. */
  powerful: number;
  /** 1: stayd made it. */
  ours: number;
}

async function findRole(db: QueryExecutorProvider, role: string): Promise<FoundRole | undefined> {
  const { rows } = await sql<FoundRole>`
    select (r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls
        or pg_has_role(r.oid, (select nspowner from pg_namespace where nspname = 'mirror'), 'member')) as powerful,
      coalesce(shobj_description(r.oid, 'pg_authid') = ${MARK}, false) as ours
    from pg_roles r where r.rolname = ${role}`.execute(db);
  return rows[0];
}

function requireHarmless({ role, changesPassword }: Grant, found: FoundRole | undefined): void {
  if (found?.powerful) {
    throw new UsageError(
      `role: "${role}" may do more than read`,
      'name a new role; it is made without any other right',
    );
  }
  if (found && !found.ours && changesPassword) {
    throw new UsageError(
      `role: "${role}" was made by somebody else, who also sets its password`,
      'leave --password-file out, or name a new role',
    );
  }
}

/** Refuses a role that has other rights from elsewhere, such as those of a group or of everybody. */
async function requireReadsOnly(db: QueryExecutorProvider, { role, persons }: Grant): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('core', 'mirror', ${sql.join(SCHEMAS)}) and c.relkind in ('r', 'v', 'p')
      and (has_table_privilege(${role}, c.oid, 'insert, update, delete, truncate')
        or (has_table_privilege(${role}, c.oid, 'select') and has_schema_privilege(${role}, n.oid, 'usage')
          and n.nspname not in (${sql.join(persons ? SCHEMAS : [PLAIN])})))
    order by 1 limit 1`.execute(db);
  const [more] = rows;
  if (!more) return;
  throw new UsageError(
    `role: "${role}" may do more with ${more.name} than it should, by a right from elsewhere`,
    'take that right away, or name a new role; nothing was changed',
  );
}

async function requireViews(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname in (${sql.join(SCHEMAS)})`.execute(db);
  if (rows.length === SCHEMAS.length) return;
  throw new OperatorError(
    'there are no views yet',
    './stayd migrate makes them; if its role may not, an administrator runs: ' +
      SCHEMAS.map((schema) => `create schema ${schema} authorization <role of stayd>;`).join(' '),
  );
}

/** Returns the quoted role that owns the views. */
async function ownerOf(db: QueryExecutorProvider): Promise<string> {
  const { rows } = await sql<{ owner: string }>`
    select quote_ident(pg_get_userbyid(nspowner)) as owner from pg_namespace where nspname = ${PLAIN}`.execute(db);
  return rows[0]?.owner ?? 'current_user';
}

function verifierOf(password: string): string {
  return scramVerifier(password, Buffer.from(systemRandom.bytes(SALT_BYTES)));
}

const NOT_PERMITTED = '42501';

async function explainRefusal(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== NOT_PERMITTED) throw error;
    throw new OperatorError(
      `the database refuses: ${messageOf(error)}`,
      'with --sql the command prints what an administrator runs',
      error,
    );
  }
}

async function onPostgres<T>(config: Config, work: (store: Store<Mirror>) => Promise<T>): Promise<T> {
  const location = locationOf(config, 'mirror');
  if (location.kind !== 'postgres') {
    throw new UsageError(
      `the mirror is the file ${location.file}, and files know no roles: who may read it reads everything`,
      'give people a copy of the file, or of reports: ./stayd report <name> --csv <file>',
    );
  }
  const store = await openStore<Mirror>(location);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
