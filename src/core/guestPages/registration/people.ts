import type { AccountId } from '../../../kernel/ids.ts';
import type { Core } from '../../context.ts';
import { openRegistration } from './secrets.ts';
import { registrationsOf } from './table.ts';

/** A guest who has registered: all that the page of a reservation says of them. */
export interface RegisteredGuest {
  readonly id: string;
  readonly stay_id: number;
  /** The first name. */
  readonly name: string;
}

/** Returns who has registered for these stays, the first first. */
export async function registeredGuests(
  core: Pick<Core, 'store' | 'sealer'>,
  accountId: AccountId,
  stayIds: readonly number[],
): Promise<RegisteredGuest[]> {
  const rows = await registrationsOf(core.store.db, accountId, stayIds);
  return rows.map((row) => ({
    id: row.id,
    stay_id: row.stay_id,
    name: openRegistration(core, row).given_name ?? '',
  }));
}
