import type { Reseal } from '../../../kernel/seal.ts';
import type { Core } from '../../context.ts';
import type { CoreTransaction } from '../../database.ts';
import type { GuestRegistrationRow } from '../rows.ts';
import type { Registration } from './fields.ts';
import { saveSealed, sealedAfter } from './table.ts';

/** Rows that are sealed again between two looks for more. */
const BATCH = 200;

/** Returns the stored form of what a guest has registered. */
export function sealRegistration({ sealer }: Pick<Core, 'sealer'>, id: string, values: Registration): string {
  return sealer.seal(JSON.stringify(values), sealContext(id));
}

export function openRegistration(
  { sealer }: Pick<Core, 'sealer'>,
  { id, sealed }: Pick<GuestRegistrationRow, 'id' | 'sealed'>,
): Registration {
  return JSON.parse(sealer.open(sealed, sealContext(id))) as Registration;
}

/** Seals everything that guests have registered with another key. @returns the number of rows */
export async function resealRegistrations(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  let count = 0;
  for (let last; ;) {
    const rows = await sealedAfter(trx, last, BATCH);
    for (const row of rows) await saveSealed(trx, { ...row, sealed: reseal(row.sealed, sealContext(row.id)) });
    count += rows.length;
    last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return count;
  }
}

function sealContext(id: string): string {
  return `guest_registration:${id}`;
}
