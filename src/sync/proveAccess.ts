import { CallError } from '../client/callError.ts';
import type { CallOptions, Client } from '../client/client.ts';

const UNKNOWN_OPERATION: ReadonlySet<number> = new Set([404, 501]);

/**
 * Asks the least that shows whether a token is let in: the account, or, where a deployment has no such operation, one
 * property. Throws the CallError of a token that is not.
 */
export async function proveAccess(client: Client, options: CallOptions): Promise<void> {
  try {
    await client.call('getAccount', {}, options);
  } catch (error) {
    if (!(error instanceof CallError) || error.code === undefined || !UNKNOWN_OPERATION.has(error.code)) throw error;
    await client.call('listProperties', { offset: 0, limit: 1 }, options);
  }
}
