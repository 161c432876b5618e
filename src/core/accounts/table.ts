import { sql } from 'kysely';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { preparedKept } from '../../store/queries/prepared.ts';
import type { AccountRow, CoreDb, CoreTransaction, OperatorRow, TokenRow } from '../database.ts';

/**
 * Returns the token with this hash, with its owner and their account. The answer is kept until one of the three tables
 * changes, so that a revocation holds at once.
 */
export const tokenHolder = preparedKept((db: CoreDb, arg: { hash: string }) =>
  db
    .selectFrom('tokens as token')
    .innerJoin('accounts as account', 'account.account_id', 'token.account_id')
    .innerJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'token.account_id').onRef('operator.id', '=', 'token.operator_id'),
    )
    .where('token.hash', '=', arg.hash)
    .select([
      'token.id as token_id',
      'token.scope',
      'token.revoked_at',
      'token.expires_at as ends_at',
      'token.last_used_on',
      'token.per_minute',
      'token.per_hour',
      'token.unlimited',
      'operator.id as operator_id',
      'operator.name as operator_name',
      'operator.kind as operator_kind',
      'operator.all_properties',
      'account.account_id',
      'account.name',
      'account.time_zone',
      'account.currency',
      'account.subscription',
      'account.edition',
      'account.property_quota',
      'account.created_at',
      'account.expires_at',
      'account.automations_held',
      'account.restored_at',
    ]),
);

/**
 * Returns an application's access token by its hash, with its permissions, the person who granted them, and their
 * account.
 */
export const oauthTokenHolder = preparedKept((db: CoreDb, arg: { hash: string }) =>
  db
    .selectFrom('oauth_tokens as token')
    .innerJoin('oauth_grants as allowed', (join) =>
      join.onRef('allowed.account_id', '=', 'token.account_id').onRef('allowed.id', '=', 'token.grant_id'),
    )
    .innerJoin('accounts as account', 'account.account_id', 'token.account_id')
    .innerJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'token.account_id').onRef('operator.id', '=', 'allowed.operator_id'),
    )
    .where('token.hash', '=', arg.hash)
    .where('token.kind', '=', sql.lit('access'))
    .where('token.revoked_at', 'is', null)
    .where('allowed.revoked_at', 'is', null)
    .select([
      'token.expires_at as ends_at',
      'token.scope',
      'token.audience',
      'allowed.client_id',
      'operator.id as operator_id',
      'operator.name as operator_name',
      'operator.kind as operator_kind',
      'operator.all_properties',
      'operator.role',
    ])
    .selectAll('account'),
);

/** Returns the properties of a sub-account. */
export async function propertiesOf(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  operatorId: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('operator_properties')
    .where('account_id', '=', accountId)
    .where('operator_id', '=', operatorId)
    .select('property_id')
    .execute();
  return rows.map((row) => row.property_id);
}

/** A person, and the deployment elsewhere whose properties are meant. */
interface ElsewhereOf {
  accountId: AccountId;
  operatorId: number;
  connection: ConnectionId;
}

/** Returns the properties of another deployment that a person of limited sight may see. */
export async function mirroredPropertiesOf(
  db: CoreDb | CoreTransaction,
  { accountId, operatorId, connection }: ElsewhereOf,
): Promise<number[]> {
  const rows = await db
    .selectFrom('operator_mirrored_properties')
    .where('account_id', '=', accountId)
    .where('operator_id', '=', operatorId)
    .where('connection', '=', connection)
    .select('property_id')
    .orderBy('property_id')
    .execute();
  return rows.map((row) => row.property_id);
}

export function listAccounts(db: CoreDb): Promise<AccountRow[]> {
  return db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('account_id').execute();
}

/** Returns an account by id or by name, since people remember the name. */
export function findAccount(db: CoreDb | CoreTransaction, nameOrId: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('accounts')
    .where((where) => where.or([where('account_id', '=', nameOrId as AccountId), where('name', '=', nameOrId)]))
    .selectAll()
    .executeTakeFirst();
}

export function masterOperator(db: CoreDb | CoreTransaction, accountId: AccountId) {
  return db
    .selectFrom('operators')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'master')
    .selectAll()
    .executeTakeFirstOrThrow();
}

interface ListedToken extends Omit<TokenRow, 'hash' | 'unlimited'> {
  /** Name of the person or sub-account that the token acts for. */
  operator_name: string;
}

/** Lists tokens of an account, or of one of its people, live and ended. */
export function listTokens(db: CoreDb, accountId: AccountId, operatorId?: number): Promise<ListedToken[]> {
  return db
    .selectFrom('tokens as token')
    .innerJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'token.account_id').onRef('operator.id', '=', 'token.operator_id'),
    )
    .where('token.account_id', '=', accountId)
    .$if(operatorId !== undefined, (tokens) => tokens.where('token.operator_id', '=', operatorId ?? 0))
    .select(['token.account_id', 'token.id', 'token.operator_id', 'operator.name as operator_name'])
    .select(['token.name', 'token.scope', 'token.hint', 'token.per_minute', 'token.per_hour'])
    .select(['token.created_at', 'token.revoked_at', 'token.expires_at', 'token.last_used_on'])
    .orderBy('token.id')
    .execute();
}

/** Records the day of a token's last use. */
export async function noteTokenUse(db: CoreDb, accountId: AccountId, id: number, day: PlainDate): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ last_used_on: day })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Returns true if a token is live, and holds it in that state until the end of the transaction. */
export async function holdLiveToken(trx: CoreTransaction, accountId: AccountId, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('tokens')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .select('revoked_at')
    .forUpdate()
    .executeTakeFirst();
  return row?.revoked_at === null;
}

/** Selects tokens of applications that are live or can be exchanged for a live one, by the grant they descend from. */
export function liveOAuthTokens(db: CoreDb | CoreTransaction, now: Instant) {
  return db
    .selectFrom('oauth_grants as allowed')
    .innerJoin('oauth_tokens as token', (join) =>
      join.onRef('token.account_id', '=', 'allowed.account_id').onRef('token.grant_id', '=', 'allowed.id'),
    )
    .where('allowed.revoked_at', 'is', null)
    .where('token.revoked_at', 'is', null)
    .where('token.used_at', 'is', null)
    .where('token.expires_at', '>', now);
}

/** Returns true if an application has a token of {@link liveOAuthTokens}, and holds it in that state. */
export async function holdLiveOAuthToken(
  trx: CoreTransaction,
  { accountId, clientId }: { accountId: AccountId; clientId: string },
  now: Instant,
): Promise<boolean> {
  const row = await liveOAuthTokens(trx, now)
    .where('allowed.account_id', '=', accountId)
    .where('allowed.client_id', '=', clientId)
    .select('token.hash')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes a token at once. @returns false when there was no such live token */
export async function revokeToken(
  db: CoreDb | CoreTransaction,
  token: { accountId: AccountId; id: number; at: string; operatorId?: number | undefined },
): Promise<boolean> {
  const result = await db
    .updateTable('tokens')
    .set({ revoked_at: token.at })
    .where('account_id', '=', token.accountId)
    .where('id', '=', token.id)
    .where('revoked_at', 'is', null)
    .$if(token.operatorId !== undefined, (tokens) => tokens.where('operator_id', '=', token.operatorId ?? 0))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Returns true if a token acts for a sub-account. */
export async function subAccountToken(trx: CoreTransaction, accountId: AccountId, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('tokens as token')
    .innerJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'token.account_id').onRef('operator.id', '=', 'token.operator_id'),
    )
    .where('token.account_id', '=', accountId)
    .where('token.id', '=', id)
    .select('operator.kind')
    .executeTakeFirst();
  return row?.kind === 'sub';
}

/** Holds planned actions of all accounts until a person releases them. @param why reason that people are shown */
export async function holdAutomations(db: CoreDb | CoreTransaction, why: string): Promise<void> {
  await db.updateTable('accounts').set({ automations_held: why }).execute();
}

/** Records that all accounts have the state of a backup. */
export async function markRestored(trx: CoreTransaction, at: Instant): Promise<void> {
  await trx.updateTable('accounts').set({ restored_at: at }).execute();
}

export async function setAccountSettings(
  trx: CoreTransaction,
  accountId: AccountId,
  settings: Pick<AccountRow, 'name' | 'time_zone' | 'currency'>,
): Promise<void> {
  await trx.updateTable('accounts').set(settings).where('account_id', '=', accountId).execute();
}

export async function updateAccount(trx: CoreTransaction, account: AccountRow): Promise<void> {
  const { account_id, subscription, edition, property_quota, expires_at, automations_held } = account;
  await trx
    .updateTable('accounts')
    .set({ subscription, edition, property_quota, expires_at, automations_held })
    .where('account_id', '=', account_id)
    .execute();
}

export function findOperator(trx: CoreTransaction, accountId: AccountId, id: number): Promise<OperatorRow | undefined> {
  return trx
    .selectFrom('operators')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/** Lists sub-accounts with the properties that each may see. */
/** @param elsewhere the deployment whose properties are listed; left out: those of this core */
export async function subAccountsOf(db: CoreDb, accountId: AccountId, elsewhere: ConnectionId | undefined) {
  const operators = await db
    .selectFrom('operators as operator')
    .leftJoin('logins as login', (join) =>
      join.onRef('login.account_id', '=', 'operator.account_id').onRef('login.operator_id', '=', 'operator.id'),
    )
    .leftJoin('invites as invite', (join) =>
      join.onRef('invite.account_id', '=', 'operator.account_id').onRef('invite.operator_id', '=', 'operator.id'),
    )
    .where('operator.account_id', '=', accountId)
    .where('operator.kind', '=', 'sub')
    .select(['operator.id', 'operator.name', 'operator.role', 'operator.all_properties', 'operator.created_at'])
    .select(['login.login', 'invite.expires_at as invited_until'])
    .orderBy('operator.id')
    .execute();
  const given = await givenProperties(db, accountId, elsewhere);
  return operators.map(({ all_properties, ...operator }) => {
    const property_ids = given.filter((row) => row.operator_id === operator.id).map((row) => row.property_id);
    return { ...operator, all_properties: all_properties === 1, property_ids };
  });
}

/** Returns who was given which property, in the order of their numbers. */
function givenProperties(
  db: CoreDb,
  accountId: AccountId,
  elsewhere: ConnectionId | undefined,
): Promise<{ operator_id: number; property_id: number }[]> {
  if (elsewhere === undefined) {
    return db
      .selectFrom('operator_properties')
      .where('account_id', '=', accountId)
      .select(['operator_id', 'property_id'])
      .orderBy('property_id')
      .execute();
  }
  return db
    .selectFrom('operator_mirrored_properties')
    .where('account_id', '=', accountId)
    .where('connection', '=', elsewhere)
    .select(['operator_id', 'property_id'])
    .orderBy('property_id')
    .execute();
}

/** Revokes every live token of a person. */
export function revokeTokensOf(
  trx: CoreTransaction,
  { accountId, operatorId, at }: { accountId: AccountId; operatorId: number; at: string },
): Promise<{ id: number; name: string }[]> {
  return trx
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('account_id', '=', accountId)
    .where('operator_id', '=', operatorId)
    .where('revoked_at', 'is', null)
    .returning(['id', 'name'])
    .execute();
}

/** Replaces the properties that a sub-account may see. */
export async function setProperties(
  trx: CoreTransaction,
  account_id: AccountId,
  operator_id: number,
  propertyIds: readonly number[],
): Promise<void> {
  await trx
    .deleteFrom('operator_properties')
    .where('account_id', '=', account_id)
    .where('operator_id', '=', operator_id)
    .execute();
  const rows = propertyIds.map((property_id) => ({ account_id, operator_id, property_id }));
  await insertMany(trx, 'operator_properties', rows);
}

/** Replaces the properties of another deployment that a person may see. */
export async function setMirroredProperties(
  trx: CoreTransaction,
  { accountId, operatorId, connection }: ElsewhereOf,
  propertyIds: readonly number[],
): Promise<void> {
  const row = { account_id: accountId, operator_id: operatorId, connection };
  await trx
    .deleteFrom('operator_mirrored_properties')
    .where('account_id', '=', accountId)
    .where('operator_id', '=', operatorId)
    .where('connection', '=', connection)
    .execute();
  const rows = propertyIds.map((property_id) => ({ ...row, property_id }));
  await insertMany(trx, 'operator_mirrored_properties', rows);
}
