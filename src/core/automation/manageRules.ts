import type { RuleEvent } from '../../contract/automationActions.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { lockAccount } from '../accounts/lock.ts';
import { runChange } from '../change.ts';
import type { Change, Core, Principal } from '../context.ts';
import { type AccountRow, type CoreDb, flag } from '../database.ts';
import { refuseForeign, requireProperty } from '../ownership.ts';
import { changedColumns } from '../reservations/changedColumns.ts';
import type { AutomationRuleRow, RuleType } from '../workTables.ts';
import { readAction } from './actions.ts';
import { replanRule } from './replan.ts';
import { addRule, changeRule, lockRule, rulesOf } from './table.ts';

type Who = { account: AccountRow; operator: Principal['operator'] | null };

/** Fields of a rule. A list that is null means all. */
export interface RuleFields {
  name: string;
  event: RuleEvent;
  /** Hours after the event; negative: before it. */
  hours: number;
  property_ids: readonly number[] | null;
  channel_types: readonly string[] | null;
  action: unknown;
  is_enabled: boolean;
}

/** Lists all rules of an account, newest first, as people see them. */
export async function listRules(db: CoreDb, account: AccountRow): Promise<object[]> {
  return (await rulesOf(db, account.account_id)).map(presentRule);
}

/** Creates a rule and plans its actions for existing stays. @returns its number */
export async function createRule(core: Core, who: Who, fields: RuleFields & { type: RuleType }): Promise<number> {
  const id = await runChange(core, who, async (change) => {
    await lockAccount(change.trx, who.account.account_id);
    requireSense(fields.type, fields.event, fields.hours);
    const now = instantOf(change.now);
    const made = await addRule(change.trx, {
      account_id: who.account.account_id,
      type: fields.type,
      name: fields.name,
      event: fields.event,
      hours: fields.hours,
      property_ids: await requireProperties(change, fields.property_ids),
      channel_types: listText(fields.channel_types),
      action: JSON.stringify(readAction(fields.type, fields.action)),
      is_enabled: flag(fields.is_enabled),
      active_since: now,
      created_at: now,
      deleted_at: null,
      planned_to: 0,
    });
    change.audit('createAutomationRule', String(made));
    return made;
  });
  await planRule(core, who, id);
  return id;
}

/** Changes a rule and its plans. @throws ApiError 403 or 404 when the account has no such rule */
export async function updateRule(
  core: Core,
  who: Who,
  id: number,
  fields: { [Name in keyof RuleFields]?: RuleFields[Name] | undefined },
): Promise<void> {
  await runChange(core, who, async (change) => {
    await lockAccount(change.trx, who.account.account_id);
    const rule = await requireRule(change, id);
    const when = changedColumns(rule, {
      event: fields.event,
      hours: fields.hours,
      property_ids:
        fields.property_ids === undefined ? undefined : await requireProperties(change, fields.property_ids),
      channel_types: fields.channel_types === undefined ? undefined : listText(fields.channel_types),
      is_enabled: fields.is_enabled === undefined ? undefined : flag(fields.is_enabled),
    });
    requireSense(rule.type, when.event ?? rule.event, when.hours ?? rule.hours);
    const what = changedColumns(rule, {
      name: fields.name,
      action: fields.action === undefined ? undefined : JSON.stringify(readAction(rule.type, fields.action)),
    });
    // A rule whose times change does not catch up on past moments.
    const isOther = Object.keys(when).length > 0;
    const columns = { ...what, ...when, ...(isOther && { active_since: instantOf(change.now) }) };
    if (Object.keys(columns).length === 0) return;
    await changeRule(change.trx, rule, { ...columns, planned_to: 0 });
    change.audit('updateAutomationRule', String(id));
  });
  await planRule(core, who, id);
}

/** Ends a rule and all its plans. @throws ApiError 403 or 404 when the account has no such rule */
export async function deleteRule(core: Core, who: Who, id: number): Promise<void> {
  await runChange(core, who, async (change) => {
    await lockAccount(change.trx, who.account.account_id);
    const rule = await requireRule(change, id);
    await changeRule(change.trx, rule, { deleted_at: instantOf(change.now), planned_to: 0 });
    change.audit('deleteAutomationRule', String(id));
  });
  await planRule(core, who, id);
}

/** Applies a changed rule to every stay, some in each transaction. After an interruption the worker continues. */
export async function planRule(core: Core, who: Who, id: number): Promise<void> {
  for (let more = true; more;) more = await runChange(core, who, (change) => replanRule(change, id));
}

async function requireRule({ trx, account }: Change, id: number): Promise<AutomationRuleRow> {
  const rule = await lockRule(trx, id);
  refuseForeign(rule, account, 'id');
  if (!rule || rule.deleted_at !== null) throw new ApiError(404, 'id not found.', { field: 'id' });
  return rule;
}

function requireSense(type: RuleType, event: RuleEvent, hours: number): void {
  if (type === 'review' && (event !== 'check_out' || hours < 0)) {
    throw invalid('event', 'of a review is check_out, and hours are 0 or more');
  }
  if (event === 'booking' && hours < 0) throw invalid('hours', 'before a booking nobody knows of it');
}

async function requireProperties(change: Change, ids: readonly number[] | null): Promise<string | null> {
  for (const id of new Set(ids)) await requireProperty(change.trx, change.account, { visible: null }, id);
  return listText(ids);
}

function listText(values: readonly (string | number)[] | null): string | null {
  return values === null ? null : JSON.stringify([...new Set(values)]);
}

function listOf(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}

function presentRule(row: AutomationRuleRow): object {
  const { id, type, name, event, hours, created_at } = row;
  return {
    id,
    type,
    name,
    event,
    hours,
    property_ids: listOf(row.property_ids),
    channel_types: listOf(row.channel_types),
    action: listOf(row.action),
    is_enabled: row.is_enabled === 1,
    created_at,
  };
}
