import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import { runChange } from '../change.ts';
import type { Core } from '../context.ts';
import { type AccountConnectionRow, type AccountRow, type CoreDb, type CoreTransaction, flag } from '../database.ts';

/** The connection of the first account. */
export const FIRST_CONNECTION = 'local' as ConnectionId;

/** Beginning of the names of the other connections to this core. */
const BEGINNING = `${FIRST_CONNECTION}-`;
const MOST_LETTERS = 32;

/** Returns true for a name that only connections to the core of this installation have. */
export function isOfOwnCore(connection: string): boolean {
  return connection === FIRST_CONNECTION || connection.startsWith(BEGINNING);
}

/** Lists the connections of all accounts that were mirrored at any time, the first one first. */
export async function accountConnections(db: CoreDb | CoreTransaction): Promise<AccountConnectionRow[]> {
  const rows = await db
    .selectFrom('account_connections as own')
    .innerJoin('accounts as account', 'account.account_id', 'own.account_id')
    .selectAll('own')
    .orderBy('account.created_at')
    .orderBy('account.account_id')
    .execute();
  const isFirst = ({ connection }: AccountConnectionRow) => connection === FIRST_CONNECTION;
  return [...rows.filter(isFirst), ...rows.filter((row) => !isFirst(row))];
}

/** Returns the account that a connection mirrors; undefined if it is none to this core. */
export async function accountOfConnection(db: CoreDb, connection: string): Promise<AccountId | undefined> {
  const row = await db
    .selectFrom('account_connections')
    .where('connection', '=', connection as ConnectionId)
    .select('account_id')
    .executeTakeFirst();
  return row?.account_id;
}

/** Gives an account the first connection. It is mirrored from then on. */
export async function giveFirstConnection(
  { store }: Pick<Core, 'store'>,
  { account_id }: Pick<AccountRow, 'account_id'>,
): Promise<void> {
  await store.db
    .insertInto('account_connections')
    .values({ account_id, connection: FIRST_CONNECTION, mirrored: flag(true) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** How an account is to be mirrored. */
export interface Mirroring {
  /** True: the daemon beside reads it. */
  readonly mirrored: boolean;
  /** Names of connections that are in use elsewhere; a new connection gets none of them. */
  readonly taken?: readonly string[];
}

/**
 * Says if the daemon beside mirrors an account. A connection keeps its name, whatever the account is called later.
 * @returns the connection
 */
export function setMirrored(core: Core, account: AccountRow, given: Mirroring): Promise<AccountConnectionRow> {
  return runChange(core, { account, operator: null }, async ({ trx, audit }) => {
    const row = await putMirrored(trx, account, given);
    const { mirrored } = given;
    audit('change mirroring', `account:${account.account_id}`, { after: { connection: row.connection, mirrored } });
    return row;
  });
}

/** Stores if an account is mirrored, in the transaction of another change. */
export async function putMirrored(
  trx: CoreTransaction,
  { account_id, name }: Pick<AccountRow, 'account_id' | 'name'>,
  { mirrored, taken = [] }: Mirroring,
): Promise<AccountConnectionRow> {
  const known = await accountConnections(trx);
  const own = known.find((row) => row.account_id === account_id);
  const connection =
    own?.connection ?? nameOfConnection(name, new Set([...known.map((row) => row.connection), ...taken]));
  const row = { account_id, connection, mirrored: flag(mirrored) };
  await trx
    .insertInto('account_connections')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ mirrored: row.mirrored }))
    .execute();
  return row;
}

/** Returns a name that nobody has: `local-seaside-flats` for Seaside Flats. */
export function nameOfConnection(account: string, taken: ReadonlySet<string>): ConnectionId {
  const tidy = account
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MOST_LETTERS - BEGINNING.length)
    .replace(/-$/, '');
  const word = `${BEGINNING}${tidy || 'account'}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? word : `${word}-${number}`;
    if (!taken.has(name)) return name as ConnectionId;
  }
}
