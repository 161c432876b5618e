import type { Selectable } from 'kysely';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import type { Reseal } from '../../../kernel/seal.ts';
import type { MirrorDb, MirrorStore } from '../../tables/database.ts';
import type { UpstreamTokensTable } from '../../tables/connection/upstreamTokensTable.ts';

export type UpstreamTokensRow = Selectable<UpstreamTokensTable>;

/** Returns the context for sealing the tokens of a connection. */
export function tokenContext(connection: string): string {
  return `upstream tokens of ${connection}`;
}

export function readTokens(db: MirrorDb, connection: string): Promise<UpstreamTokensRow | undefined> {
  return db.selectFrom('upstream_tokens').where('connection', '=', connection).selectAll().executeTakeFirst();
}

/** Begins with a refresh token of the configuration, unless the stored tokens already began with it. */
export async function beginTokens(
  store: MirrorStore,
  row: Pick<UpstreamTokensTable, 'connection' | 'given_hash' | 'refresh_token' | 'changed_at'>,
): Promise<void> {
  const fresh: UpstreamTokensTable = {
    ...row,
    access_token: null,
    given_at: null,
    expires_at: null,
    refused: null,
    refused_at: null,
    leased_by: null,
    leased_until: 0,
  };
  const { connection: _, ...changed } = fresh;
  await store.db
    .insertInto('upstream_tokens')
    .values(fresh)
    .onConflict((conflict) =>
      conflict.column('connection').doUpdateSet(changed).where('upstream_tokens.given_hash', '!=', row.given_hash),
    )
    .execute();
}

/**
 * Claims the right to use the refresh token. @returns the current row; undefined while another process has the right
 */
export function leaseTokens(
  db: MirrorDb,
  { connection, by, now, until }: { connection: string; by: string; now: number; until: number },
): Promise<UpstreamTokensRow | undefined> {
  return db
    .updateTable('upstream_tokens')
    .set({ leased_by: by, leased_until: until })
    .where('connection', '=', connection)
    .where('leased_until', '<=', now)
    .where('refused', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export async function releaseTokens(db: MirrorDb, connection: string, by: string): Promise<void> {
  await db
    .updateTable('upstream_tokens')
    .set({ leased_by: null, leased_until: 0 })
    .where('connection', '=', connection)
    .where('leased_by', '=', by)
    .execute();
}

/** Stores the tokens of a refresh, unless another refresh token has replaced `spent` meanwhile. */
export async function keepTokens(
  db: MirrorDb,
  connection: string,
  spent: string,
  kept: Pick<UpstreamTokensTable, 'refresh_token' | 'access_token' | 'given_at' | 'expires_at' | 'changed_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upstream_tokens')
    .set({ ...kept, leased_by: null, leased_until: 0 })
    .where('connection', '=', connection)
    .where('refresh_token', '=', spent)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records that upstream issues no more tokens, and deletes the access token. @param spent only while it is in use */
export async function refuseTokens(
  db: MirrorDb,
  connection: string,
  { why, at, spent }: { why: string; at: Instant; spent?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upstream_tokens')
    .set({ refused: why, refused_at: at, access_token: null, expires_at: null, leased_by: null, leased_until: 0 })
    .where('connection', '=', connection)
    .where('refused', 'is', null)
    .$if(spent !== undefined, (rows) => rows.where('refresh_token', '=', spent ?? ''))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Marks an access token as expired for all processes, after upstream has refused it. */
export async function overNow(db: MirrorDb, connection: string, accessToken: string, now: number): Promise<void> {
  await db
    .updateTable('upstream_tokens')
    .set({ expires_at: instantOf(now) })
    .where('connection', '=', connection)
    .where('access_token', '=', accessToken)
    .execute();
}

/** Seals the tokens of all connections with another key. @returns the number of connections */
export function resealTokens(store: MirrorStore, reseal: Reseal): Promise<number> {
  return store.transaction(async (trx) => {
    const rows = await trx
      .selectFrom('upstream_tokens')
      .select(['connection', 'refresh_token', 'access_token'])
      .execute();
    for (const { connection, refresh_token, access_token } of rows) {
      const context = tokenContext(connection);
      await trx
        .updateTable('upstream_tokens')
        .set({
          refresh_token: reseal(refresh_token, context),
          access_token: access_token === null ? null : reseal(access_token, context),
        })
        .where('connection', '=', connection)
        .execute();
    }
    return rows.length;
  });
}
