import { type Call, type OperationId, operations } from '../contract/index.ts';
import type { Profile } from '../contract/dialect/profile.ts';
import { apiFailure, CallError } from './callError.ts';
import type { Answer, CallOptions, Client } from './client.ts';
import type { Fields } from './fields.ts';
import { dataReader } from './readData.ts';

/** The known facts of an account whose upstream has no operation for them. */
export interface KnownAccount {
  readonly account_id: string;
  readonly name: string;
  /** null if unknown. */
  readonly time_zone: string | null;
  readonly currency: string | null;
}

/** Returns an account without any facts; its name is that of the connection. */
export function unknownAccount(connection: string): KnownAccount {
  return { account_id: connection, name: connection, time_zone: null, currency: null };
}

const NOT_FOUND = 404;

/**
 * Returns a client that never calls operations that the profile lacks, and that answers for the account itself if
 * upstream cannot. It then proves the token by a list, because callers rely on that.
 */
export function knowingAccount(client: Client, profile: Profile, account: KnownAccount): Client {
  let isUntold = profile.absent.includes('getAccount');
  const reader = dataReader(operations.getAccount);

  async function askedOtherwise(options: CallOptions) {
    await client.call('listProperties', { offset: 0, limit: 1 }, options);
    const known: Fields = { ...account };
    return reader.read(known);
  }

  async function call(operation: OperationId, input: Call<OperationId>, options: CallOptions) {
    if (operation === 'getAccount' && isUntold) return askedOtherwise(options);
    if (profile.absent.includes(operation)) {
      throw apiFailure(operation, NOT_FOUND, 'the profile says that this deployment has no such operation');
    }
    try {
      return await client.call(operation, input, options);
    } catch (error) {
      if (operation !== 'getAccount' || !(error instanceof CallError) || error.code !== NOT_FOUND) throw error;
      // A later call would fail too, and failed requests have a quota of their own.
      isUntold = true;
      return askedOtherwise(options);
    }
  }

  // As in the client itself, the operation ties its input and its answer together.
  return { call: call as <Id extends OperationId>(id: Id, input: Call<Id>, how: CallOptions) => Promise<Answer<Id>> };
}
