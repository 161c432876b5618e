import { ApiError } from '../../kernel/errors.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow, PropertyRow } from '../database.ts';
import { propertyById, propertyNamed, type PropertySettings, setPropertySettings } from './table.ts';

type Draft = { [Name in keyof PropertySettings]?: PropertySettings[Name] | undefined };

/**
 * Changes where a property is, when it lets guests in, its name or its status. Fields that are left out stay.
 * @throws ApiError 404 for an unknown property, 409 for a taken name
 */
export function changeProperty(
  core: Core,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  id: number,
  draft: Draft,
): Promise<PropertyRow> {
  const { account_id } = who.account;
  return runChange(core, who, async ({ trx, audit }) => {
    const row = await propertyById(trx, account_id, id);
    if (!row) throw new ApiError(404, `id: there is no property ${id}`, { field: 'id' });
    const given = Object.fromEntries(
      Object.entries(draft).filter(([, value]) => value !== undefined),
    ) as Partial<PropertySettings>;
    if (given.name !== undefined && given.name !== row.name && (await propertyNamed(trx, account_id, given.name))) {
      throw new ApiError(409, 'name: a property with this name exists', { field: 'name' });
    }
    if (Object.keys(given).length > 0) await setPropertySettings(trx, account_id, id, given);
    const before = Object.fromEntries(Object.keys(given).map((name) => [name, row[name as keyof PropertySettings]]));
    audit('change property', `property:${id}`, { before, after: given });
    return { ...row, ...given };
  });
}
