import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow, CoreDb, CoreTransaction, OperatorRow } from '../database.ts';
import { requireProperty } from '../ownership.ts';
import { findAccount, findOperator, masterOperator, propertiesOf, setProperties, subAccountsOf } from './table.ts';

/** A sub-account as its owner sees it. */
interface SubAccount {
  id: number;
  name: string;
  property_ids: number[];
  created_at: string;
}

interface SubAccountDraft {
  name?: string | undefined;
  /** All properties that it may see; replaces the earlier list. */
  property_ids?: readonly number[] | undefined;
}

type Who = { account: AccountRow; operator: Principal['operator'] | null };

export function listSubAccounts(db: CoreDb, { account_id }: AccountRow): Promise<SubAccount[]> {
  return subAccountsOf(db, account_id);
}

/** Creates a sub-account. @throws ApiError 403 or 404 for a property of another account */
export function createSubAccount(
  core: Core,
  who: Who,
  draft: SubAccountDraft & { name: string },
): Promise<{ id: number }> {
  const { account_id } = who.account;
  return runChange(core, who, async ({ trx, now, audit }) => {
    const id = await nextIds(trx, 'operators');
    const { name } = draft;
    await trx
      .insertInto('operators')
      .values({ account_id, id, name, kind: 'sub', created_at: instantOf(now) })
      .execute();
    await giveProperties(trx, who.account, id, draft.property_ids ?? []);
    audit('create sub-account', `operator:${id}`, { after: { name, property_ids: draft.property_ids ?? [] } });
    return { id };
  });
}

/** Changes name or properties of a sub-account, from its next request on. Fields that are left out stay. */
export function changeSubAccount(core: Core, who: Who, id: number, draft: SubAccountDraft): Promise<void> {
  const { account_id } = who.account;
  return runChange(core, who, async ({ trx, audit }) => {
    const { kind, name: earlier } = await requireOperator(trx, who.account, id);
    const visible = await propertiesOf(trx, account_id, id);
    if (kind !== 'sub') throw new ApiError(404, `id: there is no sub-account ${id}`, { field: 'id' });
    if (draft.name !== undefined) {
      const { name } = draft;
      await trx
        .updateTable('operators')
        .set({ name })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .execute();
    }
    if (draft.property_ids) await giveProperties(trx, who.account, id, draft.property_ids);
    audit('change sub-account', `operator:${id}`, {
      before: { name: earlier, property_ids: visible },
      after: { name: draft.name ?? earlier, property_ids: draft.property_ids ?? visible },
    });
  });
}

async function giveProperties(
  trx: CoreTransaction,
  account: AccountRow,
  operatorId: number,
  propertyIds: readonly number[],
): Promise<void> {
  const own = [...new Set(propertyIds)];
  for (const id of own) await requireProperty(trx, account, { visible: null }, id);
  await setProperties(trx, account.account_id, operatorId, own);
}

/** Returns a person or sub-account by number. @throws ApiError 404 when the account has none of that number */
export async function requireOperator(
  trx: CoreTransaction,
  { account_id }: AccountRow,
  id: number,
): Promise<OperatorRow> {
  const operator = await findOperator(trx, account_id, id);
  if (!operator) throw new ApiError(404, `operator_id: there is no operator ${id}`, { field: 'operator_id' });
  return operator;
}

export function mainOperator(trx: CoreTransaction, accountId: AccountId): Promise<OperatorRow> {
  return masterOperator(trx, accountId);
}

export function operatorProperties(db: CoreDb, accountId: AccountId, operatorId: number): Promise<number[]> {
  return propertiesOf(db, accountId, operatorId);
}

export async function accountById(db: CoreDb, accountId: AccountId): Promise<AccountRow> {
  const account = await findAccount(db, accountId);
  if (!account) throw new Error(`account ${accountId} is gone`);
  return account;
}
