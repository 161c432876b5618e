import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import type { Role } from '../../kernel/roles.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import { type AccountRow, type CoreDb, type CoreTransaction, flag, type OperatorRow } from '../database.ts';
import { requireProperty } from '../ownership.ts';
import {
  findAccount,
  findOperator,
  masterOperator,
  mirroredPropertiesOf,
  propertiesOf,
  setMirroredProperties,
  setProperties,
  subAccountsOf,
} from './table.ts';

/** The roles that a sub-account can have. */
export type SubRole = Exclude<Role, 'owner'>;

/** A sub-account as its owner sees it. */
interface SubAccount {
  id: number;
  name: string;
  role: Role;
  /** True: sees every property, also those to come. */
  all_properties: boolean;
  property_ids: number[];
  created_at: string;
  /** Its login; null while nobody has chosen one. */
  login: string | null;
  /** End of an invite that was not used yet. */
  invited_until: string | null;
}

interface SubAccountDraft {
  name?: string | undefined;
  /** Any but `owner`, which is the main account's. */
  role?: SubRole | undefined;
  all_properties?: boolean | undefined;
  /** All properties that it may see; replaces the earlier list. */
  property_ids?: readonly number[] | undefined;
}

/** A deployment elsewhere that is mirrored. */
export interface Elsewhere {
  readonly connection: ConnectionId;
  /** The properties that it has, as far as they are mirrored. */
  readonly properties: readonly number[];
}

interface Who {
  account: AccountRow;
  operator: Principal['operator'] | null;
  /** The deployment that has the properties; left out: this core. */
  elsewhere?: Elsewhere | undefined;
}

/** @param elsewhere the deployment whose properties are listed; left out: those of this core */
export function listSubAccounts(
  db: CoreDb,
  { account_id }: AccountRow,
  elsewhere?: Pick<Elsewhere, 'connection'>,
): Promise<SubAccount[]> {
  return subAccountsOf(db, account_id, elsewhere?.connection);
}

/** Creates a sub-account. @throws ApiError 403 or 404 for a property of another account, or that nobody has */
export function createSubAccount(
  core: Core,
  who: Who,
  draft: SubAccountDraft & { name: string },
): Promise<{ id: number }> {
  const { account_id } = who.account;
  return runChange(core, who, async ({ trx, now, audit }) => {
    const id = await nextIds(trx, 'operators');
    const { name, role = 'manager', all_properties = false, property_ids = [] } = draft;
    await trx
      .insertInto('operators')
      .values({
        account_id,
        id,
        name,
        kind: 'sub',
        role,
        all_properties: flag(all_properties),
        created_at: instantOf(now),
      })
      .execute();
    await giveProperties(trx, who, id, property_ids);
    audit('create sub-account', `operator:${id}`, { after: { name, role, all_properties, property_ids } });
    return { id };
  });
}

/** Changes name or properties of a sub-account, from its next request on. Fields that are left out stay. */
export function changeSubAccount(core: Core, who: Who, id: number, draft: SubAccountDraft): Promise<void> {
  const { account_id } = who.account;
  return runChange(core, who, async ({ trx, audit }) => {
    const operator = await requireOperator(trx, who.account, id);
    if (operator.kind !== 'sub') throw new ApiError(404, `id: there is no sub-account ${id}`, { field: 'id' });
    const before = {
      name: operator.name,
      role: operator.role,
      all_properties: operator.all_properties === 1,
      property_ids: await givenTo(trx, who, id),
    };
    const given = Object.entries(draft).filter(([, value]) => value !== undefined);
    const after = { ...before, ...(Object.fromEntries(given) as Partial<typeof before>) };
    await trx
      .updateTable('operators')
      .set({ name: after.name, role: after.role, all_properties: flag(after.all_properties) })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute();
    if (draft.property_ids) await giveProperties(trx, who, id, draft.property_ids);
    audit('change sub-account', `operator:${id}`, { before, after });
  });
}

function givenTo(trx: CoreTransaction, { account: { account_id: accountId }, elsewhere }: Who, operatorId: number) {
  if (!elsewhere) return propertiesOf(trx, accountId, operatorId);
  return mirroredPropertiesOf(trx, { accountId, operatorId, connection: elsewhere.connection });
}

async function giveProperties(
  trx: CoreTransaction,
  { account, elsewhere }: Who,
  operatorId: number,
  propertyIds: readonly number[],
): Promise<void> {
  const own = [...new Set(propertyIds)];
  const accountId = account.account_id;
  if (elsewhere) {
    if (!own.every((id) => elsewhere.properties.includes(id))) {
      throw new ApiError(404, 'property_ids: not found at that deployment.', { field: 'property_ids' });
    }
    return setMirroredProperties(trx, { accountId, operatorId, connection: elsewhere.connection }, own);
  }
  for (const id of own) await requireProperty(trx, account, { visible: null }, id);
  return setProperties(trx, accountId, operatorId, own);
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

/** Returns the properties of another deployment that a person of limited sight may see. */
export function elsewhereProperties(
  db: CoreDb,
  of: { accountId: AccountId; operatorId: number; connection: ConnectionId },
): Promise<number[]> {
  return mirroredPropertiesOf(db, of);
}

export async function accountById(db: CoreDb, accountId: AccountId): Promise<AccountRow> {
  const account = await findAccount(db, accountId);
  if (!account) throw new Error(`account ${accountId} is gone`);
  return account;
}
