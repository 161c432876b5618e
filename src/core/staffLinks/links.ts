import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { subscriptionAt } from '../accounts/rules.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { requireStaff } from '../staffs/require.ts';
import { accountOfLink, dropLink, linkByHash, saveLink } from './table.ts';

export { linksOf } from './table.ts';

/** Bytes of a token: 192 bits cannot be guessed. */
const TOKEN_BYTES = 24;
/** The form of every token. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** A person of an account, and the properties that they see. */
type Who = Pick<Principal, 'account' | 'visible'> & { operator: Principal['operator'] | null };

/** Makes the link of a member of staff; an earlier one ends. @returns its address, which is kept nowhere */
export function makeStaffLink(core: Core, who: Who, staffId: number): Promise<{ url: string }> {
  return runChange(core, who, async (change) => {
    const staff = await requireStaff(change, who, staffId, 'staff_id');
    const token = core.random.bytes(TOKEN_BYTES).toString('base64url');
    const { account_id, id } = staff;
    const created_at = instantOf(change.now);
    await saveLink(change.trx, { account_id, staff_id: id, token_hash: sha256Hex(token), created_at });
    change.audit('make staff link', String(id));
    return { url: `${core.publicUrl()}/work/${token}` };
  });
}

/** Ends the link of a member of staff. @throws ApiError 404 if there is none */
export function endStaffLink(core: Core, who: Who, staffId: number): Promise<void> {
  return runChange(core, who, async (change) => {
    const staff = await requireStaff(change, who, staffId, 'staff_id');
    const wasThere = await dropLink(change.trx, { account_id: staff.account_id, staff_id: staff.id });
    if (!wasThere) throw new ApiError(404, 'staff_id has no link.', { field: 'staff_id' });
    change.audit('end staff link', String(staff.id));
  });
}

/** Who opens a link: a member of staff of an account. */
export interface Worker {
  readonly account: AccountRow;
  readonly staffId: number;
  readonly name: string;
}

/** Returns who a token belongs to; undefined if it opens nothing, or no longer. */
export async function workerOf({ store, clock }: Core, token: string): Promise<Worker | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const found = await linkByHash(store.db, sha256Hex(token));
  if (!found) return undefined;
  const account = await accountOfLink(store.db, found.account_id);
  if (subscriptionAt(account, clock.now()) !== 'active') return undefined;
  return { account, staffId: found.staff_id, name: found.name };
}
