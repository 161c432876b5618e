import { instantOf } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import type { Core, Principal } from '../context.ts';
import { forgetUses, saveUse } from './table.ts';

/** So long a question to a person can be answered. */
export const CONFIRMATION_MS = 5 * 60_000;
const ID_BYTES = 16;

/** What a person is asked to confirm, and for whom. */
export interface Asked {
  readonly who: Pick<Principal, 'account' | 'operator' | 'clientId'>;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Slip {
  id: string;
  expires_at: number;
}

/**
 * A text that stands for one question: whoever was asked hands it back with the answer. It is sealed for this
 * account, operator, application, tool and these arguments, so that it opens for nothing else.
 */
export function confirmationFor(core: Core, asked: Asked): string {
  const slip: Slip = {
    id: core.random.bytes(ID_BYTES).toString('base64url'),
    expires_at: core.clock.now() + CONFIRMATION_MS,
  };
  return core.sealer.seal(JSON.stringify(slip), contextOf(asked));
}

/**
 * Uses a confirmation up.
 * @returns whether it was made for exactly this, is not over, and was not used before; by however many at once it
 *   is tried, one is told yes
 */
export async function useConfirmation(core: Core, asked: Asked, confirmation: string): Promise<boolean> {
  const slip = opened(core, asked, confirmation);
  const now = core.clock.now();
  if (!slip || slip.expires_at <= now) return false;
  const { account_id } = asked.who.account;
  return core.store.transaction(async (trx) => {
    await forgetUses(trx, { account_id, before: instantOf(now) });
    return saveUse(trx, { account_id, id: slip.id, expires_at: instantOf(slip.expires_at) });
  });
}

function opened(core: Core, asked: Asked, confirmation: string): Slip | undefined {
  try {
    return JSON.parse(core.sealer.open(confirmation, contextOf(asked))) as Slip;
  } catch (error) {
    // Another key, another context, or changed on the way: nothing that was ever asked.
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

function contextOf({ who, tool, args }: Asked): string {
  const { account, operator, clientId } = who;
  const asker = [account.account_id, operator.id, clientId];
  return JSON.stringify(['confirmation', asker, tool, sha256Hex(canonical(args))]);
}

/** JSON with the fields of every object in one order, so that equal arguments are equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
