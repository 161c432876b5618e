import type { PortalServices } from '../../api/portal/route.ts';
import { CallError } from '../../client/callError.ts';
import type { Asking, Told } from '../../console/visit.ts';
import { errorCodes } from '../../contract/errors.ts';
import type { Call, GuardedId } from '../../contract/index.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ApiError, type ErrorCode } from '../../kernel/errors.ts';
import type { ConnectionId } from '../../kernel/ids.ts';

/** The largest number that any deployment counts to, so no webhook has it. */
const NOBODYS = 2_147_483_647;
/** Milliseconds for which a finding about a token holds. */
const KNOWN_MS = 10 * 60_000;
const REFUSED: ReadonlySet<number> = new Set([401, 420]);

type Mirror = PortalServices['mirror'];

/**
 * Runs an operation where another deployment has the data, with the connection's token. It is tried once.
 * @throws ApiError in the words of the deployment; if it did not answer, it says that the outcome is not known
 */
export async function elsewhere<Id extends GuardedId>(
  mirror: Mirror,
  { connection }: Asking,
  id: Id,
  input: Call<Id>,
): Promise<Told<Id>> {
  try {
    return (await mirror.call(connection, id, input)) as Told<Id>;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.kind === 'transport') throw new ApiError(504, UNKNOWN, { cause: error });
    const code = error.code in errorCodes ? (error.code as ErrorCode) : 502;
    throw new ApiError(code, error.message.replace(`${id}: `, ''), { cause: error });
  }
}

const UNKNOWN =
  'The deployment did not answer, so it is not known whether this was done. Look at it there before you try again.';

/**
 * Finds out which tokens may write, by deleting a webhook that cannot exist: a read-only token is refused before any
 * search. A token of which nobody can tell counts as writable; the deployment then refuses for itself.
 */
export function writableTokens(
  mirror: Mirror,
  clock: Clock,
): { isReadOnly(connection: ConnectionId): Promise<boolean> } {
  const known = new Map<ConnectionId, { at: number; found: Promise<boolean> }>();
  const find = async (connection: ConnectionId): Promise<boolean> => {
    try {
      await mirror.call(connection, 'deleteWebhook', { id: NOBODYS });
      return false;
    } catch (error) {
      return error instanceof CallError && REFUSED.has(error.code);
    }
  };
  return {
    isReadOnly(connection) {
      const before = known.get(connection);
      if (before && before.at + KNOWN_MS > clock.now()) return before.found;
      const found = find(connection);
      known.set(connection, { at: clock.now(), found });
      return found;
    },
  };
}
