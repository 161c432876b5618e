import { instantOf } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import type { Core, Principal } from '../context.ts';
import { forgetUses, saveUse } from './table.ts';

/** Milliseconds within which a question to a person can be answered. */
export const CONFIRMATION_MS = 5 * 60_000;
const ID_BYTES = 16;

/** The question that a person is asked to confirm, and the person. */
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
 * Returns a text that represents one question. The client returns it with the answer. It is sealed for this account,
 * operator, application, tool and arguments, so it is valid for nothing else.
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
 * @returns true if it was made for exactly this question, is not expired and was not used before; of concurrent
 * attempts one gets true
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
    // Another key, another context or an altered text: no such question was asked.
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

function contextOf({ who, tool, args }: Asked): string {
  const { account, operator, clientId } = who;
  const asker = [account.account_id, operator.id, clientId];
  return JSON.stringify(['confirmation', asker, tool, sha256Hex(canonical(args))]);
}

/** Returns JSON with the fields of every object in one order, so that equal arguments give equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
