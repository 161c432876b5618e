import { CUSTOM_FIELDS } from '../../contract/reservationLife.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Handler } from '../context.ts';
import { goneResource, maySee } from '../ownership.ts';
import { announceStay, writeStay } from './change.ts';
import { findStay } from './lookup.ts';
import { requireStay } from './require.ts';

export const getCustomFields: Handler<'getCustomFields'> = async ({ stay_code }, context) => {
  const stay = await findStay(context.db, context.account.account_id, stay_code);
  if (!stay || !maySee(context, stay.property_id)) throw goneResource();
  return { custom_fields: read(stay.custom_fields) };
};

export const updateCustomFields: Handler<'updateCustomFields'> = ({ stay_code, custom_fields: given }, context) =>
  context.change(async (change) => {
    const { stay } = await requireStay(change, context, stay_code);
    const fields = new Map(Object.entries(read(stay.custom_fields) ?? {}));
    for (const [name, text] of Object.entries(given)) {
      if (text === null) fields.delete(name);
      else fields.set(name, text);
    }
    if (fields.size > CUSTOM_FIELDS.most) {
      throw invalid('custom_fields', `would be more than ${CUSTOM_FIELDS.most}`);
    }
    const custom_fields = fields.size === 0 ? null : JSON.stringify(Object.fromEntries(fields));
    if (custom_fields !== stay.custom_fields) {
      await writeStay(change, stay, { custom_fields });
      announceStay(change, stay);
      change.audit('updateCustomFields', stay.stay_code);
    }
    return { custom_fields: read(custom_fields) };
  });

function read(json: string | null): Record<string, string> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, string>);
}
