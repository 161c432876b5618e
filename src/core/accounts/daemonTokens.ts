import { instantOf } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Reseal } from '../../kernel/seal.ts';
import type { Core } from '../context.ts';
import type { AccountRow, CoreDb, CoreTransaction } from '../database.ts';
import { createToken } from './create.ts';
import { revokeToken, tokenHolder } from './table.ts';
import { hashToken } from './tokens.ts';

/**
 * Returns the token with which the daemon beside the core reads this account, the same in every process on the database.
 * It is created the first time, and replaced after its end.
 */
export async function daemonToken(core: Core, account: AccountRow): Promise<string> {
  const { account_id: accountId } = account;
  const known = await storedToken(core, accountId);
  if (known !== undefined) {
    if (await isInForce(core, accountId, known.token)) return known.token;
    await forget(core, accountId, known);
  }
  const draft = { name: 'daemon beside the core', scope: 'write', unlimited: true } as const;
  const { token } = await createToken(core, account, draft);
  if (await keepDaemonToken(core, accountId, token)) return token;
  // Another process was faster.
  await revoke(core, token);
  return (await storedToken(core, accountId))?.token ?? daemonToken(core, account);
}

/** Stores a token for the daemon. @returns false if there is one already */
export async function keepDaemonToken(
  { store, sealer }: Pick<Core, 'store' | 'sealer'>,
  accountId: AccountId,
  token: string,
): Promise<boolean> {
  const row = { account_id: accountId, token: sealer.seal(token, contextOf(accountId)) };
  const stored = await store.db
    .insertInto('daemon_tokens')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .execute();
  return stored.length > 0;
}

/** Revokes the token of an account that is not mirrored any more, if it has one. */
export async function endDaemonToken(core: Core, accountId: AccountId): Promise<void> {
  const known = await storedToken(core, accountId);
  if (known !== undefined) await forget(core, accountId, known);
}

/** Seals the tokens with another key. @returns their number */
export async function resealDaemonTokens(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const rows = await trx.selectFrom('daemon_tokens').selectAll().execute();
  for (const { account_id, token } of rows) {
    const sealed = reseal(token, contextOf(account_id));
    await trx.updateTable('daemon_tokens').set({ token: sealed }).where('account_id', '=', account_id).execute();
  }
  return rows.length;
}

function contextOf(accountId: AccountId): string {
  return `daemon token of ${accountId}`;
}

/** A token, and how it is stored. */
interface Stored {
  readonly token: string;
  readonly sealed: string;
}

async function storedToken({ store, sealer }: Core, accountId: AccountId): Promise<Stored | undefined> {
  const row = await rowOf(store.db, accountId);
  return row && { token: sealer.open(row.token, contextOf(accountId)), sealed: row.token };
}

/** Revokes this token, and leaves the one alone that another process may have stored since. */
async function forget(core: Core, accountId: AccountId, { token, sealed }: Stored): Promise<void> {
  await revoke(core, token);
  await core.store.db
    .deleteFrom('daemon_tokens')
    .where('account_id', '=', accountId)
    .where('token', '=', sealed)
    .execute();
}

function rowOf(db: CoreDb, accountId: AccountId) {
  return db.selectFrom('daemon_tokens').where('account_id', '=', accountId).select('token').executeTakeFirst();
}

async function isInForce({ store }: Core, accountId: AccountId, token: string): Promise<boolean> {
  const [holder] = await tokenHolder(store.db, { hash: hashToken(token) });
  return holder?.account_id === accountId && holder.unlimited === 1 && holder.revoked_at === null;
}

async function revoke({ clock, store }: Core, token: string): Promise<void> {
  const [holder] = await tokenHolder(store.db, { hash: hashToken(token) });
  if (!holder) return;
  const { account_id: accountId, token_id: id } = holder;
  await revokeToken(store.db, { accountId, id, at: instantOf(clock.now()) });
}
