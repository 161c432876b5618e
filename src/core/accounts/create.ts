import type { Dictionary } from '../../contract/dictionaries.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import { ApiError, OperatorError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { next } from '../../kernel/transitions.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import { FIRST_OWN_ID } from '../dictionaries/ids.ts';
import { type AccountRow, type CoreTransaction, flag } from '../database.ts';
import { type Mirroring, putMirrored } from './connections.ts';
import { subscriptionLife } from './rules.ts';
import { findAccount, findOperator, masterOperator } from './table.ts';
import { freshToken } from './tokens.ts';

interface AccountDraft {
  name: string;
  time_zone: string;
  currency: string;
  property_quota: number;
}

/** Entries of a new ledger. Expense items that refund money are marked. */
const DICTIONARIES: Record<Dictionary, readonly { name: string; refund?: true }[]> = {
  income_items: [
    { name: 'Accommodation' },
    { name: 'Cleaning fee' },
    { name: 'Extra services' },
    { name: 'Other income' },
  ],
  expense_items: [
    { name: 'Refund', refund: true },
    { name: 'Channel commission' },
    { name: 'Cleaning' },
    { name: 'Maintenance' },
    { name: 'Supplies' },
    { name: 'Other expense' },
  ],
  income_methods: [{ name: 'Bank transfer' }, { name: 'Cash' }, { name: 'Card' }, { name: 'Channel payout' }],
  expense_methods: [{ name: 'Bank transfer' }, { name: 'Cash' }, { name: 'Card' }],
};

/** The custom channel that every account has. Its number is part of the description. */
const REGIONAL_CHANNEL = { id: 35, name: 'Regional booking service' };

/**
 * Creates an account with its master operator and dictionaries. @param mirroring left out: the daemon beside does not read
 * it, unless it is the first one. @throws OperatorError when the name is taken
 */
export function createAccount(core: Core, draft: AccountDraft, mirroring?: Mirroring): Promise<AccountRow> {
  return core.store.transaction(async (trx) => {
    if (await findAccount(trx, draft.name)) {
      throw new OperatorError(`an account named "${draft.name}" exists`, 'choose another --name');
    }
    const account: AccountRow = {
      account_id: core.ids() as AccountId,
      ...draft,
      subscription: next(subscriptionLife, null, 'open'),
      edition: 'pro',
      created_at: instantOf(core.clock.now()),
      expires_at: null,
      automations_held: null,
      restored_at: null,
    };
    await trx.insertInto('accounts').values(account).execute();
    await addMaster(trx, account);
    await addDictionaries(trx, account.account_id);
    if (mirroring) await putMirrored(trx, account, mirroring);
    return account;
  });
}

async function addMaster(trx: CoreTransaction, account: AccountRow): Promise<void> {
  const id = await nextIds(trx, 'operators');
  const { account_id, name, created_at } = account;
  await trx
    .insertInto('operators')
    .values({ account_id, id, name, kind: 'master', role: 'owner', all_properties: flag(true), created_at })
    .execute();
}

async function addDictionaries(trx: CoreTransaction, accountId: AccountId): Promise<void> {
  const rows = (Object.keys(DICTIONARIES) as Dictionary[]).flatMap((dictionary) =>
    DICTIONARIES[dictionary].map(({ name, refund }) => ({ dictionary, name, refund: flag(refund === true) })),
  );
  const first = FIRST_OWN_ID + (await nextIds(trx, 'dictionary', rows.length));
  await insertMany(
    trx,
    'dictionary_items',
    rows.map((row, index) => ({ account_id: accountId, id: first + index, ...row })),
  );
  await trx
    .insertInto('custom_channels')
    .values({ account_id: accountId, ...REGIONAL_CHANNEL })
    .execute();
}

/** Returns the number of the operator-defined source with this name, and creates the source if it is missing. */
export async function customChannelNamed(trx: CoreTransaction, accountId: AccountId, name: string): Promise<number> {
  const known = await trx
    .selectFrom('custom_channels')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst();
  if (known) return known.id;
  const id = FIRST_OWN_ID + (await nextIds(trx, 'dictionary'));
  await trx.insertInto('custom_channels').values({ account_id: accountId, id, name }).execute();
  return id;
}

interface TokenDraft {
  name: string;
  scope: 'read' | 'write';
  /** Number of a sub-account; left out: the main account. */
  operatorId?: number | undefined;
  /** Left out or null: the token does not expire. */
  expires_at?: Instant | null | undefined;
  per_minute?: number | null;
  per_hour?: number | null;
  /** Only for the service's own token. */
  unlimited?: boolean;
}

/** Creates an access token. The returned text is shown once and stored nowhere. */
export function createToken(
  core: Core,
  account: AccountRow,
  draft: TokenDraft,
  operator: Principal['operator'] | null = null,
): Promise<{ id: number; token: string }> {
  const fresh = freshToken(core.random);
  return runChange(core, { account, operator }, async ({ trx, audit }) => {
    const operator_id = draft.operatorId ?? (await masterOperator(trx, account.account_id)).id;
    if (!(await findOperator(trx, account.account_id, operator_id))) {
      throw new ApiError(404, `operator_id: there is no operator ${operator_id}`, { field: 'operator_id' });
    }
    const id = await nextIds(trx, 'tokens');
    await trx
      .insertInto('tokens')
      .values({
        account_id: account.account_id,
        id,
        operator_id,
        name: draft.name,
        scope: draft.scope,
        hash: fresh.hash,
        hint: fresh.hint,
        created_at: instantOf(core.clock.now()),
        revoked_at: null,
        expires_at: draft.expires_at ?? null,
        last_used_on: null,
        per_minute: draft.per_minute ?? null,
        per_hour: draft.per_hour ?? null,
        unlimited: flag(draft.unlimited === true),
      })
      .execute();
    const { name, scope, expires_at = null } = draft;
    audit('create token', `token:${id}`, { after: { name, scope, for: operator_id, expires_at } });
    return { id, token: fresh.token };
  });
}
